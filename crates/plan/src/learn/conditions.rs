//! Under which condition an action changes an atom: the conditions that everything seen allows.
//!
//! It is the heart of Conditional-SAM (Mordoch, Scala, Stern and Juba, ICAPS 2024): an atom has one
//! condition, a conjunction of at most one or two literals, and each step refutes some. On its own
//! because it knows neither facts nor actions.

use super::bits::Bits;
use super::vocabulary::Truth;

/// The conditions under which one atom becomes true, or under which it becomes false.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    /// It changes always.
    always: bool,
    /// It changes if this literal holds.
    singles: Bits,
    /// It changes if this literal holds and one of the second row, which is the larger one.
    pairs: Vec<Bits>,
    /// How often it was seen to change, and not to.
    pub(super) changes: u32,
    pub(super) stays: u32,
    /// How often it changed although no condition was left.
    pub(super) unexplained: u32,
}

impl Conditions {
    /// All conditions of at most `size` literals that do not mention the feature `itself`.
    pub(super) fn new(features: usize, itself: usize, size: usize) -> Self {
        let literals = 2 * features;
        let mut singles = Bits::all(if size > 0 { literals } else { 0 });
        if size > 0 {
            singles.remove(2 * itself);
            singles.remove(2 * itself + 1);
        }
        let row = |first: usize| {
            let mut row = Bits::none(literals);
            if singles.has(first) {
                // Neither its own negation nor a pair that the other order has.
                let others = (first / 2 + 1) * 2..literals;
                others.filter(|second| singles.has(*second)).for_each(|it| row.insert(it));
            }
            row
        };
        let pairs = if size > 1 { (0..literals).map(row).collect() } else { Vec::new() };
        Conditions { always: true, singles, pairs, changes: 0, stays: 0, unexplained: 0 }
    }

    /// The atom could have changed, and it did or not, so many times.
    pub(super) fn observe(&mut self, changed: bool, truth: &Truth, count: u32) {
        if changed {
            self.changes += count;
            self.singles.keep(&truth.maybe);
            for (first, row) in self.pairs.iter_mut().enumerate() {
                if truth.maybe.has(first) { row.keep(&truth.maybe) } else { row.clear() }
            }
            self.unexplained += if self.is_empty() { count } else { 0 };
        } else {
            self.stays += count;
            self.always = false;
            self.singles.drop_all(&truth.sure);
            for (first, row) in self.pairs.iter_mut().enumerate() {
                if truth.sure.has(first) {
                    row.drop_all(&truth.sure);
                }
            }
        }
    }

    /// Whether nothing can change it any more.
    pub(super) fn is_empty(&self) -> bool {
        !self.always && self.singles.is_empty() && self.pairs.iter().all(Bits::is_empty)
    }

    /// All conditions that are left, short ones first.
    pub(super) fn all(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::new();
        if self.always {
            all.push(Vec::new());
        }
        all.extend(self.singles.iter().map(|literal| vec![literal]));
        for (first, row) in self.pairs.iter().enumerate() {
            all.extend(row.iter().map(|second| vec![first, second]));
        }
        all
    }

    /// Whether it surely changes where this holds, surely does not, or either is possible.
    pub(super) fn verdict(&self, truth: &Truth) -> Option<bool> {
        if self.unexplained > 0 {
            return None;
        }
        let pairs = || self.pairs.iter().enumerate().filter(|(_, row)| !row.is_empty());
        let none = !self.always
            && !self.singles.iter().any(|it| truth.maybe.has(it))
            && !pairs().any(|(it, row)| {
                truth.maybe.has(it) && row.iter().any(|second| truth.maybe.has(second))
            });
        if none {
            return Some(false);
        }
        let all = self.changes > 0
            && self.singles.is_subset(&truth.sure)
            && pairs().all(|(it, row)| truth.sure.has(it) && row.is_subset(&truth.sure));
        all.then_some(true)
    }
}

/// The conditions without those that another one contains, and without literals that hold anyway.
/// A condition with a literal that never holds is left out. Short ones come first.
pub(super) fn minimal(all: &[Vec<usize>], holds: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let never = |literal: &usize| holds(*literal ^ 1);
    let rest = |it: &Vec<usize>| it.iter().copied().filter(|literal| !holds(*literal)).collect();
    let mut rests: Vec<Vec<usize>> =
        all.iter().filter(|it| !it.iter().any(never)).map(rest).collect();
    rests.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    let mut minimal: Vec<Vec<usize>> = Vec::new();
    for rest in rests {
        if !minimal.iter().any(|known| known.iter().all(|literal| rest.contains(literal))) {
            minimal.push(rest);
        }
    }
    minimal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(values: &[Option<bool>]) -> Truth {
        let mut truth = Truth::none(values.len());
        values.iter().enumerate().for_each(|(at, value)| truth.set(at, *value));
        truth
    }

    #[test]
    fn each_step_refutes_conditions() {
        let mut conditions = Conditions::new(3, 2, 2);
        assert_eq!(conditions.all().len(), 1 + 4 + 4);
        conditions.observe(true, &truth(&[Some(true), Some(true), Some(false)]), 1);
        assert_eq!(conditions.all(), [vec![], vec![0], vec![2], vec![0, 2]]);
        conditions.observe(false, &truth(&[Some(true), Some(false), Some(false)]), 1);
        assert_eq!(conditions.all(), [vec![2], vec![0, 2]]);
        // What is not seen refutes nothing.
        conditions.observe(false, &truth(&[Some(false), None, Some(false)]), 1);
        assert_eq!(conditions.all(), [vec![2], vec![0, 2]]);
        assert_eq!(conditions.verdict(&truth(&[Some(false), Some(true), None])), None);
        assert_eq!(conditions.verdict(&truth(&[Some(true), Some(true), None])), Some(true));
        assert_eq!(conditions.verdict(&truth(&[Some(true), Some(false), None])), Some(false));
        conditions.observe(false, &truth(&[Some(false), Some(true), Some(false)]), 1);
        assert_eq!(conditions.all(), [[0, 2]]);
        conditions.observe(true, &truth(&[Some(false), Some(true), Some(false)]), 1);
        assert!(conditions.is_empty());
        assert_eq!(conditions.unexplained, 1);
    }

    #[test]
    fn the_shortest_conditions_remain() {
        let all = [vec![0, 2], vec![2], vec![4, 6], vec![0, 6], vec![8]];
        assert_eq!(minimal(&all, &|literal| literal == 4 || literal == 9), [vec![2], vec![6]]);
        assert_eq!(minimal(&[vec![4]], &|literal| literal == 4), [Vec::<usize>::new()]);
    }
}
