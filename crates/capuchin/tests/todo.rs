//! A check of an app of the user's own, as the README shows it: the two are compared by a test.

use capuchin::prelude::*;
use capuchin::ui::Crash;
use capuchin_sim::{App, Input, Os, Page, SimDevice, numbered};

#[derive(Clone, Default)]
struct Todo {
    draft: String,
    rows: Vec<(String, bool)>,
}

impl App for Todo {
    fn view(&self, page: &mut Page<'_>) {
        page.field("draft", "What needs to be done?", self.draft.as_str());
        for (index, (text, done)) in self.rows.iter().enumerate() {
            page.checkbox(numbered("row-", index as i64), text.as_str(), *done);
        }
        page.label("left", format!("{} items left", self.rows.len())); // the bug
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Text { text, .. } => self.draft.push_str(text),
            Input::Key("Enter") if !self.draft.is_empty() => {
                self.rows.push((std::mem::take(&mut self.draft), false));
            }
            Input::Click(id) => {
                let row = id.strip_prefix("row-").and_then(|row| row.parse::<usize>().ok());
                if let Some((_, done)) = row.and_then(|row| self.rows.get_mut(row)) {
                    *done = !*done;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn the_counter_counts_the_open_rows() {
    let add = type_text(id("draft"), matching("[a-z]{1,12}")) >> press("Enter");
    let tick = click(any(checkbox())).attempt();

    let outcome = Check::new("the counter", (add | tick).repeat(0..=20))
        .always("the counter counts the open rows", |screen| {
            let open = screen.count(&checkbox().unchecked());
            screen.number(&id("left")) == Some(open as f64)
        })
        .run(&mut SimDevice::new("todo", Todo::default()))
        .unwrap(); // the device worked

    // `outcome.assert()` would panic and print this trace; here the bug is wanted.
    assert_eq!(
        outcome.failures[0].after(),
        r#"Type(#draft, "a") :>> Press("Enter") :>> Click(#row-0)"#
    );
}
