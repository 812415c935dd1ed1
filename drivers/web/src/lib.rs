//! Web apps in Chromium, over the DevTools protocol.

pub mod coverage;
pub mod source_map;
pub mod stack;
