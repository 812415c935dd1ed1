//! Ctrl-C: the first interrupts the run, which still writes its report; the second ends the
//! process.

use crate::exit::code;
use capuchin::Conclusion;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals that come this soon after another are one.
const AT_ONCE: Duration = Duration::from_millis(300);

/// A flag that Ctrl-C sets. A second Ctrl-C ends the process at once.
pub(crate) fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C still ends the process, and the log keeps what was found.
    let _ = ctrlc::set_handler(move || {
        set.store(true, Ordering::Relaxed);
        // Programs like `timeout` signal twice what a person means once.
        if first.get_or_insert_with(Instant::now).elapsed() > AT_ONCE {
            std::process::exit(code(Conclusion::Interrupted).into());
        }
    });
    flag
}
