//! Reads the files that a specification names: the model, what it imports, and the mapping if that
//! is in another file.
//!
//! On its own because everything else here works on values. Whoever calls reads the files, so a
//! test can have them in memory.

use crate::bind::{ModelText, bind};
use crate::library;
use crate::oracle::Oracle;
use capuchin::trace::{Gen, Trace};
use capuchin::ui::suggest;
use capuchin_plan::Model;
use capuchin_plan::pddl::{Domain, Problem, ReadError};
use capuchin_spec::{Diagnostic, Label, Library, Mapping, ModelFiles, NamedGen, Spec, parse};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file of a model, in bytes.
const LARGEST: usize = 16 << 20;

/// A specification with a model.
#[derive(Debug)]
pub struct Loaded {
    /// The model, bound to the app.
    pub oracle: Oracle,
    /// The file that has the mapping: the specification itself, or the one that it names.
    pub mapping: PathBuf,
    /// The checks that the file's test cases are, unless it has checks of their names.
    pub checks: Vec<NamedGen>,
}

/// How a file is read.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// Reads what a specification says of a model; nothing if it says nothing. Paths are relative to
/// the specification's own.
pub fn load(
    spec: &Spec,
    path: &Path,
    read: ReadFile<'_>,
) -> Result<Option<Loaded>, Vec<Diagnostic>> {
    let Some(asking) = &spec.mapping else { return Ok(None) };
    let (other, mapping_path) = match asking.model().0 {
        ModelFiles::Pddl(..) => (None, path.to_owned()),
        ModelFiles::Mapping(label) => {
            let other = beside(path, &label);
            (Some(other_mapping(asking, &label, &other, read)?), other)
        }
    };
    let mapping = other.as_ref().unwrap_or(asking);
    if other.is_some() {
        refuse_rules(asking)?;
    }
    let (libraries, text) = model(mapping, &mapping_path, read)?;
    let oracle = bind(mapping, &libraries, asking, text)?;
    let checks = cases(spec, asking, &oracle)?;
    Ok(Some(Loaded { oracle, mapping: mapping_path, checks }))
}

fn beside(path: &Path, label: &Label) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(label.text.as_str())
}

fn read_file(
    mapping: &Mapping,
    label: &Label,
    path: &Path,
    read: ReadFile<'_>,
) -> Result<String, Vec<Diagnostic>> {
    let wrong = |why: String| {
        let message = format!("cannot read {}: {why}", path.display());
        let help = "paths are relative to the file that names them";
        vec![mapping.mistake(label.place, message, "this file", Some(help.to_owned()))]
    };
    match read(path) {
        Ok(text) if text.len() > LARGEST => Err(wrong("it is larger than 16 MiB".to_owned())),
        Ok(text) => Ok(text),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// The mapping of another file.
fn other_mapping(
    asking: &Mapping,
    label: &Label,
    path: &Path,
    read: ReadFile<'_>,
) -> Result<Arc<Mapping>, Vec<Diagnostic>> {
    let text = read_file(asking, label, path, read)?;
    let parsed = parse(&path.display().to_string(), &text);
    let Some(spec) = parsed.spec else { return Err(parsed.diagnostics) };
    let is_whole = |it: &Arc<Mapping>| matches!(it.model().0, ModelFiles::Pddl(..));
    spec.mapping.filter(is_whole).ok_or_else(|| {
        let message = format!("{} has no model of its own", path.display());
        let help = "name a file with `model \"domain.pddl\" \"problem.pddl\"`";
        vec![asking.mistake(label.place, message, "this file", Some(help.to_owned()))]
    })
}

/// A file that takes its mapping from another one has no rules itself.
fn refuse_rules(asking: &Mapping) -> Result<(), Vec<Diagnostic>> {
    let rules = asking.facts().map(|it| it.0).chain(asking.operators().map(|it| it.0));
    let rules = rules.chain(asking.objects()).chain(asking.imports());
    let help = "write it in the file that the `model` line names";
    let wrong: Vec<Diagnostic> = rules
        .map(|label| {
            let message = "this belongs to the mapping, which is in another file";
            asking.mistake(label.place, message, "not here", Some(help.to_owned()))
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The model of a mapping, with the libraries that it imports.
fn model(
    mapping: &Mapping,
    path: &Path,
    read: ReadFile<'_>,
) -> Result<(Vec<Library>, ModelText), Vec<Diagnostic>> {
    let (ModelFiles::Pddl(domain, problem), _) = mapping.model() else {
        return Err(Vec::new());
    };
    let (domain_path, problem_path) = (beside(path, &domain), beside(path, &problem));
    let domain_text = read_file(mapping, &domain, &domain_path, read)?;
    let problem_text = read_file(mapping, &problem, &problem_path, read)?;
    let mut libraries = Vec::new();
    let mut whole = domain_text.clone();
    for import in mapping.imports() {
        let Some(library) = library::named(&import.text) else {
            let known = library::names();
            let help = match suggest(&import.text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the libraries are `{}`", known.join("`, `")),
            };
            let message = format!("there is no library `{}`", import.text);
            return Err(vec![mapping.mistake(import.place, message, "not known", Some(help))]);
        };
        libraries.push(Mapping::library(import.place, &import.text, library.mapping)?);
        whole = library.added_to(&whole);
    }
    let domain = Domain::parse(&whole).map_err(|error| located(&domain_path, &whole, &error))?;
    let problem = Problem::parse(&problem_text, &domain)
        .map_err(|error| located(&problem_path, &problem_text, &error))?;
    let model = Model::new(domain, problem);
    Ok((libraries, ModelText { model, domain: whole, problem: problem_text }))
}

/// The mistakes of a file of PDDL.
fn located(path: &Path, text: &str, error: &ReadError) -> Vec<Diagnostic> {
    let name = path.display().to_string();
    let wrong = error.diagnostics.iter().map(|wrong| {
        let (message, help) = (wrong.message.clone(), wrong.help.clone());
        Diagnostic::at((&name, text), wrong.span.clone(), message, "here", help)
    });
    wrong.collect()
}

/// The checks that the test cases of a file are. One whose precondition fails is invalid.
fn cases(spec: &Spec, asking: &Mapping, oracle: &Oracle) -> Result<Vec<NamedGen>, Vec<Diagnostic>> {
    let (mut checks, mut wrong) = (Vec::new(), Vec::new());
    for (label, text) in asking.cases() {
        let mut mistake = |message: String, help: Option<String>| {
            wrong.push(asking.mistake(text.place, message, "this test case", help));
        };
        let steps = match oracle.model().steps(&text.text) {
            Ok(steps) => steps,
            Err((_, error)) => {
                mistake(error.to_string(), Some("a step is written `(action object ...)`".into()));
                continue;
            }
        };
        if let Some((place, why)) = oracle.invalid(&steps) {
            let help = format!(
                "this says nothing about the app: change step {} of the case, or the model",
                place + 1
            );
            mistake(format!("the test case `{}` is invalid: {why}", label.text), Some(help));
            continue;
        }
        let Some(traces) = steps.iter().map(|it| oracle.trace(it)).collect::<Option<Vec<_>>>()
        else {
            mistake("a step of it has no events".into(), Some("see its `operator` line".into()));
            continue;
        };
        let generator = Gen::from(Trace::seq(traces));
        match spec.checks.iter().find(|check| check.name == *label.text) {
            None => checks.push(NamedGen { name: label.text.to_string(), generator }),
            Some(check) if check.generator.to_string() == generator.to_string() => {}
            Some(_) => mistake(
                format!("the check `{}` is not what its steps do", label.text),
                Some(
                    "the mapping has changed: run `capuchin plan` again, or remove the check"
                        .into(),
                ),
            ),
        }
    }
    if wrong.is_empty() { Ok(checks) } else { Err(wrong) }
}
