//! The tabs of a device, the one that is shown last; how they are opened and closed.

use crate::app_log::EntryKind;
use crate::browser::BROWSER_TIMEOUT;
use crate::connection::ProtocolError;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::options::Popups;
use crate::protocol_events::AttachedToTarget;
use crate::protocol_types::{Done, TargetCreated};
use crate::tab::Tab;
use crate::tab_death::Death;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a tab may take to close. What does not close is left to the browser.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// How many requests are named that a page waits for.
const MOST_AWAITED_SHOWN: usize = 3;

/// A tab's target and its session.
pub(crate) type TabIds = (String, String);

/// A tab that the driver asks for, as opposed to those that the app opens.
#[derive(Debug, Default)]
enum OwnTab {
    #[default]
    NotExpected,
    Expected,
    Attached(TabIds),
}

/// All tabs.
#[derive(Debug)]
pub(crate) struct Tabs {
    /// The one that is shown is the last.
    list: Vec<Tab>,
    /// The browser context that they are in.
    pub(crate) context: String,
    /// A blank tab to go to when the app is left.
    background: Option<String>,
    own: OwnTab,
    /// How many windows the app has opened.
    pub(crate) opened_by_app: u64,
    /// Whether the first tab is one that a reset can use again.
    pub(crate) is_reusable: bool,
}

impl Tabs {
    pub(crate) fn new(context: String) -> Self {
        Tabs {
            list: Vec::new(),
            context,
            background: None,
            own: OwnTab::NotExpected,
            opened_by_app: 0,
            is_reusable: false,
        }
    }

    /// The tab that is shown.
    pub(crate) fn current(&self) -> Option<&Tab> {
        self.list.last()
    }

    pub(crate) fn current_mut(&mut self) -> Option<&mut Tab> {
        self.list.last_mut()
    }

    /// The tab that the app was opened in.
    pub(crate) fn first(&self) -> Option<&Tab> {
        self.list.first()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tab> {
        self.list.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tab> {
        self.list.iter_mut()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<Tab> {
        self.list.pop()
    }

    /// The tab of a session, and whether it is the one that is shown.
    pub(crate) fn of_session(&mut self, session: &str) -> Option<(&mut Tab, bool)> {
        let index = self.list.iter().position(|tab| tab.session == session)?;
        let is_current = index + 1 == self.list.len();
        Some((&mut self.list[index], is_current))
    }

    /// The process of a tab has died.
    pub(crate) fn note_death(&mut self, target: &str, death: Death) {
        if let Some(tab) = self.list.iter_mut().find(|tab| tab.target == target) {
            (tab.crashed, tab.death) = (true, Some(death));
        }
    }

    /// The session of the tab that is shown.
    pub(crate) fn session(&self) -> String {
        self.current().map(|tab| tab.session.clone()).unwrap_or_default()
    }

    /// The collector's world in the document that is shown.
    pub(crate) fn world(&self) -> Option<&String> {
        self.current()?.world.as_ref()
    }

    /// How many documents the tab that is shown has shown.
    pub(crate) fn documents(&self) -> u64 {
        self.current().map_or(0, |tab| tab.documents)
    }

    /// Whether the document that is shown may be waiting for a part of itself.
    pub(crate) fn is_held_up(&self) -> bool {
        self.current().is_some_and(Tab::is_held_up)
    }

    /// What the page that is shown has asked for and not got.
    pub(crate) fn awaited(&self) -> Vec<String> {
        let pending = self.current().into_iter().flat_map(|tab| tab.pending.values());
        pending.map(|request| request.shown.clone()).collect()
    }

    /// The same as a text, as far as it is read.
    pub(crate) fn awaited_list(&self) -> String {
        let awaited = self.awaited();
        let shown = &awaited[..awaited.len().min(MOST_AWAITED_SHOWN)];
        match awaited.len() - shown.len() {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }

    /// The same as the end of a sentence; empty if it waits for nothing.
    pub(crate) fn awaited_text(&self) -> String {
        match self.awaited_list() {
            list if list.is_empty() => list,
            list => format!(": it waits for {list}"),
        }
    }

    /// A tab that the app opened and that shows nothing yet.
    pub(crate) fn opened_for_nothing(&self, session: &str) -> Option<&Tab> {
        let mut opened = self.list.iter().skip(1);
        opened.find(|tab| tab.session == session && !tab.has_navigated)
    }

    fn is_ours(&self, target: &str) -> bool {
        self.background.as_deref() == Some(target)
            || self.list.iter().any(|tab| tab.target == target)
    }
}

impl WebDevice {
    /// Opens the app's own tab.
    pub(crate) fn open_tab(&mut self) -> Result<(), Failure> {
        let (target, session) = self.blank_tab()?;
        self.tabs.list.push(Tab::new(&target, &session));
        self.set_up_tab()?;
        self.run_clock_ahead()?;
        self.tabs.is_reusable = true;
        Ok(())
    }

    /// The blank tab that hides the app when it is left.
    pub(crate) fn background_tab(&mut self) -> Result<String, Failure> {
        if let Some(target) = &self.tabs.background {
            return Ok(target.clone());
        }
        let (target, session) = self.blank_tab()?;
        let method = "Runtime.runIfWaitingForDebugger";
        let ready = self.link.call::<Done>(&session, method, Value::Null, BROWSER_TIMEOUT);
        ready.map_err(|error| self.failure(error))?;
        self.tabs.background = Some(target.clone());
        Ok(target)
    }

    /// A blank tab in our context.
    pub(crate) fn blank_tab(&mut self) -> Result<TabIds, Failure> {
        self.tabs.own = OwnTab::Expected;
        let made = self.attach_blank_tab();
        self.tabs.own = OwnTab::NotExpected;
        made
    }

    fn attach_blank_tab(&mut self) -> Result<TabIds, Failure> {
        let params = json!({
            "url": "about:blank", "browserContextId": self.tabs.context,
            "newWindow": self.tabs.is_empty(),
            "enableBeginFrameControl": self.browser.draws_on_command,
        });
        let made: TargetCreated = self.ask_browser("Target.createTarget", params)?;
        let deadline = Instant::now() + BROWSER_TIMEOUT;
        loop {
            if let OwnTab::Attached(ids) = &self.tabs.own
                && ids.0 == made.target_id
            {
                return Ok(ids.clone());
            }
            if !self.pump(deadline)? {
                return Err(self.lost("the browser opens no tab").into());
            }
            self.handle_events()?;
        }
    }

    /// A tab that we opened, or one that the app did.
    pub(crate) fn on_attached(&mut self, attached: AttachedToTarget) -> Result<(), Failure> {
        let AttachedToTarget { session_id: session, target_info: info } = attached;
        let target = info.target_id;
        if self.tabs.is_ours(&target) {
            return Ok(());
        }
        if info.kind != "page" {
            return self.tell_to(&session, "Runtime.runIfWaitingForDebugger", Value::Null);
        }
        if !matches!(self.tabs.own, OwnTab::NotExpected) {
            self.tabs.own = OwnTab::Attached((target, session));
            return Ok(());
        }
        self.log.add(EntryKind::Navigation, format!("a new window: {}", info.url));
        if self.options.popups == Popups::Close {
            // It must begin before it can end.
            self.tell_to(&session, "Runtime.runIfWaitingForDebugger", Value::Null)?;
            return self.close_target(&target);
        }
        let mut tab = Tab::new(&target, &session);
        // See `counts.rs`.
        tab.counts = !info.can_access_opener;
        self.tabs.list.push(tab);
        self.tabs.opened_by_app += 1;
        self.set_up_tab()
    }

    pub(crate) fn close_target(&mut self, target: &str) -> Result<(), Failure> {
        self.tell_to("", "Target.closeTarget", json!({"targetId": target}))
    }

    /// Closes the tab that is shown.
    pub(crate) fn close_last_tab(&mut self) -> Result<(), Failure> {
        let Some(tab) = self.tabs.pop() else { return Ok(()) };
        if tab.closed {
            return Ok(());
        }
        match self.ask_browser::<Done>("Target.closeTarget", json!({"targetId": tab.target})) {
            Ok(_) | Err(Failure::Refused(_)) => {}
            Err(failure) => return Err(failure),
        }
        self.view.is_stale = true;
        Ok(())
    }

    /// Closes all tabs, whatever state they are in.
    pub(crate) fn close_tabs(&mut self) {
        for tab in std::mem::take(&mut self.tabs.list) {
            let params = json!({"targetId": tab.target});
            let _: Result<Done, ProtocolError> =
                self.link.call("", "Target.closeTarget", params, CLOSE_TIMEOUT);
        }
        self.view.is_stale = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tabs() -> Tabs {
        let mut tabs = Tabs::new("context".to_owned());
        tabs.list = vec![Tab::new("t1", "s1"), Tab::new("t2", "s2")];
        tabs
    }

    #[test]
    fn the_last_tab_is_the_one_that_is_shown() {
        let mut tabs = tabs();
        assert_eq!(tabs.session(), "s2");
        assert!(!tabs.of_session("s1").unwrap().1 && tabs.of_session("s2").unwrap().1);
        assert!(tabs.of_session("s3").is_none());
        tabs.pop();
        assert_eq!(tabs.session(), "s1");
    }

    #[test]
    fn a_window_that_the_app_opened_may_have_nothing_in_it() {
        let mut tabs = tabs();
        assert!(tabs.opened_for_nothing("s1").is_none(), "the app's own tab stays");
        assert_eq!(tabs.opened_for_nothing("s2").unwrap().target, "t2");
        tabs.of_session("s2").unwrap().0.has_navigated = true;
        assert!(tabs.opened_for_nothing("s2").is_none());
    }
}
