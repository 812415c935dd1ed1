//! Segments of a screen: views that stand together, found by cutting it where that is most natural.
//!
//! Algorithm 2 of the Rx paper. The screen is cut along a full horizontal or vertical line that
//! touches no view, where the views on both sides are further apart than those on one side are
//! among themselves; then both parts are cut again, until no cut is natural enough.

use crate::layers::layers;
use crate::measures::{MEASURES, Measured, apart};
use crate::outline::Outline;
use capuchin::ui::{Digest, Rect, State};
use std::collections::BTreeMap;

/// Views that stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The indices of its elements on the screen, in order.
    pub views: Vec<usize>,
    /// The smallest rectangle around them.
    pub bounds: Rect,
    /// Which layer of the screen it is in; 0 is at the back.
    pub layer: u32,
}

/// Parts a screen into segments: the `SegmentUI` of the paper.
pub trait Segmenter: Send + Sync {
    /// Every displayed element is in at most one segment; those that only hold others may be in
    /// none.
    fn segments(&self, outline: &Outline<'_>) -> Vec<Segment>;
}

/// Cuts where it is most natural.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NaturalBisection {
    /// A cut that is less natural is not made.
    pub threshold: f32,
}

impl Default for NaturalBisection {
    fn default() -> Self {
        NaturalBisection { threshold: 0.10 }
    }
}

/// The most parts of a layer that are compared with each other. Beyond that, rows are cut as one;
/// and if that is not enough, the widest gaps are cut without asking whether that is natural.
const MOST_PARTS: usize = 128;

impl Segmenter for NaturalBisection {
    fn segments(&self, outline: &Outline<'_>) -> Vec<Segment> {
        let layers = layers(outline);
        let atoms: Vec<usize> =
            (0..outline.views.len()).filter(|index| is_atom(outline, *index)).collect();
        let size = outline.screen.viewport;
        let (width, height) = (size.width as f32, size.height as f32);
        let diagonal = (width * width + height * height).sqrt();
        let mut numbers: Vec<u32> = atoms.iter().map(|index| layers[*index]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut segments = Vec::new();
        for layer in numbers {
            let of_layer: Vec<usize> =
                atoms.iter().copied().filter(|index| layers[*index] == layer).collect();
            let parts = parts(outline, &of_layer);
            let mut all: Vec<usize> = (0..parts.len()).collect();
            let mut cut = Vec::new();
            gaps(&parts, &mut all, &mut cut);
            for mut some in cut {
                let cutting = Cutting::new(&parts, &some, self.threshold * MEASURES, diagonal);
                let mut groups = Vec::new();
                cutting.cut(&mut some, &mut groups);
                for group in groups {
                    let mut views: Vec<usize> =
                        group.iter().flat_map(|part| parts[*part].views.iter().copied()).collect();
                    views.sort_unstable();
                    let bounds = around(views.iter().map(|index| outline.element(*index).bounds));
                    segments.push(Segment { views, bounds, layer });
                }
            }
        }
        segments
    }
}

/// What is cut as one.
struct Part {
    views: Vec<usize>,
    measured: Measured,
}

/// The parts of a layer: each atom by itself, or, if these are too many, rows.
fn parts(outline: &Outline<'_>, atoms: &[usize]) -> Vec<Part> {
    let are_many = atoms.len() > MOST_PARTS;
    let mut parts: Vec<Part> = Vec::new();
    let mut last_row = None;
    for index in atoms {
        let row = outline.views[*index].row.filter(|_| are_many);
        let element = outline.element(*index);
        match parts.last_mut() {
            Some(part) if row.is_some() && row == last_row => {
                part.views.push(*index);
                part.measured.bounds = around([part.measured.bounds, element.bounds]);
            }
            _ => {
                let measured = measured(outline, *index);
                parts.push(Part { views: vec![*index], measured });
            }
        }
        last_row = row;
    }
    parts
}

/// Cuts at the widest gaps until no group has too many parts.
fn gaps(parts: &[Part], some: &mut [usize], groups: &mut Vec<Vec<usize>>) {
    let widest = (some.len() > MOST_PARTS).then(|| {
        let both = [false, true].into_iter().filter_map(|is_vertical| {
            sort(parts, some, is_vertical);
            let lines = lines(parts, some, is_vertical).into_iter();
            lines
                .max_by_key(|(first, gap)| (*gap, middle(*first, some.len())))
                .map(|(first, gap)| (gap, middle(first, some.len()), is_vertical, first))
        });
        both.max()
    });
    let Some((_, _, is_vertical, first)) = widest.flatten() else {
        groups.push(some.to_vec());
        return;
    };
    sort(parts, some, is_vertical);
    let (left, right) = some.split_at_mut(first);
    gaps(parts, left, groups);
    gaps(parts, right, groups);
}

/// How near to the middle: of gaps that are as wide, the middle one is cut.
fn middle(first: usize, of: usize) -> usize {
    first.min(of - first)
}

/// What is cut as one: a control with all that is in it, or a view with nothing in it.
fn is_atom(outline: &Outline<'_>, index: usize) -> bool {
    let is_in_control = || {
        outline.screen.ancestors(index).any(|above| {
            let element = outline.element(above);
            element.is(State::CLICKABLE) && !outline.views[above].name.is_empty()
        })
    };
    let element = outline.element(index);
    let is_control = element.is(State::CLICKABLE) && !outline.views[index].name.is_empty();
    let counts = outline.is_displayed(index) && (is_control || outline.views[index].is_leaf);
    counts && !is_in_control()
}

fn measured(outline: &Outline<'_>, index: usize) -> Measured {
    let element = outline.element(index);
    let mut path: Vec<u32> = outline
        .screen
        .ancestors(index)
        // What holds a single view says nothing of what stands together.
        .filter(|above| outline.children[*above].len() > 1)
        .map(|above| above as u32)
        .collect();
    path.reverse();
    Measured {
        bounds: element.bounds,
        role: element.role,
        native: Digest::of(&element.native),
        path,
        scroller: outline.views[index].scroller,
        has_text: !outline.views[index].name.is_empty(),
    }
}

pub(crate) fn around(all: impl IntoIterator<Item = Rect>) -> Rect {
    let mut all = all.into_iter();
    let Some(first) = all.next() else { return Rect::default() };
    all.fold(first, |sum, rect| {
        let (left, top) = (sum.x.min(rect.x), sum.y.min(rect.y));
        let right = (sum.x + sum.width).max(rect.x + rect.width);
        let bottom = (sum.y + sum.height).max(rect.y + rect.height);
        Rect::new(left, top, right - left, bottom - top)
    })
}

/// Cuts some parts, whose distances are known.
struct Cutting<'a> {
    parts: &'a [Part],
    threshold: f32,
    /// Where each part stands in the table.
    place: BTreeMap<usize, usize>,
    count: usize,
    /// How far each is apart from each other: a table, row by row.
    apart: Vec<f32>,
}

/// A way to part views: the first so many of them, in the order of an axis.
struct Cut {
    is_vertical: bool,
    first: usize,
    naturalness: f32,
    gap: i32,
}

impl<'a> Cutting<'a> {
    fn new(parts: &'a [Part], some: &[usize], threshold: f32, diagonal: f32) -> Self {
        let count = some.len();
        let mut table = vec![0.0; count * count];
        for one in 0..count {
            for other in one + 1..count {
                let (a, b) = (&parts[some[one]].measured, &parts[some[other]].measured);
                let apart = apart(a, b, diagonal);
                table[one * count + other] = apart;
                table[other * count + one] = apart;
            }
        }
        let place = some.iter().enumerate().map(|(place, part)| (*part, place)).collect();
        Cutting { parts, threshold, place, count, apart: table }
    }

    fn cut(&self, some: &mut [usize], groups: &mut Vec<Vec<usize>>) {
        let best = [false, true].into_iter().filter_map(|is_vertical| {
            sort(self.parts, some, is_vertical);
            self.natural(some, is_vertical)
        });
        let best = best.max_by(|a, b| {
            let order = (a.naturalness.total_cmp(&b.naturalness)).then(a.gap.cmp(&b.gap));
            order.then(b.is_vertical.cmp(&a.is_vertical))
        });
        match best {
            Some(cut) if cut.naturalness >= self.threshold => {
                sort(self.parts, some, cut.is_vertical);
                let (left, right) = some.split_at_mut(cut.first);
                self.cut(left, groups);
                self.cut(right, groups);
            }
            _ if some.is_empty() => {}
            _ => groups.push(some.to_vec()),
        }
    }

    /// The most natural cut across parts that are sorted along the axis.
    ///
    /// The naturalness of a cut is the mean distance of pairs across it, less that of pairs within
    /// its parts. All cuts are computed in one pass over all pairs: a part that changes sides takes
    /// its distances to all others with it.
    fn natural(&self, some: &[usize], is_vertical: bool) -> Option<Cut> {
        let count = some.len();
        let mut lines = lines(self.parts, some, is_vertical).into_iter().peekable();
        lines.peek()?;
        // Of each part, the sum of distances to those before it, and to those after it.
        let (mut to_before, mut to_after) = (vec![0.0_f32; count], vec![0.0_f32; count]);
        let rows: Vec<usize> = some.iter().map(|part| self.place[part]).collect();
        for one in 0..count {
            for other in one + 1..count {
                let apart = self.apart[rows[one] * self.count + rows[other]];
                to_after[one] += apart;
                to_before[other] += apart;
            }
        }
        let pairs = |n: usize| (n * n.saturating_sub(1) / 2) as f32;
        let mean = |sum: f32, n: f32| if n > 0.0 { sum / n } else { 0.0 };
        let all: f32 = to_after.iter().sum();
        let (mut left, mut after_left) = (0.0, 0.0);
        let mut best: Option<Cut> = None;
        for first in 1..count {
            left += to_before[first - 1];
            after_left += to_after[first - 1];
            let Some((_, gap)) = lines.next_if(|(line, _)| *line == first) else { continue };
            // Distances from the left to all after it are within the left or across.
            let across = after_left - left;
            let right = all - left - across;
            let (n, m) = (first, count - first);
            let within = mean(left + right, pairs(n) + pairs(m));
            let naturalness = mean(across, (n * m) as f32) - within;
            if best.as_ref().is_none_or(|best| naturalness > best.naturalness) {
                best = Some(Cut { is_vertical, first, naturalness, gap });
            }
        }
        best
    }
}

fn sort(parts: &[Part], some: &mut [usize], is_vertical: bool) {
    some.sort_by_key(|part| (start(parts[*part].measured.bounds, is_vertical), *part));
}

fn start(bounds: Rect, is_vertical: bool) -> i32 {
    if is_vertical { bounds.x } else { bounds.y }
}

fn end(bounds: Rect, is_vertical: bool) -> i32 {
    if is_vertical { bounds.x + bounds.width } else { bounds.y + bounds.height }
}

/// The lines that cut no view: how many parts are before each, and how wide the gap is there.
fn lines(parts: &[Part], some: &[usize], is_vertical: bool) -> Vec<(usize, i32)> {
    let mut lines = Vec::new();
    let mut reached = i32::MIN;
    for (first, part) in some.iter().enumerate() {
        let bounds = parts[*part].measured.bounds;
        let begins = start(bounds, is_vertical);
        if first > 0 && begins >= reached {
            lines.push((first, begins - reached));
        }
        reached = reached.max(end(bounds, is_vertical));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Element, Role, Screen, Size};

    fn screen(rows: &[(Role, i32, i32, i32, i32)]) -> Screen {
        let elements = rows.iter().map(|(role, x, y, width, height)| Element {
            role: *role,
            text: "name".into(),
            bounds: Rect::new(*x, *y, *width, *height),
            state: State::DISPLAYED | State::ENABLED | State::CLICKABLE,
            ..Element::default()
        });
        let elements = elements.collect();
        Screen { viewport: Size::new(300, 600), elements, ..Screen::default() }
    }

    fn views(screen: &Screen) -> Vec<Vec<usize>> {
        let segments = NaturalBisection::default().segments(&Outline::new(screen));
        segments.into_iter().map(|segment| segment.views).collect()
    }

    #[test]
    fn two_groups_with_a_gap_between_them_are_two_segments() {
        let screen = screen(&[
            (Role::Button, 0, 0, 50, 30),
            (Role::Button, 60, 0, 50, 30),
            (Role::Link, 0, 400, 300, 20),
            (Role::Link, 0, 425, 300, 20),
        ]);
        assert_eq!(views(&screen), [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn what_stands_together_is_not_cut() {
        let row = |n: i32| (Role::Link, 0, n * 22, 300, 20);
        assert_eq!(views(&screen(&[row(0), row(1), row(2), row(3)])).len(), 1);
        assert_eq!(views(&screen(&[])), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn no_view_is_cut_through() {
        let screen = screen(&[
            (Role::Button, 0, 0, 50, 300),
            (Role::Link, 0, 250, 300, 20),
            (Role::Link, 200, 0, 50, 100),
        ]);
        for segment in NaturalBisection::default().segments(&Outline::new(&screen)) {
            let inside = segment.views.iter().all(|index| {
                let bounds = screen.elements[*index].bounds;
                around([bounds, segment.bounds]) == segment.bounds
            });
            assert!(inside);
        }
    }

    #[test]
    fn a_screen_of_many_views_is_cut_at_its_gaps_first() {
        let rows = (0..400).map(|n| (Role::Link, (n % 4) * 70, (n / 4) * 12, 60, 10));
        let screen = screen(&rows.collect::<Vec<_>>());
        let all: usize = views(&screen).iter().map(Vec::len).sum();
        assert_eq!(all, 400);
    }
}
