//! The figures and snippets of the ChimpCheck paper, nearly as they are printed there.

use capuchin_spec::{Spec, parse, parse_gen};

#[track_caller]
fn spec(source: &str) -> Spec {
    let parsed = parse("figure.capu", source);
    let said: Vec<String> = parsed.diagnostics.iter().map(crate::render::render).collect();
    assert!(said.is_empty(), "{}", said.join("\n"));
    parsed.spec.expect("a spec without diagnostics")
}

#[track_caller]
fn check(source: &str, name: &str, printed: &str) {
    let spec = spec(source);
    assert_eq!(spec.checks.len(), 1);
    assert_eq!(spec.checks[0].name, name);
    assert_eq!(spec.checks[0].generator.to_string(), printed);
    assert_eq!(parse_gen(printed).unwrap(), spec.checks[0].generator);
}

#[test]
fn figure_2_sign_in() {
    check(
        r#"
val signinTraces =
    Click(R.id.enter) *>>
    Type(R.id.username, "test") *>>
    { Type(R.id.password, "1234") *>>
      Click(R.id.signin) *>>
      assert(isDisplayed("Welcome")) } <+>
    { Type(R.id.password, "bad") *>>
      Click(R.id.signin) *>>
      assert(isDisplayed("Invalid Password")) }

forAll(signinTraces) {
    trace => trace.chimpCheck()
}
"#,
        "signinTraces",
        r#"Click(#enter) *>> Type(#username, "test") *>> { { Type(#password, "1234") *>> Click(#signin) *>> assert isDisplayed("Welcome") } <+> { Type(#password, "bad") *>> Click(#signin) *>> assert isDisplayed("Invalid Password") } }"#,
    );
}

#[test]
fn figure_4_play_state() {
    check(
        r#"
predicate mediaPlayerIsPlaying

val playStateTraces =
    Click(R.id.enter) :>> Type(R.id.username,"test") :>>
    Type(R.id.password,"1234") :>> Click(R.id.signin) :>>
    optional {
        Click(R.id.play) *>> optional {
            Sleep(Gen.choose(0,5000)) *>> Click(R.id.stop)
        }
    }

forAll(playStateTraces) { trace =>
    trace chimpCheck {
        (isClickable(R.id.play) ==> !mediaPlayerIsPlaying) /\
        (isClickable(R.id.stop) ==> mediaPlayerIsPlaying)
    }
}
"#,
        "playStateTraces",
        r#"Click(#enter) :>> Type(#username, "test") :>> Type(#password, "1234") :>> Click(#signin) :>> optional { Click(#play) *>> optional { Sleep(choose(0, 5000)) *>> Click(#stop) } } :>> assert (isClickable(#play) ==> !mediaPlayerIsPlaying) /\ (isClickable(#stop) ==> mediaPlayerIsPlaying)"#,
    );
}

const INTERRUPTS: &str = "val gIntr = ClickHome <+> ClickMenu <+> Settings <+> Rotate\n";

#[test]
fn figure_14_monkeys() {
    check(
        &format!(
            r#"{INTERRUPTS}
val gMs = Click(anywhere)? <+> LongClick(anywhere)?
      <+> Type(anywhere, Gen.alphaStr)? <+> Swipe(anywhere, anywhere)?
      <+> Pinch(anywhere, anywhere)? <+> Sleep(Gen.choose(0, 1000))?
val myMonkey(n) = repeat n (gMs <+> gIntr)
forAll(myMonkey(50))
"#
        ),
        "check 1",
        r#"repeat 50 { Click(anywhere)? <+> LongClick(anywhere)? <+> Type(anywhere, string("[a-zA-Z]*"))? <+> Swipe(anywhere, anywhere)? <+> Pinch(anywhere, anywhere)? <+> Sleep(choose(0, 1000))? <+> ClickHome <+> ClickMenu <+> Settings <+> Rotate }"#,
    );
    check(
        &format!(
            r#"{INTERRUPTS}
val gGs = Click(*)? <+> LongClick(*)? <+> Type(*, Gen.alphaStr)? <+> Swipe(*, *)?
val myMonkey(n) = repeat n (gGs <+> gIntr)
check relevant = myMonkey(3)
"#
        ),
        "relevant",
        r#"repeat 3 { Click(*)? <+> LongClick(*)? <+> Type(*, string("[a-zA-Z]*"))? <+> Swipe(*, anywhere)? <+> ClickHome <+> ClickMenu <+> Settings <+> Rotate }"#,
    );
}

#[test]
fn the_monkey_after_a_login() {
    check(
        r#"Click(R.id.enter) :>>
Type(R.id.username,"test") :>>
Type(R.id.password,"1234") :>>
Click(R.id.signin) :>> relevantMonkey 50"#,
        "main",
        r#"Click(#enter) :>> Type(#username, "test") :>> Type(#password, "1234") :>> Click(#signin) :>> relevantMonkey 50"#,
    );
}

#[test]
fn figure_15_gorilla() {
    check(
        &format!(
            r#"{INTERRUPTS}
val gMs = Click(*)? <+> LongClick(*)?
val myGorilla(n, g) = repeat n (g :>> (gMs <+> gIntr))
val login = Click("Login") :>> Click("Sign-in")
forAll(myGorilla(50, isDisplayed("Login") then login))
"#
        ),
        "check 1",
        r#"repeat 50 { { isDisplayed("Login") then { Click("Login") :>> Click("Sign-in") } } :>> { Click(*)? <+> LongClick(*)? <+> ClickHome <+> ClickMenu <+> Settings <+> Rotate } }"#,
    );
}

#[test]
fn the_gorilla_that_logs_in() {
    check(
        r#"
val login = Click("Login") :>>
  Type("User","test") :>>
  Type("Password","1234") :>> Click("Sign-in")
gorilla 50 (isDisplayed("Login") then login)
"#,
        "main",
        r#"gorilla 50 { isDisplayed("Login") then { Click("Login") :>> Type("User", "test") :>> Type("Password", "1234") :>> Click("Sign-in") } }"#,
    );
}

#[test]
fn figure_16_modal_dialog() {
    check(
        r#"
gorilla 50 {
  isDisplayed("SD Card Access Framework") then
    { Swipe(R.id.content, Up) :>> Click("Select SD Card") } <+> ClickBack
}
"#,
        "main",
        r#"gorilla 50 { isDisplayed("SD Card Access Framework") then { { Swipe(#content, Up) :>> Click("Select SD Card") } <+> ClickBack } }"#,
    );
}

#[test]
fn nextcloud_ends_with_interrupts() {
    check(
        r#"LongClick(R.id.linearlayout) *>> Click("Move") *>> •"#,
        "main",
        r#"LongClick(#linearlayout) *>> Click("Move") *>> •"#,
    );
}

#[test]
fn tusky_preserves_what_was_typed() {
    check(
        r#"Type(R.id.edit_area,"Hi") :>> Rotate preserves hasText(R.id.edit_area,"Hi")"#,
        "main",
        r#"Type(#edit_area, "Hi") :>> { Rotate preserves hasText(#edit_area, "Hi") }"#,
    );
}
