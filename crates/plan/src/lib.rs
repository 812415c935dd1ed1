//! Planning.
mod compiled;
mod condition;
mod ground;
mod instantiate;
mod lifted;
mod model;
pub mod pddl;
mod reduce;
mod relaxed;
mod search;
mod table;

pub use ground::{GroundError, GroundLimits, Task};
pub use lifted::{Invalid, LiftedState};
pub use model::{Model, ModelError, StepError};
pub use search::{Found, Limits, Stopped};
