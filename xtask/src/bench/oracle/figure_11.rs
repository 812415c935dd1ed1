//! Figure 11 of the paper: the test cases executed on the web page, and verified after each action
//! at each level; how long that takes, and which share of it is the verification.

use super::field;
use super::wordpad::{self, Case};
use anyhow::{Context, Result, bail};
use capuchin::trace::Trace;
use capuchin::ui::Str;
use capuchin::{Monitor, Monitors, Probe, Rules, Step, Verdict, Watched, execute};
use capuchin_oracle::{Oracle, load};
use capuchin_spec::{Level, parse};
use capuchin_web::{Opener, Options};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Executes each of so many cases, at each level.
pub(super) fn run(cases: &[Case], each: usize) -> Result<Value> {
    let page = capuchin_apps::web_dir().join("wordpad/index.html");
    let options = Options::parse(&format!("{} viewport=360x640", page.display()))?;
    let mut page = Opener::new("web:wordpad", options).open()?;
    let cases: Vec<&Case> = cases.iter().step_by(each).collect();
    let mut figures = Map::new();
    for level in Level::ALL {
        let oracle = oracle()?.verifying([(level, 1)]);
        let trace = |case: &&Case| -> Result<Trace> {
            let events = case.steps.iter().map(|step| oracle.trace(step));
            let events: Option<Vec<Trace>> = events.collect();
            Ok(Trace::seq(events.context("a step has no event")?))
        };
        let traces: Vec<Trace> = cases.iter().map(trace).collect::<Result<_>>()?;
        let verifying = Arc::new(Timed { oracle, nanoseconds: AtomicU64::new(0) });
        let monitors: [Arc<dyn Monitors>; 1] = [verifying.clone()];
        let begin = Instant::now();
        for (case, trace) in cases.iter().zip(&traces) {
            let mut rules = Rules::seed(1);
            rules.monitors = &monitors;
            let verdict = execute(trace, &mut page, &rules)?.verdict;
            if !matches!(verdict, Verdict::Succeeded) {
                bail!("{level}, {}: {verdict:?}", case.goal);
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        let verified = verifying.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9;
        let actions: usize = cases.iter().map(|case| case.steps.len()).sum();
        println!(
            "{level}: {} cases, {actions} actions, {seconds:.1} s, {:.1} % of it verification",
            cases.len(),
            100.0 * verified / seconds
        );
        let figure = json!({
            "cases": cases.len(),
            "actions": actions,
            "seconds": field::rounded(seconds),
            "verification": field::rounded(verified),
        });
        figures.insert(level.to_string(), figure);
    }
    Ok(Value::Object(figures))
}

/// The model, bound to the app.
fn oracle() -> Result<Oracle> {
    let path = wordpad::directory().join("wordpad.capu");
    let parsed = parse("wordpad.capu", &std::fs::read_to_string(&path)?);
    let spec = parsed.spec.context("wordpad.capu has mistakes: `capuchin check` shows them")?;
    let read = |path: &Path| std::fs::read_to_string(path);
    match load(&spec, &path, &read) {
        Ok(loaded) => Ok(loaded.context("wordpad.capu names no model")?.oracle),
        Err(wrong) => bail!("wordpad.capu does not fit its model: {}", wrong[0]),
    }
}

/// An oracle, and how long it has taken.
struct Timed {
    oracle: Oracle,
    nanoseconds: AtomicU64,
}

impl Monitors for Timed {
    fn name(&self) -> &str {
        self.oracle.name()
    }

    fn needs(&self) -> Vec<Str> {
        self.oracle.needs()
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(Watch { inner: self.oracle.monitor(), nanoseconds: &self.nanoseconds })
    }
}

struct Watch<'a> {
    inner: Box<dyn Monitor + 'a>,
    nanoseconds: &'a AtomicU64,
}

impl Monitor for Watch<'_> {
    fn wants_before(&self) -> bool {
        self.inner.wants_before()
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        let begin = Instant::now();
        let watched = self.inner.watch(step, app);
        self.nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        watched
    }
}
