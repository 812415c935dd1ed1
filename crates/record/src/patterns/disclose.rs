//! Disclose: the receiver is in a part of the screen that is hidden, and a control stands beside
//! that part: the head of an accordion, the button of a menu, the label of a drawer. It opens it.

use super::expand::is_switch;
use super::menu::is_pressed;
use super::{is_small, says, words};
use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::State;

pub(super) struct Disclose;

/// How many levels above the receiver a hidden part may begin, and how many controls are proposed.
const LEVELS: usize = 8;
const MOST: usize = 3;

impl ResponsivePattern for Disclose {
    fn name(&self) -> &'static str {
        "disclose"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let mut found: Vec<usize> = Vec::new();
        for hidden in situation.hidden() {
            if situation.present.element(hidden).is(State::COVERED | State::DISPLAYED) {
                continue;
            }
            let screen = situation.present.screen;
            let levels = std::iter::once(hidden).chain(screen.ancestors(hidden)).take(LEVELS);
            for part in levels {
                let Some(parent) = screen.elements[part].parent else { break };
                if is_open(situation, part) {
                    break;
                }
                // The nearest first: what stands right before the part, then what is before that.
                let siblings = &situation.present.children[parent as usize];
                let at = siblings.iter().position(|one| *one as usize == part).unwrap_or_default();
                let near =
                    siblings[..at].iter().rev().take(2).chain(siblings[at + 1..].iter().take(1));
                let control = near.filter_map(|beside| control_of(situation, *beside as usize));
                found.extend(control.take(1));
            }
        }
        found.dedup();
        found.into_iter().take(MOST).map(|index| Reveal::click(situation, index)).collect()
    }
}

/// Whether something in a part of the screen can be reached: it is open.
fn is_open(situation: &Situation<'_>, part: usize) -> bool {
    let mut inside = situation.present.descendants(part).into_iter();
    inside.any(|index| {
        situation.present.views[index].is_reachable
            && situation.present.element(index).is(State::CLICKABLE)
    })
}

/// The control that an element is, or the only one in it; for the box of a label, that label.
fn control_of(situation: &Situation<'_>, beside: usize) -> Option<usize> {
    let opens = |index: usize| {
        let element = situation.present.element(index);
        situation.present.views[index].is_reachable
            && ((is_pressed(element) && looks_closed(situation, index)) || is_switch(element))
    };
    if opens(beside) {
        return Some(beside);
    }
    let element = situation.present.element(beside);
    if element.is(State::CHECKABLE) || element.role == capuchin::ui::Role::Checkbox {
        let wanted = format!("#{}", element.id);
        let label = situation.controls().find(|(_, label)| label.leads_to == wanted);
        return label.map(|(index, _)| index).filter(|_| !element.id.is_empty());
    }
    let inside = situation.present.descendants(beside);
    let mut controls = inside.into_iter().filter(|index| opens(*index));
    controls.next().filter(|_| controls.next().is_none())
}

/// Whether a control says that it opens something, and that is closed: where it says what, that is
/// looked at, since many pages say that it is open from the start.
pub(super) fn is_closed(situation: &Situation<'_>, index: usize) -> bool {
    let element = situation.present.element(index);
    let takes_press = element.is(State::CLICKABLE) && !element.is(State::EDITABLE);
    let is_known = element.leads_to.len() > 1 && element.leads_to.starts_with('#');
    let is_open = if is_known {
        !refers_to_closed(situation, &element.leads_to)
    } else {
        element.is(State::EXPANDED)
    };
    takes_press && element.is(State::EXPANDABLE) && !is_open
}

/// Whether it refers to a part of this page, and to none that is open: an entry of a table of
/// contents does not open what stands beside it.
fn refers_to_closed(situation: &Situation<'_>, leads_to: &str) -> bool {
    let Some(id) = leads_to.strip_prefix('#') else { return false };
    let mut elements = situation.present.screen.elements.iter();
    let is_shown = |index: usize| situation.present.views[index].is_reachable;
    let part = elements.position(|element| !id.is_empty() && element.id == id);
    part.is_none_or(|part| !is_shown(part) && !is_open(situation, part))
}

/// Whether something says that it opens a part of this screen: a click must not do what an app is
/// for.
fn looks_closed(situation: &Situation<'_>, index: usize) -> bool {
    let element = situation.present.element(index);
    element.is(State::EXPANDABLE)
        || element.native == "summary"
        || refers_to_closed(situation, &element.leads_to)
        || says(situation, index, &words("toggle toggler dropdown collapse expand open menu")) > 0
        || (situation.name(index).is_empty() && is_small(situation, element))
}
