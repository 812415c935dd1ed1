//! A social network after Tusky, issue #45: a timeline, and a composer for replies.
//!
//! What is wrong with it: a turn of the device loses what was written.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Timeline,
    Composer,
}

/// The social network.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    bugs: bool,
    at: At,
    draft: String,
    warning: bool,
    sent: i64,
    liked: i64,
}

impl Reply {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Reply { bugs, ..Reply::default() }
    }

    fn close(&mut self) {
        self.at = At::Timeline;
        self.draft.clear();
        self.warning = false;
    }
}

impl App for Reply {
    fn view(&self, page: &mut Page<'_>) {
        let height = page.viewport().height;
        match self.at {
            At::Timeline => {
                page.place("MainActivity");
                page.heading("title", "Timeline");
                page.row(|page| {
                    page.button("reply", "Reply");
                    page.button("favourite", "Favourite");
                    page.label("sent", numbered("Sent ", self.sent));
                });
                page.list("timeline", height - 100, 64, 30, |page, index| {
                    let number = index as i64 + 1;
                    page.item(numbered("status-", number), numbered("Status ", number)).size(0, 64);
                });
            }
            At::Composer => {
                page.place("ComposeActivity");
                page.heading("title", "Reply to a status");
                page.field("edit_area", "What is happening?", &self.draft).size(0, 120);
                page.checkbox("warning", "Content warning", self.warning);
                page.row(|page| {
                    page.button("send", "Send").enabled(!self.draft.is_empty());
                    page.button("discard", "Discard");
                });
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("reply") => self.at = At::Composer,
            Input::Click("favourite") => self.liked += 1,
            Input::Click("warning") => self.warning = !self.warning,
            Input::Click("send") => {
                self.sent += 1;
                self.close();
            }
            Input::Click("discard") => self.close(),
            Input::Clear("edit_area") => self.draft.clear(),
            Input::Text { id: "edit_area", text } => crate::type_into(&mut self.draft, text),
            Input::Rotate(_) if self.bugs => self.draft.clear(),
            Input::Back if self.at == At::Composer => self.close(),
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}
