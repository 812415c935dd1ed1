//! Files that are right: items, definitions, and how lines go on.

use crate::render::report;
use capuchin_spec::{Spec, parse, parse_gen};
use insta::assert_snapshot;

#[track_caller]
fn spec(source: &str) -> Spec {
    let parsed = parse("test.capu", source);
    let said: Vec<String> = parsed.diagnostics.iter().map(crate::render::render).collect();
    parsed.spec.unwrap_or_else(|| panic!("{}", said.join("\n")))
}

#[track_caller]
fn prints(source: &str, printed: &str) {
    let spec = spec(source);
    assert_eq!(spec.to_string(), printed);
    assert_eq!(self::spec(printed), spec);
}

#[test]
fn everything_that_a_file_can_have() {
    prints(
        r#"#!/usr/bin/env capuchin
// A comment.
device "sim:music"
seed 0x2a /* another
comment */
cases 200
predicate isPlaying predicate volumeIs(level)
environment battery(level)
always "never negative": number(#count) >= 0
always count(dialog) <= 1
def enter(what, text) = Type(what, text) :>> Press(Enter)
val start = Click(button("Start", enabled)[2] in #list)
check typed = start :>> enter(#name, oneOf("a", "b")) || battery(choose(0, 100))
check "with a space" = start always isPlaying \/ volumeIs(0)
forAll(start) { !isPlaying }
"#,
        r#"device "sim:music"
seed 42
cases 200
predicate isPlaying
predicate volumeIs
environment battery
always "never negative": number(#count) >= 0
always count(dialog) <= 1
check typed = { Click(button("Start", enabled)[2] in #list) :>> Type(#name, oneOf("a", "b")) :>> Press("Enter") } || battery(choose(0, 100))
check "with a space" = Click(button("Start", enabled)[2] in #list) always isPlaying \/ volumeIs(0)
check start = Click(button("Start", enabled)[2] in #list) :>> assert !isPlaying
"#,
    );
}

#[test]
fn monitors_are_named_in_quotes() {
    let saved =
        "device \"sim:todo\"\nseed 7\nmonitor \"the \\\"sum\\\"\"\nClick(#add) :>> Rotate\n";
    prints(saved, saved);
    assert_eq!(spec(saved).monitors, ["the \"sum\""]);
    // Something to explore with, without a check.
    assert_eq!(spec("monitor \"a\" monitor \"b\"").monitors, ["a", "b"]);
    // Anywhere else it is a name.
    let named = "val monitor = 3\ncheck a = Rotate :>> repeat monitor Click(#a)\nmonitor \"m\"";
    assert_eq!(spec(named).checks[0].generator.to_string(), "Rotate :>> repeat 3 { Click(#a) }");
    assert_snapshot!(report("monitor total\ncheck a = Rotate"), @r#"
    error: expected the name of a monitor, found `total`
      1 | monitor total
        |         ^^^^^ the name of a monitor belongs here
      = name it in quotes: monitor "total"
    "#);
}

#[test]
fn a_file_may_say_which_failure_is_expected() {
    let saved = "device \"sim:todo\"\nexpect \"crashed \\\"…\\\" at\\nMain\"\nClick(#add)\n";
    prints(saved, saved);
    assert_eq!(spec(saved).expect.as_deref(), Some("crashed \"…\" at\nMain"));
    assert_eq!(spec("Click(#add)").expect, None);
    // Anywhere else it is a name.
    let named = "val expect = 3\ncheck a = repeat expect Click(#a)\nexpect \"Failed\"";
    assert_eq!(spec(named).checks[0].generator.to_string(), "repeat 3 { Click(#a) }");
    assert_snapshot!(report("expect \"a\"\nexpect \"b\"\nRotate"), @r#"
    error: a file has one `expect`
      2 | expect "b"
        | ^^^^^^^^^^ the second one
      1 | expect "a"
        | ^^^^^^^^^^ the first one
    "#);
}

#[test]
fn a_saved_failure_is_a_file() {
    let saved = "device \"sim:todo\"\nseed 7\nClick(#add) :>> Rotate\n";
    prints(saved, saved);
    assert_eq!(spec(saved).checks[0].name, "main");
}

#[test]
fn lines_go_on_with_operators() {
    prints(
        "check a = Click(#a)\n  :>> Click(#b)\n  <+> Rotate\ncheck b =\n  Rotate ?\n",
        "check a = Click(#a) :>> { Click(#b) <+> Rotate }\ncheck b = Rotate?\n",
    );
}

#[test]
fn arguments_mean_what_they_mean_where_they_are_written() {
    // `x` of the caller and `x` of the definition are two things.
    prints(
        "val twice(x) = x :>> x\nval f(x) = twice(Click(x)) :>> Type(x, \"x\")\nf(#x) :>> twice(twice(Skip))",
        "Click(#x) :>> Click(#x) :>> Type(#x, \"x\") :>> Skip :>> Skip :>> Skip :>> Skip\n",
    );
}

#[test]
fn a_definition_can_be_anything() {
    prints(
        "val who = \"test\"\nval place = (3, 2 * n)\nval n = 4\nval there = button(who) in #x\n\
         val ok = text(there) == who /\\ count(there) < n\n\
         Click(place) :>> Click(there) :>> Type(#x, who) :>> Click(who) :>> times n { assert ok }",
        "Click((3, 8)) :>> Click(button(\"test\") in #x) :>> Type(#x, \"test\") :>> Click(\"test\") \
         :>> times 4 { assert text(button(\"test\") in #x) == \"test\" /\\ count(button(\"test\") in #x) < 4 }\n",
    );
}

#[test]
fn spellings_of_scala_check() {
    prints(
        "Gen.oneOf(Rotate, Click(4)) :>> Gen.frequency((3, Skip), (1, Settings)) \
         :>> frequency(2 -> Skip, 1 -> network(off)) :>> Type(7, Gen.alphaStr)",
        "{ Rotate <+> Click(#4) } :>> frequency(3 -> Skip, 1 -> Settings) \
         :>> frequency(2 -> Skip, 1 -> network(\"off\")) :>> Type(#7, string(\"[a-zA-Z]*\"))\n",
    );
}

#[test]
fn signs_beyond_ascii() {
    prints(
        "predicate p predicate q\nRotate preserves ¬p ∧ (q ⇒ p) ∨ q",
        "predicate p\npredicate q\nRotate preserves !p /\\ (q ==> p) \\/ q\n",
    );
}

#[test]
fn selectors_in_every_form() {
    prints(
        "Click(* in button(~\"a\", checked)[3] in id(\"a/b\")) :>> LongClick(checkbox(*, unchecked)) \
         :>> Swipe(element(#x, \"y\"), left) :>> Click(oneOf(#a, \"b\", (1, -2), anywhere, *)) \
         :>> Click(string(\"[ab]\"))",
        "Click(* in button(~\"a\", checked)[3] in id(\"a/b\")) :>> LongClick(checkbox(*, unchecked)) \
         :>> Swipe(element(#x, \"y\"), Left) :>> Click(oneOf(#a, \"b\", (1, -2), anywhere, *)) \
         :>> Click(string(\"[ab]\"))\n",
    );
}

#[test]
fn words_of_operators_bind_as_the_reference_says() {
    prints(
        "Click(#a) :>> Rotate keeps number(#b) + 1 * 2 - -3 :>> optional Skip? *>>^7 repeat 2..3 Skip",
        "Click(#a) :>> { Rotate keeps number(#b) + 1 * 2 - -3 } :>> optional { Skip? } *>>^7 repeat 2..3 { Skip }\n",
    );
}

#[test]
fn a_drawn_text_is_drawn_from_its_expression() {
    let parsed = parse("drawn.capu", "check a = Type(#f, string(\"[a-z]{3}\"))");
    let generator = &parsed.spec.unwrap().checks[0].generator;
    for seed in 0..20 {
        let trace = generator.sample(capuchin_ui::Rng::new(seed)).to_trace().to_string();
        let text = trace.strip_prefix("Type(#f, \"").and_then(|rest| rest.strip_suffix("\")"));
        let text = text.unwrap_or_else(|| panic!("{trace}"));
        assert!(text.len() == 3 && text.bytes().all(|b| b.is_ascii_lowercase()), "{trace}");
    }
}

#[test]
fn a_value_on_the_screen_can_be_given_to_a_predicate() {
    let parsed =
        parse("p.capu", "predicate isPlaying(t)\ncheck a = assert isPlaying(text(#track))");
    let printed = parsed.spec.unwrap().checks[0].generator.to_string();
    assert_eq!(printed, "assert isPlaying(text(#track))");
}

#[test]
fn traces_that_no_machine_could_hold_are_refused() {
    let long = "its traces are too long";
    let large = "its traces are too large";
    let deep = format!("{} assert isDisplayed(#a)", "times 10 ".repeat(8));
    for (generator, message) in [
        ("times 1000000 { times 1000000 { Rotate } }", long),
        ("monkey 1000000", long),
        ("times 1000 { gorilla 1000 { Click(#a) } }", long),
        ("auto random 100001", long),
        ("times 1000000 { times 1000000 { assert isDisplayed(#a) } }", large),
        ("times 1000000 { Skip <+> unit }", long),
        ("times 1000000 { unit }", large),
        ("repeat 1000000 { unit } || times 1000000 { unit }", large),
        ("times 400000 { unit preserves isDisplayed(#a) }", large),
        (
            "auto capuchin 100000 with { assert isDisplayed(#a) :>> assert isDisplayed(#b) :>> \
          assert isDisplayed(#c) :>> assert isDisplayed(#d) :>> assert isDisplayed(#e) }",
            large,
        ),
        (&deep, large),
    ] {
        let parsed = parse("long.capu", &format!("check a = {generator}"));
        assert!(parsed.spec.is_none(), "{generator}");
        assert_eq!(parsed.diagnostics[0].to_string(), message, "{generator}");
        assert!(parse_gen(generator).is_err(), "{generator}");
    }
    assert!(parse("long.capu", "monkey 100000").spec.is_some());
}

#[test]
fn what_is_too_large_is_refused_where_it_stands() {
    let many = |part: &str, with: &str, times: usize| vec![part; times].join(with);
    let either = format!("Click({})", many("#a", " | ", 20_000));
    let patterns: Vec<String> =
        (0..300).map(|n| format!(r#"text(#a) matches "\\w{{90}}{n}""#)).collect();
    for (generator, message) in [
        (either.as_str(), "an element has at most 1000 alternatives"),
        ("Sleep(1000000000000000000)", "this takes more than ten years"),
        ("Sleep(choose(0, 1000000000000000000))", "this takes more than ten years"),
        ("clock(1000000000000000000)", "this takes more than ten years"),
        (
            &format!("assert {}", patterns.join(" /\\ ")),
            "the regular expressions of a file take at most 64 MiB",
        ),
        (
            &format!("assert text(#a) matches \"{}\"", "a".repeat(10_001)),
            "this regular expression cannot be used",
        ),
    ] {
        let parsed = parse("large.capu", &format!("check a = {generator}"));
        assert!(parsed.spec.is_none(), "{message}");
        assert_eq!(parsed.diagnostics[0].to_string(), message);
    }
}

#[test]
fn a_guard_may_guard_a_guard() {
    let parsed = spec("isDisplayed(#a) then isDisplayed(#b) then Click(#c)");
    assert_eq!(
        parsed.checks[0].generator.to_string(),
        "isDisplayed(#a) then { isDisplayed(#b) then Click(#c) }"
    );
}

#[test]
fn the_same_generator_may_be_checked_twice() {
    let parsed =
        spec("val g = Rotate\nforAll(g) { isDisplayed(#a) }\nforAll(g) { isDisplayed(#b) }");
    let names: Vec<&str> = parsed.checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["g", "g 2"]);
}

#[test]
fn what_is_remembered_is_known_to_the_end_of_its_braces() {
    prints(
        "check a = { let n = count(item) :>> Click(\"Add\") :>> assert count(item) == n + 1 } :>>
            repeat 3 { let n = text(#t) *>> Rotate keeps length(n) :>> n == \"x\" then Skip }",
        "check a = let n = count(item) :>> Click(\"Add\") :>> assert count(item) == n + 1 :>> \
         repeat 3 { let n2 = text(#t) *>> { Rotate keeps length(n2) } :>> { n2 == \"x\" then Skip } }\n",
    );
}

#[test]
fn an_inner_name_hides_the_outer_one_and_no_longer_than_its_braces() {
    prints(
        "let n = 1 :>> { let n = n + 1 :>> assert n == 2 } :>> assert n == 1 :>> let n = 3 :>> assert n == 3",
        "let n = 1 :>> let n2 = n + 1 :>> assert n2 == 2 :>> assert n == 1 :>> let n = 3 :>> assert n == 3\n",
    );
}

#[test]
fn braces_that_are_lost_take_no_name_along() {
    prints(
        "val one = let n = 1 :>> assert n == 1\none :>> one :>> { true then let n = 2 } :>> oneOf(one)",
        "let n = 1 :>> assert n == 1 :>> let n = 1 :>> assert n == 1 :>> { true then let n2 = 2 } \
         :>> let n = 1 :>> assert n == 1\n",
    );
}

#[test]
fn definitions_see_their_own_names_and_their_arguments() {
    prints(
        "predicate n2\nval more(x) = let n = count(item) :>> Rotate :>> assert n == x\n\
         let n = 5 :>> more(n) :>> assert n2 /\\ n == 5",
        "predicate n2\nlet n = 5 :>> let n3 = count(item) :>> Rotate :>> assert n3 == n :>> \
         assert n2 /\\ n == 5\n",
    );
}

#[test]
fn classes_and_choices_of_elements() {
    prints(
        "val new = #new-todo | .new-todo\nType(new, \"a\") :>> Click(button(.destroy)[2] in (#list | .list)) :>> \
         Click((new | \"New\")[1]) :>> Click(* in .list | button(*)) keeps texts(item in .list) :>> \
         assert count(checkbox(checked) in (.list | #list)) == 1 || network(off)",
        "{ Type(#new-todo | .new-todo, \"a\") :>> Click(button(.destroy)[2] in (#list | .list)) :>> \
         Click((#new-todo | .new-todo | \"New\")[1]) :>> { Click(* in .list | button(*)) keeps \
         texts(item in .list) } :>> assert count(checkbox(checked) in (.list | #list)) == 1 } || \
         network(\"off\")\n",
    );
}

#[test]
fn scripts_travel_with_the_file() {
    let source = "predicate isPlaying\npredicate stored(id, kind) = js `localStorage.getItem(id + \"x\")\n  === kind`\n\
                  value todos = js \"`${1}`.length\"\nvalue age(a) = js `a`\nstored(1, \"a\") /\\ isPlaying then Skip :>> \
                  let n = age(text(#f)) :>> assert todos == n + value(#g)\n";
    let read = spec(source);
    assert_eq!(read.predicates, ["isPlaying"]);
    let [stored, todos, _] = read.scripts.as_slice() else { panic!("{:?}", read.scripts) };
    assert_eq!(
        (&*stored.source, stored.is_value),
        ("localStorage.getItem(id + \"x\")\n  === kind", false)
    );
    assert_eq!(stored.parameters, ["id", "kind"]);
    assert_eq!((&*todos.source, todos.is_value), ("`${1}`.length", true));
    let declared: Vec<&str> = read.declarations().map(|(name, _)| name.as_str()).collect();
    assert_eq!(declared, ["isPlaying", "stored", "todos", "age"]);
    assert_eq!(spec(&read.to_string()), read);
}
