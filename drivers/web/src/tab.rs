//! One tab of a device: its session, and what is known of it from what the browser tells.

use capuchin_ui::Str;
use std::collections::{BTreeMap, BTreeSet};

/// A dialog that the page opened and that stops it: alert, confirm, prompt or beforeunload.
#[derive(Clone, Debug)]
pub(crate) struct Dialog {
    pub(crate) kind: String,
    pub(crate) message: String,
    /// What stands in the field of a prompt.
    pub(crate) answer: Str,
}

/// Whether the collector is expected to say what it sees.
#[derive(Clone, Debug, Default)]
pub(crate) enum Said {
    #[default]
    Unexpected,
    NotYet,
    This(String),
}

/// A request that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// What is asked for, as people are told.
    pub(crate) shown: String,
    /// Whether the document may wait for it before it goes on.
    pub(crate) holds_up: bool,
}

/// A tab.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tab {
    pub(crate) target: String,
    pub(crate) session: String,
    /// The collector's world in the document that is shown now.
    pub(crate) world: Option<String>,
    /// What the collector has said without being asked, while that is waited for.
    pub(crate) said: Said,
    pub(crate) dialog: Option<Dialog>,
    /// Its process has died.
    pub(crate) crashed: bool,
    /// It has been closed.
    pub(crate) closed: bool,
    /// The virtual time that was granted has passed.
    pub(crate) time_is_up: bool,
    /// Requests that are under way, by their numbers.
    pub(crate) pending: BTreeMap<String, Request>,
    /// The document that it is on its way to, by the number of its request.
    pub(crate) going: Option<String>,
    /// How often it has come to another document or to another place in the same, or could not.
    pub(crate) moves: u64,
    /// Downloads that are under way, by their numbers.
    pub(crate) downloads: BTreeSet<String>,
    /// The script that brings the seed, by its name in the browser.
    pub(crate) inject: Option<String>,
    /// What the server said of the document that it shows: 200, 404; 0 if no server was asked.
    pub(crate) status: u64,
    /// How many documents it has shown.
    pub(crate) documents: u64,
    /// Whether it has come to the first of them.
    pub(crate) arrived: bool,
    /// The last of them that was ready to be touched: see `fingers.rs`.
    pub(crate) touchable: u64,
    /// The addresses of its document's scripts by their numbers, as far as the debugger told.
    pub(crate) scripts: BTreeMap<String, String>,
    /// Whether what runs in its process is counted through it, if it is counted at all.
    pub(crate) counts: bool,
}

impl Tab {
    pub(crate) fn new(target: &str, session: &str) -> Self {
        Tab {
            target: target.to_owned(),
            session: session.to_owned(),
            counts: true,
            ..Tab::default()
        }
    }

    /// Whether nothing that it is asked will be answered.
    pub(crate) fn is_stopped(&self) -> bool {
        self.dialog.is_some() || self.crashed || self.closed
    }
}
