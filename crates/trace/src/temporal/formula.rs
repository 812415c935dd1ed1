//! Formulas as a user writes them.

/// A statement about a run, from the step at which it is judged on. `A` is what is true or not at a
/// single step.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula<A> {
    /// This is true now.
    Now(A),
    /// Not.
    Not(Box<Formula<A>>),
    /// All of them.
    And(Vec<Formula<A>>),
    /// At least one of them.
    Or(Vec<Formula<A>>),
    /// The second if the first.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// It is true at the next step.
    Next(Box<Formula<A>>),
    /// It is true now and at every later step.
    Always(Box<Formula<A>>),
    /// It is true now or at a later step.
    Eventually(Box<Formula<A>>, Option<Limit>),
    /// The second becomes true, and the first is true at every step before.
    Until(Box<Formula<A>>, Box<Formula<A>>, Option<Limit>),
    /// Whenever the first is true, the second is then or later.
    LeadsTo(Box<Formula<A>>, Box<Formula<A>>, Option<Limit>),
}

/// How long something may take: it is true at the latest so many steps later, or so long after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// So many steps.
    Steps(u32),
    /// So many milliseconds of the app's own time.
    Millis(u64),
}

impl<A> Formula<A> {
    /// The formulas that it is made of.
    pub fn parts(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Now(_) => Vec::new(),
            Formula::Not(one)
            | Formula::Next(one)
            | Formula::Always(one)
            | Formula::Eventually(one, _) => vec![one],
            Formula::And(all) | Formula::Or(all) => all.iter().collect(),
            Formula::Implies(one, other)
            | Formula::Until(one, other, _)
            | Formula::LeadsTo(one, other, _) => vec![one, other],
        }
    }

    /// Whether this very operator is one of time.
    pub fn is_temporal(&self) -> bool {
        !matches!(
            self,
            Formula::Now(_)
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_)
                | Formula::Implies(..)
        )
    }

    /// Whether it is about the present alone.
    pub fn is_present(&self) -> bool {
        !self.is_temporal() && self.parts().into_iter().all(Formula::is_present)
    }

    /// Shows everything that is judged at single steps to a function.
    pub fn visit_facts<'a>(&'a self, visit: &mut dyn FnMut(&'a A)) {
        if let Formula::Now(fact) = self {
            visit(fact);
        }
        self.parts().into_iter().for_each(|part| part.visit_facts(visit));
    }

    /// What has to come true for it to say anything: the left sides of `==>` and `leadsTo`.
    pub fn conditions(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Implies(condition, _) | Formula::LeadsTo(condition, ..) => vec![condition],
            other => other.parts().into_iter().flat_map(Formula::conditions).collect(),
        }
    }

    /// Whether it counts the app's own time.
    pub fn counts_time(&self) -> bool {
        let limit = match self {
            Formula::Eventually(_, limit)
            | Formula::Until(_, _, limit)
            | Formula::LeadsTo(_, _, limit) => *limit,
            _ => None,
        };
        matches!(limit, Some(Limit::Millis(_)))
            || self.parts().into_iter().any(Formula::counts_time)
    }
}
