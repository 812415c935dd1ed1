//! `back`: Back after a navigation returns to where it began.
//!
//! Judged where a click led from one address to another and nothing was done there before Back.
//! Where places are not addresses it is skipped: on a phone, Back goes up, and not back.

use crate::exercise::{one_of_each_kind, trace};
use crate::names::{dialogs, is_address};
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
    let and_back =
        |index: usize| trace([Event::Click(Target::from(names.of(index))), Event::ClickBack]);
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
            (Some(Event::Click(_)), _) => {
                let is_modal = dialogs(step.before).next().is_some();
                if step.before.place != step.after.place && !is_modal && step.is_settled {
                    self.left = Some(step.shown_before());
                }
            }
            _ => {}
        }
        Ok(Judgement::Nothing)
    }
}

fn judge(left: &Shown, step: &Seen<'_>) -> Judgement {
    if !is_address(&left.place) {
        return Judgement::Skipped("its place is not an address");
    }
    if left.place != step.after.place {
        let stays = step.before.place == step.after.place;
        let (before, after) = (step.shown_before(), step.shown_after());
        if stays && !before.differences(&after, Aspects::all()).is_empty() {
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
    left.judge_mostly(step, Aspects::empty(), CLAIM)
}
