//! Gives arbitrary generators names that are remembered before they are used, as a parsed spec has
//! them.
//!
//! On its own because a strategy draws a part without knowing what surrounds it: `let` and the
//! names are drawn as placeholders, and put right here.

use capuchin_trace::{Auto, Expr, Gen, Prop};
use capuchin_ui::Str;
use std::sync::Arc;

/// The placeholder of what is remembered of a text.
pub(crate) const TEXT: &str = "t";
/// The placeholder of what is remembered of a number.
pub(crate) const NUMBER: &str = "n";

/// The last name of this kind that is known, or a value as written.
fn meaning(placeholder: &str, known: &[Str]) -> Expr {
    let last = known.iter().rev().find(|name| name.starts_with(placeholder));
    match (last, placeholder) {
        (Some(name), _) => Expr::Remembered(name.clone()),
        (None, TEXT) => Expr::Text("x".into()),
        (None, _) => Expr::Number(7.0),
    }
}

pub(crate) fn expr(expr: &Expr, known: &[Str]) -> Expr {
    expr.bound(&|placeholder| Some(meaning(placeholder, known)))
}

pub(crate) fn prop(prop: &Prop, known: &[Str]) -> Prop {
    prop.bound(&|placeholder| Some(meaning(placeholder, known)))
}

pub(crate) fn generator(generator: Gen, known: &[Str]) -> Gen {
    let inside = |inner: Gen| self::generator(inner, known);
    match generator {
        Gen::Seq(parts) => {
            let mut known = known.to_vec();
            let mut scoped = Vec::new();
            for part in parts {
                let part = self::generator(part, &known);
                if let Gen::Let(name, _) = &part {
                    known.push(name.clone());
                }
                scoped.push(part);
            }
            Gen::seq(scoped)
        }
        Gen::Let(placeholder, value) => {
            Gen::Let(format!("{placeholder}{}", known.len()).into(), expr(&value, known))
        }
        Gen::Choice(arms) => Gen::choice(arms.iter().cloned().map(inside)),
        Gen::Weighted(arms) => {
            Gen::weighted(arms.iter().map(|(weight, arm)| (*weight, inside(arm.clone()))))
        }
        Gen::Repeat(least, most, inner) => inside(*inner).repeat(least..=most),
        Gen::Try(inner) => inside(*inner).attempt(),
        Gen::Then(guard, inner) => inside(*inner).when(prop(&guard, known)),
        Gen::Assert(asserted) => Gen::Assert(prop(&asserted, known)),
        Gen::Keeps(inner, value) => inside(*inner).keeps(expr(&value, known)),
        Gen::Always(inner, always) => inside(*inner).always(prop(&always, known)),
        Gen::Interleave(first, second) => inside(*first).interleave(*second),
        Gen::Optional(inner) => inside(*inner).optional(),
        Gen::Preserves(inner, kept) => inside(*inner).preserves(prop(&kept, known)),
        Gen::Gorilla(times, inner) => Gen::Gorilla(times, Box::new(inside(*inner))),
        Gen::Auto(auto) => {
            let script = auto.script.clone().map(|(how, script)| (how, inside(script)));
            Gen::Auto(Arc::new(Auto { script, ..(*auto).clone() }))
        }
        leaf => leaf,
    }
}
