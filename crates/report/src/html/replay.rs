//! A replay, event by event: the recorded screen with its receiver beside the replayed screen with
//! what was done, and why.

use super::Pictures;
use super::failure::{event, mark, picture, size};
use super::markup::Markup;
use crate::replays::{Standing, figures, standing, why_failed};
use capuchin::log::{Frame, JudgedAssertion, RecordingReplay, ReplayedStep, StepOutcome};

pub(super) const STYLE: &str = include_str!("replay.css");

/// What replays come to: the class of it, a word, and the rest of the sentence.
pub(super) fn verdict(
    replays: &[RecordingReplay],
    planned: u32,
) -> (&'static str, &'static str, String) {
    match standing(replays, planned) {
        Standing::Succeeded => {
            let number = replays.len();
            let agree = if number > 1 { " that agree" } else { "" };
            let noun = if number > 1 { "replays" } else { "replay" };
            ("held", "Succeeded", format!("in {number} {noun}{agree}"))
        }
        Standing::Nothing(why) => ("nothing", "Nothing replayed", why),
        Standing::Failed(why) => ("violated", "Failed", why),
    }
}

/// The name of a replay in addresses.
pub(super) fn anchor(replay: &RecordingReplay) -> String {
    format!("replay-{}", replay.number)
}

/// What a replay is called in the list of contents.
pub(super) fn title(replay: &RecordingReplay) -> String {
    let what = match (replay.succeeded, &replay.differs) {
        (_, Some(_)) => "differs",
        (true, None) => "succeeded",
        (false, None) => "failed",
    };
    format!("Replay {} {what}", replay.number)
}

pub(super) fn write(page: &mut Markup, replay: &RecordingReplay, pictures: &Pictures<'_>) {
    page.raw("<section class=\"replay\"")
        .attr("id", &anchor(replay))
        .raw("><article>\n<header><h2>");
    page.text(&title(replay)).raw("</h2>\n");
    if !replay.succeeded {
        page.raw("<p class=\"flaky why\">").text(&why_failed(replay)).raw("</p>");
    }
    if let Some(how) = &replay.differs {
        page.raw("<p class=\"flaky why\"><b>Not as the replay before it.</b> ")
            .text(how)
            .raw("</p>");
    }
    page.raw("<ul class=\"summary\"><li>").text(&figures(replay)).raw("</li></ul>\n");
    told(page, replay);
    page.raw("</header>\n");
    let is_repeated = replay.number > 1 && replay.differs.is_none();
    if is_repeated {
        page.raw("<p class=\"below\">It did the same as the replay before it.</p>\n");
    } else {
        page.raw("<ol class=\"pairs\">\n");
        asserted(page, replay, 0);
        for (index, step) in replay.events.iter().enumerate() {
            pair(page, index, step, pictures);
            asserted(page, replay, index + 1);
        }
        last(page, replay, pictures);
        page.raw("</ol>\n");
    }
    page.raw("</article></section>\n");
}

/// What is to be said of all of it.
fn told(page: &mut Markup, replay: &RecordingReplay) {
    page.raw("<ul class=\"told\">");
    if !replay.recorded_on.is_empty() {
        page.raw("<li>Recorded on <code>").text(&replay.recorded_on).raw("</code></li>");
    }
    if let Some((goal, held)) = &replay.goal {
        page.raw("<li><b>Goal</b> <code>")
            .text(goal)
            .raw("</code> ")
            .raw(judged(*held))
            .raw("</li>");
    }
    for finding in &replay.accessibility {
        page.raw("<li><b>Accessibility</b> ").text(finding).raw("</li>");
    }
    page.raw("</ul>");
}

const fn judged(held: Option<bool>) -> &'static str {
    match held {
        Some(true) => "held",
        Some(false) => "does not hold",
        None => "was not judged",
    }
}

fn asserted(page: &mut Markup, replay: &RecordingReplay, after: usize) {
    for JudgedAssertion { property, held, .. } in
        replay.assertions.iter().filter(|one| one.after as usize == after)
    {
        let class = match held {
            Some(true) => "asserted held",
            Some(false) => "asserted violated",
            None => "asserted",
        };
        page.raw("<li").attr("class", class).raw("><p>assert <code>").text(property);
        page.raw("</code> <b>").raw(judged(*held)).raw("</b></p></li>\n");
    }
}

/// One event: what became of it, and both screens.
fn pair(page: &mut Markup, index: usize, step: &ReplayedStep, pictures: &Pictures<'_>) {
    let class = step.outcome.name().replace(' ', "-");
    page.raw("<li")
        .attr("class", &class)
        .raw("><p class=\"said\"><span class=\"number\">")
        .show(index + 1)
        .raw("</span><span")
        .attr("class", &format!("pill {class}"))
        .raw(">")
        .text(step.outcome.name())
        .raw("</span>");
    if step.is_key {
        page.raw("<span class=\"key\">key event</span>");
    }
    let why = step.why.strip_prefix(step.outcome.name()).unwrap_or(&step.why);
    let why = why.trim_start_matches([':', ' ']);
    page.raw("<span class=\"because\">").text(why);
    if let (Some((fit, margin)), StepOutcome::Healed) = (step.fit, step.outcome) {
        page.text(&format!("fit {fit} %, {margin} % better than the next candidate"));
    }
    page.raw("</span></p>\n<div class=\"pair\">");
    let scale = scale(step);
    page.raw("<div class=\"side\"><p class=\"label\"><b>Recorded</b> ");
    side(page, step.recorded_screen.as_ref(), (index, scale), pictures);
    page.raw("<p class=\"event\">");
    event(page, &step.recorded);
    page.raw("</p>");
    if !step.receiver.is_empty() {
        page.raw("<p class=\"receiver\">").text(&step.receiver).raw("</p>");
    }
    page.raw("</div>\n<div class=\"side\"><p class=\"label\"><b>Replayed</b> ");
    side(page, step.replayed_screen.as_ref(), (index, scale), pictures);
    extra(page, step);
    page.raw("<p class=\"event\">");
    match &step.performed {
        Some(performed) => event(page, performed),
        None => _ = page.raw("not performed"),
    }
    page.raw("</p></div></div></li>\n");
}

fn side(
    page: &mut Markup,
    frame: Option<&Frame>,
    (index, scale): (usize, f64),
    pictures: &Pictures<'_>,
) {
    let Some(frame) = frame else {
        page.raw("</p><p class=\"absent\">no screen</p>");
        return;
    };
    let (wide, high) = size(frame);
    page.raw("<bdi>").text(&frame.place).raw("</bdi></p><div class=\"screen\"");
    page.attr("style", &format!("--wide:{wide};--high:{high};--scale:{scale:.4}")).raw(">");
    picture(page, frame, index, pictures);
    if let Some(target) = frame.target {
        mark(page, target, frame, false);
    }
    page.raw("</div>");
}

/// What was done to reveal the receiver, in order.
fn extra(page: &mut Markup, step: &ReplayedStep) {
    if step.extra.is_empty() {
        return;
    }
    page.raw("<ul class=\"extra\">");
    for extra in &step.extra {
        page.raw(if extra.is_undo { "<li class=\"undo\">undone: " } else { "<li>" });
        page.raw("<b>").text(&extra.pattern).raw("</b> ");
        event(page, &extra.event);
        page.raw("</li>");
    }
    if step.undo_failed {
        page.raw("<li>the screen did not come back after that</li>");
    }
    page.raw("</ul>");
}

/// What was displayed at the end.
fn last(page: &mut Markup, replay: &RecordingReplay, pictures: &Pictures<'_>) {
    let Some(frame) = &replay.last else { return };
    let scale = scale_of([Some(frame)]);
    page.raw("<li><p class=\"said\"><b>At the end</b></p><div class=\"pair\">");
    page.raw("<div class=\"side\"><p class=\"label\"><b>Replayed</b> ");
    side(page, Some(frame), (replay.events.len(), scale), pictures);
    page.raw("<p class=\"event\">").text(replay.ended.as_deref().unwrap_or("the end"));
    page.raw("</p></div></div></li>\n");
}

fn scale(step: &ReplayedStep) -> f64 {
    scale_of([step.recorded_screen.as_ref(), step.replayed_screen.as_ref()])
}

/// How large a pixel is drawn: the same on both sides, so that a phone looks like one.
fn scale_of<const N: usize>(frames: [Option<&Frame>; N]) -> f64 {
    let sizes = || frames.iter().flatten().map(|frame| size(frame));
    let widest = sizes().map(|(wide, _)| wide).max().unwrap_or(1);
    let highest = sizes().map(|(_, high)| high).max().unwrap_or(1);
    (380.0 / f64::from(highest)).min(520.0 / f64::from(widest)).min(1.0)
}
