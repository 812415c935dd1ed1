//! Mealy machines and their learners, over any alphabet.
//!
//! Inputs and outputs are numbers here; an [`Alphabet`] says what they stand for. The machine of an
//! app whose states are labelled (the ELTS of the SwiftHand paper, where a state's label is the set
//! of inputs that it enables) is a Mealy machine whose output is the label of the state that was
//! reached: one representation for both, and [`Labels`] says which of the two is meant.
//!
//! What was seen is a [`Tree`]. Passive learning: a [`Merger`] makes a machine of it by merging
//! states, and keeps it up to date as the tree grows. Active learning: a [`Learner`] asks for the
//! words that it needs ([`LStar`], [`LSharp`]), and an [`EquivalenceOracle`] for words that may
//! refute what it has learned ([`RandomWords`]); [`learn`] runs both on a system that answers at
//! once.
//!
//! ```
//! use capuchin_automata::{Labels, Merger, Order, Tree};
//!
//! // A lamp: its one input switches it, and answers with what it is then.
//! let (press, on, off) = (0, 1, 0);
//! let mut tree = Tree::new(off);
//! tree.insert([(press, on), (press, off), (press, on), (press, off)])?;
//! let mut merger = Merger::new(&tree, Labels::OfStates, Order::First);
//! merger.run();
//! let lamp = merger.machine();
//! assert_eq!(lamp.len(), 2);
//! assert_eq!(lamp.outputs([press, press, press]), Some(vec![on, off, on]));
//! # Ok::<(), capuchin_automata::Contradiction>(())
//! ```

mod alphabet;
mod answer_index;
mod dot;
mod learner;
mod lsharp;
mod lstar;
mod mealy;
mod merger;
mod oracle;
mod tree;

pub use alphabet::Alphabet;
pub use dot::{Dot, DotError};
pub use learner::{EquivalenceOracle, Learner, Next, learn};
pub use lsharp::LSharp;
pub use lstar::LStar;
pub use mealy::Mealy;
pub use merger::{Labels, Merger, Order};
pub use oracle::{PerfectOracle, RandomWords};
pub use tree::{Contradiction, Node, Tree};

/// An input, by its number in an [`Alphabet`].
pub type Input = u32;
/// An output, by its number in an [`Alphabet`].
pub type Output = u32;
/// A state of a machine, by its number.
pub type State = u32;
