//! Apps written as small models; nothing to install, deterministic.
//!
//! An [`App`] is a Rust value that draws itself on a [`Page`] and handles [`Input`]s. A
//! [`SimDevice`] runs it as any driver runs an app: with a virtual clock, storage, background work
//! and chance from a seed. What cannot be done on a real screen cannot be done here: rows that are
//! scrolled away are absent, what is behind a dialog is covered.
//!
//! ```
//! use capuchin_sim::{App, Input, Os, Page, SimDevice, numbered};
//! use capuchin_ui::{Crash, Device, Event, Selector, Target};
//!
//! #[derive(Clone, Default)]
//! struct Counter {
//!     count: i64,
//! }
//!
//! impl App for Counter {
//!     fn view(&self, page: &mut Page<'_>) {
//!         page.label("count", numbered("", self.count));
//!         page.button("more", "More");
//!     }
//!
//!     fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
//!         match input {
//!             Input::Click("more") if self.count == 2 => Err(Crash::new("it cannot count to 3")),
//!             Input::Click("more") => Ok(self.count += 1),
//!             _ => Ok(()),
//!         }
//!     }
//! }
//!
//! let mut device = SimDevice::new("sim:counter", Counter::default());
//! device.reset(1)?;
//! let more = Event::Click(Target::id("more"));
//! device.perform(&more)?;
//! let seen = device.perform(&more)?;
//! assert_eq!(seen.screen.text(&Selector::id("count")), Some("2"));
//! let seen = device.perform(&more)?;
//! assert_eq!(seen.crash.map(|crash| crash.message.clone()), Some("it cannot count to 3".into()));
//! # Ok::<(), capuchin_ui::DeviceError>(())
//! ```
//!
//! Every event takes [`EVENT_TAKES`] virtual milliseconds, `Sleep(n)` takes `n`, `Skip` and blocked
//! events take none. After a crash the device shows the crash, whatever it is told, until it is
//! reset.

mod app;
mod device;
mod guard;
mod os;
mod page;
mod scroll;
mod text;
mod widget;

pub use app::{App, Away, Input};
pub use device::{EVENT_TAKES, SimDevice, VIEWPORT};
pub use os::Os;
pub use page::Page;
pub use text::numbered;
pub use widget::Widget;
