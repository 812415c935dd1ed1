//! The oracle from outside, on a small editor: one binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod diagnostics;
mod learning;
mod noise;
mod planning;
mod watching;

use capuchin_apps::editor::{Editor, Fault};
use capuchin_oracle::{Loaded, load};
use capuchin_sim::SimDevice;
use capuchin_spec::{Diagnostic, Spec, parse};
use std::io;
use std::path::{Path, PathBuf};

/// The directory of the editor's model.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/examples/editor")
}

/// The editor's mapping, with these lines after it.
fn spec(more: &str) -> Spec {
    let text = std::fs::read_to_string(examples().join("editor.capu")).unwrap() + more;
    let parsed = parse("editor.capu", &text);
    parsed.spec.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics))
}

fn loaded(spec: &Spec) -> Result<Loaded, Vec<Diagnostic>> {
    let read = |path: &Path| std::fs::read_to_string(path);
    load(spec, &examples().join("editor.capu"), &read).map(|loaded| loaded.unwrap())
}

/// A mapping with its model, all in memory.
fn in_memory(mapping: &str, domain: &str, problem: &str) -> Result<Loaded, Vec<String>> {
    let parsed = parse("a.capu", mapping);
    let texts = |wrong: Vec<Diagnostic>| wrong.iter().map(ToString::to_string).collect::<Vec<_>>();
    let Some(spec) = parsed.spec else { return Err(texts(parsed.diagnostics)) };
    let read = |path: &Path| match path.to_str() {
        Some("d.pddl") => Ok(domain.to_owned()),
        Some("p.pddl") => Ok(problem.to_owned()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    load(&spec, Path::new("a.capu"), &read).map(|loaded| loaded.unwrap()).map_err(texts)
}

fn device(fault: Option<Fault>) -> SimDevice<Editor> {
    SimDevice::new("sim:editor", Editor::with(fault))
}
