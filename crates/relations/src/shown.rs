//! What is shown, as far as a relation may speak of it, and how two screens differ.
//!
//! On its own because every relation compares screens, and what differs by itself is the same for
//! all: focus and caret, where a page is scrolled to, what is covered or greyed out, the order,
//! clocks and bare numbers, messages that come and go. (The comparisons of explorations and of
//! replays ask whether the same can be done; here it is whether a person sees the same.)

use crate::names::is_undo;
use crate::relation::{Judgement, Seen};
use capuchin::trace::Expr;
use capuchin::ui::{DeviceError, Element, Point, Quoted, Rect, Role, Screen, Size, State, Str};
use capuchin::{Finding, Probe};
use std::collections::{BTreeMap, BTreeSet};

/// What is compared beside texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aspects(u8);

impl Aspects {
    /// What is ticked.
    pub(crate) const TICKS: Aspects = Aspects(1);
    /// What is in fields.
    pub(crate) const VALUES: Aspects = Aspects(2);

    pub(crate) const fn empty() -> Self {
        Aspects(0)
    }

    pub(crate) const fn all() -> Self {
        Aspects(3)
    }

    fn has(self, other: Aspects) -> bool {
        self.0 & other.0 != 0
    }
}

/// How many of a hundred facts must be there again where a page may have changed by itself.
const MOSTLY: usize = 80;
/// How many pixels a box may be off.
const TOLERANCE: i32 = 2;
/// How many differences are told.
const TOLD: usize = 4;

/// Something that is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    role: Role,
    id: Str,
    text: Str,
    value: Str,
    is_ticked: bool,
}

/// What counts by itself: a clock, a stopwatch, a number of seconds that are left.
///
/// A number in a label that has changed twice in a row, and both times in the same direction.
#[derive(Debug, Default)]
pub(crate) struct Ticking {
    /// Of each number that changed in the last step, whether it grew.
    changed: BTreeMap<Key, bool>,
    ticks: BTreeSet<Key>,
}

impl Ticking {
    /// Takes note of a step.
    pub(crate) fn note(&mut self, before: &Screen, after: &Screen) {
        let (before, after) = (numbers(before), numbers(after));
        let mut changed = BTreeMap::new();
        for (key, number) in after {
            let Some(was) = before.get(&key).filter(|was| **was != number) else { continue };
            let grows = number > *was;
            if self.changed.get(&key) == Some(&grows) {
                self.ticks.insert(key.clone());
            }
            changed.insert(key, grows);
        }
        self.changed = changed;
    }

    fn has(&self, fact: &Fact) -> bool {
        !self.ticks.is_empty()
            && self.ticks.contains(&(fact.role, fact.id.clone(), masked(&fact.text)))
    }
}

/// The first number in each label that has one, of those that are there once.
fn numbers(screen: &Screen) -> BTreeMap<Key, u64> {
    let mut numbers: BTreeMap<Key, Option<u64>> = BTreeMap::new();
    for element in screen.elements.iter().filter(|element| element.is(State::DISPLAYED)) {
        let Some(fact) = fact(element) else { continue };
        let figures = fact.text.chars().skip_while(|letter| !letter.is_ascii_digit());
        let figures: String = figures.take_while(char::is_ascii_digit).take(15).collect();
        if let Ok(number) = figures.parse() {
            let key = (fact.role, fact.id.clone(), masked(&fact.text));
            numbers.entry(key).and_modify(|it| *it = None).or_insert(Some(number));
        }
    }
    numbers.into_iter().filter_map(|(key, number)| Some((key, number?))).collect()
}

/// A text without its figures.
fn masked(text: &str) -> Str {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>().into()
}

/// How two screens differ.
#[derive(Debug)]
pub(crate) enum Difference {
    Otherwise(Box<(String, String, String)>),
    Gone(String, String),
    New(String, String),
}

/// What is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) place: Str,
    facts: Vec<Fact>,
    /// Controls that may be there only because the pointer is near.
    hovered: BTreeSet<Fact>,
    /// The horizontal place and the size of all that says something or has an id.
    boxes: Vec<(Key, [i32; 3])>,
}

/// What a box is known by.
type Key = (Role, Str, Str);

impl Shown {
    pub(crate) fn of(screen: &Screen, pointer: Option<Point>) -> Self {
        let mut shown = Shown { place: screen.place.clone(), ..Shown::default() };
        let mut is_fleeting: Vec<bool> = Vec::with_capacity(screen.elements.len());
        for (index, element) in screen.elements.iter().enumerate() {
            let parent = element.parent.map(|parent| parent as usize).filter(|up| *up < index);
            let is_one = parent.is_some_and(|up| is_fleeting[up]) || comes_and_goes(element);
            is_fleeting.push(is_one);
            if is_one || !element.is(State::DISPLAYED) {
                continue;
            }
            if let Some(fact) = fact(element) {
                let is_hovered = |pointer| is_hovered(screen, index, pointer);
                if pointer.is_some_and(is_hovered) {
                    shown.hovered.insert(fact.seen_as(Aspects::empty()));
                }
                shown.facts.push(fact);
            }
            if !element.text.is_empty() || !element.id.is_empty() {
                let key = (element.role, element.id.clone(), element.text.clone());
                let bounds = element.bounds;
                shown.boxes.push((key, [bounds.x, bounds.width, bounds.height]));
            }
        }
        shown
    }

    /// Only what says one of these.
    fn saying(mut self, texts: &[Str]) -> Self {
        let says = |fact: &Fact| texts.iter().any(|text| fact.text.contains(text.as_str()));
        self.facts.retain(says);
        self
    }

    /// Whether the screen after a step shows the same of what says one of these.
    pub(crate) fn judge_saying(&self, step: &Seen<'_>, texts: &[Str], claim: &str) -> Judgement {
        let (before, after) = (self.clone().saying(texts), step.shown_after().saying(texts));
        judged(&before.differences(&after, Aspects::empty()), claim)
    }

    /// What is otherwise on the other screen.
    pub(crate) fn differences(&self, other: &Shown, aspects: Aspects) -> Vec<Difference> {
        let mut counts: BTreeMap<Fact, i32> = BTreeMap::new();
        for fact in &self.facts {
            *counts.entry(fact.seen_as(aspects)).or_default() -= 1;
        }
        for fact in &other.facts {
            *counts.entry(fact.seen_as(aspects)).or_default() += 1;
        }
        let of = |sign: i32| {
            let some = counts.iter().filter(move |(_, count)| count.signum() == sign);
            some.flat_map(|(fact, count)| vec![fact; count.unsigned_abs() as usize])
        };
        let (mut new, mut all): (Vec<&Fact>, _) = (of(1).collect(), Vec::new());
        let mut gone = Vec::new();
        new.retain(|is| !other.hovered.contains(&is.seen_as(Aspects::empty())));
        let is_lasting = |was: &&Fact| !self.hovered.contains(&was.seen_as(Aspects::empty()));
        for was in of(-1).filter(is_lasting) {
            match new.iter().position(|is| is.is_of_same_element(was)) {
                Some(place) => {
                    let is = new.remove(place);
                    let told = (was.kind(), was.to_string(), is.to_string());
                    all.push(Difference::Otherwise(Box::new(told)));
                }
                None => gone.push(Difference::Gone(was.kind(), was.to_string())),
            }
        }
        all.append(&mut gone);
        all.extend(new.iter().map(|is| Difference::New(is.kind(), is.to_string())));
        all
    }

    /// Without what counts by itself.
    fn still(&self, step: &Seen<'_>) -> Shown {
        let mut shown = self.clone();
        shown.facts.retain(|fact| !step.ticking.has(fact));
        shown
    }

    /// Whether the screen after a step shows the same.
    pub(crate) fn judge(&self, step: &Seen<'_>, aspects: Aspects, claim: &str) -> Judgement {
        let differences = self.still(step).differences(&step.shown_after().still(step), aspects);
        judged(&differences, claim)
    }

    /// Whether it shows nearly the same: a page that is loaded again may have news.
    pub(crate) fn judge_mostly(&self, step: &Seen<'_>, aspects: Aspects, claim: &str) -> Judgement {
        let differences = self.still(step).differences(&step.shown_after().still(step), aspects);
        let lost = |it: &&Difference| !matches!(it, Difference::New(..));
        let lost = differences.iter().filter(lost).count();
        let kept = self.facts.len().saturating_sub(lost);
        match kept * 100 >= MOSTLY * self.facts.len() {
            true => Judgement::Held,
            false => Judgement::Broken(finding(claim, &differences)),
        }
    }

    /// Whether what is there once on both screens is as wide, as high and as far from the left.
    pub(crate) fn judge_layout(&self, step: &Seen<'_>, claim: &str) -> Judgement {
        let other = step.shown_after();
        let (here, there) = (self.boxes_of_one(), other.boxes_of_one());
        let is_off =
            |a: &[i32; 3], b: &[i32; 3]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > TOLERANCE);
        let moved = here.iter().filter_map(|(key, was)| {
            let is = there.get(key)?;
            is_off(was, is).then_some((*key, *was, *is))
        });
        let mut moved = moved.peekable();
        let Some(((role, ..), ..)) = moved.peek() else { return Judgement::Held };
        let what = format!("{claim}: {} has another size or place", role.name());
        let line = |((role, id, text), was, is): (&Key, [i32; 3], [i32; 3])| {
            let (role, name) = (role.name(), if text.is_empty() { id } else { text });
            let bounds = |[x, width, height]: [i32; 3]| format!("{width}x{height} at x {x}");
            format!("{role} {} was {}, is {}", Quoted(&short(name)), bounds(was), bounds(is))
        };
        let lines: Vec<String> = moved.take(TOLD).map(line).collect();
        Judgement::Broken(Finding::new(what).detail(lines.join("\n")))
    }

    fn boxes_of_one(&self) -> BTreeMap<&Key, [i32; 3]> {
        let mut boxes: BTreeMap<&Key, Option<[i32; 3]>> = BTreeMap::new();
        for (key, bounds) in &self.boxes {
            boxes.entry(key).and_modify(|it| *it = None).or_insert(Some(*bounds));
        }
        boxes.into_iter().filter_map(|(key, bounds)| Some((key, bounds?))).collect()
    }
}

impl Fact {
    fn seen_as(&self, aspects: Aspects) -> Fact {
        let mut fact = self.clone();
        fact.is_ticked &= aspects.has(Aspects::TICKS);
        if !aspects.has(Aspects::VALUES) {
            fact.value = Str::default();
        }
        fact
    }

    fn is_of_same_element(&self, other: &Fact) -> bool {
        let is_named_alike = !self.id.is_empty() || self.text == other.text;
        self.role == other.role && self.id == other.id && is_named_alike
    }

    /// What it is, without what it says: two failures of one kind are one.
    fn kind(&self) -> String {
        match self.id.is_empty() {
            true => self.role.name().to_owned(),
            false => format!("{} #{}", self.role.name(), self.id),
        }
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.kind())?;
        if !self.text.is_empty() {
            write!(f, " {}", Quoted(&short(&self.text)))?;
        }
        if !self.value.is_empty() {
            write!(f, " with {}", Quoted(&short(&self.value)))?;
        }
        f.write_str(if self.is_ticked { " ticked" } else { "" })
    }
}

fn judged(differences: &[Difference], claim: &str) -> Judgement {
    match differences.is_empty() {
        true => Judgement::Held,
        false => Judgement::Broken(finding(claim, differences)),
    }
}

/// The beginning of a text.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The finding that these are different. The first of them tells failures apart.
fn finding(claim: &str, differences: &[Difference]) -> Finding {
    let what = match differences.first() {
        Some(Difference::Otherwise(it)) => format!("{claim}: {} is otherwise", it.0),
        Some(Difference::Gone(kind, _)) => format!("{claim}: {kind} is gone"),
        Some(Difference::New(kind, _)) => format!("{claim}: {kind} is new"),
        None => claim.to_owned(),
    };
    let line = |difference: &Difference| match difference {
        Difference::Otherwise(it) => format!("{} was there, now it is {}", it.1, it.2),
        Difference::Gone(_, fact) => format!("{fact} is gone"),
        Difference::New(_, fact) => format!("{fact} is new"),
    };
    let mut lines: Vec<String> = differences.iter().take(TOLD).map(line).collect();
    if differences.len() > TOLD {
        lines.push(format!("and {} more", differences.len() - TOLD));
    }
    Finding::new(what).detail(lines.join("\n"))
}

/// Whether it is a button or a link in a row or a card that the pointer is on: many show theirs
/// only then.
fn is_hovered(screen: &Screen, index: usize, pointer: Point) -> bool {
    let Size { width, height } = screen.viewport;
    let is_small = |bounds: Rect| {
        2 * i64::from(bounds.width) * i64::from(bounds.height)
            < i64::from(width) * i64::from(height)
    };
    let is_around = |above: usize| {
        let bounds = screen.elements[above].bounds;
        bounds.contains(pointer) && is_small(bounds)
    };
    matches!(screen.elements[index].role, Role::Button | Role::Link)
        && screen.ancestors(index).any(is_around)
}

/// What an element shows that may be compared; nothing if it changes by itself.
fn fact(element: &Element) -> Option<Fact> {
    let Element { role, id, text, value, state, .. } = element;
    // That something can be undone is no part of what there is.
    if matches!(role, Role::Progress) || is_undo(element) {
        return None;
    }
    let is_control = state.intersects(State::CLICKABLE | State::EDITABLE | State::CHECKABLE);
    let text = settled(text);
    if !is_control && text.chars().all(|letter| !letter.is_alphabetic()) {
        return None;
    }
    // An id with figures in it is often made anew each time.
    let id = if id.contains(|c: char| c.is_ascii_digit()) { Str::default() } else { id.clone() };
    let is_ticked = element.is(State::CHECKED);
    let is_position =
        matches!(role, Role::Slider) || !state.intersects(State::EDITABLE | State::CLICKABLE);
    let value = if is_position { Str::default() } else { value.trim().into() };
    if text.is_empty() && id.is_empty() && value.is_empty() && !element.is(State::CHECKABLE) {
        return None;
    }
    Some(Fact { role: *role, id, text, value, is_ticked })
}

/// Words beside which a number is a time.
const UNITS_OF_TIME: [&str; 14] = [
    "ago", "tenths", "ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minute",
    "minutes", "hour", "hours",
];

/// A text without what changes by itself: moments, and marks of what is not saved.
fn settled(text: &str) -> Str {
    let text = text.trim().trim_matches(['*', '•', '●']).trim();
    let bytes = text.as_bytes();
    let is_unit = |word: &str| UNITS_OF_TIME.contains(&word.to_lowercase().as_str());
    let is_moment = bytes
        .windows(3)
        .any(|three| three[1] == b':' && three[0].is_ascii_digit() && three[2].is_ascii_digit())
        || text.split(|letter: char| !letter.is_alphabetic()).any(is_unit);
    match is_moment {
        true => text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>().into(),
        false => text.into(),
    }
}

/// Whether it is a message or a hint that comes and goes by itself, by what its author calls it.
fn comes_and_goes(element: &Element) -> bool {
    // Status lines and paths follow what is selected.
    const WORDS: [&str; 12] = [
        "toast",
        "snackbar",
        "tooltip",
        "notification",
        "growl",
        "flash",
        "popover",
        "ripple",
        "loading",
        "status",
        "breadcrumb",
        "treepath",
    ];
    let said = |text: &str| {
        let text = text.to_lowercase();
        WORDS.iter().any(|word| text.contains(word))
    };
    !element.state.intersects(State::CLICKABLE | State::EDITABLE)
        && (said(&element.classes) || said(&element.id))
}

/// What the app has stored, as a digest; nothing where the device cannot tell.
pub(crate) fn stored(app: &mut Probe<'_>) -> Result<Option<Str>, DeviceError> {
    match app.value(&Expr::Ask("capuchin:stored".into(), Vec::new())) {
        Ok(value) => Ok(value.map(|value| value.to_string().into())),
        Err(error @ (DeviceError::Lost { .. } | DeviceError::Stopped { .. })) => Err(error),
        Err(_) => Ok(None),
    }
}
