//! Turns a panic of an app into a crash report, without the noise on the terminal.
//!
//! On its own because it is the one place that touches the process: its panic hook.

use capuchin_ui::Crash;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

static HOOK: Once = Once::new();

/// Installs a panic hook that is quiet for the panics caught here and leaves all others to the hook
/// that was there before.
pub(crate) fn install() {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if GUARDED.get() {
                let place = info.location().map(ToString::to_string).unwrap_or_default();
                PLACE.set(place);
            } else {
                before(info);
            }
        }));
    });
}

/// Runs the app's code; a panic in it is a crash.
pub(crate) fn guarded<T>(run: impl FnOnce() -> Result<T, Crash>) -> Result<T, Crash> {
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(outer);
    result.unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        Err(Crash::new(message).at(PLACE.take()))
    })
}
