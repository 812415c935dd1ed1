//! Choose the next event by looking at the screen: exploration policies, over any device.
//!
//! A screen becomes a [`ScreenSummary`]: the inputs that are enabled on it. [`Knowledge`] keeps
//! everything that was done and seen, as a tree; what counts as the same screen is the business of
//! the abstraction ([`AbstractionKind`]). A [`Policy`] looks at what is known and makes the next
//! [`Decision`]. [`Explorers`] are the pilots that run one: of an `auto` in a check, or of an
//! exploration.

mod abstraction;
mod abstraction_kind;
mod album;
mod capuchin_policy;
mod exercises;
mod journal;
mod knowledge;
mod learner_policy;
mod map;
mod model;
mod models;
mod offer;
mod pilot;
mod policy;
mod registry;
mod swifthand;

pub use abstraction::ScreenSummary;
pub use abstraction_kind::{AbstractionKind, Abstractions};
pub use capuchin_policy::CapuchinPolicy;
pub use exercises::Exercises;
pub use journal::{Entry, JOURNAL_VERSION, JournalError};
pub use knowledge::{Counts, Knowledge};
pub use learner_policy::{LStarPolicy, LearnerPolicy};
pub use map::map_of;
pub use models::{Keeper, ModelError, Models};
pub use offer::{Inputs, Offer};
pub use pilot::{Explorer, Explorers};
pub use policy::{Decision, Policy, Random};
pub use registry::{Policies, PolicyEntry, PolicyRequest};
pub use swifthand::SwiftHand;
