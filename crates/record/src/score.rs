//! How well an element of one screen is the counterpart of an element of another: pieces of
//! evidence, each a function with a name, and their weighted mean.
//!
//! On its own because it is what will be argued about. A piece of evidence that neither speaks for
//! nor against (an id that is not there) has no weight, so elements that say little are compared by
//! what they say.

use crate::outline::{Outline, Outlined};
use crate::region::Region;
use crate::words::{common, overlap};
use capuchin::ui::{Element, Event, Role, State};

/// A piece of evidence: how much it says, and whether it speaks for it (1) or against it (0).
type Evidence = (f64, f64);

const NOTHING: Evidence = (0.0, 0.0);

/// An element on its screen.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) outline: &'a Outline<'a>,
    pub(crate) index: usize,
    /// Which of the elements of the same name and kind it is, from 0, and how many these are.
    pub(crate) among: (usize, usize),
}

impl<'a> Side<'a> {
    fn view(self) -> &'a Outlined {
        &self.outline.views[self.index]
    }

    fn element(self) -> &'a Element {
        self.outline.element(self.index)
    }
}

/// How well the second is the counterpart of the first, from 0 to 1. `None` if it cannot be, since
/// the kinds do not go together. Whether it takes the event is asked by `matching`.
pub(crate) fn score(one: Side<'_>, other: Side<'_>, in_segment: Option<bool>) -> Option<f64> {
    let kind = kinds(one.element(), other.element())?;
    let evidence = [
        kind,
        ids(one, other),
        names(one, other),
        destinations(one, other),
        classes(one, other),
        natives(one.element(), other.element()),
        sets(1.5, &one.view().around, &other.view().around),
        sets(1.2, &one.view().within, &other.view().within),
        sets(0.8, &one.view().beside, &other.view().beside),
        rows(one.view(), other.view()),
        orders(one, other),
        places(one, other),
        spots(one, other),
        (if in_segment.is_some() { 0.8 } else { 0.0 }, f64::from(in_segment == Some(true))),
        clicks(one, other),
        regions(one.view(), other.view()),
    ];
    let (weight, sum) = evidence
        .iter()
        .fold((0.0, 0.0), |(all, sum), (weight, value)| (all + weight, sum + weight * value));
    let score = sum / weight;
    // A link that opens the same page is a counterpart, whatever it is called on this layout.
    Some(if opens_the_same(one.view(), other.view()) { score.max(SAME_PAGE) } else { score })
}

/// The least score of a link that opens the same page.
const SAME_PAGE: f64 = 0.62;

/// Whether both are links that open the same page.
pub(crate) fn opens_the_same(one: &Outlined, other: &Outlined) -> bool {
    !one.address.is_empty() && one.address == other.address
}

/// Whether anything says that they are the same thing, and not just two of a kind at a place.
pub(crate) fn is_identified(one: Side<'_>, other: Side<'_>) -> bool {
    let (a, b) = (one.view(), other.view());
    let same_id = a.id.is_some() && a.id == b.id;
    let same_destination =
        opens_the_same(a, b) || (!a.leads_to.is_empty() && same_place(&a.leads_to, &b.leads_to));
    let same_name = !a.name.is_empty()
        && name_similarity(a, b) >= 0.6
        && !leads_to_the_other(one, other)
        && !leads_elsewhere(one, other);
    let is_unnamed = a.name.is_empty() && b.name.is_empty();
    let same_look = is_unnamed && is_same_look(a, b);
    let same_row = is_unnamed && a.row.is_some() && is_same_row(a, b);
    let same_number = !one.element().id.is_empty() && one.element().id == other.element().id;
    let same_spot = is_unnamed && is_same_spot(one, other);
    let same_field = is_same_field(one, other);
    same_id
        || same_destination
        || same_name
        || same_look
        || same_row
        || same_number
        || same_spot
        || same_field
}

/// Whether two are fields that look the same and stand in the same, and whose names say no more
/// than that: one has got its name since, or each is the only field there is and they have a word
/// in common. A name is what a field gains with a version, and little else tells fields apart.
fn is_same_field(one: Side<'_>, other: Side<'_>) -> bool {
    let (a, b) = (one.view(), other.view());
    let are_fields = [one, other].iter().all(|side| kind_of(side.element()) == Kind::Text);
    let is_plain = a.classes.is_empty() && b.classes.is_empty();
    let is_named_since = || a.name.is_empty() && !b.name.is_empty();
    let are_alone =
        || common(&a.name_words, &b.name_words) > 0 && is_only_field(one) && is_only_field(other);
    are_fields
        && (is_plain || overlap(&a.classes, &b.classes) >= 0.5)
        && overlap(&a.within, &b.within) >= 0.5
        && (is_named_since() || are_alone())
}

/// Whether no other field can be seen on its screen.
fn is_only_field(side: Side<'_>) -> bool {
    let is_other = |index: &usize| {
        *index != side.index
            && side.outline.is_displayed(*index)
            && kind_of(side.outline.element(*index)) == Kind::Text
    };
    !(0..side.outline.views.len()).any(|index| is_other(&index))
}

/// Whether two without a name have classes that say more than what kind they are of, or stand in
/// parts of the same classes.
fn is_same_look(one: &Outlined, other: &Outlined) -> bool {
    let is_telling = one.classes.len() >= 2 || overlap(&one.within, &other.within) >= 0.5;
    is_telling && overlap(&one.classes, &other.classes) >= 0.5
}

/// Whether two without a name stand in rows that say the same.
fn is_same_row(one: &Outlined, other: &Outlined) -> bool {
    other.row.is_some() && !one.row_words.is_empty() && one.row_words == other.row_words
}

/// Whether they are the same thing by everything that they say: nothing had to be guessed.
pub(crate) fn is_same(one: Side<'_>, other: Side<'_>) -> bool {
    let (a, b) = (one.view(), other.view());
    one.element().role == other.element().role
        && a.name == b.name
        && one.element().id == other.element().id
        && !(a.name.is_empty() && one.element().id.is_empty())
}

/// What an element is for, so that a counterpart may have another role of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Pressed: buttons, links, commands, tabs, rows, pictures that can be clicked.
    Press,
    /// On or off, or one of several.
    Toggle,
    /// Takes text.
    Text,
    /// A choice that opens.
    Choose,
    /// A value that is dragged.
    Drag,
    /// Everything else.
    Shown,
}

pub(crate) fn kind_of(element: &Element) -> Kind {
    if element.is(State::EDITABLE) {
        return Kind::Text;
    }
    match element.role {
        Role::Field => Kind::Text,
        Role::Checkbox | Role::Radio | Role::Switch => Kind::Toggle,
        Role::Combobox => Kind::Choose,
        Role::Slider => Kind::Drag,
        Role::Button | Role::Link | Role::Command | Role::Tab | Role::Choice => Kind::Press,
        _ if element.is(State::CLICKABLE) => Kind::Press,
        _ => Kind::Shown,
    }
}

/// Whether an element can be given an event at all.
pub(crate) fn takes(element: &Element, event: &Event) -> bool {
    match event {
        Event::Type(..) | Event::Clear(_) => element.is(State::EDITABLE),
        _ => true,
    }
}

/// The kinds go together, or they cannot be counterparts.
fn kinds(one: &Element, other: &Element) -> Option<Evidence> {
    let value = match (kind_of(one), kind_of(other)) {
        _ if one.role == other.role => 1.0,
        (a, b) if a == b => 0.8,
        (Kind::Press, Kind::Toggle) | (Kind::Toggle, Kind::Press) => 0.5,
        (Kind::Press, Kind::Shown) | (Kind::Shown, Kind::Press) => 0.4,
        (Kind::Press, Kind::Choose)
        | (Kind::Choose, Kind::Press)
        | (Kind::Toggle, Kind::Shown)
        | (Kind::Shown, Kind::Toggle) => 0.3,
        (Kind::Choose, Kind::Toggle) | (Kind::Toggle, Kind::Choose) => 0.2,
        _ => return None,
    };
    Some((1.0, value))
}

/// The same id says much; another one says little, because copies for two layouts have two.
fn ids(one: Side<'_>, other: Side<'_>) -> Evidence {
    let (a, b) = (one.view(), other.view());
    match (a.id, b.id) {
        (Some(id), Some(other)) if id == other => (3.0, 1.0),
        (Some(_), Some(_)) => (1.0, overlap(&a.id_words, &b.id_words) * 0.8),
        // An id that a program numbered may be the same by chance.
        _ if !one.element().id.is_empty() && one.element().id == other.element().id => (1.5, 1.0),
        _ => NOTHING,
    }
}

/// The name is what a person goes by.
fn names(one: Side<'_>, other: Side<'_>) -> Evidence {
    let (a, b) = (one.view(), other.view());
    match (a.name.is_empty(), b.name.is_empty()) {
        (true, true) => NOTHING,
        (true, false) => (1.5, 0.2),
        // A name that became a picture.
        (false, true) => (2.5, 0.2),
        (false, false) if leads_to_the_other(one, other) => (4.0, 0.2),
        (false, false) => (4.0, name_similarity(a, b)),
    }
}

/// Whether one of two similar names is that of a control which opens or switches something, and the
/// other is not: "Share" opens the menu that has "Share by link".
fn leads_to_the_other(one: Side<'_>, other: Side<'_>) -> bool {
    let opens = |side: Side<'_>| side.element().is(State::EXPANDABLE);
    let switches = |side: Side<'_>| kind_of(side.element()) == Kind::Toggle;
    one.view().name != other.view().name
        && (opens(one) != opens(other) || switches(one) != switches(other))
}

/// How similar two names are: the same, the beginning of the other, or of the same words.
pub(crate) fn name_similarity(one: &Outlined, other: &Outlined) -> f64 {
    if one.name == other.name {
        return 1.0;
    }
    let (short, long) = if one.name.len() < other.name.len() {
        (&one.name, &other.name)
    } else {
        (&other.name, &one.name)
    };
    let is_beginning = short.len() >= 3
        && long.strip_prefix(short.as_str()).is_some_and(|rest| rest.starts_with(' '));
    let words = overlap(&one.name_words, &other.name_words);
    let fewer = one.name_words.len().min(other.name_words.len());
    let is_part = fewer >= 2 && common(&one.name_words, &other.name_words) == fewer;
    let base = if is_beginning || is_part { 0.75 } else { 0.0 };
    f64::max(base, words * 0.85)
}

/// Two links that lead to two places are two things; a link and a label that opens something
/// cannot be compared.
fn destinations(one: Side<'_>, other: Side<'_>) -> Evidence {
    if leads_elsewhere(one, other) {
        return (2.0, 0.0);
    }
    let (one, other) = (one.view(), other.view());
    let (a, b) = (&one.leads_to, &other.leads_to);
    if opens_the_same(one, other) {
        return (3.0, 1.0);
    }
    // Seen from their pages, they open two.
    if !one.address.is_empty() && !other.address.is_empty() {
        return (2.0, if a == b { 0.5 } else { 0.0 });
    }
    if a.is_empty() || b.is_empty() || a.starts_with('#') != b.starts_with('#') {
        NOTHING
    } else if same_place(a, b) {
        (3.0, 1.0)
    } else if a.starts_with('#') {
        (0.5, 0.0)
    } else {
        (2.0, 0.0)
    }
}

/// Whether one is a link to a page, and the other to a place on the page that is shown: an entry of
/// a menu, and one of a table of contents that has the same name.
fn leads_elsewhere(one: Side<'_>, other: Side<'_>) -> bool {
    let is_link = |side: Side<'_>| {
        side.element().role == Role::Link
            && side.view().leads_to.len() > 1
            && !side.element().is(State::EXPANDABLE)
    };
    let is_here = |side: Side<'_>| side.view().leads_to.starts_with('#');
    is_link(one) && is_link(other) && is_here(one) != is_here(other)
}

/// Whether two addresses lead to the same place, seen from two pages.
fn same_place(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_end = long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    one == other || (is_end && short != "/" && short.len() >= 3)
}

/// Classes say most where there is no name.
fn classes(one: Side<'_>, other: Side<'_>) -> Evidence {
    let (a, b) = (one.view(), other.view());
    if a.classes.is_empty() || b.classes.is_empty() {
        return NOTHING;
    }
    let is_unnamed = a.name.is_empty() || b.name.is_empty();
    (if is_unnamed { 2.0 } else { 0.7 }, overlap(&a.classes, &b.classes))
}

fn natives(one: &Element, other: &Element) -> Evidence {
    let is_known = !one.native.is_empty() && !other.native.is_empty();
    if is_known { (0.5, f64::from(one.native == other.native)) } else { NOTHING }
}

fn sets(weight: f64, one: &[u64], other: &[u64]) -> Evidence {
    if one.is_empty() || other.is_empty() { NOTHING } else { (weight, overlap(one, other)) }
}

/// Of what stands in rows, the row of the same content is meant; else the row of the same number.
fn rows(one: &Outlined, other: &Outlined) -> Evidence {
    let (Some(_), Some(_)) = (one.row, other.row) else { return NOTHING };
    if one.row_words.is_empty() || other.row_words.is_empty() {
        return (1.0, f64::from(one.row_number == other.row_number));
    }
    let words = overlap(&one.row_words, &other.row_words);
    let number = f64::from(one.row_number == other.row_number);
    (2.0, words * 0.8 + number * 0.2)
}

/// Of several of one name, the one at the same place among them; what stands alone on both sides
/// has nobody to be mistaken for.
fn orders(one: Side<'_>, other: Side<'_>) -> Evidence {
    let ((a, of), (b, of_others)) = (one.among, other.among);
    if of == 1 && of_others == 1 {
        return (1.0, 1.0);
    }
    if of != of_others { NOTHING } else { (1.5, f64::from(a == b)) }
}

/// Where they are on their screens; layouts differ, so this says little.
fn places(one: Side<'_>, other: Side<'_>) -> Evidence {
    let relative = |side: Side<'_>| {
        let (at, size) = (side.element().touch_point(), side.outline.screen.viewport);
        let share =
            |pixels: i32, of: i32| (f64::from(pixels) / f64::from(of.max(1))).clamp(0.0, 3.0);
        (share(at.x, size.width), share(at.y, size.height))
    };
    let ((x, y), (u, v)) = (relative(one), relative(other));
    let away = ((x - u).abs() + (y - v).abs()).min(1.0);
    (0.5, 1.0 - away)
}

/// On a screen of the same size, what is at the very same spot is most likely the same.
fn spots(one: Side<'_>, other: Side<'_>) -> Evidence {
    if is_same_spot(one, other) { (1.5, 1.0) } else { NOTHING }
}

fn is_same_spot(one: Side<'_>, other: Side<'_>) -> bool {
    let (a, b) = (one.element(), other.element());
    one.outline.screen.viewport == other.outline.screen.viewport
        && a.bounds == b.bounds
        && a.native == b.native
        && a.role == b.role
}

/// What is pressed takes presses, or is part of what does, or holds it.
fn clicks(one: Side<'_>, other: Side<'_>) -> Evidence {
    if !one.element().is(State::CLICKABLE) {
        return NOTHING;
    }
    if other.element().is(State::CLICKABLE) {
        return (0.8, 1.0);
    }
    let takes = |index: usize| other.outline.element(index).is(State::CLICKABLE);
    let is_part = other.outline.screen.ancestors(other.index).take(3).any(takes);
    let holds = || other.outline.children[other.index].iter().any(|child| takes(*child as usize));
    if is_part || holds() { (0.8, 0.5) } else { (1.6, 0.0) }
}

/// What stands in the navigation of one layout stands in that of the other, and not in a text.
fn regions(one: &Outlined, other: &Outlined) -> Evidence {
    match (one.region, other.region) {
        (Region::Unknown, _) => NOTHING,
        (_, Region::Unknown) => (0.5, 0.0),
        (one, other) if one != other && one.may_be(other) => NOTHING,
        (one, other) => (1.0, f64::from(one == other)),
    }
}
