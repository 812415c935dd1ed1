//! Memos with a dialog, an undo and a second page, as a simulated app: each relation can be broken
//! by itself. `testing/apps/web/memo.html` is the same as a page.

use capuchin::ui::{Crash, Device};
use capuchin_sim::{App, Input, Os, Page, SimDevice};

#[derive(Clone, Default)]
pub(crate) struct Memo {
    fault: &'static str,
    memos: Vec<String>,
    title: String,
    draft: String,
    is_wrapped: bool,
    was_wrapped: bool,
    name: Option<String>,
    removed: Option<String>,
    at: Place,
    history: Vec<Place>,
    visits: u32,
    /// Whether the text of the second page was lost by a reload.
    is_lost: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    #[default]
    Memos,
    OnTheWay,
    About,
}

impl Memo {
    fn go(&mut self, to: Place) {
        self.at = to;
        self.visits += u32::from(to == Place::About);
    }
}

/// The app, in which this relation is broken.
pub(crate) fn memo(fault: &'static str) -> Box<dyn Device> {
    let app = Memo { fault, title: "Memos".to_owned(), ..Memo::default() };
    Box::new(SimDevice::new("sim:memo", app))
}

impl App for Memo {
    const ENVIRONMENT: &'static [&'static str] = &["reload"];

    fn view(&self, page: &mut Page<'_>) {
        if self.at == Place::OnTheWay {
            page.place("app://memo/on-the-way");
            page.heading("way-title", "On the way");
            page.link("home", "Home");
            return;
        }
        if self.at == Place::About {
            page.place("app://memo/about");
            page.heading("about-title", "About");
            if !self.is_lost && (self.fault != "ways" || self.visits < 2) {
                page.label("text", "Memos are short notes");
            }
            page.link("home", "Home");
            return;
        }
        page.place("app://memo/");
        page.heading("title", self.title.as_str());
        for memo in &self.memos {
            page.label("", memo.as_str());
        }
        page.field("new", "New memo", self.draft.as_str());
        page.button("add", "Add");
        if !self.memos.is_empty() {
            page.button("remove", "Remove");
        }
        if self.removed.is_some() {
            page.button("undo", "Undo");
        }
        page.button("rename", "Rename");
        page.checkbox("wrap", "Wrap", self.is_wrapped);
        let says_wrapped = self.is_wrapped || self.fault == "toggle" && self.was_wrapped;
        page.label("mode", if says_wrapped { "Lines are wrapped" } else { "Lines are cut" });
        page.link("about", "About");
        if let Some(name) = &self.name {
            page.dialog("dialog", "Rename", |page| {
                page.field("name", "Name", name.as_str());
                page.button("ok", "OK");
                page.button("cancel", "Cancel");
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("add") => {
                let draft = std::mem::take(&mut self.draft);
                self.memos.extend(Some(draft).filter(|draft| !draft.is_empty()));
                self.removed = None;
            }
            Input::Click("remove") => self.removed = self.memos.pop(),
            Input::Click("undo") => {
                let removed = self.removed.take().unwrap_or_default();
                let is_broken = self.fault == "undo";
                self.memos.push(if is_broken { removed.to_uppercase() } else { removed });
            }
            Input::Click("rename") | Input::Clear("name") => self.name = Some(String::new()),
            Input::Click(button @ ("ok" | "cancel")) => {
                let name = self.name.take().filter(|name| !name.is_empty());
                if button == "ok" || self.fault == "cancel" {
                    self.title = name.unwrap_or(std::mem::take(&mut self.title));
                }
            }
            Input::Click("wrap") => {
                self.was_wrapped |= self.is_wrapped;
                self.is_wrapped = !self.is_wrapped;
            }
            Input::Click("about") => {
                self.history.push(self.at);
                self.history.extend((self.fault == "back").then_some(Place::OnTheWay));
                self.go(Place::About);
            }
            Input::Click("home") => {
                self.history.push(self.at);
                self.go(Place::Memos);
            }
            Input::Back if self.name.is_some() => self.name = None,
            Input::Back => match self.history.pop() {
                Some(before) => self.go(before),
                None => os.leave(),
            },
            Input::Text { id: "new", text } => self.draft.push_str(text),
            Input::Clear("new") => self.draft.clear(),
            Input::Text { id: "name", text } => {
                self.name.iter_mut().for_each(|it| it.push_str(text));
            }
            Input::Key("Escape") => self.name = None,
            Input::Rotate(_) if self.fault == "rotation" => self.draft.clear(),
            Input::Environment(event) if event.name == "reload" && self.fault == "reload" => {
                self.is_lost = self.at == Place::About;
            }
            _ => {}
        }
        Ok(())
    }
}
