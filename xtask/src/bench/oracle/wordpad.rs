//! The test cases of the WordPad model: 290 problems of growing size, solved, and the expected
//! states of their plans derived; Fast Downward beside it on a sample of them.

use super::field::{self, Row};
use super::{Asked, PACKAGES};
use anyhow::{Context, Result, bail};
use capuchin_plan::pddl::Step;
use capuchin_plan::{CompiledStep, GroundLimits, LiftedState, Limits, Model, Simulator, State, Task};
use capuchin_ui::Rng;
use serde_json::{Map, Value, json};
use std::path::Path;

/// As many cases, of as many actions, as in section 6.3 of the paper.
pub(super) const CASES: usize = 290;
const SHORTEST: usize = 6;
const LONGEST: usize = 56;
/// Each of so many cases is solved by Fast Downward as well.
const SAMPLED: usize = 10;
/// How many states are derived to measure how fast that is.
const DERIVED: u64 = 20_000_000;
const SEED: u64 = 2000;

/// A test case: its goal, and the actions that lead to it.
pub(super) struct Case {
    pub(super) goal: String,
    pub(super) steps: Vec<Step>,
}

/// The domain and the problem of figure 5.
pub(super) fn model() -> Result<Model> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/wordpad");
    let read = |name: &str| {
        let path = directory.join(name);
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
    let derived = derive(&model, &cases)?;
    let seconds = field::processor_seconds() - begin;
    let lengths = || cases.iter().map(|case| case.steps.len());
    println!(
        "WordPad: {} cases of {} to {} actions, {derived} expected states, {seconds:.2} s",
        cases.len(),
        lengths().min().unwrap_or_default(),
        lengths().max().unwrap_or_default(),
    );
    let states_per_s = states_per_second(&model, &cases)?;
    println!("derived states per second: {states_per_s:.0}");
    let mut figures = Map::new();
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    figures.insert("cases".into(), json!(CASES));
    figures.insert("solved".into(), json!(cases.len()));
    figures.insert("seconds".into(), json!(rounded(seconds)));
    figures.insert("states_per_s".into(), json!(states_per_s.round()));
    let (mut count, mut fd_solved, mut fd_seconds, mut ours) = (0, 0, 0.0, 0.0);
    if asked.samples {
        for row in sample(asked, &cases, scratch)? {
            let Some(theirs) = row.fast_downward else { continue };
            let Some(mine) = row.ours else { bail!("{}: only Fast Downward solves it", row.name) };
            fd_solved += 1;
            fd_seconds += theirs.seconds;
            ours += mine.seconds;
        }
        count = cases.len().div_ceil(SAMPLED);
        println!("Fast Downward takes {:.0} times as long", fd_seconds / ours);
    }
    figures.insert("fd_sample".into(), json!(count));
    figures.insert("fd_solved".into(), json!(fd_solved));
    figures.insert("fd_seconds".into(), json!(rounded(fd_seconds)));
    figures.insert("ours_seconds_on_sample".into(), json!(rounded(ours)));
    Ok(figures)
}

/// The cases, solved. A goal whose plan is shorter or longer than those of the paper is replaced by
/// another one.
pub(super) fn generate(model: &Model) -> Result<Vec<Case>> {
    let task = Task::ground(model, &GroundLimits::default())?;
    println!("{} facts, {} ground operators", task.fact_count(), task.operator_count());
    let initial = model.initial_state();
    let mut random = Rng::new(SEED);
    let mut cases = Vec::new();
    for number in 0..CASES {
        let wanted = SHORTEST + (LONGEST - SHORTEST) * number / CASES;
        let case = loop {
            let goal = Goals { model, initial: &initial, random: &mut random }.of_length(wanted);
            let found = {
                let formula = model.formula(&goal)?;
                task.solve_goal(model, &initial, &formula, &mut Limits::default())?
            };
            let Some(steps) = found.plan else { bail!("there is no plan for {goal}") };
            if (SHORTEST..=LONGEST).contains(&steps.len()) {
                break Case { goal, steps };
            }
        };
        cases.push(case);
    }
    Ok(cases)
}

/// Draws goals.
struct Goals<'a> {
    model: &'a Model,
    initial: &'a LiftedState,
    random: &'a mut Rng,
}

impl Goals<'_> {
    /// A goal whose plan has about so many actions.
    fn of_length(&mut self, actions: usize) -> String {
        let mut parts = vec!["(free)".to_owned()];
        let mut expected = 0;
        if actions >= 24 && self.random.below(3) > 0 {
            expected += self.document(&mut parts);
        }
        while expected + 2 <= actions {
            expected += match self.random.below(8) {
                0 if actions - expected < 4 => self.bar(&mut parts),
                1 if actions - expected >= 8 => self.font(&mut parts),
                _ => self.setting(&mut parts),
            };
        }
        format!("(and {})", parts.join(" "))
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.below(texts.len() as u64) as usize]
    }

    /// A bar that is hidden.
    fn bar(&mut self, parts: &mut Vec<String>) -> usize {
        let bar = self.pick(&["b-toolbar", "b-format-bar", "b-ruler", "b-status-bar"]);
        add(parts, format!("(not (shown {bar}))"), 2)
    }

    /// A file with exactly some of the pieces of f1.doc, saved in some directory.
    fn document(&mut self, parts: &mut Vec<String>) -> usize {
        let directory = self.pick(&["d-root", "d-private", "d-latex", "d-samples"]);
        let file = self.pick(&["f-f2-doc", "f-f3-doc"]);
        let pieces = ["t-this", "t-is-the", "t-text", "t-that", "t-needs-to", "t-be-modeled"];
        let mut expected = add(parts, format!("(contains-file {directory} {file})"), 10);
        let first = self.random.below(5) as usize;
        for (number, piece) in pieces.iter().enumerate() {
            let fact = format!("(in {file} {piece})");
            let is_in = number <= first;
            expected += usize::from(!is_in);
            parts.push(if is_in { fact } else { format!("(not {fact})") });
        }
        expected + 4
    }

    /// A current font.
    fn font(&mut self, parts: &mut Vec<String>) -> usize {
        if parts.iter().any(|part| part.starts_with("(current-font")) {
            return self.setting(parts);
        }
        let font = self.pick(&["c-arial", "c-courier"]);
        let style = self.pick(&["c-normal", "c-bold", "c-italic"]);
        let size = self.pick(&["c-12pt", "c-14pt", "c-18pt"]);
        add(parts, format!("(current-font {font} {style} {size})"), 5)
    }

    /// An option or a choice that is not set at first.
    fn setting(&mut self, parts: &mut Vec<String>) -> usize {
        let domain = self.model.domain();
        let set = domain.predicates.iter().position(|it| it.name == "in-window").unwrap_or_default();
        let all: Vec<&capuchin_plan::pddl::Fact> =
            self.initial.iter().filter(|fact| fact.predicate as usize == set).collect();
        let fact = all[self.random.below(all.len() as u64) as usize];
        let name = self.model.object_name(fact.arguments[0]);
        let part = format!("(set {name})");
        let is_set = self.initial.iter().any(|fact| self.model.fact_text(fact) == part);
        // What is set may be a choice, which another one of its group unsets.
        if is_set || name.starts_with("c-") && self.has_rival(parts, name) {
            return 0;
        }
        add(parts, part, 4)
    }

    /// Whether a choice of the same group is wanted already: then both cannot be set.
    fn has_rival(&self, parts: &[String], name: &str) -> bool {
        let group = |choice: &str| {
            self.initial.iter().map(|fact| self.model.fact_text(fact)).find_map(|text| {
                let rest = text.strip_prefix("(choice-of ")?.strip_prefix(choice)?;
                Some(rest.strip_prefix(' ')?.to_owned())
            })
        };
        let wanted = group(name);
        let chosen = parts.iter().filter_map(|part| part.strip_prefix("(set ")?.strip_suffix(')'));
        chosen.filter(|it| it.starts_with("c-")).any(|it| group(it) == wanted)
            || name_is_font(name)
    }
}
