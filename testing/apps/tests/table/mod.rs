//! What the tests of the table of planted bugs share: the examples, and whether a failure is a bug
//! of the table.

use capuchin::log::Failure;
use capuchin_apps::Bug;
use capuchin_spec::Spec;

/// An example with one check.
pub(crate) fn example(name: &str) -> Spec {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let parsed = capuchin_spec::parse(name, &text);
    assert_eq!(parsed.diagnostics.len(), 0, "{name}: {:?}", parsed.diagnostics);
    let spec = parsed.spec.unwrap();
    assert!(spec.checks.len() == 1 && spec.always.is_empty(), "{name}: more than is run here");
    spec
}

/// Whether a failure is this bug, shrunk to the trace in the table.
pub(crate) fn is(failure: &Failure, bug: &Bug) -> bool {
    failure.summary.starts_with(&format!("{:?}", bug.verdict))
        && bug.minimal.iter().any(|minimal| fits(minimal, &failure.after()))
}

/// Whether the text is the pattern, in which `*` stands for any characters.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}
