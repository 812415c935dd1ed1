//! Which red state a blue one is merged with: what cannot be is found out before anything is
//! changed.
//!
//! A learner spends most of its time on merges that fail. One look at sets of states rules out most
//! of them ([`crate::answer_index`]); comparing what was seen after both, most of the others; only
//! what is left is folded, and taken back if it does not fit.

use super::{Edge, Labels, Merger, Order, Turn};
use crate::Node;
use crate::answer_index::StateSet;
use crate::tree::{Entry, NONE};

impl Merger {
    /// Merges a blue state with a red one, if there is one that it can be merged with.
    pub(super) fn merge_one(&mut self, turn: Turn, edge: Edge) -> bool {
        let mut candidates = std::mem::take(&mut self.candidates);
        self.find_candidates(turn.1, &mut candidates);
        let merged = match self.order {
            Order::First => self.merge_first(turn, edge, &mut candidates),
            Order::Nearest => self.merge_nearest(turn, edge, &mut candidates),
            Order::Evidence => self.merge_best(turn, edge, &mut candidates),
        };
        self.candidates = candidates;
        merged
    }

    /// The red states that one look does not tell from a node.
    fn find_candidates(&mut self, node: Node, candidates: &mut StateSet) {
        self.proof.clear();
        let label = (self.labels == Labels::OfStates).then(|| self.label(node));
        self.index.all(self.reds.len(), label, candidates);
        let mut child = self.tree.entries[node as usize].first;
        while child != NONE {
            let Entry { input, output, next, .. } = self.tree.entries[child as usize];
            self.index.keep_agreeing(input, output, candidates);
            child = next;
        }
    }

    /// Merges a blue state with the oldest that it can be merged with.
    fn merge_first(&mut self, turn: Turn, edge: Edge, candidates: &mut StateSet) -> bool {
        let mut from = 0;
        while let Some(red) = candidates.remove_next(from) {
            if self.merge(red, turn, edge) {
                return true;
            }
            from = red;
        }
        false
    }

    /// Merges a blue state with the one that it was reached from, or those above, or any other.
    fn merge_nearest(&mut self, turn: Turn, edge: Edge, candidates: &mut StateSet) -> bool {
        let mut place = edge.0;
        loop {
            if candidates.remove(place) && self.merge(place, turn, edge) {
                return true;
            }
            if place == 0 {
                return self.merge_first(turn, edge, candidates);
            }
            place = self.above[place];
        }
    }

    /// Merges a blue state with the one that most speaks for; the oldest of several.
    fn merge_best(&mut self, turn: Turn, edge: Edge, candidates: &mut StateSet) -> bool {
        let (mut best, mut from) = (None, 0);
        while let Some(red) = candidates.remove_next(from) {
            if let Some(score) = self.score(red, turn, edge)
                && best.is_none_or(|(most, _)| score > most)
            {
                best = Some((score, red));
            }
            from = red;
        }
        best.is_some_and(|(_, red)| self.merge(red, turn, edge))
    }

    /// Merges a blue state with a red one, if what was seen after both agrees; else changes
    /// nothing.
    fn merge(&mut self, red: usize, turn: Turn, edge: Edge) -> bool {
        if !self.may_fit(red, turn.1) {
            return false;
        }
        let from = self.log.len();
        let merged = self.fold_into(red, turn, edge).is_some();
        if !merged {
            self.revert(from);
        }
        merged
    }

    /// Whether nothing that was seen after a blue state contradicts what is known of a red one.
    /// Most merges fail here, where nothing has to be taken back. Those that do not may still fail:
    /// what is folded together may contradict itself.
    fn may_fit(&mut self, red: usize, node: Node) -> bool {
        let red = self.reds[red];
        if self.is_proved_different(red) {
            return false;
        }
        self.trail.clear();
        self.trail.push((red, node, 0));
        let mut at = 0;
        while let Some((state, node, _)) = self.trail.get(at).copied() {
            let mut child = self.tree.entries[node as usize].first;
            while child != NONE {
                let Entry { input, output, next, .. } = self.tree.entries[child as usize];
                match self.step(state, input) {
                    Some((_, other)) if other != output => {
                        self.keep_proof(child, at);
                        return false;
                    }
                    Some((target, _)) => self.trail.push((target, child, at as u32)),
                    None => {}
                }
                child = next;
            }
            at += 1;
        }
        true
    }

    /// What tells one red state from a blue one often tells the next one from it, too.
    fn is_proved_different(&self, red: Node) -> bool {
        let mut state = red;
        for (input, output) in &self.proof {
            match self.step(state, *input) {
                Some((next, other)) if other == *output => state = next,
                known => return known.is_some(),
            }
        }
        false
    }

    /// Keeps the word to a node of which the machine expects something else, by way of a place in
    /// the trail.
    fn keep_proof(&mut self, node: Node, mut at: usize) {
        self.proof.clear();
        let Entry { input, output, .. } = self.tree.entries[node as usize];
        self.proof.push((input, output));
        while at != 0 {
            let (_, node, above) = self.trail[at];
            let Entry { input, output, .. } = self.tree.entries[node as usize];
            self.proof.push((input, output));
            at = above as usize;
        }
        self.proof.reverse();
    }

    /// How much speaks for a merge; nothing if it is impossible. Changes nothing.
    fn score(&mut self, red: usize, turn: Turn, edge: Edge) -> Option<u32> {
        if !self.may_fit(red, turn.1) {
            return None;
        }
        let from = self.log.len();
        let score = self.fold_into(red, turn, edge);
        self.revert(from);
        score
    }
}
