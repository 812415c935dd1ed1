//! The word `auto`: how it reads, what is said where it does not, and where it is a name.

use crate::render::{report, report_with};
use capuchin_spec::{Words, parse, parse_gen, parse_with};
use capuchin_trace::prelude::*;
use insta::assert_snapshot;

#[track_caller]
fn reads(source: &str, expected: &Gen) {
    let read = parse_gen(source).unwrap();
    assert_eq!(read, *expected, "{source}");
    assert_eq!(parse_gen(&read.to_string()).unwrap(), read, "{read}");
}

fn login() -> Gen {
    click(id("in")).when(is_displayed(saying("Login")))
}

#[test]
fn a_policy_and_a_number_and_perhaps_a_script() {
    reads("auto swifthand 200", &auto("swifthand", 200));
    reads("Rotate :>> auto lstar 5 :>> Rotate", &(rotate() >> auto("lstar", 5) >> rotate()));
    let with = auto_with("swifthand", 200, login());
    reads("auto swifthand 200 with (isDisplayed(\"Login\") then Click(#in))", &with);
    reads("auto swifthand 200\n with { isDisplayed(\"Login\") then Click(#in) }", &with);
    reads(
        "Rotate :>> auto random 7 offering Click(#a) :>> Rotate",
        &(rotate() >> auto_offering("random", 7, click(id("a"))) >> rotate()),
    );
    reads(
        "auto relevant 3 with Rotate <+> Skip",
        &(auto_with("relevant", 3, rotate()) | parse_gen("Skip").unwrap()),
    );
    reads(
        "{ auto capuchin 3 with Click(#a)? }? always isDisplayed(#a)",
        &auto_with("capuchin", 3, click(id("a")).attempt()).attempt().always(is_displayed(id("a"))),
    );
    reads(
        "auto monkey 9 || network(\"off\")",
        &auto("monkey", 9).interleave(environment("network", ["off".into()])),
    );
    reads("auto lstar 5 with { auto random 2 }", &auto_with("lstar", 5, auto("random", 2)));
}

#[test]
fn definitions_count_and_are_injected() {
    let source = r#"
        val n = 20
        val login(user) = Type(#user, user) :>> Click(#in)
        val explore(g) = auto swifthand (2 * n) with g
        check a = explore({ isDisplayed("Login") then login("me") })
        check b = auto random n
    "#;
    let spec = parse("a.capu", source).spec.unwrap();
    assert_eq!(
        spec.checks[0].generator.to_string(),
        "auto swifthand 40 with { isDisplayed(\"Login\") then { Type(#user, \"me\") :>> Click(#in) } }"
    );
    assert_eq!(spec.checks[1].generator.to_string(), "auto random 20");
}

#[test]
fn the_words_are_names_everywhere_else() {
    let source = r#"
        predicate offering
        environment random
        val auto = Click(#a)
        val with(x) = x :>> x
        val swifthand = 3
        check a = auto :>> with(auto) :>> auto <+> Rotate :>> random() :>> repeat swifthand auto
        check b = auto? :>> { auto keeps text(#a) } :>> { auto preserves offering }
        check c = offering then auto
        check d = { auto always offering } :>> let lstar = 1 :>> assert lstar == 1
        check e = repeat 2 auto :>> auto random swifthand offering (offering then auto)
    "#;
    let parsed = parse("names.capu", source);
    let said: Vec<String> = parsed.diagnostics.iter().map(crate::render::render).collect();
    let errors: Vec<&String> = said.iter().filter(|said| said.contains("error")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let spec = parsed.spec.unwrap();
    assert_eq!(
        spec.checks[4].generator.to_string(),
        "repeat 2 { Click(#a) } :>> auto random 3 offering { offering then Click(#a) }"
    );
    assert_eq!(parse("printed.capu", &spec.to_string()).spec, Some(spec));
}

#[test]
fn policies_that_are_none() {
    let source = r#"check a = auto swifhand 20 :>> auto xyzzy 3 with Rotat
check b = auto 200
check c = aut random 20
check d = auto random
check e = auto random 2000000
check f = auto random 1000 with times 1000 Rotate"#;
    let words = Words::new(["capuchin", "swifthand", "lstar", "random"]);
    assert_snapshot!(report_with(source, &words), @r##"
    error: unknown policy `swifhand`
      1 | check a = auto swifhand 20 :>> auto xyzzy 3 with Rotat
        |                ^^^^^^^^ not known
      = did you mean `swifthand`?

    error: unknown policy `xyzzy`
      1 | check a = auto swifhand 20 :>> auto xyzzy 3 with Rotat
        |                                     ^^^^^ not known
      = the policies are `capuchin`, `swifthand`, `lstar`, `random`, `monkey`, `relevant`

    error: unknown name `Rotat`
      1 | check a = auto swifhand 20 :>> auto xyzzy 3 with Rotat
        |                                                  ^^^^^ not known here
      = did you mean `Rotate`?

    error: expected the name of a policy, found `200`
      2 | check b = auto 200
        |                ^^^ the name of a policy belongs here
      = the policies are `capuchin`, `swifthand`, `lstar`, `random`, `monkey`, `relevant`

    error: unknown name `aut`
      3 | check c = aut random 20
        |           ^^^ not known here
      = define it: val aut = ...; or, if the surroundings do it: environment aut

    error: expected an operator or a new line, found `random`
      3 | check c = aut random 20
        |               ^^^^^^ an operator or a new line belongs here
      = did you mean `auto random`?

    error: expected a number of times, found `check`
      5 | check e = auto random 2000000
        | ^^^^^ a number of times belongs here
      4 | check d = auto random
        |                ^^^^^^ after this

    error: a count is a whole number up to 1,000,000
      5 | check e = auto random 2000000
        |                       ^^^^^^^ not such a number

    error: its traces are too long
      6 | check f = auto random 1000 with times 1000 Rotate
        |       ^ up to 1001000 events
      = a trace has at most 100,000 events: lower the counts, and draw more traces with `cases`; `capuchin explore` has no such limit
    "##);
}

#[test]
fn any_name_is_a_policy_where_nobody_says_which_there_are() {
    reads("auto xyzzy 3", &auto("xyzzy", 3));
    assert_snapshot!(report("auto 200"), @r##"
    error: expected the name of a policy, found `200`
      1 | auto 200
        |      ^^^ the name of a policy belongs here
    "##);
}

#[test]
fn policies_of_the_users_are_read_and_suggested() {
    let read = |text| parse_with("mine.capu", text, &Words::new(["careful"]));
    let spec = read("auto careful 20").spec.unwrap();
    assert_eq!(spec.checks[0].generator, auto("careful", 20));
    let said = |text| read(text).diagnostics.iter().map(crate::render::render).collect::<String>();
    assert!(said("auto carefull 20").contains("did you mean `careful`?"));
    assert!(said("auto swifthand 20").contains("the policies are `careful`, `monkey`, `relevant`"));
}

#[test]
fn what_a_script_must_be() {
    let source = r#"check a = auto random 20 with isDisplayed(#x)
check b = auto random 20 offering
check c = Rotate || auto random 2
check d = auto random 20 wiht Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: expected a generator, found a property
      1 | check a = auto random 20 with isDisplayed(#x)
        |                               ^^^^^^^^^^^^^^^ this is a property
      = to check a property here, write `assert P`

    error: expected an expression, found `check`
      3 | check c = Rotate || auto random 2
        | ^^^^^ an expression belongs here
      2 | check b = auto random 20 offering
        |                          ^^^^^^^^ after this

    error: only environment events stand on the right of `||`
      3 | check c = Rotate || auto random 2
        |                     ^^^^^^^^^^^^^ `auto random 2` is none
      = to choose between two generators, write `<+>`

    error: expected an operator, `with` or `offering`, found `wiht`
      4 | check d = auto random 20 wiht Rotate
        |                          ^^^^ an operator, `with` or `offering` belongs here
      = did you mean `with`?
    "##);
}
