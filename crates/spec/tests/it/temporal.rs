//! Properties of whole runs: how they are read, printed, and refused.

use crate::render::report;
use capuchin_spec::{Spec, parse};
use capuchin_trace::{Formula, Limit, Prop};

#[track_caller]
fn spec(source: &str) -> Spec {
    let parsed = parse("test.capu", source);
    let said: Vec<String> = parsed.diagnostics.iter().map(crate::render::render).collect();
    assert!(said.is_empty(), "{source}\n{}", said.join("\n"));
    parsed.spec.expect("nothing was said against it")
}

#[track_caller]
fn prints(formula: &str, printed: &str) {
    let read = spec(&format!("predicate p\npredicate q\npredicate r\nproperty {formula}"));
    assert_eq!(read.properties[0].formula.to_string(), printed);
    assert_eq!(spec(&read.to_string()), read);
}

#[test]
fn the_operators_bind_as_the_reference_says() {
    for (written, printed) in [
        ("eventually p within 3", "eventually p within 3"),
        ("eventually p within 0 steps", "eventually p within 0"),
        ("p leadsTo q within 500 ms", "p leadsTo q within 500 ms"),
        ("p leadsTo q within 5 s", "p leadsTo q within 5000 ms"),
        ("p leadsTo q within 1 min", "p leadsTo q within 60000 ms"),
        ("p until q", "p until q"),
        ("always p", "always p"),
        ("next p", "next p"),
        ("!eventually p", "!(eventually p)"),
        // The nearest operator that has a limit takes it.
        ("always eventually p within 3", "always (eventually p within 3)"),
        ("p leadsTo next q within 3", "p leadsTo (next q) within 3"),
        ("p leadsTo eventually q within 3", "p leadsTo (eventually q within 3)"),
        ("p leadsTo (eventually q) within 3", "p leadsTo (eventually q) within 3"),
        // `until` before `/\`, `leadsTo` after everything.
        ("p /\\ q until r", "p /\\ (q until r)"),
        ("p \\/ q leadsTo q /\\ r", "(p \\/ q) leadsTo (q /\\ r)"),
        ("p ==> q leadsTo r", "(p ==> q) leadsTo r"),
        ("next count(button) > 2 /\\ p", "(next (count(button) > 2)) /\\ p"),
        ("always (p ==> q until r)", "always (p ==> (q until r))"),
        ("eventually next always p", "eventually (next (always p))"),
        ("{ p until q } until r", "(p until q) until r"),
    ] {
        prints(written, printed);
    }
}

#[test]
fn a_property_has_a_name_and_stands_among_other_items() {
    let source =
        "property \"saved soon\": (isDisplayed(#saving)) leadsTo (isDisplayed(#saved)) within 3
property \"home\":
    always isDisplayed(#home)
always isDisplayed(#home)
check a = Click(#save)
";
    let read = spec(source);
    assert_eq!(read.properties[0].label.as_deref(), Some("saved soon"));
    assert_eq!((read.properties.len(), read.always.len(), read.checks.len()), (2, 1, 1));
    let Formula::LeadsTo(_, _, limit) = &read.properties[0].formula else { panic!("{read}") };
    assert_eq!(*limit, Some(Limit::Steps(3)));
    assert_eq!(spec(&read.to_string()), read);
}

#[test]
fn a_definition_may_stand_for_one() {
    let read = spec(
        "val soon(what) = eventually isDisplayed(what) within 3\n\
         val busy = isDisplayed(#busy)\n\
         property busy leadsTo soon(#a) \\/ soon(#b)",
    );
    let printed = "isDisplayed(#busy) leadsTo ((eventually isDisplayed(#a) within 3) \\/ \
                   (eventually isDisplayed(#b) within 3))";
    assert_eq!(read.properties[0].formula.to_string(), printed);
}

#[test]
fn the_words_are_names_everywhere_else() {
    let read = spec(
        "val next = button(\"Next\")\nval until = 3\n\
         property always isDisplayed(next)\n\
         check a = Click(next) :>> repeat until Click(next) :>> Type(#property, \"within\")",
    );
    let Formula::Always(inner) = &read.properties[0].formula else { panic!("{read}") };
    assert!(matches!(**inner, Formula::Now(Prop::Element(..))));
    spec("val property = #property\ncheck b = Click(property)");
}

#[track_caller]
fn refused(source: &str, said: &[&str]) {
    let report = report(source);
    for part in said {
        assert!(report.contains(part), "{source}\n{report}");
    }
}

#[test]
fn mistakes_are_told_where_they_are() {
    let goal = "property eventually isDisplayed(#a)";
    refused(&format!("{goal} within"), &["a number after `within`", "within 500 ms"]);
    refused(&format!("{goal} within\ncheck a = Skip"), &["found `check`"]);
    refused(&format!("{goal} within soon"), &["found `soon`"]);
    refused(&format!("{goal} within -3"), &["negative", "below 0", "from 0 on"]);
    refused(&format!("{goal} within 3 hours"), &["unknown unit `hours`", "`ms`"]);
    refused(&format!("{goal} within 1.5"), &["a whole number"]);
    refused(&format!("{goal} within 2000000"), &["1,000,000 steps"]);
    refused(&format!("{goal} within 99999999999999 s"), &["ten years"]);
    refused("property always isDisplayed(#a) within 3", &["nothing here has a limit", "leadsTo"]);
    refused("property \"x\":", &["an expression"]);
    refused("property isDisplayed(#a) leadsTo", &["an expression"]);
    refused("property Click(#a)", &["expected a property"]);
    refused(
        "val soon = eventually isDisplayed(#a)\ncheck a = assert soon",
        &["`eventually` says something about a run", "property \"label\""],
    );
    refused("check a = assert eventually isDisplayed(#a)", &["error"]);
}

#[test]
fn what_nests_too_deep_is_refused_and_breaks_nothing() {
    for open in ["(", "always (", "!", "next ", "eventually (", "p until (", "p leadsTo "] {
        let source = format!("predicate p\nproperty {}p", open.repeat(100_000));
        refused(&source, &["nests more than 200 deep"]);
    }
    refused(&format!("predicate p\nproperty p{}", " until p".repeat(100_000)), &["deep"]);
    let many = format!("predicate p\nproperty p{}", " /\\ next p".repeat(1000));
    refused(&many, &["more than 1,000 parts"]);
}

#[test]
fn the_example_is_read_and_printed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/todomvc-runs.capu");
    let read = spec(&std::fs::read_to_string(file).unwrap());
    assert!(read.properties.len() >= 10 && read.checks.len() == 1, "{read}");
    assert_eq!(spec(&read.to_string()), read);
}
