//! Domain files.

use super::super::diagnostic::{MOST_DIAGNOSTICS, Mistake};
use super::super::model::{
    Action, Domain, Effect, Formula, Function, OBJECT, Object, Parameter, Predicate, Type, TypeId,
};
use super::super::sexpr::{Node, shortened};
use super::super::types::TypeTree;
use super::formula::{Names, Scope, list};
use super::typed_list::{TypeNames, parameters, split, type_names, types};
use super::{MOST_NAMES, MOST_TYPES, define, section};
use std::collections::BTreeMap;

/// The keywords of PDDL 3.1 and of the planning competitions.
const REQUIREMENTS: [&str; 25] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":adl",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":derived-predicates",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":action-costs",
    ":domain-axioms",
    ":open-world",
    ":safety-constraints",
    ":goal-utilities",
];

const SECTIONS: [&str; 6] =
    [":requirements", ":types", ":constants", ":predicates", ":functions", ":action"];

pub(super) fn read(node: &Node<'_>) -> Result<Domain, Vec<Mistake>> {
    let (name, rest) = define(node, "domain")?;
    let mut wrong = Vec::new();
    let mut sections: BTreeMap<&str, Vec<&[Node<'_>]>> = BTreeMap::new();
    let mut actions = Vec::new();
    for node in rest {
        match section(node) {
            Ok((":action", words)) => actions.push((node, words)),
            Ok((word, words)) if SECTIONS.contains(&word) => {
                sections.entry(word).or_default().push(words);
            }
            Ok((word, _)) => wrong.push(unknown_section(node, word, &SECTIONS)),
            Err(mistake) => wrong.push(mistake),
        }
    }
    let words = |name: &str| -> Vec<&Node<'_>> {
        sections.get(name).into_iter().flatten().flat_map(|words| words.iter()).collect()
    };
    let mut domain = Domain {
        name: name.to_owned(),
        requirements: requirements(&words(":requirements"), &mut wrong),
        types: Vec::new(),
        constants: Vec::new(),
        predicates: Vec::new(),
        functions: Vec::new(),
        actions: Vec::new(),
    };
    let of = |name: &str| sections.get(name).map(Vec::as_slice).unwrap_or_default();
    let known = declare_types(of(":types"), &mut domain.types).map_err(|mistake| vec![mistake])?;
    for words in of(":constants") {
        note(&mut wrong, declare_objects(words, &known, &mut domain.constants, 0));
    }
    for node in words(":predicates") {
        if domain.predicates.len() == MOST_NAMES || wrong.len() > MOST_DIAGNOSTICS {
            let message = format!("there are more than {MOST_NAMES} predicates");
            wrong.push(node.wrong(message));
            break;
        }
        note(&mut wrong, declare_predicate(node, &known, &mut domain.predicates));
    }
    for words in of(":functions") {
        note(&mut wrong, declare_functions(words, &known, &mut domain.functions));
    }
    if !wrong.is_empty() {
        // What would be said of the actions would mostly follow from this.
        return Err(wrong);
    }
    let mut read: Vec<Action> = Vec::new();
    {
        let names = names(&domain, &[]);
        for (node, words) in actions {
            if read.len() == MOST_NAMES || wrong.len() > MOST_DIAGNOSTICS {
                wrong.push(node.wrong(format!("there are more than {MOST_NAMES} actions")));
                break;
            }
            match action(words, node, &names, &domain) {
                Ok(action) if read.iter().any(|other| other.name == action.name) => {
                    let message = format!("the action `{}` is there twice", action.name);
                    wrong.push(node.wrong(message));
                }
                Ok(action) => read.push(action),
                Err(mistake) => wrong.push(mistake),
            }
        }
    }
    domain.actions = read;
    if wrong.is_empty() { Ok(domain) } else { Err(wrong) }
}

pub(super) fn unknown_section(node: &Node<'_>, word: &str, known: &[&'static str]) -> Mistake {
    let at = node.list().and_then(|list| list.first()).unwrap_or(node);
    let wrong = at.wrong(match word {
        ":derived" | ":durative-action" | ":constraints" => format!("`{word}` is not supported"),
        _ => format!("there is no section `{}`", shortened(word)),
    });
    wrong.nearest(word, known.iter().copied())
}

fn note(wrong: &mut Vec<Mistake>, result: Result<(), Mistake>) {
    wrong.extend(result.err());
}

pub(super) fn requirements(words: &[&Node<'_>], wrong: &mut Vec<Mistake>) -> Vec<String> {
    let mut read = Vec::new();
    for node in words.iter().take(MOST_NAMES) {
        let name = node.name().unwrap_or_default();
        if REQUIREMENTS.contains(&name) {
            read.push(name.to_owned());
        } else {
            let mistake = node.wrong(format!("unknown requirement {}", node.describe()));
            wrong.push(mistake.nearest(name, REQUIREMENTS.into_iter()));
        }
    }
    read
}

/// What names mean in a file of this domain, with these objects beside its constants.
pub(super) fn names<'a>(domain: &'a Domain, objects: &'a [Object]) -> Names<'a> {
    fn by_name<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, u32> {
        names.zip(0..).map(|(name, number)| (name.as_str(), number)).collect()
    }
    let all = domain.constants.iter().chain(objects).zip(0..);
    Names {
        types: by_name(domain.types.iter().map(|typ| &typ.name)),
        tree: TypeTree::of(domain),
        predicates: by_name(domain.predicates.iter().map(|predicate| &predicate.name)),
        functions: by_name(domain.functions.iter().map(|function| &function.name)),
        objects: all.map(|(it, number)| (it.name.as_str(), (number, it.types.clone()))).collect(),
    }
}

/// Declares the types. A supertype that is declared nowhere is an object.
fn declare_types<'a>(
    sections: &[&[Node<'a>]],
    types: &mut Vec<Type>,
) -> Result<TypeNames<'a>, Mistake> {
    types.push(Type { name: "object".to_owned(), parents: Vec::new() });
    let mut known = TypeNames::from([("object", OBJECT)]);
    let mut declared = Vec::new();
    for words in sections {
        declared.extend(split(words, false)?);
    }
    let mut supertypes = Vec::new();
    for (.., of) in &declared {
        supertypes.push(of.map_or(Ok(Vec::new()), type_names)?);
    }
    let own = declared.iter().map(|(node, name, _)| (*name, *node));
    let above = declared
        .iter()
        .zip(&supertypes)
        .flat_map(|((node, ..), supertypes)| supertypes.iter().map(|(name, _)| (*name, *node)));
    for (name, node) in own.chain(above) {
        if !known.contains_key(name) {
            if types.len() == MOST_TYPES {
                return Err(node.wrong(format!("there are more than {MOST_TYPES} types")));
            }
            known.insert(name, types.len() as TypeId);
            types.push(Type { name: name.to_owned(), parents: Vec::new() });
        }
    }
    for ((_, name, _), supertypes) in declared.iter().zip(&supertypes) {
        let typ = known[name];
        for (above, _) in supertypes {
            let (above, parents) = (known[above], &mut types[typ as usize].parents);
            // That everything is an object need not be said.
            if typ != OBJECT && !parents.contains(&above) {
                parents.push(above);
            }
        }
    }
    for typ in &mut types[1..] {
        if typ.parents.is_empty() {
            typ.parents.push(OBJECT);
        }
    }
    TypeTree::new(types).map_err(|typ| {
        let name = &types[typ as usize].name;
        let at = declared.iter().find(|(_, declared, _)| declared == name);
        let message = format!("the type `{}` is a kind of itself", shortened(name));
        at.map_or(Mistake::new(0..0, message.clone()), |(node, ..)| node.wrong(message))
    })?;
    Ok(known)
}

/// Declares constants or objects. One that is declared again in the same way is left out.
pub(super) fn declare_objects(
    words: &[Node<'_>],
    known: &TypeNames<'_>,
    objects: &mut Vec<Object>,
    constants: usize,
) -> Result<(), Mistake> {
    let mut by_name: BTreeMap<String, usize> =
        objects.iter().enumerate().map(|(index, object)| (object.name.clone(), index)).collect();
    for (node, name, typ) in split(words, false)? {
        let types = types(typ, known)?;
        match by_name.get(name) {
            Some(index) if objects[*index].types == types || *index < constants => {}
            Some(_) => {
                return Err(node.wrong(format!("`{}` is there twice", shortened(name))));
            }
            None => {
                by_name.insert(name.to_owned(), objects.len());
                objects.push(Object { name: name.to_owned(), types });
            }
        }
    }
    Ok(())
}

fn declare_predicate(
    node: &Node<'_>,
    known: &TypeNames<'_>,
    predicates: &mut Vec<Predicate>,
) -> Result<(), Mistake> {
    let (name, parameters) = declaration(node, known)?;
    if predicates.iter().any(|other| other.name == name) {
        return Err(node.wrong(format!("the predicate `{}` is there twice", shortened(name))));
    }
    // Some models declare equality, which is always there.
    if name != "=" {
        predicates.push(Predicate { name: name.to_owned(), parameters });
    }
    Ok(())
}

/// `(name ?x - type …)`.
fn declaration<'a>(
    node: &Node<'a>,
    known: &TypeNames<'_>,
) -> Result<(&'a str, Vec<Parameter>), Mistake> {
    let list = node.list().unwrap_or_default();
    let Some(name) = node.head().filter(|name| !name.starts_with(['?', ':'])) else {
        let found = node.describe();
        return Err(node.wrong(format!("expected `(NAME ?x - TYPE …)`, found {found}")));
    };
    if ["and", "or", "not", "imply", "exists", "forall", "when", "either"].contains(&name) {
        return Err(node.wrong(format!("`{name}` is a word of PDDL, and not a name")));
    }
    Ok((name, parameters(&list[1..], known)?))
}

fn declare_functions(
    words: &[Node<'_>],
    known: &TypeNames<'_>,
    functions: &mut Vec<Function>,
) -> Result<(), Mistake> {
    let mut words = words.iter();
    while let Some(node) = words.next() {
        if node.name() == Some("-") {
            match words.next() {
                Some(typ) if typ.name() == Some("number") => continue,
                Some(typ) => return Err(typ.wrong("a function is a `number`")),
                None => return Err(node.wrong("expected `number` after `-`")),
            }
        }
        let (name, parameters) = declaration(node, known)?;
        if functions.len() == MOST_NAMES {
            return Err(node.wrong(format!("there are more than {MOST_NAMES} functions")));
        }
        if functions.iter().any(|other| other.name == name) {
            return Err(node.wrong(format!("the function `{}` is there twice", shortened(name))));
        }
        functions.push(Function { name: name.to_owned(), parameters });
    }
    Ok(())
}

fn action(
    words: &[Node<'_>],
    node: &Node<'_>,
    names: &Names<'_>,
    domain: &Domain,
) -> Result<Action, Mistake> {
    let Some((name, mut words)) = words.split_first() else {
        return Err(node.wrong("expected a name after `:action`"));
    };
    let Some(name) = name.name().filter(|name| !name.starts_with([':', '?'])) else {
        return Err(
            name.wrong(format!("expected the name of an action, found {}", name.describe()))
        );
    };
    let mut parts: BTreeMap<&str, &Node<'_>> = BTreeMap::new();
    while let Some((key, rest)) = words.split_first() {
        let known = [":parameters", ":precondition", ":effect"];
        let Some(word) = key.name().filter(|word| known.contains(word)) else {
            let wrong = key.wrong(format!(
                "expected one of {}, found {}",
                known.join(", "),
                key.describe()
            ));
            return Err(wrong.nearest(key.name().unwrap_or_default(), known.into_iter()));
        };
        let Some((value, rest)) = rest.split_first() else {
            return Err(key.wrong(format!("expected something after `{word}`")));
        };
        if parts.insert(word, value).is_some() {
            return Err(key.wrong(format!("`{word}` is there twice")));
        }
        words = rest;
    }
    let declared = match parts.get(":parameters") {
        Some(node) => parameters(list(node, "the parameters")?, &names.types)?,
        None => Vec::new(),
    };
    let mut scope = Scope { names, domain, variables: declared.clone() };
    let precondition = match parts.get(":precondition") {
        Some(node) => scope.formula(node)?,
        None => Formula::And(Vec::new()),
    };
    let effect = match parts.get(":effect") {
        Some(node) => scope.effect(node)?,
        None => Effect::And(Vec::new()),
    };
    Ok(Action { name: name.to_owned(), parameters: declared, precondition, effect })
}
