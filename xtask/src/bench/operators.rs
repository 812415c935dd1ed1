//! Learned operators beside a model that was written by hand: precision and recall after so many
//! steps, with and without negative examples, and beside the SAM that amlgym has.
//!
//! The steps are a random walk of the model itself, so that the right answer is known. A negative
//! example is a ground operator that is impossible where the walk stands.

mod sam;
mod walk;

use anyhow::{Context, Result, bail};
use capuchin_plan::Model;
use capuchin_plan::learn::{LearnOptions, Learned, Learner, Observed, compare};
use capuchin_plan::pddl::{Domain, Formula};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use walk::{Applicability, Walk};

/// The model that is learned unless another one is named.
const MODEL: [&str; 2] = ["examples/wordpad/wordpad.pddl", "examples/wordpad/figure-5.pddl"];

pub(super) const USAGE: &str = "\
cargo xtask bench operators -- [OPTIONS]
  --model DOMAIN PROBLEM  a model in PDDL; may be given several times: examples/wordpad
  --steps N               where to measure; may be given several times: 200, 1000 and 5000
  --seed N                of the walk: 1
  --without-amlgym        without SAM as amlgym has it (it needs Python and pip)";

/// What was asked for.
struct Request {
    models: Vec<[PathBuf; 2]>,
    steps: Vec<usize>,
    seed: u64,
    with_amlgym: bool,
}

pub(super) fn run(args: &[&str]) -> Result<()> {
    let request = read(args)?;
    let directory = super::scratch("operators")?;
    let python = match request.with_amlgym {
        true => sam::python(&directory).inspect_err(|error| println!("without SAM: {error}")).ok(),
        false => None,
    };
    let mut models = Vec::new();
    for files in &request.models {
        models.push(one(&request, files, &directory, python.as_deref())?);
    }
    println!("\n{}", json!({ "seed": request.seed, "models": models }));
    Ok(())
}

fn read(args: &[&str]) -> Result<Request> {
    let mut request = Request { models: vec![], steps: vec![], seed: 1, with_amlgym: true };
    let mut words = args.iter().filter(|word| **word != "--");
    while let Some(option) = words.next() {
        let mut value = || words.next().with_context(|| format!("{option} wants a value\n{USAGE}"));
        match *option {
            "--model" => request.models.push([value()?.into(), value()?.into()]),
            "--steps" => request.steps.push(value()?.parse()?),
            "--seed" => request.seed = value()?.parse()?,
            "--without-amlgym" => request.with_amlgym = false,
            _ => bail!("there is no option {option}\n{USAGE}"),
        }
    }
    if request.models.is_empty() {
        request.models.push(MODEL.map(|path| crate::root().join(path)));
    }
    if request.steps.is_empty() {
        request.steps = vec![200, 1_000, 5_000];
    }
    request.steps.sort_unstable();
    Ok(request)
}

/// What learns from the same steps.
struct Rival {
    name: &'static str,
    learner: Learner,
    has_negatives: bool,
    /// The first step after which its preconditions were exact.
    known_at: Option<usize>,
}

fn one(
    request: &Request,
    files: &[PathBuf; 2],
    scratch: &Path,
    python: Option<&Path>,
) -> Result<Value> {
    let [domain, problem] = files;
    let text =
        |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    let model = Model::parse(&text(domain)?, &text(problem)?)?;
    let mut walk = Walk::new(&model, request.seed)?;
    let test = Applicability::new(&mut Walk::new(&model, request.seed + 1)?);
    let rival = |name, conditions, quantified, has_negatives| -> Result<Rival> {
        let options = LearnOptions { conditions, quantified, ..LearnOptions::default() };
        let learner = Learner::new(&model, options)?;
        Ok(Rival { name, learner, has_negatives, known_at: None })
    };
    let mut rivals = [
        rival("capuchin", 2, true, true)?,
        rival("without negatives", 2, true, false)?,
        rival("sam", 0, false, false)?,
    ];
    println!("\n{}: {} operators", model.domain().name, model.domain().actions.len());
    println!(
        "{:>6}  {:<28}{:>12}{:>8}{:>12}{:>8}{:>14}{:>8}",
        "steps", "", "pre: prec.", "recall", "eff: prec.", "recall", "appl.: prec.", "recall"
    );
    let last = request.steps.last().copied().unwrap_or(0);
    let mut rows = Vec::new();
    let mut traces = sam::Traces::new(&model);
    for count in 1..=last {
        let example = walk.step();
        for rival in &mut rivals {
            let seen = Observed::from(example.before.clone());
            if rival.has_negatives {
                rival.learner.each_impossible(&seen, &example.impossible)?;
            }
            rival.learner.step(&seen, &example.step, &example.after.clone().into())?;
        }
        traces.push(&example);
        let is_asked = request.steps.contains(&count);
        if is_asked || is_probed(count) {
            let mut row = Map::new();
            row.insert("steps".to_owned(), json!(count));
            for rival in &mut rivals {
                let learned = rival.learner.learned();
                let measured = measure(rival, &learned, &model, &test);
                if measured.is_exact && rival.known_at.is_none() {
                    rival.known_at = Some(count);
                }
                if !measured.is_exact {
                    rival.known_at = None;
                }
                if is_asked {
                    for (name, figures) in measured.figures {
                        print(count, &name, &figures);
                        row.insert(name, figures);
                    }
                }
            }
            if is_asked {
                if let Some(python) = python {
                    let figures = sam::measure(python, scratch, &traces, &model, &test);
                    let figures =
                        figures.unwrap_or_else(|error| json!({"error": error.to_string()}));
                    print(count, "amlgym's SAM", &figures);
                    row.insert("amlgym's SAM".to_owned(), figures);
                }
                rows.push(Value::Object(row));
            }
        }
    }
    let known: Map<String, Value> =
        rivals.iter().map(|rival| (rival.name.to_owned(), json!(rival.known_at))).collect();
    for rival in &rivals {
        let at = rival.known_at.map_or(format!("not within {last}"), |at| at.to_string());
        println!("{:<28} preconditions exact after: {at} steps", rival.name);
    }
    let never = walk.never();
    println!(
        "never performed: {}",
        if never.is_empty() { "none".to_owned() } else { never.join(", ") }
    );
    Ok(json!({
        "model": model.domain().name,
        "operators": model.domain().actions.len(),
        "rows": rows,
        "preconditions_exact_after": known,
        "never_performed": never,
    }))
}

/// Whether it is measured here when the preconditions were exact: in steps of a tenth or so.
fn is_probed(count: usize) -> bool {
    let grain = (count / 10).max(10);
    let grain = 10usize.pow(grain.ilog10());
    count.is_multiple_of(grain)
}

struct Measured {
    figures: Vec<(String, Value)>,
    is_exact: bool,
}

/// Both bounds of what has negative examples, and the upper one of the others.
fn measure(rival: &Rival, learned: &Learned, model: &Model, test: &Applicability) -> Measured {
    let mut figures = Vec::new();
    let upper = upper(learned);
    if rival.has_negatives {
        let lower = learned.proposed();
        let applies = test.score(model, &lower);
        figures.push((format!("{}, surely needed", rival.name), scores(&lower, model, applies)));
        let all = test.score(model, &upper);
        figures.push((format!("{}, possibly needed", rival.name), scores(&upper, model, all)));
        return Measured { figures, is_exact: applies == [1.0, 1.0] };
    }
    let applies = test.score(model, &upper);
    figures.push((rival.name.to_owned(), scores(&upper, model, applies)));
    Measured { figures, is_exact: applies == [1.0, 1.0] }
}

/// The model with all that may be needed.
fn upper(learned: &Learned) -> Domain {
    let mut domain = learned.proposed();
    for (action, known) in domain.actions.iter_mut().zip(&learned.actions) {
        let all = known.needed.iter().chain(&known.possibly_needed);
        action.precondition = match known.steps {
            0 => Formula::Or(vec![]),
            _ => Formula::And(all.map(|it| it.formula.clone()).collect()),
        };
    }
    domain
}

fn scores(domain: &Domain, model: &Model, [precise, recalled]: [f64; 2]) -> Value {
    let scores = compare(domain, model.domain());
    json!({
        "precondition_precision": scores.preconditions.precision(),
        "precondition_recall": scores.preconditions.recall(),
        "effect_precision": scores.effects.precision(),
        "effect_recall": scores.effects.recall(),
        "applicability_precision": precise,
        "applicability_recall": recalled,
    })
}

fn print(count: usize, name: &str, figures: &Value) {
    if let Some(error) = figures.get("error") {
        println!("{count:>6}  {name:<28}{error}");
        return;
    }
    let get = |key: &str| figures[key].as_f64().map_or("-".to_owned(), |it| format!("{it:.3}"));
    println!(
        "{count:>6}  {name:<28}{:>12}{:>8}{:>12}{:>8}{:>14}{:>8}",
        get("precondition_precision"),
        get("precondition_recall"),
        get("effect_precision"),
        get("effect_recall"),
        get("applicability_precision"),
        get("applicability_recall"),
    );
}
