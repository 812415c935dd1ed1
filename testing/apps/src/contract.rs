//! The contract app of `capuchin-conformance`, whose documentation says what must be on its screen.

use capuchin_sim::{App, Away, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Value};

/// The contract app.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    count: i64,
    name: String,
    ticked: bool,
    covered: bool,
    asking: bool,
    status: Status,
    random: i64,
    resumed: i64,
    pressed: String,
    offline: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum Status {
    #[default]
    Idle,
    Busy,
    Done,
}

impl Contract {
    fn controls(&self, page: &mut Page<'_>) {
        page.heading("title", "Contract");
        page.row(|page| {
            page.button("increment", "Increment");
            page.label("count", numbered("", self.count)).size(40, 24);
            page.checkbox("tick", "Tick", self.ticked).size(90, 32);
            page.button("hold", "Hold").size(72, 36).long_clickable();
        });
        page.row(|page| {
            page.field("name", "Name", &self.name);
            page.label("echo", &self.name).size(120, 24);
        });
        page.row(|page| {
            page.button("disabled", "Disabled").disabled();
            page.button("hidden", "Hidden").hidden();
            page.button("crash", "Crash");
        });
        page.row(|page| {
            page.button("slow", "Slow");
            let status = match self.status {
                Status::Idle => "idle",
                Status::Busy => "busy",
                Status::Done => "done",
            };
            page.label("status", status);
            page.button("dialog", "Dialog");
        });
        page.row(|page| {
            let behind = page.button("behind", "Behind").bounds();
            page.button("cover", "Cover");
            if self.covered {
                page.label("veil", "").at(behind.x, behind.y, behind.width, behind.height).opaque();
                page.button("uncover", "Uncover");
            }
        });
        page.row(|page| {
            let landscape = page.is_landscape();
            page.label("orientation", if landscape { "landscape" } else { "portrait" });
            page.label("random", numbered("", self.random));
            page.label("resumed", numbered("", self.resumed));
        });
        page.row(|page| {
            page.label("pressed", self.pressed.as_str());
            page.label("network", if self.offline { "offline" } else { "online" });
            page.button("lacking", "Lacking");
        });
    }
}

fn list(page: &mut Page<'_>, height: i32) {
    page.list("list", height, 32, 100, |page, index| {
        let number = index as i64 + 1;
        page.item(numbered("item-", number), numbered("Item ", number)).size(0, 32);
    });
}

impl App for Contract {
    const PREDICATES: &'static [&'static str] = &["countIs"];
    const ENVIRONMENT: &'static [&'static str] = &["network"];

    fn predicate(&self, name: &str, args: &[Value]) -> Option<bool> {
        match (name, args) {
            ("countIs", [Value::Number(count)]) => Some(*count == self.count as f64),
            ("countIs", _) => Some(false),
            _ => None,
        }
    }

    fn view(&self, page: &mut Page<'_>) {
        page.place("Contract");
        if page.is_landscape() {
            page.row(|page| {
                page.column(320, |page| self.controls(page));
                page.column(0, |page| list(page, 320));
            });
        } else {
            self.controls(page);
            list(page, 320);
        }
        page.button("outside", "Outside").at(-500, -500, 96, 36);
        if self.asking {
            page.dialog("question", "Question", |page| {
                page.label("", "Is everything all right?");
                page.button("ok", "OK");
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Launch => self.random = os.rng.below(1_000_000) as i64,
            Input::Click("increment" | "behind") => self.count += 1,
            Input::LongClick("hold") => self.count += 10,
            Input::Key(key) => self.pressed = key.to_owned(),
            Input::Environment(event) if event.name == "network" => {
                self.offline = event.args == [Value::from("off")];
            }
            Input::Click("tick") => self.ticked = !self.ticked,
            Input::Click("lacking") => os.lack("camera", "this device has none"),
            Input::Click("cover") => self.covered = true,
            Input::Click("uncover") => self.covered = false,
            Input::Click("dialog") => self.asking = true,
            Input::Click("ok") => self.asking = false,
            Input::Click("crash") => {
                return Err(Crash::new("the crash button was clicked").at("Contract.onClick"));
            }
            Input::Click("slow") => {
                self.status = Status::Busy;
                os.cancel("work");
                os.background(300, 300, "work");
            }
            Input::Background("work") => self.status = Status::Done,
            Input::Clear("name") => self.name.clear(),
            Input::Text { id: "name", text } => self.name.push_str(text),
            Input::Resume(Away::Home) => self.resumed += 1,
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}
