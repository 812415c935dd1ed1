//! The observation tree: every word that was executed, and what was seen.
//!
//! The children of a node are a linked list in one vector: most nodes of a tree of long traces have
//! one child, and a node is sixteen bytes.

use crate::{Input, Output};
use thiserror::Error;

/// A node of a tree, by its number. A child's number is higher than its parent's.
pub type Node = u32;

/// No node.
pub(crate) const NONE: Node = u32::MAX;

/// What a tree keeps of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The input that led here.
    pub(crate) input: Input,
    /// What was seen then.
    pub(crate) output: Output,
    /// The latest child.
    pub(crate) first: Node,
    /// The child of the same parent that came before.
    pub(crate) next: Node,
}

/// The same word was answered in two ways.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the last input of {word:?} was answered with {old} before and with {new} now")]
pub struct Contradiction {
    /// The word, up to the input whose outputs differ.
    pub word: Vec<Input>,
    /// What was seen before.
    pub old: Output,
    /// What was seen now.
    pub new: Output,
}

/// Everything that was seen, as a tree of the words that were executed.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) entries: Vec<Entry>,
    pub(crate) parents: Vec<Node>,
}

impl Tree {
    /// The node of the empty word.
    pub const ROOT: Node = 0;

    /// Nothing was executed yet. The output is what is seen at the start: the label of the initial
    /// state, or any number where states have no labels.
    pub fn new(output: Output) -> Self {
        let root = Entry { input: 0, output, first: NONE, next: NONE };
        Tree { entries: vec![root], parents: vec![NONE] }
    }

    /// How many words were executed, the empty one and all prefixes included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Where an input leads to, if it was tried there.
    pub fn child(&self, node: Node, input: Input) -> Option<Node> {
        self.children(node).find(|child| self.entries[*child as usize].input == input)
    }

    /// Where all inputs lead to that were tried there, the latest first.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let known = |node: Node| (node != NONE).then_some(node);
        std::iter::successors(known(self.entries[node as usize].first), move |child| {
            known(self.entries[*child as usize].next)
        })
    }

    /// The node of a word, if the word was executed.
    pub fn find(&self, word: &[Input]) -> Option<Node> {
        word.iter().try_fold(Self::ROOT, |node, input| self.child(node, *input))
    }

    /// The node that it hangs on.
    pub fn parent(&self, node: Node) -> Option<Node> {
        Some(self.parents[node as usize]).filter(|parent| *parent != NONE)
    }

    /// The input that led to a node. The root has none; it says 0.
    pub fn input(&self, node: Node) -> Input {
        self.entries[node as usize].input
    }

    /// What was seen at a node.
    pub fn output(&self, node: Node) -> Output {
        self.entries[node as usize].output
    }

    /// The inputs from the root to a node.
    pub fn word(&self, node: Node) -> Vec<Input> {
        let above = std::iter::successors(Some(node), |node| self.parent(*node));
        let mut word: Vec<Input> =
            above.filter(|node| *node != Self::ROOT).map(|node| self.input(node)).collect();
        word.reverse();
        word
    }

    /// Notes what one input did.
    pub fn add(&mut self, node: Node, input: Input, output: Output) -> Result<Node, Contradiction> {
        if let Some(child) = self.child(node, input) {
            let old = self.output(child);
            if old != output {
                return Err(Contradiction { word: self.word(child), old, new: output });
            }
            return Ok(child);
        }
        let child = self.entries.len() as Node;
        let next = std::mem::replace(&mut self.entries[node as usize].first, child);
        self.entries.push(Entry { input, output, first: NONE, next });
        self.parents.push(node);
        Ok(child)
    }

    /// Notes a whole word, from the root.
    pub fn insert(
        &mut self,
        word: impl IntoIterator<Item = (Input, Output)>,
    ) -> Result<Node, Contradiction> {
        let mut node = Self::ROOT;
        for (input, output) in word {
            node = self.add(node, input, output)?;
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_share_their_prefixes_and_a_second_answer_is_a_contradiction() {
        let mut tree = Tree::new(9);
        let first = tree.insert([(0, 1), (1, 2)]).unwrap();
        let second = tree.insert([(0, 1), (2, 2)]).unwrap();
        assert_eq!(tree.len(), 4);
        assert_eq!((tree.word(first), tree.word(second)), (vec![0, 1], vec![0, 2]));
        assert_eq!(tree.parent(first), tree.parent(second));
        assert_eq!(tree.children(Tree::ROOT).count(), 1);
        let wrong = tree.insert([(0, 3)]).unwrap_err();
        assert_eq!(wrong, Contradiction { word: vec![0], old: 1, new: 3 });
    }
}
