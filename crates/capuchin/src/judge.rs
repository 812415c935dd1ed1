//! Whether a property holds on a screen, and what was seen when it did not.

use crate::probe::{self, Probe};
use capuchin_trace::{Arithmetic, Comparison, Expr, Prop};
use capuchin_ui::{DeviceError, Str, Value};
use std::cmp::Ordering;

/// Whether the property holds now. The device is asked only for what the screen cannot tell.
pub(crate) fn holds(prop: &Prop, app: &mut Probe<'_>) -> Result<bool, DeviceError> {
    Ok(match prop {
        Prop::Constant(holds) => *holds,
        Prop::Element(test, selector) => test.passes(app.screen, selector),
        Prop::HasText(selector, text) => {
            app.screen.find(selector).any(|(_, element)| element.shown() == text)
        }
        Prop::Compare(left, comparison, right) => {
            both(left, right, app)?.is_some_and(|(left, right)| compare_values(&left, *comparison, &right))
        }
        Prop::Matches(value, pattern) => {
            evaluate(value, app)?.is_some_and(|value| pattern.describes(&as_text(value)))
        }
        Prop::Contains(value, part) => both(value, part, app)?
            .is_some_and(|(value, part)| as_text(value).contains(as_text(part).as_str())),
        Prop::User(name, args) => match all(args, app)? {
            Some(args) => ask(name, &args, app)?,
            None => false,
        },
        Prop::Screen(test) => test.passes(app.screen),
        Prop::Not(inner) => !holds(inner, app)?,
        Prop::And(all) => all.iter().try_fold(true, |held, prop| Ok(held && holds(prop, app)?))?,
        Prop::Or(all) => all.iter().try_fold(false, |held, prop| Ok(held || holds(prop, app)?))?,
        Prop::Implies(condition, consequence) => {
            !holds(condition, app)? || holds(consequence, app)?
        }
    })
}

/// Whether it holds, and whether there was anything to judge: an implication whose condition is not
/// true says nothing.
pub(crate) fn judged(prop: &Prop, app: &mut Probe<'_>) -> Result<(bool, bool), DeviceError> {
    Ok(match prop {
        Prop::Implies(condition, consequence) => match holds(condition, app)? {
            true => judged(consequence, app)?,
            false => (true, false),
        },
        Prop::And(all) => {
            let mut is_alive = false;
            for prop in all {
                let (holds, alive) = judged(prop, app)?;
                is_alive |= alive;
                if !holds {
                    return Ok((false, true));
                }
            }
            (true, is_alive)
        }
        prop => (holds(prop, app)?, true),
    })
}

fn ask(name: &str, args: &[Value], app: &mut Probe<'_>) -> Result<bool, DeviceError> {
    let answer = probe::ask(app.device, |powers| Some(powers.predicates()?.holds(name, args)))?;
    answer.ok_or_else(|| app.info().unsupported(format!("predicate {name}")))
}

/// What the device computes; a number that cannot be written is none.
fn asked(name: &str, args: &[Value], app: &mut Probe<'_>) -> Result<Option<Value>, DeviceError> {
    let answer = probe::ask(app.device, |powers| Some(powers.predicates()?.value(name, args)))?;
    let value = answer.ok_or_else(|| app.info().unsupported(format!("value {name}")))?;
    Ok(value.filter(|value| !matches!(value, Value::Number(number) if !number.is_finite())))
}

/// The value of an expression, if everything that it reads is on the screen.
pub(crate) fn evaluate(expr: &Expr, app: &mut Probe<'_>) -> Result<Option<Value>, DeviceError> {
    Ok(match expr {
        Expr::Number(number) => Some(Value::Number(*number)),
        Expr::Text(text) => Some(Value::Text(text.clone())),
        Expr::Missing => None,
        // Every name that has a value has been replaced by it.
        Expr::Remembered(name) => {
            return Err(DeviceError::Request(format!(
                "nothing was remembered as `{name}`; write `let {name} = ...` before it is used"
            )));
        }
        Expr::TextOf(selector) => {
            app.screen.first(selector).map(|element| Value::Text(element.shown().clone()))
        }
        Expr::TextsOf(selector) => Some(Value::Text(app.screen.texts(selector).into())),
        Expr::ValueOf(selector) => {
            app.screen.first(selector).map(|element| Value::Text(element.value.clone()))
        }
        Expr::NumberOf(selector) => app.screen.number(selector).map(Value::Number),
        Expr::Count(selector) => Some(Value::Number(app.screen.count(selector) as f64)),
        Expr::Ask(name, args) => match all(args, app)? {
            Some(args) => asked(name, &args, app)?,
            None => None,
        },
        Expr::Length(inner) => {
            evaluate(inner, app)?.map(|value| Value::Number(as_text(value).chars().count() as f64))
        }
        Expr::Arithmetic(left, operator, right) => {
            both(left, right, app)?.and_then(|(left, right)| calculate(&left, *operator, &right))
        }
    })
}

/// The values of two expressions, if both have one.
fn both(
    left: &Expr,
    right: &Expr,
    app: &mut Probe<'_>,
) -> Result<Option<(Value, Value)>, DeviceError> {
    let left = evaluate(left, app)?;
    Ok(left.zip(evaluate(right, app)?))
}

/// The values of several expressions, if all have one.
fn all(exprs: &[Expr], app: &mut Probe<'_>) -> Result<Option<Vec<Value>>, DeviceError> {
    exprs.iter().map(|expr| evaluate(expr, app).transpose()).collect::<Option<_>>().transpose()
}

fn calculate(left: &Value, operator: Arithmetic, right: &Value) -> Option<Value> {
    if let (Arithmetic::Add, Value::Text(left), Value::Text(right)) = (operator, left, right) {
        return Some(Value::Text(format!("{left}{right}").into()));
    }
    let (left, right) = (as_number(left)?, as_number(right)?);
    let result = match operator {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
        Arithmetic::Remainder => left % right,
    };
    result.is_finite().then_some(Value::Number(result))
}

/// Whether two values compare so, as in a property: a text that is compared with a number is read
/// as one.
pub fn compare_values(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let ordering = match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
        _ => {
            let numbers = as_number(left).zip(as_number(right));
            numbers.and_then(|(left, right)| left.partial_cmp(&right))
        }
    };
    let Some(ordering) = ordering else { return false };
    match comparison {
        Comparison::Equal => ordering == Ordering::Equal,
        Comparison::NotEqual => ordering != Ordering::Equal,
        Comparison::Less => ordering == Ordering::Less,
        Comparison::LessOrEqual => ordering != Ordering::Greater,
        Comparison::Greater => ordering == Ordering::Greater,
        Comparison::GreaterOrEqual => ordering != Ordering::Less,
    }
}

fn as_text(value: Value) -> Str {
    match value {
        Value::Text(text) => text,
        Value::Number(number) => number.to_string().into(),
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
    }
}

/// The values of what stands in a property: `count(checkbox) = 3`, `text(#left) = "2"`.
pub(crate) fn seen(prop: &Prop, app: &mut Probe<'_>) -> Result<Vec<String>, DeviceError> {
    let mut parts = Vec::new();
    collect(prop, app, &mut parts)?;
    Ok(parts)
}

fn collect(prop: &Prop, app: &mut Probe<'_>, parts: &mut Vec<String>) -> Result<(), DeviceError> {
    match prop {
        Prop::Compare(left, _, right) | Prop::Contains(left, right) => {
            collect_expr(left, app, parts)?;
            collect_expr(right, app, parts)?;
        }
        Prop::Matches(value, _) => collect_expr(value, app, parts)?,
        Prop::HasText(selector, _) => {
            collect_expr(&Expr::TextOf(selector.clone()), app, parts)?;
        }
        Prop::Element(..) | Prop::User(..) => {
            say(parts, format!("{prop} is {}", holds(prop, app)?));
        }
        Prop::Not(inner) => collect(inner, app, parts)?,
        Prop::And(all) | Prop::Or(all) => {
            all.iter().try_for_each(|prop| collect(prop, app, parts))?;
        }
        Prop::Implies(condition, consequence) => {
            collect(condition, app, parts)?;
            collect(consequence, app, parts)?;
        }
        Prop::Constant(_) | Prop::Screen(_) => {}
    }
    Ok(())
}

fn collect_expr(
    expr: &Expr,
    app: &mut Probe<'_>,
    parts: &mut Vec<String>,
) -> Result<(), DeviceError> {
    match expr {
        Expr::Number(_) | Expr::Text(_) | Expr::Missing => {}
        Expr::Arithmetic(left, _, right) => {
            collect_expr(left, app, parts)?;
            collect_expr(right, app, parts)?;
        }
        Expr::Length(inner) => collect_expr(inner, app, parts)?,
        read => {
            let value = evaluate(read, app)?;
            say(parts, format!("{read} = {}", shown(value.as_ref())));
        }
    }
    Ok(())
}

/// Nothing is said twice.
fn say(parts: &mut Vec<String>, part: String) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// A value for people; what is not there is said to be so.
pub(crate) fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "not there".to_owned(), Value::to_string)
}
