//! An exploration: how far it got, the way there as a curve, and the map that it drew.

use super::Pictures;
use super::chart::{self, Axis, Series};
use super::failure::copied;
use super::graph::Graph;
use super::markup::Markup;
use super::states;
use super::thumbnails::Thumbnails;
use crate::exploration::{Exploration, duration, percent};
use crate::standing::{plural, thousands};
use capuchin::log::{Explored, Map};

/// How it looks, for pages that have one.
pub(super) const STYLE: &str = include_str!("exploration.css");
/// What a pointer does on the map.
pub(super) const SCRIPT: &str = include_str!("exploration.js");

/// The anchor of the exploration of the check with this number.
pub(super) fn anchor(index: usize) -> String {
    format!("exploration-{}", index + 1)
}

/// Writes an exploration.
pub(super) fn write(
    page: &mut Markup,
    exploration: &Exploration,
    index: usize,
    commands: &[(&'static str, String)],
    pictures: &Pictures<'_>,
) {
    let anchor = anchor(index);
    page.raw("<section class=\"exploration\"")
        .attr("id", &anchor)
        .attr("aria-labelledby", &format!("{anchor}-title"))
        .raw("><h2")
        .attr("id", &format!("{anchor}-title"))
        .raw(">Exploration</h2>\n<div class=\"panel\">\n");
    if let Some(last) = exploration.last() {
        figures(page, last);
        curves(page, &exploration.curve, last);
    }
    if !commands.is_empty() {
        page.raw("<div class=\"again\">");
        for (label, command) in commands {
            copied(page, label, command);
        }
        page.raw("</div>\n");
    }
    page.raw("</div>\n");
    if let Some(map) = exploration.map.as_ref().filter(|map| !map.states.is_empty()) {
        draw_map(page, map, &anchor, pictures);
    }
    page.raw("</section>\n");
}

/// The columns of table 2 of the SwiftHand paper.
fn figures(page: &mut Markup, last: &Explored) {
    let share = percent(last.restart_millis, last.millis);
    let branches = last.covered.map(|covered| {
        let (taken, all) = covered.branches;
        let of = format!("{} of {}", thousands(taken), thousands(all));
        ("Branches", percent(taken, all), Some(of))
    });
    let count = |value: u64| thousands(value);
    let columns = [
        ("Events", count(last.events), None),
        ("Restarts", count(last.restarts), None),
        ("Time in restarts", share, None),
        ("Input prefixes", count(last.prefixes), Some("different ones".to_owned())),
        ("Screens", count(last.screens), None),
        ("Transitions", count(last.transitions), None),
        ("States", count(last.states), Some("of the model".to_owned())),
    ];
    let examined = (last.examine_millis > 0)
        .then(|| format!("and {} shrinking failures", duration(last.examine_millis)));
    let columns =
        columns.into_iter().chain(branches).chain([("Time", duration(last.millis), examined)]);
    let columns: Vec<(&'static str, String, Option<String>)> = columns.collect();
    page.raw("<div class=\"scroll\"><table class=\"figures\"><thead><tr>");
    for (name, _, _) in &columns {
        page.raw("<th scope=\"col\">").raw(name).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody><tr>");
    for (name, value, note) in &columns {
        page.raw("<td").attr("data-name", name).raw("><b>").text(value).raw("</b>");
        if let Some(note) = note {
            page.raw(" <small>").text(note).raw("</small>");
        }
        page.raw("</td>");
    }
    page.raw("</tr></tbody></table></div>\n");
}

/// What is counted in a curve: how it is drawn, what it is called, and its value at a point.
type Counted<'a> = (&'static str, &'static str, Box<dyn Fn(&Explored) -> f64 + 'a>);

/// The curve over events and over time.
fn curves(page: &mut Markup, curve: &[Explored], last: &Explored) {
    let all = last.covered.map_or(0, |covered| covered.branches.1);
    let counted: Vec<Counted<'_>> = if all > 0 {
        // Of those that are known at the end: an app that loads more code has not unlearned any.
        let share = move |point: &Explored| {
            let taken = point.covered.map_or(0, |covered| covered.branches.0);
            100.0 * taken as f64 / all as f64
        };
        vec![("curve one", "branches", Box::new(share))]
    } else {
        vec![
            ("curve one", "screens", Box::new(|point| point.screens as f64)),
            ("curve two", "transitions", Box::new(|point| point.transitions as f64)),
        ]
    };
    let most = curve.iter().flat_map(|point| counted.iter().map(|(_, _, value)| value(point)));
    let most = most.fold(0.0, f64::max).ceil() as u64;
    let (y, what) = match all {
        0 => (Axis::count("", most), "Screens and transitions"),
        _ => (Axis::percent("", most.min(100)), "Branches covered"),
    };
    let over = |x: fn(&Explored) -> u64| -> Vec<Series> {
        let line = |(class, _, value): &Counted<'_>| Series {
            class,
            points: curve.iter().map(|point| (x(point) as f64, value(point))).collect(),
        };
        counted.iter().map(line).collect()
    };
    page.raw("<figure class=\"curves\"><figcaption><b>").raw(what).raw("</b>");
    if all == 0 {
        page.raw(" <span class=\"key\">");
        for (class, name, value) in &counted {
            page.raw(
                "<span><svg width=\"26\" height=\"10\" aria-hidden=\"true\"><path d=\"M1 5h24\"",
            );
            page.attr("class", class).raw("/></svg> ").raw(name).raw(" ");
            page.text(&thousands(value(last) as u64)).raw("</span> ");
        }
        page.raw("</span>");
    }
    page.raw("</figcaption>\n");
    let events = Axis::count("events", last.events);
    chart::draw(page, &format!("{what} over events"), events, y, &over(|point| point.events));
    let time = Axis::millis("time", last.millis);
    chart::draw(page, &format!("{what} over time"), time, y, &over(|point| point.millis));
    page.raw("</figure>\n");
    if all == 0 && curve.windows(2).any(|pair| pair[1].screens < pair[0].screens) {
        page.raw("<p class=\"legend\">The curve falls where the abstraction merges screens that it had told apart.</p>\n");
    }
}

fn draw_map(page: &mut Markup, map: &Map, anchor: &str, pictures: &Pictures<'_>) {
    let graph = Graph::new(map, format!("{anchor}-state"));
    page.raw("<div class=\"panel map\"><h3")
        .attr("id", &format!("{anchor}-map"))
        .raw(">The map</h3>\n<p class=\"legend\">");
    let untried: u64 = map.states.iter().map(|state| u64::from(state.untried)).sum();
    page.text(&plural(graph.all, "state"))
        .raw(", from left to right by how many events they are away from the first. ");
    match untried {
        0 => page.raw("Every input was tried. "),
        1 => page.raw("One input was never tried. "),
        many => page.text(&thousands(many)).raw(" inputs were never tried. "),
    };
    page.raw("</p>\n");
    let names = graph.states.iter().filter_map(|(_, state)| state.picture.as_deref());
    let thumbnails = Thumbnails::write(page, anchor, names, pictures);
    graph.draw(page, &thumbnails);
    page.raw("<p class=\"key\">");
    let ways = [
        ("first", "the first path to a state"),
        ("other", "another path"),
        ("back", "a path back"),
    ];
    let ends = map.states.iter().any(|state| state.ended).then_some(("ended", "the app ends"));
    for (class, what) in ways.into_iter().chain(ends) {
        page.raw("<span><svg width=\"30\" height=\"10\" aria-hidden=\"true\"><g")
            .attr("class", &format!("line {class}"))
            .raw("><path d=\"M1 5h27m-6 -4l6 4l-6 4\"/></g></svg> ")
            .raw(what)
            .raw("</span> ");
    }
    page.raw("<span>↻ inputs that lead to the same state</span></p>\n");
    if graph.states.len() < graph.all {
        page.raw("<p class=\"legend\">The ")
            .show(graph.states.len())
            .raw(" states nearest to the first are shown, of ")
            .text(&thousands(graph.all as u64))
            .raw(". All of them are in the log.</p>\n");
    }
    if thumbnails.left_out > 0 {
        page.raw("<p class=\"legend\">To keep the page small, ")
            .show(thumbnails.left_out)
            .raw(" pictures are left out; they are in the run directory.</p>\n");
    }
    states::write(page, &graph, &thumbnails);
    page.raw("</div>\n");
}
