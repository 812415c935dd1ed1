//! The language as text. What is printed here, the parser of `capuchin-spec` reads back.
//!
//! Generators put braces around everything that is not a single word, so nobody has to remember
//! how tightly `<+>` binds. Properties and values use as few parentheses as they can.

use crate::event_gen::ArgumentGen;
use crate::{
    Arithmetic, Auto, EventGen, Expr, Gen, Numbers, Places, Prop, Targets, Texts, Towards,
};
use capuchin_ui::{Quoted, Target};
use std::fmt::{Display, Formatter, Result};

impl Display for Gen {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Gen::Unit => f.write_str("•"),
            Gen::Event(event) => event.fmt(f),
            Gen::Seq(parts) => fmt_seq(parts, f),
            Gen::Choice(arms) => separated(f, arms.iter().map(Operand), " <+> "),
            Gen::Weighted(arms) => {
                f.write_str("frequency(")?;
                separated(
                    f,
                    arms.iter().map(|(weight, arm)| Weighed(*weight, Operand(arm))),
                    ", ",
                )?;
                f.write_str(")")
            }
            Gen::Repeat(0, most, inner) => write!(f, "repeat {most} {{ {inner} }}"),
            Gen::Repeat(least, most, inner) if least == most => {
                write!(f, "times {most} {{ {inner} }}")
            }
            Gen::Repeat(least, most, inner) => write!(f, "repeat {least}..{most} {{ {inner} }}"),
            Gen::Try(inner) if matches!(**inner, Gen::Event(_) | Gen::Unit) => {
                write!(f, "{inner}?")
            }
            Gen::Try(inner) => write!(f, "{{ {inner} }}?"),
            Gen::Then(guard, inner) => write!(f, "{guard} then {}", Operand(inner)),
            Gen::Assert(prop) => write!(f, "assert {prop}"),
            Gen::Let(name, value) => write!(f, "let {name} = {value}"),
            Gen::Keeps(inner, value) => write!(f, "{} keeps {value}", Operand(inner)),
            Gen::Always(inner, prop) => write!(f, "{} always {prop}", Operand(inner)),
            Gen::Interleave(first, second) => {
                write!(f, "{} || {}", Operand(first), Operand(second))
            }
            Gen::Interrupts(_) => fmt_seq(std::slice::from_ref(self), f),
            Gen::Optional(inner) => write!(f, "optional {{ {inner} }}"),
            Gen::Preserves(inner, prop) => write!(f, "{} preserves {prop}", Operand(inner)),
            Gen::Monkey(n) => write!(f, "monkey {n}"),
            Gen::RelevantMonkey(n) => write!(f, "relevantMonkey {n}"),
            Gen::Gorilla(n, directive) => write!(f, "gorilla {n} {{ {directive} }}"),
            Gen::Auto(auto) => auto.fmt(f),
        }
    }
}

impl Display for Auto {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "auto {} ", self.policy)?;
        if let Some(argument) = &self.argument {
            write!(f, "{} ", Quoted(argument))?;
        }
        write!(f, "{}", self.moves)?;
        match &self.script {
            Some((how, script)) => write!(f, " {} {{ {script} }}", how.name()),
            None => Ok(()),
        }
    }
}

/// A sequence; interrupts in it are the operator `*>>` between their neighbours, or between a
/// neighbour and nothing.
fn fmt_seq(parts: &[Gen], f: &mut Formatter<'_>) -> Result {
    // Whether an operand stands on the left that the next operator can join.
    let mut has_left = false;
    let mut pending: Option<u32> = None;
    for part in parts {
        if let Gen::Interrupts(most) = part {
            if !has_left || pending.is_some() {
                fmt_join(pending.take(), has_left, f)?;
                f.write_str("•")?;
                has_left = true;
            }
            pending = Some(*most);
        } else {
            fmt_join(pending.take(), has_left, f)?;
            Operand(part).fmt(f)?;
            has_left = true;
        }
    }
    if pending.is_some() {
        fmt_join(pending, has_left, f)?;
        f.write_str("•")?;
    }
    Ok(())
}

fn fmt_join(interrupts: Option<u32>, has_left: bool, f: &mut Formatter<'_>) -> Result {
    match interrupts {
        Some(Gen::INTERRUPTS) => f.write_str(" *>> "),
        Some(most) => write!(f, " *>>^{most} "),
        None if has_left => f.write_str(" :>> "),
        None => Ok(()),
    }
}

/// A generator as part of a larger one.
struct Operand<'a>(&'a Gen);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let composite = matches!(
            self.0,
            Gen::Seq(_)
                | Gen::Choice(_)
                | Gen::Then(..)
                | Gen::Keeps(..)
                | Gen::Always(..)
                | Gen::Interleave(..)
                | Gen::Interrupts(_)
                | Gen::Preserves(..)
        );
        if composite { write!(f, "{{ {} }}", self.0) } else { self.0.fmt(f) }
    }
}

struct Weighed<T>(u32, T);

impl<T: Display> Display for Weighed<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} -> {}", self.0, self.1)
    }
}

fn separated<T: Display>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

fn fmt_one_of<T: Display>(arms: &[(u32, T)], f: &mut Formatter<'_>) -> Result {
    if arms.iter().all(|(weight, _)| *weight == 1) {
        f.write_str("oneOf(")?;
        separated(f, arms.iter().map(|(_, arm)| arm), ", ")?;
    } else {
        f.write_str("frequency(")?;
        separated(f, arms.iter().map(|(weight, arm)| Weighed(*weight, arm)), ", ")?;
    }
    f.write_str(")")
}

impl Display for EventGen {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            EventGen::Click(targets) => write!(f, "Click({targets})"),
            EventGen::LongClick(targets) => write!(f, "LongClick({targets})"),
            EventGen::DoubleClick(targets) => write!(f, "DoubleClick({targets})"),
            EventGen::Hover(targets) => write!(f, "Hover({targets})"),
            EventGen::Clear(targets) => write!(f, "Clear({targets})"),
            EventGen::Type(targets, texts) => write!(f, "Type({targets}, {texts})"),
            EventGen::Swipe(targets, Towards::Direction(direction)) => {
                write!(f, "Swipe({targets}, {})", direction.name())
            }
            EventGen::Swipe(targets, Towards::Place(places)) => {
                write!(f, "Swipe({targets}, {places})")
            }
            EventGen::Swipe(targets, Towards::Element(selector)) => {
                write!(f, "Swipe({targets}, {selector})")
            }
            EventGen::Pinch(from, to) => write!(f, "Pinch({from}, {to})"),
            EventGen::Sleep(millis) => write!(f, "Sleep({millis})"),
            EventGen::Environment(name, args) => {
                write!(f, "{name}(")?;
                separated(f, args, ", ")?;
                f.write_str(")")
            }
            EventGen::Just(event) => event.fmt(f),
        }
    }
}

impl Display for ArgumentGen {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ArgumentGen::Number(numbers) => numbers.fmt(f),
            ArgumentGen::Text(texts) => texts.fmt(f),
        }
    }
}

impl Display for Targets {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Targets::One(selector) => selector.fmt(f),
            Targets::Any(selector) => Target::Any(selector.clone()).fmt(f),
            Targets::Saying(texts) => texts.fmt(f),
            Targets::Place(places) => places.fmt(f),
            Targets::OneOf(arms) => fmt_one_of(arms, f),
        }
    }
}

impl Display for Places {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Places::Point(x, y) => write!(f, "({x}, {y})"),
            Places::Anywhere => f.write_str("anywhere"),
        }
    }
}

impl Display for Texts {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Texts::Just(text) => Quoted(text).fmt(f),
            Texts::Matching(strings) => {
                write!(f, "string({})", Quoted(strings.pattern().source()))
            }
            Texts::OneOf(arms) => fmt_one_of(arms, f),
        }
    }
}

impl Display for Numbers {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Numbers::Just(number) => write!(f, "{number}"),
            Numbers::Between(low, high) => write!(f, "choose({low}, {high})"),
            Numbers::OneOf(arms) => fmt_one_of(arms, f),
        }
    }
}

impl Display for Prop {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Prop::Constant(holds) => write!(f, "{holds}"),
            Prop::Element(test, selector) => write!(f, "{}({selector})", test.name()),
            Prop::HasText(selector, text) => write!(f, "hasText({selector}, {})", Quoted(text)),
            Prop::Compare(left, comparison, right) => {
                write!(f, "{left} {} {right}", comparison.symbol())
            }
            Prop::Matches(value, pattern) => {
                write!(f, "{value} matches {}", Quoted(pattern.source()))
            }
            Prop::Contains(value, part) => write!(f, "{value} contains {part}"),
            Prop::User(name, args) => fmt_question(name, args, f),
            Prop::Screen(test) => write!(f, "rust({})", Quoted(&test.name)),
            Prop::Not(inner) => write!(f, "!{}", PropOperand(inner, Strength::Prefix)),
            Prop::And(all) => {
                separated(f, all.iter().map(|p| PropOperand(p, Strength::Compare)), " /\\ ")
            }
            Prop::Or(all) => {
                separated(f, all.iter().map(|p| PropOperand(p, Strength::And)), " \\/ ")
            }
            Prop::Implies(condition, consequence) => write!(
                f,
                "{} ==> {}",
                PropOperand(condition, Strength::Or),
                PropOperand(consequence, Strength::Implies)
            ),
        }
    }
}

/// How tightly the parts of a property hold together, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Implies,
    Or,
    And,
    Compare,
    Prefix,
}

struct PropOperand<'a>(&'a Prop, Strength);

impl Display for PropOperand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let strength = match self.0 {
            Prop::Implies(..) => Strength::Implies,
            Prop::Or(_) => Strength::Or,
            Prop::And(_) => Strength::And,
            Prop::Compare(..) | Prop::Matches(..) | Prop::Contains(..) => Strength::Compare,
            _ => Strength::Prefix,
        };
        if strength < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Expr::Number(number) => write!(f, "{number}"),
            Expr::Text(text) => Quoted(text).fmt(f),
            Expr::Missing => f.write_str("missing"),
            Expr::Remembered(name) => f.write_str(name),
            Expr::TextOf(selector) => write!(f, "text({selector})"),
            Expr::TextsOf(selector) => write!(f, "texts({selector})"),
            Expr::ValueOf(selector) => write!(f, "value({selector})"),
            Expr::NumberOf(selector) => write!(f, "number({selector})"),
            Expr::Count(selector) => write!(f, "count({selector})"),
            Expr::Ask(name, args) => fmt_question(name, args, f),
            Expr::Length(inner) => write!(f, "length({inner})"),
            Expr::Arithmetic(left, operator, right) => {
                let level = arithmetic_level(*operator);
                fmt_term(left, level, f)?;
                write!(f, " {} ", operator.symbol())?;
                fmt_term(right, level + 1, f)
            }
        }
    }
}

/// What the device is asked: a name, and in parentheses what it is asked about, if anything.
fn fmt_question(name: &str, args: &[Expr], f: &mut Formatter<'_>) -> Result {
    f.write_str(name)?;
    if !args.is_empty() {
        f.write_str("(")?;
        separated(f, args, ", ")?;
        f.write_str(")")?;
    }
    Ok(())
}

fn arithmetic_level(operator: Arithmetic) -> u8 {
    match operator {
        Arithmetic::Add | Arithmetic::Subtract => 0,
        Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder => 1,
    }
}

fn fmt_term(term: &Expr, least: u8, f: &mut Formatter<'_>) -> Result {
    match term {
        Expr::Arithmetic(_, operator, _) if arithmetic_level(*operator) < least => {
            write!(f, "({term})")
        }
        _ => term.fmt(f),
    }
}
