//! A formula in the course of a run: what is left of it after each step, and the answer so far.

use super::formula::Formula;
use super::lookahead::{Known, can_come_true};
use super::obligation::{Facts, Obligation, Part, Parts, TooMany};

/// What is known of a formula after the steps so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is true, whatever comes.
    Held,
    /// It is not, whatever comes.
    Violated,
    /// What comes decides.
    Undecided,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck<E> {
    /// A fact could not be asked for.
    Asking(E),
    /// There are too many ways for the formula to come true.
    TooLarge,
}

impl<E> From<TooMany> for Stuck<E> {
    fn from(_: TooMany) -> Self {
        Stuck::TooLarge
    }
}

/// A formula in the course of a run.
#[derive(Clone, Debug)]
pub struct Progression<A> {
    facts: Vec<A>,
    parts: Parts,
    /// The ways for the formula to come true.
    ways: Vec<Vec<Obligation>>,
    /// The ways for it not to; looked at only where a fact is asked for both ways.
    denials: Option<Vec<Vec<Obligation>>>,
    known: Known,
    answer: Answer,
}

impl<A: Clone + PartialEq> Progression<A> {
    /// Before the first step. `constant` says of a fact that it is always the same.
    pub fn new(formula: &Formula<A>, constant: impl Fn(&A) -> Option<bool>) -> Self {
        let mut facts: Vec<A> = Vec::new();
        let mut number = |fact: &A| match constant(fact) {
            Some(constant) => Ok(constant),
            None => Err(facts.iter().position(|known| known == fact).unwrap_or_else(|| {
                facts.push(fact.clone());
                facts.len() - 1
            })),
        };
        let mut parts = Parts::default();
        let root = parts.add(formula, true, &mut number);
        let asked: Vec<(usize, bool)> = parts.asked().collect();
        let is_mixed = asked.iter().any(|(fact, is_true)| asked.contains(&(*fact, !is_true)));
        let begin = |parts: &mut Parts, root| match parts.part(root) {
            Part::Constant(true) => vec![Vec::new()],
            Part::Constant(false) => Vec::new(),
            _ => vec![vec![Obligation { part: parts.next(root), left: 0 }]],
        };
        let ways = begin(&mut parts, root);
        let denials = is_mixed.then(|| {
            let denial = parts.add(formula, false, &mut number);
            begin(&mut parts, denial)
        });
        let (known, answer) = (Known::new(), Answer::Undecided);
        let mut progression = Progression { facts, parts, ways, denials, known, answer };
        progression.decide();
        progression
    }

    /// The answer so far.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// The answer if no step follows. What was to be true throughout was, as far as the run went;
    /// what was still to come is not decided.
    pub fn at_end(&self) -> Answer {
        let is_kept = |obligation: &Obligation| {
            matches!(self.parts.part(obligation.part), Part::Release { limit: None, .. })
        };
        match self.answer {
            Answer::Undecided if self.ways.iter().any(|way| way.iter().all(is_kept)) => {
                Answer::Held
            }
            answer => answer,
        }
    }

    /// How many obligations are open, in all the ways for the formula to come true.
    pub fn size(&self) -> usize {
        let denials = self.denials.iter().flatten();
        self.ways.iter().chain(denials).map(|way| way.len().max(1)).sum()
    }

    /// Takes a step, so many milliseconds after the one before. Only facts that decide something
    /// are asked for, each once.
    pub fn step<E>(
        &mut self,
        elapsed: u64,
        mut ask: impl FnMut(&A) -> Result<bool, E>,
    ) -> Result<Answer, Stuck<E>> {
        if self.answer != Answer::Undecided {
            return Ok(self.answer);
        }
        let mut asked = vec![None; self.facts.len()];
        let facts = &self.facts;
        let mut fact = |number: usize| match asked[number] {
            Some(answer) => Ok(answer),
            None => {
                let answer = ask(&facts[number]).map_err(Stuck::Asking)?;
                asked[number] = Some(answer);
                Ok(answer)
            }
        };
        let mut now = Seen { fact: &mut fact, elapsed };
        self.ways = advanced(&self.parts, &self.ways, &mut now)?;
        if let Some(denials) = &self.denials {
            self.denials = Some(advanced(&self.parts, denials, &mut now)?);
        }
        self.decide();
        Ok(self.answer)
    }

    fn decide(&mut self) {
        let Progression { parts, known, .. } = self;
        if let Some(denials) = &mut self.denials {
            self.ways.retain(|way| can_come_true(parts, way, known));
            denials.retain(|way| can_come_true(parts, way, known));
        }
        let is_certain = match &self.denials {
            Some(denials) => denials.is_empty(),
            None => self.ways.iter().any(Vec::is_empty),
        };
        self.answer = match is_certain {
            _ if self.ways.is_empty() => Answer::Violated,
            true => Answer::Held,
            false => Answer::Undecided,
        };
    }
}

fn advanced<F: Facts>(
    parts: &Parts,
    ways: &[Vec<Obligation>],
    facts: &mut F,
) -> Result<Vec<Vec<Obligation>>, F::Error> {
    let mut all = Vec::new();
    for way in ways {
        all.extend(parts.step(way, facts)?);
    }
    // What was put off says something only to who looks ahead.
    all.iter_mut().for_each(|one| one.put_off.clear());
    Ok(parts.weakest::<F>(all)?.into_iter().map(|one| one.later).collect())
}

/// The facts of a step.
struct Seen<'f, E> {
    fact: &'f mut dyn FnMut(usize) -> Result<bool, Stuck<E>>,
    elapsed: u64,
}

impl<E> Facts for Seen<'_, E> {
    type Error = Stuck<E>;

    fn fact(&mut self, fact: usize) -> Result<Option<bool>, Stuck<E>> {
        (self.fact)(fact).map(Some)
    }

    fn elapsed(&self) -> Option<u64> {
        Some(self.elapsed)
    }
}
