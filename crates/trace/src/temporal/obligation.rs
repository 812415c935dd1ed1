//! What is still to come true, as a choice among sets of obligations, and what a step makes of it.
//!
//! On its own because the progression and the search for what can still come true take the same
//! step: the one with facts that are known, the other with facts that it may choose.
//!
//! A formula is kept without negations but those of facts, each part once. So an obligation is a
//! number, and how much of its limit is left. Of two obligations of one part only the stronger is
//! kept, and of two alternatives only the weaker: so what is left of a formula is bounded by the
//! formula, however long the run is.

use super::formula::{Formula, Limit};

/// More alternatives than this are given up: see [`TooMany`].
const MOST_ALTERNATIVES: usize = 500;

/// A part of a formula by its number in [`Parts`].
pub(super) type Id = u32;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Constant(bool),
    Fact(usize, bool),
    All(Vec<Id>),
    Any(Vec<Id>),
    Next(Id),
    /// `goal` comes true within the limit, and `hold` is true until then.
    Until {
        hold: Id,
        goal: Id,
        limit: Option<Limit>,
    },
    /// `keep` is true up to the step at which `free` is, or for as long as the limit.
    Release {
        free: Id,
        keep: Id,
        limit: Option<Limit>,
    },
}

/// The parts of a formula, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
}

/// Something that must come true from the next step on. Of a `next` that is what stands after it;
/// anything else goes on, with so many steps or milliseconds left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Obligation {
    pub(super) part: Id,
    pub(super) left: u64,
}

/// What must be true now and later for one alternative.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Alternative {
    /// Facts that were chosen for now.
    pub(super) now: Vec<(usize, bool)>,
    pub(super) later: Vec<Obligation>,
    /// What has no limit and was put off at this step.
    pub(super) put_off: Vec<Id>,
}

/// There are more alternatives than anybody keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// How a step tells what is true.
pub(super) trait Facts {
    type Error: From<TooMany>;
    /// Whether the fact is true; `None` if that may be chosen.
    fn fact(&mut self, fact: usize) -> Result<Option<bool>, Self::Error>;
    /// How many milliseconds passed since the step before; `None` if that may be chosen.
    fn elapsed(&self) -> Option<u64>;
}

type Alternatives<F> = Result<Vec<Alternative>, <F as Facts>::Error>;

impl Parts {
    pub(super) fn part(&self, id: Id) -> &Part {
        &self.parts[id as usize]
    }

    fn id(&mut self, part: Part) -> Id {
        let known = self.parts.iter().position(|known| *known == part);
        let index = known.unwrap_or_else(|| {
            self.parts.push(part);
            self.parts.len() - 1
        });
        index as Id
    }

    /// Adds a formula, or what it denies. `fact` numbers the facts.
    pub(super) fn add<A>(
        &mut self,
        formula: &Formula<A>,
        is_true: bool,
        fact: &mut dyn FnMut(&A) -> Result<bool, usize>,
    ) -> Id {
        match formula {
            Formula::Now(one) => {
                let part = match fact(one) {
                    Ok(constant) => Part::Constant(constant == is_true),
                    Err(number) => Part::Fact(number, is_true),
                };
                self.id(part)
            }
            Formula::Not(inner) => self.add(inner, !is_true, fact),
            Formula::And(all) => {
                let all = all.iter().map(|one| self.add(one, is_true, fact)).collect();
                self.many(all, is_true)
            }
            Formula::Or(all) => {
                let all = all.iter().map(|one| self.add(one, is_true, fact)).collect();
                self.many(all, !is_true)
            }
            Formula::Implies(condition, consequence) => {
                let condition = self.add(condition, !is_true, fact);
                let consequence = self.add(consequence, is_true, fact);
                self.many(vec![condition, consequence], !is_true)
            }
            Formula::Next(inner) => {
                let inner = self.add(inner, is_true, fact);
                self.next(inner)
            }
            Formula::Always(inner) => {
                let inner = self.add(inner, is_true, fact);
                self.throughout(inner, is_true)
            }
            Formula::Eventually(goal, limit) => {
                let goal = self.add(goal, is_true, fact);
                let hold = self.id(Part::Constant(is_true));
                self.until(hold, goal, *limit, is_true)
            }
            Formula::Until(hold, goal, limit) => {
                let hold = self.add(hold, is_true, fact);
                let goal = self.add(goal, is_true, fact);
                self.until(hold, goal, *limit, is_true)
            }
            Formula::LeadsTo(condition, goal, limit) => {
                let condition = self.add(condition, !is_true, fact);
                let goal = self.add(goal, is_true, fact);
                let hold = self.id(Part::Constant(is_true));
                let answer = self.until(hold, goal, *limit, is_true);
                let each = self.many(vec![condition, answer], !is_true);
                self.throughout(each, is_true)
            }
        }
    }

    fn constant(&self, id: Id) -> Option<bool> {
        match self.part(id) {
            Part::Constant(constant) => Some(*constant),
            _ => None,
        }
    }

    fn many(&mut self, mut parts: Vec<Id>, all: bool) -> Id {
        if parts.iter().any(|part| self.constant(*part) == Some(!all)) {
            return self.id(Part::Constant(!all));
        }
        parts.retain(|part| self.constant(*part).is_none());
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [] => self.id(Part::Constant(all)),
            [one] => one,
            _ if all => self.id(Part::All(parts)),
            _ => self.id(Part::Any(parts)),
        }
    }

    pub(super) fn next(&mut self, inner: Id) -> Id {
        if self.constant(inner).is_some() { inner } else { self.id(Part::Next(inner)) }
    }

    /// `always`, or if it is denied `eventually` what denies it.
    fn throughout(&mut self, inner: Id, is_true: bool) -> Id {
        let never = self.id(Part::Constant(!is_true));
        self.until(never, inner, None, !is_true)
    }

    /// `until`, or what denies it.
    fn until(&mut self, hold: Id, goal: Id, limit: Option<Limit>, is_true: bool) -> Id {
        if self.constant(goal).is_some() || self.constant(hold) == Some(!is_true) {
            return goal;
        }
        self.id(match is_true {
            true => Part::Until { hold, goal, limit },
            false => Part::Release { free: hold, keep: goal, limit },
        })
    }

    /// Everything that is asked for of facts, as which of them and whether they are to be true.
    pub(super) fn asked(&self) -> impl Iterator<Item = (usize, bool)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Fact(fact, is_true) => Some((*fact, *is_true)),
            _ => None,
        })
    }

    /// Takes a step: what must be true from this step on, into what must be true from the next on.
    pub(super) fn step<F: Facts>(&self, later: &[Obligation], facts: &mut F) -> Alternatives<F> {
        let mut alternatives = vec![Alternative::default()];
        for obligation in later {
            let more = match self.part(obligation.part) {
                Part::Next(inner) => self.begin(*inner, facts)?,
                _ => self.go_on(*obligation, facts)?,
            };
            alternatives = self.both::<F>(&alternatives, &more)?;
            if alternatives.is_empty() {
                break;
            }
        }
        Ok(alternatives)
    }

    /// What it takes for a part to be true from this step on.
    fn begin<F: Facts>(&self, id: Id, facts: &mut F) -> Alternatives<F> {
        let part = self.part(id);
        match part {
            Part::Constant(constant) => Ok(constant_alternatives(*constant)),
            Part::Fact(fact, wanted) => Ok(match facts.fact(*fact)? {
                Some(is_true) => constant_alternatives(is_true == *wanted),
                None => {
                    vec![Alternative { now: vec![(*fact, *wanted)], ..Alternative::default() }]
                }
            }),
            Part::All(all) => {
                let mut alternatives = constant_alternatives(true);
                for one in all {
                    let more = self.begin(*one, facts)?;
                    alternatives = self.both::<F>(&alternatives, &more)?;
                    if alternatives.is_empty() {
                        break;
                    }
                }
                Ok(alternatives)
            }
            Part::Any(any) => {
                let mut alternatives = Vec::new();
                for one in any {
                    let more = self.begin(*one, facts)?;
                    alternatives = self.either::<F>(alternatives, more)?;
                    if is_certain(&alternatives) {
                        break;
                    }
                }
                Ok(alternatives)
            }
            Part::Next(_) => {
                let later = vec![Obligation { part: id, left: 0 }];
                Ok(vec![Alternative { later, ..Alternative::default() }])
            }
            Part::Until { limit, .. } | Part::Release { limit, .. } => {
                self.unfold(id, initial(*limit), facts)
            }
        }
    }

    /// What it takes for something that was put off to be true at last.
    fn go_on<F: Facts>(
        &self,
        Obligation { part: id, left }: Obligation,
        facts: &mut F,
    ) -> Alternatives<F> {
        let part = self.part(id);
        let limit = match part {
            Part::Until { limit, .. } | Part::Release { limit, .. } => *limit,
            _ => None,
        };
        let is_until = matches!(part, Part::Until { .. });
        let left = match (limit, facts.elapsed()) {
            (Some(Limit::Millis(_)), Some(elapsed)) => match left.checked_sub(elapsed) {
                Some(left) => left,
                None => return Ok(constant_alternatives(!is_until)),
            },
            // Any time may have passed: as little as it takes, or as much.
            (Some(Limit::Millis(_)), None) if !is_until => return Ok(constant_alternatives(true)),
            _ => left,
        };
        self.unfold(id, left, facts)
    }

    /// An `until` or what denies one, at a step.
    fn unfold<F: Facts>(&self, id: Id, left: u64, facts: &mut F) -> Alternatives<F> {
        let (is_until, first, second, limit) = match self.part(id) {
            Part::Until { hold, goal, limit } => (true, *hold, *goal, *limit),
            Part::Release { free, keep, limit } => (false, *free, *keep, *limit),
            _ => return self.begin(id, facts),
        };
        let now = self.begin(second, facts)?;
        // What came true needs nothing more; what was to be kept and is not is lost.
        if (is_until && is_certain(&now)) || (!is_until && now.is_empty()) {
            return Ok(now);
        }
        let on_time = match limit {
            Some(Limit::Steps(_)) => left.checked_sub(1),
            _ => Some(left),
        };
        let later = match on_time {
            None => constant_alternatives(!is_until),
            Some(left) => {
                let put_off = if is_until && !matches!(limit, Some(Limit::Steps(_))) {
                    vec![id]
                } else {
                    Vec::new()
                };
                let later = vec![Obligation { part: id, left }];
                vec![Alternative { now: Vec::new(), later, put_off }]
            }
        };
        let rest = self.begin(first, facts)?;
        match is_until {
            true => {
                let rest = self.both::<F>(&rest, &later)?;
                self.either::<F>(now, rest)
            }
            false => {
                let rest = self.either::<F>(rest, later)?;
                self.both::<F>(&now, &rest)
            }
        }
    }

    fn both<F: Facts>(&self, these: &[Alternative], those: &[Alternative]) -> Alternatives<F> {
        if these.len().saturating_mul(those.len()) > MOST_ALTERNATIVES * 4 {
            return Err(TooMany.into());
        }
        let mut all = Vec::new();
        for one in these {
            for other in those {
                all.extend(self.joined(one, other));
            }
        }
        self.weakest::<F>(all)
    }

    fn either<F: Facts>(
        &self,
        mut these: Vec<Alternative>,
        those: Vec<Alternative>,
    ) -> Alternatives<F> {
        these.extend(those);
        self.weakest::<F>(these)
    }

    /// Both at once; nothing if they contradict each other now.
    fn joined(&self, one: &Alternative, other: &Alternative) -> Option<Alternative> {
        let mut joined = one.clone();
        joined.now.extend(&other.now);
        joined.now.sort_unstable();
        joined.now.dedup();
        if joined.now.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        joined.put_off.extend(&other.put_off);
        joined.put_off.sort_unstable();
        joined.put_off.dedup();
        for more in &other.later {
            if !joined.later.iter().any(|known| self.implies(*known, *more)) {
                joined.later.retain(|known| !self.implies(*more, *known));
                joined.later.push(*more);
            }
        }
        joined.later.sort_unstable();
        Some(joined)
    }

    /// Without alternatives that demand all that another one does.
    pub(super) fn weakest<F: Facts>(&self, all: Vec<Alternative>) -> Alternatives<F> {
        let mut kept: Vec<Alternative> = Vec::new();
        for one in all {
            if !kept.iter().any(|known| self.demands(&one, known)) {
                kept.retain(|known| !self.demands(known, &one));
                kept.push(one);
            }
        }
        if kept.len() > MOST_ALTERNATIVES { Err(TooMany.into()) } else { Ok(kept) }
    }

    /// Whether `one` demands all that `other` does.
    fn demands(&self, one: &Alternative, other: &Alternative) -> bool {
        other.now.iter().all(|fact| one.now.contains(fact))
            && other.put_off.iter().all(|id| one.put_off.contains(id))
            && other.later.iter().all(|b| one.later.iter().any(|a| self.implies(*a, *b)))
    }

    fn implies(&self, one: Obligation, other: Obligation) -> bool {
        one.part == other.part
            && match self.part(one.part) {
                Part::Release { .. } => one.left >= other.left,
                _ => one.left <= other.left,
            }
    }
}

/// The empty alternative, which demands nothing, or no alternative at all.
pub(super) fn constant_alternatives(is_true: bool) -> Vec<Alternative> {
    if is_true { vec![Alternative::default()] } else { Vec::new() }
}

/// Whether nothing more is demanded.
pub(super) fn is_certain(alternatives: &[Alternative]) -> bool {
    alternatives.iter().any(|one| one.now.is_empty() && one.later.is_empty())
}

fn initial(limit: Option<Limit>) -> u64 {
    match limit {
        None => 0,
        Some(Limit::Steps(steps)) => steps.into(),
        Some(Limit::Millis(millis)) => millis,
    }
}
