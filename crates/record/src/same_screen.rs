//! Whether two screens are the same, as far as what can be done on them goes.
//!
//! On its own because two decisions rest on it, and neither knows how it is made: whether an undo
//! worked, and whether a responsive action was tried on a screen before.

use crate::outline::Outline;
use crate::words::Word;
use capuchin::ui::{Digest, Role, Screen, State};
use std::collections::{BTreeMap, BTreeSet};

/// How many of the controls of two screens must be the same for the screens to be one: the rest may
/// change by itself.
const SAME: f64 = 0.9;

/// Whether a screen is the one from before: nearly all of its controls are there, and what a person
/// set on those that are is set as it was.
pub(crate) fn is_same_screen(one: &Screen, other: &Screen) -> bool {
    if one.place != other.place {
        return false;
    }
    let (a, b) = (settings(&Outline::new(one)), settings(&Outline::new(other)));
    let count = |all: &BTreeMap<Word, Vec<Word>>| all.values().map(Vec::len).sum::<usize>();
    let mut common = 0;
    for (control, set) in &a {
        let Some(set_there) = b.get(control) else { continue };
        // One control of a hundred that is set otherwise is a screen that did not come back.
        if set.len() == set_there.len() && set != set_there {
            return false;
        }
        common += set.len().min(set_there.len());
    }
    let all = count(&a).max(count(&b));
    all == 0 || common as f64 >= SAME * all as f64
}

/// A number for a screen, the same for screens on which the same can be done.
pub(crate) fn shape(outline: &Outline<'_>) -> u64 {
    let mut digest = Digest::default();
    digest.add(&outline.screen.place);
    for (control, set) in settings(outline) {
        digest.add(control);
        set.into_iter().for_each(|one| digest.add(one));
    }
    digest.0
}

/// A number for all that can be seen in a part of a screen, or on all of it, figures included: it
/// changes with every page that is turned and every list that is scrolled.
pub(crate) fn content(outline: &Outline<'_>, part: Option<usize>) -> u64 {
    let views: Vec<usize> = match part {
        Some(part) => outline.descendants(part),
        None => (0..outline.views.len()).collect(),
    };
    let mut digest = Digest::default();
    digest.add(&outline.screen.place);
    for index in views.into_iter().filter(|index| outline.views[*index].is_reachable) {
        let (element, name) = (outline.element(index), &outline.views[index].name);
        // A clock goes by itself.
        if without_figures(name).is_empty() && !does_something(outline, index) {
            continue;
        }
        digest.add(element.role.name());
        digest.add(&element.id);
        digest.add(name);
        digest.add(setting(outline, index));
    }
    digest.0
}

/// The controls of a screen that can be reached, so that they are found on another screen.
pub(crate) struct Controls {
    /// Of each element, what it is told from others by.
    identities: Vec<Word>,
    /// Of those that can be reached.
    reached: BTreeSet<Word>,
}

impl Controls {
    pub(crate) fn new(outline: &Outline<'_>) -> Self {
        let identities = identities(outline);
        let reached = (0..outline.views.len()).filter(|index| counts(outline, *index));
        let reached = reached.map(|index| identities[index]).collect();
        Controls { identities, reached }
    }

    /// Whether an element of another screen is one of these.
    pub(crate) fn have(&self, other: &Controls, index: usize) -> bool {
        self.reached.contains(&other.identities[index])
    }
}

/// What an action opened on a screen.
#[derive(Clone, Debug)]
pub(crate) struct Opened(BTreeSet<Word>);

impl Opened {
    /// The controls that can be reached now and could not be before.
    pub(crate) fn new(before: &Screen, now: &Screen) -> Self {
        let [before, now] =
            [before, now].map(|screen| Controls::new(&Outline::new(screen)).reached);
        Opened(now.difference(&before).copied().collect())
    }

    /// Whether nothing of it is there any more, and what was there before is, at the same place of
    /// the app and as it was set. What else has come since is the app's own.
    pub(crate) fn is_closed(&self, before: &Screen, now: &Screen) -> bool {
        if self.0.is_empty() || before.place != now.place {
            return false;
        }
        let [before, now] = [before, now].map(|screen| settings(&Outline::new(screen)));
        let is_gone = !now.keys().any(|control| self.0.contains(control));
        let is_set_otherwise = before.iter().any(|(control, set)| {
            now.get(control).is_some_and(|there| set.len() == there.len() && set != there)
        });
        let kept = before.keys().filter(|control| now.contains_key(control)).count();
        is_gone && !is_set_otherwise && kept * 2 > before.len()
    }
}

/// What counts for whether a screen is the same: what can be reached and does something.
fn counts(outline: &Outline<'_>, index: usize) -> bool {
    outline.views[index].is_reachable && does_something(outline, index)
}

fn does_something(outline: &Outline<'_>, index: usize) -> bool {
    let takes = State::CLICKABLE | State::EDITABLE | State::LONG_CLICKABLE;
    outline.element(index).state.intersects(takes)
}

/// What each element is told from others by, wherever it is and however it is set.
///
/// Figures at either end of a name change by themselves (a number of messages), unless they are all
/// that tells controls apart (the rows of a list), all of the name, or the name of a row.
fn identities(outline: &Outline<'_>) -> Vec<Word> {
    let identity = |index: usize, name: &str| {
        let mut digest = Digest::default();
        digest.add(outline.element(index).role.name());
        digest.add(&outline.element(index).id);
        digest.add(name);
        digest.0
    };
    let rest = |index: usize| without_figures(&outline.views[index].name);
    let mut alike: BTreeMap<Word, u32> = BTreeMap::new();
    let is_shown = |index: &usize| outline.is_displayed(*index) && does_something(outline, *index);
    for index in (0..outline.views.len()).filter(is_shown) {
        *alike.entry(identity(index, rest(index))).or_default() += 1;
    }
    let of_one = |index: usize| {
        let without = identity(index, rest(index));
        let is_row = matches!(outline.element(index).role, Role::Item | Role::Choice);
        let is_told_by_figures = alike.get(&without).is_some_and(|count| *count > 1);
        if is_row || is_told_by_figures || rest(index).is_empty() {
            identity(index, &outline.views[index].name)
        } else {
            without
        }
    };
    (0..outline.views.len()).map(of_one).collect()
}

fn without_figures(name: &str) -> &str {
    name.trim_matches(|letter: char| letter.is_numeric() || letter == ' ')
}

/// Of each control, how it is set; sorted, if several cannot be told apart.
fn settings(outline: &Outline<'_>) -> BTreeMap<Word, Vec<Word>> {
    let identities = identities(outline);
    let mut settings: BTreeMap<Word, Vec<Word>> = BTreeMap::new();
    for index in (0..outline.views.len()).filter(|index| counts(outline, *index)) {
        settings.entry(identities[index]).or_default().push(setting(outline, index));
    }
    settings.values_mut().for_each(|set| set.sort_unstable());
    settings
}

/// What a person set on a control: a tick, a choice, what is open, what was typed. A position is
/// left out: that of a player moves by itself.
fn setting(outline: &Outline<'_>, index: usize) -> Word {
    let element = outline.element(index);
    let mut digest = Digest::default();
    digest.add((element.state & (State::CHECKED | State::SELECTED | State::EXPANDED)).bits());
    if !matches!(element.role, Role::Slider | Role::Progress) {
        digest.add(&element.value);
    }
    digest.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Element, Rect, Size};

    fn control(role: Role, text: &str, more: State) -> Element {
        Element {
            role,
            text: text.into(),
            bounds: Rect::new(0, 0, 9, 9),
            state: State::DISPLAYED | State::ENABLED | State::CLICKABLE | more,
            ..Element::default()
        }
    }

    fn screen(elements: Vec<Element>) -> Screen {
        Screen { viewport: Size::new(99, 99), elements, ..Screen::default() }
    }

    fn buttons(names: &[&str]) -> Screen {
        let one = |name: &&str| control(Role::Button, name, State::empty());
        screen(names.iter().map(one).collect())
    }

    fn check(one: &Screen, other: &Screen, is_same: bool) {
        assert_eq!(is_same_screen(one, other), is_same, "{one:?}\n{other:?}");
        let shapes = [one, other].map(|screen| shape(&Outline::new(screen)));
        assert_eq!(shapes[0] == shapes[1], is_same, "{one:?}\n{other:?}");
    }

    #[test]
    fn a_number_of_messages_may_change() {
        check(&buttons(&["Inbox (3)", "Drafts"]), &buttons(&["Inbox (12)", "Drafts"]), true);
        check(&buttons(&["Inbox"]), &buttons(&["Drafts"]), false);
    }

    #[test]
    fn figures_that_tell_controls_apart_belong_to_their_names() {
        check(&buttons(&["Row 1", "Row 2"]), &buttons(&["Row 3", "Row 4"]), false);
        check(&buttons(&["1", "Save"]), &buttons(&["2", "Save"]), false);
        let row = |text| screen(vec![control(Role::Item, text, State::empty())]);
        check(&row("Chapter 1"), &row("Chapter 2"), false);
    }

    #[test]
    fn a_control_that_is_set_otherwise_is_another_screen_however_many_there_are() {
        for state in [State::CHECKED, State::SELECTED, State::EXPANDED] {
            let with = |state| {
                let mut screen = buttons(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]);
                screen.elements.push(control(Role::Switch, "Notifications", state));
                screen
            };
            check(&with(State::empty()), &with(state), false);
            check(&with(state), &with(state), true);
        }
        let typed = |value: &str| {
            let mut field = control(Role::Field, "Name", State::EDITABLE);
            field.value = value.into();
            screen(vec![field])
        };
        check(&typed(""), &typed("Ada"), false);
    }

    #[test]
    fn what_was_opened_is_closed_though_more_was_loaded_meanwhile() {
        let (before, open) = (buttons(&["Menu", "Stop", "Deploy"]), &["Menu", "Deploy", "Print"]);
        let opened = Opened::new(&before, &buttons(open));
        for (names, is_closed) in [
            (&["Menu", "Deploy", "Home", "About", "Help"][..], true),
            (open, false),
            (&["Home", "About"], false),
        ] {
            assert_eq!(opened.is_closed(&before, &buttons(names)), is_closed, "{names:?}");
        }
    }

    #[test]
    fn a_position_may_change() {
        let player = |value: &str| {
            let mut slider = control(Role::Slider, "Position", State::empty());
            slider.value = value.into();
            screen(vec![slider])
        };
        check(&player("1"), &player("2"), true);
    }

    #[test]
    fn what_is_covered_is_known_by_the_name_that_it_had() {
        let before = buttons(&["Row 1", "Row 2"]);
        let mut now = before.clone();
        now.elements.iter_mut().for_each(|element| element.state |= State::COVERED);
        let (before, now) = (Outline::new(&before), Outline::new(&now));
        let (before, now) = (Controls::new(&before), Controls::new(&now));
        assert!(before.have(&now, 0) && before.have(&now, 1));
        assert!(now.reached.is_empty());
    }

    #[test]
    fn content_is_all_that_is_seen_but_for_clocks() {
        let content_of = |text: &str| {
            let mut label = control(Role::Label, text, State::empty());
            label.state.remove(State::CLICKABLE);
            label.parent = Some(0);
            let pager = control(Role::Group, "Pages", State::empty());
            let screen = screen(vec![pager, label, control(Role::Button, "Next", State::empty())]);
            let outline = Outline::new(&screen);
            [None, Some(0), Some(2)].map(|part| content(&outline, part))
        };
        let (first, second) = (content_of("Slide 1"), content_of("Slide 2"));
        assert_eq!((first[0] == second[0], first[1] == second[1]), (false, false));
        assert_eq!(first[2], second[2], "it is in another part");
        assert_eq!(first, content_of("Slide 1"));
        assert_eq!(content_of("12:01"), content_of("12:02"));
    }
}
