//! Planning: models in PDDL, the states that they expect, and plans for them.
//!
//! A [`Model`] is a domain and a problem, read from two files of [PDDL](pddl). It says what a step
//! needs and what it does:
//!
//! - [`Model::apply`] is the definition, word by word, on sets of facts. A step whose precondition
//!   fails makes a test case invalid ([`Invalid`]), which is something else than a wrong app.
//! - A [`Simulator`] derives the same states by the million: it grounds a step when it is taken for
//!   the first time, and states are bits.
//! - A [`Task`] is a ground model. [`Task::solve`] searches for a plan, [`Task::plans`] for many
//!   different ones, and [`Task::goals`] makes goals by [`Coverage`].
//!
//! ```
//! use capuchin_plan::{GroundLimits, Limits, Model, Task};
//!
//! let domain = "(define (domain editor)
//!   (:requirements :adl)
//!   (:types file text)
//!   (:predicates (current ?f - file) (in ?f - file ?t - text) (shown ?t - text))
//!   (:action open
//!     :parameters (?f - file)
//!     :precondition (not (current ?f))
//!     :effect (and (forall (?old - file) (not (current ?old))) (current ?f)
//!       (forall (?t - text) (not (shown ?t)))
//!       (forall (?t - text) (when (in ?f ?t) (shown ?t))))))";
//! let problem = "(define (problem two-files)
//!   (:domain editor) (:objects a b - file hello - text)
//!   (:init (current a) (in b hello)) (:goal (shown hello)))";
//! let model = Model::parse(domain, problem)?;
//! let task = Task::ground(&model, &GroundLimits::default())?;
//! let plan = task.solve(&mut Limits::default())?.plan.expect("there is a plan");
//! assert_eq!(model.step_text(&plan[0]), "(open b)");
//! assert_eq!(model.validate(&plan), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a GUI is written in PDDL
//!
//! Files stay plain PDDL, so that other planners read them. Three things that a GUI needs and that
//! STRIPS and ADL have no words for are written by convention:
//!
//! - **A property with one value** (the current file, a window's colour) is deleted for all values
//!   before the new one is added:
//!   `(forall (?c - colour) (not (colour-of ?w ?c))) (colour-of ?w ?new)`. What a step both deletes
//!   and adds is true afterwards, so this is right even if the value stays, and no precondition
//!   must name the old value.
//! - **Numbers** are objects of a type of their own with a successor that never changes:
//!   `(next n0 n1) (next n1 n2)`. A counter is a property with one value, and a step that increases
//!   it has both numbers as parameters: `(count ?n) (next ?n ?m)`. The range is finite, as what a
//!   test does is. Texts that a person types are objects as well: those that the test may type.
//! - **Objects that come and go** (windows, rows, files) are a pool of objects with a predicate
//!   that says which of them are there, `(exists-now ?w)`. A step that creates one takes the first
//!   that is not there: `(not (exists-now ?w))` and
//!   `(forall (?v) (imply (before ?v ?w) (exists-now ?v)))`. So creating an object does not branch
//!   over the whole pool.
//!
//! Costs are the one kind of arithmetic: `(increase (total-cost) …)` by a number or by a function
//! that the problem defines. The planner minimizes the number of steps and reads past costs.
//!
//! # Nothing is left to chance
//!
//! The same model gives the same plan: there is no clock, no randomness and no order of a hash
//! table in this crate. Sizes are bounded, and what is too large is an error.

mod compiled;
mod condition;
mod coverage;
mod ground;
mod instantiate;
pub mod learn;
mod lifted;
mod model;
mod partial;
pub mod pddl;
mod reduce;
mod relaxed;
mod search;
mod simulate;
mod table;

pub use coverage::{Coverage, CoverageGoal, Target};
pub use ground::{GroundError, GroundLimits, Task};
pub use lifted::{Invalid, LiftedState};
pub use model::{Model, ModelError, StepError};
pub use partial::{Follower, PartialState, Truth};
pub use search::{Found, Limits, Plans, SolveError, Stopped};
pub use simulate::{CompiledStep, Simulator, State};
