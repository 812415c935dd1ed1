//! A model that an exploration saved, as what proposes ways to a replay: `--model`.
//!
//! On its own because it joins two libraries that know nothing of one another: what `explore` keeps
//! of an app, and what `record` asks for when a receiver is not there. A way consists of inputs
//! that the exploration performed, one after the other, so it is not guessed.

use capuchin::trace::Trace;
use capuchin::ui::{Event, Rng, Screen, Selector, Str, Target};
use capuchin_explore::{AbstractionKind, Entry, Inputs};
use capuchin_record::{RecordedEvent, WayFinder};
use capuchin_spec::parse_gen;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What counts as where the app is: at least this share of the inputs is the same.
const SAME: f64 = 0.5;

/// What an exploration saw, as ways from screen to screen.
pub struct ModelWays {
    kind: AbstractionKind,
    /// The inputs that each screen offers, by their names.
    screens: Vec<BTreeSet<Str>>,
    /// Which input led from where to where.
    edges: Vec<BTreeMap<Str, usize>>,
    /// What the names of inputs stand for.
    events: BTreeMap<Str, Event>,
}

impl ModelWays {
    /// The ways of what was done and seen, as [`Keeper::load`](capuchin_explore::Keeper::load)
    /// reads it.
    pub fn new(kind: AbstractionKind, entries: &[Entry]) -> Self {
        let (screens, edges, events) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut ways = ModelWays { kind, screens, edges, events };
        let mut numbers: BTreeMap<BTreeSet<Str>, usize> = BTreeMap::new();
        let mut at = None;
        for entry in entries {
            let (input, summary) = match entry {
                Entry::Restarted(summary, _) => (None, summary),
                Entry::Performed(input, summary, _) => (Some(input), summary),
                Entry::Violated(_) => continue,
            };
            let offers: BTreeSet<Str> =
                summary.offers.iter().map(|(name, _)| name.clone()).collect();
            let to = *numbers.entry(offers).or_insert_with_key(|offers| {
                ways.screens.push(offers.clone());
                ways.edges.push(BTreeMap::new());
                ways.screens.len() - 1
            });
            if let (Some(input), Some(from)) = (input, at) {
                let edges: &mut BTreeMap<Str, usize> = &mut ways.edges[from];
                edges.entry(input.clone()).or_insert(to);
            }
            at = Some(to);
        }
        let names: BTreeSet<&Str> = ways.screens.iter().flatten().collect();
        let named = names.into_iter().filter_map(|name| Some((name.clone(), event(name)?)));
        ways.events = named.collect();
        ways
    }

    /// How many screens it knows.
    pub fn screens(&self) -> usize {
        self.screens.len()
    }

    /// The screen that is most like this one, if one is like it at all.
    fn here(&self, present: &Screen) -> Option<usize> {
        let offered = Inputs::default().on(present, &self.kind);
        let offered: BTreeSet<Str> = offered.into_iter().map(|offer| offer.name).collect();
        let likeness = |known: &BTreeSet<Str>| {
            let common = known.intersection(&offered).count();
            common as f64 / known.union(&offered).count().max(1) as f64
        };
        let rated = self.screens.iter().map(likeness).enumerate();
        // Of two that are equally like it, the one that was seen first.
        let best = rated.rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
        best.filter(|(_, likeness)| *likeness >= SAME).map(|(screen, _)| screen)
    }

    /// Whether an input goes to the element that an event was recorded for: its selector finds that
    /// element on the recorded screen, and no other.
    fn is_wanted(&self, input: &Str, wanted: &RecordedEvent) -> bool {
        let Some(selector) = self.events.get(input).and_then(selector) else { return false };
        let mut found = wanted.screen.find(selector).map(|(index, _)| index);
        found.next() == wanted.receiver && found.next().is_none()
    }
}

impl WayFinder for ModelWays {
    fn way(&self, present: &Screen, wanted: &RecordedEvent) -> Vec<Event> {
        if wanted.receiver.is_none() {
            return Vec::new();
        }
        let inputs = self.events.keys().filter(|input| self.is_wanted(input, wanted));
        let inputs: BTreeSet<&Str> = inputs.collect();
        let (Some(here), false) = (self.here(present), inputs.is_empty()) else {
            return Vec::new();
        };
        let mut met = BTreeSet::from([here]);
        let mut open: VecDeque<(usize, Vec<Event>)> = VecDeque::from([(here, Vec::new())]);
        while let Some((screen, way)) = open.pop_front() {
            if screen != here && self.screens[screen].iter().any(|input| inputs.contains(input)) {
                return way;
            }
            for (input, to) in &self.edges[screen] {
                if let (Some(event), true) = (self.events.get(input), met.insert(*to)) {
                    let mut longer = way.clone();
                    longer.push(event.clone());
                    open.push_back((*to, longer));
                }
            }
        }
        Vec::new()
    }
}

/// The event that the name of an input stands for; an input of several events is none.
fn event(name: &Str) -> Option<Event> {
    let trace = parse_gen(name).ok()?.sample(Rng::new(0)).to_trace();
    match trace {
        Trace::Event(_, event) => Some(event),
        _ => None,
    }
}

fn selector(event: &Event) -> Option<&Selector> {
    match event.target()? {
        Target::One(selector) => Some(selector),
        _ => None,
    }
}
