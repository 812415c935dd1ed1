//! A small line chart as SVG: the curve of an exploration over events, and over time.
//!
//! On its own because it knows nothing of explorations, only of points and of round numbers.

use super::markup::Markup;
use crate::standing::thousands;

/// The size of a chart, and the room around what is drawn.
const SIZE: (f64, f64) = (400.0, 220.0);
const LEFT: f64 = 50.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// The most points of a line: more would not be seen.
const MOST_POINTS: usize = 240;
/// The most steps of an axis.
const MOST_STEPS: u64 = 5;

/// An axis that begins with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    label: &'static str,
    scale: Scale,
    step: u64,
    /// Where it ends: a whole number of steps.
    top: u64,
}

/// What the numbers of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Count,
    Percent,
    Millis,
}

impl Axis {
    /// An axis of how many there are of something.
    pub(super) fn count(label: &'static str, most: u64) -> Self {
        Axis::new(label, Scale::Count, most, round_step(most))
    }

    /// An axis of shares.
    pub(super) fn percent(label: &'static str, most: u64) -> Self {
        Axis::new(label, Scale::Percent, most, round_step(most))
    }

    /// An axis of time.
    pub(super) fn millis(label: &'static str, most: u64) -> Self {
        Axis::new(label, Scale::Millis, most, round_time(most))
    }

    fn new(label: &'static str, scale: Scale, most: u64, step: u64) -> Self {
        Axis { label, scale, step, top: most.max(1).div_ceil(step).saturating_mul(step) }
    }

    /// The numbers at the axis.
    fn ticks(self) -> impl Iterator<Item = u64> {
        (0..=self.top / self.step).map(move |index| index * self.step)
    }

    /// A number as it stands at the axis: all in the same unit.
    fn name(self, value: u64) -> String {
        match self.scale {
            Scale::Count => thousands(value),
            Scale::Percent => format!("{value}%"),
            Scale::Millis if value == 0 => "0".to_owned(),
            Scale::Millis => {
                let units = [(3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")];
                let unit = units.into_iter().find(|(size, _)| self.step.is_multiple_of(*size));
                let (size, name) = unit.unwrap_or((1, "ms"));
                format!("{} {name}", thousands(value / size))
            }
        }
    }

    /// Which part of the axis lies before a value.
    fn part(self, value: f64) -> f64 {
        (value / self.top as f64).clamp(0.0, 1.0)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 … of which few make `most`.
fn round_step(most: u64) -> u64 {
    let mut size = 1_u64;
    loop {
        for step in [1, 2, 5].map(|digit| size.saturating_mul(digit)) {
            if most.div_ceil(step) <= MOST_STEPS {
                return step;
            }
        }
        size = size.saturating_mul(10);
    }
}

/// The same for milliseconds: a step is one that a clock has.
fn round_time(most: u64) -> u64 {
    const SECOND: u64 = 1000;
    const MINUTE: u64 = 60 * SECOND;
    const HOUR: u64 = 60 * MINUTE;
    let few = |step: &u64| most.div_ceil(*step) <= MOST_STEPS;
    if few(&(500)) {
        return round_step(most);
    }
    let of_clock = |unit: u64| [1, 2, 5, 10, 15, 30].into_iter().map(move |count| count * unit);
    let hours = [1, 2, 4, 6, 12, 24].into_iter().map(|count| count * HOUR);
    of_clock(SECOND).chain(of_clock(MINUTE)).chain(hours).find(few).unwrap_or_else(|| {
        let days = most.div_ceil(24 * HOUR);
        round_step(days) * 24 * HOUR
    })
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// How it is drawn.
    pub(super) class: &'static str,
    /// Its points, from left to right.
    pub(super) points: Vec<(f64, f64)>,
}

/// Draws a chart; `title` is what it is called for who does not see it.
pub(super) fn draw(page: &mut Markup, title: &str, x: Axis, y: Axis, lines: &[Series]) {
    let (wide, high) = (SIZE.0 - LEFT - RIGHT, SIZE.1 - TOP - BOTTOM);
    let at_x = |value: f64| LEFT + wide * x.part(value);
    let at_y = |value: f64| TOP + high * (1.0 - y.part(value));
    page.raw("<svg class=\"chart\" role=\"img\"")
        .attr("viewBox", &format!("0 0 {} {}", SIZE.0, SIZE.1))
        .attr("aria-label", title)
        .raw(">");
    let mut grid = String::new();
    for tick in y.ticks() {
        grid.push_str(&format!("M{LEFT:.0} {:.1}h{wide:.0}", at_y(tick as f64)));
    }
    page.raw("<path class=\"grid\"").attr("d", &grid).raw("/>");
    let mut axis = format!("M{LEFT:.0} {:.0}h{wide:.0}", SIZE.1 - BOTTOM);
    for tick in x.ticks() {
        axis.push_str(&format!("M{:.1} {:.0}v5", at_x(tick as f64), SIZE.1 - BOTTOM));
    }
    page.raw("<path class=\"axis\"").attr("d", &axis).raw("/>");
    for tick in y.ticks() {
        text(page, "end", LEFT - 8.0, at_y(tick as f64) + 4.0, &y.name(tick));
    }
    for tick in x.ticks() {
        text(page, "middle", at_x(tick as f64), SIZE.1 - BOTTOM + 19.0, &x.name(tick));
    }
    text(page, "middle axis-name", LEFT + wide / 2.0, SIZE.1 - 6.0, x.label);
    for line in lines {
        let mut path = String::new();
        for (index, point) in thinned(&line.points).enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{:.1} {:.1}", at_x(point.0), at_y(point.1)));
        }
        page.raw("<path").attr("class", line.class).attr("d", &path).raw("/>");
        if let Some(last) = line.points.last() {
            page.raw("<circle r=\"3.5\"")
                .attr("class", line.class)
                .attr("cx", &format!("{:.1}", at_x(last.0)))
                .attr("cy", &format!("{:.1}", at_y(last.1)))
                .raw("/>");
        }
    }
    page.raw("</svg>\n");
}

fn text(page: &mut Markup, class: &'static str, x: f64, y: f64, text: &str) {
    page.raw("<text")
        .attr("class", class)
        .attr("x", &format!("{x:.1}"))
        .attr("y", &format!("{y:.1}"))
        .raw(">")
        .text(text)
        .raw("</text>");
}

/// As many of the points as can be told apart, with the first and the last.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let kept = points.len().min(MOST_POINTS);
    let last = points.len().saturating_sub(1);
    (0..kept).map(move |index| points[index * last / (kept - 1).max(1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_numbers() {
        for (most, step, top) in [
            (0, 1, 1),
            (1, 1, 1),
            (5, 1, 5),
            (6, 2, 6),
            (17, 5, 20),
            (42, 10, 50),
            (133, 50, 150),
            (1_204, 500, 1_500),
            (100, 20, 100),
            (9_999, 2_000, 10_000),
        ] {
            let axis = Axis::count("events", most);
            assert_eq!((axis.step, axis.top), (step, top), "{most}");
        }
        let most = Axis::count("events", u64::MAX);
        assert!(most.top / most.step <= MOST_STEPS);
    }

    fn check(most: u64, expected: &[&str]) {
        let axis = Axis::millis("time", most);
        let names: Vec<String> = axis.ticks().map(|tick| axis.name(tick)).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn an_axis_of_time_has_the_steps_of_a_clock() {
        check(0, &["0", "1 ms"]);
        check(730, &["0", "200 ms", "400 ms", "600 ms", "800 ms"]);
        check(4_100, &["0", "1 s", "2 s", "3 s", "4 s", "5 s"]);
        check(59_000, &["0", "15 s", "30 s", "45 s", "60 s"]);
        check(200_000, &["0", "1 min", "2 min", "3 min", "4 min"]);
        check(3_600_000, &["0", "15 min", "30 min", "45 min", "60 min"]);
        check(10 * 3_600_000, &["0", "2 h", "4 h", "6 h", "8 h", "10 h"]);
        check(1_000 * 3_600_000, &["0", "240 h", "480 h", "720 h", "960 h", "1,200 h"]);
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), 1.0)).collect();
        let thin: Vec<(f64, f64)> = thinned(&points).collect();
        assert_eq!(thin.len(), MOST_POINTS);
        assert_eq!((thin[0].0, thin[MOST_POINTS - 1].0), (0.0, 9_999.0));
        assert_eq!(thinned(&points[..1]).count(), 1);
        assert_eq!(thinned(&[]).count(), 0);
    }

    #[test]
    fn whatever_the_numbers_the_chart_is_whole() {
        let mut page = Markup::default();
        let line = Series { class: "line", points: vec![(0.0, 0.0), (f64::MAX, f64::MAX)] };
        draw(&mut page, "a", Axis::count("x", 0), Axis::percent("y", 0), &[line]);
        let page = page.finish();
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }
}
