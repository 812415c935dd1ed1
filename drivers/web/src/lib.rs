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
//! How it works: events are real input; a page lives on a virtual clock (`virtual_time.rs`), with
//! seeded chance (`page/inject`); snapshots of it are taken by a script in a world of its own
//! (`page/collector`).

mod allowed_origins;
mod app_log;
mod app_server;
mod browser;
mod calls;
mod clock;
mod connection;
mod counts;
mod coverage;
mod crash;
mod device;
mod dialog;
mod dispatch;
mod environment;
mod failure;
mod filter_proxy;
mod frames;
mod http;
mod input;
mod keys;
mod lacks;
mod launch;
mod lines;
mod link;
mod navigation;
mod open_requests;
mod opener;
mod options;
mod page_failures;
mod page_scripts;
mod pause;
mod powers;
mod protocol_events;
mod protocol_types;
mod recorder;
mod request_head;
mod requests;
mod reset;
mod serve;
mod served_root;
mod server_reset;
mod settle;
mod snapshot;
mod source_map;
mod source_maps;
mod stack;
mod storage;
mod tab;
mod tab_death;
mod tab_setup;
mod tabs;
mod talk;
mod touch;
mod transport;
mod urls;
mod view;
mod virtual_time;
mod waits;

pub use device::WebDevice;
pub use opener::Opener;
pub use options::{
    Clock, CrashKinds, OPTIONS, OptionError, OptionHelp, Options, Popups, Program, needs_trust,
    quoted_option, unrecorded, without_options,
};
pub use serve::Server;
pub use waits::{Wait, Waited, Waits};
