//! Formulas against all short runs: the progression agrees with an evaluator that looks at whole
//! runs, and knows nothing of progression.
//!
//! The evaluator makes every continuation of a run that ends in a cycle (up to three steps, and
//! then one or two for ever), and takes each operator at its word on it. What is true on all of
//! them is held, what is true on none is violated.

use capuchin_trace::{Answer, Formula, Limit, Progression};
use capuchin_ui::Rng;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A fact: `p` is bit 0 of a step, `q` is bit 1.
type Fact = u8;
type F = Formula<Fact>;

fn b(formula: &F) -> Box<F> {
    Box::new(formula.clone())
}

fn steps(n: u32) -> Option<Limit> {
    Some(Limit::Steps(n))
}

fn not(formula: &F) -> F {
    F::Not(b(formula))
}

/// A run: letters, of which those from `cycle` on come for ever.
struct Run {
    letters: Vec<u8>,
    cycle: usize,
}

impl Run {
    fn all(&self) -> u32 {
        (1 << self.letters.len()) - 1
    }

    /// At which positions it is true at the next one.
    fn next(&self, at: u32) -> u32 {
        let last = self.letters.len() - 1;
        (at >> 1) | (((at >> self.cycle) & 1) << last)
    }

    /// At which positions a formula is true, as a set of bits.
    fn truth(&self, formula: &F) -> u32 {
        let all = self.all();
        match formula {
            F::Now(fact) => {
                let bits = self.letters.iter().enumerate();
                bits.fold(0, |set, (i, letter)| set | (u32::from((letter >> fact) & 1) << i))
            }
            F::Not(inner) => all & !self.truth(inner),
            F::And(parts) => parts.iter().fold(all, |set, part| set & self.truth(part)),
            F::Or(parts) => parts.iter().fold(0, |set, part| set | self.truth(part)),
            F::Implies(one, other) => (all & !self.truth(one)) | self.truth(other),
            F::Next(inner) => self.next(self.truth(inner)),
            F::Always(inner) => {
                let inner = self.truth(inner);
                (0..self.letters.len()).filter(|at| self.seen_from(*at) & !inner == 0).fold(0, bit)
            }
            F::Eventually(goal, limit) => self.within(all, self.truth(goal), *limit),
            F::Until(hold, goal, limit) => self.within(self.truth(hold), self.truth(goal), *limit),
            F::LeadsTo(condition, goal, limit) => {
                let answered = self.within(all, self.truth(goal), *limit);
                let bad = self.truth(condition) & !answered;
                (0..self.letters.len()).filter(|at| self.seen_from(*at) & bad == 0).fold(0, bit)
            }
        }
    }

    /// The positions that come at or after this one.
    fn seen_from(&self, at: usize) -> u32 {
        (at.min(self.cycle)..self.letters.len())
            .filter(|i| *i >= at || *i >= self.cycle)
            .fold(0, bit)
    }

    /// Where a position with `goal` follows, with `hold` at all before.
    fn within(&self, hold: u32, goal: u32, limit: Option<Limit>) -> u32 {
        let most = match limit {
            Some(Limit::Steps(steps)) => steps as usize,
            _ => 2 * self.letters.len(),
        };
        let is_true = |from: usize| {
            let mut at = from;
            for _ in 0..=most {
                if goal & (1 << at) != 0 {
                    return true;
                }
                if hold & (1 << at) == 0 {
                    return false;
                }
                at = if at + 1 == self.letters.len() { self.cycle } else { at + 1 };
            }
            false
        };
        (0..self.letters.len()).filter(|from| is_true(*from)).fold(0, bit)
    }
}

fn bit(set: u32, at: usize) -> u32 {
    set | (1 << at)
}

/// All words of this length.
fn words(length: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..4_u32.pow(length)).map(move |n| (0..length).map(|i| ((n >> (2 * i)) & 3) as u8).collect())
}

/// The formula, its parts, and the same parts with less of their limits.
fn closure(formula: &F, all: &mut Vec<F>) {
    formula.parts().into_iter().for_each(|part| closure(part, all));
    let less = |limit: &Option<Limit>| match limit {
        Some(Limit::Steps(n)) => (0..*n).map(steps).collect(),
        _ => Vec::new(),
    };
    match formula {
        F::Eventually(goal, limit) => {
            all.extend(less(limit).into_iter().map(|less| F::Eventually(goal.clone(), less)));
        }
        F::Until(hold, goal, limit) => {
            let until = |less| F::Until(hold.clone(), goal.clone(), less);
            all.extend(less(limit).into_iter().map(until));
        }
        F::LeadsTo(_, goal, limit) => {
            all.extend(less(limit).into_iter().map(|less| F::Eventually(goal.clone(), less)));
            all.push(F::Eventually(goal.clone(), *limit));
        }
        _ => {}
    }
    all.push(formula.clone());
}

/// One continuation of each kind that the formula can tell apart.
fn continuations(formula: &F) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut parts = Vec::new();
    closure(formula, &mut parts);
    let (mut kinds, mut all) = (BTreeSet::new(), Vec::new());
    for stem in (0..=3).flat_map(words) {
        for cycle in (1..=2).flat_map(words) {
            let letters = [stem.clone(), cycle.clone()].concat();
            let run = Run { letters, cycle: stem.len() };
            let kind: Vec<bool> = parts.iter().map(|part| run.truth(part) & 1 != 0).collect();
            if kinds.insert(kind) {
                all.push((stem.clone(), cycle));
            }
        }
    }
    all
}

fn direct(formula: &F, word: &[u8], continuations: &[(Vec<u8>, Vec<u8>)]) -> Answer {
    let (mut can_hold, mut can_fail) = (false, false);
    for (stem, cycle) in continuations {
        let letters = [word, stem, cycle].concat();
        let run = Run { letters, cycle: word.len() + stem.len() };
        match run.truth(formula) & 1 {
            0 => can_fail = true,
            _ => can_hold = true,
        }
        if can_hold && can_fail {
            return Answer::Undecided;
        }
    }
    if can_hold { Answer::Held } else { Answer::Violated }
}

fn step(progression: &mut Progression<Fact>, letter: u8) -> Answer {
    let fact = |fact: &Fact| Ok::<bool, Infallible>((letter >> fact) & 1 == 1);
    progression.step(0, fact).expect("small enough")
}

/// Compares the two on every run of up to `length` steps. A decided run is not gone on with: its
/// answer stays.
fn compare(formula: &F, length: usize) -> [u32; 3] {
    let continuations = continuations(formula);
    let mut counts = [0; 3];
    let mut open = vec![(Vec::new(), Progression::new(formula, |_| None))];
    while let Some((word, progression)) = open.pop() {
        let expected = direct(formula, &word, &continuations);
        assert_eq!(progression.answer(), expected, "{formula:?} on {word:?}");
        counts[expected as usize] += 1;
        if word.len() < length && expected == Answer::Undecided {
            for letter in 0..4 {
                let (mut longer, mut next) = (word.clone(), progression.clone());
                longer.push(letter);
                step(&mut next, letter);
                open.push((longer, next));
            }
        }
    }
    counts
}

#[test]
fn a_table_of_formulas_on_all_runs_of_six_steps() {
    let (p, q) = (F::Now(0), F::Now(1));
    let eventually = |f: &F, limit| F::Eventually(b(f), limit);
    let until = |f: &F, g: &F, limit| F::Until(b(f), b(g), limit);
    let leads_to = |f: &F, g: &F, limit| F::LeadsTo(b(f), b(g), limit);
    let always = |f: &F| F::Always(b(f));
    let next = |f: &F| F::Next(b(f));
    let both = |f: &F, g: &F| F::And(vec![f.clone(), g.clone()]);
    let either = |f: &F, g: &F| F::Or(vec![f.clone(), g.clone()]);
    let implies = |f: &F, g: &F| F::Implies(b(f), b(g));
    let table = [
        p.clone(),
        next(&p),
        next(&next(&both(&p, &not(&q)))),
        always(&p),
        always(&implies(&p, &next(&q))),
        eventually(&p, None),
        eventually(&p, steps(0)),
        eventually(&p, steps(3)),
        eventually(&both(&p, &next(&q)), steps(2)),
        until(&p, &q, None),
        until(&p, &q, steps(2)),
        until(&p, &not(&p), steps(4)),
        until(&either(&p, &q), &both(&p, &q), steps(3)),
        leads_to(&p, &q, None),
        leads_to(&p, &q, steps(0)),
        leads_to(&p, &q, steps(3)),
        leads_to(&p, &not(&p), steps(2)),
        leads_to(&both(&p, &not(&q)), &next(&q), steps(1)),
        always(&eventually(&p, None)),
        eventually(&always(&p), None),
        always(&eventually(&p, steps(2))),
        // What contradicts itself, or cannot fail, is known before it shows.
        both(&eventually(&p, None), &always(&not(&p))),
        either(&eventually(&p, None), &always(&not(&p))),
        either(&next(&p), &next(&not(&p))),
        both(&always(&implies(&p, &next(&q))), &both(&p, &next(&not(&q)))),
        both(&leads_to(&p, &q, steps(2)), &always(&not(&q))),
        both(&eventually(&p, steps(2)), &next(&always(&not(&p)))),
        both(&until(&p, &q, None), &always(&not(&q))),
        both(&always(&eventually(&p, None)), &eventually(&always(&not(&p)), None)),
        until(&eventually(&p, steps(1)), &always(&q), None),
    ];
    let mut sums = [0; 3];
    for formula in table.iter().flat_map(|formula| [formula.clone(), not(formula)]) {
        let counts = compare(&formula, 6);
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    assert!(sums.iter().all(|sum| *sum > 1000), "{sums:?}");
}

fn any_formula(rng: &mut Rng, depth: u32) -> F {
    let kind = if depth == 0 { 0 } else { rng.below(10) };
    let limit = |rng: &mut Rng| match rng.below(4) {
        0 => None,
        n => steps(n as u32 - 1),
    };
    let part = |rng: &mut Rng| Box::new(any_formula(rng, depth - 1));
    match kind {
        0 | 1 => F::Now(rng.below(2) as u8),
        2 => F::Not(part(rng)),
        3 => F::And(vec![*part(rng), *part(rng)]),
        4 => F::Or(vec![*part(rng), *part(rng)]),
        5 => F::Next(part(rng)),
        6 => F::Always(part(rng)),
        7 => F::Eventually(part(rng), limit(rng)),
        8 => F::Until(part(rng), part(rng), limit(rng)),
        _ => F::LeadsTo(part(rng), part(rng), limit(rng)),
    }
}

#[test]
fn formulas_at_random() {
    for seed in 0..200 {
        compare(&any_formula(&mut Rng::new(seed), 2), 4);
    }
}

#[test]
fn what_is_left_does_not_grow_along_a_run() {
    let mut largest = 0;
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let formula = F::Always(Box::new(any_formula(&mut rng, 3)));
        let mut progression = Progression::new(&formula, |_| None);
        let mut half = 0;
        for number in 0..2_000 {
            step(&mut progression, rng.below(4) as u8);
            if number < 1_000 {
                half = half.max(progression.size());
            }
            largest = largest.max(progression.size());
            assert!(progression.size() <= half.max(40), "{formula:?}");
        }
    }
    assert!(largest > 2);
    // A long limit leaves one obligation, and not one for each step.
    let leads_to = F::LeadsTo(b(&F::Now(0)), b(&F::Now(1)), steps(1000));
    let mut progression = Progression::new(&leads_to, |_| None);
    for _ in 0..999 {
        assert_eq!(step(&mut progression, 1), Answer::Undecided);
        assert_eq!(progression.size(), 2);
    }
}

#[test]
fn at_the_end_of_a_run_what_was_to_come_is_not_decided() {
    let (p, q) = (F::Now(0), F::Now(1));
    for (formula, word, expected) in [
        (F::Always(b(&p)), vec![1, 1], Answer::Held),
        (F::Eventually(b(&p), None), vec![0, 0], Answer::Undecided),
        (F::Eventually(b(&p), steps(5)), vec![0, 0], Answer::Undecided),
        (not(&F::Eventually(b(&p), None)), vec![0, 0], Answer::Held),
        (not(&F::Eventually(b(&p), steps(5))), vec![0, 0], Answer::Undecided),
        (F::Next(b(&p)), vec![1], Answer::Undecided),
        (F::Next(b(&F::Always(b(&p)))), vec![1], Answer::Undecided),
        (F::Next(b(&F::Always(b(&p)))), vec![1, 1], Answer::Held),
        (F::Until(b(&p), b(&q), None), vec![1, 1], Answer::Undecided),
        (F::LeadsTo(b(&p), b(&q), steps(3)), vec![1, 2, 0], Answer::Held),
        (F::LeadsTo(b(&p), b(&q), steps(3)), vec![1, 2, 1], Answer::Undecided),
        (F::LeadsTo(b(&p), b(&q), None), vec![], Answer::Undecided),
    ] {
        let mut progression = Progression::new(&formula, |_| None);
        word.iter().for_each(|letter| _ = step(&mut progression, *letter));
        assert_eq!(progression.at_end(), expected, "{formula:?} on {word:?}");
    }
}

#[test]
fn time_is_counted_from_step_to_step() {
    let formula = F::LeadsTo(b(&F::Now(0)), b(&F::Now(1)), Some(Limit::Millis(500)));
    let run = |word: &[(u64, u8)]| {
        let mut progression = Progression::new(&formula, |_| None);
        for (elapsed, letter) in word {
            let fact = |fact: &Fact| Ok::<bool, Infallible>((letter >> fact) & 1 == 1);
            progression.step(*elapsed, fact).expect("small enough");
        }
        (progression.answer(), progression.at_end())
    };
    let open = (Answer::Undecided, Answer::Undecided);
    let kept = (Answer::Undecided, Answer::Held);
    let violated = (Answer::Violated, Answer::Violated);
    assert_eq!(run(&[(0, 1), (400, 0), (100, 0)]), open);
    assert_eq!(run(&[(0, 1), (400, 0), (100, 2)]), kept);
    assert_eq!(run(&[(0, 1), (400, 0), (101, 2)]), violated);
    // The time before the first step does not count, nor does that before it was asked for.
    assert_eq!(run(&[(900, 0), (900, 1), (500, 2)]), kept);
}
