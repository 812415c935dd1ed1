//! Oracles that know what should happen: a planning model, bound to an app.
//!
//! A model in PDDL says what each operator needs and does. A mapping, in a file of the trace
//! language, says how facts are read off a screen and which events do an operator. Both together
//! are an [`Oracle`]:
//!
//! - It watches any run ([`Monitors`](capuchin::Monitors)). It recognizes operators in the steps
//!   that were made, derives the state that is expected, reads the actual one off the screen, and
//!   compares them at three levels: what the operator changes, all facts, or everything that the
//!   device tells.
//! - It plans: [`Oracle::plans`] and [`Oracle::covering`] make test cases, and [`PlanPilots`] is
//!   the policy of `auto plan "goal" n`.
//!
//! A test case whose precondition fails is invalid ([`Oracle::invalid`]), which is something else
//! than a wrong app. This is the oracle of Memon, Pollack and Soffa, *Automated test oracles for
//! GUIs* (2000), as a monitor.
//!
//! ```
//! use capuchin_oracle::load;
//! use std::io;
//! use std::path::Path;
//!
//! let spec = capuchin_spec::parse("lamp.capu", r##"
//!     model "lamp.pddl" "dark.pddl"
//!     fact lit = isChecked(#lamp)
//!     operator toggle = Click(#lamp)
//! "##).spec.expect("there are no mistakes in it");
//! let read = |path: &Path| match path.to_str() {
//!     Some("lamp.pddl") => Ok("(define (domain lamp) (:requirements :adl) (:predicates (lit))
//!         (:action toggle :parameters () :precondition (and)
//!           :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit)))))".to_owned()),
//!     Some("dark.pddl") => Ok("(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"
//!         .to_owned()),
//!     _ => Err(io::Error::from(io::ErrorKind::NotFound)),
//! };
//! let loaded = load(&spec, Path::new("lamp.capu"), &read).expect("it fits").expect("a model");
//! let goal = loaded.oracle.goal("(lit)").expect("a goal");
//! let plans = loaded.oracle.plans(&goal, 1).expect("a plan");
//! assert_eq!(loaded.oracle.trace(&plans[0].steps[0]).unwrap().to_string(), "Click(#lamp)");
//! ```

mod baseline;
mod bind;
mod learning;
pub mod library;
mod load;
mod monitor;
mod operators;
mod oracle;
mod pilot;
mod plans;
mod readings;

pub use capuchin_plan::Coverage;
pub use learning::{LEARNING, LearnedOracle, OperatorLearning};
pub use load::{Loaded, ReadFile, load};
pub use oracle::{Goal, NAME, Oracle};
pub use pilot::PlanPilots;
pub use plans::TestCase;
