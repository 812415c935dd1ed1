//! The reader, the semantics, the grounder and the planner on small models: one binary, so that it
//! links once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod diagnostics;
mod grounding;
mod learning;
mod planning;
mod printing;
mod random_models;
mod semantics;
