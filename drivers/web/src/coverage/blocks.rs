//! Blocks that overlap made into blocks that nest, and how often each of them ran.
//!
//! On its own, because it works on plain intervals and knows nothing of V8.

use super::runs::Step;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The same stretches, in reading order and outer ones first. A stretch that begins inside of
/// another and reaches beyond its end is split there.
pub(super) fn nested(stretches: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut rest: BTreeSet<(u32, Reverse<u32>)> =
        stretches.into_iter().map(|(start, end)| (start, Reverse(end))).collect();
    let mut nested = Vec::with_capacity(rest.len());
    let mut open: Vec<u32> = Vec::new();
    while let Some((start, Reverse(end))) = rest.pop_first() {
        while open.pop_if(|around| *around <= start).is_some() {}
        if let Some(&around) = open.last()
            && around < end
        {
            rest.insert((start, Reverse(around)));
            rest.insert((around, Reverse(end)));
            continue;
        }
        nested.push((start, end));
        open.push(end);
    }
    nested
}

/// How often each of these nested stretches ran: what the steps say of that part of it which is
/// in no stretch inside of it. One without such a part is left out: V8 lists neighbours that ran
/// equally often as one, and once they are known one by one, that one is nothing of its own.
pub(super) fn counted(nested: &[(u32, u32)], steps: &[Step]) -> Vec<(u32, u32, u64)> {
    let mut counted = Vec::with_capacity(nested.len());
    for (index, &(start, end)) in nested.iter().enumerate() {
        let mut own = start;
        for &(inner_start, inner_end) in &nested[index + 1..] {
            if inner_start > own || inner_start >= end {
                break;
            }
            own = own.max(inner_end);
        }
        if own < end {
            counted.push((start, end, at(steps, own)));
        }
    }
    counted
}

/// What the steps say of this offset.
pub(super) fn at(steps: &[Step], offset: u32) -> u64 {
    let after = steps.partition_point(|step| step.0 <= offset);
    after.checked_sub(1).map_or(0, |index| steps[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_is_split() {
        let check = |given: &[(u32, u32)], expected: &[(u32, u32)]| {
            assert_eq!(nested(given.iter().copied()), expected);
        };
        check(&[(5, 9), (0, 10)], &[(0, 10), (5, 9)]);
        check(&[(0, 10), (5, 15)], &[(0, 10), (5, 10), (10, 15)]);
        check(&[(0, 10), (2, 5), (4, 12)], &[(0, 10), (2, 5), (4, 5), (5, 10), (10, 12)]);
        check(&[(0, 5), (5, 9)], &[(0, 5), (5, 9)]);
    }

    #[test]
    fn the_count_is_that_of_its_own_part() {
        let steps = [(0, 1), (10, 2), (20, 3), (30, 1)];
        assert_eq!(
            counted(&[(0, 40), (10, 30), (10, 20)], &steps),
            [(0, 40, 1), (10, 30, 3), (10, 20, 2)]
        );
        // Nothing of its own.
        assert_eq!(counted(&[(10, 30), (10, 20), (20, 30)], &steps), [(10, 20, 2), (20, 30, 3)]);
        assert_eq!([at(&steps, 9), at(&steps, 10), at(&steps, 99)], [1, 2, 1]);
    }
}
