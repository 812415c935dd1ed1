//! What the driver does on real pages, in Chromium. The pages stand beside what is asserted of them: `site`
//! serves them, `visit` opens them and does things there.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod clean;
mod crashes;
mod dialogs;
mod environment;
mod frames;
mod hostile;
mod oddities;
mod page_scripts;
mod pointing;
mod settling;
mod site;
mod stays_inside;
mod visit;
mod widgets;
