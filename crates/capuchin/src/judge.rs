//! Whether a property holds on a screen, and what was seen when it did not.

use capuchin_trace::{Arithmetic, Comparison, Expr, Prop};
use capuchin_ui::{Device, DeviceError, Powers, Screen, Str, Value};
use std::cmp::Ordering;

/// Whether the property holds now. The device is asked only for what the screen cannot tell.
pub(crate) fn holds(
    prop: &Prop,
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<bool, DeviceError> {
    Ok(match prop {
        Prop::Constant(holds) => *holds,
        Prop::Element(test, selector) => test.passes(screen, selector),
        Prop::HasText(selector, text) => {
            screen.find(selector).any(|(_, element)| element.shown() == text)
        }
        Prop::Compare(left, comparison, right) => match both(left, right, screen, device)? {
            Some((left, right)) => compare(&left, *comparison, &right),
            None => false,
        },
        Prop::Matches(value, pattern) => {
            evaluate(value, screen, device)?.is_some_and(|value| pattern.describes(&as_text(value)))
        }
        Prop::Contains(value, part) => match both(value, part, screen, device)? {
            Some((value, part)) => as_text(value).contains(as_text(part).as_str()),
            None => false,
        },
        Prop::User(name, args) => match all(args, screen, device)? {
            Some(args) => ask(name, &args, device)?,
            None => false,
        },
        Prop::Screen(test) => test.passes(screen),
        Prop::Not(inner) => !holds(inner, screen, device)?,
        Prop::And(all) => {
            for prop in all {
                if !holds(prop, screen, device)? {
                    return Ok(false);
                }
            }
            true
        }
        Prop::Or(all) => {
            for prop in all {
                if holds(prop, screen, device)? {
                    return Ok(true);
                }
            }
            false
        }
        Prop::Implies(condition, consequence) => {
            !holds(condition, screen, device)? || holds(consequence, screen, device)?
        }
    })
}

fn ask(name: &str, args: &[Value], device: &mut dyn Device) -> Result<bool, DeviceError> {
    match device.powers().and_then(Powers::predicates) {
        Some(predicates) => predicates.holds(name, args),
        None => Err(device.info().unsupported(format!("predicate {name}"))),
    }
}

/// What the device computes; a number that cannot be written is none.
fn asked(
    name: &str,
    args: &[Value],
    device: &mut dyn Device,
) -> Result<Option<Value>, DeviceError> {
    let value = match device.powers().and_then(Powers::predicates) {
        Some(predicates) => predicates.value(name, args)?,
        None => return Err(device.info().unsupported(format!("value {name}"))),
    };
    Ok(value.filter(|value| !matches!(value, Value::Number(number) if !number.is_finite())))
}

/// The value of an expression, if everything that it reads is on the screen.
pub(crate) fn evaluate(
    expr: &Expr,
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<Option<Value>, DeviceError> {
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
            screen.first(selector).map(|element| Value::Text(element.shown().clone()))
        }
        Expr::TextsOf(selector) => Some(Value::Text(screen.texts(selector).into())),
        Expr::ValueOf(selector) => {
            screen.first(selector).map(|element| Value::Text(element.value.clone()))
        }
        Expr::NumberOf(selector) => screen.number(selector).map(Value::Number),
        Expr::Count(selector) => Some(Value::Number(screen.count(selector) as f64)),
        Expr::Ask(name, args) => match all(args, screen, device)? {
            Some(args) => asked(name, &args, device)?,
            None => None,
        },
        Expr::Length(inner) => evaluate(inner, screen, device)?
            .map(|value| Value::Number(as_text(value).chars().count() as f64)),
        Expr::Arithmetic(left, operator, right) => both(left, right, screen, device)?
            .and_then(|(left, right)| calculate(&left, *operator, &right)),
    })
}

/// The values of two expressions, if both have one.
fn both(
    left: &Expr,
    right: &Expr,
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<Option<(Value, Value)>, DeviceError> {
    let left = evaluate(left, screen, device)?;
    Ok(left.zip(evaluate(right, screen, device)?))
}

/// The values of several expressions, if all have one.
fn all(
    exprs: &[Expr],
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<Option<Vec<Value>>, DeviceError> {
    exprs
        .iter()
        .map(|expr| evaluate(expr, screen, device).transpose())
        .collect::<Option<_>>()
        .transpose()
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

fn compare(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let ordering = match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
        // A text that is compared with a number is read as one.
        _ => match (as_number(left), as_number(right)) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => None,
        },
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
pub(crate) fn seen(
    prop: &Prop,
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<Vec<String>, DeviceError> {
    let mut parts = Vec::new();
    collect(prop, screen, device, &mut parts)?;
    Ok(parts)
}

fn collect(
    prop: &Prop,
    screen: &Screen,
    device: &mut dyn Device,
    parts: &mut Vec<String>,
) -> Result<(), DeviceError> {
    match prop {
        Prop::Compare(left, _, right) | Prop::Contains(left, right) => {
            collect_expr(left, screen, device, parts)?;
            collect_expr(right, screen, device, parts)?;
        }
        Prop::Matches(value, _) => collect_expr(value, screen, device, parts)?,
        Prop::HasText(selector, _) => {
            collect_expr(&Expr::TextOf(selector.clone()), screen, device, parts)?;
        }
        Prop::Element(..) | Prop::User(..) => {
            say(parts, format!("{prop} is {}", holds(prop, screen, device)?));
        }
        Prop::Not(inner) => collect(inner, screen, device, parts)?,
        Prop::And(all) | Prop::Or(all) => {
            for prop in all {
                collect(prop, screen, device, parts)?;
            }
        }
        Prop::Implies(condition, consequence) => {
            collect(condition, screen, device, parts)?;
            collect(consequence, screen, device, parts)?;
        }
        Prop::Constant(_) | Prop::Screen(_) => {}
    }
    Ok(())
}

fn collect_expr(
    expr: &Expr,
    screen: &Screen,
    device: &mut dyn Device,
    parts: &mut Vec<String>,
) -> Result<(), DeviceError> {
    match expr {
        Expr::Number(_) | Expr::Text(_) | Expr::Missing => {}
        Expr::Arithmetic(left, _, right) => {
            collect_expr(left, screen, device, parts)?;
            collect_expr(right, screen, device, parts)?;
        }
        Expr::Length(inner) => collect_expr(inner, screen, device, parts)?,
        read => {
            let value = evaluate(read, screen, device)?;
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
