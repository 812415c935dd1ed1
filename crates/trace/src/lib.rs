//! The trace language as Rust values: events, properties, traces and generators of traces.
//!
//! A [`Gen`] denotes a set of traces; [`Gen::sample`] draws a [`Sample`] from it, which knows how
//! it was chosen and so can be made smaller without leaving the set; [`Sample::to_trace`] is the
//! [`Trace`] that a device runs. Nothing here touches a device.
//!
//! ```
//! use capuchin_trace::prelude::*;
//!
//! let sign_in = type_text(id("username"), "test") >> click(button("Sign in"));
//! let anything = click(any(Selector::default())).attempt() | rotate();
//! let generator = sign_in >> anything.repeat(0..=3);
//! assert_eq!(
//!     generator.to_string(),
//!     r#"Type(#username, "test") :>> Click(button("Sign in")) :>> repeat 3 { Click(*)? <+> Rotate }"#
//! );
//! ```

mod argument;
mod auto;
mod build;
mod derived;
mod event_gen;
mod expr;
mod formula_text;
mod generator;
mod interleave;
mod on_device;
mod print;
mod prop;
mod regex_sampler;
mod remember;
mod sample;
mod shrink;
mod slot;
#[cfg(feature = "proptest")]
mod strategy;
mod temporal;
mod trace;

pub use argument::{BadRegex, Numbers, Pattern, Strings, Texts};
pub use auto::{Auto, Injection, Move};
pub use event_gen::{ArgumentGen, EventGen, Places, Targets, Towards};
pub use expr::{Arithmetic, Comparison, Expr};
pub use generator::Gen;
pub use prop::{ElementTest, Prop, ScreenTest};
pub use remember::Meaning;
pub use sample::{Arms, Sample};
pub use shrink::Shrinker;
pub use slot::Slot;
pub use temporal::{Answer, Formula, Limit, Progression, Stuck};
pub use trace::Trace;

/// What a test file imports.
pub mod prelude {
    pub use crate::build::*;
    pub use crate::{Expr, Gen, Prop, Trace};
    pub use capuchin_ui::{Direction, Point, Role, Selector, State, Target};
}
