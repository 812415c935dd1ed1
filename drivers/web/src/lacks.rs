//! What the app asked for and does not get, told with the next observation.
//!
//! On its own because it comes from three sides: the page's files, the proxy that refuses other
//! origins, and the browser's events.

use crate::allowed_origins::blocked;
use crate::filter_proxy::FilterProxy;
use capuchin_ui::Lack;

/// What the app asked for and does not get.
#[derive(Debug, Default)]
pub(crate) struct Lacks {
    /// What it lacks from the start, after every reset.
    at_start: Option<Lack>,
    found: Vec<Lack>,
    /// Nothing if every origin is allowed.
    proxy: Option<FilterProxy>,
}

impl Lacks {
    pub(crate) fn new(at_start: Option<Lack>, proxy: Option<FilterProxy>) -> Self {
        Lacks { at_start, found: Vec::new(), proxy }
    }

    /// The app is opened anew.
    pub(crate) fn start_over(&mut self) {
        self.take();
        self.found.extend(self.at_start.clone());
    }

    pub(crate) fn note(&mut self, lack: Lack) {
        if self.found.iter().all(|known| known.what != lack.what) {
            self.found.push(lack);
        }
    }

    /// What is not told yet.
    pub(crate) fn pending(&mut self) -> &[Lack] {
        let refused = self.proxy.as_ref().map(FilterProxy::take_refused).unwrap_or_default();
        for origin in refused {
            self.note(blocked(&origin));
        }
        &self.found
    }

    /// Tells it.
    pub(crate) fn take(&mut self) -> Vec<Lack> {
        self.pending();
        std::mem::take(&mut self.found)
    }
}
