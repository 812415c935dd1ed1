//! A spec becomes plans, and says which names it does not know.

use capuchin::{Config, Monitors, each_step};
use capuchin_spec::{PlanError, Spec, parse};
use std::sync::Arc;

fn spec(text: &str) -> Spec {
    parse("a.capu", text).spec.unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn each_check_is_a_plan_or_those_that_are_named() {
    let spec = spec("check a = Rotate\ncheck b = ClickBack\ncheck c = Rotate");
    let config = Config::once(7);
    for (only, expected) in [(&[][..], &["a", "b", "c"][..]), (&["c", "a"], &["a", "c"])] {
        let plans = spec.plans(&names(only), &[], &config).unwrap();
        let found: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        assert_eq!(found, expected);
        assert!(plans.iter().all(|plan| plan.config.seed == 7 && plan.config.cases == 1));
    }
    let unknown = spec.plans(&names(&["a", "d"]), &[], &config).unwrap_err();
    let (name, known) = ("d".to_owned(), names(&["a", "b", "c"]));
    assert_eq!(unknown, PlanError::UnknownCheck { name, known });
}

#[test]
fn each_monitor_that_is_named_watches_once_after_what_always_holds() {
    let known: Vec<Arc<dyn Monitors>> = vec![
        Arc::new(each_step("mine", |_, _| Ok(None))),
        Arc::new(each_step("yours", |_, _| Ok(None))),
    ];
    let spec = spec("monitor \"yours\"\nalways isDisplayed(#a)\ncheck a = Rotate");
    let watching = spec.watching(&names(&["mine", "yours"]), &known).unwrap();
    let found: Vec<&str> = watching.iter().map(|monitors| monitors.name()).collect();
    assert_eq!(found, ["always", "yours", "mine"]);
    let plans = spec.plans(&[], &watching, &Config::default()).unwrap();
    assert_eq!(plans[0].monitors.len(), 3);
    let unknown = spec.watching(&names(&["theirs"]), &known).err().unwrap();
    assert_eq!(unknown.to_string(), "unknown monitor `theirs`");
}

#[test]
fn a_saved_failure_fits_as_long_as_its_spec_says_the_same() {
    let text = "device \"sim:a\"\nseed 7\nexpect \"Failed assert stored\"\npredicate stored\n\
                Click(#a) :>> assert stored\n";
    let words = capuchin_spec::Words::default();
    let of = |spec: &str| crate::plans::spec(spec).saved("a", ("1-a.capu", text), &words);
    let saved = of("predicate stored\ncheck a = Rotate :>> assert stored").unwrap();
    assert_eq!((saved.file.as_str(), saved.seed), ("1-a.capu", 7));
    assert_eq!(saved.expected, "Failed assert stored");
    assert_eq!(saved.trace.to_string(), "Click(#a) :>> assert stored");
    assert!(of("predicate stored\nalways stored\ncheck a = Rotate").is_ok());
    let wrong = |spec: &str| of(spec).unwrap_err().to_string();
    assert!(wrong("predicate stored = js `1`\ncheck a = assert stored").contains("declare"));
    assert!(wrong("predicate stored\ncheck a = assert !stored").contains("property"));
    let spec = spec("check a = Rotate :>> let n = text(#a) :>> assert text(#a) == n");
    let remembered = "Rotate :>> assert text(#a) == \"x\"";
    assert!(spec.saved("a", ("1-a.capu", remembered), &words).is_ok());
    assert!(spec.saved("a", ("1-a.capu", "Click("), &words).is_err());
    assert!(spec.saved("a", ("1-a.capu", "auto swifthand 3"), &words).is_err());
}
