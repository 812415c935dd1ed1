//! Printing and parsing are inverse: for every value that the language can build.

use crate::render::render;
use crate::strategies;
use capuchin_spec::{parse, parse_gen};
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

fn config(cases: u32) -> ProptestConfig {
    // No file is written: the failing value is printed, and becomes a test of its own.
    let failure_persistence = Some(Box::new(FileFailurePersistence::Off) as Box<_>);
    ProptestConfig {
        failure_persistence,
        max_shrink_iters: 2000,
        // The same values in every run; another seed is as good.
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn generators(generator in strategies::generator()) {
        let printed = generator.to_string();
        match parse_gen(&printed) {
            Ok(read) => prop_assert_eq!(read, generator, "{}", printed),
            Err(said) => {
                let said: Vec<String> = said.iter().map(render).collect();
                prop_assert!(false, "{}\n{}", printed, said.join("\n"));
            }
        }
    }

    #[test]
    fn properties(prop in strategies::prop()) {
        let printed = format!("assert {prop}");
        prop_assert_eq!(parse_gen(&printed).unwrap(), capuchin_trace::Gen::Assert(prop), "{}", printed);
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn specs(spec in strategies::spec()) {
        let printed = spec.to_string();
        let parsed = parse("printed.capu", &printed);
        let said: Vec<String> = parsed.diagnostics.iter().map(render).collect();
        prop_assert!(said.is_empty(), "{}\n{}", printed, said.join("\n"));
        prop_assert_eq!(parsed.spec, Some(spec), "{}", printed);
    }
}
