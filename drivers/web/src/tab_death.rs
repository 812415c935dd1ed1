//! Why the process of a tab has died: for want of memory, killed, or by a fault of the browser
//! itself, which is no crash of the app.
//!
//! On its own because it is a judgement over what three sources say: the protocol that it died, the
//! operating system by which signal, and the browser's standard error whether it had memory.

use crate::browser::Browser;
use crate::device::WebDevice;
use crate::failure::Failure;
use capuchin_ui::DeviceError;
use std::time::{Duration, Instant};

/// How long the browser may take to say how a tab has died, after it has said that.
const CAUSE_TIMEOUT: Duration = Duration::from_secs(3);

/// What V8 says when it gives up for want of memory, or because something is too large for it.
const OUT_OF_MEMORY: [&str; 4] =
    ["V8 javascript OOM", "<--- Last few GCs --->", "Fatal JavaScript", "out of memory"];

/// How a tab has died, as the browser tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Death {
    /// `crashed`, `killed`, `oom`, ...
    pub(crate) status: String,
    /// The signal that ended it.
    pub(crate) signal: i64,
}

/// Who is to blame for it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    OutOfMemory,
    /// By somebody else: a person, or the system, for want of memory.
    Killed,
    /// By a signal that only a fault of the browser gives.
    Fault(String),
    Unknown,
}

impl Cause {
    /// Judges by what the browser said of the death, and by what it wrote to its standard error
    /// since the tab was last well.
    fn of(death: Option<&Death>, written: &str) -> Self {
        let Some(Death { status, signal }) = death else { return Cause::Unknown };
        if status.contains("oom") || OUT_OF_MEMORY.iter().any(|it| written.contains(it)) {
            return Cause::OutOfMemory;
        }
        // V8 also traps when it is out of memory; but it has said so by then.
        let fault = match signal {
            4 => "SIGILL",
            5 => "SIGTRAP",
            6 => "SIGABRT",
            7 => "SIGBUS",
            8 => "SIGFPE",
            11 => "SIGSEGV",
            _ if status == "killed" => return Cause::Killed,
            _ => return Cause::Unknown,
        };
        Cause::Fault(fault.to_owned())
    }

    /// What is said of it if it is the app's crash.
    fn message(&self) -> &'static str {
        match self {
            Cause::OutOfMemory => "the tab ran out of memory",
            Cause::Killed => "the tab was killed",
            Cause::Fault(_) | Cause::Unknown => "the tab crashed",
        }
    }
}

impl WebDevice {
    /// What a tab that has just died died of, in words for a crash of the app. It is an error if
    /// the browser goes as well, or if it died by a fault of the browser's own.
    pub(crate) fn cause_of_death(&mut self) -> Result<&'static str, DeviceError> {
        self.check_browser()?;
        let death = self.await_death()?;
        let written = self.stderr.since(&self.browser);
        let cause = Cause::of(death.as_ref(), &written);
        match &cause {
            Cause::Fault(signal) => {
                let product = self.browser.product.clone();
                Err(self.lost(format!(
                    "a fault of the browser itself ended its tab ({signal} in {product}); this is \
                     no crash of the app"
                )))
            }
            cause => Ok(cause.message()),
        }
    }

    /// Waits until the browser says how the tab has died; not all do.
    fn await_death(&mut self) -> Result<Option<Death>, DeviceError> {
        let deadline = Instant::now() + CAUSE_TIMEOUT;
        loop {
            let tab = self.tabs.current();
            if let Some(death) = tab.and_then(|tab| tab.death.clone()) {
                return Ok(Some(death));
            }
            if tab.is_none() {
                return Ok(None);
            }
            let handled = self.handle_events().and_then(|()| self.pump(deadline));
            match handled {
                Err(Failure::Device(error)) => return Err(error),
                Ok(true) | Err(_) if Instant::now() < deadline => {}
                _ => return Ok(None),
            }
        }
    }
}

/// How much of a browser's standard error has been read.
#[derive(Debug, Default)]
pub(crate) struct Stderr {
    read: u64,
}

impl Stderr {
    /// What was written since this was last asked.
    fn since(&mut self, browser: &Browser) -> String {
        let text = browser.stderr_from(self.read);
        self.read += text.len() as u64;
        text
    }

    /// What was written until now says nothing of what comes.
    pub(crate) fn skip(&mut self, browser: &Browser) {
        self.read = browser.stderr_length();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_to_blame_for_a_death() {
        let cause = |status: &str, signal: i64, written: &str| {
            Cause::of(Some(&Death { status: status.to_owned(), signal }), written)
        };
        let out_of_memory = "\n<--- Last few GCs --->\n[1:ERROR:v8_oom.cc:49] V8 javascript OOM";
        assert_eq!(cause("crashed", 5, out_of_memory), Cause::OutOfMemory);
        assert_eq!(cause("oom", 9, ""), Cause::OutOfMemory);
        assert_eq!(cause("killed", 9, ""), Cause::Killed);
        assert_eq!(cause("killed", 15, "[1:ERROR:bus.cc:408] no bus"), Cause::Killed);
        assert_eq!(cause("crashed", 5, ""), Cause::Fault("SIGTRAP".to_owned()));
        assert_eq!(cause("crashed", 11, ""), Cause::Fault("SIGSEGV".to_owned()));
        assert_eq!(cause("crashed", 0, ""), Cause::Unknown);
        assert_eq!(Cause::of(None, out_of_memory), Cause::Unknown);
    }
}
