//! Apartness: two nodes of an observation tree have answered some word differently, so they are
//! different states. On its own because everything in L# rests on it, and it must be quick.

use crate::{Input, Node, Tree};

/// A word that two nodes have answered differently, if they have. It is a short one, and not always
/// the shortest.
pub(super) fn apart(tree: &Tree, one: Node, other: Node) -> Option<Vec<Input>> {
    if one == other {
        return None;
    }
    // Pairs that were reached, with the place of the pair before.
    let mut pairs = vec![(one, other, 0, 0)];
    let mut at = 0;
    while let Some((one, other, ..)) = pairs.get(at).copied() {
        for mine in tree.children(one) {
            let input = tree.input(mine);
            let Some(theirs) = tree.child(other, input) else { continue };
            if tree.output(mine) != tree.output(theirs) {
                let mut word = vec![input];
                let mut place = at;
                while place > 0 {
                    word.push(pairs[place].2);
                    place = pairs[place].3;
                }
                word.reverse();
                return Some(word);
            }
            pairs.push((mine, theirs, input, at));
        }
        at += 1;
    }
    None
}

/// Whether what is new on a path tells the node at its beginning from another one.
pub(super) fn apart_along(tree: &Tree, path: &[Node], first_new: Node, other: Node) -> bool {
    let mut at = other;
    for node in &path[1..] {
        let Some(next) = tree.child(at, tree.input(*node)) else { return false };
        let is_new = *node >= first_new || next >= first_new;
        if is_new && tree.output(*node) != tree.output(next) {
            return true;
        }
        at = next;
    }
    false
}
