//! Puts the events of one sample among those of another, both in their own order.
//!
//! On its own because it has to take samples apart: an event may come between any two steps, but
//! not into a try or a guard, where it might be passed over. What stays in one piece keeps its
//! choices, so that the shrinker can still leave it out.

use crate::slot::Slots;
use crate::{Auto, Sample, Slot};
use capuchin_ui::Rng;
use std::sync::Arc;

/// A part of a sample that is a single step, or that can be taken apart into steps.
enum Piece {
    Step(Sample),
    Group {
        whole: Sample,
        parts: Vec<Piece>,
    },
    /// A policy's moves, each a step; between any two of them it can be made two.
    Auto(Slot, Arc<Auto>, Vec<Sample>),
}

/// The second's steps somewhere among the first's; every order of the two is as likely as any.
pub(crate) fn interleave(
    first: &Sample,
    second: &Sample,
    rng: &mut Rng,
    slots: &mut Slots,
) -> Sample {
    let pieces = pieces(first);
    let mut guests = Vec::new();
    separate(self::pieces(second), &mut guests);
    let (mut left, mut right) = (pieces.iter().map(Piece::steps).sum::<usize>(), guests.len());
    // Before which step of the first each of the second's comes.
    let mut places = Vec::with_capacity(guests.len());
    let mut step = 0;
    while right > 0 {
        if (rng.below((left + right) as u64) as usize) < left {
            left -= 1;
            step += 1;
        } else {
            right -= 1;
            places.push(step);
        }
    }
    let guests = places.into_iter().zip(guests).peekable();
    let mut merge = Merge { guests, step: 0, slots };
    let mut merged = Vec::new();
    merge.add(pieces, &mut merged);
    merged.extend(merge.guests.map(|(_, guest)| guest));
    Sample::Seq(merged)
}

fn pieces(sample: &Sample) -> Vec<Piece> {
    match sample {
        Sample::Unit => Vec::new(),
        Sample::Seq(parts) => parts.iter().flat_map(pieces).collect(),
        Sample::Chosen { sample: inner, .. } => {
            vec![Piece::Group { whole: sample.clone(), parts: pieces(inner) }]
        }
        Sample::Repeat { least: 0, items } => items
            .iter()
            .map(|item| Piece::Group {
                whole: Sample::Repeat { least: 0, items: vec![item.clone()] },
                parts: pieces(item),
            })
            .collect(),
        Sample::Repeat { items, .. } => {
            let parts = items.iter().flat_map(pieces).collect();
            vec![Piece::Group { whole: sample.clone(), parts }]
        }
        Sample::Auto(slot, auto, scripts) => {
            vec![Piece::Auto(*slot, Arc::clone(auto), scripts.clone())]
        }
        step => vec![Piece::Step(step.clone())],
    }
}

impl Piece {
    fn steps(&self) -> usize {
        match self {
            Piece::Step(_) => 1,
            Piece::Group { parts, .. } => parts.iter().map(Piece::steps).sum(),
            Piece::Auto(_, auto, _) => auto.moves as usize,
        }
    }
}

/// Takes apart whatever has more than one step.
fn separate(pieces: Vec<Piece>, steps: &mut Vec<Sample>) {
    for piece in pieces {
        match piece {
            Piece::Step(step) => steps.push(step),
            Piece::Group { whole, parts } if parts.iter().map(Piece::steps).sum::<usize>() <= 1 => {
                steps.push(whole);
            }
            Piece::Group { parts, .. } => separate(parts, steps),
            Piece::Auto(slot, auto, scripts) => steps.push(Sample::Auto(slot, auto, scripts)),
        }
    }
}

struct Merge<'s, I: Iterator<Item = (usize, Sample)>> {
    guests: std::iter::Peekable<I>,
    /// How many steps of the first have been added.
    step: usize,
    slots: &'s mut Slots,
}

impl<I: Iterator<Item = (usize, Sample)>> Merge<'_, I> {
    fn add(&mut self, pieces: Vec<Piece>, merged: &mut Vec<Sample>) {
        for piece in pieces {
            let steps = piece.steps();
            while let Some((_, guest)) = self.guests.next_if(|(place, _)| *place <= self.step) {
                merged.push(guest);
            }
            let last = self.step + steps;
            let visited = self.guests.peek().is_some_and(|(place, _)| *place < last);
            match piece {
                Piece::Group { parts, .. } if visited => self.add(parts, merged),
                Piece::Group { whole: piece, .. } | Piece::Step(piece) => {
                    merged.push(piece);
                    self.step = last;
                }
                Piece::Auto(mut slot, mut auto, mut scripts) => {
                    while let Some((place, guest)) = self.guests.next_if(|(place, _)| *place < last)
                    {
                        let done = place - self.step;
                        let rest = scripts.split_off(done.min(scripts.len()));
                        if done > 0 {
                            merged.push(Sample::Auto(slot, auto.cut(done as u32), scripts));
                            slot = self.slots.next();
                        }
                        merged.push(guest);
                        auto = auto.cut(auto.moves.saturating_sub(done as u32));
                        scripts = rest;
                        self.step = place;
                    }
                    merged.push(Sample::Auto(slot, auto, scripts));
                    self.step = last;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::auto_with;
    use crate::{EventGen, Gen, Targets};
    use capuchin_ui::{Environment, Event, Selector};
    use std::collections::BTreeMap;

    fn click(id: &str) -> Gen {
        EventGen::Click(Targets::One(Selector::id(id))).into()
    }

    fn happens(name: &str) -> Gen {
        Event::Environment(Environment { name: name.into(), args: Vec::new() }).into()
    }

    #[test]
    fn a_guest_comes_between_any_two_steps_and_equally_often() {
        let three = click("a").repeat(3..=3);
        let chosen = (click("a") >> click("b") >> click("c")) | click("d");
        for (first, steps) in [(three, 3), (chosen, 3)] {
            let both = first.interleave(happens("x"));
            let mut places: BTreeMap<usize, u32> = BTreeMap::new();
            for seed in 0..4000 {
                let trace = both.sample(Rng::new(seed)).to_trace().to_string();
                if trace.matches("Click").count() == steps {
                    let before = &trace[..trace.find("x()").expect("it is there")];
                    *places.entry(before.matches("Click").count()).or_default() += 1;
                }
            }
            let all: u32 = places.values().sum();
            assert_eq!(places.len(), steps + 1, "{places:?}");
            assert!(places.values().all(|n| *n > all / 6 && *n < all / 3), "{places:?}");
        }
    }

    #[test]
    fn a_guest_comes_between_any_two_moves_of_a_policy() {
        let steered = auto_with("swifthand", 3, click("s"));
        let both = steered.interleave(happens("x") >> happens("y"));
        let mut places: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..400 {
            let sample = both.sample(Rng::new(seed));
            let mut slots = sample.slots();
            slots.sort();
            slots.dedup();
            assert_eq!(slots.len(), sample.slots().len(), "no two have the same slot");
            let trace = sample.to_trace().to_string();
            assert!(!trace.contains("swifthand 0"), "{trace}");
            *places.entry(trace.replace(" with { Click(#s) }", "")).or_default() += 1;
        }
        assert_eq!(places.len(), 10, "{places:?}");
        assert!(places.contains_key("auto swifthand 1 :>> x() :>> y() :>> auto swifthand 2"));
    }

    #[test]
    fn what_is_interleaved_is_still_made_smaller() {
        let noisy = (click("a") >> Event::Rotate.into()).repeat(0..=30);
        let both = noisy.interleave(happens("x")) >> click("z");
        let fails = |trace: &str| trace.contains("#z") && trace.matches("#a").count() >= 2;
        let smallest = crate::shrink::tests::minimal(&both, fails);
        assert!(smallest.matches(":>>").count() <= 5, "{smallest}");
        assert!(smallest.contains("x()"), "what happens around the app stays");
    }
}
