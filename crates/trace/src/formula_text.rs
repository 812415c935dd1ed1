//! Formulas over properties of a screen: how they are made of properties, and printed.
//!
//! On its own because [`Formula`] knows nothing of screens. What is printed here, the parser of
//! `capuchin-spec` reads back: an operator of time inside of another formula stands in brackets, so
//! that nobody has to know whose `within` it is.

use crate::{Formula, Limit, Prop};
use capuchin_ui::Str;
use std::fmt::{Display, Formatter, Result};

impl From<Prop> for Formula<Prop> {
    /// What `!`, `/\`, `\/` and `==>` join is a formula of its own.
    fn from(prop: Prop) -> Self {
        let each = |props: Vec<Prop>| props.into_iter().map(Formula::from).collect();
        match prop {
            Prop::Not(inner) => Formula::Not(Box::new((*inner).into())),
            Prop::And(all) => Formula::And(each(all)),
            Prop::Or(all) => Formula::Or(each(all)),
            Prop::Implies(condition, consequence) => {
                Formula::Implies(Box::new((*condition).into()), Box::new((*consequence).into()))
            }
            fact => Formula::Now(fact),
        }
    }
}

impl Formula<Prop> {
    /// The property of a single screen that it is, if it is one.
    pub fn present(&self) -> Option<Prop> {
        let all = |parts: &[Self]| parts.iter().map(Formula::present).collect::<Option<_>>();
        Some(match self {
            Formula::Now(prop) => prop.clone(),
            Formula::Not(inner) => Prop::Not(Box::new(inner.present()?)),
            Formula::And(parts) => Prop::And(all(parts)?),
            Formula::Or(parts) => Prop::Or(all(parts)?),
            Formula::Implies(condition, consequence) => {
                condition.present()?.implies(consequence.present()?)
            }
            _ => return None,
        })
    }

    /// The names in it that a specification must declare, each once.
    pub fn needs(&self) -> Vec<Str> {
        let mut names = Vec::new();
        self.visit_facts(&mut |prop| prop.add_names(&mut names));
        names.sort();
        names.dedup();
        names
    }
}

impl Display for Formula<Prop> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Formula::Now(prop) => prop.fmt(f),
            Formula::Not(inner) => write!(f, "!{}", Operand(inner, Strength::Prefix)),
            Formula::And(all) => many(all, " /\\ ", Strength::Compare, f),
            Formula::Or(all) => many(all, " \\/ ", Strength::And, f),
            Formula::Implies(condition, consequence) => write!(
                f,
                "{} ==> {}",
                Operand(condition, Strength::Or),
                Operand(consequence, Strength::Implies)
            ),
            Formula::Next(inner) => write!(f, "next {}", Operand(inner, Strength::Prefix)),
            Formula::Always(inner) => write!(f, "always {}", Operand(inner, Strength::Prefix)),
            Formula::Eventually(goal, limit) => {
                write!(f, "eventually {}{}", Operand(goal, Strength::Prefix), Within(*limit))
            }
            Formula::Until(hold, goal, limit) => two("until", (hold, goal), *limit, f),
            Formula::LeadsTo(condition, goal, limit) => {
                two("leadsTo", (condition, goal), *limit, f)
            }
        }
    }
}

fn many(all: &[Formula<Prop>], operator: &str, least: Strength, f: &mut Formatter<'_>) -> Result {
    for (i, one) in all.iter().enumerate() {
        f.write_str(if i > 0 { operator } else { "" })?;
        Operand(one, least).fmt(f)?;
    }
    Ok(())
}

fn two(
    operator: &str,
    (left, right): (&Formula<Prop>, &Formula<Prop>),
    limit: Option<Limit>,
    f: &mut Formatter<'_>,
) -> Result {
    let (left, right) = (Operand(left, Strength::Prefix), Operand(right, Strength::Prefix));
    write!(f, "{left} {operator} {right}{}", Within(limit))
}

struct Within(Option<Limit>);

impl Display for Within {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            None => Ok(()),
            Some(Limit::Steps(steps)) => write!(f, " within {steps}"),
            Some(Limit::Millis(millis)) => write!(f, " within {millis} ms"),
        }
    }
}

/// How tightly the parts of a formula hold together, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Temporal,
    Implies,
    Or,
    And,
    Compare,
    Prefix,
}

struct Operand<'a>(&'a Formula<Prop>, Strength);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let strength = match self.0 {
            Formula::Now(Prop::Compare(..) | Prop::Matches(..) | Prop::Contains(..)) => {
                Strength::Compare
            }
            // Only who makes a formula by hand has these in one.
            Formula::Now(Prop::And(_) | Prop::Or(_) | Prop::Implies(..)) => Strength::Temporal,
            Formula::Now(_) | Formula::Not(_) => Strength::Prefix,
            Formula::And(_) => Strength::And,
            Formula::Or(_) => Strength::Or,
            Formula::Implies(..) => Strength::Implies,
            _ => Strength::Temporal,
        };
        if strength < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}
