//! Which code of an app ran: plain data that any device can produce, and the power to produce it.
//!
//! On its own, because nothing that decides about events or screens needs to know it.

use crate::{DeviceError, Str};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// The power to say which code of the app ran.
pub trait Coverage {
    /// How many places of the code ran for the first time since the last call, or since the device
    /// was opened: functions that were entered, and blocks of them that had been passed by.
    ///
    /// Cheap enough to be asked after every event. What ran before never counts again, resets of
    /// the app included.
    fn fresh(&mut self) -> Result<u32, DeviceError>;

    /// Everything that ran since the device was opened.
    fn so_far(&mut self) -> Result<CodeCoverage, DeviceError>;
}

/// How often which code ran, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeCoverage {
    /// The files by path, or by address where there is no path.
    pub files: BTreeMap<Str, FileCoverage>,
}

/// How often the code of one file ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// How often the file as a whole was run: its code outside of functions.
    pub loads: u64,
    /// The functions, in the order of the file.
    pub functions: BTreeMap<Span, FunctionCoverage>,
    /// How often each branch was taken. A platform that finds out about branches as it goes lists
    /// one only once it was taken more or less often than the code around it ran.
    pub branches: BTreeMap<Span, u64>,
    /// How often each line with code on it ran.
    pub lines: BTreeMap<u32, u64>,
}

/// A function, and how often it was entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Its name; empty if it has none.
    pub name: Str,
    /// How often it was entered.
    pub hits: u64,
}

/// A place in a text. Lines and columns are counted from 1, as editors show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A stretch of a text. Spans are ordered as they begin; of two that begin together, the longer
/// one is first, so that what encloses comes before what is enclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Where it begins.
    pub from: Position,
    /// Where it ends: the place after its last character.
    pub to: Position,
}

impl Span {
    fn encloses(&self, other: &Span) -> bool {
        self.from <= other.from && self.to >= other.to
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> Ordering {
        self.from.cmp(&other.from).then(other.to.cmp(&self.to))
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many ran.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
}

impl Share {
    fn of(hits: impl Iterator<Item = u64>) -> Self {
        hits.fold(Share::default(), |share, hits| Share {
            covered: share.covered + usize::from(hits > 0),
            total: share.total + 1,
        })
    }

    fn and(self, other: Share) -> Share {
        Share { covered: self.covered + other.covered, total: self.total + other.total }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.covered, self.total)
    }
}

impl CodeCoverage {
    /// Adds what ran elsewhere, on another device for instance.
    pub fn merge(&mut self, other: &CodeCoverage) {
        for (name, theirs) in &other.files {
            match self.files.get_mut(name) {
                Some(ours) => ours.merge(theirs),
                None => {
                    self.files.insert(name.clone(), theirs.clone());
                }
            }
        }
    }

    /// How many functions were entered, of those that are known.
    pub fn functions(&self) -> Share {
        self.sum(FileCoverage::functions)
    }

    /// How many branches were taken, of those that are known.
    pub fn branches(&self) -> Share {
        self.sum(FileCoverage::branches)
    }

    /// How many lines ran, of those with code on them.
    pub fn lines(&self) -> Share {
        self.sum(FileCoverage::lines)
    }

    fn sum(&self, share: impl Fn(&FileCoverage) -> Share) -> Share {
        self.files.values().map(share).fold(Share::default(), Share::and)
    }
}

impl FileCoverage {
    /// Adds what ran elsewhere of the same file.
    ///
    /// Hits are added up. A branch that only one side lists was taken on the other side as often
    /// as the code around it ran there, because otherwise it would be listed there too.
    pub fn merge(&mut self, other: &FileCoverage) {
        // Where a function is not listed it did not run, and so did nothing in it.
        for (span, function) in &other.functions {
            self.functions
                .entry(*span)
                .or_insert_with(|| FunctionCoverage { name: function.name.clone(), hits: 0 });
        }
        let only_there: Vec<Span> = other
            .branches
            .keys()
            .filter(|span| !self.branches.contains_key(span))
            .copied()
            .collect();
        let mut theirs = other.clone();
        for (span, function) in &self.functions {
            theirs
                .functions
                .entry(*span)
                .or_insert_with(|| FunctionCoverage { name: function.name.clone(), hits: 0 });
        }
        let only_here: Vec<Span> = self
            .branches
            .keys()
            .filter(|span| !other.branches.contains_key(span))
            .copied()
            .collect();
        let missing_here = self.hits_around(&only_there);
        let missing_there = theirs.hits_around(&only_here);
        self.branches.extend(missing_here);
        theirs.branches.extend(missing_there);

        self.loads = self.loads.saturating_add(theirs.loads);
        for (span, function) in theirs.functions {
            let ours = self.functions.entry(span).or_default();
            ours.hits = ours.hits.saturating_add(function.hits);
        }
        add(&mut self.branches, theirs.branches);
        add(&mut self.lines, theirs.lines);
    }

    /// How many functions were entered, of those that are known.
    pub fn functions(&self) -> Share {
        Share::of(self.functions.values().map(|function| function.hits))
    }

    /// How many branches were taken, of those that are known.
    pub fn branches(&self) -> Share {
        Share::of(self.branches.values().copied())
    }

    /// How many lines ran, of those with code on them.
    pub fn lines(&self) -> Share {
        Share::of(self.lines.values().copied())
    }

    /// For each of these spans, in order, how often the smallest known code around it ran.
    fn hits_around(&self, spans: &[Span]) -> Vec<(Span, u64)> {
        if spans.is_empty() {
            return Vec::new();
        }
        let functions = self.functions.iter().map(|(span, function)| (*span, function.hits));
        let mut known: Vec<(Span, u64)> =
            self.branches.iter().map(|(span, hits)| (*span, *hits)).chain(functions).collect();
        // Stable: a function that is all of a branch is inside of it.
        known.sort_by_key(|(span, _)| *span);
        let mut known = known.into_iter().peekable();
        let mut open: Vec<(Span, u64)> = Vec::new();
        let around = |span: &Span| {
            while let Some(next) = known.next_if(|(next, _)| next <= span) {
                open.retain(|(before, _)| before.to > next.0.from);
                open.push(next);
            }
            let enclosing = open.iter().rev().find(|(before, _)| before.encloses(span));
            (*span, enclosing.map_or(self.loads, |(_, hits)| *hits))
        };
        spans.iter().map(around).collect()
    }
}

fn add<K: Ord>(ours: &mut BTreeMap<K, u64>, theirs: BTreeMap<K, u64>) {
    for (key, hits) in theirs {
        let sum = ours.entry(key).or_default();
        *sum = sum.saturating_add(hits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: u32, to: u32) -> Span {
        let at = |column| Position { line: 1, column };
        Span { from: at(from), to: at(to) }
    }

    fn file(
        loads: u64,
        functions: &[(u32, u32, u64)],
        branches: &[(u32, u32, u64)],
    ) -> FileCoverage {
        let mut file = FileCoverage { loads, ..FileCoverage::default() };
        for (from, to, hits) in functions {
            file.functions
                .insert(span(*from, *to), FunctionCoverage { name: "f".into(), hits: *hits });
        }
        file.branches = branches.iter().map(|(from, to, hits)| (span(*from, *to), *hits)).collect();
        file.lines.insert(1, loads);
        file
    }

    fn check(a: &FileCoverage, b: &FileCoverage, expected: &FileCoverage) {
        let mut there = a.clone();
        there.merge(b);
        assert_eq!(&there, expected);
        let mut back = b.clone();
        back.merge(a);
        assert_eq!(&back, expected, "in the other order");
    }

    #[test]
    fn hits_add_up() {
        check(
            &file(1, &[(1, 50, 2)], &[(10, 20, 1)]),
            &file(2, &[(1, 50, 3)], &[(10, 20, 0)]),
            &file(3, &[(1, 50, 5)], &[(10, 20, 1)]),
        );
    }

    #[test]
    fn a_branch_that_is_not_listed_ran_like_the_code_around_it() {
        // The first side passed the first branch by, the second side the second one.
        check(
            &file(1, &[(1, 50, 2)], &[(10, 20, 0)]),
            &file(1, &[(1, 50, 3)], &[(20, 30, 0)]),
            &file(2, &[(1, 50, 5)], &[(10, 20, 3), (20, 30, 2)]),
        );
        // Around it is another branch, or the file.
        check(
            &file(1, &[(1, 50, 4)], &[(10, 40, 3)]),
            &file(1, &[(1, 50, 1)], &[(20, 30, 0), (60, 70, 0)]),
            &file(2, &[(1, 50, 5)], &[(10, 40, 4), (20, 30, 3), (60, 70, 1)]),
        );
    }

    #[test]
    fn nothing_ran_in_a_function_that_is_not_listed() {
        check(
            &file(1, &[(1, 50, 7)], &[]),
            &file(1, &[(1, 50, 1), (10, 30, 1)], &[(20, 25, 0)]),
            &file(2, &[(1, 50, 8), (10, 30, 1)], &[(20, 25, 0)]),
        );
    }

    #[test]
    fn files_stand_side_by_side() {
        let mut all = CodeCoverage::default();
        all.files.insert("a.js".into(), file(1, &[(1, 9, 0)], &[]));
        let mut more = CodeCoverage::default();
        more.files.insert("b.js".into(), file(0, &[(1, 9, 1)], &[(2, 3, 0), (4, 5, 1)]));
        all.merge(&more);
        assert_eq!(all.functions().to_string(), "1 of 2");
        assert_eq!(all.branches().to_string(), "1 of 2");
        assert_eq!(all.lines(), Share { covered: 1, total: 2 });
        let before = (all.functions(), all.branches(), all.lines());
        all.merge(&all.clone());
        assert_eq!((all.functions(), all.branches(), all.lines()), before);
    }

    #[test]
    fn hits_do_not_overflow() {
        let mut file = file(u64::MAX, &[(1, 9, u64::MAX)], &[(2, 3, u64::MAX)]);
        file.merge(&file.clone());
        assert_eq!(file.branches[&span(2, 3)], u64::MAX);
    }
}
