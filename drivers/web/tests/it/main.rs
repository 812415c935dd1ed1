//! What the driver does on real pages, in Chromium. The pages stand beside what is asserted of
//! them: `site` serves them, `visit` opens them and does things there.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod crashes;
mod dialogs;
mod environment;
mod frames;
mod hostile_pages;
mod lines;
mod lost_browsers;
mod lost_servers;
mod names;
mod navigation;
mod other_origins;
mod page_scripts;
mod pointer;
mod recorder;
mod recorder_hostile;
mod regressions;
mod reset;
mod settling;
mod site;
mod somebody;
mod visit;
mod widgets;
