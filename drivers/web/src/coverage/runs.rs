//! How often the parts of one function ran: the counts of many takes, added up.
//!
//! V8 lists a block only where its count differs from that of the block around it, so two takes of
//! one function list different blocks. Counts are therefore added as what they are, one number for
//! each unit of the text, kept as steps; the blocks that were ever listed are kept beside them.
//! Both are the same whatever the order of the takes.

use super::Range;
use std::collections::BTreeSet;

/// A step: from this offset on, the code ran this often.
pub(super) type Step = (u32, u64);

/// One function, and how often its parts ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FunctionRuns {
    pub(super) name: Box<str>,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The first step is at `start`; no two neighbours have the same count.
    steps: Vec<Step>,
    /// What V8 ever listed as a block: where it begins and ends.
    blocks: BTreeSet<(u32, u32)>,
}

impl FunctionRuns {
    /// A function that never ran.
    pub(super) fn new(name: &str, whole: &Range) -> Self {
        FunctionRuns {
            name: name.into(),
            start: whole.start_offset,
            end: whole.end_offset,
            steps: vec![(whole.start_offset, 0)],
            blocks: BTreeSet::new(),
        }
    }

    /// Adds one take. Returns how many places ran for the first time: the function, or else each
    /// stretch of it that had been passed by until now.
    pub(super) fn add(&mut self, ranges: &[Range]) -> u32 {
        if let [whole] = ranges {
            // By far the most frequent, and nothing has to be split.
            return self.add_everywhere(u64::from(whole.count));
        }
        for block in ranges.iter().skip(1) {
            if block.start_offset < block.end_offset {
                self.blocks.insert((block.start_offset, block.end_offset));
            }
        }
        let new = flatten(
            ranges
                .iter()
                .map(|range| (range.start_offset, range.end_offset, u64::from(range.count))),
        );
        self.add_steps(&new)
    }

    fn add_everywhere(&mut self, count: u64) -> u32 {
        if count == 0 {
            return 0;
        }
        let never = self.steps.iter().filter(|(_, before)| *before == 0).count();
        for (_, sum) in &mut self.steps {
            *sum = sum.saturating_add(count);
        }
        u32::try_from(never).unwrap_or(u32::MAX)
    }

    fn add_steps(&mut self, new: &[Step]) -> u32 {
        let first = self.steps.iter().all(|(_, count)| *count == 0);
        let mut fresh = 0;
        let mut sum: Vec<Step> = Vec::with_capacity(self.steps.len() + new.len());
        let (mut old_at, mut new_at) = (0, 0);
        let (mut old_count, mut new_count) = (0, 0);
        // Within a stretch that never ran before: whether it was counted already.
        let mut counted = false;
        while old_at < self.steps.len() || new_at < new.len() {
            let next = |steps: &[Step], at: usize| steps.get(at).map_or(u32::MAX, |step| step.0);
            let offset = next(&self.steps, old_at).min(next(new, new_at));
            if next(&self.steps, old_at) == offset {
                old_count = self.steps[old_at].1;
                old_at += 1;
                counted = false;
            }
            if next(new, new_at) == offset {
                new_count = new[new_at].1;
                new_at += 1;
            }
            if old_count == 0 && new_count > 0 && !counted {
                counted = true;
                fresh += 1;
            }
            push(&mut sum, (offset, u64::saturating_add(old_count, new_count)));
        }
        self.steps = sum;
        if first { fresh.min(1) } else { fresh }
    }

    /// Everything V8 listed of the function, with how often it ran: the function first, then its
    /// blocks, outer ones before inner ones, none overlapping another but wholly inside of it.
    pub(super) fn ranges(&self) -> Vec<(u32, u32, u64)> {
        let whole = (self.start, self.end);
        let inside =
            |block: &&(u32, u32)| whole.0 <= block.0 && block.1 <= whole.1 && **block != whole;
        let blocks = super::blocks::nested(self.blocks.iter().filter(inside).copied());
        let counted = super::blocks::counted(&blocks, &self.steps);
        // Blocks never fill a function: its name or its brackets are in none of them.
        let entered = super::blocks::at(&self.steps, self.start);
        std::iter::once((self.start, self.end, entered)).chain(counted).collect()
    }
}

/// The counts of nested ranges as steps. Outer ranges come before inner ones, and the innermost
/// range decides. After the end of all ranges there is no step.
pub(super) fn flatten(ranges: impl IntoIterator<Item = (u32, u32, u64)>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<(u32, u64)> = Vec::new();
    for (start, end, count) in ranges {
        close(&mut open, &mut steps, start);
        // A range that reaches beyond the one around it would be V8's mistake.
        let end = open.last().map_or(end, |(around, _)| end.min(*around));
        if start < end {
            push(&mut steps, (start, count));
            open.push((end, count));
        }
    }
    close(&mut open, &mut steps, u32::MAX);
    steps
}

/// Ends the ranges that end here or before: from there on the range around them decides.
fn close(open: &mut Vec<(u32, u64)>, steps: &mut Vec<Step>, at: u32) {
    while let Some((end, _)) = open.pop_if(|(end, _)| *end <= at) {
        // If the range around it ends here too, nothing of that is left.
        if let Some((around_end, around)) = open.last()
            && end < *around_end
        {
            push(steps, (end, *around));
        }
    }
}

/// Appends a step, unless nothing changes with it.
fn push(steps: &mut Vec<Step>, step: Step) {
    if steps.last().is_some_and(|last| last.0 == step.0) {
        steps.pop();
    }
    if steps.last().is_none_or(|last| last.1 != step.1) {
        steps.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(list: &[(u32, u32, u32)]) -> Vec<Range> {
        list.iter()
            .map(|&(start_offset, end_offset, count)| Range { start_offset, end_offset, count })
            .collect()
    }

    fn runs_of(takes: &[Vec<Range>]) -> FunctionRuns {
        let mut runs = FunctionRuns::new("f", &takes[0][0]);
        for take in takes {
            runs.add(take);
        }
        runs
    }

    /// What each unit of the text counts, by the definition: the innermost range decides.
    fn by_definition(ranges: &[Range]) -> Vec<u64> {
        let mut counts = vec![0; 64];
        for range in ranges {
            counts[range.start_offset as usize..range.end_offset as usize]
                .fill(u64::from(range.count));
        }
        counts
    }

    fn unit_counts(runs: &FunctionRuns) -> Vec<u64> {
        (0..64)
            .map(|at| {
                runs.steps.iter().take_while(|step| step.0 <= at).last().map_or(0, |step| step.1)
            })
            .collect()
    }

    #[test]
    fn two_takes_that_list_different_blocks() {
        // if … else …: the first take went one way, the second one the other way.
        let one = ranges(&[(0, 64, 1), (10, 20, 0)]);
        let two = ranges(&[(0, 64, 2), (20, 30, 0)]);
        let runs = runs_of(&[one, two]);
        assert_eq!(runs.ranges(), [(0, 64, 3), (10, 20, 2), (20, 30, 1)]);
    }

    #[test]
    fn blocks_that_overlap_are_split() {
        // V8 lists neighbours with the same count as one block.
        let one = ranges(&[(0, 64, 1), (10, 30, 0)]);
        let two = ranges(&[(0, 64, 1), (20, 40, 0)]);
        let runs = runs_of(&[one, two]);
        assert_eq!(runs.ranges(), [(0, 64, 2), (10, 30, 1), (20, 30, 0), (30, 40, 1)]);
    }

    #[test]
    fn fresh_is_what_never_ran_before() {
        let mut runs = FunctionRuns::new("f", &ranges(&[(0, 64, 0)])[0]);
        let mut check = |take: &[(u32, u32, u32)], expected: u32| {
            assert_eq!(runs.add(&ranges(take)), expected, "{take:?}");
        };
        check(&[(0, 64, 0)], 0);
        check(&[(0, 64, 1), (10, 20, 0), (30, 50, 0)], 1);
        check(&[(0, 64, 5), (10, 20, 0), (30, 50, 0)], 0);
        // The second block ran, but not all of it; then the rest; then both at once.
        check(&[(0, 64, 1), (10, 20, 0), (40, 45, 0)], 1);
        check(&[(0, 64, 1), (10, 20, 0)], 1);
        check(&[(0, 64, 1)], 1);
        check(&[(0, 64, 1)], 0);
        check(&[(0, 64, 9), (10, 20, 8)], 0);
    }

    #[test]
    fn a_function_that_goes_on_from_before_the_take() {
        // An async function is entered once; what follows an await runs in a later take.
        let mut runs = FunctionRuns::new("f", &ranges(&[(0, 64, 0)])[0]);
        assert_eq!(runs.add(&ranges(&[(0, 64, 1), (32, 60, 0)])), 1);
        assert_eq!(runs.add(&ranges(&[(0, 64, 0), (32, 60, 1)])), 1);
        assert_eq!(runs.ranges(), [(0, 64, 1), (32, 60, 1)]);
    }

    #[test]
    fn nothing_is_left_after_the_end() {
        let steps = |list: &[(u32, u32, u64)]| flatten(list.iter().copied());
        assert_eq!(steps(&[(0, 64, 1), (32, 64, 0)]), [(0, 1), (32, 0)]);
        assert_eq!(steps(&[(0, 64, 1), (0, 61, 0), (61, 64, 0)]), [(0, 0)]);
        assert_eq!(
            steps(&[(0, 64, 1), (8, 32, 2), (16, 32, 3)]),
            [(0, 1), (8, 2), (16, 3), (32, 1)]
        );
    }

    /// Nested ranges as V8 lists them, drawn by cutting a range into blocks again and again.
    fn takes() -> impl Strategy<Value = Vec<Range>> {
        let cuts = prop::collection::vec((0u32..64, 0u32..64, 0u32..3), 0..8);
        (0u32..3, cuts).prop_map(|(whole, cuts)| {
            let mut list = vec![(0, 64, whole)];
            for (a, b, count) in cuts {
                let (start, end) = (a.min(b), a.max(b) + 1);
                let crosses = |&(s, e, _): &(u32, u32, u32)| {
                    (s < start && start < e && e < end) || (start < s && s < end && end < e)
                };
                let same = |&(s, e, _): &(u32, u32, u32)| (s, e) == (start, end);
                if !list.iter().any(crosses) && !list.iter().any(same) {
                    list.push((start, end, count));
                }
            }
            list.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
            ranges(&list)
        })
    }

    proptest! {
        #[test]
        fn counts_are_added_unit_by_unit(takes in prop::collection::vec(takes(), 1..6)) {
            let mut sum = vec![0; 64];
            for take in &takes {
                for (sum, count) in sum.iter_mut().zip(by_definition(take)) {
                    *sum += count;
                }
            }
            prop_assert_eq!(unit_counts(&runs_of(&takes)), sum);
        }

        #[test]
        fn the_order_of_takes_does_not_matter(
            takes in prop::collection::vec(takes(), 1..6),
            turn in 0usize..6,
        ) {
            let mut other = takes.clone();
            other.reverse();
            let middle = turn % takes.len();
            other.rotate_left(middle);
            prop_assert_eq!(runs_of(&takes), runs_of(&other));
        }

        #[test]
        fn a_block_never_covers_what_did_not_run(takes in prop::collection::vec(takes(), 1..6)) {
            let runs = runs_of(&takes);
            let counts = unit_counts(&runs);
            for (start, end, count) in runs.ranges() {
                let inside = &counts[start as usize..end as usize];
                prop_assert!(inside.contains(&count), "{start}..{end} is {count} of {inside:?}");
            }
        }

        #[test]
        fn fresh_is_zero_exactly_when_nothing_new_ran(
            takes in prop::collection::vec(takes(), 1..6),
            last in takes(),
        ) {
            let mut runs = runs_of(&takes);
            let before = unit_counts(&runs);
            let fresh = runs.add(&last);
            let after = unit_counts(&runs);
            let new = before.iter().zip(&after).any(|(before, after)| *before == 0 && *after > 0);
            prop_assert_eq!(fresh > 0, new);
        }
    }
}
