//! The model of WordPad beside the app: files that are printed from the app's table, and test cases
//! that are valid; and the oracle that they are together, on the app and on its page.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod oracle;

use capuchin_apps::wordpad::{Level, MUTANTS, figure_3, objects, problem};
use capuchin_plan::pddl::Step;
use capuchin_plan::{LiftedState, Model};
use capuchin_ui::{Device, Event, Screen, State, Target};
use capuchin_web::{Opener, Options};
use std::path::{Path, PathBuf};

const MAPPING_BEGINS: &str =
    "// --- What the screens call the objects: printed, see testing/apps/tests/wordpad\n\n";

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/wordpad")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(directory().join(name)).unwrap_or_default()
}

/// The document of figure 4(b): three pieces, stored in f4.doc.
const FIGURE_4B: &str = "(and (contains-file d-samples f-f4-doc) (current-file f-f4-doc) \
    (in f-f4-doc t-this) (in f-f4-doc t-is-the) (in f-f4-doc t-text) (not (in f-f4-doc t-that)) \
    (not (in f-f4-doc t-needs-to)) (not (in f-f4-doc t-be-modeled)) (free))";

/// What is on disk is what is printed. With `UPDATE=1` in the environment, it is written.
fn check(name: &str, printed: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(directory().join(name), printed).unwrap();
    }
    assert!(read(name) == printed, "{name} is not what is printed: run this test with UPDATE=1");
}

#[test]
fn the_problem_is_printed_from_the_table() {
    check("figure-5.pddl", &problem("figure-5", FIGURE_4B));
}

#[test]
fn the_objects_of_the_mapping_are_printed_from_the_table() {
    let mapping = read("wordpad.capu");
    let (head, _) = mapping.split_once(MAPPING_BEGINS).unwrap_or((&mapping, ""));
    check("wordpad.capu", &format!("{head}{MAPPING_BEGINS}{}", objects()));
}

fn model() -> Model {
    Model::parse(&read("wordpad.pddl"), &read("figure-5.pddl")).unwrap()
}

fn after(model: &Model, steps: &[&str]) -> LiftedState {
    let mut state = model.initial_state();
    for (number, text) in steps.iter().enumerate() {
        let step: Step = model.step(text).unwrap();
        state = model.apply(&step, &state).unwrap_or_else(|it| panic!("{number} {text}: {it}"));
    }
    state
}

#[test]
fn figure_3_leads_to_figure_4b() {
    let model = model();
    let steps: Vec<Step> = figure_3().iter().map(|text| model.step(text).unwrap()).collect();
    assert_eq!(model.validate(&steps), Ok(()));
}

#[test]
fn figure_7_the_fifth_action_shows_the_file() {
    let model = model();
    let shown = |steps: usize| {
        let state = after(&model, &figure_3()[..steps]);
        let facts = state.iter().map(|fact| model.fact_text(fact));
        facts
            .filter(|text| text.starts_with("(on-screen") || text.starts_with("(current-file"))
            .count()
    };
    assert_eq!((shown(4), shown(5)), (0, 7));
}

#[test]
fn the_test_case_of_every_fault_is_valid() {
    let model = model();
    for mutant in MUTANTS {
        let steps: Vec<String> =
            mutant.case.split_inclusive(')').map(|step| step.trim().to_owned()).collect();
        let steps: Vec<&str> =
            steps.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        assert!(!after(&model, &steps).is_empty(), "{}", mutant.name);
    }
}

/// Clicks, by ids, on the way of figure 3, and through some windows beside it; `=` types.
const CLICKS: &str = "m-file k-open d-private f-f1-doc w-open-ok t-that t-needs-to m-edit k-cut m-edit \
    k-select-all m-edit k-copy m-file k-new c-text-document w-new-ok m-edit k-paste m-file k-save-as \
    d-latex d-samples f-f4-doc file-name=f4.doc file-name=f2.doc up d-samples f-f4-doc w-save-as-ok \
    w-replace-file-cancel w-save-as-ok w-replace-file-ok m-edit k-find find-what=text find-next \
    o-match-case w-find-ok m-format k-font c-arial c-18pt w-font-ok m-view k-ruler m-file k-print \
    n-printer-properties o-spool n-advanced c-binary-data w-advanced-ok w-printer-properties-cancel \
    w-print-ok m-insert k-object c-package w-object-ok m-edit m-view m-view";

fn events() -> Vec<Event> {
    let mut events = Vec::new();
    for word in CLICKS.split_whitespace() {
        match word.split_once('=') {
            Some((field, text)) => {
                events.push(Event::Clear(Target::id(field)));
                events.push(Event::Type(Target::id(field), text.into()));
            }
            None => events.push(Event::Click(Target::id(word))),
        }
    }
    events
}

/// What both show of an element: a page has more that is only there to place others.
fn shown(screen: &Screen) -> Vec<String> {
    let compared = State::ENABLED
        | State::COVERED
        | State::CLICKABLE
        | State::EDITABLE
        | State::CHECKED
        | State::CHECKABLE
        | State::SELECTED;
    let elements = screen.elements.iter().filter(|it| it.is(State::DISPLAYED) && !it.id.is_empty());
    let mut lines: Vec<String> = elements
        .map(|it| {
            let state = it.state & compared;
            format!(
                "{} {} {:?} {:?} {:?} {state:?}",
                it.id,
                it.role.name(),
                it.text,
                it.value,
                it.classes
            )
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn the_page_shows_what_the_simulated_app_shows() {
    // A browser takes seconds to start: of the faults, one for each level.
    let one = |level: Level| MUTANTS.iter().rev().find(|mutant| mutant.level == level);
    for mutant in [None, one(Level::Changed), one(Level::Relevant), one(Level::Complete)] {
        let (name, query) = match mutant {
            Some(mutant) => {
                (format!("wordpad-{}", mutant.name), format!("?mutant={}", mutant.name))
            }
            None => ("wordpad".to_owned(), String::new()),
        };
        let mut app = capuchin_apps::open(&name).unwrap();
        let page = capuchin_apps::web_dir().join("wordpad/index.html");
        let options =
            Options::parse(&format!("{}{query} viewport=360x640", page.display())).unwrap();
        let mut page = Opener::new("web:wordpad", options).open().unwrap();
        let both = |app: &Screen, page: &Screen, what: &str| {
            let (app, page) = (shown(app), shown(page));
            let more = |of: &[String], than: &[String]| -> Vec<String> {
                of.iter().filter(|line| !than.contains(line)).cloned().collect()
            };
            assert_eq!(more(&app, &page), more(&page, &app), "{name}, {what}");
        };
        both(&app.reset(1).unwrap().screen, &page.reset(1).unwrap().screen, "at first");
        for event in events() {
            let (app, page) = (app.perform(&event).unwrap(), page.perform(&event).unwrap());
            assert_eq!(
                (app.blocked.is_some(), &page.crash),
                (page.blocked.is_some(), &None),
                "{event:?}"
            );
            both(&app.screen, &page.screen, &format!("after {event:?}"));
        }
    }
}
