//! Remembered values: names in properties and values, and what stands in their place once it is
//! known.
//!
//! On its own because a run binds the names of a property before it judges it: what is reported and
//! saved is then about plain values, and runs again without the `let` that they came from.

use crate::{Expr, Prop};
use capuchin_ui::Value;

/// What a name stands for; `None` if nothing was remembered under it.
pub type Meaning<'a> = &'a dyn Fn(&str) -> Option<Expr>;

impl Expr {
    /// A value as it is written; what is not there is `missing`.
    pub fn literal(value: Option<Value>) -> Expr {
        match value {
            Some(Value::Number(number)) => Expr::Number(number),
            Some(Value::Text(text)) => Expr::Text(text),
            None => Expr::Missing,
        }
    }

    /// The same with every name replaced that has a meaning.
    #[must_use]
    pub fn bound(&self, meaning: Meaning<'_>) -> Expr {
        match self {
            Expr::Remembered(name) => meaning(name).unwrap_or_else(|| self.clone()),
            Expr::Ask(name, args) => {
                Expr::Ask(name.clone(), args.iter().map(|arg| arg.bound(meaning)).collect())
            }
            Expr::Length(inner) => Expr::Length(Box::new(inner.bound(meaning))),
            Expr::Arithmetic(left, operator, right) => Expr::Arithmetic(
                Box::new(left.bound(meaning)),
                *operator,
                Box::new(right.bound(meaning)),
            ),
            Expr::Number(_)
            | Expr::Text(_)
            | Expr::Missing
            | Expr::TextOf(_)
            | Expr::TextsOf(_)
            | Expr::ValueOf(_)
            | Expr::NumberOf(_)
            | Expr::Count(_) => self.clone(),
        }
    }

    /// Visits it and every expression in it.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match self {
            Expr::Ask(_, args) => args.iter().for_each(|arg| arg.visit(visit)),
            Expr::Length(inner) => inner.visit(visit),
            Expr::Arithmetic(left, _, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Expr::Remembered(_)
            | Expr::Number(_)
            | Expr::Text(_)
            | Expr::Missing
            | Expr::TextOf(_)
            | Expr::TextsOf(_)
            | Expr::ValueOf(_)
            | Expr::NumberOf(_)
            | Expr::Count(_) => {}
        }
    }
}

impl Prop {
    /// The same with every name replaced that has a meaning.
    #[must_use]
    pub fn bound(&self, meaning: Meaning<'_>) -> Prop {
        let all = |props: &[Prop]| props.iter().map(|prop| prop.bound(meaning)).collect();
        match self {
            Prop::Compare(left, comparison, right) => {
                Prop::Compare(left.bound(meaning), *comparison, right.bound(meaning))
            }
            Prop::Matches(value, pattern) => Prop::Matches(value.bound(meaning), pattern.clone()),
            Prop::Contains(value, part) => {
                Prop::Contains(value.bound(meaning), part.bound(meaning))
            }
            Prop::User(name, args) => {
                Prop::User(name.clone(), args.iter().map(|arg| arg.bound(meaning)).collect())
            }
            Prop::Not(inner) => Prop::Not(Box::new(inner.bound(meaning))),
            Prop::And(props) => Prop::And(all(props)),
            Prop::Or(props) => Prop::Or(all(props)),
            Prop::Implies(condition, consequence) => {
                condition.bound(meaning).implies(consequence.bound(meaning))
            }
            Prop::Constant(_) | Prop::Element(..) | Prop::HasText(..) | Prop::Screen(_) => {
                self.clone()
            }
        }
    }

    /// Visits every value expression in it.
    pub fn visit_values<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Prop::Compare(left, _, right) | Prop::Contains(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Prop::Matches(value, _) => value.visit(visit),
            Prop::User(_, args) => args.iter().for_each(|arg| arg.visit(visit)),
            Prop::Not(inner) => inner.visit_values(visit),
            Prop::And(props) | Prop::Or(props) => {
                props.iter().for_each(|prop| prop.visit_values(visit));
            }
            Prop::Implies(condition, consequence) => {
                condition.visit_values(visit);
                consequence.visit_values(visit);
            }
            Prop::Constant(_) | Prop::Element(..) | Prop::HasText(..) | Prop::Screen(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn names_that_have_a_meaning_are_replaced() {
        let prop = equal(count_of(item()), remembered("n") + Expr::Number(1.0))
            .and(!equal(text_of(id("t")), remembered("other")));
        assert_eq!(prop.to_string(), "count(item) == n + 1 /\\ !(text(#t) == other)");
        let two = |name: &str| (name == "n").then_some(Expr::Number(2.0));
        assert_eq!(prop.bound(&two).to_string(), "count(item) == 2 + 1 /\\ !(text(#t) == other)");
    }
}
