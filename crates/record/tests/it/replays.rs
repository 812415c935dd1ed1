//! Several replays as one check, by the plain loop of the library.

use crate::replay::record;
use crate::replay::{DESK, PHONE};
use capuchin::cases::Tally;
use capuchin::log::{RecordingReplay, RunEvent, StepOutcome};
use capuchin::prelude::*;
use capuchin::{Conclusion, Config, Plan};
use capuchin_apps::responsive::ResponsiveApp as Sample;
use capuchin_record::{Recording, Replay, Replays};

/// Runs a plan, case by case; what was told of its replays.
fn run(plan: &Plan, device: &mut dyn Device) -> (Conclusion, Vec<RecordingReplay>) {
    let mut told = Vec::new();
    let mut observer = |event: &RunEvent| {
        if let RunEvent::RecordingReplayed(replay) = event {
            told.push((**replay).clone());
        }
    };
    let mut tally = Tally::begin(plan, 1, &mut observer);
    for index in 0..plan.runs() {
        let (case, _) = plan.case(index, device, None).expect("sim works");
        tally.case(&case);
    }
    let outcome = tally.finish();
    (Conclusion::of(&[outcome], false), told)
}

fn replays(recording: Recording) -> Replays {
    Replays::of(Replay::new(recording), "a.capr")
}

#[test]
fn two_replays_that_agree_are_a_success_and_are_written_as_they_were() {
    let replays = replays(record(Sample::Drawer, DESK));
    let mut phone = Sample::Drawer.device(PHONE);
    let (check, told) = run(&replays.plan(2, Config::default()), &mut phone);
    assert_eq!(replays.conclusion(2, check), Conclusion::Held, "{told:#?}");
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|replay| replay.succeeded && replay.differs.is_none()));
    let outcomes: Vec<StepOutcome> = told[0].events.iter().map(|step| step.outcome).collect();
    assert!(outcomes.contains(&StepOutcome::Revealed), "{outcomes:?}");
    let frames = told[0].frames();
    assert!(frames.into_iter().all(|frame| frame.image.is_some() && frame.picture.is_some()));
    assert_eq!(told[1].frames().count(), 0, "what is the same is not drawn twice");
    // A third is missing.
    assert_eq!(replays.conclusion(3, check), Conclusion::Violated);
    // What was performed runs by itself, with nothing to reveal.
    let healed = replays.healed("sim:phone").expect("it succeeded");
    assert_eq!(healed.origin.device, "sim:phone");
    assert!(healed.events.len() > replays.recording().events.len());
    let again = Replays::of(Replay::new(healed), "b.capr");
    let (check, told) = run(&again.plan(1, Config::default()), &mut phone);
    assert_eq!(again.conclusion(1, check), Conclusion::Held);
    assert_eq!(told[0].extra_events(), (0, 0), "{told:#?}");
}

#[test]
fn what_was_tried_in_vain_is_not_written() {
    let replays = replays(record(Sample::UnnamedDrawer, DESK));
    let mut phone = Sample::UnnamedDrawer.device(PHONE);
    let (check, told) = run(&replays.plan(1, Config::default()), &mut phone);
    assert_eq!(replays.conclusion(1, check), Conclusion::Held, "{told:#?}");
    let healed = replays.healed("sim:phone").expect("it succeeded");
    let undone = told[0].events.iter().flat_map(|step| &step.extra).filter(|it| it.is_undo).count();
    let sent: usize = told[0].events.iter().map(|step| 1 + step.extra.len()).sum();
    assert!(healed.events.len() <= sent - 2 * undone, "{undone} undone: {:#?}", told[0].events);
}

#[test]
fn a_goal_that_is_not_reached_fails_what_was_performed() {
    let desk = || Sample::Drawer.device(DESK);
    for (goal, expected) in
        [(Prop::Constant(true), Conclusion::Held), (Prop::Constant(false), Conclusion::Violated)]
    {
        let replays = replays(record(Sample::Drawer, DESK)).goal(goal);
        let (check, told) = run(&replays.plan(1, Config::default()), &mut desk());
        assert_eq!(check, Conclusion::Held, "the run itself is in order");
        assert_eq!(replays.conclusion(1, check), expected, "{told:#?}");
        assert_eq!(replays.healed("a").is_some(), expected == Conclusion::Held);
    }
}

#[test]
fn the_recording_of_another_app_is_given_up_and_nothing_is_checked() {
    let replays = replays(record(Sample::Calculator, DESK));
    let mut other = Sample::Drawer.device(DESK);
    let (check, told) = run(&replays.plan(2, Config::default()), &mut other);
    assert_eq!(replays.conclusion(2, check), Conclusion::NothingChecked, "{told:#?}");
    assert!(told[0].events.iter().all(|step| !step.outcome.is_performed()));
}
