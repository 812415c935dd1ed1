//! The words of the language as Rust functions: what a test writes instead of enum variants.

use crate::event_gen::{ArgumentGen, EventGen, Places, Targets, Towards};
use crate::{
    Arithmetic, Auto, Comparison, ElementTest, Expr, Gen, Injection, Numbers, Prop, Texts,
};
use capuchin_ui::{Direction, Event, Place, Point, Role, Selector, Str, Target, Value};
use std::ops::{Add, RangeInclusive};
use std::sync::Arc;

/// The element with this id.
pub fn id(id: impl Into<Str>) -> Selector {
    Selector::id(id)
}

/// The elements with this class.
pub fn class(class: impl Into<Str>) -> Selector {
    Selector::class(class)
}

/// The element that says this.
pub fn saying(text: impl Into<Str>) -> Selector {
    Selector::text(text)
}

/// The button that says this.
pub fn button(text: impl Into<Str>) -> Selector {
    Selector::role(Role::Button).saying(text)
}

/// The field with this label or placeholder.
pub fn field(text: impl Into<Str>) -> Selector {
    Selector::role(Role::Field).saying(text)
}

/// The label with this in its text.
pub fn label(part: impl Into<Str>) -> Selector {
    Selector::role(Role::Label).containing(part)
}

/// Checkboxes.
pub fn checkbox() -> Selector {
    Selector::role(Role::Checkbox)
}

/// Entries of a list.
pub fn item() -> Selector {
    Selector::role(Role::Item)
}

/// One of these that takes the event, chosen on the live screen.
pub fn any(selector: Selector) -> Target {
    // The number of one of them would leave nothing to choose.
    Target::Any(Selector { nth: None, ..selector })
}

/// A random element that takes the event: the wildcard `*`.
pub fn anything() -> Target {
    Target::any()
}

/// A short press.
pub fn click(target: impl Into<Targets>) -> Gen {
    EventGen::Click(target.into()).into()
}

/// A long press.
pub fn long_click(target: impl Into<Targets>) -> Gen {
    EventGen::LongClick(target.into()).into()
}

/// Two short presses, so soon after one another that they are one gesture.
pub fn double_click(target: impl Into<Targets>) -> Gen {
    EventGen::DoubleClick(target.into()).into()
}

/// The pointer is moved there, and nothing is pressed.
pub fn hover(target: impl Into<Targets>) -> Gen {
    EventGen::Hover(target.into()).into()
}

/// A field is emptied.
pub fn clear(target: impl Into<Targets>) -> Gen {
    EventGen::Clear(target.into()).into()
}

/// Text typed into a field. A plain string is itself; for a drawn one see [`matching`].
pub fn type_text(target: impl Into<Targets>, text: impl Into<Texts>) -> Gen {
    EventGen::Type(target.into(), text.into()).into()
}

/// A text drawn from a regular expression.
///
/// # Panics
/// If strings cannot be drawn from it; [`Texts::matching`] returns that as an error.
#[track_caller]
pub fn matching(regex: &str) -> Texts {
    match Texts::matching(regex) {
        Ok(texts) => texts,
        Err(error) => panic!("matching({regex:?}): {error}"),
    }
}

/// A key by its name: `Enter`, `Escape`.
pub fn press(key: impl Into<Str>) -> Gen {
    Event::Press(key.into()).into()
}

/// A swipe on an element.
pub fn swipe(target: impl Into<Targets>, direction: Direction) -> Gen {
    EventGen::Swipe(target.into(), Towards::Direction(direction)).into()
}

/// A swipe from one element to the middle of another.
pub fn swipe_to(target: impl Into<Targets>, end: Selector) -> Gen {
    EventGen::Swipe(target.into(), Towards::Element(end)).into()
}

/// Two fingers from these points.
pub fn pinch(from: Point, to: Point) -> Gen {
    Event::Pinch(Place::At(from), Place::At(to)).into()
}

/// Nothing, for between so many milliseconds.
pub fn sleep(millis: RangeInclusive<u32>) -> Gen {
    let (low, high) = (f64::from(*millis.start()), f64::from(*millis.end()));
    EventGen::Sleep(if low == high { Numbers::Just(low) } else { Numbers::Between(low, high) })
        .into()
}

/// The device's Back button.
pub fn click_back() -> Gen {
    Event::ClickBack.into()
}

/// The device's Home button, and back to the app.
pub fn click_home() -> Gen {
    Event::ClickHome.into()
}

/// The device's Menu button.
pub fn click_menu() -> Gen {
    Event::ClickMenu.into()
}

/// The device's settings, and back to the app.
pub fn settings() -> Gen {
    Event::Settings.into()
}

/// A quarter turn.
pub fn rotate() -> Gen {
    Event::Rotate.into()
}

/// One interrupt: Home, Menu, Settings or a turn of the device.
pub fn interrupt() -> Gen {
    Gen::interrupt()
}

/// So many events at random points, or interrupts.
pub fn monkey(events: u32) -> Gen {
    Gen::Monkey(events)
}

/// So many events on random elements that take them, or interrupts.
pub fn relevant_monkey(events: u32) -> Gen {
    Gen::RelevantMonkey(events)
}

/// So many random events as of [`relevant_monkey`], each after the directive.
pub fn gorilla(events: u32, directive: Gen) -> Gen {
    Gen::Gorilla(events, Box::new(directive))
}

/// So many events that a policy chooses while the trace runs.
pub fn auto(policy: impl Into<Str>, moves: u32) -> Gen {
    Gen::Auto(Arc::new(Auto { policy: policy.into(), argument: None, moves, script: None }))
}

/// So many events that a policy chooses, each after the script.
pub fn auto_with(policy: impl Into<Str>, moves: u32, script: Gen) -> Gen {
    Gen::Auto(Arc::new(Auto {
        policy: policy.into(),
        argument: None,
        moves,
        script: Some((Injection::With, script)),
    }))
}

/// So many events that a policy chooses; the script is one more that it may choose, where its guard
/// holds.
pub fn auto_offering(policy: impl Into<Str>, moves: u32, script: Gen) -> Gen {
    Gen::Auto(Arc::new(Auto {
        policy: policy.into(),
        argument: None,
        moves,
        script: Some((Injection::Offering, script)),
    }))
}

/// An event in the app's surroundings.
pub fn environment(name: impl Into<Str>, args: impl IntoIterator<Item = Value>) -> Gen {
    let args = args.into_iter().map(ArgumentGen::from);
    EventGen::Environment(name.into(), args.collect()).into()
}

/// The property holds here.
pub fn assert_that(prop: Prop) -> Gen {
    Gen::Assert(prop)
}

/// The value is remembered under this name from here on; see [`remembered`].
pub fn remember(name: impl Into<Str>, value: Expr) -> Gen {
    Gen::Let(name.into(), value)
}

/// What was remembered under this name earlier in the trace. That nothing was is a mistake of the
/// test's, and an error of the run.
pub fn remembered(name: impl Into<Str>) -> Expr {
    Expr::Remembered(name.into())
}

/// The two values are the same.
pub fn equal(left: Expr, right: Expr) -> Prop {
    Prop::Compare(left, Comparison::Equal, right)
}

/// An element is on the screen.
pub fn is_displayed(selector: Selector) -> Prop {
    Prop::Element(ElementTest::Displayed, selector)
}

/// An element can be clicked.
pub fn is_clickable(selector: Selector) -> Prop {
    Prop::Element(ElementTest::Clickable, selector)
}

/// An element says exactly this.
pub fn has_text(selector: Selector, text: impl Into<Str>) -> Prop {
    Prop::HasText(selector, text.into())
}

/// A predicate that the app answers.
pub fn predicate(name: impl Into<Str>, args: impl IntoIterator<Item = Expr>) -> Prop {
    Prop::User(name.into(), args.into_iter().collect())
}

/// A value that the app computes.
pub fn ask(name: impl Into<Str>, args: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Ask(name.into(), args.into_iter().collect())
}

/// What an element says.
pub fn text_of(selector: Selector) -> Expr {
    Expr::TextOf(selector)
}

/// What all elements of this kind say, each on a line.
pub fn texts_of(selector: Selector) -> Expr {
    Expr::TextsOf(selector)
}

/// How many elements there are of this kind.
pub fn count_of(selector: Selector) -> Expr {
    Expr::Count(selector)
}

impl Add for Expr {
    type Output = Expr;

    /// The sum; of two texts, one after the other.
    fn add(self, other: Expr) -> Expr {
        Expr::Arithmetic(Box::new(self), Arithmetic::Add, Box::new(other))
    }
}

impl From<Selector> for Targets {
    fn from(selector: Selector) -> Self {
        Targets::One(selector)
    }
}

impl From<Target> for Targets {
    fn from(target: Target) -> Self {
        match target {
            Target::One(selector) => Targets::One(selector),
            Target::Any(selector) => Targets::Any(selector),
            Target::Place(Place::At(point)) => point.into(),
            Target::Place(Place::Anywhere) => Targets::Place(Places::Anywhere),
        }
    }
}

impl From<Point> for Targets {
    fn from(point: Point) -> Self {
        Targets::Place(Places::Point(Numbers::Just(point.x.into()), Numbers::Just(point.y.into())))
    }
}

impl From<&str> for Texts {
    fn from(text: &str) -> Self {
        Texts::Just(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_prints_as_the_text_language_writes_it() {
        let prints = |generator: Gen, text: &str| assert_eq!(generator.to_string(), text);
        prints(click(id("a")).interruptible(long_click(anything())), "Click(#a) *>> LongClick(*)");
        prints(pinch(Point::new(1, 2), Point::new(3, 4)), "Pinch((1, 2), (3, 4))");
        prints(swipe(id("list"), Direction::Up), "Swipe(#list, Up)");
        prints(swipe_to(id("card"), id("done")), "Swipe(#card, #done)");
        prints(
            double_click(id("a")) >> hover(anything()) >> clear(field("Name")),
            "DoubleClick(#a) :>> Hover(*) :>> Clear(field(\"Name\"))",
        );
        prints(click_back() | click_menu() | settings(), "ClickBack <+> ClickMenu <+> Settings");
        prints(sleep(5..=5) >> sleep(0..=9), "Sleep(5) :>> Sleep(choose(0, 9))");
        prints(
            gorilla(3, rotate().when(is_clickable(saying("Go")))),
            "gorilla 3 { isClickable(\"Go\") then Rotate }",
        );
        prints(monkey(2) >> relevant_monkey(4), "monkey 2 :>> relevantMonkey 4");
        prints(click(id("in")) >> auto("swifthand", 200), "Click(#in) :>> auto swifthand 200");
        prints(auto_with("lstar", 9, rotate()), "auto lstar 9 with { Rotate }");
        prints(
            auto_offering("capuchin", 9, rotate()).optional(),
            "optional { auto capuchin 9 offering { Rotate } }",
        );
        prints(rotate().keeps(text_of(id("t"))), "Rotate keeps text(#t)");
        prints(
            click(id("new").or(class("new"))).keeps(texts_of(item())),
            "Click(#new | .new) keeps texts(item)",
        );
        prints(
            rotate().keeps(count_of(checkbox().unchecked())),
            "Rotate keeps count(checkbox(unchecked))",
        );
        prints(
            interrupt().preserves(has_text(field("Name"), "x")),
            "{ ClickHome <+> ClickMenu <+> Settings <+> Rotate } preserves hasText(field(\"Name\"), \"x\")",
        );
        prints(
            remember("n", count_of(item())) >> assert_that(equal(remembered("n"), Expr::Missing)),
            "let n = count(item) :>> assert n == missing",
        );
        prints(environment("network", ["off".into()]), "network(\"off\")");
        prints(rotate().keeps(ask("v", [text_of(id("a"))])), "Rotate keeps v(text(#a))");
        prints(assert_that(predicate("p", [Expr::Number(1.0)])), "assert p(1)");
    }
}
