//! Reads domain and problem files: names are resolved, and arities and types are checked.
//!
//! A mistake in one action or one fact does not hide those in the next: each part of a file is read
//! on its own, and all mistakes are told.
//!
//! What other planners accept is accepted: case does not matter, requirements need not be listed,
//! a supertype need not be declared, and an argument's type may be wider than the predicate's, as
//! long as some object could have both.

mod domain;
mod formula;
mod problem;
mod typed_list;

use super::diagnostic::{Mistake, ReadError, located};
use super::model::{Domain, Formula, Problem};
use super::sexpr::{self, Node};

/// The most variables in scope at one place, and so the most parameters of anything.
const MOST_PARAMETERS: usize = 60;
/// The most predicates, functions and actions of a domain.
const MOST_NAMES: usize = 10_000;
/// The most types of a domain: their closure takes quadratic space.
const MOST_TYPES: usize = 4000;

impl Domain {
    /// Reads a domain file.
    pub fn parse(text: &str) -> Result<Domain, ReadError> {
        let lower = text.to_ascii_lowercase();
        let read = sexpr::read(&lower).map_err(|wrong| vec![wrong]);
        read.and_then(|node| domain::read(&node)).map_err(|wrong| located(text, wrong))
    }
}

impl Problem {
    /// Reads a problem file of this domain.
    pub fn parse(text: &str, domain: &Domain) -> Result<Problem, ReadError> {
        let lower = text.to_ascii_lowercase();
        let read = sexpr::read(&lower).map_err(|wrong| vec![wrong]);
        read.and_then(|node| problem::read(&node, domain)).map_err(|wrong| located(text, wrong))
    }
}

/// Reads a condition about the objects of a problem.
pub(crate) fn read_condition(
    text: &str,
    domain: &Domain,
    problem: &Problem,
) -> Result<Formula, ReadError> {
    let lower = text.to_ascii_lowercase();
    let read = sexpr::read(&lower);
    let read = read.and_then(|node| problem::read_condition(&node, domain, &problem.objects));
    read.map_err(|wrong| located(text, vec![wrong]))
}

/// The name and the sections of `(define (KIND name) section …)`.
fn define<'a, 'b>(
    node: &'b Node<'a>,
    kind: &str,
) -> Result<(&'a str, &'b [Node<'a>]), Vec<Mistake>> {
    let expected = format!("expected `(define ({kind} NAME) …)`");
    let wrong = |node: &Node<'_>| vec![node.wrong(expected.as_str())];
    let list = node.list().filter(|_| node.head() == Some("define")).ok_or_else(|| wrong(node))?;
    let title = list.get(1).ok_or_else(|| wrong(node))?;
    match title.list() {
        Some([word, name]) if word.name() == Some(kind) => {
            Ok((name.name().ok_or_else(|| wrong(name))?, &list[2..]))
        }
        Some([word, _]) if ["domain", "problem"].iter().any(|other| word.name() == Some(other)) => {
            Err(vec![word.wrong(expected).help("were the two files swapped?")])
        }
        _ => Err(wrong(title)),
    }
}

/// The words of a section such as `(:objects …)`, without its keyword.
fn section<'a, 'b>(node: &'b Node<'a>) -> Result<(&'a str, &'b [Node<'a>]), Mistake> {
    match (node.head(), node.list()) {
        (Some(head), Some(list)) if head.starts_with(':') => Ok((head, &list[1..])),
        _ => Err(node
            .wrong(format!("expected a section such as `(:init …)`, found {}", node.describe()))),
    }
}
