//! The semantics, rule by rule, under the names that figure 7 of the ChimpCheck paper gives them.

use crate::fake::{Fake, click_on};
use capuchin::trace::prelude::*;
use capuchin::trace::{Comparison, Trace};
use capuchin::ui::{Blocked, DeviceEvents, Event, Rng, Selector, State, Target, Toward};
use capuchin::{Check, Execution, Rules, Verdict, Violation, execute};

fn run_on(device: &mut Fake, trace: &Trace) -> Execution {
    execute(trace, device, &Rules::seed(1)).unwrap()
}

fn run(trace: impl Into<Trace>) -> Execution {
    run_on(&mut Fake::new(), &trace.into())
}

/// What was executed, printed.
fn done(execution: &Execution) -> String {
    execution.events().to_string()
}

fn seq(parts: impl IntoIterator<Item = Trace>) -> Trace {
    Trace::seq(parts)
}

fn ev(id: &str) -> Trace {
    click_on(id).into()
}

fn attempt(trace: Trace) -> Trace {
    Trace::Try(Box::new(trace))
}

#[test]
fn no_op_the_empty_trace_succeeds() {
    let execution = run(Trace::Unit);
    assert!(execution.verdict.is_success());
    assert_eq!(done(&execution), "•");
}

#[test]
fn skip_is_nothing_and_never_reaches_the_device() {
    let mut device = Fake::new();
    let execution = run_on(&mut device, &Event::Skip.into());
    assert!(execution.verdict.is_success() && device.performed.is_empty());
}

#[test]
fn enabled_a_concrete_event_is_performed() {
    let mut device = Fake::new();
    let execution = run_on(&mut device, &ev("a"));
    assert!(execution.verdict.is_success());
    assert_eq!(device.performed, ["Click(#a)"]);
}

#[test]
fn block_1_a_disabled_event_ends_the_run_and_nothing_is_sent() {
    for (id, why) in [("off", Blocked::Disabled), ("nowhere", Blocked::Absent)] {
        let mut device = Fake::new();
        let execution = run_on(&mut device, &seq([ev("a"), ev(id), ev("b")]));
        let Verdict::Blocked { event, reason, nearest } = &execution.verdict else {
            panic!("{:?}", execution.verdict)
        };
        assert_eq!((&**event, reason), (&click_on(id), &why));
        assert_eq!(nearest.len(), if why == Blocked::Absent { 3 } else { 0 });
        assert_eq!(device.performed, ["Click(#a)"]);
        assert_eq!(execution.trace().to_string(), format!("Click(#a) :>> Click(#{id})"));
    }
}

#[test]
fn inferred_a_wildcard_becomes_an_element_that_takes_the_event() {
    let mut clicked = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let trace = Trace::from(Event::Click(Target::any()));
        let execution = execute(&trace, &mut Fake::new(), &Rules::seed(seed)).unwrap();
        clicked.insert(done(&execution));
    }
    let clicked: Vec<&str> = clicked.iter().map(String::as_str).collect();
    assert_eq!(
        clicked,
        ["Click(#a)", "Click(#b)", "Click(#crash)", "Click(#late)", "Click(#toggle)"],
        "neither the disabled button nor the label nor the field"
    );
    let typed = run(Event::Type(Target::any(), "x".into()));
    assert_eq!(done(&typed), "Type(#f, \"x\")");
}

#[test]
fn inferred_a_wildcard_keeps_to_its_selector() {
    let selector = Selector::default().containing("Button ").that_is(State::CLICKABLE);
    let execution = run(Event::Click(Target::Any(selector.saying("Button b"))));
    assert_eq!(done(&execution), "Click(#b)");
}

#[test]
fn inferred_every_kind_of_event_goes_to_what_takes_it() {
    let one = |event: Event| done(&run(event));
    let b = || Target::Any(Selector::text("Button b"));
    assert_eq!(one(Event::DoubleClick(b())), "DoubleClick(#b)");
    assert_eq!(one(Event::Hover(b())), "Hover(#b)");
    assert_eq!(one(Event::Clear(Target::any())), "Clear(#f)");
}

#[test]
fn block_1_a_swipe_to_what_is_not_there_says_what_is() {
    let swipe = |from: &str, to: &str| {
        run(Event::Swipe(Target::id(from), Toward::Element(Selector::id(to))))
    };
    assert!(swipe("a", "b").verdict.is_success());
    let Verdict::Blocked { reason, nearest, .. } = swipe("a", "togle").verdict else { panic!() };
    assert_eq!((reason, &nearest[0]), (Blocked::Absent, &id("toggle")));
    let Verdict::Blocked { nearest, .. } = swipe("crsh", "b").verdict else { panic!() };
    assert_eq!(nearest[0], id("crash"));
}

#[test]
fn block_2_a_wildcard_that_nothing_takes_ends_the_run() {
    let execution = run(Event::LongClick(Target::any()));
    let Verdict::Blocked { reason, .. } = execution.verdict else { panic!() };
    assert_eq!(reason, Blocked::NothingTakesIt);
}

#[test]
fn seq_1_and_2_the_parts_run_in_order() {
    let mut device = Fake::new();
    let execution = run_on(&mut device, &seq([ev("a"), Trace::Unit, ev("b"), ev("a")]));
    assert!(execution.verdict.is_success());
    assert_eq!(device.performed, ["Click(#a)", "Click(#b)", "Click(#a)"]);
}

#[test]
fn seq_2_the_device_is_idle_before_the_next_part() {
    // The paper's own example: each assertion sees the click before it.
    let clicks = |n: f64| {
        Trace::Assert(Prop::Compare(
            Expr::NumberOf(id("count")),
            Comparison::Equal,
            Expr::Number(n),
        ))
    };
    let trace = seq([clicks(0.0), ev("a"), clicks(1.0), ev("a"), clicks(2.0)]);
    assert!(run(trace).verdict.is_success());
}

#[test]
fn seq_3_a_failure_of_a_part_is_the_failure_of_the_whole() {
    let mut device = Fake::new();
    let inner = seq([ev("a"), Trace::Assert(is_displayed(id("extra"))), ev("b")]);
    let execution = run_on(&mut device, &Trace::Seq(vec![inner, ev("b")]));
    assert!(matches!(execution.verdict, Verdict::Failed(_)));
    assert_eq!(device.performed, ["Click(#a)"]);
}

#[test]
fn assert_pass_goes_on() {
    let trace = seq([Trace::Assert(is_displayed(id("a"))), ev("a")]);
    assert_eq!(done(&run(trace)), "Click(#a)");
}

#[test]
fn assert_fail_ends_with_the_property_and_what_was_seen() {
    let prop = has_text(id("count"), "7 clicks");
    let execution = run(seq([ev("a"), Trace::Assert(prop.clone())]));
    let Verdict::Failed(Violation::Assert { prop: failed, seen, .. }) = &execution.verdict else {
        panic!()
    };
    assert_eq!(failed.written, prop);
    assert_eq!(seen, "text(#count) = \"1 clicks\"");
    assert_eq!(execution.trace().to_string(), "Click(#a) :>> assert hasText(#count, \"7 clicks\")");
}

#[test]
fn try_1_what_is_tried_runs() {
    assert_eq!(done(&run(attempt(seq([ev("a"), ev("b")])))), "Click(#a) :>> Click(#b)");
}

#[test]
fn try_2_a_block_ends_only_the_try() {
    let trace = seq([attempt(seq([ev("a"), ev("off"), ev("b")])), ev("toggle")]);
    let execution = run(trace);
    assert!(execution.verdict.is_success());
    assert_eq!(done(&execution), "Click(#a) :>> Click(#toggle)");
    assert_eq!(execution.attempts, 3);
    let generator = (click(id("a")) >> click(id("off")) >> click(id("b"))).attempt();
    let sample = (generator >> click(id("toggle"))).sample(Rng::new(0));
    let execution = run(sample.to_trace());
    let mut shorter = sample.clone();
    shorter.resolve(&[(execution.executed[1].0, click_on("a"))]);
    let expected = "{ Click(#a) :>> Click(#off) :>> Click(#b) }? :>> Click(#a)";
    assert_eq!(shorter.to_trace().to_string(), expected, "an event is known by its slot");
}

#[test]
fn try_3_a_crash_or_a_failed_assertion_still_ends_the_run() {
    let crashed = run(seq([attempt(ev("crash")), ev("a")]));
    assert!(matches!(crashed.verdict, Verdict::Crashed(_)));
    let failed = run(seq([attempt(Trace::Assert(is_displayed(id("extra")))), ev("a")]));
    assert!(matches!(failed.verdict, Verdict::Failed(_)));
    assert_eq!(done(&failed), "•");
}

#[test]
fn qualified_and_unqualified() {
    let guarded = |inner| Trace::Then(is_displayed(id("extra")), Box::new(inner));
    let trace = seq([guarded(ev("b")), ev("toggle"), guarded(ev("extra")), ev("a")]);
    let execution = run(trace);
    assert_eq!(done(&execution), "Click(#toggle) :>> Click(#extra) :>> Click(#a)");
}

#[test]
fn crash_ends_the_run_at_any_moment() {
    let execution = run(seq([ev("a"), ev("crash"), ev("b")]));
    let Verdict::Crashed(crash) = &execution.verdict else { panic!() };
    assert_eq!(crash.place, "Main.java:7");
    assert_eq!(done(&execution), "Click(#a) :>> Click(#crash)");
}

#[test]
fn mutate_what_happens_in_the_background_is_seen_with_the_next_event() {
    let execution = run(seq([ev("late"), ev("a"), ev("b")]));
    let Verdict::Crashed(crash) = &execution.verdict else { panic!() };
    assert_eq!(crash.message, "IllegalStateException");
    assert_eq!(done(&execution), "Click(#late) :>> Click(#a)");
}

#[test]
fn keeps_compares_the_value_before_and_after() {
    let kept = |inner| Trace::Keeps(Box::new(inner), Expr::NumberOf(id("count")));
    assert!(run(kept(ev("b"))).verdict.is_success());
    let execution = run(seq([ev("a"), kept(seq([ev("b"), ev("a")]))]));
    assert_eq!(execution.verdict.detail(), "number(#count) was 1, is 2");
    assert_eq!(
        execution.trace().to_string(),
        "Click(#a) :>> { { Click(#b) :>> Click(#a) } keeps number(#count) }"
    );
}

#[test]
fn always_holds_before_and_after_every_step_inside() {
    let always = |inner| Trace::Always(Box::new(inner), !is_displayed(id("extra")));
    let execution = run(always(seq([ev("a"), ev("toggle"), ev("toggle")])));
    assert!(matches!(execution.verdict, Verdict::Failed(Violation::Always { .. })));
    assert_eq!(done(&execution), "Click(#a) :>> Click(#toggle)");
    let outside = run(seq([always(ev("a")), ev("toggle")]));
    assert!(outside.verdict.is_success(), "only inside");
}

#[test]
fn a_user_predicate_is_answered_by_the_device() {
    let even = || predicate("even", []);
    assert!(run(Trace::Assert(even())).verdict.is_success());
    assert!(run(seq([ev("a"), Trace::Assert(!even())])).verdict.is_success());
    let unknown = Trace::Assert(predicate("odd", []));
    assert!(execute(&unknown, &mut Fake::new(), &Rules::seed(1)).is_err());
}

#[test]
fn a_value_is_computed_by_the_device() {
    let is = |name: &str, of: Expr, value: f64| {
        Trace::Assert(equal(ask(name, [of]), Expr::Number(value)))
    };
    let two = || Expr::Number(2.0);
    assert!(run(seq([ev("a"), is("plus", two(), 3.0)])).verdict.is_success());
    let remember = Trace::Let("n".into(), ask("plus", [two()]));
    let later = Trace::Assert(equal(ask("plus", [Expr::Number(1.0)]), remembered("n")));
    assert!(run(seq([remember, ev("a"), later])).verdict.is_success());

    let wrong = run(is("plus", two(), 7.0)).verdict;
    assert_eq!(wrong.detail(), "plus(2) = 2");
    assert!(!run(is("nothing", two(), 0.0)).verdict.is_success());
    assert!(!run(is("plus", clicks_of("none"), 0.0)).verdict.is_success(), "of nothing, nothing");
    assert!(execute(&is("odd", two(), 0.0), &mut Fake::new(), &Rules::seed(1)).is_err());
}

fn clicks_of(name: &str) -> Expr {
    Expr::NumberOf(id(name))
}

#[test]
fn a_value_that_is_not_there_compares_with_nothing() {
    let compare = |comparison| {
        Trace::Assert(Prop::Compare(Expr::NumberOf(id("none")), comparison, Expr::Number(0.0)))
    };
    for comparison in Comparison::ALL {
        assert!(!run(compare(comparison)).verdict.is_success());
    }
}

fn clicks() -> Expr {
    clicks_of("count")
}

fn more_clicks_than(name: &str) -> Trace {
    Trace::Assert(equal(clicks(), remembered(name) + Expr::Number(1.0)))
}

#[test]
fn let_remembers_the_value_of_that_moment() {
    let remember = || Trace::Let("n".into(), clicks());
    let good = seq([ev("a"), remember(), ev("a"), more_clicks_than("n")]);
    assert!(run(good).verdict.is_success());

    let bad = run(seq([ev("a"), remember(), ev("a"), ev("a"), more_clicks_than("n")]));
    assert_eq!(bad.verdict.to_string(), "Failed assert number(#count) == n + 1");
    assert_eq!(bad.verdict.detail(), "number(#count) = 3, n = 1");
    let saved = bad.trace();
    assert_eq!(
        saved.to_string(),
        "Click(#a) :>> Click(#a) :>> Click(#a) :>> assert number(#count) == 1 + 1",
        "with the value, for it runs as it stands"
    );
    assert!(matches!(run(saved).verdict, Verdict::Failed(_)));
}

#[test]
fn let_again_gives_a_new_value_from_then_on() {
    let remember = |value| Trace::Let("n".into(), value);
    let next = remember(remembered("n") + Expr::Number(1.0));
    let trace =
        seq([remember(clicks()), ev("a"), next, Trace::Assert(equal(clicks(), remembered("n")))]);
    assert!(run(trace).verdict.is_success());
}

#[test]
fn remembered_values_reach_guards_scopes_and_predicates() {
    let remember = Trace::Let("n".into(), clicks());
    let unchanged = || equal(clicks(), remembered("n"));
    let guarded = Trace::Then(unchanged(), Box::new(ev("b")));
    let execution = run(seq([remember.clone(), guarded.clone(), ev("a"), guarded]));
    assert_eq!(done(&execution), "Click(#b) :>> Click(#a)");

    let scoped = Trace::Always(Box::new(seq([ev("b"), ev("a")])), unchanged());
    let execution = run(seq([ev("a"), remember.clone(), scoped]));
    assert_eq!(execution.verdict.to_string(), "Failed always number(#count) == n");
    assert_eq!(
        execution.trace().to_string(),
        "Click(#a) :>> { { Click(#b) :>> Click(#a) } always number(#count) == 1 }"
    );

    let kept = Trace::Keeps(Box::new(ev("a")), clicks() + remembered("n"));
    let execution = run(seq([ev("a"), remember, kept]));
    assert_eq!(execution.verdict.to_string(), "Failed keeps number(#count) + n");
    assert_eq!(
        execution.trace().to_string(),
        "Click(#a) :>> { Click(#a) keeps number(#count) + 1 }"
    );
}

#[test]
fn what_was_not_there_to_remember_compares_with_nothing_and_says_so() {
    let trace = seq([
        Trace::Let("n".into(), Expr::NumberOf(id("none"))),
        Trace::Assert(!equal(clicks(), remembered("n"))),
        Trace::Assert(equal(clicks(), remembered("n"))),
    ]);
    let execution = run(trace);
    let said = "Failed assert number(#count) == n, where n is missing";
    assert_eq!(execution.verdict.signature(), said, "which no other value of n is");
    assert_eq!(execution.trace().to_string(), "assert number(#count) == missing");
}

#[test]
fn a_name_under_which_nothing_was_remembered_is_no_verdict() {
    let error = execute(&more_clicks_than("n"), &mut Fake::new(), &Rules::seed(1)).unwrap_err();
    let said = "nothing was remembered as `n`; write `let n = ...` before it is used";
    assert_eq!(error.to_string(), said);
    assert!(error.is_request());
}

#[test]
fn an_event_that_the_device_does_not_know_is_a_wrong_request_and_no_verdict() {
    let mut device = Fake::without(DeviceEvents::ROTATE);
    let trace = Trace::Try(Box::new(Trace::from(Event::Rotate)));
    let error = execute(&trace, &mut device, &Rules::seed(1)).unwrap_err();
    assert_eq!(error.to_string(), "fake has no event Rotate");
    assert!(error.is_request() && device.performed.is_empty());
}

#[test]
fn a_check_draws_no_interrupt_that_the_device_does_not_perform() {
    let mut device = Fake::without(DeviceEvents::ROTATE | DeviceEvents::PINCH);
    let check = Check::new("interrupted", interrupt().repeat(50..=50));
    assert_eq!(check.run(&mut device).unwrap().violated, 0);
    assert!(device.performed.iter().any(|event| event == "ClickMenu"), "{:?}", device.performed);
}

#[test]
fn the_executed_trace_runs_again_to_the_same_end() {
    let monkey = Gen::RelevantMonkey(60);
    for seed in 0..100 {
        let trace = monkey.sample(Rng::new(seed)).to_trace();
        let first = execute(&trace, &mut Fake::new(), &Rules::seed(seed)).unwrap();
        let again = execute(&first.trace(), &mut Fake::new(), &Rules::seed(seed)).unwrap();
        assert_eq!(first.verdict.signature(), again.verdict.signature());
        assert_eq!(done(&first), done(&again));
    }
}
