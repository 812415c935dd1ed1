//! `ways`: two ways to the same state show the same.
//!
//! Which states are the same must be known without comparing what is shown. Here it is the address
//! (the name of an activity or a window says too little), what is stored, and that nothing was
//! edited in between: since the app was at that place before, there were only clicks on links, Back
//! and reloads that led from place to place, and events that changed nothing. A button that leads
//! to another place may have sent a form, and counts as an edit.

use crate::exercise::{one_of_each_kind, trace};
use crate::names::{aim, dialogs, is_address};
use crate::relation::{Judgement, Seen, Watcher};
use crate::reload::is_reload;
use crate::shown::{Aspects, Shown, stored};
use capuchin::Probe;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Event, Role, Screen, Str, Target};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const CLAIM: &str = "two ways to the same state show the same";

/// How many links are tried twice on a screen.
const MOST: usize = 2;

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Ways::default())
}

pub(crate) fn exercises(screen: &Screen, device: &DeviceInfo) -> Vec<Trace> {
    if !device.performs(&Event::ClickBack) {
        return Vec::new();
    }
    let names = screen.names();
    let and_again = |index: usize| {
        let click = || Event::Click(Target::from(names.of(index)));
        trace([click(), Event::ClickBack, click()])
    };
    let links = one_of_each_kind(screen, |element| element.role == Role::Link);
    links.into_iter().take(MOST).map(and_again).collect()
}

#[derive(Default)]
struct Ways {
    stored: Option<Str>,
    /// What was shown on arrival at each place, since the last edit.
    arrivals: BTreeMap<Str, Shown>,
    /// The places that were known when something was edited.
    forgotten: BTreeSet<Str>,
}

impl Watcher for Ways {
    fn step(&mut self, step: &Seen<'_>, app: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let now = stored(app)?.or_else(|| self.stored.clone());
        let is_stored = std::mem::replace(&mut self.stored, now.clone()) != now;
        let after = step.shown_after();
        let Some(event) = step.event else {
            self.arrivals = BTreeMap::from([(step.after.place.clone(), after)]);
            return Ok(Judgement::Nothing);
        };
        let is_reload = is_reload(event);
        let goes = step.before.place != step.after.place || is_reload;
        let leads = match event {
            Event::ClickBack => true,
            Event::Click(target) => {
                let clicked = aim(step.before, target).map(|index| &step.before.elements[index]);
                clicked.is_some_and(|it| matches!(it.role, Role::Link | Role::Item | Role::Command))
            }
            _ => is_reload,
        };
        let is_edit = match goes {
            true => !leads,
            false => !step.shown_before().differences(&after, Aspects::all()).is_empty(),
        };
        if is_edit || is_stored {
            self.forgotten.extend(std::mem::take(&mut self.arrivals).into_keys());
        }
        if !goes || !step.is_settled || dialogs(step.after).next().is_some() {
            return Ok(Judgement::Nothing);
        }
        if let Some(known) = self.arrivals.get(&step.after.place) {
            if !is_address(&step.after.place) {
                return Ok(Judgement::Skipped("its place is not an address"));
            }
            return Ok(known.judge(step, Aspects::empty(), CLAIM));
        }
        self.arrivals.insert(step.after.place.clone(), after);
        Ok(match self.forgotten.remove(&step.after.place) {
            true => Judgement::Skipped("something was edited or stored since"),
            false => Judgement::Nothing,
        })
    }
}
