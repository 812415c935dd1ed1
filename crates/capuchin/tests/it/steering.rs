//! The rules of `auto`, one by one, with a pilot that does what it was told to do.

use crate::fake::{Fake, click_on};
use capuchin::cases::Evidence;
use capuchin::log::{RunEvent, VerdictKind};
use capuchin::prelude::*;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots};
use capuchin::trace::Auto;
use capuchin::ui::{CodeCoverage, Coverage, DeviceError, DeviceInfo, Event, Powers, Rng, Screen};
use capuchin::{Config, Execution, Plan, Probe, Rules, execute};
use capuchin_apps::Wrapped;
use std::sync::{Arc, Mutex};

/// What a pilot was told, one line for each call.
type Diary = Arc<Mutex<Vec<String>>>;

/// What an obedient pilot does.
#[derive(Clone, Debug)]
enum Act {
    Go(Box<Event>),
    /// The input that is offered; where none is, something that nothing takes.
    Offered,
    Stop,
}

/// Pilots that make these moves, one after the other and then from the start again, in every run:
/// what they have learned is which move comes next.
struct Told {
    moves: Vec<Act>,
    diary: Diary,
}

struct Obedient {
    moves: Vec<Act>,
    next: usize,
    diary: Diary,
}

impl Told {
    fn new(moves: impl IntoIterator<Item = Act>) -> (Told, Diary) {
        let diary = Diary::default();
        (Told { moves: moves.into_iter().collect(), diary: Arc::clone(&diary) }, diary)
    }
}

impl Pilots for Told {
    fn pilot(&self, auto: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        let (moves, diary) = (self.moves.clone(), Arc::clone(&self.diary));
        (auto.policy != "lstar").then(|| Box::new(Obedient { moves, next: 0, diary }) as Box<_>)
    }
}

impl Obedient {
    fn note(&self, line: String) {
        self.diary.lock().unwrap().push(line);
    }
}

fn clicks(screen: &Screen) -> f64 {
    screen.number(&id("count")).unwrap_or(-1.0)
}

impl Pilot for Obedient {
    fn take_over(&mut self, app: &mut Probe<'_>, _: u32) {
        self.note(format!("over with {}", clicks(app.screen())));
    }

    fn choose(&mut self, _: &mut Probe<'_>, offered: &[NamedTrace]) -> Result<Choice, DeviceError> {
        let act = self.moves[self.next % self.moves.len()].clone();
        self.next += 1;
        let is_offered = if offered.is_empty() { "" } else { ", offered" };
        self.note(match &act {
            Act::Go(event) => format!("{event}{is_offered}"),
            other => format!("{other:?}{is_offered}"),
        });
        Ok(match (act, offered) {
            (Act::Go(event), _) => Choice::event(*event),
            (Act::Offered, [input]) => Choice::Run(input.trace.clone()),
            (Act::Offered, _) => Choice::event(Event::LongClick(anything())),
            (Act::Stop, _) => Choice::Stop,
        })
    }

    fn saw(&mut self, effect: Effect<'_>, fresh: Option<u32>, app: &mut Probe<'_>) {
        let fresh = fresh.map(|fresh| format!(", {fresh} new")).unwrap_or_default();
        self.note(match effect {
            Effect::Done => format!("done, {}{fresh}", clicks(app.screen())),
            Effect::Blocked(reason) => format!("{reason:?}{fresh}"),
            Effect::Ended(verdict) => format!("{verdict}{fresh}"),
            Effect::Interrupted => "interrupted".to_owned(),
        });
    }

    fn hand_back(&mut self) {
        self.note("back".into());
    }
}

fn go(id: &str) -> Act {
    Act::Go(Box::new(click_on(id)))
}

/// Runs what is drawn once, and gives what was executed, how it ended, and the pilot's diary.
fn fly(generator: &Gen, moves: &[Act]) -> (Execution, Vec<String>) {
    let (told, diary) = Told::new(moves.to_vec());
    let pilots = PilotPool::new(Arc::new(told));
    let trace = generator.sample(Rng::new(0)).to_trace();
    let mut rules = Rules::seed(1);
    rules.pilots = Some(&pilots);
    let execution = execute(&trace, &mut Fake::new(), &rules).unwrap();
    let diary = diary.lock().unwrap().clone();
    (execution, diary)
}

fn done(execution: &Execution) -> String {
    execution.events().to_string()
}

#[test]
fn a_pilot_makes_so_many_moves_and_no_more() {
    let generator = click(id("b")) >> auto("swifthand", 2) >> click(id("toggle"));
    let (execution, diary) = fly(&generator, &[go("a"), go("b")]);
    assert!(execution.verdict.is_success());
    assert_eq!(done(&execution), "Click(#b) :>> Click(#a) :>> Click(#b) :>> Click(#toggle)");
    assert_eq!(diary, ["over with 0", "Click(#a)", "done, 1", "Click(#b)", "done, 1", "back"]);
    let (execution, diary) = fly(&auto("swifthand", 0), &[go("a")]);
    assert_eq!((done(&execution).as_str(), diary.len()), ("•", 2));
}

#[test]
fn a_move_that_is_blocked_ends_nothing_and_counts() {
    let moves = [go("off"), go("nowhere"), Act::Go(Event::LongClick(anything()).into()), go("a")];
    let (execution, diary) = fly(&(auto("random", 4) >> click(id("b"))), &moves);
    assert!(execution.verdict.is_success());
    assert_eq!(done(&execution), "Click(#a) :>> Click(#b)");
    assert_eq!(execution.attempts, 5);
    let blocked: Vec<&String> = diary.iter().skip(2).step_by(2).take(3).collect();
    assert_eq!(blocked, ["Disabled", "Absent", "NothingTakesIt"]);
}

#[test]
fn a_wildcard_of_a_pilot_is_filled_in() {
    let moves = [Act::Go(Event::Type(anything(), "x".into()).into())];
    let (execution, _) = fly(&auto("random", 1), &moves);
    assert_eq!(done(&execution), "Type(#f, \"x\")");
}

#[test]
fn a_pilot_that_stops_leaves_the_rest_to_the_script() {
    let generator = auto("random", 9) >> click(id("b")) >> auto("random", 9);
    let (execution, diary) = fly(&generator, &[go("a"), Act::Stop]);
    assert_eq!(done(&execution), "Click(#a) :>> Click(#b) :>> Click(#a)");
    assert_eq!(
        diary,
        [
            "over with 0",
            "Click(#a)",
            "done, 1",
            "Stop",
            "back",
            "over with 1",
            "Click(#a)",
            "done, 2",
            "Stop",
            "back",
        ]
    );
}

#[test]
fn with_a_script_before_each_move() {
    let script = (click(id("b")) >> click(id("extra"))).when(is_displayed(id("extra")));
    let generator = auto_with("random", 3, script) >> click(id("a"));
    let (execution, diary) = fly(&generator, &[go("a"), go("toggle")]);
    // The last move is the first again; before it, `extra` is there.
    assert_eq!(
        done(&execution),
        "Click(#a) :>> Click(#toggle) :>> Click(#b) :>> Click(#extra) :>> Click(#a) :>> Click(#a)"
    );
    assert_eq!(
        diary,
        [
            "over with 0",
            "Click(#a)",
            "done, 1",
            "Click(#toggle)",
            "done, 1",
            "over with 1",
            "Click(#a)",
            "done, 2",
            "back",
        ],
        "it takes over again where something else was done, and only there"
    );
}

#[test]
fn with_a_script_that_is_blocked_the_run_ends_as_with_a_gorilla() {
    let steered = auto_with("random", 3, click(id("extra")));
    let (execution, diary) = fly(&steered, &[go("a")]);
    assert_eq!(execution.verdict.to_string(), "Blocked at Click(#extra)");
    assert_eq!(diary, ["over with 0", "back"]);
    let gorilla = gorilla(3, click(id("extra")));
    let trace = gorilla.sample(Rng::new(0)).to_trace();
    let execution = execute(&trace, &mut Fake::new(), &Rules::seed(1)).unwrap();
    assert_eq!(execution.verdict.to_string(), "Blocked at Click(#extra)");
    // In a try it ends only the try.
    let generator = steered.attempt() >> click(anything());
    let (execution, _) = fly(&generator, &[go("a")]);
    assert!(execution.verdict.is_success());
    assert_eq!(execution.executed.len(), 1);
}

#[test]
fn offering_a_script_it_is_one_more_move() {
    let script = (click(id("b")) >> click(id("extra"))).when(is_displayed(id("extra")));
    let generator = auto_offering("random", 4, script) >> click(id("a"));
    let moves = [Act::Offered, go("toggle"), Act::Offered, go("a")];
    let (execution, diary) = fly(&generator, &moves);
    assert_eq!(
        done(&execution),
        "Click(#toggle) :>> Click(#b) :>> Click(#extra) :>> Click(#a) :>> Click(#a)"
    );
    assert_eq!(
        diary,
        [
            "over with 0",
            "Offered",
            "NothingTakesIt",
            "Click(#toggle)",
            "done, 0",
            "Offered, offered",
            "done, 0",
            "Click(#a), offered",
            "done, 1",
            "back",
        ]
    );
    let (_, diary) = fly(&auto_offering("random", 1, click(id("extra"))), &[Act::Offered]);
    assert_eq!(
        diary,
        ["over with 0", "Offered, offered", "Blocked at Click(#extra)", "back"],
        "without a guard it is always open, and a block in it ends the run"
    );
}

#[test]
fn a_crash_and_a_property_that_is_violated_end_the_run_as_ever() {
    let generator = auto("random", 5);
    let (execution, diary) = fly(&generator, &[go("a"), go("crash")]);
    assert_eq!(execution.verdict.to_string(), "Crashed");
    assert_eq!(diary[3..], ["Click(#crash)", "Crashed", "back"]);
    let generator = generator.always(!is_displayed(id("extra")));
    let (execution, diary) = fly(&generator, &[go("a"), go("toggle")]);
    assert_eq!(execution.verdict.to_string(), "Failed always !isDisplayed(#extra)");
    assert_eq!(diary[4..], ["Failed always !isDisplayed(#extra)", "back"]);
}

#[test]
fn without_a_pilot_there_is_an_error_that_says_what_to_do() {
    let said = |check: Check| check.run(&mut Fake::new()).unwrap_err().to_string();
    let none = said(Check::new("none", auto("swifthand", 5)));
    assert_eq!(
        none,
        "there is no pilot for `auto swifthand`; give the check one (`Check::pilots`), or write \
         `auto relevant` or `auto monkey`, which need none"
    );
    let (told, _) = Told::new([go("a")]);
    let unknown = said(Check::new("unknown", auto("lstar", 5)).pilots(told));
    assert!(unknown.starts_with("there is no pilot for `auto lstar`"), "{unknown}");
}

#[test]
fn the_monkeys_need_no_pilot() {
    for policy in ["monkey", "relevant"] {
        let outcome =
            Check::new("drawn", auto(policy, 40)).cases(50).run(&mut Fake::new()).unwrap();
        assert!(outcome.violated > 0, "{outcome}");
    }
}

fn failures(check: Check, moves: &[Act]) -> Vec<String> {
    let (told, diary) = Told::new(moves.to_vec());
    let mut events = Vec::new();
    let outcome = check.pilots(told).run_with(&mut Fake::new(), &mut |event: &RunEvent| {
        let asked = diary.lock().unwrap().len();
        events.push((asked, event.clone()));
    });
    assert!(outcome.failures.iter().all(|failure| !failure.is_flaky()), "{outcome}");
    // Between the moment that a failure is seen and the moment that it is small, nobody is asked.
    for pair in events.windows(2) {
        if let [(before, RunEvent::FailureSeen(_)), (after, _)] = pair {
            assert_eq!(before, after, "a pilot was asked for a smaller trace");
        }
    }
    outcome.failures.iter().map(|failure| failure.minimal.clone()).collect()
}

#[test]
fn a_crash_is_shrunk_without_asking_again() {
    let generator = click(id("b")) >> auto("swifthand", 20) >> click(id("a"));
    let moves = [go("a"), go("off"), go("late"), go("b"), Act::Go(Event::Rotate.into())];
    let check = Check::new("crash", generator).cases(3);
    assert_eq!(failures(check, &moves), ["Click(#late) :>> Click(#b)"]);
}

#[test]
fn a_failed_assertion_keeps_its_script_and_loses_the_pilots_moves() {
    let claim = assert_that(!is_displayed(id("extra")));
    let moves = [go("a"), go("toggle"), go("off"), go("b")];
    let frame = |part: Gen| click(id("b")) >> part >> click(id("a")) >> claim.clone();
    let plain = Check::new("plain", frame(auto("random", 4))).cases(2);
    assert_eq!(
        failures(plain, &moves),
        ["Click(#b) :>> Click(#toggle) :>> Click(#a) :>> assert !isDisplayed(#extra)"]
    );
    // The script goes with the move that it stands before.
    let with = Check::new("with", frame(auto_with("random", 4, click(id("b"))))).cases(2);
    assert_eq!(
        failures(with, &moves),
        ["Click(#b) :>> Click(#b) :>> Click(#toggle) :>> Click(#a) :>> \
             assert !isDisplayed(#extra)"]
    );
    // What was offered and not chosen is no part of it.
    let script = click(id("a")) >> claim.clone();
    let offering = auto_offering("random", 6, script);
    let moves = [go("b"), Act::Offered, go("toggle"), go("b"), Act::Offered];
    let offering = Check::new("offering", click(id("b")) >> offering).cases(2);
    assert_eq!(
        failures(offering, &moves),
        ["Click(#b) :>> Click(#a) :>> assert !isDisplayed(#extra) :>> Click(#toggle) :>> \
             Click(#a) :>> assert !isDisplayed(#extra)",]
    );
}

#[test]
fn a_script_that_fails_before_its_first_event_is_kept() {
    let claim = assert_that(!is_displayed(id("extra")));
    let moves = [go("a"), go("toggle"), Act::Offered];
    let check = Check::new("claim", auto_offering("random", 9, claim)).cases(1);
    assert_eq!(failures(check, &moves), ["Click(#toggle) :>> assert !isDisplayed(#extra)"]);
}

#[test]
fn what_was_learned_lasts_over_the_cases_of_a_check_and_no_longer() {
    let (told, diary) = Told::new([go("a"), go("b"), go("toggle")]);
    let check = Check::new("two", auto("random", 2)).cases(3).pilots(told);
    let run = || {
        diary.lock().unwrap().clear();
        let outcome = check.run(&mut Fake::new()).unwrap();
        assert_eq!(outcome.held, 3);
        let lines = diary.lock().unwrap().clone();
        lines.into_iter().filter(|line| line.starts_with("Click")).collect::<Vec<_>>()
    };
    let first = run();
    assert_eq!(
        first,
        ["Click(#a)", "Click(#b)", "Click(#toggle)", "Click(#a)", "Click(#b)", "Click(#toggle)"]
    );
    assert_eq!(run(), first, "a run is a function of its seed");
}

#[test]
fn an_end_that_comes_after_a_policy_is_told_apart_and_saved_without_it() {
    let (told, _) = Told::new([go("a"), go("toggle")]);
    let generator = auto("random", 2) >> click(id("nowhere"));
    let outcome = Check::new("blocked", generator).pilots(told).run(&mut Fake::new()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    assert_eq!(failure.kind, VerdictKind::Blocked);
    assert_eq!(failure.minimal, "Click(#nowhere)");
}

/// Pilots that do anything at all: what can be done, what cannot, the script, and stopping.
struct Drunkards;

struct Drunkard(Rng);

impl Pilots for Drunkards {
    fn pilot(&self, _: &Auto, _: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>> {
        Some(Box::new(Drunkard(Rng::new(seed))))
    }
}

impl Pilot for Drunkard {
    fn take_over(&mut self, _: &mut Probe<'_>, _: u32) {}

    fn choose(&mut self, _: &mut Probe<'_>, offered: &[NamedTrace]) -> Result<Choice, DeviceError> {
        let go = |id: &str| Choice::event(click_on(id));
        Ok(match (self.0.below(20), offered) {
            (0, _) => Choice::Stop,
            (1..=4, [input]) => Choice::Run(input.trace.clone()),
            (1..=6, _) => go("off"),
            (7, _) => Choice::event(Event::Skip),
            (8..=10, _) => go("extra"),
            (11..=14, _) => [go("a"), go("toggle")][self.0.below(2) as usize].clone(),
            // An input of its own with several events.
            (15, _) => {
                let events = [click_on("a"), Event::Click(anything()), click_on("extra")];
                Choice::Run(Trace::Try(Box::new(Trace::seq(events.map(Trace::from)))))
            }
            _ => Choice::event(Event::Click(anything())),
        })
    }

    fn saw(&mut self, _: Effect<'_>, _: Option<u32>, _: &mut Probe<'_>) {}

    fn hand_back(&mut self) {}
}

#[test]
fn what_was_done_is_done_again_by_the_trace_without_the_pilot() {
    let extra = || is_displayed(id("extra"));
    let script = || {
        let odd = assert_that(!equal(Expr::NumberOf(id("count")), Expr::Number(3.0)));
        let guarded = (click(id("extra")) >> click(anything()).attempt()).when(extra());
        (guarded >> odd) | (rotate() >> click(id("extra")).attempt() >> rotate()).repeat(0..=2)
    };
    let with = || auto_with("swifthand", 6, script());
    let offering = || auto_offering("capuchin", 6, script().when(extra()));
    let nested = auto_with("random", 4, auto_offering("random", 2, script()).when(extra()));
    let happens = Gen::from(Event::Rotate) >> Gen::from(Event::Sleep(5));
    let generators = [
        click(id("b")) >> with() >> offering().attempt() >> click(anything()),
        (with() | offering() | auto("random", 9)).repeat(1..=3).always(!extra()),
        (offering().when(!extra()) >> auto("random", 3)).keeps(Expr::NumberOf(id("count"))),
        nested.optional() >> { with() >> click(id("extra")) }.attempt() >> click(id("extra")),
        (with() >> auto("random", 5)).interleave(happens) >> click(id("nowhere")),
    ];
    let mut failed = 0;
    for (number, generator) in generators.into_iter().enumerate() {
        let mut plan = Plan::new("any", generator, Config::default());
        plan.pilots = PilotPool::new(Arc::new(Drunkards));
        for index in 0..150 {
            let (report, evidence) = plan.case(index, &mut Fake::new(), None).unwrap();
            let Some(Evidence { mut sample, execution, seed, .. }) = evidence else { continue };
            failed += 1;
            sample.resolve(&execution.executed);
            let trace = sample.to_trace();
            let again = execute(&trace, &mut Fake::new(), &Rules::seed(seed)).unwrap();
            let (expected, found) = (execution.trace(), again.trace());
            assert_eq!(found, expected, "case {index} of generator {number}: {trace}");
            assert_eq!(again.executed, execution.executed, "and in the same slots");
            assert_eq!(again.verdict.signature(), report.signature);
        }
    }
    assert!(failed > 300, "{failed}");
}

/// Code of its own that every kind of event runs.
#[derive(Default)]
struct Counted {
    seen: Vec<String>,
    fresh: u32,
    asked: u32,
}

impl Powers for Counted {
    fn coverage(&mut self) -> Option<&mut dyn Coverage> {
        Some(self)
    }
}

impl Coverage for Counted {
    fn fresh(&mut self) -> Result<u32, DeviceError> {
        self.asked += 1;
        Ok(std::mem::take(&mut self.fresh))
    }

    fn so_far(&mut self) -> Result<CodeCoverage, DeviceError> {
        Ok(CodeCoverage::default())
    }
}

#[test]
fn a_pilot_is_told_what_its_own_moves_made_run_and_nobody_else_asks() {
    let fake = Box::new(Fake::new());
    let mut device = Wrapped::new(fake, Counted::default(), |counted, inner, call| {
        let name = call.event().map(ToString::to_string);
        if let Some(name) = name.filter(|name| !counted.seen.contains(name)) {
            counted.seen.push(name);
            counted.fresh += 1;
        }
        call.on(inner)
    })
    .with_powers(|counted| Some(counted));
    let run = |generator: Gen, device: &mut Wrapped<Counted>| {
        let (told, diary) = Told::new([go("a"), go("a"), go("off"), go("crash")]);
        let _ = Check::new("fresh", generator).cases(1).pilots(told).run(device).unwrap();
        let lines = diary.lock().unwrap().clone();
        lines.into_iter().filter(|line| line.contains("new")).collect::<Vec<_>>()
    };
    run(click(id("b")), &mut device);
    assert_eq!(device.state.asked, 0);
    let steered = click(id("b")) >> auto_with("random", 4, click(id("toggle")));
    assert_eq!(
        run(steered, &mut device),
        ["done, 1, 1 new", "done, 2, 0 new", "Disabled, 1 new", "Crashed, 1 new"],
        "what the script made run is none of the pilot's doing"
    );
}
