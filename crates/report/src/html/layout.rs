//! Where the states of a map stand, and how the lines between them run.
//!
//! The states are in layers by how many events they are away from the first one, from left to
//! right. So a line leads at most one layer onwards, and only the ways back are long. Within a
//! layer they are in the order in which few lines cross, and near to what leads to them. On its own
//! because it is arithmetic: it knows neither names nor markup.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The size of a box, and the least room between two that are one above the other.
pub(super) const BOX: (i32, i32) = (206, 66);
const GAP: i32 = 20;
/// Between the columns of one layer, and at least between two layers.
const BETWEEN_COLUMNS: i32 = 44;
const BETWEEN_LAYERS: i32 = 76;
/// Around everything.
const MARGIN: i32 = 20;
/// How often the layers are put in order.
const SWEEPS: usize = 12;

/// A drawing without the ink.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) width: i32,
    pub(super) height: i32,
    /// The left upper corner of every box, in the order of the states.
    pub(super) boxes: Vec<(i32, i32)>,
    /// A line for every link, in their order; none for one that leads back to where it starts.
    pub(super) lines: Vec<Option<Line>>,
}

/// A line from one box to another. It leaves and arrives level, and passes other boxes through the
/// gaps between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) way: Way,
    pub(super) start: (i32, i32),
    /// Where it passes a column: from one x to another, at the height y.
    pub(super) passes: Vec<(i32, i32, i32)>,
    pub(super) end: (i32, i32),
    /// How far to the right it swings to get back to a box in the same column.
    pub(super) swing: i32,
}

/// What a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The shortest way by which its end was found first.
    First,
    /// Another way onwards or aside.
    Other,
    /// A way to something nearer to the start.
    Back,
}

/// Lays out states `0..count`. The links are pairs of them, each at most once.
pub(super) fn layout(count: usize, links: &[(usize, usize)]) -> Layout {
    if count == 0 {
        return Layout::default();
    }
    let distances = distances(count, links);
    let beyond = distances.iter().flatten().max().map_or(0, |last| last + 1);
    let layer_of: Vec<usize> = distances.iter().map(|d| d.unwrap_or(beyond)).collect();
    let mut layers = vec![Vec::new(); layer_of.iter().max().map_or(1, |last| last + 1)];
    for state in found_order(count, links) {
        layers[layer_of[state]].push(state);
    }
    let near = Neighbours::new(&layer_of, links);
    put_in_order(&mut layers, &near);
    let tops = tops(&layers, &near, most_rows(count));
    let mut boxes = vec![(0, 0); count];
    let mut x = MARGIN;
    for (index, layer) in layers.iter().enumerate() {
        let columns = layer.len().div_ceil(most_rows(count)).max(1);
        for (place, &state) in layer.iter().enumerate() {
            let column = (place % columns) as i32;
            boxes[state] = (x + column * (BOX.0 + BETWEEN_COLUMNS), tops[state] + MARGIN);
        }
        let across = links.iter().filter(|(a, b)| layer_of[*a].min(layer_of[*b]) == index).count();
        x += columns as i32 * (BOX.0 + BETWEEN_COLUMNS) - BETWEEN_COLUMNS;
        x += BETWEEN_LAYERS + (across as i32).min(80);
    }
    let right = boxes.iter().map(|(x, _)| *x).max().unwrap_or(0);
    let lowest = boxes.iter().map(|(_, y)| *y).max().unwrap_or(0);
    let lines = lines(&boxes, &layer_of, links);
    // A line within the last column swings out to its right.
    let swing = lines.iter().flatten().map(|line| line.start.0 + line.swing).max().unwrap_or(0);
    let width = (right + BOX.0).max(swing) + MARGIN;
    Layout { width, height: lowest + BOX.1 + MARGIN, boxes, lines }
}

/// How many boxes may stand above one another before a layer gets one more column.
fn most_rows(count: usize) -> usize {
    (count.isqrt() * 3 / 2).clamp(6, 24)
}

/// The states in the order in which a search from the first finds them; then those it does not.
pub(super) fn found_order(count: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let distances = distances(count, links);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|state| distances[*state].unwrap_or(usize::MAX));
    order
}

/// How many links each state is away from the first; `None` if nothing leads to it.
fn distances(count: usize, links: &[(usize, usize)]) -> Vec<Option<usize>> {
    let mut onwards = vec![Vec::new(); count];
    for (from, to) in links {
        onwards[*from].push(*to);
    }
    let mut distances = vec![None; count];
    let mut queue = VecDeque::new();
    if count > 0 {
        distances[0] = Some(0);
        queue.push_back((0, 0));
    }
    while let Some((state, distance)) = queue.pop_front() {
        for &next in &onwards[state] {
            if distances[next].is_none() {
                distances[next] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    distances
}

/// Who is linked with whom in the layer before and in the one after.
struct Neighbours {
    before: Vec<BTreeSet<usize>>,
    after: Vec<BTreeSet<usize>>,
}

impl Neighbours {
    fn new(layer_of: &[usize], links: &[(usize, usize)]) -> Self {
        let mut before = vec![BTreeSet::new(); layer_of.len()];
        let mut after = before.clone();
        for &(a, b) in links {
            let (a, b) = if layer_of[a] <= layer_of[b] { (a, b) } else { (b, a) };
            if layer_of[a] + 1 == layer_of[b] {
                after[a].insert(b);
                before[b].insert(a);
            }
        }
        Neighbours { before, after }
    }
}

/// The mean of the values of some states.
fn mean(of: &BTreeSet<usize>, value: &[f64]) -> Option<f64> {
    let sum: f64 = of.iter().map(|state| value[*state]).sum();
    (!of.is_empty()).then(|| sum / of.len() as f64)
}

/// Puts each layer into the order of what its states are linked with, to and fro, and keeps the
/// order in which the fewest lines cross.
fn put_in_order(layers: &mut Vec<Vec<usize>>, near: &Neighbours) {
    let mut best = (crossings(layers, near), layers.clone());
    for sweep in 0..SWEEPS {
        let forth = sweep % 2 == 0;
        let linked = if forth { &near.before } else { &near.after };
        let mut place = places(layers);
        let mut indices: Vec<usize> = (0..layers.len()).collect();
        if !forth {
            indices.reverse();
        }
        for index in indices {
            let layer = &mut layers[index];
            let wish = |state: usize| mean(&linked[state], &place).unwrap_or(place[state]);
            layer.sort_by(|a, b| wish(*a).total_cmp(&wish(*b)));
            let many = layer.len() as f64;
            for (at, state) in layer.iter().enumerate() {
                place[*state] = (at as f64 + 0.5) / many;
            }
        }
        let crossed = crossings(layers, near);
        if crossed < best.0 {
            best = (crossed, layers.clone());
        }
    }
    *layers = best.1;
}

/// Where each state stands in its layer, from 0 to 1.
fn places(layers: &[Vec<usize>]) -> Vec<f64> {
    let mut places = vec![0.0; layers.iter().map(Vec::len).sum()];
    for layer in layers {
        for (at, state) in layer.iter().enumerate() {
            places[*state] = (at as f64 + 0.5) / layer.len() as f64;
        }
    }
    places
}

/// How many pairs of lines between neighbouring layers cross.
fn crossings(layers: &[Vec<usize>], near: &Neighbours) -> usize {
    let mut index = vec![0; near.after.len()];
    for layer in layers {
        layer.iter().enumerate().for_each(|(at, state)| index[*state] = at);
    }
    let mut crossed = 0;
    for layer in layers {
        // The ends of all lines so far, in order: a line crosses those that end after it.
        let mut ends: Vec<usize> = Vec::new();
        for state in layer {
            let mut mine: Vec<usize> = near.after[*state].iter().map(|end| index[*end]).collect();
            mine.sort_unstable();
            crossed += mine
                .iter()
                .map(|end| ends.len() - ends.partition_point(|other| other <= end))
                .sum::<usize>();
            for end in mine {
                ends.insert(ends.partition_point(|other| *other <= end), end);
            }
        }
    }
    crossed
}

/// The upper edges of all boxes: each as near as can be to the middle of what it is linked with.
fn tops(layers: &[Vec<usize>], near: &Neighbours, rows: usize) -> Vec<i32> {
    let mut y = vec![0.0; near.after.len()];
    let onwards = || (0..layers.len()).map(|index| (index, &near.before));
    let backwards = || (0..layers.len()).rev().map(|index| (index, &near.after));
    for (index, linked) in onwards().chain(backwards()).chain(onwards()) {
        let layer = &layers[index];
        let columns = layer.len().div_ceil(rows).max(1);
        // The columns of a layer are set off against one another, so that a line to the second
        // passes between two boxes of the first.
        let pitch = f64::from((BOX.1 + GAP) / columns as i32 + i32::from(columns > 1));
        let mut last = None;
        let wishes: Vec<f64> = layer
            .iter()
            .map(|state| {
                last = mean(&linked[*state], &y).or(last);
                last.unwrap_or(y[*state])
            })
            .collect();
        for (state, top) in layer.iter().zip(spaced(&wishes, pitch)) {
            y[*state] = top;
        }
    }
    let highest = y.iter().copied().fold(f64::INFINITY, f64::min);
    y.iter().map(|top| (top - highest).round() as i32).collect()
}

/// Values as near as can be to the wishes, in their order, and each at least `pitch` after the one
/// before: what wants to be too near is pooled around its middle.
fn spaced(wishes: &[f64], pitch: f64) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        pools.push((wish - at as f64 * pitch, 1));
        while let [.., before, last] = pools.as_slice()
            && before.0 > last.0
        {
            let (many, few) = (before.1 as f64, last.1 as f64);
            let pooled = (before.0 * many + last.0 * few) / (many + few);
            let size = before.1 + last.1;
            pools.truncate(pools.len() - 2);
            pools.push((pooled, size));
        }
    }
    let level = pools.iter().flat_map(|(value, size)| std::iter::repeat_n(*value, *size));
    level.enumerate().map(|(at, value)| value + at as f64 * pitch).collect()
}

/// The side of a box, for its ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Left,
    Right,
}

/// The lines. Those that touch the same side of a box are spread over it, in the order of their
/// other ends.
fn lines(boxes: &[(i32, i32)], layer_of: &[usize], links: &[(usize, usize)]) -> Vec<Option<Line>> {
    let sides = |from: usize, to: usize| match boxes[from].0.cmp(&boxes[to].0) {
        Ordering::Less => (Side::Right, Side::Left),
        Ordering::Equal => (Side::Right, Side::Right),
        Ordering::Greater => (Side::Left, Side::Right),
    };
    // State, side, height of the other end, number of the link, whether the link ends here.
    let mut ports: Vec<(usize, Side, i32, usize, bool)> = Vec::new();
    for (index, &(from, to)) in links.iter().enumerate().filter(|(_, (from, to))| from != to) {
        let (leaves, arrives) = sides(from, to);
        ports.push((from, leaves, boxes[to].1, index, false));
        ports.push((to, arrives, boxes[from].1, index, true));
    }
    ports.sort_unstable();
    let mut ends = vec![[(0, 0); 2]; links.len()];
    for group in ports.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for (at, &(state, side, _, link, arrives)) in group.iter().enumerate() {
            let (x, y) = boxes[state];
            let inside = BOX.1 - 20;
            let down = 10 + inside * (2 * at as i32 + 1) / (2 * group.len() as i32);
            let x = if side == Side::Left { x } else { x + BOX.0 };
            ends[link][usize::from(arrives)] = (x, y + down);
        }
    }
    let columns = columns(boxes);
    let mut found = vec![false; boxes.len()];
    let line = |(index, &(from, to)): (usize, &(usize, usize))| {
        if from == to {
            return None;
        }
        let way = match layer_of[to].cmp(&layer_of[from]) {
            Ordering::Greater if !std::mem::replace(&mut found[to], true) => Way::First,
            Ordering::Less => Way::Back,
            _ => Way::Other,
        };
        let [start, end] = ends[index];
        let swing = if start.0 == end.0 { 24 + (end.1 - start.1).abs() / 16 } else { 0 };
        // Lines that pass through the same gap do so beside one another.
        let aside = (index % 5) as i32 * 3 - 6;
        Some(Line { way, start, passes: passes(&columns, start, end, aside), end, swing })
    };
    links.iter().enumerate().map(line).collect()
}

/// The columns from left to right: for each x, the upper edges of its boxes from top to bottom.
type Columns = BTreeMap<i32, Vec<i32>>;

fn columns(boxes: &[(i32, i32)]) -> Columns {
    let mut columns = Columns::new();
    for (x, y) in boxes {
        columns.entry(*x).or_default().push(*y);
    }
    columns.values_mut().for_each(|column| column.sort_unstable());
    columns
}

/// Where a line passes the columns between its ends: straight on where it can, or else through the
/// next gap.
fn passes(
    columns: &Columns,
    start: (i32, i32),
    end: (i32, i32),
    aside: i32,
) -> Vec<(i32, i32, i32)> {
    let (left, right) = (start.0.min(end.0), start.0.max(end.0));
    // A box that an end touches begins a box's width before it, or right there.
    let between: Vec<(&i32, &Vec<i32>)> =
        columns.iter().filter(|(x, _)| **x >= left && **x + BOX.0 <= right).collect();
    let onwards = start.0 < end.0;
    let (mut at, mut passes) = (start, Vec::new());
    for index in 0..between.len() {
        let (x, tops) = between[if onwards { index } else { between.len() - 1 - index }];
        let (enters, leaves) = if onwards { (*x, *x + BOX.0) } else { (*x + BOX.0, *x) };
        let part = f64::from(enters - at.0) / f64::from(end.0 - at.0);
        let wish = at.1 + (f64::from(end.1 - at.1) * part).round() as i32;
        let y = free(tops, wish, aside);
        passes.push((enters, leaves, y));
        at = (leaves, y);
    }
    passes
}

/// The height nearest to `wish` at which there is no box.
fn free(tops: &[i32], wish: i32, aside: i32) -> i32 {
    let half = GAP / 2;
    let hit = tops.iter().find(|top| (**top - 4..=**top + BOX.1 + 4).contains(&wish));
    match hit {
        None => wish,
        Some(top) if wish < top + BOX.1 / 2 => top - half + aside,
        Some(top) => top + BOX.1 + half + aside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links of an app with a menu of everything and a way back from everywhere; no two runs
    /// differ.
    fn links(count: usize) -> Vec<(usize, usize)> {
        let mut links = BTreeSet::new();
        for state in 1..count {
            links.insert((state / 4, state));
            links.insert((state, state * 7 % count));
            links.insert((state, state));
            links.insert((state, 0));
            links.insert((state * 5 % count, state));
        }
        links.into_iter().collect()
    }

    #[test]
    fn every_state_has_a_place_of_its_own() {
        for count in [1, 2, 3, 7, 30, 100, 300] {
            let links = links(count);
            let layout = layout(count, &links);
            assert_eq!(layout.boxes.len(), count);
            for (index, a) in layout.boxes.iter().enumerate() {
                assert!(a.0 >= MARGIN && a.0 + BOX.0 + MARGIN <= layout.width, "{count}: {a:?}");
                assert!(a.1 >= MARGIN && a.1 + BOX.1 + MARGIN <= layout.height, "{count}: {a:?}");
                for b in &layout.boxes[..index] {
                    let apart = (a.0 - b.0).abs() >= BOX.0 + 8 || (a.1 - b.1).abs() >= BOX.1 + 8;
                    assert!(apart, "{count}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_same_map_is_drawn_the_same_way() {
        let links = links(100);
        assert_eq!(layout(100, &links), layout(100, &links));
    }

    #[test]
    fn a_line_touches_its_boxes_and_stays_in_the_drawing() {
        let links = links(100);
        let layout = layout(100, &links);
        for (line, (from, to)) in layout.lines.iter().zip(&links) {
            let Some(line) = line else {
                assert_eq!(from, to);
                continue;
            };
            for (point, state) in [(line.start, *from), (line.end, *to)] {
                let (x, y) = layout.boxes[state];
                assert!(point.0 == x || point.0 == x + BOX.0);
                assert!(y < point.1 && point.1 < y + BOX.1);
            }
            for &(enters, leaves, y) in &line.passes {
                assert!((0..=layout.height).contains(&y), "{line:?}");
                let x = enters.min(leaves);
                let mut column = layout.boxes.iter().filter(|(left, _)| *left == x);
                assert!(!column.any(|(_, top)| (*top..*top + BOX.1).contains(&y)), "{line:?}");
            }
            assert!(line.start.0 + line.swing < layout.width);
        }
    }

    #[test]
    fn each_state_but_the_first_is_found_once() {
        let links = links(60);
        let layout = layout(60, &links);
        let first = |line: &&Line| line.way == Way::First;
        assert_eq!(layout.lines.iter().flatten().filter(first).count(), 59);
    }

    #[test]
    fn what_nothing_leads_to_stands_at_the_end() {
        let layout = layout(4, &[(0, 1), (2, 3)]);
        assert!(layout.boxes[2].0 > layout.boxes[1].0);
        assert_eq!(found_order(4, &[(0, 3), (3, 1)]), [0, 3, 1, 2]);
    }

    #[test]
    fn crossed_lines_are_put_right() {
        // 0 leads to 1 and 2; 1 leads to 4 and 2 to 3.
        let links = [(0, 1), (0, 2), (1, 4), (2, 3)];
        let layout = layout(5, &links);
        let above = |a: usize, b: usize| layout.boxes[a].1 < layout.boxes[b].1;
        assert_eq!(above(1, 2), above(4, 3));
    }

    #[test]
    fn what_is_too_near_is_pooled_around_its_middle() {
        assert_eq!(spaced(&[0.0, 0.0, 0.0], 10.0), [-10.0, 0.0, 10.0]);
        assert_eq!(spaced(&[0.0, 50.0], 10.0), [0.0, 50.0]);
        assert_eq!(spaced(&[20.0, 0.0], 10.0), [5.0, 15.0]);
        assert_eq!(spaced(&[], 10.0), [0.0; 0]);
    }
}
