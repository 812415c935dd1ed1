//! Landmarks: facts that every plan makes true at some time (Hoffmann, Porteous and Sebastia 2004),
//! and how many of them a path has still before it (Richter, Helmert and Westphal 2008).
//!
//! A fact is a landmark if the delete relaxation cannot reach the goal without it. Every relaxed
//! plan has all such facts, so only those of one relaxed plan are tried. The same explorations give
//! the orders: what cannot be reached without a landmark comes after it, and what all first
//! achievers of a landmark need must be true right before it.

use super::mutex::Mutexes;
use crate::condition::{Literal, ones};
use crate::reduce::Reduced;
use crate::relaxed::Relaxed;

/// The most work that goes into finding landmarks, in steps of relaxed explorations.
const MOST_WORK: usize = 150_000_000;

/// A landmark and its orders.
#[derive(Debug)]
struct Landmark {
    literal: Literal,
    is_goal: bool,
    /// Those that come before it, as bits.
    before: Vec<u64>,
    /// Those right before which this one must hold, as bits.
    needed_by: Vec<u64>,
}

/// The landmarks of a task.
#[derive(Debug)]
pub(crate) struct Landmarks {
    landmarks: Vec<Landmark>,
    words: usize,
}

impl Landmarks {
    /// Finds them. `used` are the propositions of a relaxed plan from the initial state.
    pub(crate) fn find(
        relaxed: &Relaxed,
        reduced: &Reduced,
        used: &[u32],
        mutexes: &Mutexes,
    ) -> Self {
        let mut literal_of: Vec<Option<Literal>> = vec![None; relaxed.propositions];
        for fact in 0..reduced.facts.len() as u32 {
            literal_of[fact as usize] = Some(Literal::new(fact, false));
        }
        for (fact, proposition) in &relaxed.negations {
            literal_of[*proposition as usize] = Some(Literal::new(*fact, true));
        }
        let mut finder = Finder { relaxed, reduced, literal_of, found: Vec::new(), work: 0 };
        finder.goals();
        for proposition in used {
            finder.candidate(*proposition);
        }
        finder.right_before();
        let shared = finder.shared_adds();
        let mut landmarks = finder.finish();
        landmarks.order_reasonably(mutexes, &shared);
        landmarks
    }

    pub(crate) fn len(&self) -> usize {
        self.landmarks.len()
    }

    /// Puts `one` before `other` if reaching `other` first would mean to lose it again: reasonable
    /// orders (Hoffmann, Porteous and Sebastia 2004; Richter and Westphal 2010). Only landmarks
    /// that must hold at the same time are compared: goals, and what the same landmark needs.
    fn order_reasonably(&mut self, mutexes: &Mutexes, shared: &[Vec<u32>]) {
        let has = |bits: &[u64], number: usize| bits[number / 64] >> (number % 64) & 1 == 1;
        let count = self.landmarks.len();
        for other in 0..count {
            for one in (0..count).filter(|one| *one != other) {
                let (first, second) = (&self.landmarks[one], &self.landmarks[other]);
                let are_compared = match second.is_goal {
                    true => first.is_goal,
                    false => (0..count).any(|child| {
                        has(&second.needed_by, child)
                            && child != one
                            && (has(&self.landmarks[child].before, one)
                                || has(&first.needed_by, child))
                    }),
                };
                if are_compared
                    && !has(&second.before, one)
                    && self.interferes(one, other, mutexes, &shared[one])
                    && !self.comes_before(other, one)
                {
                    self.landmarks[other].before[one / 64] |= 1 << (one % 64);
                }
            }
        }
    }

    /// Whether reaching `one` makes `other` false: they exclude one another, or what always comes
    /// with `one` or must hold right before it excludes `other`.
    fn interferes(&self, one: usize, other: usize, mutexes: &Mutexes, with_one: &[u32]) -> bool {
        let (first, second) = (self.landmarks[one].literal, self.landmarks[other].literal);
        if first.is_negated() || second.is_negated() || first == second {
            return false;
        }
        let excludes = |fact: u32| fact != second.fact() && mutexes.exclude(fact, second.fact());
        let is_right_before = |landmark: &&Landmark| {
            landmark.needed_by[one / 64] >> (one % 64) & 1 == 1 && !landmark.literal.is_negated()
        };
        excludes(first.fact())
            || with_one.iter().any(|fact| excludes(*fact))
            || self.landmarks.iter().filter(is_right_before).any(|it| excludes(it.literal.fact()))
    }

    /// Whether the orders so far put a landmark before another, through others.
    fn comes_before(&self, one: usize, other: usize) -> bool {
        let (mut seen, mut stack) = (vec![false; self.landmarks.len()], vec![other]);
        while let Some(number) = stack.pop() {
            if number == one {
                return true;
            }
            for before in ones(&self.landmarks[number].before) {
                if !std::mem::replace(&mut seen[before as usize], true) {
                    stack.push(before as usize);
                }
            }
        }
        false
    }
}

/// A landmark while they are searched for.
struct Candidate {
    proposition: u32,
    literal: Literal,
    is_goal: bool,
    /// Which propositions can be reached without it; empty if that was not explored.
    reached: Vec<bool>,
    /// The propositions that all of its first achievers need.
    needs: Vec<u32>,
}

struct Finder<'a> {
    relaxed: &'a Relaxed,
    reduced: &'a Reduced,
    literal_of: Vec<Option<Literal>>,
    found: Vec<Candidate>,
    work: usize,
}

impl Finder<'_> {
    /// All goals are landmarks.
    fn goals(&mut self) {
        for proposition in &self.relaxed.goal {
            if let Some(literal) = self.literal_of[*proposition as usize] {
                let mut candidate = Candidate {
                    proposition: *proposition,
                    literal,
                    is_goal: true,
                    reached: Vec::new(),
                    needs: Vec::new(),
                };
                if !literal.holds(&self.reduced.init)
                    && let Some((fired, reached)) = self.explore(*proposition)
                {
                    candidate.needs = self.shared_needs(*proposition, &fired);
                    candidate.reached = reached;
                }
                self.found.push(candidate);
            }
        }
    }

    /// What can be reached without a proposition, if there is work left.
    fn explore(&mut self, proposition: u32) -> Option<(Vec<bool>, Vec<bool>)> {
        if self.work > MOST_WORK {
            return None;
        }
        self.work += self.relaxed.size();
        Some(self.relaxed.reached(&self.reduced.init, Some(proposition)))
    }

    /// Adds a proposition if the goal cannot be reached without it.
    fn candidate(&mut self, proposition: u32) {
        let Some(literal) = self.literal_of[proposition as usize] else { return };
        let is_known = self.found.iter().any(|found| found.proposition == proposition);
        if is_known || literal.holds(&self.reduced.init) {
            return;
        }
        let Some((fired, reached)) = self.explore(proposition) else { return };
        if self.relaxed.goal.iter().all(|goal| reached[*goal as usize]) {
            return;
        }
        let needs = self.shared_needs(proposition, &fired);
        self.found.push(Candidate { proposition, literal, is_goal: false, reached, needs });
    }

    /// What all operators need that achieve a proposition for the first time.
    fn shared_needs(&self, proposition: u32, fired: &[bool]) -> Vec<u32> {
        let achievers = self.relaxed.achievers.get(proposition).iter();
        let mut first = achievers.filter(|achiever| fired[**achiever as usize]);
        let Some(one) = first.next() else { return Vec::new() };
        let mut shared = self.relaxed.preconditions.get(*one).to_vec();
        for achiever in first {
            let needs = self.relaxed.preconditions.get(*achiever);
            shared.retain(|need| needs.binary_search(need).is_ok());
        }
        shared
    }

    /// What a landmark needs right before it is a landmark too, even if it holds initially.
    fn right_before(&mut self) {
        let mut at = 0;
        while at < self.found.len() {
            for need in self.found[at].needs.clone() {
                let Some(literal) = self.literal_of[need as usize] else { continue };
                let is_known = self.found.iter().any(|found| found.proposition == need);
                if !is_known && literal.holds(&self.reduced.init) {
                    self.found.push(Candidate {
                        proposition: need,
                        literal,
                        is_goal: false,
                        reached: Vec::new(),
                        needs: Vec::new(),
                    });
                }
            }
            at += 1;
        }
    }

    /// For each landmark, the facts that all of its achievers add.
    fn shared_adds(&self) -> Vec<Vec<u32>> {
        let facts = self.reduced.facts.len() as u32;
        let shared = self.found.iter().map(|found| {
            let mut achievers = self.relaxed.achievers.get(found.proposition).iter();
            let Some(first) = achievers.next() else { return Vec::new() };
            let mut shared = self.relaxed.adds.get(*first).to_vec();
            for achiever in achievers {
                let adds = self.relaxed.adds.get(*achiever);
                shared.retain(|fact| adds.contains(fact));
            }
            shared.retain(|fact| *fact < facts && *fact != found.proposition);
            shared
        });
        shared.collect()
    }

    fn finish(self) -> Landmarks {
        let words = self.found.len().div_ceil(64);
        let mut landmarks: Vec<Landmark> = Vec::new();
        for candidate in &self.found {
            let (mut before, mut needed_by) = (vec![0; words], vec![0; words]);
            for (number, other) in self.found.iter().enumerate() {
                let comes_first = !other.reached.is_empty()
                    && other.proposition != candidate.proposition
                    && !candidate.literal.holds(&self.reduced.init)
                    && !other.reached[candidate.proposition as usize];
                if comes_first {
                    before[number / 64] |= 1 << (number % 64);
                }
                if other.needs.contains(&candidate.proposition) {
                    needed_by[number / 64] |= 1 << (number % 64);
                }
            }
            let (literal, is_goal) = (candidate.literal, candidate.is_goal);
            landmarks.push(Landmark { literal, is_goal, before, needed_by });
        }
        Landmarks { landmarks, words }
    }
}

/// For every state of a search, which landmarks its path has reached.
#[derive(Debug)]
pub(crate) struct Progress {
    words: usize,
    reached: Vec<u64>,
}

impl Progress {
    pub(crate) fn new(landmarks: &Landmarks) -> Self {
        Progress { words: landmarks.words, reached: Vec::new() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.reached.len() * 8
    }

    fn of(&self, state: u32) -> &[u64] {
        &self.reached[state as usize * self.words..][..self.words]
    }

    /// Notes what the initial state reaches.
    pub(crate) fn start(&mut self, landmarks: &Landmarks, state: &[u64]) {
        self.reached.resize(self.words, 0);
        for (number, landmark) in landmarks.landmarks.iter().enumerate() {
            if landmark.holds(state) && landmark.before.iter().all(|word| *word == 0) {
                self.reached[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// Notes what the next state reaches, which follows the state `from`.
    pub(crate) fn follow(&mut self, landmarks: &Landmarks, from: u32, state: &[u64]) {
        let start = from as usize * self.words;
        let end = self.reached.len();
        self.reached.extend_from_within(start..start + self.words);
        let (old, new) = self.reached.split_at_mut(end);
        let old = &old[start..start + self.words];
        for (number, landmark) in landmarks.landmarks.iter().enumerate() {
            let is_reached = new[number / 64] >> (number % 64) & 1 == 1;
            let is_due = || landmark.before.iter().zip(old).all(|(before, old)| before & !old == 0);
            if !is_reached && landmark.holds(state) && is_due() {
                new[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// How many landmarks are still to be reached, or to be reached again.
    pub(crate) fn left(&self, landmarks: &Landmarks, number: u32, state: &[u64]) -> u32 {
        let reached = self.of(number);
        let is_left = |(number, landmark): &(usize, &Landmark)| {
            if reached[number / 64] >> (number % 64) & 1 == 0 {
                return true;
            }
            !landmark.holds(state)
                && (landmark.is_goal
                    || landmark.needed_by.iter().zip(reached).any(|(by, done)| by & !done != 0))
        };
        landmarks.landmarks.iter().enumerate().filter(is_left).count() as u32
    }
}

impl Landmark {
    fn holds(&self, state: &[u64]) -> bool {
        self.literal.holds(state)
    }
}
