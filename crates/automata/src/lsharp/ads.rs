//! Adaptive distinguishing sequences: the next input that tells most of some states apart, by what
//! the tree knows of them.

use crate::{Input, Node, Tree};
use std::collections::BTreeMap;

/// How many inputs are looked ahead.
const LOOK_AHEAD: u32 = 6;

/// The input that tells most of these nodes apart, with what may follow it; nothing if none does.
pub(super) fn next_input(tree: &Tree, nodes: &[Node]) -> Option<Input> {
    best(tree, nodes, LOOK_AHEAD).map(|(input, _)| input)
}

/// The best input, and how many pairs it is expected to tell apart.
fn best(tree: &Tree, nodes: &[Node], ahead: u32) -> Option<(Input, f64)> {
    if nodes.len() < 2 || ahead == 0 {
        return None;
    }
    // By input, then by output: where it leads to.
    let mut known: BTreeMap<Input, BTreeMap<u32, Vec<Node>>> = BTreeMap::new();
    for node in nodes {
        for child in tree.children(*node) {
            let answers = known.entry(tree.input(child)).or_default();
            answers.entry(tree.output(child)).or_default().push(child);
        }
    }
    let mut found: Option<(Input, f64)> = None;
    for (input, answers) in known {
        let all: usize = answers.values().map(Vec::len).sum();
        if all < 2 {
            continue;
        }
        let score = answers.values().map(|same| {
            let later = best(tree, same, ahead - 1).map_or(0.0, |(_, score)| score);
            same.len() as f64 * ((all - same.len()) as f64 + later)
        });
        let score = score.sum::<f64>() / all as f64;
        if score > 0.0 && found.is_none_or(|(_, best)| score > best) {
            found = Some((input, score));
        }
    }
    found
}
