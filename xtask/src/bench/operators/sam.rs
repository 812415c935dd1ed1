//! SAM as amlgym has it, in a process of its own: the package n-sam, which amlgym's adapter calls.
//! (amlgym itself brings several gigabytes of other learners.)

use super::walk::{Applicability, Example};
use anyhow::{Context, Result, bail};
use capuchin_plan::pddl::{Domain, Effect, Formula};
use capuchin_plan::{LiftedState, Model};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// amlgym 1.0.13 requires these.
const PACKAGES: &str = "n-sam==1.3.1 pddl-plus-parser==3.14.7 sympy anytree networkx numpy pandas \
                        scipy scikit-learn matplotlib antlr4-python3-runtime";
/// How long it may take.
const SECONDS: &str = "600";

/// Learns from the trajectories, as amlgym's adapter does, and prints the domain.
const SAM: &str = "
import sys, logging
from pathlib import Path
logging.disable(logging.CRITICAL)
from pddl_plus_parser.lisp_parsers import DomainParser, ProblemParser, TrajectoryParser
from sam_learning.learners import SAMLearner
domain = DomainParser(Path(sys.argv[1]), partial_parsing=True).parse_domain()
problem = ProblemParser(Path(sys.argv[2]), domain).parse_problem()
parser = TrajectoryParser(domain, problem)
traces = [parser.parse_trajectory(Path(path)) for path in sys.argv[3:]]
model, report = SAMLearner(partial_domain=domain).learn_action_model(traces)
print(model.to_pddl())
";

pub(super) fn python(directory: &Path) -> Result<PathBuf> {
    super::super::python(directory, PACKAGES)
}

/// The steps as trajectories: one for each beginning of the walk.
pub(super) struct Traces<'a> {
    model: &'a Model,
    texts: Vec<String>,
}

impl<'a> Traces<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Traces { model, texts: Vec::new() }
    }

    pub(super) fn push(&mut self, example: &Example) {
        if example.is_first || self.texts.is_empty() {
            self.texts.push(format!("((:init{})\n", self.facts(&example.before)));
        }
        let step = self.model.step_text(&example.step);
        let after = self.facts(&example.after);
        if let Some(text) = self.texts.last_mut() {
            let _ = writeln!(text, "(operator: {step})\n(:state{after})");
        }
    }

    fn facts(&self, state: &LiftedState) -> String {
        state.iter().map(|fact| format!(" {}", self.model.fact_text(fact))).collect()
    }

    fn write(&self, scratch: &Path) -> Result<Vec<PathBuf>> {
        let files = self.texts.iter().enumerate().map(|(number, text)| {
            let path = scratch.join(format!("{number}.trajectory"));
            std::fs::write(&path, format!("{text})\n"))?;
            Ok(path)
        });
        files.collect()
    }
}

/// Learns from the same steps, and compares the result like ours.
pub(super) fn measure(
    python: &Path,
    scratch: &Path,
    traces: &Traces<'_>,
    model: &Model,
    test: &Applicability,
) -> Result<Value> {
    let mut signature = model.domain().clone();
    signature.functions.clear();
    signature.requirements = vec![":strips".to_owned(), ":typing".to_owned()];
    for action in &mut signature.actions {
        action.precondition = Formula::And(vec![]);
        action.effect = Effect::And(vec![]);
    }
    let mut problem = model.problem().clone();
    problem.values.clear();
    problem.minimizes_cost = false;
    problem.goal = Formula::And(vec![]);
    let (script, domain_file) = (scratch.join("sam.py"), scratch.join("signature.pddl"));
    let problem_file = scratch.join("problem.pddl");
    std::fs::write(&script, SAM)?;
    std::fs::write(&domain_file, signature.to_string())?;
    std::fs::write(&problem_file, problem.print(&signature))?;
    let output = Command::new("timeout")
        .arg(SECONDS)
        .arg(python)
        .args([&script, &domain_file, &problem_file])
        .args(traces.write(scratch)?)
        .output()
        .context("SAM cannot be started")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", output.status, said.lines().last().unwrap_or("it took too long"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let learned = Domain::parse(&text).context("what SAM printed is no domain")?;
    let applies = test.score(model, &learned);
    Ok(super::scores(&learned, model, applies))
}
