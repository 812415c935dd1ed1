//! `capuchin record`: somebody uses the app, and each event is shown and kept.

use crate::args::RecordArgs;
use crate::device;
use crate::driver::OpenRequest;
use crate::exit::{Problem, say, warn};
use crate::extensions::Extensions;
use crate::interrupt::interrupt;
use anstyle::{AnsiColor, Style};
use capuchin::steering::PilotPool;
use capuchin::trace::Trace;
use capuchin::trace::prelude::auto;
use capuchin::ui::{Powers, Rng, Stop};
use capuchin::{Conclusion, Rules, execute};
use capuchin_record::{RECORDING, RecordedEvent, RecordingLog};
use capuchin_report::{Part, Printer};
use capuchin_spec::{Spec, parse_gen};
use std::fs::File;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

/// What can be typed in the terminal while somebody is recorded.
const KEYS: &str =
    "Enter k to mark the last event as a key event, a PROPERTY to assert, q to end (or Ctrl-C).";

/// Records what somebody does to an app.
pub(crate) fn record(args: &RecordArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let wanted = args.device();
    let name = device::name(&wanted, None, extensions)?;
    let Some((driver, _)) = extensions.drivers.of(&name) else {
        return Err(Problem::request(format!("unknown device `{name}`")));
    };
    let (opened, kept) = driver.names_to_record(&name)?;
    let address = opened.split_once(':').map_or("", |(_, address)| address);
    let request = OpenRequest { name: &opened, address, scripts: &[], downloads: None };
    let interrupt = interrupt();
    let mut device = driver.opener(&request)?(&Stop::when([Arc::clone(&interrupt)]))?;
    let endpoint = match device.powers().and_then(Powers::recorder) {
        Some(recorder) => recorder.endpoint(),
        None => {
            return Err(Problem::request(format!("{name} has no recorder"))
                .help("web devices have one: capuchin record http://localhost:8000"));
        }
    };
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("recording.capr"));
    let file = File::create_new(&path).map_err(|error| {
        Problem::request(format!("cannot write {}: {error}", path.display()))
            .help("name another file with -o")
    })?;
    let seed = device::seed(&wanted, &Spec::default());
    let log = RecordingLog::new()
        .written_to(file)
        .on_device(kept)
        .stopped_by(interrupt)
        .on_recorded(|index, event| _ = show(index, event))
        .on_lack(|lack| warn(&format!("not recorded: {} ({})", lack.what, lack.reason)));
    say(&format!("recording {name} to {}", path.display()));
    if let Some(endpoint) = endpoint {
        say(&format!("other programs connect to {endpoint}"));
    }
    say(KEYS);
    listen(&log);
    let pilots = PilotPool::new(Arc::new(log.clone()));
    let mut rules = Rules::seed(seed);
    rules.pilots = Some(&pilots);
    let trace = auto(RECORDING, u32::MAX).sample(Rng::new(seed)).to_trace();
    let ended = execute(&trace, &mut *device, &rules);
    if let Some(error) = log.error() {
        return Err(Problem::request(format!("cannot write {}: {error}", path.display())));
    }
    let events = log.recording().events.len();
    say(&format!("{events} events in {}; replay or show it: capuchin show {0}", path.display()));
    match ended {
        Ok(execution) if !execution.verdict.is_success() => {
            say(&format!("the recording ends with: {}", execution.verdict));
            Ok(Conclusion::Violated)
        }
        Ok(_) if events == 0 => Ok(Conclusion::NothingChecked),
        Ok(_) => Ok(Conclusion::Held),
        Err(error) => Err(Problem::device(&error)),
    }
}

/// One event, as a line.
fn show(index: usize, event: &RecordedEvent) -> std::io::Result<()> {
    let number = Part::styled(Style::new().dimmed(), format!("{:>4}  ", index + 1));
    Printer::new(anstream::stdout()).line([number, event.event.to_string().into()])
}

/// Hears what is typed in the terminal, as long as the recording lasts.
fn listen(log: &RecordingLog) {
    let log = log.clone();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match (word, rest.trim()) {
                ("k", _) => match log.mark_last() {
                    Some(index) => say(&format!("event {} is a key event", index + 1)),
                    None => warn("nothing is recorded yet"),
                },
                ("a", property) => assert(&log, property),
                ("q", _) => log.stop(),
                ("", _) => {}
                _ => say(KEYS),
            }
        }
    });
}

fn assert(log: &RecordingLog, property: &str) {
    let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
    let parsed = parse_gen(&format!("assert {property}"));
    match parsed.map(|parsed| parsed.sample(Rng::new(0)).to_trace()) {
        Ok(Trace::Assert(parsed)) => {
            let said = property.to_owned();
            log.assert_if_it_holds(parsed, move |holds| {
                if holds {
                    let parts = [Part::styled(green, "      assert "), said.into()];
                    let _ = Printer::new(anstream::stdout()).line(parts);
                } else {
                    warn(&format!("{said} does not hold on this screen; it is not asserted"));
                }
            });
        }
        Ok(_) => warn(&format!("{property} is not one property")),
        Err(wrong) => {
            let said: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            warn(&format!(
                "{}; a property is written like hasText(#total, \"12\")",
                said.join("; ")
            ));
        }
    }
}
