//! Ground conditions: conjunctions of literals and of clauses, evaluated on a state of bits.
//!
//! A clause is a disjunction of conditions. Competition planners split an operator for every
//! disjunct, which takes exponential space for a conjunction of disjunctions; here disjunctions
//! stay, and cost one evaluation.

/// A fact or its negation: twice the number of the fact, plus one if it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) fn new(fact: u32, negated: bool) -> Self {
        Literal(fact * 2 + u32::from(negated))
    }

    pub(crate) fn fact(self) -> u32 {
        self.0 / 2
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn holds(self, state: &[u64]) -> bool {
        bit(state, self.fact()) != self.is_negated()
    }
}

/// Whether a bit is set.
pub(crate) fn bit(state: &[u64], fact: u32) -> bool {
    state[fact as usize / 64] >> (fact % 64) & 1 == 1
}

/// Sets a bit.
pub(crate) fn set_bit(state: &mut [u64], fact: u32) {
    state[fact as usize / 64] |= 1 << (fact % 64);
}

/// The numbers of the bits that are set.
pub(crate) fn ones(state: &[u64]) -> impl Iterator<Item = u32> + '_ {
    state.iter().zip(0u32..).flat_map(|(word, index)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let low = (rest != 0).then(|| rest.trailing_zeros());
            rest &= rest.wrapping_sub(1);
            low.map(|low| index * 64 + low)
        })
    })
}

/// All literals hold, and of each clause one condition. Literals are sorted, and clauses are not
/// empty. The default holds always.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Condition {
    pub(crate) literals: Vec<Literal>,
    pub(crate) clauses: Vec<Vec<Condition>>,
}

impl Condition {
    pub(crate) fn is_empty(&self) -> bool {
        self.literals.is_empty() && self.clauses.is_empty()
    }

    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        self.literals.iter().all(|literal| literal.holds(state))
            && self.clauses.iter().all(|clause| clause.iter().any(|one| one.holds(state)))
    }

    /// Everything that it mentions.
    pub(crate) fn each_literal(&self, call: &mut dyn FnMut(Literal)) {
        self.literals.iter().for_each(|literal| call(*literal));
        self.clauses.iter().flatten().for_each(|one| one.each_literal(call));
    }

    /// The same with other facts; `None` if it became false.
    pub(crate) fn map(&self, to: &dyn Fn(Literal) -> Known) -> Option<Condition> {
        let mut parts = Vec::with_capacity(self.literals.len() + self.clauses.len());
        for literal in &self.literals {
            match to(*literal) {
                Known::True => {}
                Known::False => return None,
                Known::Literal(literal) => parts.push(Ground::Literal(literal)),
            }
        }
        for clause in &self.clauses {
            let mapped = clause.iter().filter_map(|one| one.map(to));
            parts.push(Ground::any(mapped.map(Ground::from).collect()));
        }
        Ground::all(parts).into_condition()
    }
}

/// A literal whose value may be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    True,
    False,
    Literal(Literal),
}

/// A ground formula in negation normal form, while it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Literal(Literal),
    /// True, if empty.
    And(Vec<Ground>),
    /// False, if empty.
    Or(Vec<Ground>),
}

impl From<Condition> for Ground {
    fn from(condition: Condition) -> Self {
        let mut parts: Vec<Ground> = condition.literals.into_iter().map(Ground::Literal).collect();
        for clause in condition.clauses {
            parts.push(Ground::Or(clause.into_iter().map(Ground::from).collect()));
        }
        Ground::all(parts)
    }
}

impl Ground {
    pub(crate) fn constant(value: bool) -> Self {
        if value { Ground::And(Vec::new()) } else { Ground::Or(Vec::new()) }
    }

    pub(crate) fn is(&self, value: bool) -> bool {
        match self {
            Ground::And(parts) => value && parts.is_empty(),
            Ground::Or(parts) => !value && parts.is_empty(),
            Ground::Literal(_) => false,
        }
    }

    /// The conjunction, without what need not be said.
    pub(crate) fn all(parts: Vec<Ground>) -> Ground {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                part if part.is(false) => return part,
                Ground::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Ground::And(flat),
        }
    }

    /// The disjunction, without what need not be said.
    pub(crate) fn any(parts: Vec<Ground>) -> Ground {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                part if part.is(true) => return part,
                Ground::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Ground::Or(flat),
        }
    }

    /// The condition, or `None` if it is false.
    pub(crate) fn into_condition(self) -> Option<Condition> {
        let mut condition = Condition::default();
        let parts = match self {
            Ground::And(parts) => parts,
            other => vec![other],
        };
        for part in parts {
            match part {
                Ground::Literal(literal) => condition.literals.push(literal),
                Ground::And(inner) => {
                    let inner = Ground::And(inner).into_condition()?;
                    condition.literals.extend(inner.literals);
                    condition.clauses.extend(inner.clauses);
                }
                Ground::Or(parts) => {
                    let one_of = parts.into_iter().filter_map(Ground::into_condition);
                    let mut clause: Vec<Condition> = one_of.collect();
                    clause.sort_unstable();
                    clause.dedup();
                    match clause.len() {
                        0 => return None,
                        1 => {
                            let only = clause.remove(0);
                            condition.literals.extend(only.literals);
                            condition.clauses.extend(only.clauses);
                        }
                        _ if clause.iter().any(Condition::is_empty) => {}
                        _ => condition.clauses.push(clause),
                    }
                }
            }
        }
        condition.literals.sort_unstable();
        condition.literals.dedup();
        condition.clauses.sort_unstable();
        condition.clauses.dedup();
        let contradicts = |pair: &[Literal]| pair[0].fact() == pair[1].fact();
        (!condition.literals.windows(2).any(contradicts)).then_some(condition)
    }
}
