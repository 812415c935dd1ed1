//! Passive learning beside AALpy: the same traces of real protocol models, learned by both, and
//! whether what we learned explains all of them.

use anyhow::{Context, Result, bail};
use capuchin::ui::Rng;
use capuchin_automata::{Dot, Input, Labels, Mealy, Merger, Order, Output, Tree};
use nix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const MODELS: &str = "crates/automata/tests/mealy";
const PACKAGE: &str = "aalpy==2.0.0";
const LENGTH: usize = 50;
const SEED: u64 = 1;

pub(super) const USAGE: &str = "\
cargo xtask bench passive -- [OPTIONS]
  --models DIR   DOT files of Mealy machines: crates/automata/tests/mealy
  --only NAME    files whose name contains this; may be given several times
  --traces N     so many traces of each, instead of 1000 and 10000; may be given several times
  --without-aalpy";

/// Reads the traces, learns them, and prints for how many seconds of processor time it learned and
/// how many states came of it.
const AALPY: &str = "
import sys, time
from aalpy.learning_algs import run_GSM
traces = []
for line in open(sys.argv[1]):
    numbers = line.split()
    traces.append([tuple(pair.split('/')) for pair in numbers])
began = time.process_time()
model = run_GSM(traces, output_behavior='mealy', transition_behavior='deterministic', data_format='io_traces')
print(time.process_time() - began, len(model.states))
";

type Trace = Vec<(Input, Output)>;

pub(super) fn run(args: &[&str]) -> Result<()> {
    let request = Request::read(args)?;
    let directory = super::scratch("passive")?;
    let python = if request.with_aalpy { Some(super::python(&directory, PACKAGE)?) } else { None };
    println!(
        "traces of {LENGTH} random inputs, seed {SEED}; seconds of processor time of one run each, the tree included\n"
    );
    println!(
        "{:<44}{:>7}{:>8}{:>10}{:>10}{:>8}  states: ours, AALpy's, real",
        "", "traces", "ours", "AALpy", "ratio", ""
    );
    let mut models = Vec::new();
    for path in request.files()? {
        let name =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let dot = Dot::parse(&text).with_context(|| path.display().to_string())?;
        for count in &request.traces {
            models.push(compare(&name, &dot.machine, *count, &directory, python.as_deref())?);
        }
    }
    println!("\n{}", json!({ "models": models }));
    Ok(())
}

struct Request {
    models: PathBuf,
    only: Vec<String>,
    traces: Vec<usize>,
    with_aalpy: bool,
}

impl Request {
    fn read(args: &[&str]) -> Result<Self> {
        let models = crate::root().join(MODELS);
        let mut request =
            Request { models, only: Vec::new(), traces: Vec::new(), with_aalpy: true };
        let mut args = args.iter();
        while let Some(option) = args.next() {
            if *option == "--without-aalpy" {
                request.with_aalpy = false;
                continue;
            }
            let value = args.next().with_context(|| format!("{option} needs a value\n{USAGE}"))?;
            match *option {
                "--models" => request.models = PathBuf::from(value),
                "--only" => request.only.push((*value).to_owned()),
                "--traces" => request.traces.push(value.parse()?),
                _ => bail!("there is no option {option}\n{USAGE}"),
            }
        }
        if request.traces.is_empty() {
            request.traces = vec![1000, 10_000];
        }
        Ok(request)
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(&self.models)
            .with_context(|| format!("{}\n{USAGE}", self.models.display()))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let name = path.to_string_lossy().into_owned();
            let wanted = self.only.is_empty() || self.only.iter().any(|only| name.contains(only));
            if wanted && path.extension().is_some_and(|extension| extension == "dot") {
                files.push(path);
            }
        }
        files.sort();
        if files.is_empty() {
            bail!("there is no such model in {}\n{USAGE}", self.models.display());
        }
        Ok(files)
    }
}

fn compare(
    name: &str,
    machine: &Mealy,
    count: usize,
    directory: &Path,
    python: Option<&Path>,
) -> Result<Value> {
    let traces = draw(machine, count);
    let began = processor_time()?;
    let mut tree = Tree::new(0);
    for trace in &traces {
        tree.insert(trace.iter().copied()).context("a deterministic machine")?;
    }
    let mut merger = Merger::new(&tree, Labels::OfSteps, Order::First);
    merger.run();
    let ours = processor_time()? - began;
    let learned = merger.machine();
    let consistent = traces.iter().all(|trace| {
        let answers = learned.outputs(trace.iter().map(|(input, _)| *input));
        answers.is_some_and(|answers| {
            answers.iter().zip(trace).all(|(answer, (_, output))| answer == output)
        })
    });
    let theirs = python.map(|python| aalpy(python, directory, &traces)).transpose()?;
    let [seconds, ratio, states] = match theirs {
        Some((seconds, states)) => {
            [format!("{seconds:.2}"), format!("{:.0}", seconds / ours), states.to_string()]
        }
        None => ["-", "-", "-"].map(str::to_owned),
    };
    println!(
        "{name:<44}{count:>7}{ours:>8.3}{seconds:>10}{ratio:>10}{:>8}  {}, {states}, {}",
        if consistent { "" } else { "WRONG" },
        learned.len(),
        machine.len()
    );
    Ok(json!({
        "name": name, "traces": count, "ours_s": ours, "aalpy_s": theirs.map(|(seconds, _)| seconds),
        "consistent": consistent, "states": learned.len(), "aalpy_states": theirs.map(|(_, states)| states),
    }))
}

/// What this process has computed so far, in seconds: as AALpy's is measured, and whatever else the
/// machine does.
fn processor_time() -> Result<f64> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}

/// Random words, and what the machine answers. A word ends where the machine knows no more.
fn draw(machine: &Mealy, count: usize) -> Vec<Trace> {
    let mut rng = Rng::stream(SEED, 0);
    let draw_one = |_| {
        let mut state = Mealy::INITIAL;
        let mut trace = Vec::with_capacity(LENGTH);
        while trace.len() < LENGTH {
            let input = rng.below(machine.inputs() as u64) as Input;
            let Some((next, output)) = machine.step(state, input) else { break };
            trace.push((input, output));
            state = next;
        }
        trace
    };
    (0..count).map(draw_one).collect()
}

fn aalpy(python: &Path, directory: &Path, traces: &[Trace]) -> Result<(f64, usize)> {
    let file = directory.join("traces.txt");
    let lines: Vec<String> = traces
        .iter()
        .map(|trace| {
            let pairs: Vec<String> =
                trace.iter().map(|(input, output)| format!("{input}/{output}")).collect();
            pairs.join(" ")
        })
        .collect();
    std::fs::write(&file, lines.join("\n"))?;
    let output = Command::new(python).args(["-c", AALPY]).arg(&file).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.lines().last().unwrap_or_default().split_whitespace();
    let (Some(seconds), Some(states)) = (numbers.next(), numbers.next()) else {
        bail!("AALpy failed: {}", String::from_utf8_lossy(&output.stderr));
    };
    Ok((seconds.parse()?, states.parse()?))
}
