//! Any mapping with any model, three texts between lines of `=`: binding them never panics.
#![no_main]

use capuchin_oracle::load;
use libfuzzer_sys::fuzz_target;
use std::io;
use std::path::Path;

fuzz_target!(|source: &str| {
    let mut parts = source.split("\n====\n");
    let (mapping, domain) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let problem = parts.next().unwrap_or_default();
    let mapping = format!("model \"d.pddl\" \"p.pddl\"\n{mapping}");
    let Some(spec) = capuchin_spec::parse("fuzz.capu", &mapping).spec else { return };
    let read = |path: &Path| match path.to_str() {
        Some("d.pddl") => Ok(domain.to_owned()),
        Some("p.pddl") => Ok(problem.to_owned()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    match load(&spec, Path::new("fuzz.capu"), &read) {
        Ok(loaded) => assert!(loaded.is_some()),
        Err(wrong) => assert!(!wrong.is_empty()),
    }
});
