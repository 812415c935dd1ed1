//! What is said about mistakes in what the language has beyond the paper's: `let`, `|`, scripts.
//!
//! Apart from `meaning` because together they are too long to read.

use crate::render::report;
use insta::assert_snapshot;

#[test]
fn names_under_which_nothing_is_remembered() {
    let source = "val uses = assert count(item) == total\n\
                  check a = { let total = count(item) } :>> Rotate :>> assert count(item) == total\n\
                  check b = let total = count(item) :>> uses :>> assert count(item) == totl";
    assert_snapshot!(report(source), @r##"
    error: unknown name `total`
      1 | val uses = assert count(item) == total
        |                                  ^^^^^ not known here
      = a text is written in quotes: "total"; a value is remembered earlier in the same braces: let total = count(item)

    error: unknown name `total`
      2 | check a = { let total = count(item) } :>> Rotate :>> assert count(item) == total
        |                                                                            ^^^^^ not known here
      = a text is written in quotes: "total"; a value is remembered earlier in the same braces: let total = count(item)

    error: unknown name `totl`
      3 | check b = let total = count(item) :>> uses :>> assert count(item) == totl
        |                                                                      ^^^^ not known here
      = did you mean `total`?
    "##);
}

#[test]
fn what_cannot_be_remembered() {
    let source = "val n = 5\ncheck a = let n = 1 :>> let count(x) = 2\ncheck b = let t = Rotate\n\
                  check c = let t = text(#t) :>> assert t == 3 /\\ t :>> Type(#f, t)\ncheck d = let x";
    assert_snapshot!(report(source), @r##"
    error: `n` has a meaning already
      2 | check a = let n = 1 :>> let count(x) = 2
        |               ^ nothing can be remembered under it
      = call it something else

    error: expected `=`, found `(`
      2 | check a = let n = 1 :>> let count(x) = 2
        |                                  ^ `=` belongs here

    error: expected a value, found a generator
      3 | check b = let t = Rotate
        |                   ^^^^^^ this is a generator

    error: a text and a number do not go together
      4 | check c = let t = text(#t) :>> assert t == 3 /\ t :>> Type(#f, t)
        |                                            ^ a number
      4 | check c = let t = text(#t) :>> assert t == 3 /\ t :>> Type(#f, t)
        |                                       ^ a text

    error: expected a property, found a value read off the screen
      4 | check c = let t = text(#t) :>> assert t == 3 /\ t :>> Type(#f, t)
        |                                                 ^ this is a value read off the screen
      = compare it: count(button) > 0

    error: expected a text, found a value read off the screen
      4 | check c = let t = text(#t) :>> assert t == 3 /\ t :>> Type(#f, t)
        |                                                                ^ this is a value read off the screen
      = a text is written in quotes

    error: expected `=`, found the end of the file
      5 | check d = let x
        |                ^ `=` belongs here
    "##);
}

#[test]
fn swipes_that_go_nowhere() {
    let source = r#"check a = Swipe(#x, "Done") :>> Swipe(#x, button(*)) :>> Swipe(#x, Rotate) :>> Clear(5, 6)"#;
    assert_snapshot!(report(source), @r##"
    error: a swipe goes to one element
      1 | check a = Swipe(#x, "Done") :>> Swipe(#x, button(*)) :>> Swipe(#x, Rotate) :>> Clear(5, 6)
        |                                           ^^^^^^^^^ `*` is any of them
      = name one, or write `anywhere`

    error: expected a direction, found a generator
      1 | check a = Swipe(#x, "Done") :>> Swipe(#x, button(*)) :>> Swipe(#x, Rotate) :>> Clear(5, 6)
        |                                                                    ^^^^^^ this is a generator
      = a swipe goes Up, Down, Left, Right, to an element, to a point or anywhere

    error: `Clear` takes 1 argument, not 2
      1 | check a = Swipe(#x, "Done") :>> Swipe(#x, button(*)) :>> Swipe(#x, Rotate) :>> Clear(5, 6)
        |                                                                                ^^^^^ 2 arguments here
      = write `Clear(#id)`
    "##);
}

#[test]
fn bars_between_what_is_no_element() {
    let source = r#"check a = Click(#a) | Click(#b) :>> assert isDisplayed(#a) | isDisplayed(#b)
check b = Click(* | #a) :>> Click(button(.a, .b)) :>> Click(button(.a | .b, #c | #d))
check c = Click(#a | Rotate)"#;
    assert_snapshot!(report(source), @r##"
    error: `|` stands between elements
      1 | check a = Click(#a) | Click(#b) :>> assert isDisplayed(#a) | isDisplayed(#b)
        |           ^^^^^^^^^^^^^^^^^^^^^ these are none
      = write `<+>` between generators, `\/` between properties

    error: `|` stands between elements
      1 | check a = Click(#a) | Click(#b) :>> assert isDisplayed(#a) | isDisplayed(#b)
        |                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ these are none
      = write `<+>` between generators, `\/` between properties

    error: `*` on one side of `|` only
      2 | check b = Click(* | #a) :>> Click(button(.a, .b)) :>> Click(button(.a | .b, #c | #d))
        |                 ^^^^^^ any, or a certain one?
      = write it on both sides: button(*) | link(*)

    error: `button` has one class
      2 | check b = Click(* | #a) :>> Click(button(.a, .b)) :>> Click(button(.a | .b, #c | #d))
        |                                              ^^ the second one

    error: `button` has one choice
      2 | check b = Click(* | #a) :>> Click(button(.a, .b)) :>> Click(button(.a | .b, #c | #d))
        |                                                                             ^^^^^^^ the second one

    error: expected an element, found a generator
      3 | check c = Click(#a | Rotate)
        |                      ^^^^^^ this is a generator
      = an element is written #id, "its text", button("Save") or *
    "##);
}

#[test]
fn scripts_that_are_none() {
    let source = r#"predicate p(a, a) = js `a`
value v = `document.title`
value w(a) = js "a"
check a = assert p(1) /\ w == 1 /\ w(1) > wv(2)
check b = Click(`x`)
predicate q = js `open"#;
    assert_snapshot!(report(source), @r##"
    error: `a` is there twice
      1 | predicate p(a, a) = js `a`
        |                ^ the second time
      1 | predicate p(a, a) = js `a`
        |             ^ the first time

    error: ``document.title`` is not part of the language
      2 | value v = `document.title`
        |           ^^^^^^^^^^^^^^^^ not known
      = texts stand between `"` and `"`

    error: `p` takes 2 arguments, not 1
      4 | check a = assert p(1) /\ w == 1 /\ w(1) > wv(2)
        |                  ^ 1 argument here
      = it is declared so by `predicate`

    error: `w` takes 1 argument, not 0
      4 | check a = assert p(1) /\ w == 1 /\ w(1) > wv(2)
        |                          ^ no arguments here
      = it is declared so by `value`

    error: unknown name `wv`
      4 | check a = assert p(1) /\ w == 1 /\ w(1) > wv(2)
        |                                           ^^ not known here
      = a text is written in quotes: "wv"; a value is remembered earlier in the same braces: let wv = count(item)

    error: ``x`` is not part of the language
      5 | check b = Click(`x`)
        |                 ^^^ not known
      = texts stand between `"` and `"`

    error: this script does not end
      6 | predicate q = js `open
        |                  ^ it begins here
      = end it with a backtick; one that has backticks in it stands in quotes
    "##);
}
