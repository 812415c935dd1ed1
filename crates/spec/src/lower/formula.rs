//! Temporal properties.
//!
//! On its own because they are about runs: a part without an operator of time is a property of one
//! screen, and is lowered as such.

use super::prop::NOTHING;
use super::{Lower, Scope};
use crate::ast::{Binary, Kind, Many, Node, Prefix, Temporal};
use crate::diagnostic::Draft;
use capuchin_trace::{Formula, Prop};

/// A property of more parts is refused: it is looked at after every step.
const MOST_PARTS: usize = 1000;

impl<'a> Lower<'a, '_> {
    /// A property as an item of a file.
    pub(super) fn whole_formula(&mut self, node: &'a Node, scope: &Scope<'a>) -> Formula<Prop> {
        let formula = self.formula(node, scope);
        if count(&formula) > MOST_PARTS {
            self.report(
                Draft::error(
                    "this property has more than 1,000 parts",
                    node.span,
                    "too large to be judged after every step",
                )
                .help("make several properties of it"),
            );
        }
        formula
    }

    pub(super) fn formula(&mut self, node: &'a Node, scope: &Scope<'a>) -> Formula<Prop> {
        self.at(node, scope, Self::formula_at).unwrap_or(Formula::Now(NOTHING))
    }

    fn formula_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Formula<Prop> {
        match &node.kind {
            Kind::Prefix(Prefix::Not, inner) => Formula::Not(Box::new(self.formula(inner, scope))),
            Kind::Many(many @ (Many::And | Many::Or), parts) => {
                let mut flat = Vec::with_capacity(parts.len());
                for part in parts {
                    match (many, self.formula(part, scope)) {
                        (Many::And, Formula::And(inner)) | (Many::Or, Formula::Or(inner)) => {
                            flat.extend(inner);
                        }
                        (_, formula) => flat.push(formula),
                    }
                }
                if *many == Many::And { Formula::And(flat) } else { Formula::Or(flat) }
            }
            Kind::Binary(Binary::Implies, left, right) => {
                let left = Box::new(self.formula(left, scope));
                Formula::Implies(left, Box::new(self.formula(right, scope)))
            }
            Kind::Temporal(which, parts, limit) => {
                let mut parts = parts.iter().map(|part| Box::new(self.formula(part, scope)));
                let mut part = || parts.next().unwrap_or_else(|| Box::new(Formula::Now(NOTHING)));
                match which {
                    Temporal::Next => Formula::Next(part()),
                    Temporal::Always => Formula::Always(part()),
                    Temporal::Eventually => Formula::Eventually(part(), *limit),
                    Temporal::Until => Formula::Until(part(), part(), *limit),
                    Temporal::LeadsTo => Formula::LeadsTo(part(), part(), *limit),
                }
            }
            _ => Formula::Now(self.prop(node, scope)),
        }
    }
}

fn count(formula: &Formula<Prop>) -> usize {
    1 + formula.parts().into_iter().map(count).sum::<usize>()
}
