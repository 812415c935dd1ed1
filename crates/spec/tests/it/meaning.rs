//! What is said about text that reads well and means nothing: unknown names, wrong kinds, circles.

use crate::render::report;
use insta::assert_snapshot;

#[test]
fn unknown_names_with_what_was_meant() {
    let source = r#"check a = Clik(#x) :>> Rotat :>> assert isDisplayd("x")"#;
    assert_snapshot!(report(source), @r##"
    error: unknown name `Clik`
      1 | check a = Clik(#x) :>> Rotat :>> assert isDisplayd("x")
        |           ^^^^ not known here
      = did you mean `Click`?

    error: unknown name `Rotat`
      1 | check a = Clik(#x) :>> Rotat :>> assert isDisplayd("x")
        |                        ^^^^^ not known here
      = did you mean `Rotate`?

    error: unknown name `isDisplayd`
      1 | check a = Clik(#x) :>> Rotat :>> assert isDisplayd("x")
        |                                         ^^^^^^^^^^ not known here
      = did you mean `isDisplayed`?
    "##);
}

#[test]
fn unknown_predicate() {
    let source = "check a = Rotate preserves playing";
    assert_snapshot!(report(source), @r##"
    error: unknown name `playing`
      1 | check a = Rotate preserves playing
        |                            ^^^^^^^ not known here
      = declare it: predicate playing
    "##);
}

#[test]
fn unknown_words_in_elements() {
    let source = r#"check a = Click(buton("x")) :>> Click(button(chekced)) :>> Swipe(#x, upp)"#;
    assert_snapshot!(report(source), @r##"
    error: unknown name `buton`
      1 | check a = Click(buton("x")) :>> Click(button(chekced)) :>> Swipe(#x, upp)
        |                 ^^^^^ not known here
      = did you mean `button`?

    error: unknown name `chekced`
      1 | check a = Click(buton("x")) :>> Click(button(chekced)) :>> Swipe(#x, upp)
        |                                              ^^^^^^^ not known here
      = did you mean `checked`?

    error: unknown name `upp`
      1 | check a = Click(buton("x")) :>> Click(button(chekced)) :>> Swipe(#x, upp)
        |                                                                      ^^^ not known here
      = did you mean `Up`?
    "##);
}

#[test]
fn unknown_names_in_a_definition_that_is_never_used() {
    let source = r#"val unused(x) = Clik(x) :>> undefined
check a = Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: unknown name `Clik`
      1 | val unused(x) = Clik(x) :>> undefined
        |                 ^^^^ not known here
      = did you mean `Click`?

    error: unknown name `undefined`
      1 | val unused(x) = Clik(x) :>> undefined
        |                             ^^^^^^^^^ not known here
      = define it: val undefined = ...; or, if the surroundings do it: environment undefined
    "##);
}

#[test]
fn a_generator_for_a_property() {
    let source = "check a = assert Click(#x)";
    assert_snapshot!(report(source), @r##"
    error: expected a property, found a generator
      1 | check a = assert Click(#x)
        |                  ^^^^^^^^^ this is a generator
      = to look at the screen after it, `assert` a property
    "##);
}

#[test]
fn a_property_for_a_generator() {
    let source = "check a = isDisplayed(#x) :>> Rotate";
    assert_snapshot!(report(source), @r##"
    error: expected a generator, found a property
      1 | check a = isDisplayed(#x) :>> Rotate
        |           ^^^^^^^^^^^^^^^ this is a property
      = to check a property here, write `assert P`
    "##);
}

#[test]
fn a_definition_of_the_wrong_kind() {
    let source = r#"val g = Rotate
check a = assert g"#;
    assert_snapshot!(report(source), @r##"
    error: expected a property, found a generator
      1 | val g = Rotate
        |         ^^^^^^ this is a generator
      2 | check a = assert g
        |                  ^ used here
      = to look at the screen after it, `assert` a property
    "##);
}

#[test]
fn an_argument_of_the_wrong_kind() {
    let source = r#"val f(x) = Type(#x, x)
check a = f(Rotate)"#;
    assert_snapshot!(report(source), @r##"
    error: expected a text, found a generator
      2 | check a = f(Rotate)
        |             ^^^^^^ this is a generator
      1 | val f(x) = Type(#x, x)
        |                     ^ used here
      = a text is written in quotes
    "##);
}

#[test]
fn texts_for_numbers_and_numbers_for_texts() {
    let source = r#"check a = Type(#x, 5) :>> Sleep("x") :>> Sleep(number(#x))"#;
    assert_snapshot!(report(source), @r##"
    error: expected a text, found a number
      1 | check a = Type(#x, 5) :>> Sleep("x") :>> Sleep(number(#x))
        |                    ^ this is a number
      = a text is written in quotes

    error: expected a number, found a text
      1 | check a = Type(#x, 5) :>> Sleep("x") :>> Sleep(number(#x))
        |                                 ^^^ this is a text
      = a number is written without quotes

    error: expected a number, found a value read off the screen
      1 | check a = Type(#x, 5) :>> Sleep("x") :>> Sleep(number(#x))
        |                                                ^^^^^^^^^^ this is a value read off the screen
      = what to do is drawn before anything is on the screen
    "##);
}

#[test]
fn an_element_by_itself() {
    let source = "check a = #x :>> assert #y";
    assert_snapshot!(report(source), @r##"
    error: expected a generator, found an element
      1 | check a = #x :>> assert #y
        |           ^^ this is an element
      = say what to do with it: Click(...)

    error: expected a property, found an element
      1 | check a = #x :>> assert #y
        |                         ^^ this is an element
      = for example isDisplayed("Welcome")
    "##);
}

#[test]
fn too_few_and_too_many_arguments() {
    let source = "check a = Click() :>> Type(#x) :>> Rotate(1)";
    assert_snapshot!(report(source), @r##"
    error: `Click` takes 1 argument, not 0
      1 | check a = Click() :>> Type(#x) :>> Rotate(1)
        |           ^^^^^ no arguments here
      = write `Click(#id)`

    error: `Type` takes 2 arguments, not 1
      1 | check a = Click() :>> Type(#x) :>> Rotate(1)
        |                       ^^^^ 1 argument here
      = write `Type(#id, "text")`

    error: `Rotate` takes no arguments, not 1
      1 | check a = Click() :>> Type(#x) :>> Rotate(1)
        |                                    ^^^^^^ 1 argument here
      = write `Rotate`
    "##);
}

#[test]
fn wrong_number_of_arguments_of_a_definition() {
    let source = r#"val f(a, b) = Type(a, b)
check a = f(#x)"#;
    assert_snapshot!(report(source), @r##"
    error: `f` takes 2 arguments, not 1
      2 | check a = f(#x)
        |           ^ 1 argument here
      1 | val f(a, b) = Type(a, b)
        |     ^ defined here
      = write `f(a, b)`
    "##);
}

#[test]
fn wrong_number_of_arguments_of_a_predicate() {
    let source = r#"predicate p(x)
check a = assert p :>> assert p(#x)"#;
    assert_snapshot!(report(source), @r##"
    error: `p` takes 1 argument, not 0
      2 | check a = assert p :>> assert p(#x)
        |                  ^ no arguments here
      = it is declared so by `predicate`

    error: expected a value, found an element
      2 | check a = assert p :>> assert p(#x)
        |                                 ^^ this is an element
      = to read what it says, write text(...) or number(...)
    "##);
}

#[test]
fn wrong_number_of_arguments_of_an_environment_event() {
    let source = r#"environment battery(level)
check a = Rotate || battery() :>> batery(1)"#;
    assert_snapshot!(report(source), @r##"
    error: `battery` takes 1 argument, not 0
      2 | check a = Rotate || battery() :>> batery(1)
        |                     ^^^^^^^ no arguments here
      = it is declared so by `environment`

    error: unknown name `batery`
      2 | check a = Rotate || battery() :>> batery(1)
        |                                   ^^^^^^ not known here
      = did you mean `battery`?
    "##);
}

#[test]
fn bad_regex() {
    let source = r#"check a = Type(#x, string("[a-z")) :>> assert text(#x) matches "(""#;
    assert_snapshot!(report(source), @r##"
    error: this regular expression cannot be used
      1 | check a = Type(#x, string("[a-z")) :>> assert text(#x) matches "("
        |                           ^^^^^^ unclosed character class
      = the syntax is that of Rust's `regex`; a `\` is written `\\`

    error: this regular expression cannot be used
      1 | check a = Type(#x, string("[a-z")) :>> assert text(#x) matches "("
        |                                                                ^^^ unclosed group
      = the syntax is that of Rust's `regex`; a `\` is written `\\`
    "##);
}

#[test]
fn regexes_that_cannot_be_drawn_from() {
    let source = r#"check a = Type(#x, string("[a&&b]")) :>> Type(#x, string("[ab]{50000}"))"#;
    assert_snapshot!(report(source), @r##"
    error: this regular expression cannot be used
      1 | check a = Type(#x, string("[a&&b]")) :>> Type(#x, string("[ab]{50000}"))
        |                           ^^^^^^^^ it describes no text at all
      = the syntax is that of Rust's `regex`; a `\` is written `\\`

    error: this regular expression cannot be used
      1 | check a = Type(#x, string("[a&&b]")) :>> Type(#x, string("[ab]{50000}"))
        |                                                          ^^^^^^^^^^^^^ its repetitions come to more than 4096 characters
      = the syntax is that of Rust's `regex`; a `\` is written `\\`
    "##);
    assert!(report(r#"check a = Type(#x, string("((((a*)*)*)*)*"))"#).is_empty());
}

#[test]
fn names_defined_twice() {
    let source = r#"val a = Rotate
val a = Skip
check a = a
check a = a"#;
    assert_snapshot!(report(source), @r##"
    error: `a` is defined twice
      2 | val a = Skip
        |     ^ the second time
      1 | val a = Rotate
        |     ^ the first time
      = call one of them something else

    error: there are two checks named `a`
      4 | check a = a
        |       ^ the second one
      3 | check a = a
        |       ^ the first one
      = name one differently: check NAME = ...
    "##);
}

#[test]
fn a_word_of_the_language_as_a_name() {
    let source = r#"val Click = Rotate
check b = Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: `Click` is a word of the language
      1 | val Click = Rotate
        |     ^^^^^ it has a meaning already
      = call it something else
    "##);
}

#[test]
fn weights() {
    let source = "check a = frequency(Rotate, 3 -> Skip) :>> oneOf() :>> oneOf(2 -> Skip)";
    assert_snapshot!(report(source), @r##"
    error: this arm has no weight
      1 | check a = frequency(Rotate, 3 -> Skip) :>> oneOf() :>> oneOf(2 -> Skip)
        |                     ^^^^^^ how often, compared to others?
      = write frequency(3 -> a, 1 -> b)

    error: `oneOf` of nothing
      1 | check a = frequency(Rotate, 3 -> Skip) :>> oneOf() :>> oneOf(2 -> Skip)
        |                                            ^^^^^ no arms
      = write oneOf(a, b) or frequency(3 -> a, 1 -> b)

    error: `oneOf` has no weights
      1 | check a = frequency(Rotate, 3 -> Skip) :>> oneOf() :>> oneOf(2 -> Skip)
        |                                                              ^^^^^^^^^ a weight
      = write frequency(3 -> a, 1 -> b)
    "##);
}

#[test]
fn counts() {
    let source =
        "check a = repeat 4000000000 Rotate :>> monkey 1.5 :>> repeat 5..2 Skip *>>^9999999 Skip";
    assert_snapshot!(report(source), @r##"
    error: a count is a whole number up to 1,000,000
      1 | check a = repeat 4000000000 Rotate :>> monkey 1.5 :>> repeat 5..2 Skip *>>^9999999 Skip
        |                  ^^^^^^^^^^ not such a number

    error: a count is a whole number up to 1,000,000
      1 | check a = repeat 4000000000 Rotate :>> monkey 1.5 :>> repeat 5..2 Skip *>>^9999999 Skip
        |                                               ^^^ not such a number

    error: this range is empty
      1 | check a = repeat 4000000000 Rotate :>> monkey 1.5 :>> repeat 5..2 Skip *>>^9999999 Skip
        |                                                              ^^^^ 5 is more than 2
      = write repeat 2..5

    error: a count is a whole number up to 1,000,000
      1 | check a = repeat 4000000000 Rotate :>> monkey 1.5 :>> repeat 5..2 Skip *>>^9999999 Skip
        |                                                                            ^^^^^^^ not such a number
    "##);
}

#[test]
fn numbers_of_elements() {
    let source = "check a = Click(button[0]) :>> Click(button(*)[2])";
    assert_snapshot!(report(source), @r##"
    error: elements are counted from 1
      1 | check a = Click(button[0]) :>> Click(button(*)[2])
        |                        ^ not a number of one
      = the first is `[1]`

    error: a number too many
      1 | check a = Click(button[0]) :>> Click(button(*)[2])
        |                                                ^ `*` is any of them
      = `button[2]` is the second button on the screen, `button(*)` is any
    "##);
}

#[test]
fn points() {
    let source = "check a = Pinch(oneOf((1, 2), (3, 4)), #x) :>> Click((1, 2, 3))";
    assert_snapshot!(report(source), @r##"
    error: points are not chosen here
      1 | check a = Pinch(oneOf((1, 2), (3, 4)), #x) :>> Click((1, 2, 3))
        |                 ^^^^^^^^^^^^^^^^^^^^^ a choice
      = a point is written (x, y), with numbers drawn if you like: (choose(0, 100), 5); or anywhere

    error: expected a point, found an element
      1 | check a = Pinch(oneOf((1, 2), (3, 4)), #x) :>> Click((1, 2, 3))
        |                                        ^^ this is an element
      = a point is written (x, y), with numbers drawn if you like: (choose(0, 100), 5); or anywhere

    error: a point has 2 coordinates, not 3
      1 | check a = Pinch(oneOf((1, 2), (3, 4)), #x) :>> Click((1, 2, 3))
        |                                                      ^^^^^^^^^ write (x, y)
    "##);
}

#[test]
fn interleaving_with_what_is_not_of_the_surroundings() {
    let source = r#"check a = Rotate || Click(#x)
check b = assert isDisplayed(#x) || isDisplayed(#y)"#;
    assert_snapshot!(report(source), @r##"
    error: only environment events stand on the right of `||`
      1 | check a = Rotate || Click(#x)
        |                     ^^^^^^^^^ `Click(#x)` is none
      = to choose between two generators, write `<+>`

    error: expected a generator, found a property
      2 | check b = assert isDisplayed(#x) || isDisplayed(#y)
        |                                     ^^^^^^^^^^^^^^^ this is a property
      = for "or" between properties, write `\/`
    "##);
}

#[test]
fn nothing_to_check() {
    let source = "val a = Rotate";
    assert_snapshot!(report(source), @r##"
    error: there is nothing to check
      1 | val a = Rotate
        |     ^ no check up to here
      = add `check NAME = ...` or `forAll(...)`
    "##);
}

#[test]
fn an_empty_file() {
    let source = "";
    assert_snapshot!(report(source), @r##"
    error: there is nothing to check
      1 | 
        | ^ no check up to here
      = add `check NAME = ...` or `forAll(...)`
    "##);
}

#[test]
fn circles() {
    let source = r#"val a = b :>> Rotate
val b = a?
check c = a"#;
    assert_snapshot!(report(source), @r##"
    error: `a` is defined by itself
      2 | val b = a?
        |         ^ used here, on the way to its own meaning
      1 | val a = b :>> Rotate
        |     ^ defined here
      = to do something again, write `repeat n { ... }`
    "##);
}

#[test]
fn a_property_that_takes_in_too_much() {
    let source = "check a = Rotate always isDisplayed(#x) :>> Skip";
    assert_snapshot!(report(source), @r##"
    error: expected a property, found a generator
      1 | check a = Rotate always isDisplayed(#x) :>> Skip
        |                         ^^^^^^^^^^^^^^^^^^^^^^^^ this is a generator
      = put braces around what the property does not belong to
    "##);
}

#[test]
fn a_property_written_in_rust() {
    let source = r#"check a = rust("x") then Skip"#;
    assert_snapshot!(report(source), @r##"
    error: this property is written in Rust and cannot be read from text
      1 | check a = rust("x") then Skip
        |           ^^^^ only its name is printed
      = declare a predicate that the device answers instead
    "##);
}

#[test]
fn texts_and_numbers_are_told_apart() {
    let source = r#"check a = assert count(button) + "a" == 3 :>> assert "a" < 3
check b = assert text(#title) > 3 :>> assert count(item) matches "3""#;
    assert_snapshot!(report(source), @r##"
    error: a text and a number do not go together
      1 | check a = assert count(button) + "a" == 3 :>> assert "a" < 3
        |                                  ^^^ a text
      1 | check a = assert count(button) + "a" == 3 :>> assert "a" < 3
        |                  ^^^^^^^^^^^^^ a number

    error: a text and a number do not go together
      1 | check a = assert count(button) + "a" == 3 :>> assert "a" < 3
        |                                                            ^ a number
      1 | check a = assert count(button) + "a" == 3 :>> assert "a" < 3
        |                                                      ^^^ a text

    error: a text and a number do not go together
      2 | check b = assert text(#title) > 3 :>> assert count(item) matches "3"
        |                                 ^ a number
      2 | check b = assert text(#title) > 3 :>> assert count(item) matches "3"
        |                  ^^^^^^^^^^^^ a text
      = for the number in it, write number(#title)

    error: expected a text, found a number
      2 | check b = assert text(#title) > 3 :>> assert count(item) matches "3"
        |                                              ^^^^^^^^^^^ this is a number
    "##);
}

#[test]
fn what_is_drawn_stands_only_in_events() {
    let source = r#"val u = string("[a-z]")
val plus(n) = times n Click(#plus)
check a = plus(choose(1, 3)) :>> assert text(#x) == u"#;
    let said = report(source);
    assert!(said.contains("expected a number, found a drawn number"), "{said}");
    assert!(said.contains("expected a value, found a drawn text"), "{said}");
    assert!(said.contains("in the arguments of events, and nowhere else"), "{said}");
}
