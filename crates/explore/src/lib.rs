//! Choose the next event by looking at the screen: exploration policies, over any device.
//!
//! A screen becomes a [`Sight`]: the inputs that are enabled on it. [`Knowledge`] keeps everything that was
//! done and seen, as a tree; what counts as the same screen is the business of the abstraction
//! ([`Kind`]). A [`Policy`] looks at what is known and makes the next [`Move`]. An [`Explorer`] does it
//! on a device, through the same [`capuchin::step`] as everything else, and catches what goes wrong on
//! the way.

mod abstraction;
mod angluin;
mod explorer;
mod frugal;
mod journal;
mod knowledge;
mod model;
mod models;
mod offer;
mod pilot;
mod policy;
mod swifthand;

pub use abstraction::{Kind, Sight};
pub use angluin::Angluin;
pub use explorer::{Explorer, Limits, Phase, Progress, Reopen, Watcher};
pub use frugal::Frugal;
pub use journal::{Entry, JOURNAL_VERSION, JournalError};
pub use knowledge::{Knowledge, Record};
pub use models::{Keeper, ModelError, Models};
pub use offer::{Identity, Inputs, Offer};
pub use pilot::Explorers;
pub use policy::{Move, Policy, Random};
pub use swifthand::{Frontier, Heuristics, SwiftHand, Way};
