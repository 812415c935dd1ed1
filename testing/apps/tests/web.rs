//! The table of planted bugs once more, in a browser: the sample apps as web pages, with the same
//! specifications as on the simulated device, and the same smallest traces.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod table;

use capuchin::{Check, Outcome};
use capuchin_apps::{BUGS, Bug, Variant, web_dir, web_page};
use capuchin_spec::Spec;
use capuchin_web::{Opener, Options};

/// How many cases of each example show all of its bugs, and how many are run without the bugs: a
/// browser is slower than a model of one, and five thousand events of a monkey that finds nothing
/// take a minute in it.
const CASES: [(&str, u32, u32); 8] = [
    ("music-signin.capu", 20, 4),
    ("music-player.capu", 30, 4),
    ("music-track.capu", 10, 4),
    ("reply.capu", 3, 3),
    ("picker.capu", 12, 4),
    ("score.capu", 1, 0),
    ("courses.capu", 1, 1),
    ("nearby.capu", 8, 4),
];

fn check(spec: &Spec, app: &str, variant: Variant, cases: u32) -> Outcome {
    let page = web_dir().join(web_page(app, variant));
    let options = Options::parse(&format!("{} viewport=360x640", page.display())).unwrap();
    let mut device = Opener::new(format!("web:{app}"), options).open().unwrap();
    Check::new(&spec.checks[0].name, spec.checks[0].generator.clone())
        .seed(1)
        .cases(cases)
        .run(&mut device)
        .unwrap()
}

fn every_bug_is_found(name: &str) {
    let (_, cases, fixed_cases) = CASES.iter().find(|(known, ..)| *known == name).unwrap();
    let spec = table::example(name);
    let planted: Vec<&Bug> = BUGS.iter().filter(|bug| bug.spec == name).collect();
    let app = planted[0].app;
    let outcome = check(&spec, app, Variant::Buggy, *cases);
    for bug in &planted {
        let found = outcome.failures.iter().any(|failure| table::is(failure, bug));
        assert!(found, "{name}: not found: {:?}\n{outcome}", bug.minimal);
    }
    assert_eq!(outcome.failures.len(), planted.len(), "{name}: {outcome}");
    let fixed = check(&spec, app, Variant::Fixed, *fixed_cases);
    assert!(fixed.failures.is_empty(), "{name}: {fixed}");
}

macro_rules! examples {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                every_bug_is_found($name);
            }
        )*

        #[test]
        fn no_example_of_the_table_is_left_out() {
            let tested = [$($name),*];
            assert!(BUGS.iter().all(|bug| tested.contains(&bug.spec)));
        }
    };
}

examples! {
    music_signin "music-signin.capu"
    music_player "music-player.capu"
    music_track "music-track.capu"
    reply "reply.capu"
    picker "picker.capu"
    score "score.capu"
    courses "courses.capu"
    nearby "nearby.capu"
}
