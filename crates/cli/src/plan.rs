//! `capuchin plan`: test cases from a model, as traces with their expected states.
//!
//! It runs nothing: what it writes is a specification that `capuchin check` runs.

use crate::args::{Cover, PlanArgs};
use crate::exit::{Problem, print, say, warn};
use crate::extensions::Extensions;
use crate::oracle::{SpecModel, relative};
use crate::source;
use capuchin::Conclusion;
use capuchin::ui::{Quoted, write_whole};
use capuchin_oracle::{Coverage, Goal, Oracle, TestCase};
use capuchin_report::quoted;
use capuchin_spec::Spec;
use std::path::Path;

/// The name of the file with the plans.
const PLANS: &str = "plans.capu";

/// Makes plans.
pub(crate) fn plan(args: &PlanArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let (file, mut spec) = source::load(&args.file, extensions)?;
    let model = SpecModel::read(&args.file, &mut spec)?;
    let Some(oracle) = model.oracle() else {
        return Err(Problem::request(format!("{file} has no model"))
            .help("add `model \"domain.pddl\" \"problem.pddl\"` and a mapping; see `capuchin help spec`"));
    };
    if args.pddl {
        return export(oracle, args.out.as_deref());
    }
    let cases = cases(args, oracle)?;
    if cases.is_empty() {
        return Err(Problem::nothing("there is no plan")
            .help("no sequence of the model's actions leads there: look at their preconditions"));
    }
    let mut text = String::new();
    if let Spec { device: Some(device), .. } = &spec {
        text += &format!("device {}\n", Quoted(device));
    }
    let here = args.out.as_deref().unwrap_or(Path::new(""));
    text += &oracle.written(&relative(&model.mapping, here), &cases);
    let Some(out) = &args.out else { return print(&text) };
    let path = write(out, PLANS, &text)?;
    let steps: usize = cases.iter().map(|case| case.steps.len()).sum();
    let (plans, path) = (cases.len(), quoted(&path));
    say(&format!("wrote {plans} plans of {steps} steps; run them: capuchin check {path}"));
    Ok(Conclusion::Held)
}

/// The test cases that are asked for.
fn cases(args: &PlanArgs, oracle: &Oracle) -> Result<Vec<TestCase>, Problem> {
    let mut cases = Vec::new();
    if let Some(cover) = args.cover {
        let coverage = match cover {
            Cover::Operators => Coverage::Steps,
            Cover::Pairs => Coverage::Pairs,
            Cover::Facts => Coverage::Facts,
        };
        let (found, unreached) = oracle.covering(coverage);
        cases.extend(found);
        if unreached > 0 {
            warn(&format!("no plan was found for {unreached} things to cover"));
        }
    }
    for goal in goals(args, oracle)? {
        let found = oracle.plans(&goal, args.plans).map_err(Problem::request)?;
        if found.is_empty() {
            warn(&format!("there is no plan for {}", goal.label));
        }
        cases.extend(found);
    }
    Ok(cases)
}

/// The goals that are asked for; without any, those of the file, or that of the problem.
fn goals(args: &PlanArgs, oracle: &Oracle) -> Result<Vec<Goal>, Problem> {
    if !args.goal.is_empty() {
        let goals = args.goal.iter().map(|text| oracle.goal(text).map_err(Problem::request));
        return goals.collect();
    }
    if args.cover.is_some() {
        return Ok(Vec::new());
    }
    Ok(match oracle.goals() {
        [] => {
            let problem = oracle.model().problem();
            vec![Goal { label: problem.name.clone(), condition: problem.goal.clone() }]
        }
        goals => goals.to_vec(),
    })
}

/// Writes the model as PDDL, with what it imports.
fn export(oracle: &Oracle, out: Option<&Path>) -> Result<Conclusion, Problem> {
    let (domain, problem) = oracle.pddl();
    let Some(out) = out else { return print(&format!("{domain}\n{problem}")) };
    let (domain, problem) = (write(out, "domain.pddl", domain)?, write(out, "problem.pddl", problem)?);
    say(&format!("wrote {domain} and {problem}, which any planner for ADL reads"));
    Ok(Conclusion::Held)
}

fn write(directory: &Path, name: &str, text: &str) -> Result<String, Problem> {
    let path = directory.join(name);
    let shown = path.display().to_string();
    let made = std::fs::create_dir_all(directory).and_then(|()| write_whole(&path, text));
    made.map_err(|error| Problem::request(format!("cannot write {shown}: {error}")))?;
    Ok(shown)
}
