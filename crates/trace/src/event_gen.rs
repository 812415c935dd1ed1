//! Events with generators for arguments.

use crate::argument::{Sampler, pick_arm};
use crate::{Numbers, Texts};
use capuchin_ui::{
    Direction, Environment, Event, Place, Point, Selector, Str, Target, TextMatch, Toward, Value,
};

/// A set of places to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// A point whose coordinates are drawn from these.
    Point(Numbers, Numbers),
    /// A point that is chosen on the live screen.
    Anywhere,
}

/// A set of targets to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Targets {
    /// The element that the selector finds.
    One(Selector),
    /// An element chosen on the live screen among those that the selector finds.
    Any(Selector),
    /// An element by its text, which is drawn.
    Saying(Texts),
    /// Whatever is at a place.
    Place(Places),
    /// One of these sets, by weight.
    OneOf(Vec<(u32, Targets)>),
}

/// A set of ends of a swipe to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Towards {
    /// As far as a finger moves.
    Direction(Direction),
    /// To a place.
    Place(Places),
    /// To an element.
    Element(Selector),
}

/// An event some of whose arguments are still to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum EventGen {
    /// A short press.
    Click(Targets),
    /// A long press.
    LongClick(Targets),
    /// Two short presses at once.
    DoubleClick(Targets),
    /// The pointer is moved there.
    Hover(Targets),
    /// A field is emptied.
    Clear(Targets),
    /// Text typed into a field.
    Type(Targets, Texts),
    /// A press that moves.
    Swipe(Targets, Towards),
    /// Two fingers.
    Pinch(Places, Places),
    /// Nothing, for so many milliseconds.
    Sleep(Numbers),
    /// Something in the app's surroundings.
    Environment(Str, Vec<ArgumentGen>),
    /// An event without arguments to draw: a device event, a key, `Skip`.
    Just(Event),
}

/// An argument of an environment event.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgumentGen {
    /// A number.
    Number(Numbers),
    /// A text.
    Text(Texts),
}

impl Places {
    fn sample(&self, sampler: &mut Sampler) -> Place {
        match self {
            Places::Point(x, y) => Place::At(Point::new(
                x.sample(sampler).round() as i32,
                y.sample(sampler).round() as i32,
            )),
            Places::Anywhere => Place::Anywhere,
        }
    }

    fn is_fixed(&self) -> bool {
        matches!(self, Places::Anywhere | Places::Point(Numbers::Just(_), Numbers::Just(_)))
    }
}

impl Targets {
    fn sample(&self, sampler: &mut Sampler) -> Target {
        match self {
            Targets::One(selector) => Target::One(selector.clone()),
            Targets::Any(selector) => Target::Any(selector.clone()),
            Targets::Saying(texts) => Target::One(Selector::text(texts.sample(sampler))),
            Targets::Place(places) => Target::Place(places.sample(sampler)),
            Targets::OneOf(arms) => {
                pick_arm(arms, &mut sampler.rng).map_or_else(Target::any, |arm| arm.sample(sampler))
            }
        }
    }
}

impl EventGen {
    pub(crate) fn sample(&self, sampler: &mut Sampler) -> Event {
        match self {
            EventGen::Click(targets) => Event::Click(targets.sample(sampler)),
            EventGen::LongClick(targets) => Event::LongClick(targets.sample(sampler)),
            EventGen::DoubleClick(targets) => Event::DoubleClick(targets.sample(sampler)),
            EventGen::Hover(targets) => Event::Hover(targets.sample(sampler)),
            EventGen::Clear(targets) => Event::Clear(targets.sample(sampler)),
            EventGen::Type(targets, texts) => {
                Event::Type(targets.sample(sampler), texts.sample(sampler))
            }
            EventGen::Swipe(targets, towards) => {
                let target = targets.sample(sampler);
                let toward = match towards {
                    Towards::Direction(direction) => Toward::Direction(*direction),
                    Towards::Place(places) => Toward::Place(places.sample(sampler)),
                    Towards::Element(selector) => Toward::Element(selector.clone()),
                };
                Event::Swipe(target, toward)
            }
            EventGen::Pinch(from, to) => Event::Pinch(from.sample(sampler), to.sample(sampler)),
            EventGen::Sleep(millis) => Event::Sleep(millis.sample(sampler).max(0.0) as u64),
            EventGen::Environment(name, args) => Event::Environment(Environment {
                name: name.clone(),
                args: args
                    .iter()
                    .map(|arg| match arg {
                        ArgumentGen::Number(numbers) => Value::Number(numbers.sample(sampler)),
                        ArgumentGen::Text(texts) => Value::Text(texts.sample(sampler)),
                    })
                    .collect(),
            }),
            EventGen::Just(event) => event.clone(),
        }
    }

    /// What it is done to, if it is done to something.
    fn targets(&self) -> Option<&Targets> {
        match self {
            EventGen::Click(targets)
            | EventGen::LongClick(targets)
            | EventGen::DoubleClick(targets)
            | EventGen::Hover(targets)
            | EventGen::Clear(targets)
            | EventGen::Type(targets, _)
            | EventGen::Swipe(targets, _) => Some(targets),
            _ => None,
        }
    }

    /// Whether there is an argument that could be drawn differently and compared for simplicity.
    pub(crate) fn has_choices(&self) -> bool {
        let drawn = match self {
            EventGen::Type(_, texts) => !matches!(texts, Texts::Just(_)),
            EventGen::Sleep(millis) => !matches!(millis, Numbers::Just(_)),
            EventGen::Environment(_, args) => args.iter().any(ArgumentGen::has_choices),
            _ => false,
        };
        drawn
            || self.targets().is_some_and(|targets| match targets {
                Targets::OneOf(_) | Targets::Saying(_) | Targets::Any(_) => true,
                Targets::Place(place) => !place.is_fixed(),
                Targets::One(_) => false,
            })
    }

    /// The event with its wildcard left open again, to be the element number `pick` of those that
    /// take it. Nothing if it came from no wildcard.
    pub(crate) fn reopened(&self, event: &Event, pick: u32) -> Option<Event> {
        match (self.targets()?, event.target()?) {
            (Targets::Any(selector), Target::One(_)) => {
                Some(event.aimed_at(Target::Any(selector.clone().nth(pick))))
            }
            _ => None,
        }
    }

    /// Simpler events that could have been drawn instead of this one, the simplest first.
    pub(crate) fn simpler(&self, event: &Event) -> Vec<Event> {
        let mut simpler = match (self.targets(), event.target()) {
            (Some(targets), Some(target)) => {
                let targets = targets.simpler(target).into_iter();
                targets.map(|target| event.aimed_at(target)).collect()
            }
            _ => Vec::new(),
        };
        match (self, event) {
            (EventGen::Type(_, texts), Event::Type(target, text)) => {
                let texts = texts.simpler(text).into_iter();
                simpler.extend(texts.map(|text| Event::Type(target.clone(), text)));
            }
            (EventGen::Sleep(numbers), Event::Sleep(millis)) => {
                let numbers = numbers.simpler(*millis as f64).into_iter();
                simpler.extend(numbers.map(|millis| Event::Sleep(millis.max(0.0) as u64)));
            }
            (EventGen::Environment(_, generators), Event::Environment(event)) => {
                for (place, (generator, arg)) in generators.iter().zip(&event.args).enumerate() {
                    simpler.extend(generator.simpler(arg).into_iter().map(|arg| {
                        let mut event = event.clone();
                        event.args[place] = arg;
                        Event::Environment(event)
                    }));
                }
            }
            _ => {}
        }
        simpler
    }
}

impl ArgumentGen {
    fn has_choices(&self) -> bool {
        match self {
            ArgumentGen::Number(numbers) => !matches!(numbers, Numbers::Just(_)),
            ArgumentGen::Text(texts) => !matches!(texts, Texts::Just(_)),
        }
    }

    fn simpler(&self, value: &Value) -> Vec<Value> {
        match (self, value) {
            (ArgumentGen::Number(numbers), Value::Number(number)) => {
                numbers.simpler(*number).into_iter().map(Value::Number).collect()
            }
            (ArgumentGen::Text(texts), Value::Text(text)) => {
                texts.simpler(text).into_iter().map(Value::Text).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Targets {
    /// Simpler targets that could have been drawn instead: earlier ones of several, points nearer
    /// to the corner, shorter texts.
    fn simpler(&self, target: &Target) -> Vec<Target> {
        match (self, target) {
            (Targets::OneOf(arms), _) => {
                let fixed = arms.iter().map(|(weight, arm)| match arm {
                    Targets::One(selector) if *weight > 0 => Some(Target::One(selector.clone())),
                    _ => None,
                });
                // What stands before it. Of a wildcard that was filled in, the place is not known.
                let fixed: Vec<Option<Target>> = fixed.collect();
                let at = fixed.iter().position(|arm| arm.as_ref() == Some(target)).unwrap_or(0);
                fixed.into_iter().take(at).flatten().collect()
            }
            (Targets::Place(Places::Point(xs, ys)), Target::Place(Place::At(point))) => {
                simpler_points(xs, ys, *point).map(Target::from).collect()
            }
            // A wildcard that was filled in: the first element that takes the event is the
            // simplest.
            (Targets::Any(selector), Target::One(_)) => {
                vec![Target::Any(selector.clone().nth(1))]
            }
            (Targets::Saying(texts), Target::One(selector)) => match &selector.text {
                Some(TextMatch::Is(text)) => texts
                    .simpler(text)
                    .into_iter()
                    .map(|text| Target::One(Selector::text(text)))
                    .collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

fn simpler_points(xs: &Numbers, ys: &Numbers, point: Point) -> impl Iterator<Item = Point> {
    let by_x =
        xs.simpler(point.x.into()).into_iter().map(move |x| Point::new(x.round() as i32, point.y));
    let by_y =
        ys.simpler(point.y.into()).into_iter().map(move |y| Point::new(point.x, y.round() as i32));
    by_x.chain(by_y)
}

impl From<Value> for ArgumentGen {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => ArgumentGen::Number(Numbers::Just(number)),
            Value::Text(text) => ArgumentGen::Text(Texts::Just(text)),
        }
    }
}

impl From<Event> for EventGen {
    fn from(event: Event) -> Self {
        let places = |place: Place| match place {
            Place::At(p) => Places::Point(Numbers::Just(p.x.into()), Numbers::Just(p.y.into())),
            Place::Anywhere => Places::Anywhere,
        };
        let targets = |target: Target| match target {
            Target::One(selector) => Targets::One(selector),
            Target::Any(selector) => Targets::Any(selector),
            Target::Place(place) => Targets::Place(places(place)),
        };
        match event {
            Event::Click(target) => EventGen::Click(targets(target)),
            Event::LongClick(target) => EventGen::LongClick(targets(target)),
            Event::DoubleClick(target) => EventGen::DoubleClick(targets(target)),
            Event::Hover(target) => EventGen::Hover(targets(target)),
            Event::Clear(target) => EventGen::Clear(targets(target)),
            Event::Type(target, text) => EventGen::Type(targets(target), Texts::Just(text)),
            Event::Swipe(target, toward) => EventGen::Swipe(
                targets(target),
                match toward {
                    Toward::Direction(direction) => Towards::Direction(direction),
                    Toward::Place(place) => Towards::Place(places(place)),
                    Toward::Element(selector) => Towards::Element(selector),
                },
            ),
            Event::Pinch(from, to) => EventGen::Pinch(places(from), places(to)),
            Event::Sleep(millis) => EventGen::Sleep(Numbers::Just(millis as f64)),
            Event::Environment(event) => EventGen::Environment(
                event.name,
                event.args.into_iter().map(ArgumentGen::from).collect(),
            ),
            other => EventGen::Just(other),
        }
    }
}
