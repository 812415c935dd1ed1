//! Web pages in Chromium, over the DevTools protocol.
//!
//! An [`Opener`] opens devices on one app; they share a browser and have nothing else in common:
//!
//! ```no_run
//! use capuchin_ui::{Device, Event, Target};
//! use capuchin_web::{Opener, Options};
//!
//! let opener = Opener::new("web:app", Options::parse("http://localhost:8000/ phone")?);
//! let mut device = opener.open()?;
//! device.reset(42)?;
//! let seen = device.perform(&Event::Click(Target::id("save")))?;
//! println!("{}", seen.screen);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How it works: events are real input; a page lives on a virtual clock (`settle.rs`), with seeded chance
//! (`page/inject.js`); what is on it is seen by one script in a world of its own (`page/collector.js`).

mod browser;
mod clock;
mod connection;
mod counts;
mod coverage;
mod crash;
mod device;
mod dialog;
mod fingers;
mod frames;
mod http;
mod input;
mod journal;
mod keys;
mod launch;
mod maps;
mod mishaps;
mod notices;
mod opener;
mod options;
mod powers;
mod reset;
mod screen;
mod serve;
mod settle;
mod source_map;
mod stack;
mod surroundings;
mod tab;
mod transport;

pub use device::WebDevice;
pub use opener::Opener;
pub use options::{Clock, CrashKinds, OPTIONS, OptionError, OptionHelp, Options, Popups, Program};
pub use serve::Server;
