//! One failure: what went wrong, the film of it, and how to run it again.

use super::data_uri::data_uri;
use super::markup::Markup;
use super::{Checked, HtmlReport, Pictures};
use crate::shell::quoted;
use crate::standing::{Standing, plural};
use capuchin::log::{Area, Failure, Frame, LogEntryKind, LoggedEntry, VerdictKind};

/// What a failure is part of.
pub(super) struct Context<'a> {
    pub(super) report: &'a HtmlReport,
    pub(super) checked: &'a Checked,
    pub(super) directory: &'a str,
    pub(super) pictures: &'a Pictures<'a>,
}

/// The first word of what happened, and the rest.
fn title(failure: &Failure) -> (&str, &str) {
    failure.summary.split_once(' ').unwrap_or((&failure.summary, ""))
}

/// The same where the detail is not beside it: a crash is told from another by its first line.
pub(super) fn short(failure: &Failure) -> (&str, &str) {
    match title(failure) {
        (kind, "") => (kind, failure.detail.lines().next().unwrap_or_default()),
        title => title,
    }
}

const fn class(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Succeeded => "succeeded",
        VerdictKind::Crashed => "crashed",
        VerdictKind::Failed => "failed",
        VerdictKind::Blocked => "blocked",
        VerdictKind::Undecided => "not decided",
    }
}

/// Writes a failure.
pub(super) fn write(page: &mut Markup, failure: &Failure, context: &Context<'_>) {
    let (kind, what) = title(failure);
    let anchor = format!("failure-{}", failure.number);
    page.raw("<article")
        .attr("id", &anchor)
        .attr("class", &format!("failure {}", class(failure.kind)))
        .attr("aria-labelledby", &format!("{anchor}-title"))
        .raw(">\n<header><h2")
        .attr("id", &format!("{anchor}-title"))
        .raw("><span class=\"number\">")
        .show(failure.number)
        .raw("</span><span class=\"kind\">")
        .text(kind)
        .raw("</span> <code>")
        .text(what)
        .raw("</code></h2>\n");
    if !failure.compared.is_empty() {
        let after = failure.detail.lines().next().unwrap_or_default();
        page.raw("<table class=\"compared\"><caption>")
            .text(after)
            .raw("</caption><thead><tr><th scope=\"col\">expected</th><th scope=\"col\">seen</th>")
            .raw("</tr></thead><tbody>");
        for one in &failure.compared {
            page.raw("<tr><td><code>")
                .text(&one.expected)
                .raw("</code></td><td><code>")
                .text(&one.seen)
                .raw("</code></td></tr>");
        }
        page.raw("</tbody></table>");
    } else if !failure.detail.is_empty() {
        page.raw("<pre class=\"detail\"><code>").text(&failure.detail).raw("</code></pre>");
    }
    if failure.not_reproduced {
        let reruns = plural(failure.again as usize, "rerun");
        page.raw("<p class=\"flaky\"><b>Not reproduced</b> in ")
            .text(&reruns)
            .raw(", so it was not shrunk.</p>");
    } else if failure.is_flaky() {
        page.raw("<p class=\"flaky\"><b>Flaky.</b> Reproduced in ")
            .show(failure.same)
            .raw(" of ")
            .show(failure.again)
            .raw(" reruns.</p>");
    }
    page.raw("</header>\n");
    match failure.film.is_empty() {
        true => events(page, failure),
        false => film(page, failure, context.pictures),
    }
    page.raw("<div class=\"below\">\n");
    facts(page, failure, context.checked);
    again(page, failure, context);
    page.raw("</div>\n</article>\n");
}

/// An event with its name set apart.
pub(super) fn event(page: &mut Markup, text: &str) {
    let (name, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
    page.raw("<code><b>").text(name).raw("</b>").text(rest).raw("</code>");
}

/// The events alone, of a failure that was not filmed.
fn events(page: &mut Markup, failure: &Failure) {
    page.raw("<ol class=\"events\">");
    for step in &failure.steps {
        page.raw("<li>");
        event(page, &step.event);
        page.raw("</li>");
    }
    page.raw("<li class=\"end\">").text(&failure.summary).raw("</li></ol>\n");
}

fn film(page: &mut Markup, failure: &Failure, pictures: &Pictures<'_>) {
    if let Some(first) = failure.film.first() {
        journal(page, &first.journal, "while it started");
    }
    page.raw("<div class=\"strip\" tabindex=\"0\" role=\"region\"")
        .attr("aria-label", &format!("Failure {}, screen by screen", failure.number))
        .attr("style", &format!("--scale:{:.4}", scale(&failure.film)))
        .raw("><ol class=\"film\">\n");
    let last = failure.film.len() - 1;
    for (index, frame) in failure.film.iter().enumerate() {
        let (wide, high) = size(frame);
        page.raw("<li")
            .attr("class", if index == last { "frame last" } else { "frame" })
            .attr("style", &format!("--wide:{wide};--high:{high}"))
            .raw("><p class=\"place\"><span class=\"step\">")
            .show(index + 1)
            .raw("</span> <bdi>")
            .text(&frame.place)
            .raw("</bdi></p>\n<div class=\"screen\">");
        picture(page, frame, index, pictures);
        let blocked = index == last && failure.kind == VerdictKind::Blocked;
        if let Some(target) = frame.target {
            mark(page, target, frame, blocked);
        }
        page.raw("</div>\n<div class=\"then\">");
        match &frame.next {
            Some(next) if !blocked => {
                page.raw("<p class=\"event\">");
                event(page, next);
                page.raw("</p>");
            }
            _ => ending(page, failure),
        }
        if let Some(after) = failure.film.get(index + 1) {
            journal(page, &after.journal, "");
        }
        page.raw("</div></li>\n");
    }
    page.raw("</ol></div>\n");
}

/// What stands under the last screen.
fn ending(page: &mut Markup, failure: &Failure) {
    let (kind, what) = short(failure);
    page.raw("<p class=\"event end\"><b>")
        .text(kind)
        .raw("</b> <code>")
        .text(what)
        .raw("</code></p>");
}

pub(super) fn size(frame: &Frame) -> (i32, i32) {
    (frame.viewport.0.max(1), frame.viewport.1.max(1))
}

/// How large a pixel of the app is drawn: the same for the whole film, so that a turn of the device
/// looks like one.
fn scale(film: &[Frame]) -> f64 {
    let widest = film.iter().map(|frame| size(frame).0).max().unwrap_or(1);
    let highest = film.iter().map(|frame| size(frame).1).max().unwrap_or(1);
    (420.0 / f64::from(highest)).min(460.0 / f64::from(widest)).min(1.0)
}

pub(super) fn picture(page: &mut Markup, frame: &Frame, index: usize, pictures: &Pictures<'_>) {
    let address = frame.picture.as_deref().and_then(|name| data_uri(name, &pictures(name)?));
    let Some(address) = address else {
        page.raw("<p class=\"none\">no picture</p>");
        return;
    };
    let (wide, high) = size(frame);
    let next = frame.next.as_deref().map_or_else(String::new, |next| format!(", before {next}"));
    page.raw("<img")
        .attr("alt", &format!("Screen {} {}{next}", index + 1, frame.place))
        .attr("width", &wide.to_string())
        .attr("height", &high.to_string())
        .attr("src", &address)
        .raw(">");
}

/// Where the finger goes, or cannot go.
pub(super) fn mark(page: &mut Markup, target: Area, frame: &Frame, blocked: bool) {
    let (wide, high) = size(frame);
    let Area { x, y, width, height } = target;
    if y >= high || y + height < 0 {
        let text = if y >= high { "↓ further down" } else { "↑ further up" };
        let class = if y >= high { "mark off below" } else { "mark off above" };
        page.raw("<span")
            .attr("class", class)
            .raw(" aria-hidden=\"true\">")
            .raw(text)
            .raw("</span>");
        return;
    }
    let percent = |part: i32, whole: i32| 100.0 * f64::from(part) / f64::from(whole);
    let style = format!(
        "left:{:.2}%;top:{:.2}%;width:{:.2}%;height:{:.2}%",
        percent(x, wide),
        percent(y, high),
        percent(width, wide),
        percent(height, high)
    );
    let class = match (blocked, width == 0 && height == 0) {
        (true, false) => "mark stopped",
        (_, true) => "mark point",
        _ => "mark",
    };
    page.raw("<span")
        .attr("class", class)
        .attr("style", &style)
        .raw(" aria-hidden=\"true\"></span>");
}

const fn word(kind: LogEntryKind) -> (&'static str, &'static str) {
    match kind {
        LogEntryKind::Log => ("log", "log"),
        LogEntryKind::Warning => ("warning", "warning"),
        LogEntryKind::Error => ("error", "error"),
        LogEntryKind::Request => ("request", "request"),
        LogEntryKind::FailedRequest => ("error", "failed request"),
        LogEntryKind::Dialog => ("dialog", "dialog"),
        LogEntryKind::Navigation => ("request", "navigation"),
    }
}

/// What the app said and asked for, behind a line that says how much of what; what went wrong
/// first.
fn journal(page: &mut Markup, entries: &[LoggedEntry], when: &'static str) {
    if entries.is_empty() {
        return;
    }
    let count = |kinds: &[LogEntryKind]| entries.iter().filter(|e| kinds.contains(&e.kind)).count();
    page.raw("<details class=\"journal\"><summary>");
    let mut before = "";
    for (kinds, noun, class) in [
        (&[LogEntryKind::Error][..], "error", "bad"),
        (&[LogEntryKind::FailedRequest], "failed request", "bad"),
        (&[LogEntryKind::Warning, LogEntryKind::Log], "message", ""),
        (&[LogEntryKind::Dialog], "dialog", ""),
        (&[LogEntryKind::Request, LogEntryKind::Navigation], "request", ""),
    ] {
        let many = count(kinds);
        if many > 0 {
            page.raw(before).raw("<span").attr("class", class).raw(">");
            page.text(&plural(many, noun)).raw("</span>");
            before = ", ";
        }
    }
    page.raw(" ").raw(when).raw("</summary><ul>");
    for entry in entries {
        let (class, word) = word(entry.kind);
        page.raw("<li").attr("class", class).raw("><span class=\"said\">").raw(word);
        page.raw("</span> <code>").text(&entry.text).raw("</code></li>");
    }
    page.raw("</ul></details>\n");
}

fn facts(page: &mut Markup, failure: &Failure, checked: &Checked) {
    page.raw("<dl class=\"facts\">");
    let mut fact = |name: &'static str, value: String| {
        page.raw("<div><dt>").raw(name).raw("</dt><dd>").text(&value).raw("</dd></div>");
    };
    fact("Check", failure.check.clone());
    let found = plural(failure.found_steps as usize, "event");
    let case = match checked.standing.open {
        _ if failure.saved => failure.found_by(),
        true => format!("in case {}", failure.case),
        false => format!("in case {} of {}", failure.case, checked.cases),
    };
    fact("Found", format!("{case}, after {found}"));
    if !failure.not_reproduced {
        let runs = plural(failure.shrink_runs as usize, "run");
        let smallest = if failure.shrink_finished { "" } else { "; not yet the smallest" };
        let events = plural(failure.steps.len(), "event");
        fact("Shrunk", format!("to {events}, in {runs}{smallest}"));
    }
    let traces = checked.standing.traces().max(1);
    fact(
        "Seen",
        format!("in {} of {}", checked.times_seen(failure.number), checked.standing.cases(traces)),
    );
    if failure.again > 0 && !failure.is_flaky() {
        fact("Reruns", format!("reproduced in {} of {}", failure.same, failure.again));
    }
    fact("Seed of the case", failure.seed.to_string());
    page.raw("</dl>\n");
}

/// How to run it again.
fn again(page: &mut Markup, failure: &Failure, context: &Context<'_>) {
    let Context { report, checked, directory, .. } = context;
    page.raw("<div class=\"again\">");
    let directory = directory.trim_end_matches('/');
    let file = format!("{directory}/{}.capu", failure.file_stem());
    let mut command = format!("capuchin run {}", quoted(&file));
    // Its options may be such that a file is not trusted with them.
    if report.device.contains(' ') {
        command.push_str(&format!(" --device {}", quoted(&report.device)));
    }
    copied(page, "Reproduce this failure", &command);
    // What came from standard input is not there any more, and an exploration has other options
    // than a check.
    if report.spec != "-" && !checked.standing.open {
        let mut command = format!(
            "capuchin check {} --device {} --seed {} --cases {}",
            quoted(&report.spec),
            quoted(&report.device),
            report.seed,
            checked.cases
        );
        if report.checks.len() > 1 {
            command.push_str(&format!(" --only {}", quoted(&failure.check)));
        }
        copied(page, "Repeat the check", &command);
    }
    copied(page, "The smallest trace", &failure.minimal);
    // An exploration draws nothing.
    if !checked.standing.open {
        page.raw(
            "<details class=\"generator\"><summary>The generator of the trace</summary><pre><code>",
        )
        .text(&checked.generator)
        .raw("</code></pre></details>");
    }
    page.raw("</div>\n");
}

/// Something to copy. The button shows itself where there is a script to make it work.
pub(super) fn copied(page: &mut Markup, label: &'static str, text: &str) {
    page.raw("<div class=\"copy\"><p>").raw(label).raw("</p><pre><code>");
    // Lines break between words and not at the hyphens of an option or a file's name.
    for word in text.split_inclusive(' ') {
        page.raw("<span>").text(word.trim_end_matches(' ')).raw("</span>");
        if word.ends_with(' ') {
            page.raw(" ");
        }
    }
    page.raw("</code></pre><button type=\"button\" hidden>Copy<span class=\"hidden\">: ")
        .raw(label)
        .raw("</span></button></div>\n");
}

/// What part of the traces violated the check, as a bar.
pub(super) fn share(page: &mut Markup, standing: &Standing) {
    if standing.traces() == 0 {
        return;
    }
    let part = 100.0 * f64::from(standing.violated) / f64::from(standing.traces());
    page.raw("<div class=\"share\" aria-hidden=\"true\"><i")
        .attr("style", &format!("width:{part:.1}%"))
        .raw("></i></div>");
}
