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
        Prop::Compare(left, comparison, right) => compare(left, *comparison, right, screen),
        Prop::Matches(value, pattern) => {
            evaluate(value, screen).is_some_and(|value| pattern.describes(&as_text(value)))
        }
        Prop::Contains(value, part) => match (evaluate(value, screen), evaluate(part, screen)) {
            (Some(value), Some(part)) => as_text(value).contains(as_text(part).as_str()),
            _ => false,
        },
        Prop::User(name, args) => {
            let args: Option<Vec<Value>> = args.iter().map(|arg| evaluate(arg, screen)).collect();
            match args {
                Some(args) => ask(name, &args, device)?,
                None => false,
            }
        }
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
        None => Err(DeviceError::Unsupported {
            device: device.info().name.clone(),
            what: format!("predicate {name}"),
        }),
    }
}

/// The value of an expression, if everything that it reads is on the screen.
pub(crate) fn evaluate(expr: &Expr, screen: &Screen) -> Option<Value> {
    match expr {
        Expr::Number(number) => Some(Value::Number(*number)),
        Expr::Text(text) => Some(Value::Text(text.clone())),
        Expr::TextOf(selector) => {
            screen.first(selector).map(|element| Value::Text(element.shown().clone()))
        }
        Expr::ValueOf(selector) => {
            screen.first(selector).map(|element| Value::Text(element.value.clone()))
        }
        Expr::NumberOf(selector) => screen.number(selector).map(Value::Number),
        Expr::Count(selector) => Some(Value::Number(screen.count(selector) as f64)),
        Expr::Length(inner) => {
            let text = as_text(evaluate(inner, screen)?);
            Some(Value::Number(text.chars().count() as f64))
        }
        Expr::Arithmetic(left, operator, right) => {
            let (left, right) = (evaluate(left, screen)?, evaluate(right, screen)?);
            if let (Arithmetic::Add, Value::Text(left), Value::Text(right)) =
                (operator, &left, &right)
            {
                return Some(Value::Text(format!("{left}{right}").into()));
            }
            let (left, right) = (as_number(&left)?, as_number(&right)?);
            let result = match operator {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::Multiply => left * right,
                Arithmetic::Divide => left / right,
                Arithmetic::Remainder => left % right,
            };
            result.is_finite().then_some(Value::Number(result))
        }
    }
}

fn compare(left: &Expr, comparison: Comparison, right: &Expr, screen: &Screen) -> bool {
    let (Some(left), Some(right)) = (evaluate(left, screen), evaluate(right, screen)) else {
        return false;
    };
    let ordering = match (&left, &right) {
        (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
        // A text that is compared with a number is read as one.
        _ => match (as_number(&left), as_number(&right)) {
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

/// The values of what stands in a property: `count(checkbox) = 3, text(#left) = "2"`.
pub(crate) fn seen(
    prop: &Prop,
    screen: &Screen,
    device: &mut dyn Device,
) -> Result<String, DeviceError> {
    let mut parts = Vec::new();
    collect(prop, screen, device, &mut parts)?;
    Ok(parts.join(", "))
}

fn collect(
    prop: &Prop,
    screen: &Screen,
    device: &mut dyn Device,
    parts: &mut Vec<String>,
) -> Result<(), DeviceError> {
    match prop {
        Prop::Compare(left, _, right) | Prop::Contains(left, right) => {
            collect_expr(left, screen, parts);
            collect_expr(right, screen, parts);
        }
        Prop::Matches(value, _) => collect_expr(value, screen, parts),
        Prop::HasText(selector, _) => {
            collect_expr(&Expr::TextOf(selector.clone()), screen, parts);
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

fn collect_expr(expr: &Expr, screen: &Screen, parts: &mut Vec<String>) {
    match expr {
        Expr::Number(_) | Expr::Text(_) => {}
        Expr::Arithmetic(left, _, right) => {
            collect_expr(left, screen, parts);
            collect_expr(right, screen, parts);
        }
        Expr::Length(inner) => collect_expr(inner, screen, parts),
        read => say(parts, format!("{read} = {}", shown(evaluate(read, screen).as_ref()))),
    }
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
