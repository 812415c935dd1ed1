//! The arguments of the command, with the examples that `--help` shows.

use crate::extensions::Extensions;
use crate::report::Format;
use capuchin::ui::Event;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Tests interactive apps: you write down what you know, the machine generates the rest.
#[derive(Debug, Parser)]
#[command(name = "capuchin", version, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  capuchin devices                                        list the devices
  capuchin check examples/music-signin.capu               find violations, with minimal traces
  capuchin check my.capu --device sim:music --cases 1000 --jobs 2
  capuchin explore sim:shop                               find crashes, and learn a model of the app
  capuchin run capuchin-out/my-sim-music-42/failures/1-main.capu
  capuchin run --trace 'Click(#enter)' --device sim:music --screen
  capuchin report capuchin-out/my-sim-music-42 --format html -o report.html
  capuchin record http://localhost:8000 -o signin.capr
  capuchin replay signin.capr --viewport 411x731          the same on a phone's layout
  capuchin check my.capu --device web:http://localhost:8000
  capuchin help spec                                      the reference of the language
  capuchin help web                                       options of web devices
  capuchin help exit-codes";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a specification: draw traces, run them, shrink every failure.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Explore an app: try what its screens offer, learn a model of it, shrink every failure.
    #[command(after_help = EXPLORE_EXAMPLES)]
    Explore(ExploreArgs),
    /// Run one trace: a saved failure, a script, or text given here.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Record what a person or another program does to an app.
    #[command(after_help = RECORD_EXAMPLES)]
    Record(RecordArgs),
    /// Replay a recording, on the same layout or another, on this version of the app or another.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Make test cases from a planning model: plans for goals or for coverage, as traces.
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(PlanArgs),
    /// Show a recording, or convert it.
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// List the devices.
    Devices,
    /// Render a run again from its log.
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArgs),
    /// Show help on a command, on `spec` (the language), on `web` (web devices) or on `exit-codes`.
    Help {
        /// A command, `spec`, `web` or `exit-codes`.
        topic: Option<String>,
    },
}

const CHECK_EXAMPLES: &str = "\
Examples:
  capuchin check examples/music-signin.capu
  capuchin check my.capu --device sim:music-fixed --seed 7
  capuchin check my.capu --only signin --fail-fast --cases 2000 --jobs 2
  capuchin check my.capu --resume capuchin-out/my-sim-music-42     continue with what `auto` has learned";

const EXPLORE_EXAMPLES: &str = "\
Examples:
  capuchin explore sim:shop
  capuchin explore http://localhost:8000 --time 5m --with coverage
  capuchin explore dist/index.html --events 5000 --also Rotate --also ClickHome --text hello
  capuchin explore sim:shop --spec examples/shop.capu     check its `always` properties meanwhile
  capuchin explore sim:shop --policy swifthand --seed 7
  capuchin explore sim:shop --resume capuchin-out/explore-sim-shop-7";

const RUN_EXAMPLES: &str = "\
Examples:
  capuchin run capuchin-out/my-sim-music-42/failures/1-main.capu
  capuchin run --trace 'Click(#enter) :>> Rotate' --device sim:music --screen
  capuchin run --trace '•' --device sim:music --screen       show the first screen
  capuchin run capuchin-out/my-sim-music-42/failures/1-main.capu --times 20     is it flaky?";

const RECORD_EXAMPLES: &str = "\
Examples:
  capuchin record http://localhost:8000                   in a visible browser
  capuchin record http://localhost:8000 --with phone -o signin.capr
  capuchin record http://localhost:8000 --with debugging-port=9222     what another program does there

In the browser, Ctrl+Shift+K marks the last event as a key event, and Alt+click on an element asserts
that it is displayed with its text.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  capuchin replay signin.capr                             on the device that it was recorded on
  capuchin replay signin.capr --viewport 411x731          on a phone's layout
  capuchin replay signin.capr --device 'web:http://localhost:8000 phone' --goal 'isDisplayed(#hello)'
  capuchin replay signin.capr --device web:http://localhost:8001 --write signin-v2.capr
  capuchin replay recorder.json                           from the Recorder panel of Chrome
  capuchin replay signin.capr --viewport 411x731 --model capuchin-out/explore-app-7

Each event is performed, healed (its receiver has another role, name or id), revealed (other events
showed its receiver first), dropped (it only opens the way, which is open) or refused (no element is
clearly its receiver). The replay succeeds if every key event was performed, in each of --times
replays, and these agree. Exit codes: 0 succeeded, 1 failed, 2 wrong request, 3 the device failed,
4 nothing was replayed.";

const PLAN_EXAMPLES: &str = "\
Examples:
  capuchin plan editor.capu                               a plan for each goal of the file
  capuchin plan editor.capu --goal '(saved report)' --plans 10 --out plans
  capuchin plan editor.capu --cover operators --out plans
  capuchin check plans/plans.capu                         run them, each step verified by the model
  capuchin plan editor.capu --pddl --out pddl             for another planner";

const SHOW_EXAMPLES: &str = "\
Examples:
  capuchin show signin.capr
  capuchin show signin.capr --as trace -o signin.capu
  capuchin show signin.capr --as playwright -o signin.mjs
  capuchin show recorder.json --as trace                  from the Recorder panel of Chrome";

const REPORT_EXAMPLES: &str = "\
Examples:
  capuchin report capuchin-out/my-sim-music-42
  capuchin report capuchin-out/my-sim-music-42 --format html -o report.html
  capuchin report capuchin-out/my-sim-music-42 --format junit > junit.xml";

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The file with the model's mapping.
    pub(crate) file: PathBuf,
    /// A goal: the label of a `goal` of the file, or a condition as PDDL. Default: all goals of the
    /// file, or that of the problem.
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Vec<String>,
    /// Plans that together take every operator, take every two one after the other, or make every
    /// fact true.
    #[arg(long, value_enum)]
    pub(crate) cover: Option<Cover>,
    /// How many different plans for each goal, of growing length.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) plans: usize,
    /// Write them into this directory. Default: print them.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the model instead, with what it imports, for another planner.
    #[arg(long)]
    pub(crate) pddl: bool,
}

/// What plans cover.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Cover {
    /// Every operator, for all objects.
    Operators,
    /// Every two operators of which one can come directly after the other.
    Pairs,
    /// Every fact that can become true.
    Facts,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct DeviceArgs {
    /// The device, for example sim:music, sim:music@800x400 or web:http://localhost:8000; see
    /// `capuchin devices`. Default: the device that the file names.
    #[arg(short, long)]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) options: DeviceOptions,
}

/// Options of any device.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeviceOptions {
    /// The viewport of the device.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size)]
    pub(crate) viewport: Option<capuchin::ui::Size>,
    /// An option of a web device: phone, locale=de-DE, crash=console; see `capuchin help web`. May
    /// be given several times.
    #[arg(long, value_name = "OPTION")]
    pub(crate) with: Vec<String>,
    /// Open the device that a file or an earlier run names also if that starts a program or reads
    /// the environment (reset-command=, browser=, flag=, $NAME, ...). What you name here yourself
    /// is trusted.
    #[arg(long)]
    pub(crate) trust: bool,
    /// The seed of everything random. Default: the seed in the file, else a new one, which is
    /// printed.
    #[arg(short, long, value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,
}

/// What becomes of failures.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FailureArgs {
    /// How much of --time shrinking may take, for example 2m. Default: a third of it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "time")]
    pub(crate) shrink_time: Option<Duration>,
    /// Exit with 1 also if the only failures are such as were not reproduced when they were run
    /// again.
    #[arg(long)]
    pub(crate) fail_on_flaky: bool,
    /// Do not begin with the failures that the last run of the same file and app saved.
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The specification: a .capu file, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// How many traces each check draws. Default: the number in the file, else 200.
    #[arg(short = 'n', long)]
    pub(crate) cases: Option<u32>,
    /// How many devices run cases in parallel. The output does not depend on it. A check with an
    /// `auto` that learns uses one.
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) jobs: u32,
    /// Run only the check of this name. May be given several times.
    #[arg(long, value_name = "CHECK")]
    pub(crate) only: Vec<String>,
    /// A monitor that watches every run, of those that the command was built with. May be given
    /// several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) monitor: Vec<String>,
    /// Continue with what the policies of `auto` learned in an earlier check of the same file: its
    /// run directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Stop each check after this many events, at the end of a case.
    #[arg(long)]
    pub(crate) events: Option<u64>,
    /// Stop each check after this time, for example 90s, 5m or 1h30m.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) failures: FailureArgs,
    /// Stop each check at its first failure.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// How often the device may be reset to shrink one failing trace.
    #[arg(long, value_name = "RESETS", default_value_t = 2000)]
    pub(crate) shrink_budget: u32,
    /// The run directory. Default: capuchin-out/FILE-DEVICE-SEED, below FILE's directories; with
    /// --resume, DIR-resumed
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print neither the progress nor, at the end, where the results are.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How often an exploration may reset the device to shrink one failing trace, by default.
pub(crate) const USUAL_SHRINK_BUDGET: u32 = 500;

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    /// The app: a device like sim:shop, a URL, or a file or directory, which is served. Default:
    /// the device of the specification, else that of the exploration that is resumed.
    pub(crate) app: Option<String>,
    /// A specification whose `always` properties are checked after every event. Its checks are not
    /// run.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// A monitor that watches every run, of those that the command was built with. May be given
    /// several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) monitor: Vec<String>,
    /// The policy that chooses the inputs.
    #[arg(short, long, default_value = "capuchin")]
    pub(crate) policy: String,
    /// Stop after this many events. Default: 2000, unless a time is given.
    #[arg(short = 'n', long)]
    pub(crate) events: Option<u64>,
    /// Stop after this time, for example 90s, 5m or 1h30m. It includes the time for shrinking.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) failures: FailureArgs,
    /// When two screens count as the same. Default: adaptive.
    #[arg(long)]
    pub(crate) abstraction: Option<String>,
    /// A text to type into fields, instead of a word and a number. May be given several times.
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// One more event to try on every screen. May be given several times.
    #[arg(long, value_enum, value_name = "EVENT")]
    pub(crate) also: Vec<Also>,
    /// Do not press the Back and Menu buttons.
    #[arg(long)]
    pub(crate) no_keys: bool,
    /// Continue with what an earlier exploration of the same app learned: its run directory. Its
    /// failures are not reported again.
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: DeviceOptions,
    /// How often the device may be reset to shrink one failing trace.
    #[arg(long, value_name = "RESETS", default_value_t = USUAL_SHRINK_BUDGET)]
    pub(crate) shrink_budget: u32,
    /// The run directory. Default: capuchin-out/explore-APP-SEED; with --resume, DIR-resumed
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print neither the progress nor, at the end, where the results are.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ExploreArgs {
    /// The device that is meant.
    pub(crate) fn device(&self) -> DeviceArgs {
        DeviceArgs { device: self.app.clone(), options: self.options.clone() }
    }
}

/// The command, with the names that it was built with among its values.
pub(crate) fn command(extensions: &Extensions) -> clap::Command {
    let value = |name: &str, help: &str| PossibleValue::new(name.to_owned()).help(help.to_owned());
    let policies = extensions.policies.all().iter();
    let policies: Vec<_> = policies.map(|policy| value(&policy.name, &policy.help)).collect();
    let abstractions = extensions.abstractions.iter();
    let abstractions: Vec<_> = abstractions.map(|kind| value(kind.name(), kind.help())).collect();
    Cli::command().mut_subcommand("explore", |explore| {
        explore
            .mut_arg("policy", |arg| arg.value_parser(PossibleValuesParser::new(policies)))
            .mut_arg("abstraction", |arg| arg.value_parser(PossibleValuesParser::new(abstractions)))
    })
}

/// An event that can be done on any screen.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub(crate) enum Also {
    /// Rotates the device.
    Rotate,
    /// Leaves the app for the home screen, and opens it again.
    ClickHome,
    /// Opens the device's settings, and leaves them.
    Settings,
}

impl Also {
    pub(crate) fn event(self) -> Event {
        match self {
            Also::Rotate => Event::Rotate,
            Also::ClickHome => Event::ClickHome,
            Also::Settings => Event::Settings,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A .capu file, or - for standard input.
    #[arg(required_unless_present = "trace")]
    pub(crate) file: Option<PathBuf>,
    /// The trace itself, instead of a file.
    #[arg(short, long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) trace: Option<String>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Run each trace this many times with the same seed, and print how often it failed.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) times: u32,
    /// Print the screen at the end.
    #[arg(long, conflicts_with = "times")]
    pub(crate) screen: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The app: an address, a file, or a device such as web:http://localhost:8000.
    pub(crate) app: String,
    /// The file of the recording, which must not be there yet.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: DeviceOptions,
}

impl RecordArgs {
    /// The app as a device.
    pub(crate) fn device(&self) -> DeviceArgs {
        DeviceArgs { device: Some(self.app.clone()), options: self.options.clone() }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A recording, or a JSON of the Recorder panel of Chrome.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// How many replays in a row must succeed and agree.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) times: u32,
    /// A property that must hold at the end, for example 'isDisplayed(#saved)'.
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) goal: Option<String>,
    /// The numbers of the key events, instead of those that are marked in the recording or found.
    #[arg(long, value_name = "N,M", value_delimiter = ',')]
    pub(crate) key: Vec<usize>,
    /// A model that an exploration of the app saved: its run directory or its model.jsonl. It
    /// proposes the way to a receiver first.
    #[arg(long, value_name = "DIR")]
    pub(crate) model: Option<PathBuf>,
    /// Write what was performed to this file: a .capu file with a trace, or a recording. Only if
    /// the replay succeeds.
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// A specification whose `always` properties are checked after every event. Its checks are not
    /// run.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,
    /// A monitor that watches every run, of those that the command was built with. May be given
    /// several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) monitor: Vec<String>,
    /// Stop after this time, for example 90s, 5m or 1h30m.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Take photographs of the screens for the report, where the device can. Without, they are
    /// drawn.
    #[arg(long)]
    pub(crate) pictures: bool,
    /// The run directory. Default: capuchin-out/FILE-DEVICE-SEED, below FILE's directories
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print neither the progress nor, at the end, where the results are.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What a recording is converted to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShowAs {
    /// A .capu file with a trace.
    Trace,
    /// A .capu file with properties that the recording suggests, to be edited.
    Properties,
    /// A script for Playwright.
    Playwright,
    /// A JSON for the Recorder panel of Chrome.
    Recorder,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A recording, or a JSON of the Recorder panel of Chrome.
    pub(crate) file: PathBuf,
    /// Convert it.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub(crate) form: Option<ShowAs>,
    /// Write to this file instead of to standard output.
    #[arg(short, long, value_name = "FILE", requires = "form")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A run directory.
    pub(crate) directory: PathBuf,
    /// The format of the report.
    #[arg(short, long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
    /// Write to this file instead of to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || "a time is written like 90s, 5m or 1h30m".to_owned();
    let mut sum = 0.0;
    let mut rest = text.trim();
    loop {
        let split = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(split);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let seconds = match unit {
            "s" => 1.0,
            // A number alone.
            "" if number == text.trim() => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        if number < 0.0 {
            return Err(wrong());
        }
        sum += number * seconds;
        rest = after.trim();
        if rest.is_empty() {
            return Duration::try_from_secs_f64(sum).map_err(|_| wrong());
        }
    }
}

fn parse_seed(text: &str) -> Result<u64, String> {
    capuchin::parse_seed(text).ok_or_else(|| "a seed is a number like 42 or 0x2a".to_owned())
}

pub(crate) fn parse_size(text: &str) -> Result<capuchin::ui::Size, String> {
    let parsed = text.split_once('x').and_then(|(width, height)| {
        let (width, height): (i32, i32) = (width.parse().ok()?, height.parse().ok()?);
        ((1..=10_000).contains(&width) && (1..=10_000).contains(&height))
            .then_some(capuchin::ui::Size::new(width, height))
    });
    parsed.ok_or_else(|| "a size is written like 360x640".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_sum_of_its_parts() {
        let seconds = |text: &str| parse_time(text).map(|time| time.as_secs_f64()).ok();
        for (text, expected) in [
            ("90s", Some(90.0)),
            ("1.5", Some(1.5)),
            ("5m", Some(300.0)),
            ("1h30m", Some(5400.0)),
            ("1h 2m 3s", Some(3723.0)),
            ("1h30", None),
            ("1h-30m", None),
            ("", None),
            ("m", None),
            ("5x", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
