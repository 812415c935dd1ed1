//! A monitor of one's own: it watches a monkey, an exploration and a saved trace without any of
//! them knowing, and what it finds is shrunk, saved and run again like every other failure.
//!
//! Run it with `cargo test -p capuchin-mission --example monitor`.

use capuchin::prelude::*;
use capuchin::ui::{Crash, Screen};
use capuchin::{Finding, Monitor, Monitors, Probe, Step, Watched};
use capuchin_sim::{App, Input, Os, Page, SimDevice, numbered};

/// Cancelling a dialog changes nothing: the rows are those from before it was opened.
struct CancelChangesNothing;

impl Monitors for CancelChangesNothing {
    fn name(&self) -> &str {
        "cancel-changes-nothing"
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(Rows::default())
    }
}

/// The rows when the dialog was last closed.
#[derive(Default)]
struct Rows(String);

impl Monitor for Rows {
    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        let rows = |screen: &Screen| screen.texts(&item());
        let is_open = app.holds(&is_displayed(id("cancel")))?;
        let cancelled = step.performed().is_some_and(|event| event.to_string() == "Click(#cancel)");
        let (before, after) = (std::mem::take(&mut self.0), rows(app.screen()));
        self.0 = if is_open { before.clone() } else { after.clone() };
        let finding = Finding::new("cancelling a dialog changed the rows");
        let finding = finding.detail(format!("expected {before:?}, seen {after:?}"));
        Ok((cancelled && before != after).then_some(finding))
    }
}

/// A list, and a dialog to add to it. The fault: what was typed is added although the dialog is
/// cancelled.
#[derive(Clone, Default)]
struct List {
    rows: Vec<String>,
    dialog: Option<String>,
}

impl App for List {
    fn view(&self, page: &mut Page<'_>) {
        for (index, row) in self.rows.iter().enumerate() {
            page.item(numbered("row-", index as i64), row.as_str());
        }
        match &self.dialog {
            None => {
                page.button("add", "Add");
            }
            Some(title) => {
                page.field("title", "Title", title.as_str());
                page.button("ok", "OK");
                page.button("cancel", "Cancel");
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match (input, &mut self.dialog) {
            (Input::Click("add"), None) => self.dialog = Some(String::new()),
            (Input::Text { text, .. }, Some(title)) => title.push_str(text),
            (Input::Click("ok"), Some(title)) => {
                self.rows.push(std::mem::take(title));
                self.dialog = None;
            }
            (Input::Click("cancel"), Some(title)) => {
                if !title.is_empty() {
                    self.rows.push(std::mem::take(title)); // the fault
                }
                self.dialog = None;
            }
            _ => {}
        }
        Ok(())
    }
}

fn list() -> Box<dyn Device> {
    Box::new(SimDevice::new("list", List::default()))
}

#[expect(clippy::print_stdout, reason = "it is for people")]
fn main() {
    let check = Check::new("monkey", relevant_monkey(40)).monitor(CancelChangesNothing);
    println!("{}", check.run(list().as_mut()).expect("a simulated device does not fail"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::steering::PilotPool;
    use capuchin::{Config, Exploration, Plan, Rules, Verdict, execute};
    use capuchin_explore::Explorers;
    use capuchin_mission::{Fleet, Run, RunDirectory};
    use std::sync::Arc;

    #[test]
    fn it_watches_a_monkey() {
        let check = Check::new("monkey", relevant_monkey(40)).monitor(CancelChangesNothing);
        let outcome = check.run(list().as_mut()).unwrap();
        let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
        assert_eq!(failure.minimal, r#"Click(#add) :>> Type(#title, "0") :>> Click(#cancel)"#);
    }

    #[test]
    fn it_watches_an_exploration_and_the_trace_that_this_has_saved() {
        let mut config = Config::default();
        (config.seed, config.events, config.cases) = (1, Some(200), u32::MAX);
        let generator = auto("capuchin", u32::MAX);
        let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
        let mut explorers = Explorers::default();
        explorers.may_restart = true;
        plan.pilots = PilotPool::new(Arc::new(explorers));
        plan.monitors.push(Arc::new(CancelChangesNothing));

        let place = tempfile::tempdir().unwrap();
        let mut directory = RunDirectory::create(place.path(), "sim:list", Vec::new()).unwrap();
        let run = Run { spec: "explore", device: "sim:list", seed: 1, saved: None };
        let open = |_: &capuchin::ui::Stop| Ok(list());
        let debrief = Fleet::new(vec![list()], &open).run_as(&run, &[plan], &mut directory);
        let failure = &debrief.outcomes[0].failures[0];
        assert_eq!(failure.minimal, r#"Click(#add) :>> Type(#title, "0042") :>> Click(#cancel)"#);

        // The saved file says which monitor it needs, and fails again with it.
        let file = place.path().join(RunDirectory::failure_file(failure));
        let text = std::fs::read_to_string(file).unwrap();
        let spec = capuchin_spec::parse("saved", &text).spec.unwrap();
        assert_eq!(spec.monitors, ["cancel-changes-nothing"]);
        let monitors: [Arc<dyn Monitors>; 1] = [Arc::new(CancelChangesNothing)];
        let mut rules = Rules::seed(spec.seed.unwrap());
        rules.monitors = &monitors;
        let trace = spec.checks[0].generator.sample(capuchin::ui::Rng::new(0)).to_trace();
        let again = execute(&trace, list().as_mut(), &rules).unwrap();
        assert!(matches!(again.verdict, Verdict::Failed(_)), "{:?}", again.verdict);
        assert_eq!(again.verdict.to_string(), failure.summary);
    }
}
