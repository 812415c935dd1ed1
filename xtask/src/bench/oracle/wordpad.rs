//! The test cases of the WordPad model: 290 problems of growing size, solved, and the expected
//! states of their plans derived; Fast Downward beside it on a sample of them.

use super::field::{self, Row};
use super::figure_11;
use super::goals::Goals;
use super::{Asked, PACKAGES};
use anyhow::{Context, Result, bail};
use capuchin_plan::pddl::{Problem, Step};
use capuchin_plan::{CompiledStep, GroundLimits, Limits, Model, Simulator, State, Task};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// As many cases, of as many actions, as in section 6.3 of the paper.
const CASES: usize = 290;
const SHORTEST: usize = 6;
const LONGEST: usize = 56;
/// Each of so many cases is solved by Fast Downward as well.
const SAMPLED: usize = 10;
/// How many states are derived to measure how fast that is.
const DERIVED: usize = 20_000_000;
const SEED: u64 = 2000;

/// A test case: its goal, and the actions that lead to it.
pub(super) struct Case {
    pub(super) goal: String,
    pub(super) steps: Vec<Step>,
}

/// Where the model is.
pub(super) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/wordpad")
}

/// The domain and the problem of figure 5.
pub(super) fn model() -> Result<Model> {
    let read = |name: &str| {
        let path = directory().join(name);
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    Ok(Model::parse(&read("wordpad.pddl")?, &read("figure-5.pddl")?)?)
}

/// The figures, as `cases, solved, seconds, states_per_s, fd_sample, fd_solved, fd_seconds,
/// ours_seconds_on_sample`.
pub(super) fn run(asked: &Asked, scratch: &Path) -> Result<Map<String, Value>> {
    let begin = field::processor_seconds();
    let model = model()?;
    let cases = generate(&model)?;
    let mut suite = Suite::compile(&model, &cases)?;
    let derived = suite.derive()?;
    let seconds = field::processor_seconds() - begin;
    let lengths = || cases.iter().map(|case| case.steps.len());
    println!(
        "WordPad: {} cases of {} to {} actions with {derived} expected states in {seconds:.2} s",
        cases.len(),
        lengths().min().unwrap_or_default(),
        lengths().max().unwrap_or_default(),
    );
    let states_per_s = suite.states_per_second()?;
    println!("derived states per second: {states_per_s:.0}");
    let mut figures = Map::new();
    let mut tell = |key: &str, value: Value| figures.insert(key.to_owned(), value);
    tell("cases", json!(CASES));
    tell("solved", json!(cases.len()));
    tell("seconds", json!(field::rounded(seconds)));
    tell("states_per_s", json!(states_per_s.round()));
    let rows = if asked.samples { sample(asked, &model, &cases, scratch)? } else { Vec::new() };
    let both: Vec<_> =
        rows.iter().filter_map(|row| Some((row.ours?, row.fast_downward?))).collect();
    let fd_solved = rows.iter().filter(|row| row.fast_downward.is_some()).count();
    if both.len() < fd_solved {
        bail!("Fast Downward solves {fd_solved} of the sample, and ours {} of these", both.len());
    }
    let fd_seconds: f64 = both.iter().map(|(_, theirs)| theirs.seconds).sum();
    let ours: f64 = both.iter().map(|(ours, _)| ours.seconds).sum();
    println!(
        "on {} of them, Fast Downward takes {:.0} times as long",
        both.len(),
        fd_seconds / ours
    );
    tell("fd_sample", json!(rows.len()));
    tell("fd_solved", json!(fd_solved));
    tell("fd_seconds", json!(field::rounded(fd_seconds)));
    tell("ours_seconds_on_sample", json!(field::rounded(ours)));
    if let Some(each) = asked.web {
        figures.insert("figure_11".to_owned(), figure_11::run(&cases, each)?);
    }
    Ok(figures)
}

/// The cases, solved. A goal whose plan is shorter or longer than those of the paper is replaced by
/// another one.
pub(super) fn generate(model: &Model) -> Result<Vec<Case>> {
    let task = Task::ground(model, &GroundLimits::default())?;
    println!("{} facts, {} ground operators", task.fact_count(), task.operator_count());
    let initial = model.initial_state();
    let mut goals = Goals::new(SEED);
    let mut cases = Vec::new();
    for number in 0..CASES {
        let wanted = SHORTEST + (LONGEST - SHORTEST) * number / CASES;
        loop {
            let goal = goals.of_length(wanted);
            let text = capuchin_apps::wordpad::problem("case", &goal);
            let problem = Problem::parse(&text, model.domain())?;
            let found = task.solve_goal(model, &initial, &problem.goal, &mut Limits::default())?;
            let Some(steps) = found.plan else { bail!("there is no plan for {goal}") };
            if (SHORTEST..=LONGEST).contains(&steps.len()) {
                cases.push(Case { goal, steps });
                break;
            }
        }
    }
    Ok(cases)
}

/// All cases, ready to be executed by a simulator.
struct Suite<'a> {
    simulator: Simulator<'a>,
    cases: Vec<Vec<CompiledStep>>,
}

impl<'a> Suite<'a> {
    fn compile(model: &'a Model, cases: &[Case]) -> Result<Self> {
        let mut simulator = Simulator::new(model);
        let mut compiled = Vec::new();
        for case in cases {
            let steps = case.steps.iter().map(|step| simulator.compile(step));
            compiled.push(steps.collect::<Result<_, _>>()?);
        }
        Ok(Suite { simulator, cases: compiled })
    }

    /// Derives the expected state after every action of every case.
    fn derive(&mut self) -> Result<usize> {
        let mut count = 0;
        for case in &self.cases {
            let mut state: State = self.simulator.initial();
            for step in case {
                self.simulator.apply(*step, &mut state)?;
            }
            count += case.len();
        }
        Ok(count)
    }

    fn states_per_second(&mut self) -> Result<f64> {
        let begin = field::processor_seconds();
        let mut count = 0;
        while count < DERIVED {
            count += self.derive()?;
        }
        Ok(count as f64 / (field::processor_seconds() - begin))
    }
}

/// Some of the cases as files, each solved by both planners in a process of its own.
fn sample(asked: &Asked, model: &Model, cases: &[Case], scratch: &Path) -> Result<Vec<Row>> {
    let python = super::super::python(scratch, PACKAGES)?;
    let problems = scratch.join("wordpad");
    std::fs::create_dir_all(&problems)?;
    let domain = problems.join("domain.pddl");
    std::fs::write(&domain, model.domain().to_string())?;
    let mut rows = Vec::new();
    for (number, case) in cases.iter().enumerate().step_by(SAMPLED) {
        let name = format!("wordpad-{number}");
        let problem = problems.join(format!("{name}.pddl"));
        std::fs::write(&problem, capuchin_apps::wordpad::problem(&name, &case.goal))?;
        let mut row = Row::new(name, domain.clone(), problem, scratch);
        row.solve(asked, &python, scratch)?;
        rows.push(row);
    }
    Ok(rows)
}
