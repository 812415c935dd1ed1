//! Typed lists: `a b - type c - (either d e) f`, the form of every declaration.

use super::super::diagnostic::Mistake;
use super::super::model::{OBJECT, Parameter, TypeId};
use super::super::sexpr::{Node, shortened};
use super::MOST_PARAMETERS;
use std::collections::BTreeMap;

/// The types of a domain by their names.
pub(super) type TypeNames<'a> = BTreeMap<&'a str, TypeId>;

/// A name, and the node that says what it is, if one does.
pub(super) type Declared<'a, 'b> = (&'b Node<'a>, &'a str, Option<&'b Node<'a>>);

/// Splits a typed list into names and types. Names begin with a question mark if `variables`.
pub(super) fn split<'a, 'b>(
    list: &'b [Node<'a>],
    variables: bool,
) -> Result<Vec<Declared<'a, 'b>>, Mistake> {
    let mut declared: Vec<Declared<'a, 'b>> = Vec::new();
    let (mut typed, mut rest) = (0, list.iter());
    while let Some(node) = rest.next() {
        let what = if variables { "a variable such as `?x`" } else { "a name" };
        let Some(name) = node.name() else {
            return Err(node.wrong(format!("expected {what}, found {}", node.describe())));
        };
        if name == "-" {
            let Some(typ) = rest.next() else {
                return Err(node.wrong("expected a type after `-`"));
            };
            if typed == declared.len() {
                return Err(node.wrong(format!("expected {what} before `-`")));
            }
            declared[typed..].iter_mut().for_each(|(_, _, of)| *of = Some(typ));
            typed = declared.len();
        } else if name.starts_with('?') != variables || name == "?" {
            return Err(node.wrong(format!("expected {what}, found `{}`", shortened(name))));
        } else {
            declared.push((node, name, None));
        }
    }
    Ok(declared)
}

/// The names of a type, or of an `(either …)`.
pub(super) fn type_names<'a>(node: &Node<'a>) -> Result<Vec<(&'a str, Mistake)>, Mistake> {
    let expected = "expected a type or `(either …)`";
    let unknown = |node: &Node<'a>| {
        let name = node.name().filter(|name| *name != "-" && !name.starts_with('?'));
        let name = name.ok_or_else(|| node.wrong(expected))?;
        Ok((name, node.wrong(format!("there is no type `{}`", shortened(name)))))
    };
    match node.list() {
        None => Ok(vec![unknown(node)?]),
        Some([head, rest @ ..]) if head.name() == Some("either") && !rest.is_empty() => {
            rest.iter().map(unknown).collect()
        }
        Some(_) => Err(node.wrong(expected)),
    }
}

/// The types that a declaration names; `object`, if it names none.
pub(super) fn types(
    node: Option<&Node<'_>>,
    known: &TypeNames<'_>,
) -> Result<Vec<TypeId>, Mistake> {
    let Some(node) = node else { return Ok(vec![OBJECT]) };
    let mut types = Vec::new();
    for (name, unknown) in type_names(node)? {
        match known.get(name) {
            Some(typ) if types.contains(typ) => {}
            Some(typ) => types.push(*typ),
            None => return Err(unknown.nearest(name, known.keys().copied())),
        }
    }
    Ok(types)
}

/// A list of typed variables.
pub(super) fn parameters(
    list: &[Node<'_>],
    known: &TypeNames<'_>,
) -> Result<Vec<Parameter>, Mistake> {
    let declared = split(list, true)?;
    if let Some((node, ..)) = declared.get(MOST_PARAMETERS) {
        return Err(node.wrong(format!("there are more than {MOST_PARAMETERS} variables")));
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for (node, name, typ) in declared {
        if parameters.iter().any(|other| other.name == name[1..]) {
            return Err(node.wrong(format!("`{name}` is there twice")));
        }
        parameters.push(Parameter { name: name[1..].to_owned(), types: types(typ, known)? });
    }
    Ok(parameters)
}
