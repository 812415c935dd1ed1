//! Whatever generator finds a failure, its smallest trace, printed and parsed again, fails in the
//! same way with the seed of its case. Over random generators of the whole language.

use capuchin::trace::Gen;
use capuchin::ui::Rng;
use capuchin::{Check, Rules, execute};
use capuchin_spec::parse_gen;

/// One of several texts.
fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

fn event(rng: &mut Rng) -> &'static str {
    one(
        rng,
        &[
            "Click(#increment)",
            "Click(*)",
            "Click(checkbox(*))",
            "Click(oneOf(#tick, #cover, #dialog))",
            "Click(\"OK\")",
            "LongClick(*)",
            "Type(#name, string(\"[b-y]{1,5}\"))",
            "Press(Enter)",
            "Swipe(#list, Up)",
            "Sleep(choose(0, 400))",
            "Click(#slow)",
            "Rotate",
            "ClickHome",
            "interrupt",
        ],
    )
}

fn property(rng: &mut Rng) -> &'static str {
    one(
        rng,
        &[
            "number(#count) < 2",
            "text(#name) == \"\"",
            "isDisplayed(#ok) \\/ isClickable(#behind)",
            "!isChecked(#tick)",
            "text(#status) != \"done\"",
            "hasText(#orientation, \"portrait\")",
            "countIs(0) ==> number(#resumed) < 2",
        ],
    )
}

/// A generator as text: its form is drawn, and the forms inside it.
fn generator(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return event(rng).to_owned();
    }
    let form = rng.below(14);
    let a = generator(rng, depth - 1);
    let b = generator(rng, depth - 1);
    let p = property(rng);
    match form {
        0..=3 => format!("{{ {a} }} :>> {{ {b} }} :>> {{ {} }}", event(rng)),
        4 => format!("{{ {a} }} *>> {{ {b} }}"),
        5 => format!("{{ {a} }} <+> {{ {b} }}"),
        6 => format!("frequency(2 -> {{ {a} }}, 1 -> {{ {b} }})"),
        7 => format!("repeat 1..4 {{ {a} }}"),
        8 => format!("{{ {a} }}? :>> {{ {p} then {{ {b} }} }}"),
        9 => format!("{{ {a} }} :>> assert {p}"),
        10 => format!("{{ {a} }} keeps text(#echo)"),
        11 => format!("{{ {a} }} :>> {{ {{ {b} }} always {p} }}"),
        12 => format!("{{ {a} }} || {{ network(off) :>> network(on) }}"),
        _ => format!("{{ {a} }} :>> {{ relevantMonkey 8 preserves {p} }}"),
    }
}

#[test]
fn every_smallest_trace_is_read_back_and_fails_alike() {
    let mut device = capuchin_apps::open("contract").unwrap();
    let mut kinds = [0; 4];
    for seed in 0..400 {
        let source = generator(&mut Rng::new(seed), 3);
        let drawn: Gen = parse_gen(&source).unwrap_or_else(|wrong| panic!("{source}: {wrong:?}"));
        let check = Check::new("replay", drawn).seed(seed).cases(4);
        for failure in check.run(device.as_mut()).unwrap().failures {
            let minimal = &failure.minimal;
            let again = parse_gen(minimal).unwrap_or_else(|wrong| panic!("{minimal}: {wrong:?}"));
            let trace = again.sample(Rng::new(0)).to_trace();
            let run = execute(&trace, device.as_mut(), &Rules::seed(failure.seed)).unwrap();
            assert_eq!(run.verdict.to_string(), failure.summary, "{source}\n{minimal}");
            assert_eq!(run.verdict.detail(), failure.detail, "{source}\n{minimal}");
            assert_eq!(run.executed.len(), failure.steps.len(), "{source}\n{minimal}");
            assert!(!failure.is_flaky() && failure.shrink_finished, "{source}\n{minimal}");
            kinds[failure.kind as usize] += 1;
        }
    }
    assert!(kinds[1..].iter().all(|found| *found > 10), "of every kind: {kinds:?}");
}
