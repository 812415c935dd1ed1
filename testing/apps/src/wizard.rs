//! A wizard that sets up an account in eight steps, and what the account offers.
//!
//! What is hard about it: every step wants something before it goes on, and Cancel is as near as
//! Next, so that chance alone hardly ever gets to the end. What is wrong with it: the invoice for a
//! business with every part that there is cannot be printed.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;

const STEPS: usize = 8;
const TITLES: [&str; STEPS] =
    ["Welcome", "Your name", "Your e-mail", "A PIN", "Plan", "Parts", "Contract", "Summary"];
const FIELDS: [(&str, &str); 3] = [("name", "Name"), ("email", "E-mail"), ("pin", "PIN")];
const PLANS: [&str; 3] = ["basic", "family", "business"];
const PARTS: [&str; 4] = ["backup", "mail", "calendar", "photos"];
const PLACES: [&str; STEPS] =
    ["Step1", "Step2", "Step3", "Step4", "Step5", "Step6", "Step7", "Step8"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Steps,
    Done,
    Invoice,
    Devices,
}

/// The wizard.
#[derive(Clone, Debug, Default)]
pub struct Wizard {
    bugs: bool,
    at: At,
    /// The step, from 0.
    step: usize,
    cancelling: bool,
    message: &'static str,
    ready: bool,
    fields: [String; FIELDS.len()],
    plan: Option<usize>,
    parts: [bool; PARTS.len()],
    signed: bool,
    devices: i64,
}

impl Wizard {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Wizard { bugs, ..Wizard::default() }
    }

    /// What the step still wants.
    fn missing(&self) -> Option<&'static str> {
        let [name, email, pin] = &self.fields;
        let (is_done, wants) = match self.step {
            0 => (self.ready, "Tick the box first"),
            1 => (!name.trim().is_empty(), "A name is needed"),
            2 => (email.contains('@'), "This is no e-mail address"),
            3 => (crate::has_four_digits(pin), "A PIN has four digits"),
            4 => (self.plan.is_some(), "Choose a plan"),
            5 => (self.parts.iter().filter(|part| **part).count() >= 2, "Choose two or more"),
            6 => (self.signed, "Read and sign the contract"),
            _ => (true, ""),
        };
        (!is_done).then_some(wants)
    }

    fn field(&mut self, id: &str) -> Option<&mut String> {
        let index = FIELDS.iter().position(|(field, _)| *field == id)?;
        self.fields.get_mut(index)
    }

    fn next(&mut self) {
        self.message = self.missing().unwrap_or_default();
        if self.message.is_empty() {
            self.step = (self.step + 1).min(STEPS - 1);
        } else if self.step == 3 {
            self.fields[2].clear();
        }
    }

    fn previous(&mut self) {
        self.message = "";
        self.step = self.step.saturating_sub(1);
    }

    fn view_step(&self, page: &mut Page<'_>) {
        page.heading("title", TITLES[self.step]);
        page.progress("progress", numbered("", self.step as i64 + 1));
        match self.step {
            0 => {
                page.checkbox("ready", "I am ready", self.ready);
            }
            1..=3 => {
                let (id, hint) = FIELDS[self.step - 1];
                page.field(id, hint, &self.fields[self.step - 1]);
            }
            4 => PLANS.iter().enumerate().for_each(|(index, plan)| {
                page.item(*plan, *plan).selected(self.plan == Some(index));
            }),
            5 => PARTS.iter().zip(self.parts).for_each(|(part, chosen)| {
                page.checkbox(*part, *part, chosen);
            }),
            6 => page.scroll("contract", 240, |page| {
                for number in 1..=10 {
                    page.label("", numbered("§ ", number)).size(0, 80);
                }
                page.checkbox("sign", "I have read it", self.signed);
            }),
            _ => {
                page.label("who", self.fields[0].as_str());
                page.label("what", self.plan.map_or("", |plan| PLANS[plan]));
            }
        }
        page.label("message", self.message);
        page.row(|page| {
            page.button("previous", "Back").enabled(self.step > 0);
            if self.step + 1 < STEPS {
                page.button("next", "Next");
            } else {
                page.button("finish", "Finish");
            }
            page.button("cancel", "Cancel");
        });
        if self.cancelling {
            page.dialog("sure", "Forget everything?", |page| {
                page.button("forget", "Forget");
                page.button("keep", "Go on");
            });
        }
    }

    fn print(&self) -> Result<(), Crash> {
        if self.bugs && self.plan == Some(2) && self.parts == [true; PARTS.len()] {
            let what = "java.lang.IllegalArgumentException: a column of width -1";
            return Err(Crash::new(what).at("InvoicePrinter.layout"));
        }
        Ok(())
    }
}

impl App for Wizard {
    fn view(&self, page: &mut Page<'_>) {
        match self.at {
            At::Steps => {
                page.place(PLACES[self.step]);
                self.view_step(page);
            }
            At::Done => {
                page.place("Done");
                page.heading("title", "All is set up");
                page.button("invoice", "Invoice");
                page.button("devices", "Devices");
                page.button("again", "Once more");
            }
            At::Invoice => {
                page.place("Invoice");
                page.heading("title", "Invoice");
                page.label("message", self.message);
                page.button("print", "Print");
                page.button("close", "Close");
            }
            At::Devices => {
                page.place("Devices");
                page.label("devices", numbered("Devices: ", self.devices));
                page.button("more", "Add").enabled(self.devices < 3);
                page.button("fewer", "Remove").enabled(self.devices > 0);
                page.button("close", "Close");
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match (self.at, input) {
            (At::Steps, Input::Key("Enter")) if self.cancelling => {}
            (At::Steps, Input::Click("next") | Input::Key("Enter")) => self.next(),
            (At::Steps, Input::Back) if self.cancelling => self.cancelling = false,
            (At::Steps, Input::Back) if self.step == 0 => os.leave(),
            (At::Steps, Input::Click("previous") | Input::Back) => self.previous(),
            (At::Steps, Input::Click("cancel")) => self.cancelling = true,
            (_, Input::Click("keep")) => self.cancelling = false,
            (_, Input::Click("forget" | "again")) => *self = Wizard::new(self.bugs),
            (_, Input::Click("ready")) => self.ready = !self.ready,
            (_, Input::Clear(id)) => self.field(id).into_iter().for_each(String::clear),
            (_, Input::Text { id, text }) => {
                self.field(id).into_iter().for_each(|field| crate::type_into(field, text));
            }
            (_, Input::Click("sign")) => self.signed = !self.signed,
            (At::Done, Input::Click("invoice")) => self.at = At::Invoice,
            (At::Done, Input::Click("devices")) => self.at = At::Devices,
            (At::Invoice, Input::Click("print")) => {
                self.print()?;
                self.message = "Printed";
            }
            (_, Input::Click("more")) => self.devices = (self.devices + 1).min(3),
            (_, Input::Click("fewer")) => self.devices = (self.devices - 1).max(0),
            (At::Steps, Input::Click("finish"))
            | (At::Invoice | At::Devices, Input::Click("close") | Input::Back) => {
                self.at = At::Done;
            }
            (At::Done, Input::Back) => os.leave(),
            (_, Input::Click(id)) => {
                self.plan = PLANS.iter().position(|plan| *plan == id).or(self.plan);
                if let Some(part) = PARTS.iter().position(|part| *part == id) {
                    self.parts[part] = !self.parts[part];
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};
    use capuchin_ui::{Direction, Event};

    fn to_the_plan(walk: Walk) -> Walk {
        let named = walk.clicks("ready next").types("name", "a").clicks("next").at("Step3");
        let mailed = named.types("email", "user@example.org").go(&Event::Press("Enter".into()));
        mailed.at("Step4").types("pin", "1234").clicks("next").at("Step5")
    }

    fn to_the_end(walk: Walk) -> Walk {
        walk.swipes("contract", Direction::Up, 5).clicks("sign next finish")
    }

    #[test]
    fn a_step_goes_on_when_it_has_what_it_wants() {
        let first = Walk::on("wizard").clicks("next").at("Step1");
        assert_eq!(first.text("message"), Some("Tick the box first"));
        let pin = to_the_plan(first).clicks("previous").at("Step4").types("pin", "7");
        let parts = pin.clicks("next").at("Step4").types("pin", "1234").clicks("next family");
        let contract = parts.clicks("next mail next").at("Step6").clicks("photos next");
        to_the_end(contract.at("Step7")).at("Done").clicks("devices more").at("Devices");
    }

    #[test]
    fn cancel_asks_first() {
        let asked = to_the_plan(Walk::on("wizard")).clicks("cancel keep").at("Step5");
        asked.clicks("cancel forget").at("Step1");
    }

    #[test]
    fn a_business_with_all_parts_cannot_print() {
        crashes_unless_fixed("wizard", "Invoice", |walk| {
            let parts = to_the_plan(walk).clicks("business next backup mail calendar photos next");
            to_the_end(parts).at("Done").clicks("invoice print")
        });
    }
}
