//! What surrounds the failures: the head of the page, what each check came to, and the notes.

use super::exploration;
use super::failure::{self, Context};
use super::markup::Markup;
use super::replay;
use super::{Checked, HtmlReport, Pictures};
use crate::shell::explore_command;
use crate::standing::{Standing, liveness, plural, thousands};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

impl HtmlReport {
    /// The page. `directory` is how the reader would name the run directory in a command.
    pub fn render(&self, directory: &str, pictures: &Pictures<'_>) -> String {
        let mut page = Markup::default();
        self.head(&mut page);
        page.raw("<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n");
        self.masthead(&mut page);
        page.raw("<div class=\"columns\">\n");
        self.contents(&mut page);
        page.raw("<main id=\"main\">\n");
        self.checks(&mut page);
        for (index, checked) in self.explored() {
            let commands = self.commands(directory);
            exploration::write(&mut page, &checked.exploration, index, &commands, pictures);
        }
        for checked in &self.checks {
            checked.replays.iter().for_each(|it| replay::write(&mut page, it, pictures));
            let context = Context { report: self, checked, directory, pictures };
            for found in checked.failures.iter().chain(&checked.seen) {
                failure::write(&mut page, found, &context);
            }
        }
        self.notes(&mut page);
        page.raw("</main>\n</div>\n<footer><p>Made by Capuchin from the log of the run. ")
            .raw("A verdict says no more than was seen: ")
            .raw(match self.sum().open {
                _ if self.has_replays() => {
                    "a replay that succeeded has performed the events that are shown."
                }
                true => "an exploration that held has held in the runs that it made.",
                false => "a check that held has held on the traces that were drawn.",
            })
            .raw("</p></footer>\n<script>\n")
            .raw(SCRIPT)
            .raw(if self.explored().next().is_some() { exploration::SCRIPT } else { "" })
            .raw("</script>\n</body>\n</html>\n");
        page.finish()
    }

    fn head(&self, page: &mut Markup) {
        page.raw(
            "<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n",
        )
        // Whatever an app has written into the page: nothing is loaded, nothing is sent.
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        .raw("img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; ")
        .raw("base-uri 'none'; form-action 'none'\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        .text(&self.verdict())
        .raw(" · ")
        .text(&self.spec)
        .raw("</title>\n<style>\n")
        .raw(STYLE)
        .raw(if self.explored().next().is_some() { exploration::STYLE } else { "" })
        .raw(if self.has_replays() { replay::STYLE } else { "" })
        .raw("</style>\n</head>\n");
    }

    /// The checks that are explorations, each with its number. One that was killed has not told how
    /// far it got.
    fn explored(&self) -> impl Iterator<Item = (usize, &Checked)> {
        let asked = self.asked.is_some();
        let is_one = move |checked: &Checked| {
            !checked.exploration.is_empty() || (asked && checked.standing.open)
        };
        self.checks.iter().enumerate().filter(move |(_, checked)| is_one(checked))
    }

    /// What to type to explore again, and to go on from what is known: each with what it is for.
    fn commands(&self, directory: &str) -> Vec<(&'static str, String)> {
        // What came from standard input is not there any more.
        let Some(asked) = self.asked.as_ref().filter(|_| self.spec != "-") else {
            return Vec::new();
        };
        let command =
            |resumes: Option<&str>| explore_command(&self.device, self.seed, asked, resumes);
        vec![
            ("Repeat the exploration", command(asked.resumes.as_deref())),
            ("Resume the exploration", command(Some(directory.trim_end_matches('/')))),
        ]
    }

    /// Whether a recording was replayed.
    fn has_replays(&self) -> bool {
        self.checks.iter().any(|checked| !checked.replays.is_empty())
    }

    /// What replays came to, if there are any and nothing was violated in them: the class, a word
    /// and the rest.
    fn replayed(&self) -> Option<(&'static str, &'static str, String)> {
        let quiet = |checked: &&Checked| checked.failures() == 0;
        self.checks.iter().filter(quiet).find_map(Checked::replayed)
    }

    /// What all checks came to together, as far as it can be added up.
    fn sum(&self) -> Standing {
        let mut sum = Standing { open: !self.checks.is_empty(), ..Standing::default() };
        for standing in self.checks.iter().map(Checked::standing) {
            sum.open &= standing.open;
            sum.held += standing.held;
            sum.violated += standing.violated;
            sum.undecided += standing.undecided;
            sum.steps += standing.steps;
        }
        sum
    }

    /// All of it in a few words.
    fn verdict(&self) -> String {
        let failures: usize = self.checks.iter().map(Checked::failures).sum();
        let sum = self.sum();
        let traces = sum.cases(sum.traces());
        let found = plural(failures, "failure");
        if let (0, false, Some((_, word, rest))) = (failures, self.has_failed(), self.replayed()) {
            return if word == "Succeeded" { format!("{word} {rest}") } else { word.to_owned() };
        }
        match (failures, sum.traces(), self.has_failed()) {
            (0, 0, true) => "The device failed".to_owned(),
            (0, _, true) => format!("The device failed after {traces}"),
            (0, 0, false) => "Nothing was checked".to_owned(),
            (0, _, false) if sum.held == 0 => "Not decided".to_owned(),
            (0, _, false) => match sum.not_decided() {
                Some(said) => format!("Held {} {}, {said}", sum.place(), sum.cases(sum.held)),
                None => format!("Held {} {traces}", sum.place()),
            },
            (_, _, true) => format!("{found} in {traces}, then the device failed"),
            (_, _, false) => format!("{found} in {traces}"),
        }
    }

    /// Whether the run ended because the device did.
    fn has_failed(&self) -> bool {
        self.checks.iter().any(|checked| checked.device_failed.is_some())
    }

    fn masthead(&self, page: &mut Markup) {
        let bad = self.has_failed() || self.checks.iter().any(|checked| checked.failures() > 0);
        let sum = self.sum();
        let tone = match (bad, sum.traces()) {
            (true, _) => "violated",
            _ if self.has_replays() => self.replayed().map_or("violated", |(tone, ..)| tone),
            (false, 0) => "nothing",
            _ if sum.held == 0 => "nothing",
            _ => "held",
        };
        page.raw("<header class=\"masthead\"><p class=\"brand\">Capuchin</p>\n<h1")
            .attr("class", tone)
            .raw(">")
            .text(&self.verdict())
            .raw("</h1>\n<dl class=\"run\">");
        let covered = self.covered.map(|covered| ("Covered", covered.to_string()));
        let left = (!self.not_run.is_empty()).then(|| ("Not run", self.not_run.join(", ")));
        let steps = if sum.open { thousands(sum.steps) } else { sum.steps.to_string() };
        let (source, noun) = match (self.has_replays(), sum.open) {
            (true, _) => ("Recording", "Replays"),
            (false, true) => ("Specification", "Runs"),
            (false, false) => ("Specification", "Traces"),
        };
        for (name, value) in [
            (source, self.spec.clone()),
            ("Device", self.device.clone()),
            ("Seed", self.seed.to_string()),
            ("Checks", self.checks.len().to_string()),
            (noun, sum.traces().to_string()),
            ("Events", steps),
        ]
        .into_iter()
        .chain(self.saved.line().map(|line| ("Saved failures", line)))
        .chain(covered)
        .chain(left)
        {
            page.raw("<div><dt>").raw(name).raw("</dt><dd>").text(&value).raw("</dd></div>");
        }
        page.raw("</dl></header>\n");
    }

    fn contents(&self, page: &mut Markup) {
        page.raw("<nav aria-label=\"Contents\"><ol>\n<li><a href=\"#checks\">Checks</a></li>\n");
        for (index, _) in self.explored() {
            let anchor = format!("#{}", exploration::anchor(index));
            page.raw("<li><a").attr("href", &anchor).raw(">Exploration</a></li>\n");
        }
        for checked in &self.checks {
            for it in &checked.replays {
                page.raw("<li><a").attr("href", &format!("#{}", replay::anchor(it))).raw(">");
                page.text(&replay::title(it)).raw("</a></li>\n");
            }
            for found in checked.failures.iter().chain(&checked.seen) {
                let (kind, what) = failure::short(found);
                page.raw("<li><a")
                    .attr("href", &format!("#failure-{}", found.number))
                    .raw("><span class=\"number\">")
                    .show(found.number)
                    .raw("</span><span class=\"what\"><b>")
                    .text(kind)
                    .raw("</b> <bdi>")
                    .text(what)
                    .raw("</bdi></span></a></li>\n");
            }
        }
        if self.has_notes() {
            page.raw("<li><a href=\"#notes\">Notes</a></li>\n");
        }
        page.raw("</ol></nav>\n");
    }

    fn checks(&self, page: &mut Markup) {
        page.raw("<section id=\"checks\" aria-labelledby=\"checks-title\">")
            .raw("<h2 id=\"checks-title\">Checks</h2>\n<ul class=\"checks\">\n");
        for checked in &self.checks {
            let standing = checked.standing();
            let replayed = checked.replayed().filter(|_| standing.violated == 0);
            let ((class, word), tally) = match replayed {
                Some((class, word, rest)) => ((class, word), rest),
                None => (word(&standing), tally(&standing)),
            };
            page.raw("<li").attr("class", class).raw("><p class=\"verdict\"><span class=\"pill\">");
            page.raw(word).raw("</span> <b><bdi>").text(&standing.check).raw("</bdi></b> ");
            page.raw("<span class=\"tally\">").text(&tally).raw("</span></p>\n");
            if checked.replays.is_empty() {
                failure::share(page, &standing);
            }
            if !standing.seen.is_empty() {
                page.raw("<p class=\"seen\">");
                for (number, count) in &standing.seen {
                    page.raw("<a")
                        .attr("href", &format!("#failure-{number}"))
                        .raw("><span class=\"number\">")
                        .show(number)
                        .raw("</span> seen ")
                        .show(count)
                        .raw("×</a> ");
                }
                page.raw("</p>");
            }
            if !standing.properties.is_empty() {
                page.raw("<ul class=\"properties\">");
                for tally in &standing.properties {
                    page.raw("<li><code>").text(&tally.property).raw("</code> ");
                    page.text(&liveness(tally));
                    page.raw(match (tally.never_alive, tally.never_decided) {
                        (true, _) => " <b>never alive</b></li>",
                        (false, true) => " <b>not decided</b></li>",
                        (false, false) => "</li>",
                    });
                }
                page.raw("</ul>");
            }
            // An exploration draws nothing.
            if !standing.open && checked.replays.is_empty() {
                page.raw("<details class=\"generator\"><summary>Generator</summary><pre><code>")
                    .text(&checked.generator)
                    .raw("</code></pre></details>");
            }
            page.raw("</li>\n");
        }
        page.raw("</ul></section>\n");
    }

    fn has_notes(&self) -> bool {
        let of_check = |checked: &Checked| {
            let is_silent = checked.unsettled.is_empty() && checked.notes.is_empty();
            !is_silent || checked.device_failed.is_some()
        };
        !self.finished || self.checks.iter().any(of_check)
    }

    fn notes(&self, page: &mut Markup) {
        if !self.has_notes() {
            return;
        }
        page.raw("<section id=\"notes\" aria-labelledby=\"notes-title\">")
            .raw("<h2 id=\"notes-title\">Notes</h2>\n<ul class=\"notes\">\n");
        for checked in &self.checks {
            if let Some(error) = &checked.device_failed {
                page.raw("<li><b>The device failed</b> in <bdi>")
                    .text(&checked.standing.check)
                    .raw("</bdi>; what was found until then stands. <code>")
                    .text(error)
                    .raw("</code></li>\n");
            }
            for note in &checked.notes {
                page.raw("<li><bdi>").text(&checked.standing.check).raw("</bdi>: ");
                page.text(note).raw("</li>\n");
            }
            for (reason, cases) in &checked.unsettled {
                page.raw("<li><b>The app did not come to rest</b> in ")
                    .text(&checked.standing.cases(*cases))
                    .raw(" of <bdi>")
                    .text(&checked.standing.check)
                    .raw("</bdi>: <code>")
                    .text(reason)
                    .raw("</code></li>\n");
            }
        }
        if !self.finished {
            page.raw(
                "<li><b>The run was interrupted</b> before its end; this is what it had found ",
            )
            .raw("until then.</li>\n");
        }
        page.raw("</ul></section>\n");
    }
}

impl Checked {
    /// What its replays came to, if it has any.
    fn replayed(&self) -> Option<(&'static str, &'static str, String)> {
        (!self.replays.is_empty()).then(|| replay::verdict(&self.replays, self.cases))
    }

    fn failures(&self) -> usize {
        self.failures.len() + usize::from(self.seen.is_some())
    }

    /// What the cases came to, with the failure over which the run was killed.
    fn standing(&self) -> Standing {
        let mut standing = self.standing.clone();
        if let Some(failure) = &self.seen {
            standing.add(failure.kind, failure.found_steps, Some(failure.number));
        }
        standing
    }
}

fn word(standing: &Standing) -> (&'static str, &'static str) {
    match (standing.violated, standing.held) {
        (0, 0) if standing.undecided == 0 => ("nothing", "not checked"),
        (0, _) if !standing.never_alive().is_empty() => ("nothing", "never alive"),
        (0, _) if !standing.never_decided().is_empty() => ("nothing", "not decided"),
        (0, _) => ("held", "held"),
        (violated, _) if violated == standing.not_reproduced => ("nothing", "flaky"),
        _ => ("violated", "violated"),
    }
}

fn tally(standing: &Standing) -> String {
    let (place, events) = (standing.place(), standing.events());
    match (standing.violated, standing.held) {
        (0, 0) if standing.undecided > 0 => standing.not_decided().unwrap_or_default(),
        (0, 0) if standing.open => "no run came to its end".to_owned(),
        (0, 0) => "no trace was run to its end".to_owned(),
        (0, held) => {
            let undecided =
                standing.not_decided().map_or(String::new(), |said| format!(", {said}"));
            format!("{place} {}{undecided}, {events}", standing.cases(held))
        }
        (violated, _) => {
            format!("by {violated} of {}, {events}", standing.cases(standing.traces()))
        }
    }
}
