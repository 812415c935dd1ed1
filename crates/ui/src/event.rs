//! What can be done to an app: the events of the trace language, and what they are done to.
//!
//! On its own because a new event begins here, with how it is printed: drivers perform it, the
//! trace language draws it, and neither is needed to say what it is.

use crate::{Direction, Point, Quoted, Selector, Str, Value};
use std::fmt;

/// Where on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// At this point.
    At(Point),
    /// At a point that is chosen on the live screen.
    Anywhere,
}

/// What an event is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The element that the selector finds.
    One(Selector),
    /// One of the elements that the selector finds and that take the event, chosen on the live
    /// screen. The wildcard `*` is this with a selector that finds everything.
    Any(Selector),
    /// Whatever is at a place.
    Place(Place),
}

impl Target {
    /// The wildcard `*`.
    pub fn any() -> Self {
        Target::Any(Selector::default())
    }

    /// The element with this id.
    pub fn id(id: impl Into<Str>) -> Self {
        Target::One(Selector::id(id))
    }

    /// Whether nothing is left to be chosen on the live screen.
    pub fn is_concrete(&self) -> bool {
        !matches!(self, Target::Any(_) | Target::Place(Place::Anywhere))
    }
}

impl From<Selector> for Target {
    fn from(selector: Selector) -> Self {
        Target::One(selector)
    }
}

impl From<Point> for Target {
    fn from(point: Point) -> Self {
        Target::Place(Place::At(point))
    }
}

/// Where a swipe goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Toward {
    /// To a place.
    Place(Place),
    /// As far as a finger moves in this direction.
    Direction(Direction),
    /// To the middle of the element that the selector finds.
    Element(Selector),
}

/// An event from the app's environment: a location, a network that is gone, a domain of the user's.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    /// The domain and what happens in it, in one name: `locUpdate`, `network`.
    pub name: Str,
    /// What the domain wants to know.
    pub args: Vec<Value>,
}

/// Something that can be done to an app or to the device that it runs on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A short press.
    Click(Target),
    /// A long press.
    LongClick(Target),
    /// Two short presses, so soon after one another that they are one gesture.
    DoubleClick(Target),
    /// The pointer is moved there, and nothing is pressed.
    Hover(Target),
    /// Text typed into a field, after what is in it.
    Type(Target, Str),
    /// A field is emptied, as a person would: all of it is selected and deleted.
    Clear(Target),
    /// A press that moves.
    Swipe(Target, Toward),
    /// Two fingers.
    Pinch(Place, Place),
    /// A key by its name: `Enter`, `Escape`.
    Press(Str),
    /// Nothing, for so many milliseconds.
    Sleep(u64),
    /// Nothing at all.
    Skip,
    /// The device's Back button.
    ClickBack,
    /// The device's Home button: the app is suspended, then brought back.
    ClickHome,
    /// The device's Menu button.
    ClickMenu,
    /// The device's settings are opened or changed, then the app is brought back.
    Settings,
    /// A quarter turn of the device.
    Rotate,
    /// Something in the app's environment.
    Environment(Environment),
}

impl Event {
    /// The events without arguments, by their names in the language.
    pub const BARE: [(&str, Event); 6] = [
        ("Skip", Event::Skip),
        ("ClickBack", Event::ClickBack),
        ("ClickHome", Event::ClickHome),
        ("ClickMenu", Event::ClickMenu),
        ("Settings", Event::Settings),
        ("Rotate", Event::Rotate),
    ];

    /// The events that an interrupt is one of.
    pub const INTERRUPTS: [Event; 4] =
        [Event::ClickHome, Event::ClickMenu, Event::Settings, Event::Rotate];

    /// Whether nothing is left to be chosen on the live screen.
    pub fn is_concrete(&self) -> bool {
        match self {
            Event::Swipe(_, Toward::Place(Place::Anywhere)) => false,
            Event::Pinch(from, to) => *from != Place::Anywhere && *to != Place::Anywhere,
            _ => self.target().is_none_or(Target::is_concrete),
        }
    }

    /// What it is done to, if it is done to something.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Event::Click(target)
            | Event::LongClick(target)
            | Event::DoubleClick(target)
            | Event::Hover(target)
            | Event::Type(target, _)
            | Event::Clear(target)
            | Event::Swipe(target, _) => Some(target),
            _ => None,
        }
    }

    /// The same event, done to something else. One that is done to nothing stays as it is.
    #[must_use]
    pub fn aimed_at(&self, target: Target) -> Event {
        let mut event = self.clone();
        match &mut event {
            Event::Click(aim)
            | Event::LongClick(aim)
            | Event::DoubleClick(aim)
            | Event::Hover(aim)
            | Event::Type(aim, _)
            | Event::Clear(aim)
            | Event::Swipe(aim, _) => *aim = target,
            _ => {}
        }
        event
    }

    /// The event's name in the trace language.
    pub fn name(&self) -> &str {
        match self {
            Event::Click(_) => "Click",
            Event::LongClick(_) => "LongClick",
            Event::DoubleClick(_) => "DoubleClick",
            Event::Hover(_) => "Hover",
            Event::Type(..) => "Type",
            Event::Clear(_) => "Clear",
            Event::Swipe(..) => "Swipe",
            Event::Pinch(..) => "Pinch",
            Event::Press(_) => "Press",
            Event::Sleep(_) => "Sleep",
            Event::Skip => "Skip",
            Event::ClickBack => "ClickBack",
            Event::ClickHome => "ClickHome",
            Event::ClickMenu => "ClickMenu",
            Event::Settings => "Settings",
            Event::Rotate => "Rotate",
            Event::Environment(event) => &event.name,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::At(point) => point.fmt(f),
            Place::Anywhere => f.write_str("anywhere"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::One(selector) => selector.fmt(f),
            Target::Any(selector) => selector.fmt_any(f),
            Target::Place(place) => place.fmt(f),
        }
    }
}

impl fmt::Display for Toward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Toward::Place(place) => place.fmt(f),
            Toward::Direction(direction) => f.write_str(direction.name()),
            Toward::Element(selector) => selector.fmt(f),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Event::Click(target)
            | Event::LongClick(target)
            | Event::DoubleClick(target)
            | Event::Hover(target)
            | Event::Clear(target) => write!(f, "{name}({target})"),
            Event::Type(target, text) => write!(f, "{name}({target}, {})", Quoted(text)),
            Event::Swipe(target, toward) => write!(f, "{name}({target}, {toward})"),
            Event::Pinch(from, to) => write!(f, "{name}({from}, {to})"),
            Event::Press(key) => write!(f, "{name}({})", Quoted(key)),
            Event::Sleep(millis) => write!(f, "{name}({millis})"),
            Event::Environment(event) => {
                write!(f, "{name}(")?;
                for (i, arg) in event.args.iter().enumerate() {
                    write!(f, "{}{arg}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            _ => f.write_str(name),
        }
    }
}
