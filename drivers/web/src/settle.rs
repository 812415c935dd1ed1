//! Waiting until the app is at rest, without sleeping.
//!
//! With the virtual clock an event takes a fixed slice of the page's time. Within it timers fire,
//! and the clock stands still while requests are under way. More slices follow while animations run
//! that come to an end, while the document loads, and while the page still changes by itself. Where
//! the virtual clock knows nothing of what is going on (sockets, see `lines.rs`; workers), we wait
//! for a moment of quiet in our own time.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::lines::OPEN_GRACE;
use crate::open_requests::{OpenRequests, RequestKind};
use crate::pause::Pause;
use crate::tab::{PendingRequest, Tab};
use crate::tabs::Tabs;
use crate::talk::{Lines, Partner};
use crate::virtual_time::TICK;
use crate::waits::Wait;
use capuchin_ui::Str;
use std::time::{Duration, Instant};

/// A page that changed this many milliseconds before the end of a slice may be in the middle of
/// something.
const STILL_CHANGING: u64 = 25;
/// How many more slices such a page gets.
const MORE_SLICES: u32 = 6;
/// How many frames a page gets that changes with each of them.
const MORE_FRAMES: u32 = 20;
/// How long animations are waited for, in milliseconds of the page's time.
const LONGEST_ANIMATION: u64 = 3000;
/// After so many questions real time passes between two of them as well: ticks add up.
const POLLS_BEFORE_WAITING: u32 = 50;
/// How many questions without an open answer in a row end the waiting: an answer may lead to
/// another question.
const QUIET_POLLS: u32 = 3;
/// How long the next part of an answer may take, if the page reads it.
const BODY_GRACE: Duration = Duration::from_millis(150);
/// How long a page on the machine's clock must be unchanged.
const QUIET_IN_REAL_TIME: Duration = Duration::from_millis(60);
/// How long the scripts of an app may take to be there when it is opened. If they are not there
/// then, they are not waited for as long again.
const START_PATIENCE: Duration = Duration::from_secs(30);

/// What is known not to come to rest: it is not waited for twice.
#[derive(Debug)]
pub(crate) struct Settling {
    /// The page changes all the time.
    is_restless: bool,
    /// The page changes with each frame that is drawn.
    changes_with_frames: bool,
    /// Requests that stay open.
    open: OpenRequests,
    /// How the app talks over the lines that it keeps open, and with its workers.
    pub(crate) lines: Lines,
    pub(crate) workers: Lines,
    /// What the app was waiting for when it was first opened, until somebody is told.
    pub(crate) untold: Option<Str>,
    /// The world of a document that is never loaded to its end.
    never_loaded: Option<String>,
    /// How long the app may take to be there when it is opened.
    pub(crate) start_patience: Duration,
    /// Whether it is being opened.
    pub(crate) is_starting: bool,
}

impl Settling {
    pub(crate) fn new() -> Self {
        Settling {
            is_restless: false,
            changes_with_frames: false,
            open: OpenRequests::default(),
            lines: Lines::new(),
            workers: Lines::new(),
            untold: None,
            never_loaded: None,
            start_patience: START_PATIENCE,
            is_starting: false,
        }
    }

    /// Another document is shown, which may come to rest.
    pub(crate) fn on_document(&mut self) {
        self.is_restless = false;
        self.changes_with_frames = false;
    }

    /// The app is loaded anew.
    pub(crate) fn forget_document(&mut self) {
        self.on_document();
        self.never_loaded = None;
    }

    /// Requests of these kinds were waited for in vain.
    pub(crate) fn note_open(&mut self, kinds: &[RequestKind]) {
        kinds.iter().for_each(|kind| self.open.note_open(kind));
    }

    /// A page that changed so many milliseconds ago may be in the middle of something; 0 if it is
    /// known to change all the time.
    pub(crate) fn unrest(&self) -> u64 {
        if self.is_restless { 0 } else { STILL_CHANGING }
    }

    /// An event or a reset begins at this address.
    pub(crate) fn begin_event(&mut self, url: &str) {
        self.open.begin_event();
        self.lines.talk_timeout.begin_event(url);
        self.workers.talk_timeout.begin_event(url);
    }

    /// How the app talks with these.
    pub(crate) fn learned(&mut self, partner: Partner) -> &mut Lines {
        match partner {
            Partner::Lines => &mut self.lines,
            Partner::Workers => &mut self.workers,
        }
    }

    /// A request is sent.
    pub(crate) fn note_sent(&mut self, kind: &RequestKind) {
        self.open.note_sent(kind);
    }

    /// A request was answered that was to stay open.
    pub(crate) fn note_ended(&mut self, kind: &RequestKind) {
        self.open.note_ended(kind);
    }

    /// Whether a request is known to stay open.
    pub(crate) fn is_line(&self, request: &PendingRequest) -> bool {
        request.is_stream || self.open.knows(&request.kind)
    }

    /// Whether a request has been answered as far as the page wants to know.
    pub(crate) fn is_unread(request: &PendingRequest) -> bool {
        request.headed.is_some_and(|headed| headed.elapsed() > BODY_GRACE)
    }

    /// Whether a request is under way that will be answered.
    pub(crate) fn is_answerable(&self, request: &PendingRequest) -> bool {
        !self.is_line(request) && !Settling::is_unread(request)
    }

    /// Whether a tab has a request under way that is known to stay open.
    pub(crate) fn keeps_request_open(&self, tab: &Tab) -> bool {
        tab.pending.values().any(|request| self.is_line(request))
    }

    /// Whether a tab has a line open: a socket, a stream, a request that is known to stay open.
    pub(crate) fn keeps_line_open(&self, tab: &Tab) -> bool {
        !tab.sockets.is_empty() || self.keeps_request_open(tab)
    }

    /// How long a request is waited for since it was sent.
    pub(crate) fn timeout(&self, request: &PendingRequest, patience: Duration) -> Duration {
        if request.is_stream || Settling::is_unread(request) {
            Duration::ZERO
        } else if self.is_line(request) {
            OPEN_GRACE.min(patience)
        } else if self.is_starting && request.holds_up {
            // An app that waits for its own scripts is nothing without them.
            patience.max(self.start_patience)
        } else {
            patience
        }
    }

    /// Whether the page that is shown waits for something that may come.
    pub(crate) fn awaits_more(&self, tabs: &Tabs) -> bool {
        let mut pending = tabs.current().into_iter().flat_map(|tab| tab.pending.values());
        pending.any(|request| self.is_answerable(request))
    }

    /// Whether all that a tab waits for is known not to come.
    pub(crate) fn is_endless(&self, tab: &Tab) -> bool {
        !tab.pending.is_empty() && tab.pending.values().all(|request| self.is_line(request))
    }

    /// Whether the document is known not to be loaded to its end.
    fn is_never_loaded(&self, world: Option<&String>) -> bool {
        world.is_some() && self.never_loaded.as_ref() == world
    }
}

impl WebDevice {
    /// Lets so much of the page's time pass, and more if it needs it; then looks at the page.
    pub(crate) fn settle(&mut self, takes: Duration) -> Result<(), Failure> {
        let settled = if self.is_virtual() {
            match self.settle_virtually(takes) {
                Ok(()) if !self.view.is_seen => self.collect(),
                settled => settled,
            }
        } else {
            self.settle_really(takes)
        };
        self.clock.advanced = Duration::ZERO;
        settled
    }

    fn settle_virtually(&mut self, takes: Duration) -> Result<(), Failure> {
        let advanced = std::mem::take(&mut self.clock.advanced);
        let start_deadline = Instant::now() + self.options.patience.max(START_PATIENCE);
        let mut deadline = Instant::now() + self.options.patience;
        let (mut slices, mut animated, mut frames, mut asked, mut listened) = (0, 0, 0, 0, 0);
        let most_frames = if self.settling.changes_with_frames { 1 } else { MORE_FRAMES };
        let mut windows = self.tabs.opened_by_app;
        let mut looked = self.looked();
        self.pass_and_collect(takes.saturating_sub(advanced))?;
        if self.settling.is_starting {
            // Now it is there.
            deadline = Instant::now() + self.options.patience;
            looked = self.looked();
        }
        loop {
            self.put_off(&mut deadline, &mut looked);
            if self.during(Wait::Navigation, WebDevice::arrive)? {
                self.pass_and_collect(takes)?;
            }
            if self.tabs.opened_by_app > windows {
                // The app opened a window, and that is what is shown now.
                windows = self.tabs.opened_by_app;
                if Instant::now() > deadline {
                    self.view.note_unsettled("the app opens one window after the other".to_owned());
                    return Ok(());
                }
                self.pass_and_collect(takes)?;
                continue;
            }
            if listened < MORE_SLICES && Instant::now() < deadline && self.hear_lines()? {
                listened += 1;
                if self.settling.is_starting {
                    // An app that still hears of its server may be slow, and is not given up.
                    deadline = start_deadline.min(Instant::now() + self.options.patience);
                }
                self.pass_and_collect(takes.min(self.options.event_takes))?;
                continue;
            }
            let head = &self.view.head;
            let out_of_patience = Instant::now() > deadline;
            let world = self.tabs.world();
            let is_endless =
                || self.tabs.current().is_some_and(|tab| self.settling.is_endless(tab));
            let is_known_to_load =
                self.settling.is_never_loaded(world) || (head.is_parsed && is_endless());
            if !head.is_loaded && !is_known_to_load {
                if out_of_patience {
                    self.settling.never_loaded = world.cloned();
                    let what = self.tabs.awaited_text();
                    self.view.note_unsettled(format!("the page is still loading{what}"));
                    return Ok(());
                }
                self.pass_and_collect(self.options.event_takes)?;
            } else if head.animating > 0 && animated < LONGEST_ANIMATION && !out_of_patience {
                let more = head.animating.min(LONGEST_ANIMATION - animated).max(16);
                animated += more;
                self.pass_and_collect(Duration::from_millis(more))?;
            } else if self.view.needs_frame() && frames < most_frames && !out_of_patience {
                frames += 1;
                if frames == MORE_FRAMES {
                    self.settling.changes_with_frames = true;
                    let what = "the page changes with each frame that is drawn";
                    self.view.note_unsettled(what.to_owned());
                }
                self.view.note_frame();
                self.during(Wait::Frame, WebDevice::frame)?;
                self.collect_if_settled()?;
            } else if head.has_asked && asked < MORE_SLICES && !out_of_patience {
                asked += 1;
                self.during(Wait::Browser, |device| device.wait_for_answers(deadline))?;
                self.pass_and_collect(takes.min(self.options.event_takes))?;
            } else if head.changed_ago < STILL_CHANGING
                && !self.settling.is_restless
                // Who talks without an end changes the page without an end.
                && !self.settling.lines.talk_timeout.is_over()
                && !takes.is_zero()
            {
                slices += 1;
                if slices > MORE_SLICES || out_of_patience {
                    self.settling.is_restless = true;
                    let place = self.view.head.changed_where.clone();
                    self.view.note_unsettled(format!(
                        "the page does not stop changing, last at {place}"
                    ));
                    return Ok(());
                }
                self.pass_and_collect(Duration::from_millis(2 * STILL_CHANGING))?;
            } else if !self.view.is_seen {
                // What is seen now may wait for a frame.
                self.collect()?;
            } else if let Some(time) =
                self.during(Wait::FirstScreen, |device| device.await_first_screen(deadline))?
            {
                listened = 0;
                self.pass_and_collect(time)?;
            } else {
                if self.view.head.animating > 0 {
                    self.view.note_unsettled("an animation runs on and on".to_owned());
                }
                return Ok(());
            }
        }
    }

    /// Waits until the browser has answered the page: databases, files, permissions. No page hears
    /// anything while its clock stands, so it is given moments that are too short to be seen.
    fn wait_for_answers(&mut self, deadline: Instant) -> Result<(), Failure> {
        let (mut quiet, mut polls) = (0, 0);
        while quiet < QUIET_POLLS {
            polls += 1;
            let open: i64 = self.ask_collector("open()")?;
            quiet = if open > 0 { 0 } else { quiet + 1 };
            if Instant::now() > deadline {
                self.view.note_unsettled("the browser does not answer the page".to_owned());
                break;
            }
            if self.is_virtual() {
                self.advance(TICK, self.options.hang)?;
            }
            if !self.is_virtual() || polls > POLLS_BEFORE_WAITING {
                self.pause(Pause::BrowserAnswer)?;
            }
        }
        self.ask_collector("abandon()")
    }

    fn settle_really(&mut self, takes: Duration) -> Result<(), Failure> {
        let event_takes = self.options.event_takes;
        if takes != event_takes {
            // Only a sleep takes another time than an event does.
            self.pause(Pause::Sleep(takes))?;
        }
        let quiet = event_takes.min(QUIET_IN_REAL_TIME);
        // Nobody waits twice for a page that is known not to come to rest.
        let patience = if self.settling.is_restless { quiet } else { self.options.patience };
        let mut deadline = Instant::now() + self.options.patience;
        let start_deadline = deadline + self.settling.start_patience;
        let calm = Instant::now() + patience;
        let quiet = quiet.as_millis();
        let (mut asked, mut listened) = (0, 0);
        let mut looked = self.looked();
        loop {
            self.put_off(&mut deadline, &mut looked);
            self.during(Wait::Navigation, WebDevice::arrive)?;
            let left = calm.saturating_duration_since(Instant::now());
            let () = self.ask_collector(format_args!("quiet({quiet}, {})", left.as_millis()))?;
            let windows = self.tabs.opened_by_app;
            self.collect()?;
            if self.view.head.has_asked && asked < MORE_SLICES && Instant::now() < deadline {
                asked += 1;
                self.during(Wait::Browser, |device| device.wait_for_answers(deadline))?;
                continue;
            }
            let waits = self.settling.awaits_more(&self.tabs);
            let may_hear = listened < MORE_SLICES && Instant::now() < deadline && !waits;
            if may_hear
                && (self.hear_lines()?
                    || self
                        .during(Wait::FirstScreen, |device| device.await_first_screen(deadline))?
                        .is_some())
            {
                listened += u32::from(!self.settling.is_starting);
                continue;
            }
            let world = self.tabs.world();
            let is_loaded = self.view.head.is_loaded || self.settling.is_never_loaded(world);
            if is_loaded && !waits && self.tabs.opened_by_app == windows {
                if self.view.head.changed_ago < STILL_CHANGING && !self.settling.is_restless {
                    if !left.is_zero() {
                        // Something happened after the quiet and before the look.
                        continue;
                    }
                    self.settling.is_restless = true;
                    let place = self.view.head.changed_where.clone();
                    self.view.note_unsettled(format!(
                        "the page does not stop changing, last at {place}"
                    ));
                }
                return Ok(());
            }
            let is_slow = self.settling.is_starting
                && self.tabs.is_held_up()
                && Instant::now() < start_deadline;
            if Instant::now() > deadline && !is_slow {
                if !self.view.head.is_loaded {
                    self.settling.never_loaded = world.cloned();
                }
                if self.settling.is_starting && self.tabs.is_held_up() {
                    self.settling.start_patience = Duration::ZERO;
                }
                let what = self.tabs.awaited_text();
                self.view.note_unsettled(format!("the page is not ready{what}"));
                self.give_up_requests(false);
                return Ok(());
            }
            self.pause(Pause::PageNotReady)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::PendingRequest;

    fn request(shown: &str) -> PendingRequest {
        let (method, url) = shown.split_once(' ').unwrap();
        PendingRequest {
            shown: shown.to_owned(),
            origin: String::new(),
            holds_up: false,
            kind: RequestKind::new(method, url),
            sent: Instant::now(),
            is_stream: false,
            headed: None,
        }
    }

    fn waiting(requests: &[&str]) -> Tab {
        let mut tab = Tab::new("target", "session");
        for shown in requests {
            tab.pending.insert((*shown).to_owned(), request(shown));
        }
        tab
    }

    #[test]
    fn only_what_is_known_not_to_come_is_endless() {
        let mut settling = Settling::new();
        assert!(
            !settling.is_endless(&waiting(&[])),
            "who waits for nothing waits for nothing endless"
        );
        assert!(!settling.is_endless(&waiting(&["GET a"])));
        settling.note_open(&[RequestKind::new("GET", "a")]);
        assert!(settling.is_endless(&waiting(&["GET a"])));
        assert!(!settling.is_endless(&waiting(&["GET a", "GET b"])));
        assert!(settling.keeps_line_open(&waiting(&["GET a", "GET b"])));
        let (known, other) = (request("GET a"), request("GET b"));
        let patience = Duration::from_secs(5);
        assert!(settling.timeout(&known, patience) < settling.timeout(&other, patience));
    }

    #[test]
    fn a_document_that_is_never_loaded_is_known_by_its_world() {
        let mut settling = Settling::new();
        let (here, there) = ("1".to_owned(), "2".to_owned());
        settling.never_loaded = Some(here.clone());
        assert!(settling.is_never_loaded(Some(&here)));
        assert!(!settling.is_never_loaded(Some(&there)) && !settling.is_never_loaded(None));
        settling.forget_document();
        assert!(!settling.is_never_loaded(Some(&here)));
    }
}
