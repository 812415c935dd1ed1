//! One gesture as the script in the page tells it, and the event that stands for it.
//!
//! On its own because it is a function of what was said and of the screen: which browser it was
//! said in does not matter.

use super::aim;
use crate::keys::Key;
use capuchin_ui::{
    Direction, Event, Lack, Place, Point, Role, Screen, Selector, State, Str, Target, Toward,
};
use serde::Deserialize;

/// A scroll of less than this part of a swipe is told by its length.
const LEAST_SWIPE: f64 = 0.6;

/// How many milliseconds the two clicks of a double click are apart at most.
const LONGEST_DOUBLE_CLICK: f64 = 500.0;

/// What kind of gesture it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Click,
    Double,
    /// A long press.
    Press,
    /// The other button of a mouse.
    Menu,
    Drag,
    /// A short swipe of a finger.
    Flick,
    Scroll,
    /// The wheel, where nothing can be scrolled.
    Wheel,
    Pinch,
    /// A text behind what is there, or a value.
    Type,
    /// A text instead of what is there.
    Replace,
    /// One of the options of a list.
    Choose,
    Key,
    Back,
    /// The last event is a key event.
    Mark,
    /// An element is expected to be there.
    Expect,
    /// No event stands for it.
    Lack,
}

/// What the script says.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Gesture {
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) id: u64,
    #[serde(default)]
    pub(super) x: i32,
    #[serde(default)]
    pub(super) y: i32,
    #[serde(default)]
    to_x: i32,
    #[serde(default)]
    to_y: i32,
    #[serde(default)]
    dx: f64,
    #[serde(default)]
    dy: f64,
    /// A text, the name of a key, or what is lacking.
    #[serde(default)]
    pub(super) text: String,
    /// What was in the field before, where that is known.
    #[serde(default)]
    pub(super) before: Option<String>,
    #[serde(default)]
    what: String,
    /// The element that it is about, by its number.
    #[serde(default)]
    about: u64,
    /// Whether a second click would make a double click of it.
    #[serde(default)]
    hears_doubles: bool,
    /// When it was, in milliseconds.
    #[serde(default)]
    time: f64,
    /// What it is about, for people.
    #[serde(default)]
    label: String,
    /// The element that shows it was pointed at before.
    #[serde(skip)]
    is_hovered: bool,
}

/// The elements of the screen that it is about, by their numbers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Elements {
    /// It went before it was looked for.
    pub(super) is_gone: bool,
    /// The element and those around it, from the inside out.
    pub(super) from: Vec<usize>,
    /// The same for where it ends.
    pub(super) to: Vec<usize>,
    /// What the pointer came to before; negative is none of the screen's.
    trail: Vec<i64>,
    /// Those of `from` that have a menu behind the other button.
    menus: Vec<usize>,
}

/// What it means.
#[derive(Debug, PartialEq)]
pub(super) enum Meaning {
    /// This event, and then the rest of the gesture.
    Event(Event, Option<Box<Gesture>>),
    KeyEvent,
    Expected(Selector, Str),
    Lack(Lack),
    /// It has no effect on anything.
    Nothing,
}

impl PartialEq for Gesture {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.id) == (other.kind, other.id)
    }
}

impl Gesture {
    pub(super) fn new(kind: Kind, text: &str) -> Self {
        Gesture {
            kind,
            id: 0,
            x: 0,
            y: 0,
            to_x: 0,
            to_y: 0,
            dx: 0.0,
            dy: 0.0,
            text: text.to_owned(),
            before: None,
            what: String::new(),
            about: 0,
            hears_doubles: false,
            time: 0.0,
            label: String::new(),
            is_hovered: false,
        }
    }

    /// Whether there may be more of it.
    pub(super) fn has_parts(&self) -> bool {
        matches!(self.kind, Kind::Type | Kind::Scroll) || self.hears_doubles
    }

    /// The gesture that this one and the next are, if they are one: who is slow to ask hears of
    /// several parts at once.
    pub(super) fn joined(&self, next: &Gesture) -> Option<Gesture> {
        if self.about == 0 || self.about != next.about || self.is_hovered {
            return None;
        }
        match (self.kind, next.kind) {
            (Kind::Type, Kind::Type) => {
                Some(Gesture { text: format!("{}{}", self.text, next.text), ..self.clone() })
            }
            (Kind::Scroll, Kind::Scroll) => {
                let (dx, dy) = (self.dx + next.dx, self.dy + next.dy);
                Some(Gesture { dx, dy, ..self.clone() })
            }
            (Kind::Click, Kind::Click)
                if self.hears_doubles
                    && next.hears_doubles
                    && next.time - self.time < LONGEST_DOUBLE_CLICK =>
            {
                Some(Gesture { kind: Kind::Double, ..self.clone() })
            }
            _ => None,
        }
    }

    /// Whether it is about an element.
    pub(super) fn needs_elements(&self) -> bool {
        match self.kind {
            Kind::Back | Kind::Mark | Kind::Lack | Kind::Pinch => false,
            // A key may go to nothing.
            Kind::Key => !self.label.is_empty(),
            _ => true,
        }
    }

    /// The page has changed before it could be performed.
    pub(super) fn too_late(&self) -> Lack {
        Lack {
            what: format!("something done to {} that had gone", self.label).into(),
            reason: "the page changed before it could be recorded; wait until the page shows the \
                     effect of one event before the next"
                .into(),
        }
    }

    /// The event that stands for it on this screen.
    pub(super) fn meaning(
        &self,
        screen: &Screen,
        before: &Screen,
        elements: &Elements,
        has_wheels: bool,
    ) -> Meaning {
        if let Some(hover) = self.hover(screen, before, elements) {
            return hover;
        }
        let at = Point::new(self.x, self.y);
        let done = |event: Event| Meaning::Event(event, None);
        let from = &elements.from;
        match self.kind {
            Kind::Click => done(aim::pressed(screen, from, at, Event::Click)),
            Kind::Double => done(aim::pressed(screen, from, at, Event::DoubleClick)),
            Kind::Press => done(aim::pressed(screen, from, at, Event::LongClick)),
            Kind::Menu => match elements.menus.first() {
                Some(index) => done(Event::LongClick(Target::One(screen.name_of(*index)))),
                None => {
                    lack("the right button", &self.label, "nothing there has a menu of its own")
                }
            },
            Kind::Drag => done(self.drag(screen, elements)),
            Kind::Flick => {
                let direction = direction(self.dx, self.dy);
                done(aim::dragged(screen, from, at, &Toward::Direction(direction)))
            }
            Kind::Scroll => self.scroll(screen, from),
            Kind::Wheel if !has_wheels => Meaning::Nothing,
            Kind::Wheel => lack("the wheel", &self.label, "nothing can be scrolled there"),
            Kind::Pinch => {
                let to = Place::At(Point::new(self.to_x, self.to_y));
                done(Event::Pinch(Place::At(at), to))
            }
            Kind::Type | Kind::Choose | Kind::Replace => self.typed(screen, elements),
            Kind::Key => match Key::named(&self.text) {
                Some(_) => done(Event::Press(self.text.as_str().into())),
                None => lack("the key", &self.text, "no event has this key"),
            },
            Kind::Back => done(Event::ClickBack),
            Kind::Mark => Meaning::KeyEvent,
            Kind::Expect => match aim::said(screen, from) {
                Some(index) => {
                    let name = screen.name_of(index);
                    let text = screen.text(&name).unwrap_or_default().into();
                    Meaning::Expected(name, text)
                }
                None => lack("an assertion", &self.label, "this is no element of the screen"),
            },
            Kind::Lack => self.lacking(),
        }
    }

    /// What was pointed at first, if only that shows what the gesture is done to.
    fn hover(&self, screen: &Screen, before: &Screen, elements: &Elements) -> Option<Meaning> {
        let is_press = matches!(self.kind, Kind::Click | Kind::Double | Kind::Press | Kind::Menu);
        if self.is_hovered || !is_press {
            return None;
        }
        let at = Point::new(self.x, self.y);
        let event = aim::pressed(screen, &elements.from, at, Event::Click);
        if matches!(event.target(), Some(Target::Place(_))) || before.locate(&event).is_ok() {
            return None;
        }
        let shower = elements.trail.iter().rev().find_map(|index| {
            let index = usize::try_from(*index).ok()?;
            let hover = Event::Hover(Target::One(screen.name_of(index)));
            let is_other = elements.from.first() != Some(&index);
            (is_other && before.locate(&hover).is_ok() && screen.locate(&hover).is_ok())
                .then_some(hover)
        })?;
        let rest = Gesture { is_hovered: true, ..self.clone() };
        Some(Meaning::Event(shower, Some(Box::new(rest))))
    }

    fn drag(&self, screen: &Screen, elements: &Elements) -> Event {
        let (at, end) = (Point::new(self.x, self.y), Point::new(self.to_x, self.to_y));
        let from = aim::dragged(screen, &elements.from, at, &Toward::Place(Place::At(end)));
        let is_within = |index: &usize| elements.from.contains(index);
        if elements.to.first().is_none_or(is_within) {
            return from;
        }
        let Event::Swipe(target, _) = &from else { return from };
        let ends = elements.to.iter().take_while(|index| !is_within(index));
        let toward = |index: &usize| {
            let toward = Toward::Element(screen.name_of(*index));
            let event = Event::Swipe(target.clone(), toward);
            screen.swiped_to(&event).is_ok().then_some(event)
        };
        ends.map(toward).find_map(|event| event).unwrap_or(from)
    }

    /// Swipes by what a finger moves, as often as it takes.
    fn scroll(&self, screen: &Screen, from: &[usize]) -> Meaning {
        let Some(index) = from.first() else { return Meaning::Nothing };
        let (bounds, viewport) = (screen.elements[*index].bounds, screen.viewport);
        let is_across = self.dx.abs() > self.dy.abs();
        let (by, size) = match is_across {
            true => (self.dx, bounds.width.min(viewport.width)),
            false => (self.dy, bounds.height.min(viewport.height)),
        };
        let swipe = f64::from(size * 4 / 5).max(1.0);
        let target = Target::One(screen.name_of(*index));
        if by.abs() >= LEAST_SWIPE * swipe {
            let left = by.abs() - swipe;
            let rest = (left >= LEAST_SWIPE * swipe).then(|| {
                let left = left.copysign(by);
                let (dx, dy) = if is_across { (left, 0.0) } else { (0.0, left) };
                Box::new(Gesture { dx, dy, ..self.clone() })
            });
            // What is scrolled goes the other way.
            let toward = Toward::Direction(direction(-self.dx, -self.dy));
            return Meaning::Event(Event::Swipe(target, toward), rest);
        }
        let start = screen.elements[*index].touch_point();
        let by = -by.round() as i32;
        let end = if is_across {
            Point::new((start.x + by).clamp(0, viewport.width - 1), start.y)
        } else {
            Point::new(start.x, (start.y + by).clamp(0, viewport.height - 1))
        };
        Meaning::Event(Event::Swipe(target, Toward::Place(Place::At(end))), None)
    }

    /// The screen as it was before somebody typed, if they have typed on since.
    pub(super) fn screen_before(&self, screen: &Screen, elements: &Elements) -> Option<Screen> {
        let before = self.before.as_ref()?;
        let is_field = |index: &&usize| screen.elements[**index].is(State::EDITABLE);
        let field = *elements.from.iter().find(is_field)?;
        (screen.elements[field].value != before.as_str()).then(|| {
            let mut screen = screen.clone();
            screen.elements[field].value = before.as_str().into();
            screen
        })
    }

    fn typed(&self, screen: &Screen, elements: &Elements) -> Meaning {
        let done = |event: Event| Meaning::Event(event, None);
        let text = Str::from(self.text.as_str());
        let field = elements.from.iter().find(|index| screen.elements[**index].is(State::EDITABLE));
        let Some(field) =
            field.copied().filter(|index| screen.elements[*index].is(State::DISPLAYED))
        else {
            return lack("a text", &self.label, "what it is typed into is not on the screen");
        };
        let target = Target::One(screen.name_of(field));
        match self.kind {
            Kind::Replace if !screen.elements[field].value.is_empty() => {
                let rest = Gesture { kind: Kind::Type, before: None, ..self.clone() };
                let rest = (!self.text.is_empty()).then(|| Box::new(rest));
                Meaning::Event(Event::Clear(target), rest)
            }
            Kind::Choose => {
                // Two options may say the same; a number tells them apart.
                let labels = screen.elements.iter().filter(|element| {
                    element.role == Role::Choice
                        && element.parent == Some(field as u32)
                        && element.text == self.text
                });
                match elements.to.first() {
                    Some(option) if labels.count() > 1 => {
                        done(Event::Click(Target::One(screen.name_of(*option))))
                    }
                    _ => done(Event::Type(target, text)),
                }
            }
            _ => done(Event::Type(target, text)),
        }
    }

    fn lacking(&self) -> Meaning {
        let (what, reason) = match self.what.as_str() {
            "frame" => ("what is done in a frame of another origin", "its elements are not seen"),
            "forward" => ("forward", "no event goes forward in the history"),
            "button" => ("the middle button", "no event has it"),
            "modifier" => ("a click with a key held", "no event has it"),
            "zoom" => ("zooming with the wheel", "no event has it"),
            "spread" => ("two fingers that part", "a pinch is two fingers that meet"),
            "fingers" => ("two fingers that rest or move together", "no event has it"),
            "browser" => ("a key of the browser", "it is none of the app's"),
            "composition" => {
                ("a text of an input method", "the app heard of it before it was recorded")
            }
            "editing" => ("an editing command", "no event has it"),
            "paste" => ("a paste", "what is pasted is no text, or goes nowhere"),
            "drop" => ("something dropped from outside", "no event brings it"),
            "files" => ("several files", "an event gives one; it was the first"),
            _ => ("something", "no event stands for it"),
        };
        let about = [self.text.as_str(), self.label.as_str()].into_iter();
        lack(
            what,
            about.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" on ").as_str(),
            reason,
        )
    }
}

/// Somebody has typed an address, or chosen a bookmark.
pub(super) fn went_to(url: &str) -> Lack {
    Lack {
        what: format!("going to the address {url}").into(),
        reason: "no event goes to an address, so a replay goes on where it was; record from that \
                 address, or click the way to it"
            .into(),
    }
}

fn lack(what: &str, about: &str, reason: &str) -> Meaning {
    let what = if about.is_empty() { what.to_owned() } else { format!("{what}: {about}") };
    Meaning::Lack(Lack {
        what: what.into(),
        reason: format!("{reason}; it was not performed").into(),
    })
}

fn direction(dx: f64, dy: f64) -> Direction {
    match (dx.abs() > dy.abs(), dx > 0.0, dy > 0.0) {
        (true, true, _) => Direction::Right,
        (true, false, _) => Direction::Left,
        (false, _, true) => Direction::Down,
        (false, _, false) => Direction::Up,
    }
}
