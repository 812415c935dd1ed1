//! What a run that failed looked like, as files for whoever looks for the cause.
//!
//! On its own because nothing is judged here.

use super::devices::BenchDevice;
use super::recorded::Recorded;
use super::run::Run;
use super::scenarios::Scenario;
use super::stage::Stage;
use anyhow::Result;
use capuchin::ui::{Camera, Device, Powers, Screen, State};
use std::fmt::Write;
use std::path::Path;

/// Writes a directory: what was recorded, what was done, and the screens of both.
pub(super) fn write(
    failures: &Path,
    recorded: &Recorded<'_>,
    stage: &mut Stage<'_>,
    run: &Run,
    scenario: &Scenario,
    from: &BenchDevice,
    to: &BenchDevice,
) -> Result<()> {
    let name = format!("{}-{}-{}", scenario.id.replace('/', "-"), from.name, to.name);
    let directory = failures.join(name);
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    let mut text = format!("{} {} → {} {:?}\n", scenario.id, from.name, to.name, scenario.pattern);
    writeln!(text, "goal: {}\ngoal reached: {}\nkeys: {:?}", scenario.goal, run.goal, run.keys)?;
    writeln!(text, "why: {:?}\ncause: {:?}\n\nrecorded:", run.why, run.cause)?;
    for (index, one) in recorded.recording.events.iter().enumerate() {
        let key = recorded.key(index).map(|key| format!(" [{key}]")).unwrap_or_default();
        let step = &recorded.steps[recorded.step_of[index]];
        writeln!(text, "{index:>3} {}{key}    ({step})", one.event)?;
        writeln!(text, "      {:?}", one.receiver())?;
        let file = directory.join(format!("recorded-{index}.txt"));
        std::fs::write(file, screen(&one.screen, one.receiver))?;
    }
    writeln!(text, "\nwhat should be done on {}:", to.name)?;
    for step in scenario.steps(to.layout)? {
        writeln!(text, "    {step}")?;
    }
    writeln!(text, "    {:?}", scenario.truths(to.layout))?;
    performed(&directory, stage, &mut text)?;
    writeln!(text, "\n{}", run.story)?;
    std::fs::write(directory.join("run.txt"), text)?;
    Ok(())
}

/// Writes a directory of a recording that failed, or of a replay whose device was lost.
pub(super) fn write_lost(
    failures: &Path,
    stage: &mut Stage<'_>,
    error: &anyhow::Error,
    scenario: &Scenario,
    on: &BenchDevice,
) -> Result<()> {
    let directory = failures.join(format!("{}-{}", scenario.id.replace('/', "-"), on.name));
    std::fs::create_dir_all(&directory)?;
    let mut text = format!("{} on {}: {error:#}\n", scenario.id, on.name);
    performed(&directory, stage, &mut text)?;
    std::fs::write(directory.join("run.txt"), text)?;
    Ok(())
}

/// What was performed, the screens before, and the last one.
fn performed(directory: &Path, stage: &mut Stage<'_>, text: &mut String) -> Result<()> {
    writeln!(text, "\nperformed:")?;
    for (index, one) in stage.performed.iter().enumerate() {
        let right: Vec<&str> =
            one.right.iter().filter(|(_, right)| **right).map(|(k, _)| k.as_str()).collect();
        let blocked = one.blocked.as_deref().unwrap_or_default();
        writeln!(text, "{index:>3} {}  {right:?} {blocked}", one.event)?;
        let located = one.screen.locate(&one.event).ok().flatten();
        let file = directory.join(format!("performed-{index}.txt"));
        std::fs::write(file, screen(&one.screen, located))?;
    }
    std::fs::write(directory.join("last.txt"), screen(&stage.screen, None))?;
    // A device that is lost takes no picture.
    let camera = stage.powers().and_then(Powers::camera);
    if let Some(picture) = camera.and_then(|camera| Camera::picture(camera).ok()) {
        std::fs::write(directory.join("last.jpg"), picture.bytes)?;
    }
    Ok(())
}

/// A screen with everything that a match could depend on, one element a line.
fn screen(screen: &Screen, marked: Option<usize>) -> String {
    let mut text = format!("{} {:?}\n", screen.place, screen.viewport);
    for (index, element) in screen.elements.iter().enumerate() {
        let depth = screen.ancestors(index).count();
        let mark = if marked == Some(index) { ">>" } else { "  " };
        let bounds = element.bounds;
        let states: Vec<String> =
            element.state.iter_names().map(|(name, _)| name.to_lowercase()).collect();
        let shown = if element.is(State::DISPLAYED) { "" } else { "(hidden) " };
        let _ = writeln!(
            text,
            "{mark}{index:>4} {:depth$}{shown}{} {} #{} .{} text={:?} value={:?} hint={:?} \
             {},{} {}x{} [{}]",
            "",
            element.role.name(),
            element.native,
            element.id,
            element.classes.replace(' ', "."),
            element.text,
            element.value,
            element.hint,
            bounds.x,
            bounds.y,
            bounds.width,
            bounds.height,
            states.join(" "),
            depth = depth,
        );
    }
    text
}
