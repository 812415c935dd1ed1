//! What is said about text that does not read well, and about what is easily misread.

use crate::render::report;
use insta::assert_snapshot;

#[test]
fn unterminated_text() {
    let source = r#"check a = Type(#x, "abc)
check b = Rotat"#;
    assert_snapshot!(report(source), @r##"
    error: this text does not end
      1 | check a = Type(#x, "abc)
        |                    ^ it begins here, and the line ends before it does
      = end it with `"`; a line break in a text is written `\n`

    error: unknown name `Rotat`
      2 | check b = Rotat
        |           ^^^^^ not known here
      = did you mean `Rotate`?
    "##);
}

#[test]
fn unterminated_comment() {
    let source = "check a = Rotate /* and so on";
    assert_snapshot!(report(source), @r##"
    error: this comment does not end
      1 | check a = Rotate /* and so on
        |                  ^^ it begins here
      = end it with `*/`
    "##);
}

#[test]
fn unknown_escape() {
    let source = r#"check a = Click("a\qb")"#;
    assert_snapshot!(report(source), @r##"
    error: unknown escape in a text
      1 | check a = Click("a\qb")
        |                   ^^ this is none
      = the escapes are \" \\ \n \r \t and \u{20ac}
    "##);
}

#[test]
fn other_quotes() {
    let source = "check a = Click('x')";
    assert_snapshot!(report(source), @r##"
    error: `'x'` is not part of the language
      1 | check a = Click('x')
        |                 ^^^ not known
      = texts stand between `"` and `"`
    "##);
}

#[test]
fn missing_brace() {
    let source = r#"check a = { Rotate :>> Skip
check b = Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: this `{` is not closed
      1 | check a = { Rotate :>> Skip
        |           ^ it begins here
      1 | check a = { Rotate :>> Skip
        |                            ^ `}` is missing
      = add `}`
    "##);
}

#[test]
fn brace_too_many() {
    let source = r#"check a = Rotate }
check b = Rotat"#;
    assert_snapshot!(report(source), @r##"
    error: this `}` closes nothing
      1 | check a = Rotate }
        |                  ^ no bracket is open here

    error: unknown name `Rotat`
      2 | check b = Rotat
        |           ^^^^^ not known here
      = did you mean `Rotate`?
    "##);
}

#[test]
fn operators_of_other_languages() {
    let source = r#"predicate p predicate q
check a = assert p && q >> assert p and not q"#;
    assert_snapshot!(report(source), @r##"
    error: `&&` is not an operator here
      2 | check a = assert p && q >> assert p and not q
        |                    ^^ not known
      = write `/\` for "and"

    error: `>>` is not an operator here
      2 | check a = assert p && q >> assert p and not q
        |                         ^^ not known
      = write `:>>` for "and then", or `*>>` with interrupts between

    error: `and` is not an operator here
      2 | check a = assert p && q >> assert p and not q
        |                                     ^^^ not known
      = for "and", write `/\`; for "and then", `:>>`

    error: `not` is not an operator here
      2 | check a = assert p && q >> assert p and not q
        |                                         ^^^ not known
      = for "not", write `!`
    "##);
}

#[test]
fn an_arrow_outside_of_frequency() {
    let source = "check a = Rotate -> Skip";
    assert_snapshot!(report(source), @r##"
    error: expected an operator or a new line, found `->`
      1 | check a = Rotate -> Skip
        |                  ^^ an operator or a new line belongs here
      = `->` stands between a weight and its arm: `frequency(3 -> a, 1 -> b)`
    "##);
}

#[test]
fn one_equals_sign() {
    let source = "check a = assert count(button) = 1";
    assert_snapshot!(report(source), @r##"
    error: `=` is not an operator here
      1 | check a = assert count(button) = 1
        |                                ^ not known
      = to compare, write `==`; to define something, `val NAME = ...`
    "##);
}

#[test]
fn comparisons_in_a_row() {
    let source = "check a = assert 1 < 2 < 3";
    assert_snapshot!(report(source), @r##"
    error: comparisons do not chain
      1 | check a = assert 1 < 2 < 3
        |                        ^ the second in a row
      1 | check a = assert 1 < 2 < 3
        |                  ^^^^^ this is a property, true or false
      = join two comparisons with `/\`
    "##);
}

#[test]
fn two_expressions_side_by_side() {
    let source = "check a = Click(#x) Click(#y)";
    assert_snapshot!(report(source), @r##"
    error: expected an operator or a new line, found `Click`
      1 | check a = Click(#x) Click(#y)
        |                     ^^^^^ an operator or a new line belongs here
      = join two steps with `:>>`
    "##);
}

#[test]
fn an_expression_that_belongs_to_nothing() {
    let source = r#"check a = Click(#x)
Click(#y)"#;
    assert_snapshot!(report(source), @r##"
    error: this expression stands by itself
      2 | Click(#y)
        | ^ it begins here
      1 | check a = Click(#x)
        |       ^ and this is what the file checks
      = if it belongs to the line above, join them with `:>>`; if not, name it: check NAME = ...
    "##);
}

#[test]
fn a_misspelt_item() {
    let source = r#"chek a = Rotate
check b = Rotate preserve true"#;
    assert_snapshot!(report(source), @r##"
    error: unknown word `chek` at the beginning of an item
      1 | chek a = Rotate
        | ^^^^ not known here
      = did you mean `check`?

    error: expected an operator or a new line, found `preserve`
      2 | check b = Rotate preserve true
        |                  ^^^^^^^^ an operator or a new line belongs here
      = did you mean `preserves`?
    "##);
}

#[test]
fn an_operand_is_missing() {
    let source = r#"check a = Rotate :>>
check b = :>> Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: expected an expression, found `check`
      2 | check b = :>> Rotate
        | ^^^^^ an expression belongs here
      1 | check a = Rotate :>>
        |                  ^^^ after this

    error: expected an expression, found `:>>`
      2 | check b = :>> Rotate
        |           ^^^ an expression belongs here
    "##);
}

#[test]
fn settings() {
    let source = r#"seed 1 seed 2 cases 0 device music
check a = Rotate"#;
    assert_snapshot!(report(source), @r##"
    error: a file has one `seed`
      1 | seed 1 seed 2 cases 0 device music
        |        ^^^^^^ the second one
      1 | seed 1 seed 2 cases 0 device music
        | ^^^^^^ the first one

    error: cases are between 1 and 1,000,000
      1 | seed 1 seed 2 cases 0 device music
        |                     ^ not between them

    error: expected the name of a device, found `music`
      1 | seed 1 seed 2 cases 0 device music
        |                              ^^^^^ the name of a device belongs here
      = name it in quotes: device "sim:music"
    "##);
}

#[test]
fn a_body_of_for_all_that_is_unknown() {
    let source = "forAll(Rotate) { t => t.check() }";
    assert_snapshot!(report(source), @r##"
    error: expected `t.chimpCheck()`, found `t.check`
      1 | forAll(Rotate) { t => t.check() }
        |                       ^^^^^^^ `t.chimpCheck()` belongs here
      = write `t => t.chimpCheck()` or `t => t chimpCheck { P }`, or just `forAll(g) { P }`
    "##);
}

#[test]
fn warning_about_choice_in_a_sequence() {
    let source = "check a = Rotate :>> Skip <+> Settings :>> Rotate";
    assert_snapshot!(report(source), @r##"
    warning: `<+>` binds tighter than `:>>`
      1 | check a = Rotate :>> Skip <+> Settings :>> Rotate
        |                      ^^^^^^^^^^^^^^^^^ this choice is one step of the sequence
      = put braces around each arm, `{ a } <+> { b }`, or around the choice, `{ a <+> b }`
    "##);
}

#[test]
fn warning_about_then_in_a_sequence() {
    let source = "check a = isDisplayed(#x) then Rotate :>> Skip";
    assert_snapshot!(report(source), @r##"
    warning: `then` guards only the next step
      1 | check a = isDisplayed(#x) then Rotate :>> Skip
        |                                ^^^^^^ what follows this is done in any case
      = to guard it all, `P then { a :>> b }`; else `{ P then a } :>> b`
    "##);
}

#[test]
fn warning_about_always_on_a_line_of_its_own() {
    let source = r#"check a = Rotate
  always isDisplayed(#x)"#;
    assert_snapshot!(report(source), @r##"
    warning: this `always` is about the whole file
      2 |   always isDisplayed(#x)
        |   ^^^^^^ it begins a line, so it does not belong to what stands above
      = to bind it to the generator above, write it on the same line as its end
    "##);
}

#[test]
fn no_warning_where_there_are_braces() {
    let source = r#"check a = Rotate :>> { Skip } <+> { Settings }
check b = isDisplayed(#x) then { Rotate } :>> Skip"#;
    assert_snapshot!(report(source), @"");
}

#[test]
fn several_mistakes_in_one_file() {
    let source = r#"device "sim:x"
val a = Clik(#x
val b = "open
check c = a :>> )
check d = Rotate preserves
seed 1x
check e = f :>> Type(#a, 1)"#;
    assert_snapshot!(report(source), @r##"
    error: unknown name `Clik`
      2 | val a = Clik(#x
        |         ^^^^ not known here
      = did you mean `Click`?

    error: this `(` is not closed
      2 | val a = Clik(#x
        |             ^ it begins here
      2 | val a = Clik(#x
        |                ^ `)` is missing
      = add `)`

    error: this text does not end
      3 | val b = "open
        |         ^ it begins here, and the line ends before it does
      = end it with `"`; a line break in a text is written `\n`

    error: expected an expression, found `)`
      4 | check c = a :>> )
        |                 ^ an expression belongs here

    error: expected an expression, found `seed`
      6 | seed 1x
        | ^^^^ an expression belongs here
      5 | check d = Rotate preserves
        |                  ^^^^^^^^^ after this

    error: `1x` is not a number
      6 | seed 1x
        |      ^^ neither a number nor a name
      = numbers are written `42`, `1.5` or `0x2a`; names begin with a letter

    error: unknown name `f`
      7 | check e = f :>> Type(#a, 1)
        |           ^ not known here
      = define it: val f = ...; or, if the surroundings do it: environment f

    error: expected a text, found a number
      7 | check e = f :>> Type(#a, 1)
        |                          ^ this is a number
      = a text is written in quotes
    "##);
}
