//! Generators for a device that does not have every device event.
//!
//! On its own because it is no part of the language: a spec means the same for every device, and
//! only what is drawn from it differs. `interrupt`, and all words that are derived from it, stand
//! for one of several events; those that the device does not claim are left out of them. What a
//! user wrote out stays: `Rotate` on a device that cannot be turned is a wrong request, and is
//! reported as one.

use crate::{EventGen, Gen};
use capuchin_ui::{DeviceEvents, Event, Place};
use std::borrow::Cow;

impl Gen {
    /// The generator for a device that performs these device events: without the others in every
    /// `interrupt`. (An `interrupt` is a choice that has all of its events as arms, however it was
    /// written.) The words that are derived from it are treated so when they are drawn.
    pub(crate) fn on(&self, events: DeviceEvents) -> Cow<'_, Gen> {
        if events.is_all() { Cow::Borrowed(self) } else { Cow::Owned(self.restricted(events)) }
    }

    fn restricted(&self, events: DeviceEvents) -> Gen {
        let boxed = |inner: &Gen| Box::new(inner.restricted(events));
        match self {
            Gen::Seq(parts) => Gen::seq(parts.iter().map(|part| part.restricted(events))),
            Gen::Choice(arms) => {
                let has = |interrupt: &Event| arms.iter().any(|arm| arm.is_just(interrupt));
                let is_interrupt = Event::INTERRUPTS.iter().all(has);
                let kept = arms.iter().filter(|arm| !is_interrupt || arm.is_on(events));
                Gen::choice(kept.map(|arm| arm.restricted(events)))
            }
            Gen::Weighted(arms) => {
                Gen::weighted(arms.iter().map(|(weight, arm)| (*weight, arm.restricted(events))))
            }
            Gen::Repeat(least, most, inner) => Gen::Repeat(*least, *most, boxed(inner)),
            Gen::Try(inner) => Gen::Try(boxed(inner)),
            Gen::Then(guard, inner) => Gen::Then(guard.clone(), boxed(inner)),
            Gen::Keeps(inner, value) => Gen::Keeps(boxed(inner), value.clone()),
            Gen::Always(inner, prop) => Gen::Always(boxed(inner), prop.clone()),
            Gen::Interleave(first, second) => Gen::Interleave(boxed(first), boxed(second)),
            Gen::Preserves(inner, prop) => Gen::Preserves(boxed(inner), prop.clone()),
            // The others are derived words, of which nothing is drawn but what they stand for.
            Gen::Unit
            | Gen::Event(_)
            | Gen::Assert(_)
            | Gen::Let(..)
            | Gen::Interrupts(_)
            | Gen::Optional(_)
            | Gen::Monkey(_)
            | Gen::RelevantMonkey(_)
            | Gen::Gorilla(..)
            | Gen::Auto(_) => self.clone(),
        }
    }

    fn is_just(&self, event: &Event) -> bool {
        matches!(self, Gen::Event(one) if matches!(&**one, EventGen::Just(just) if just == event))
    }

    /// Whether it is something else than an event that needs more than these.
    fn is_on(&self, events: DeviceEvents) -> bool {
        match self {
            Gen::Try(inner) => inner.is_on(events),
            Gen::Event(event) => events.contains(match &**event {
                EventGen::Just(event) => DeviceEvents::needed_for(event),
                EventGen::Pinch(..) => {
                    DeviceEvents::needed_for(&Event::Pinch(Place::Anywhere, Place::Anywhere))
                }
                _ => DeviceEvents::empty(),
            }),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{Gen, Sample};
    use capuchin_ui::{DeviceEvents, DeviceInfo, Event, Rng, Size};
    use std::collections::BTreeSet;

    fn desktop() -> DeviceInfo {
        let events = DeviceEvents::CLICK_MENU | DeviceEvents::SETTINGS;
        DeviceInfo::new("desktop", Size::new(10, 10)).device_events(events)
    }

    /// The names of the events that are drawn with twenty seeds.
    fn drawn(generator: &Gen, info: &DeviceInfo) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for seed in 0..20 {
            generator.sample_on(info, Rng::new(seed)).visit(&mut |part| {
                if let Sample::Event(_, event, _) = part {
                    names.insert(event.name().to_owned());
                }
            });
        }
        names
    }

    /// Every word that stands for one of several device events.
    fn words() -> [Gen; 9] {
        [
            interrupt().repeat(0..=9),
            (click(id("a")) | interrupt()).repeat(0..=9),
            Gen::Interrupts(9),
            monkey(30),
            relevant_monkey(30),
            gorilla(9, interrupt()),
            auto("monkey", 30),
            auto_with("random", 3, interrupt().optional()).repeat(9..=9),
            auto_offering("relevant", 30, interrupt() >> click(id("b"))),
        ]
    }

    #[test]
    fn a_device_that_claims_everything_changes_nothing() {
        let phone = DeviceInfo::new("phone", Size::new(10, 10));
        for generator in words() {
            for seed in 0..20 {
                let plain = generator.sample(Rng::new(seed));
                assert_eq!(generator.sample_on(&phone, Rng::new(seed)), plain, "{generator}");
            }
        }
    }

    #[test]
    fn what_a_device_does_not_claim_is_left_out_of_the_words_that_choose() {
        for generator in words() {
            let names = drawn(&generator, &desktop());
            for absent in ["Rotate", "ClickHome", "ClickBack", "Pinch"] {
                assert!(!names.contains(absent), "{absent} from {generator}");
            }
            for present in ["ClickMenu", "Settings"] {
                assert!(names.contains(present), "no {present} from {generator}");
            }
        }
    }

    #[test]
    fn nor_does_the_shrinker_put_it_back() {
        let generator = (interrupt() >> click(id("a"))).group() | click(id("b"));
        for seed in 0..20 {
            let mut shrinker =
                crate::Shrinker::new(generator.sample_on(&desktop(), Rng::new(seed)));
            while let Some(candidate) = shrinker.propose() {
                let trace = candidate.to_trace().to_string();
                assert!(!trace.contains("ClickHome"), "{trace}");
                shrinker.reject();
            }
        }
    }

    #[test]
    fn a_device_without_any_is_not_interrupted() {
        let bare = desktop().device_events(DeviceEvents::empty());
        let generator = click(id("a")).interruptible(click(id("b"))) >> interrupt();
        assert_eq!(drawn(&generator, &bare), BTreeSet::from(["Click".to_owned()]));
    }

    #[test]
    fn what_a_user_wrote_out_stays() {
        let choice = Gen::from(Event::Rotate) | Event::ClickHome.into();
        for generator in [Event::Rotate.into(), choice, Gen::weighted([(1, Event::Rotate.into())])]
        {
            assert!(drawn(&generator, &desktop()).contains("Rotate"), "{generator}");
        }
    }
}
