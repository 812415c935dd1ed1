//! The map of an app as SVG: a box for each state, a curve for what leads from one to another.
//!
//! What stands in a box is little and what a line means is in its tooltip, so that a hundred states
//! can still be looked at. The table of the states (`states.rs`) says everything.

use super::layout::{BOX, Layout, Line, Way, found_order, layout};
use super::markup::Markup;
use super::thumbnails::Thumbnails;
use crate::standing::plural;
use capuchin::log::{Map, MapState};
use std::collections::{BTreeMap, BTreeSet};

/// The most states that are shown: a browser has to draw them.
const MOST_STATES: usize = 300;
/// The most inputs that a tooltip lists.
const MOST_INPUTS: usize = 12;
/// The room for a picture in a box.
const PICTURE: (f64, f64) = (70.0, 56.0);

/// A map made ready: the states that are shown, and everything that leads from one of them to
/// another.
pub(super) struct Graph<'a> {
    /// The first part of the anchors of its states.
    pub(super) anchor: String,
    /// The states that are shown, each with its number in the map.
    pub(super) states: Vec<(usize, &'a MapState)>,
    /// All inputs from one of them to another, by their places in `states`.
    pub(super) links: BTreeMap<(usize, usize), Vec<&'a str>>,
    /// How many states the map has.
    pub(super) all: usize,
    /// Names that more than one of its states has.
    shared: BTreeSet<&'a str>,
}

impl<'a> Graph<'a> {
    /// A log comes from anywhere: a link of a state that is not there is left out.
    pub(super) fn new(map: &'a Map, anchor: String) -> Self {
        let all = map.states.len();
        let ends = |edge: &capuchin::log::MapEdge| (edge.from as usize, edge.to as usize);
        let known = |(from, to): &(usize, usize)| *from < all && *to < all;
        let pairs: Vec<(usize, usize)> = map.edges.iter().map(ends).filter(known).collect();
        let mut shown = found_order(all, &pairs);
        shown.truncate(MOST_STATES);
        shown.sort_unstable();
        let mut links: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for edge in &map.edges {
            let (from, to) = ends(edge);
            if let (Ok(from), Ok(to)) = (shown.binary_search(&from), shown.binary_search(&to)) {
                links.entry((from, to)).or_default().extend(edge.inputs.iter().map(String::as_str));
            }
        }
        let states = shown.into_iter().map(|index| (index, &map.states[index])).collect();
        let mut names = BTreeSet::new();
        let all_names = map.states.iter().map(|state| state.name.trim());
        let shared = all_names.filter(|name| !names.insert(*name)).collect();
        Graph { anchor, states, links, all, shared }
    }

    /// What a state is called: its name, or its number, or both where others are called so too.
    pub(super) fn name(&self, place: usize) -> String {
        let (number, state) = self.states[place];
        match state.name.trim() {
            "" => format!("state {}", number + 1),
            name => {
                let short: String = name.chars().take(200).collect();
                if self.shared.contains(name) {
                    format!("{} · {short}", number + 1)
                } else {
                    short
                }
            }
        }
    }

    /// Where on the page a state is described.
    pub(super) fn anchor_of(&self, place: usize) -> String {
        format!("{}-{}", self.anchor, self.states[place].0 + 1)
    }

    /// Draws it.
    pub(super) fn draw(&self, page: &mut Markup, thumbnails: &Thumbnails) {
        let pairs: Vec<(usize, usize)> = self.links.keys().copied().collect();
        let Layout { width, height, boxes, lines } = layout(self.states.len(), &pairs);
        page.raw("<div class=\"graph\" tabindex=\"0\" role=\"region\" aria-label=\"The map\"><svg role=\"img\"")
            .attr("width", &width.to_string())
            .attr("height", &height.to_string())
            .attr("viewBox", &format!("0 0 {width} {height}"))
            .attr("aria-label", &format!("A map of {}", plural(self.states.len(), "state")))
            .raw(">\n");
        // What is drawn later lies above: the ways back are below everything else.
        for way in [Way::Back, Way::Other, Way::First] {
            for ((link, inputs), line) in self.links.iter().zip(&lines) {
                if let Some(line) = line.as_ref().filter(|line| line.way == way) {
                    self.line(page, *link, inputs, line);
                }
            }
        }
        for (place, at) in boxes.into_iter().enumerate() {
            self.state(page, place, at, thumbnails);
        }
        page.raw("</svg></div>\n");
    }

    fn line(&self, page: &mut Markup, (from, to): (usize, usize), inputs: &[&str], line: &Line) {
        let path = path(line);
        page.raw("<g")
            .attr("class", &format!("{}{}", class(line.way), self.ended(to)))
            .attr("data-from", &from.to_string())
            .attr("data-to", &to.to_string())
            .raw("><title>");
        page.text(&format!("{} → {}", self.name(from), self.name(to)));
        listed(page, inputs);
        // The wide one cannot be seen: a line of a pixel is hard to point at.
        page.raw("</title><path class=\"wide\"").attr("d", &path);
        page.raw("/><path").attr("d", &path).raw("/></g>\n");
    }

    /// What is added to the class of a state where the app is over, and of what leads there.
    fn ended(&self, place: usize) -> &'static str {
        if self.states[place].1.ended { " ended" } else { "" }
    }

    fn state(&self, page: &mut Markup, place: usize, (x, y): (i32, i32), pictures: &Thumbnails) {
        let state = self.states[place].1;
        let name = self.name(place);
        let tried = tried(state);
        page.raw("<a tabindex=\"-1\"")
            .attr("href", &format!("#{}", self.anchor_of(place)))
            .attr(
                "class",
                &format!("state{}{}", if place == 0 { " start" } else { "" }, self.ended(place)),
            )
            .attr("data-state", &place.to_string())
            .attr("transform", &format!("translate({x} {y})"))
            .raw("><title>");
        page.text(&format!("{name}\n{tried}, visited {}×", state.visits)).raw("</title><rect");
        page.attr("width", &BOX.0.to_string())
            .attr("height", &BOX.1.to_string())
            .raw(" rx=\"9\"/>");
        let mut left = 12;
        if let Some(picture) = pictures.get(state.picture.as_deref()) {
            let (wide, high) = picture.fitted(PICTURE);
            let down = (f64::from(BOX.1) - high) / 2.0;
            picture.show(page, (down.min(8.0), down), PICTURE);
            left = (down.min(8.0) + wide + 10.0) as i32;
        }
        let room = f64::from(BOX.0 - left - 10);
        let lines = wrapped(&name, room / 13.0);
        let mut down = if lines.len() > 1 { 19 } else { 27 };
        for line in &lines {
            label(page, "name", left, down, line);
            down += 16;
        }
        label(page, if state.untried > 0 { "untried" } else { "tried" }, left, down + 3, &tried);
        if let Some(inputs) = self.links.get(&(place, place)) {
            let count = inputs.len().max(1);
            page.raw("<g class=\"loop\"><title>");
            page.text(&format!("{} that stay here", plural(count, "input")));
            listed(page, inputs);
            page.raw("</title>");
            let wide = 26 + 7 * count.to_string().len() as i32;
            page.raw("<rect y=\"-8\" height=\"17\" rx=\"8.5\"")
                .attr("x", &(BOX.0 - wide - 8).to_string())
                .attr("width", &wide.to_string())
                .raw("/>");
            label(page, "", BOX.0 - wide - 1, 5, &format!("↻ {count}"));
            page.raw("</g>");
        }
        page.raw("</a>\n");
    }
}

/// How much of what a state offers was tried.
pub(super) fn tried(state: &MapState) -> String {
    match (state.untried, state.enabled) {
        (0, 0) if state.ended => "the run ends here".to_owned(),
        (0, 0) => "nothing to try".to_owned(),
        (0, enabled) => format!("all {enabled} tried"),
        (untried, enabled) => format!("{untried} of {enabled} untried"),
    }
}

fn label(page: &mut Markup, class: &'static str, x: i32, y: i32, text: &str) {
    page.raw("<text")
        .attr("class", class)
        .attr("x", &x.to_string())
        .attr("y", &y.to_string())
        .raw(">")
        .text(text)
        .raw("</text>");
}

/// The inputs, each on a line, of a tooltip.
fn listed(page: &mut Markup, inputs: &[&str]) {
    for input in inputs.iter().take(MOST_INPUTS) {
        page.raw("\n").text(&shortened(input, 120));
    }
    if inputs.len() > MOST_INPUTS {
        page.text(&format!("\nand {} more", inputs.len() - MOST_INPUTS));
    }
}

/// At most so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

const fn class(way: Way) -> &'static str {
    match way {
        Way::First => "line first",
        Way::Other => "line other",
        Way::Back => "line back",
    }
}

/// The curve with its head.
fn path(line: &Line) -> String {
    let (mut x, mut y) = line.start;
    let mut path = format!("M{x} {y}");
    for &(enters, leaves, height) in &line.passes {
        let middle = (x + enters) / 2;
        path.push_str(&format!("C{middle} {y} {middle} {height} {enters} {height}H{leaves}"));
        (x, y) = (leaves, height);
    }
    let (end, height) = line.end;
    let (out, back) = match line.swing {
        0 => ((x + end) / 2, if x < end { -6 } else { 6 }),
        swing => (x + swing, 6),
    };
    path.push_str(&format!("C{out} {y} {out} {height} {end} {height}"));
    path.push_str(&format!("m{back} -4l{} 4l{back} 4", -back));
    path
}

/// A name on one line or two, of so many times the height of a letter. There is no telling which
/// font a reader has: the widths are those of most.
fn wrapped(name: &str, room: f64) -> Vec<String> {
    let (first, rest) = fitting(name, room);
    if rest.is_empty() {
        return vec![first.to_owned()];
    }
    // Better between two words, if that leaves not too little.
    let space = first.rfind(char::is_whitespace).filter(|at| at * 3 > first.len());
    let at = if rest.starts_with(char::is_whitespace) {
        first.len()
    } else {
        space.unwrap_or(first.len())
    };
    let (first, rest) = (name[..at].trim_end(), name[at..].trim_start());
    match fitting(rest, room) {
        (second, "") => vec![first.to_owned(), second.to_owned()],
        _ => {
            let (second, _) = fitting(rest, room - 1.0);
            vec![first.to_owned(), format!("{}…", second.trim_end())]
        }
    }
}

/// As much of a text as there is room for, and the rest.
fn fitting(text: &str, room: f64) -> (&str, &str) {
    let mut used = 0.0;
    for (at, c) in text.char_indices() {
        used += match c {
            'i' | 'j' | 'l' | 'I' | ' ' | '.' | ',' | ':' | '\'' | '|' | '/' => 0.38,
            't' | 'f' | 'r' | '(' | ')' | '-' => 0.48,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
            'A'..='Z' => 0.76,
            c if c < '\u{1100}' => 0.68,
            _ => 1.05,
        };
        if used > room {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(wrapped(name, 9.0), expected);
    }

    #[test]
    fn a_name_gets_two_lines() {
        check("Start", &["Start"]);
        check("Settings of the player", &["Settings of the", "player"]);
        check("https://example.org/a/very/long/way", &["https://example", ".org/a/very/lo…"]);
        check("设置和一个很长很长的名字在这里哦还有", &["设置和一个很长很", "长的名字在这里…"]);
        check("", &[""]);
    }

    #[test]
    fn a_log_from_anywhere_makes_no_line_to_nowhere() {
        let state = |name: &str| MapState { name: name.into(), ..MapState::default() };
        let edge = |from, to| capuchin::log::MapEdge { from, to, inputs: vec!["Rotate".into()] };
        let map = Map {
            states: vec![state("a"), state("")],
            edges: vec![edge(0, 1), edge(0, 1), edge(0, 2), edge(7, u32::MAX)],
        };
        let graph = Graph::new(&map, "map".into());
        assert_eq!(graph.links.len(), 1);
        assert_eq!(graph.links[&(0, 1)], ["Rotate", "Rotate"]);
        assert_eq!(graph.name(1), "state 2");
        assert_eq!(graph.anchor_of(1), "map-2");
    }

    #[test]
    fn of_a_huge_map_the_nearest_states_are_shown() {
        let count = MOST_STATES as u32 + 50;
        let map = Map {
            states: vec![MapState::default(); count as usize],
            edges: (1..count)
                .map(|to| capuchin::log::MapEdge {
                    from: count - to,
                    to: (count - to + 1) % count,
                    inputs: vec![],
                })
                .chain([capuchin::log::MapEdge { from: 0, to: 1, inputs: vec![] }])
                .collect(),
        };
        let graph = Graph::new(&map, String::new());
        assert_eq!((graph.states.len(), graph.all), (MOST_STATES, count as usize));
        assert_eq!(graph.states[MOST_STATES - 1].0, MOST_STATES - 1);
    }
}
