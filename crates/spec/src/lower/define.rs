//! Definitions and declarations: who may be called what, and who goes round in circles.

use super::names::{ENVIRONMENT, is_reserved};
use super::{Bound, Def, Frame, Lower, Scope};
use crate::ast::{Item, Kind, Name, Node, Span};
use crate::diagnostic::Draft;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many parameters a definition may have. They are looked up one by one.
const MOST_PARAMS: usize = 32;

impl<'a> Lower<'a, '_> {
    /// Collects what the file defines and declares.
    pub(super) fn collect(&mut self, items: &'a [Item]) {
        let mut taken: BTreeMap<&'a str, Span> = BTreeMap::new();
        for item in items {
            let (Item::Define { name, .. }
            | Item::Predicate(name, _)
            | Item::Script { name, .. }
            | Item::Environment(name, _)) = item
            else {
                continue;
            };
            if !self.may_be_called(name, &mut taken) {
                continue;
            }
            match item {
                Item::Define { name, params, body } => {
                    if let Some(extra) = params.get(MOST_PARAMS) {
                        let message = format!("a definition has at most {MOST_PARAMS} parameters");
                        self.report(Draft::error(message, extra.span, "one too many"));
                        continue;
                    }
                    let mut names = BTreeMap::new();
                    for param in params {
                        self.may_be_called(param, &mut names);
                    }
                    self.defs.insert(&name.text, Def { name, params, body, circular: false });
                }
                Item::Predicate(name, arity) => drop(self.predicates.insert(&name.text, *arity)),
                Item::Script { name, params, is_value, .. } => {
                    self.check_parameters(params);
                    if *is_value {
                        self.values.insert(&name.text, params.len());
                    } else {
                        self.predicates.insert(&name.text, Some(params.len()));
                    }
                }
                Item::Environment(name, arity) => drop(self.environment.insert(&name.text, *arity)),
                _ => {}
            }
        }
        self.mark_circles();
    }

    /// The parameters of a script are names in another language: any word will do, once.
    fn check_parameters(&mut self, params: &'a [Name]) {
        let mut taken: BTreeMap<&str, Span> = BTreeMap::new();
        for param in params {
            if !crate::is_word(&param.text) {
                let message = "a parameter of a script is a plain name";
                self.report(Draft::error(message, param.span, "this is none"));
            } else if let Some(first) = taken.insert(&param.text, param.span) {
                let message = format!("`{}` is there twice", param.text);
                self.report(
                    Draft::error(message, param.span, "the second time")
                        .also(first, "the first time"),
                );
            }
        }
    }

    pub(super) fn may_be_called(&mut self, name: &'a Name, taken: &mut BTreeMap<&'a str, Span>) -> bool {
        let built_in = ENVIRONMENT.iter().any(|(event, ..)| *event == name.text);
        if is_reserved(&name.text) || built_in {
            self.report(
                Draft::error(
                    format!("`{}` is a word of the language", name.text),
                    name.span,
                    "it has a meaning already",
                )
                .help("call it something else"),
            );
            return false;
        }
        if let Some(first) = taken.insert(&name.text, name.span) {
            self.report(
                Draft::error(
                    format!("`{}` is defined twice", name.text),
                    name.span,
                    "the second time",
                )
                .also(first, "the first time")
                .help("call one of them something else"),
            );
            return false;
        }
        true
    }

    /// Finds definitions that use themselves. With a stack of its own, because there can be as many
    /// definitions in a row as a file has lines.
    fn mark_circles(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Open,
            Done,
        }
        let mut marks: BTreeMap<&'a str, Mark> = BTreeMap::new();
        let mut circles: Vec<(&'a str, Span)> = Vec::new();
        let names: Vec<&'a str> = self.defs.keys().copied().collect();
        for start in names {
            if marks.contains_key(start) {
                continue;
            }
            marks.insert(start, Mark::Open);
            let mut path = vec![(start, self.uses(start))];
            while let Some((name, uses)) = path.last_mut() {
                let Some((used, span)) = uses.pop() else {
                    marks.insert(name, Mark::Done);
                    path.pop();
                    continue;
                };
                match marks.get(used) {
                    Some(Mark::Done) => {}
                    Some(Mark::Open) => circles.push((used, span)),
                    None => {
                        marks.insert(used, Mark::Open);
                        let uses = self.uses(used);
                        path.push((used, uses));
                    }
                }
            }
        }
        for (name, span) in circles {
            let Some(def) = self.defs.get_mut(name) else { continue };
            def.circular = true;
            let at = def.name.span;
            self.report(
                Draft::error(
                    format!("`{name}` is defined by itself"),
                    span,
                    "used here, on the way to its own meaning",
                )
                .also(at, "defined here")
                .help("to do something again, write `repeat n { ... }`"),
            );
        }
    }

    /// The definitions that this one uses, and where.
    fn uses(&self, name: &str) -> Vec<(&'a str, Span)> {
        let mut found = Vec::new();
        let Some(def) = self.defs.get(name) else { return found };
        let mut nodes = vec![def.body];
        while let Some(node) = nodes.pop() {
            let used = match &node.kind {
                Kind::Name(name) if def.params.iter().any(|param| param.text == *name) => None,
                Kind::Name(name) => Some((name, node.span)),
                Kind::Call(name, _) => Some((&name.text, name.span)),
                _ => None,
            };
            if let Some((name, span)) = used
                && let Some((name, _)) = self.defs.get_key_value(name.as_str())
            {
                found.push((*name, span));
            }
            children(node, &mut nodes);
        }
        found
    }

    /// Looks at every definition by itself, so that mistakes in one that is never used are told
    /// too.
    pub(super) fn check_definitions(&mut self) {
        let defs: Vec<(&'a [Name], &'a Node)> =
            self.defs.values().map(|def| (def.params, def.body)).collect();
        self.expand = false;
        for (params, body) in defs {
            let frame = Some(Rc::new(Frame { params, args: None }));
            let scope = Scope { frame, ..Scope::top() };
            self.size = 0;
            self.any_kind(body, &scope);
            self.check_uses(body, &scope);
        }
        self.size = 0;
        self.expand = true;
    }

    /// Looks at where other definitions are used: the number of arguments, and each argument.
    pub(super) fn check_uses(&mut self, body: &'a Node, scope: &Scope<'a>) {
        let mut nodes = vec![(body, scope.clone())];
        let mut inner = Vec::new();
        while let Some((node, scope)) = nodes.pop() {
            let scope = &scope;
            match &node.kind {
                Kind::Name(name) if matches!(self.bound(name, scope), Bound::Definition) => {
                    self.expand_def(node.span, name, &[], scope);
                }
                Kind::Call(name, args) if self.defs.contains_key(name.text.as_str()) => {
                    self.expand_def(name.span, &name.text, args, scope);
                    args.iter().for_each(|arg| self.any_kind(arg, scope));
                }
                Kind::Chain(first, rest) => {
                    let steps = std::iter::once(&**first).chain(rest.iter().map(|(_, step)| step));
                    self.steps(steps, scope, |_, step, scope| nodes.push((step, scope.clone())));
                    continue;
                }
                _ => {}
            }
            children(node, &mut inner);
            nodes.extend(inner.drain(..).map(|node| (node, scope.clone())));
        }
    }
}

fn children<'a>(node: &'a Node, into: &mut Vec<&'a Node>) {
    match &node.kind {
        Kind::Part(a) | Kind::Group(a) | Kind::Prefix(_, a) | Kind::Try(a) | Kind::Let(_, a) => {
            into.push(a);
        }
        Kind::Call(_, all) | Kind::Tuple(all) | Kind::Many(_, all) | Kind::Temporal(_, all, _) => {
            into.extend(all);
        }
        Kind::Counted(_, least, most, body) => {
            into.extend(least.iter().chain(body).map(|node| &**node));
            into.push(most);
        }
        Kind::Auto(_, _, moves, script) => {
            into.extend(script.iter().map(|(_, script)| &**script));
            into.push(moves);
        }
        Kind::Nth(a, b) | Kind::Binary(_, a, b) | Kind::Arrow(a, b) => into.extend([&**a, &**b]),
        Kind::Chain(first, rest) => {
            into.push(first);
            into.extend(rest.iter().map(|(_, step)| step));
        }
        Kind::Error
        | Kind::Unit
        | Kind::Any
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::Id(_)
        | Kind::Class(_)
        | Kind::Name(_) => {}
    }
}
