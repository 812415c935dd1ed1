//! `rotation`: what was typed is still there after a rotation of the device, and a rotation and
//! back changes nothing.
//!
//! A field that is not there in the other orientation may be hidden: it is judged when the device
//! is back. A layout is only judged there, too, by sizes and horizontal places: where a page is
//! scrolled to is no part of it.

use crate::exercise::trace;
use crate::relation::{Judgement, Seen, Watcher};
use crate::shown::{Aspects, Shown};
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Element, Event, Quoted, Screen, State};
use capuchin::{Finding, Probe};

pub(crate) const CLAIM: &str = "a rotation keeps what was typed";
const AND_BACK: &str = "a rotation and back changes nothing";

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Rotation::default())
}

pub(crate) fn exercises(_: &Screen, device: &DeviceInfo) -> Vec<Trace> {
    let rotates = device.performs(&Event::Rotate);
    rotates.then(|| trace([Event::Rotate, Event::Rotate])).into_iter().collect()
}

#[derive(Default)]
struct Rotation {
    /// What was shown before the last rotation, if that was the last step.
    rotated: Option<Shown>,
}

impl Watcher for Rotation {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let rotated = self.rotated.take();
        if !matches!(step.event, Some(Event::Rotate)) {
            return Ok(Judgement::Nothing);
        }
        if step.before.place != step.after.place {
            return Ok(Judgement::Skipped("it led to another place"));
        }
        if step.before.viewport == step.after.viewport {
            return Ok(Judgement::Skipped("the screen is as wide as it is high"));
        }
        if let Some(before) = rotated {
            return Ok(match before.judge(step, Aspects::all(), AND_BACK) {
                Judgement::Held => before.judge_layout(step, AND_BACK),
                other => other,
            });
        }
        self.rotated = Some(step.shown_before()).filter(|_| step.is_settled);
        Ok(typed(step))
    }
}

/// Whether what was typed is there in the other orientation.
fn typed(step: &Seen<'_>) -> Judgement {
    let (mut judgement, after) = (Judgement::Nothing, fields(step.after));
    for (index, field) in fields(step.before) {
        if field.value.is_empty() {
            continue;
        }
        let name = step.before.name_of(index);
        let mut likes = after.iter().filter(|(_, it)| is_same(it, field));
        let (Some((_, now)), None) = (likes.next(), likes.next()) else {
            if let Judgement::Nothing = judgement {
                judgement = Judgement::Skipped("the field is not there in the other orientation");
            }
            continue;
        };
        if now.value != field.value {
            let what = format!("{CLAIM}: {name} has another value");
            let (was, is) = (Quoted(&field.value), Quoted(&now.value));
            return Judgement::Broken(
                Finding::new(what).detail(format!("{name} was {was}, is {is}")),
            );
        }
        judgement = Judgement::Held;
    }
    judgement
}

fn fields(screen: &Screen) -> Vec<(usize, &Element)> {
    let all = screen.elements.iter().enumerate();
    all.filter(|(_, it)| it.is(State::DISPLAYED | State::EDITABLE)).collect()
}

fn is_same(one: &Element, other: &Element) -> bool {
    one.role == other.role && one.id == other.id && one.text == other.text && one.hint == other.hint
}
