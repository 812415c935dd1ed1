//! The monkeys of figures 14 and 15 played by hand, so that the sample apps can be tested without
//! the rest of the tool.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use capuchin_ui::{
    Device, Event, Observation, Place, Point, Rng, Screen, Selector, Target, Toward,
};

/// Opens a sample app and resets it.
pub fn start(name: &str, seed: u64) -> (Box<dyn Device>, Observation) {
    let mut device = capuchin_apps::open(name).unwrap();
    let seen = device.reset(seed).unwrap();
    (device, seen)
}

pub fn id(id: &str) -> Target {
    Target::id(id)
}

pub fn says(text: &str) -> Target {
    Target::One(Selector::text(text))
}

pub fn interrupts() -> [Event; 4] {
    [Event::ClickHome, Event::ClickMenu, Event::Settings, Event::Rotate]
}

fn point(screen: &Screen, rng: &mut Rng) -> Point {
    let size = screen.viewport;
    Point::new(rng.below(size.width as u64) as i32, rng.below(size.height as u64) as i32)
}

fn word(rng: &mut Rng) -> String {
    (0..=rng.below(8)).map(|_| (b'a' + rng.below(26) as u8) as char).collect()
}

/// The wildcard, filled in; `None` if nothing takes the event.
fn choose(screen: &Screen, event: &Event, rng: &mut Rng) -> Option<Target> {
    let all: Vec<usize> = screen.candidates(event).map(|(index, _)| index).collect();
    if all.is_empty() {
        return None;
    }
    let index = all[rng.below(all.len() as u64) as usize];
    Some(Target::One(screen.name_of(index)))
}

/// One move of a monkey: ten arms, all equally likely. `None` is a wildcard that nothing fits.
pub fn monkey_move(screen: &Screen, relevant: bool, rng: &mut Rng) -> Option<Event> {
    let arm = rng.below(10);
    let anywhere = Toward::Place(Place::At(point(screen, rng)));
    let text = word(rng);
    let target = |event: Event, rng: &mut Rng| {
        if relevant { choose(screen, &event, rng) } else { Some(point(screen, rng).into()) }
    };
    Some(match arm {
        0 => Event::Click(target(Event::Click(Target::any()), rng)?),
        1 => Event::LongClick(target(Event::LongClick(Target::any()), rng)?),
        2 => {
            let any = Event::Type(Target::any(), "".into());
            Event::Type(target(any, rng)?, text.into())
        }
        3 => Event::Swipe(target(Event::Swipe(Target::any(), anywhere), rng)?, anywhere),
        4 => Event::Pinch(Place::At(point(screen, rng)), Place::At(point(screen, rng))),
        5 => Event::Sleep(rng.below(1001)),
        interrupt => interrupts()[interrupt as usize - 6].clone(),
    })
}

/// After how many moves a monkey crashes the app, if it does within `most`.
pub fn events_to_crash(name: &str, relevant: bool, seed: u64, most: u32) -> Option<u32> {
    let mut rng = Rng::stream(seed, u64::from(relevant));
    let (mut device, mut seen) = start(name, seed);
    for number in 1..=most {
        if let Some(event) = monkey_move(&seen.screen, relevant, &mut rng) {
            seen = device.perform(&event).unwrap();
            if seen.crash.is_some() {
                return Some(number);
            }
        }
    }
    None
}
