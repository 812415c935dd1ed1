//! Any text: reading it never panics, and what can be read prints as something that reads the same.
#![no_main]

use capuchin_spec::{Diagnostic, parse, parse_gen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    let parsed = parse("fuzz.capu", source);
    let errors = parsed.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(parsed.spec.is_none(), errors);
    if let Some(spec) = parsed.spec {
        let printed = spec.to_string();
        assert_eq!(parse("printed.capu", &printed).spec, Some(spec), "{printed}");
    }
    if let Ok(generator) = parse_gen(source) {
        let printed = generator.to_string();
        assert_eq!(parse_gen(&printed).ok(), Some(generator), "{printed}");
    }
});
