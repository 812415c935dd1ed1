//! Segments of a screen: views that stand together, found by cutting it where that is most natural.
//!
//! Algorithm 2 of the Rx paper. The screen is cut along a full horizontal or vertical line that
//! touches no view, where the views on both sides are further apart than those on one side are
//! among themselves; then both parts are cut again, until no cut is natural enough.
//!
//! The paper's naturalness is a difference of sums over pairs of views; here it is one of means, so
//! that one threshold does for screens with few views and with many.

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

/// The most cuts at gaps, one inside of the other: gaps that grow from part to part would give one
/// cut for each part.
const MOST_CUTS: usize = 64;

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
            for mut some in gaps(&parts) {
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
fn gaps(parts: &[Part]) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut open: Vec<(Vec<usize>, usize)> = vec![((0..parts.len()).collect(), 0)];
    while let Some((mut some, cuts)) = open.pop() {
        if some.len() <= MOST_PARTS {
            groups.push(some);
            continue;
        }
        let widest = [false, true].into_iter().filter_map(|is_vertical| {
            sort(parts, &mut some, is_vertical);
            let lines = lines(parts, &some, is_vertical).into_iter();
            lines
                .max_by_key(|(first, gap)| (*gap, middle(*first, some.len())))
                .map(|(first, gap)| (gap, middle(first, some.len()), is_vertical, first))
        });
        match widest.max().filter(|_| cuts < MOST_CUTS) {
            Some((_, _, is_vertical, first)) => {
                sort(parts, &mut some, is_vertical);
                let right = some.split_off(first);
                // The left one comes next.
                open.extend([(right, cuts + 1), (some, cuts + 1)]);
            }
            None => {
                let (backdrops, others) = without_backdrops(parts, some);
                let is_freed = !backdrops.is_empty() && cuts < MOST_CUTS;
                groups.extend(by_order(parts, backdrops));
                if is_freed {
                    open.push((others, cuts + 1));
                } else {
                    groups.extend(by_order(parts, others));
                }
            }
        }
    }
    groups
}

/// Sets apart what lies behind or before most of a group (a canvas, a picture, an empty overlay):
/// no line passes it, and it stands together with nothing.
fn without_backdrops(parts: &[Part], some: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let area = |bounds: Rect| i64::from(bounds.width) * i64::from(bounds.height);
    let whole = area(around(some.iter().map(|part| parts[*part].measured.bounds)));
    some.into_iter().partition(|part| area(parts[*part].measured.bounds) > whole / 2)
}

/// Groups of parts that nothing tells where to cut: by their order from top to bottom.
fn by_order(parts: &[Part], mut some: Vec<usize>) -> Vec<Vec<usize>> {
    sort(parts, &mut some, false);
    some.chunks(MOST_PARTS).map(<[usize]>::to_vec).collect()
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
        let (right, bottom) =
            (end(sum, true).max(end(rect, true)), end(sum, false).max(end(rect, false)));
        Rect::new(left, top, right.saturating_sub(left), bottom.saturating_sub(top))
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
    let (start, length) =
        if is_vertical { (bounds.x, bounds.width) } else { (bounds.y, bounds.height) };
    start.saturating_add(length)
}

/// The lines that cut no view: how many parts are before each, and how wide the gap is there.
fn lines(parts: &[Part], some: &[usize], is_vertical: bool) -> Vec<(usize, i32)> {
    let mut lines = Vec::new();
    let mut reached = i32::MIN;
    for (first, part) in some.iter().enumerate() {
        let bounds = parts[*part].measured.bounds;
        let begins = start(bounds, is_vertical);
        if first > 0 && begins >= reached {
            lines.push((first, begins.saturating_sub(reached)));
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

    /// Segments of one layer lie apart: no line that parted them passes through a view.
    fn check_apart(screen: &Screen, count: usize) {
        let segments = NaturalBisection::default().segments(&Outline::new(screen));
        assert_eq!(segments.len(), count, "{segments:?}");
        let overlaps = |a: Rect, b: Rect| {
            let is_apart = |vertical| {
                end(a, vertical) <= start(b, vertical) || end(b, vertical) <= start(a, vertical)
            };
            !is_apart(false) && !is_apart(true)
        };
        for (index, one) in segments.iter().enumerate() {
            for view in segments[index + 1..].iter().flat_map(|other| &other.views) {
                let bounds = screen.elements[*view].bounds;
                assert!(!overlaps(one.bounds, bounds), "{view} lies in {one:?}");
            }
        }
    }

    #[test]
    fn no_view_is_cut_through() {
        // Each line between two of them passes through the third.
        let views = [
            (Role::Button, 0, 0, 50, 300),
            (Role::Link, 0, 250, 300, 20),
            (Role::Link, 200, 0, 50, 100),
        ];
        check_apart(&screen(&views), 1);
        // Without the one that lies across, there is a line.
        check_apart(&screen(&[views[0], views[2]]), 2);
        check_apart(&screen(&[views[0], views[1], (Role::Label, 0, 500, 300, 90)]), 2);
    }

    /// Rows of four, far more than are compared with each other.
    fn many() -> Vec<(Role, i32, i32, i32, i32)> {
        (0..400).map(|n| (Role::Link, (n % 4) * 70, (n / 4) * 12, 60, 10)).collect()
    }

    fn lengths(screen: &Screen) -> Vec<usize> {
        views(screen).iter().map(Vec::len).collect()
    }

    #[test]
    fn a_screen_of_many_views_is_cut_at_its_gaps_first() {
        let screen = screen(&many());
        check_apart(&screen, 4);
        assert_eq!(lengths(&screen), [100; 4]);
    }

    #[test]
    fn a_view_as_large_as_the_screen_is_a_segment_of_its_own() {
        let mut rows = many();
        rows.push((Role::Image, 0, 0, 300, 1200));
        let screen = screen(&rows);
        let found = views(&screen);
        assert!(found.contains(&vec![400]), "{found:?}");
        let mut lengths = lengths(&screen);
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 100, 100, 100, 100]);
    }

    #[test]
    fn what_no_line_parts_is_not_compared_each_with_each() {
        // Each overlaps the next, so that there is no line.
        let chain = (0..1000).map(|n| (Role::Link, n * 5, n * 5, 10, 10));
        let chain = screen(&chain.collect::<Vec<_>>());
        let lengths = lengths(&chain);
        assert!(lengths.iter().all(|length| *length <= MOST_PARTS), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>(), 1000);
        // As many backdrops as there are views.
        let backdrops = screen(&[(Role::Image, 0, 0, 300, 600); 1000]);
        let found = views(&backdrops);
        assert!(found.iter().all(|views| views.len() <= MOST_PARTS));
        assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 1000);
    }

    #[test]
    fn gaps_that_grow_are_not_cut_one_by_one() {
        let mut y = 0;
        let rows = (0..3000).map(|n| {
            y += 10 + n;
            (Role::Link, 0, y, 300, 10)
        });
        let screen = screen(&rows.collect::<Vec<_>>());
        let outline = Outline::new(&screen);
        let all: Vec<usize> = (0..3000).collect();
        let parts = parts(&outline, &all);
        let groups = gaps(&parts);
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 3000);
        assert!(groups.len() < 2 * MOST_CUTS, "{} groups", groups.len());
    }

    #[test]
    fn what_ends_beyond_all_numbers_ends_at_the_last() {
        let (most, least) = (i32::MAX, i32::MIN);
        let all = [Rect::new(least, least, 10, 10), Rect::new(most, 5, most, 10)];
        assert_eq!(around(all), Rect::new(least, least, most, most));
        assert_eq!(end(all[1], true), most);
    }
}
