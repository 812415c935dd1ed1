//! Planning.
mod compiled;
mod condition;
mod coverage;
mod ground;
mod instantiate;
mod lifted;
mod model;
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
pub use search::{Found, Limits, Plans, SolveError, Stopped};
pub use simulate::{CompiledStep, Simulator, State};
