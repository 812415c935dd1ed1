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
use capuchin::ui::{DeviceError, DeviceInfo, Element, Event, Role, Screen, State, Str, Target};

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
    flipped: Option<Flipped>,
}

/// What was flipped by the last step.
struct Flipped {
    target: Target,
    element: Element,
    before: Shown,
    sets_others: bool,
}

impl Watcher for Toggle {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let flipped = self.flipped.take();
        let Some(Event::Click(target)) = step.event else { return Ok(Judgement::Nothing) };
        let element = aim(step.before, target).map(|index| &step.before.elements[index]);
        let Some(element) = element.filter(|element| is_toggle(element)) else {
            return Ok(Judgement::Nothing);
        };
        let is_same = |it: &Flipped| it.target == *target || it.element.bounds == element.bounds;
        let now = same_after(step.after, target, element);
        let Some(first) = flipped.filter(is_same) else {
            let is_flipped = now.is_some_and(|now| (now.state ^ element.state).intersects(MARKS));
            self.flipped = (is_flipped && step.is_settled).then(|| Flipped {
                target: target.clone(),
                element: element.clone(),
                before: step.shown_before(),
                sets_others: sets_others(target, element, step),
            });
            return Ok(Judgement::Nothing);
        };
        if first.sets_others {
            return Ok(Judgement::Skipped("it sets others as well"));
        }
        let is_back = now.is_some_and(|now| !(now.state ^ first.element.state).intersects(MARKS));
        if !is_back && !element.is(State::CHECKABLE) {
            return Ok(Judgement::Skipped("the second click did not close it"));
        }
        Ok(first.before.judge(step, Aspects::all(), CLAIM))
    }
}

/// The element that was clicked, on the screen after the click.
fn same_after<'s>(after: &'s Screen, target: &Target, element: &Element) -> Option<&'s Element> {
    let aimed = aim(after, target).map(|index| &after.elements[index]);
    let is_same = |it: &&Element| it.role == element.role;
    aimed
        .filter(is_same)
        .or_else(|| after.elements.iter().find(|it| it.bounds == element.bounds && is_same(it)))
}

/// Whether a click set more than the element itself, of what was there before and is there now.
fn sets_others(target: &Target, element: &Element, step: &Seen<'_>) -> bool {
    let now = same_after(step.after, target, element);
    let marks = |screen: &Screen, clicked: Option<&Element>| {
        let is_other = |it: &&Element| {
            it.is(State::DISPLAYED)
                && it.state.intersects(State::CHECKABLE | State::EXPANDABLE)
                && !clicked.is_some_and(|clicked| std::ptr::eq(clicked, *it))
        };
        let all = screen.elements.iter().filter(is_other);
        let mark =
            |it: &Element| ((it.role, it.id.clone(), it.text.clone()), (it.state & MARKS).bits());
        all.map(mark).collect::<Vec<_>>()
    };
    let (before, after) = (marks(step.before, Some(element)), marks(step.after, now));
    // What appears or is gone was shown or hidden by it: only what stayed was set.
    let stayed = |name: &(Role, Str, Str)| after.iter().any(|(other, _)| other == name);
    before.iter().filter(|(name, _)| stayed(name)).any(|mark| !after.contains(mark))
}
