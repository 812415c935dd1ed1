//! The machine learned from all that an exploration has seen: as a map for a report, and as the
//! shortest way to a screen.
//!
//! On its own because policies keep models of their own; this one is made when somebody asks for
//! it.

use crate::abstraction_kind::AbstractionKind;
use crate::journal::Entry;
use crate::knowledge::Knowledge;
use capuchin::log::{Map, MapEdge, MapState};
use capuchin::ui::{Event, Str};
use capuchin_automata::{Input, Labels, Merger, Node, Order, Tree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The machine learned from all that was seen.
pub(crate) fn machine(known: &Knowledge) -> Merger {
    let mut merger = Merger::new(known.tree(), Labels::OfStates, Order::Nearest);
    merger.run();
    merger
}

/// The shortest way, in the machine, to where the last input was performed.
pub(crate) fn shortest_way(known: &Knowledge, events: &BTreeMap<Str, Event>) -> Option<Vec<Event>> {
    let before = known.tree().parent(known.at())?;
    let merger = machine(known);
    let target = merger.state_of(before)?;
    let mut met: BTreeSet<Node> = BTreeSet::from([Tree::ROOT]);
    let mut open = VecDeque::from([(Tree::ROOT, Vec::new())]);
    while let Some((state, way)) = open.pop_front() {
        if state == target {
            let name = |input: &Input| known.name(known.base(*input));
            return way.iter().map(|input| events.get(name(input)).cloned()).collect();
        }
        for (input, next, _) in merger.edges(state) {
            if met.insert(next) {
                let mut longer: Vec<Input> = way.clone();
                longer.push(input);
                open.push_back((next, longer));
            }
        }
    }
    None
}

/// What was learned, for a report. `picture` gives the picture of the screen with a summary.
pub(crate) fn map(known: &Knowledge, picture: &dyn Fn(u32) -> Option<String>) -> Map {
    let merger = machine(known);
    let visits = visits(known, &merger);
    let mut map = Map::default();
    for (place, state) in merger.states().iter().enumerate() {
        let enabled = known.enabled(merger.label(*state));
        let tried: BTreeSet<Input> =
            merger.edges(*state).map(|(input, ..)| known.base(input)).collect();
        let mut edges: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (input, to, _) in merger.edges(*state) {
            let name = known.name(known.base(input)).to_owned();
            edges.entry(merger.place(to) as u32).or_default().push(name);
        }
        let from = place as u32;
        map.edges.extend(edges.into_iter().map(|(to, inputs)| MapEdge { from, to, inputs }));
        let summary = known.summary_at(*state);
        let others = known.summaries_of(merger.label(*state)).filter(|other| *other != summary);
        map.states.push(MapState {
            name: known.title(summary),
            enabled: enabled.len() as u32,
            untried: enabled.iter().filter(|input| !tried.contains(input)).count() as u32,
            visits: visits[place],
            ended: known.is_the_end(summary),
            picture: [summary].into_iter().chain(others).find_map(picture),
        });
    }
    map
}

/// How often each state was visited.
fn visits(known: &Knowledge, merger: &Merger) -> Vec<u32> {
    let tree = known.tree();
    let mut visits = vec![0; merger.states().len()];
    // A parent comes before its children.
    let mut states: Vec<Option<Node>> = Vec::with_capacity(tree.len());
    for node in 0..tree.len() as Node {
        let above = tree.parent(node).map(|parent| states[parent as usize]);
        let state = match above {
            None => Some(Tree::ROOT),
            Some(above) => {
                above.and_then(|above| merger.step(above, tree.input(node))).map(|step| step.0)
            }
        };
        if let Some(state) = state {
            visits[merger.place(state)] += known.visits(node);
        }
        states.push(state);
    }
    visits
}

/// The map of what an exploration has kept, without pictures.
pub fn map_of(kind: AbstractionKind, entries: &[Entry]) -> Map {
    let mut known = Knowledge::new(kind);
    entries.iter().for_each(|entry| known.take_in(entry));
    map(&known, &|_| None)
}
