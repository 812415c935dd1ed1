//! A device on one of the tests' pages, and short words for what is done there.

use crate::site::Site;
use capuchin_ui::{
    Blocked, Device, Element, Environment, Event, Observation, Powers, Selector, State, Target,
    Toward, Value,
};
use capuchin_web::{Opener, Options, WebDevice};

/// A device, and what it showed last.
pub(crate) struct Visit {
    pub(crate) device: WebDevice,
    pub(crate) seen: Observation,
    /// How many lines of the page have been read.
    read: usize,
    site: Option<Site>,
}

impl Visit {
    /// Opens the page with this body.
    pub(crate) fn to(body: &str, options: &str) -> Self {
        Visit::among(&[("/", body)], options)
    }

    /// Opens the first of these pages.
    pub(crate) fn among(pages: &[(&str, &str)], options: &str) -> Self {
        let site = Site::new(pages);
        let url = format!("{}{}", site.origin(), pages[0].0);
        let mut visit = Visit::at(&url, options);
        visit.site = Some(site);
        visit
    }

    /// Opens this address.
    pub(crate) fn at(url: &str, options: &str) -> Self {
        let options = Options::parse(&format!("{url} {options}")).unwrap();
        Visit::with(Opener::new("web:page", options).open().unwrap())
    }

    /// Begins with this device.
    pub(crate) fn with(mut device: WebDevice) -> Self {
        let seen = device.reset(1).unwrap();
        Visit { device, seen, read: 0, site: None }
    }

    /// Begins again with another body.
    pub(crate) fn changed(&mut self, body: &str) -> &mut Self {
        self.site.as_ref().unwrap().change("/", body);
        self.again(1)
    }

    /// Begins again.
    pub(crate) fn again(&mut self, seed: u64) -> &mut Self {
        self.seen = self.device.reset(seed).unwrap();
        self.read = 0;
        self
    }

    /// Performs an event, whatever comes of it.
    pub(crate) fn tries(&mut self, event: &Event) -> &Observation {
        self.seen = self.device.perform(event).unwrap();
        &self.seen
    }

    /// Performs an event that must go through without a crash.
    pub(crate) fn does(&mut self, event: &Event) -> &mut Self {
        self.tries(event);
        assert_eq!(self.seen.blocked, None, "{event}: {}", self.seen.screen);
        assert_eq!(self.seen.crash, None, "{event}");
        self
    }

    pub(crate) fn click(&mut self, id: &str) -> &mut Self {
        self.does(&Event::Click(Target::id(id)))
    }

    /// Clicks what says this.
    pub(crate) fn click_text(&mut self, text: &str) -> &mut Self {
        self.does(&Event::Click(Selector::text(text).into()))
    }

    pub(crate) fn types(&mut self, id: &str, text: &str) -> &mut Self {
        self.does(&Event::Type(Target::id(id), text.into()))
    }

    pub(crate) fn presses(&mut self, key: &str) -> &mut Self {
        self.does(&Event::Press(key.into()))
    }

    pub(crate) fn drags(&mut self, from: &str, to: &str) -> &mut Self {
        self.does(&Event::Swipe(Target::id(from), Toward::Element(Selector::id(to))))
    }

    /// Something happens around the app.
    pub(crate) fn happens(&mut self, name: &str, args: &[Value]) -> &mut Self {
        let name = name.into();
        self.does(&Event::Environment(Environment { name, args: args.to_vec() }))
    }

    /// Why a click there does nothing.
    pub(crate) fn refuses(&mut self, id: &str) -> Option<Blocked> {
        self.tries(&Event::Click(Target::id(id))).blocked.clone()
    }

    /// What the page has said since it was last asked.
    pub(crate) fn said(&mut self) -> String {
        let said = self.seen.screen.texts(&Selector::class("line"));
        let lines: Vec<&str> = said.lines().collect();
        // Another document has another list.
        let from = if self.read > lines.len() { 0 } else { self.read };
        self.read = lines.len();
        lines[from..].join(", ")
    }

    /// What is to be read on an element.
    pub(crate) fn text(&self, id: &str) -> &str {
        self.seen.screen.text(&Selector::id(id)).unwrap_or_else(|| {
            panic!("there is no #{id} on {}:\n{}", self.seen.screen.place, self.seen.screen)
        })
    }

    pub(crate) fn element(&self, id: &str) -> &Element {
        self.seen.screen.first(&Selector::id(id)).unwrap()
    }

    pub(crate) fn is(&self, id: &str, state: State) -> bool {
        self.element(id).is(state)
    }

    /// The path of the page that is shown.
    pub(crate) fn path(&self) -> &str {
        let place = self.seen.screen.place.as_str();
        place.splitn(4, '/').nth(3).unwrap_or(place)
    }

    /// The message of the crash.
    pub(crate) fn crash(&self) -> &str {
        &self.seen.crash.as_ref().unwrap().message
    }

    /// What was said and asked for since it was last read, a line each.
    pub(crate) fn journal(&mut self) -> String {
        let journal = self.device.powers().and_then(Powers::app_log).unwrap();
        journal.entries().unwrap().iter().map(|entry| format!("{entry:?}\n")).collect()
    }
}
