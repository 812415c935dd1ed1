//! What is on a screen and what can be done to it; the [`Device`] trait.
//!
//! This crate is the seam between Capuchin and the platforms. A driver depends on it and on nothing
//! else of ours, so its author compiles neither a parser nor a test generator.
//!
//! - A [`Screen`] is what is displayed: a flat tree of [`Element`]s.
//! - An [`Event`] is what can be done; a [`Target`] says to which element.
//! - A [`Device`] performs events and shows screens, as an [`Observation`] each.
//!
//! There is no clock in this crate, and nothing random but the [`Rng`] that a seed was given to.

mod affordance;
mod coverage;
mod device;
mod digest;
mod element;
mod error;
mod event;
mod evidence;
mod geometry;
mod info;
mod naming;
mod observation;
mod quote;
mod recorder;
mod screen;
mod script;
mod seed;
mod selector;
mod stop;
mod value;
mod visible;
mod whole_file;

pub use affordance::Blocked;
pub use coverage::{CodeCoverage, Coverage, FileCoverage, FunctionCoverage, Position, Share, Span};
pub use device::{Device, Powers, Predicates, Stoppable};
pub use digest::Digest;
pub use element::{Element, Role, State};
pub use error::DeviceError;
pub use event::{Environment, Event, Place, Target, Toward};
pub use evidence::{AppLog, Camera, LogEntry, LogEntryKind, Picture, PictureFormat};
pub use geometry::{Direction, Point, Rect, Size};
pub use info::{DeviceEvents, DeviceInfo};
pub use naming::{Names, suggest};
pub use observation::{Crash, Lack, Observation};
pub use quote::Quoted;
pub use recorder::{Recorded, Recorder};
pub use screen::Screen;
pub use script::Script;
pub use seed::Rng;
pub use selector::{Selector, TextMatch};
pub use stop::Stop;
pub use value::Value;
pub use visible::Visible;
pub use whole_file::{unfinished, write_whole, write_whole_with};

/// A short string that is cheap to clone: static, inline or shared.
pub type Str = smol_str::SmolStr;
