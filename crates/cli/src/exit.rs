//! Exit codes, in one place, and the problems that end a command before it has a verdict.

use anstyle::AnsiColor;
use capuchin::Conclusion;
use capuchin::ui::{DeviceError, Visible};
use capuchin_report::{Printer, without_secrets};
use std::fmt;
use std::io::Write;

/// What `capuchin help exit-codes` prints.
pub(crate) const REFERENCE: &str = "  \
0  everything that was checked held
  1  something was violated: a crash, a failed property, an event blocked outside of a try; or a
     replay failed: a key event was not performed, or the replays do not agree
  2  the request or the specification is wrong
  3  the device failed
  4  nothing was checked or replayed, or a property was never alive, or not decided in any case
  5  a saved failure was blocked on the way: the app is in another state than when it was saved
130  interrupted with Ctrl-C, and no violation had been reported until then
";

/// How the command ends. The numbers are part of the interface.
pub(crate) const fn code(conclusion: Conclusion) -> u8 {
    match conclusion {
        Conclusion::Held => 0,
        Conclusion::Violated => 1,
        Conclusion::WrongRequest => 2,
        Conclusion::DeviceFailed => 3,
        Conclusion::NothingChecked => 4,
        Conclusion::AnotherState => 5,
        Conclusion::Interrupted => 130,
    }
}

/// Why a command ends without a verdict, and what to do about it.
#[derive(Debug)]
pub struct Problem {
    pub(crate) conclusion: Conclusion,
    message: String,
    help: Option<String>,
}

impl Problem {
    /// The request is wrong.
    pub fn request(message: impl Into<String>) -> Self {
        Problem { conclusion: Conclusion::WrongRequest, message: message.into(), help: None }
    }

    /// There is nothing to do.
    pub(crate) fn nothing(message: impl Into<String>) -> Self {
        Problem { conclusion: Conclusion::NothingChecked, ..Problem::request(message) }
    }

    /// The device failed, or cannot do what is asked of it.
    pub fn device(error: &DeviceError) -> Self {
        Problem { conclusion: error.into(), message: error.to_string(), help: None }
    }

    /// The same, but whoever was told to stop while a device was opened says who told it.
    #[must_use]
    pub(crate) fn if_stopped(self, is_out_of_time: bool) -> Self {
        match (self.conclusion, is_out_of_time) {
            (Conclusion::Interrupted, true) => Problem {
                conclusion: Conclusion::NothingChecked,
                message: "the time was up before the device was open".to_owned(),
                help: Some("give it more with --time".to_owned()),
            },
            (Conclusion::Interrupted, false) => {
                Problem { message: "interrupted before the device was open".to_owned(), ..self }
            }
            _ => self,
        }
    }

    /// The same as what went wrong with a device.
    pub(crate) fn as_device(&self, device: &str) -> DeviceError {
        if self.conclusion == Conclusion::Interrupted {
            return DeviceError::Stopped { device: device.into() };
        }
        let whose = format!("{device} cannot be started: ");
        let reason = self.message.strip_prefix(&whose).unwrap_or(&self.message).to_owned();
        DeviceError::Start { device: device.into(), reason }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says which of these was probably meant, or lists them.
    #[must_use]
    pub fn suggest<'a>(self, wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Self {
        match capuchin::ui::suggest(wanted, names.clone()) {
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None => self.help(format!("there are: {}", names.collect::<Vec<_>>().join(", "))),
        }
    }
}

/// How much of a line of a message is shown, in characters.
const LONGEST_LINE: usize = 2000;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let red = AnsiColor::Red.on_default().bold();
        write!(f, "{red}error{red:#}: ")?;
        // What is quoted in it may be of anybody's.
        for (number, line) in self.message.lines().enumerate() {
            f.write_str(if number > 0 { "\n    " } else { "" })?;
            f.write_str(&Visible(&without_secrets(line)).cut(LONGEST_LINE))?;
        }
        match &self.help {
            Some(help) => write!(f, "\n help: {}", Visible(help).cut(LONGEST_LINE)),
            None => Ok(()),
        }
    }
}

/// Says on standard error what is not a result. Nobody is left to tell if that fails.
pub(crate) fn warn(text: &str) {
    let text = without_secrets(text);
    let _ = Printer::new(anstream::stderr()).line(["warning: ".into(), text.into()]);
}

/// Prints a line to standard output. A reader that has gone away is no reason to end differently.
pub(crate) fn say(line: &str) {
    let _ = Printer::new(anstream::stdout()).line([line.into()]);
}

/// Prints a text of ours to standard output; a reader that has gone away is no problem of ours.
pub(crate) fn print(text: &str) -> Result<Conclusion, Problem> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Problem::request(format!("cannot write: {error}")))
        }
        _ => Ok(Conclusion::Held),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_request_is_told_from_a_device_that_failed() {
        let (device, what) = ("sim:a".into(), "event Rotate".to_owned());
        let unsupported = DeviceError::Unsupported { device, what };
        let unbound = DeviceError::Request("nothing was remembered as `n`".to_owned());
        for (error, expected) in [
            (unsupported, 2),
            (unbound, 2),
            (DeviceError::Lost { device: "sim:a".into(), reason: "unplugged".into() }, 3),
            (DeviceError::Start { device: "sim:a".into(), reason: "no browser".into() }, 3),
            (DeviceError::NoAnswer { device: "sim:a".into(), what: "isEven".into() }, 3),
        ] {
            assert_eq!(code(Problem::device(&error).conclusion), expected, "{error}");
        }
    }
}
