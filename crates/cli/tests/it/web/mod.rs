//! The command on web apps, and everything that may happen to a browser, a tab, a page or the app's
//! server on the way: `addresses` that do not open, `animations`, `browsers` of all kinds, `losses`
//! and `servers` that die in the middle of a run, `ending` before its time, `explorations` of an
//! app that does everything to end them, `replays` of recordings, and `steady`: the same again,
//! every time. `app` serves pages and knows when they are asked for; `home` is a place in which
//! nothing may be left behind.

mod addresses;
mod animations;
mod app;
mod browsers;
mod ending;
mod explorations;
mod home;
mod losses;
mod replays;
mod safety;
mod servers;
mod steady;
