//! Fills in wildcards on the live screen: the rule (Inferred) of figure 7 of the ChimpCheck paper.
//!
//! On its own because it is the one place where a run draws something: which of the elements that
//! take an event it goes to, and where on the screen.

use capuchin_ui::{Blocked, Event, Place, Point, Rng, Screen, Target, Toward};

/// Replaces what an event leaves open by something on the live screen.
pub(crate) fn fill_in(
    event: &Event,
    screen: &Screen,
    rng: &mut Rng,
    candidates: &mut Vec<usize>,
) -> Result<Event, Blocked> {
    let mut place = |place: &Place| match place {
        Place::At(point) => *point,
        Place::Anywhere => Point::new(
            rng.below(screen.viewport.width.max(0) as u64) as i32,
            rng.below(screen.viewport.height.max(0) as u64) as i32,
        ),
    };
    let toward = match event {
        Event::Pinch(from, to) => {
            return Ok(Event::Pinch(Place::At(place(from)), Place::At(place(to))));
        }
        Event::Swipe(_, Toward::Place(end)) => Some(Toward::Place(Place::At(place(end)))),
        _ => None,
    };
    let target = match event.target() {
        Some(Target::Place(at)) => Target::Place(Place::At(place(at))),
        Some(Target::Any(selector)) => {
            candidates.clear();
            candidates.extend(screen.candidates(event).map(|(index, _)| index));
            let chosen = match selector.nth {
                Some(number) => candidates.get((number as usize).saturating_sub(1)),
                None => candidates.get(rng.below(candidates.len() as u64) as usize),
            };
            let chosen = *chosen.ok_or(Blocked::NothingTakesIt)?;
            Target::One(screen.name_of(chosen))
        }
        Some(concrete) => concrete.clone(),
        None => return Ok(event.clone()),
    };
    Ok(match toward {
        Some(toward) => Event::Swipe(target, toward),
        None => event.aimed_at(target),
    })
}
