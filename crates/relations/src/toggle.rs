//! `toggle`: what is flipped twice is as it was before.
//!
//! Judged where the same switch, tick or disclosure was clicked twice in a row and the first click
//! flipped it. A control that sets others as well (a tick for all rows, an accordion that closes
//! the part that was open) is no toggle of its own: it is skipped.

use crate::exercise::{one_of_each_kind, trace};
use crate::names::aim;
use crate::relation::{Judgement, Seen, Watcher};
use crate::shown::{Aspects, Shown};
use capuchin::Probe;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Element, Event, Role, Screen, State, Target};

pub(crate) const CLAIM: &str = "what is flipped twice is as it was";

/// What flips.
const MARKS: State = State::CHECKED.union(State::EXPANDED);

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Toggle::default())
}

pub(crate) fn exercises(screen: &Screen, _: &DeviceInfo) -> Vec<Trace> {
    let names = screen.names();
    let twice = |index: usize| {
        let click = Event::Click(Target::from(names.of(index)));
        trace([click.clone(), click])
    };
    one_of_each_kind(screen, is_toggle).into_iter().map(twice).collect()
}

fn is_toggle(element: &Element) -> bool {
    let flips = State::CHECKABLE | State::EXPANDABLE;
    element.is(State::CLICKABLE)
        && element.state.intersects(flips)
        && !matches!(element.role, Role::Radio | Role::Choice | Role::Combobox | Role::Tab)
}

#[derive(Default)]
struct Toggle {
    /// What was flipped last, and what was shown before.
    flipped: Option<(Element, Shown, bool)>,
}

impl Watcher for Toggle {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let flipped = self.flipped.take();
        let Some(Event::Click(target)) = step.event else { return Ok(Judgement::Nothing) };
        let element = aim(step.before, target).map(|index| &step.before.elements[index]);
        let Some(element) = element.filter(|element| is_toggle(element)) else {
            return Ok(Judgement::Nothing);
        };
        let Some((first, before, sets_others)) = flipped.filter(|(it, ..)| is_same(it, element))
        else {
            let now = step.after.elements.iter().find(|other| is_same(element, other));
            let is_flipped = now.is_some_and(|now| (now.state ^ element.state).intersects(MARKS));
            if is_flipped && step.is_settled {
                let others = sets_others(element, step);
                self.flipped = Some((element.clone(), Shown::of(step.before), others));
            }
            return Ok(Judgement::Nothing);
        };
        if sets_others {
            return Ok(Judgement::Skipped("it sets others as well"));
        }
        let now = step.after.elements.iter().find(|other| is_same(element, other));
        let is_back = now.is_some_and(|now| !(now.state ^ first.state).intersects(MARKS));
        if !is_back && !element.is(State::CHECKABLE) {
            return Ok(Judgement::Skipped("the second click did not close it"));
        }
        Ok(before.judge(&Shown::of(step.after), Aspects::TICKS | Aspects::VALUES, CLAIM))
    }
}

/// Whether a click set more than the element itself.
fn sets_others(element: &Element, step: &Seen<'_>) -> bool {
    let marks = |screen: &Screen| {
        let all = screen.elements.iter().filter(|other| {
            other.is(State::DISPLAYED)
                && other.state.intersects(State::CHECKABLE | State::EXPANDABLE)
                && !is_same(element, other)
        });
        let mut marks: Vec<_> =
            all.map(|it| (it.role, it.id.clone(), it.text.clone(), (it.state & MARKS).bits())).collect();
        marks.sort();
        marks
    };
    let (before, after) = (marks(step.before), marks(step.after));
    // What appears or is gone was shown or hidden by it: only what stayed was set.
    let stayed = |mark: &&(Role, _, _, u32), others: &[(Role, _, _, u32)]| {
        others.iter().any(|other| (other.0, &other.1, &other.2) == (mark.0, &mark.1, &mark.2))
    };
    before.iter().filter(|mark| stayed(mark, &after)).any(|mark| !after.contains(mark))
}

/// Whether two elements of different screens are one.
fn is_same(one: &Element, other: &Element) -> bool {
    let by_name = (one.id.is_empty() && one.text == other.text && !one.text.is_empty())
        || (!one.id.is_empty() && one.id == other.id);
    one.role == other.role && (by_name || one.bounds == other.bounds)
}
