//! `back`: Back after a navigation returns to where it began.
//!
//! Judged where a click led to another place and nothing was done there before Back. Tabs are
//! skipped: on most platforms Back leaves them together.

use crate::exercise::{one_of_each_kind, trace};
use crate::names::{aim, dialogs};
use crate::relation::{Judgement, Seen, Watcher};
use crate::shown::{Aspects, Shown};
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Event, Quoted, Role, Screen, Target};
use capuchin::{Finding, Probe};

pub(crate) const CLAIM: &str = "back after a navigation returns";

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Back::default())
}

pub(crate) fn exercises(screen: &Screen, device: &DeviceInfo) -> Vec<Trace> {
    if !device.performs(&Event::ClickBack) {
        return Vec::new();
    }
    let names = screen.names();
    let and_back = |index: usize| {
        trace([Event::Click(Target::from(names.of(index))), Event::ClickBack])
    };
    let links = one_of_each_kind(screen, |element| element.role == Role::Link);
    links.into_iter().map(and_back).collect()
}

#[derive(Default)]
struct Back {
    /// What was shown before the navigation that was the last step.
    left: Option<Shown>,
}

impl Watcher for Back {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let left = self.left.take();
        match (step.event, left) {
            (Some(Event::ClickBack), Some(left)) => return Ok(judge(&left, step)),
            (Some(Event::Click(target)), _) => {
                let clicked = aim(step.before, target).map(|index| &step.before.elements[index]);
                let is_tab = clicked.is_some_and(|element| element.role == Role::Tab);
                let is_modal = dialogs(step.before).next().is_some();
                if step.before.place != step.after.place && !is_tab && !is_modal && step.is_settled {
                    self.left = Some(Shown::of(step.before));
                }
            }
            _ => {}
        }
        Ok(Judgement::Nothing)
    }
}

fn judge(left: &Shown, step: &Seen<'_>) -> Judgement {
    if left.place != step.after.place {
        if step.before.place == step.after.place {
            return Judgement::Skipped("Back was taken by something else");
        }
        let detail = format!(
            "it was left at {}, and Back led to {}",
            Quoted(&left.place),
            Quoted(&step.after.place)
        );
        let finding = Finding::new(format!("{CLAIM}: it leads elsewhere")).detail(detail);
        return Judgement::Broken(finding);
    }
    left.judge_mostly(&Shown::of(step.after), Aspects::empty(), CLAIM)
}
