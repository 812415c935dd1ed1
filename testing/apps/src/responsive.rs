//! Apps that restructure: for each responsive pattern of the Rx paper one whose compact layout
//! hides what its spacious layout shows.
//!
//! On its own because one state and one set of rules serve all of them: what is open, what is
//! chosen, and the log of what was done. The log is the goal of a replay. Each is a web page as
//! well: `web/responsive/NAME.html`.

mod navigation;
mod pages;
mod steps;
mod tools;

pub use steps::Step;

use capuchin_sim::{App, Input, Os, Page, SimDevice};
use capuchin_ui::{Crash, Device, Size};

/// A screen that is narrower than this has the compact layout.
const WIDE: i32 = 600;

/// One of the apps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponsiveApp {
    /// Buttons whose names are expanded by a click.
    Labels,
    /// A word processor: a ribbon that is a bar of menus.
    Ribbon,
    /// Groups that are an accordion.
    Accordion,
    /// A field behind an icon.
    SearchIcon,
    /// A list that is longer than the screen.
    LongList,
    /// A toolbar whose rest is in an overflow menu.
    Overflow,
    /// A sidebar that is a drawer.
    Drawer,
    /// The same, with nothing to say what opens it.
    UnnamedDrawer,
    /// The same, which nothing closes again.
    StuckDrawer,
    /// Tabs that are a drop-down list.
    TabList,
    /// Panels that are tabs.
    Panels,
    /// Two pages beside one another that are a pager.
    Pager,
    /// A calculator with a panel that is pulled out.
    Calculator,
    /// A list and its detail, of which nothing is chosen at first.
    Split,
    /// A list and its detail, of which the first is chosen where both are shown.
    Preview,
    /// Sections and a page; the way to the sections is an arrow.
    Sections,
}

use ResponsiveApp as Kind;

impl ResponsiveApp {
    /// All that are web pages as well.
    pub const ALL: [ResponsiveApp; 14] = [
        Kind::Labels,
        Kind::Ribbon,
        Kind::Accordion,
        Kind::SearchIcon,
        Kind::LongList,
        Kind::Overflow,
        Kind::Drawer,
        Kind::TabList,
        Kind::Panels,
        Kind::Pager,
        Kind::Calculator,
        Kind::Split,
        Kind::Preview,
        Kind::Sections,
    ];

    /// Those that are not: drawers with a fault.
    pub const FAULTY: [ResponsiveApp; 2] = [Kind::UnnamedDrawer, Kind::StuckDrawer];

    /// What it is called: its device is `sim:responsive-NAME`, its page `responsive/NAME.html`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Labels => "labels",
            Kind::Ribbon => "ribbon",
            Kind::Accordion => "accordion",
            Kind::SearchIcon => "search-icon",
            Kind::LongList => "long-list",
            Kind::Overflow => "overflow",
            Kind::Drawer => "drawer",
            Kind::UnnamedDrawer => "unnamed-drawer",
            Kind::StuckDrawer => "stuck-drawer",
            Kind::TabList => "tab-list",
            Kind::Panels => "panels",
            Kind::Pager => "pager",
            Kind::Calculator => "calculator",
            Kind::Split => "split",
            Kind::Preview => "preview",
            Kind::Sections => "sections",
        }
    }

    /// The page of it, as an address relative to [`crate::web_dir`].
    pub fn web_page(self) -> String {
        format!("responsive/{}.html", self.name())
    }

    /// The app on a device with a screen of this size.
    pub fn device(self, size: Size) -> SimDevice<Responsive> {
        Responsive::new(self).device(size)
    }
}

/// Opens one of the apps by name.
pub(crate) fn open(name: &str, size: Size) -> Option<Box<dyn Device>> {
    let name = name.strip_prefix("responsive-")?;
    let mut all = ResponsiveApp::ALL.into_iter().chain(ResponsiveApp::FAULTY);
    let app = all.find(|app| app.name() == name)?;
    Some(Box::new(app.device(size)))
}

/// The state of an app.
#[derive(Clone, Debug)]
pub struct Responsive {
    app: ResponsiveApp,
    is_mirrored: bool,
    open: Option<String>,
    tab: String,
    chosen: Option<String>,
    typed: String,
    page: usize,
    done: Vec<String>,
}

impl Responsive {
    /// An app as it starts.
    pub fn new(app: ResponsiveApp) -> Self {
        Responsive {
            app,
            is_mirrored: false,
            open: None,
            tab: "Home".into(),
            chosen: None,
            typed: String::new(),
            page: 0,
            done: Vec::new(),
        }
    }

    /// The same with its compact layout on wide screens, and the spacious one on narrow screens.
    #[must_use]
    pub fn mirrored(mut self, is_mirrored: bool) -> Self {
        self.is_mirrored = is_mirrored;
        self
    }

    /// It on a device with a screen of this size.
    pub fn device(self, size: Size) -> SimDevice<Self> {
        SimDevice::new(format!("sim:responsive-{}", self.app.name()), self).viewport(size)
    }

    /// Whether its layout on a screen of this size is the compact one.
    pub fn is_compact(&self, size: Size) -> bool {
        (size.width < WIDE) != self.is_mirrored
    }

    /// What was done so far.
    pub fn done(&self) -> &[String] {
        &self.done
    }

    fn is_open(&self, what: &str) -> bool {
        self.open.as_deref() == Some(what)
    }

    fn toggle(&mut self, what: &str) {
        self.open = (!self.is_open(what)).then(|| what.to_owned());
    }

    fn do_it(&mut self, what: &str) {
        let to_what = match self.app {
            Kind::Split | Kind::Preview => self.chosen_mail().unwrap_or_default(),
            Kind::Sections => &self.tab,
            _ => "",
        };
        self.done.push(format!("{what} {to_what}").trim_end().to_owned());
        if !matches!(self.app, Kind::Accordion | Kind::Calculator) {
            self.open = None;
        }
    }

    fn click(&mut self, id: &str) {
        let (kind, what) = id.split_once('-').unwrap_or((id, ""));
        match kind {
            "toggle" => self.toggle(what),
            "tab" | "section" => (self.tab, self.open) = (what.to_owned(), None),
            "row" => self.chosen = Some(what.to_owned()),
            "b2" => self.toggle("drawer"),
            "advanced" => self.open = Some("advanced".into()),
            "up" => self.open = Some("sections".into()),
            "do" => self.do_it(what),
            _ => {}
        }
    }
}

/// The id of a control that does something.
fn id_of(text: &str) -> String {
    format!("do-{}", text.to_lowercase().replace(' ', "-"))
}

impl App for Responsive {
    fn view(&self, page: &mut Page<'_>) {
        let is_wide = !self.is_compact(page.viewport());
        page.place("app");
        match self.app {
            Kind::Labels => self.labels(page, is_wide),
            Kind::Ribbon => self.ribbon(page, is_wide),
            Kind::Accordion => self.accordion(page, is_wide),
            Kind::SearchIcon => self.search(page, is_wide),
            Kind::LongList => Responsive::long_list(page, is_wide),
            Kind::Overflow => self.overflow(page, is_wide),
            Kind::Drawer | Kind::StuckDrawer => self.drawer(page, is_wide, true),
            Kind::UnnamedDrawer => self.drawer(page, is_wide, false),
            Kind::TabList => self.tab_list(page, is_wide),
            Kind::Panels => self.panels(page, is_wide),
            Kind::Pager => self.pager(page, is_wide),
            Kind::Calculator => self.calculator(page, is_wide),
            Kind::Split | Kind::Preview => self.split(page, is_wide),
            Kind::Sections => self.sections(page, is_wide),
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        let is_stuck = self.app == Kind::StuckDrawer && self.open.is_some();
        match input {
            Input::Click("toggle-drawer") | Input::Back if is_stuck => {}
            Input::Click(id) => self.click(id),
            Input::Text { id: "query", text } => {
                self.typed.push_str(text);
                self.done.push(format!("typed {}", self.typed));
            }
            Input::Swipe { id: "pages", dx, .. } => self.page = usize::from(dx < 0),
            Input::Back if self.open.is_some() => self.open = None,
            Input::Back => self.chosen = None,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_app_has_its_page_and_opens_by_its_name() {
        for app in ResponsiveApp::ALL {
            assert!(crate::web_dir().join(app.web_page()).is_file(), "{}", app.web_page());
            let name = format!("responsive-{}", app.name());
            let device = crate::open(&name).unwrap();
            assert_eq!(device.info().name, format!("sim:{name}"));
        }
    }

    #[test]
    fn the_steps_of_both_layouts_do_the_same() {
        for app in ResponsiveApp::ALL.into_iter().chain(ResponsiveApp::FAULTY) {
            for size in [Size::new(411, 731), Size::new(1280, 900)] {
                for is_mirrored in [false, true] {
                    let state = Responsive::new(app).mirrored(is_mirrored);
                    let steps = app.steps(state.is_compact(size));
                    let mut device = state.device(size);
                    device.reset(1).unwrap();
                    for step in steps {
                        let seen = device.perform(&step.event()).unwrap();
                        assert_eq!(seen.blocked, None, "{app:?} on {size}: {step:?}");
                    }
                    assert_eq!(device.app().done(), app.done(), "{app:?} on {size}");
                }
            }
        }
    }
}
