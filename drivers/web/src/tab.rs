//! One tab of a device: its session, and what is known of it from the browser's events.

use crate::open_requests::RequestKind;
use crate::tab_death::Death;
use crate::talk::Talk;
use capuchin_ui::Str;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// A dialog that the page opened and that stops it: alert, confirm, prompt or beforeunload.
#[derive(Clone, Debug)]
pub(crate) struct Dialog {
    pub(crate) kind: String,
    pub(crate) message: String,
    /// What stands in the field of a prompt.
    pub(crate) answer: Str,
}

/// A snapshot that the collector sends by itself.
#[derive(Clone, Debug, Default)]
pub(crate) enum Announced {
    #[default]
    Unexpected,
    Expected,
    Snapshot(String),
}

/// A request that is under way.
#[derive(Clone, Debug)]
pub(crate) struct PendingRequest {
    /// What is asked for, as people are told: `GET items`.
    pub(crate) shown: String,
    /// Who is asked.
    pub(crate) origin: String,
    /// Whether the document may wait for it before it goes on.
    pub(crate) holds_up: bool,
    /// What it is one of.
    pub(crate) kind: RequestKind,
    pub(crate) sent: Instant,
    /// Whether it is a stream of events, which nobody waits for.
    pub(crate) is_stream: bool,
    /// When the head of the answer came, or the last part of it so far. If the page does not read
    /// the answer, its end is told much later.
    pub(crate) headed: Option<Instant>,
}

/// A tab.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tab {
    pub(crate) target: String,
    pub(crate) session: String,
    /// The collector's world in the document that is shown now.
    pub(crate) world: Option<String>,
    /// The snapshot that the collector sends without being asked, while that is waited for.
    pub(crate) announced: Announced,
    pub(crate) dialog: Option<Dialog>,
    /// A frame that was to be drawn never came: as long as it does not, no other is drawn.
    pub(crate) is_frame_lost: bool,
    /// Its process has died.
    pub(crate) crashed: bool,
    /// How, as soon as the browser says it.
    pub(crate) death: Option<Death>,
    /// It has been closed.
    pub(crate) closed: bool,
    /// The virtual time that was granted has passed.
    pub(crate) time_is_up: bool,
    /// Requests that are under way, by their numbers.
    pub(crate) pending: BTreeMap<String, PendingRequest>,
    /// WebSockets that are open, by their numbers.
    pub(crate) sockets: BTreeSet<String>,
    /// What was said over the lines that it keeps open.
    pub(crate) talk: Talk,
    /// What it and its workers said to one another.
    pub(crate) worker_talk: Talk,
    /// The document that it navigates to, by the number of its request.
    pub(crate) navigating: Option<String>,
    /// How many navigations have ended: at another document, at another place in the same, or
    /// nowhere.
    pub(crate) navigations: u64,
    /// Downloads that are under way, by their numbers.
    pub(crate) downloads: BTreeSet<String>,
    /// The script that brings the seed, by its name in the browser.
    pub(crate) seed_script: Option<String>,
    /// The HTTP status of the document that it shows: 200, 404; 0 if no server was asked.
    pub(crate) status: u64,
    /// How many documents it has shown.
    pub(crate) documents: u64,
    /// Whether it has come to the first of them.
    pub(crate) has_navigated: bool,
    /// The last of them that was ready to be touched: see `touch.rs`.
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

    /// Whether it navigates or downloads.
    pub(crate) fn is_loading(&self) -> bool {
        self.navigating.is_some() || !self.downloads.is_empty()
    }

    /// Whether the document may be waiting for a part of itself.
    pub(crate) fn is_held_up(&self) -> bool {
        self.pending.values().any(|request| request.holds_up)
    }

    /// Forgets what is known of its document: another one is about to be loaded.
    pub(crate) fn forget_document(&mut self) {
        self.world = None;
        self.status = 0;
        self.navigating = None;
        self.downloads.clear();
        self.forget_lines();
    }

    /// Forgets what its document has asked for, which went with it.
    pub(crate) fn forget_lines(&mut self) {
        self.pending.clear();
        self.sockets.clear();
        (self.talk, self.worker_talk) = (Talk::default(), Talk::default());
    }
}
