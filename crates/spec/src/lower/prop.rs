//! Properties.

use super::names::{Sort, plain};
use super::{Lower, Scope};
use crate::ast::{Binary, Kind, Many, Name, Node, Prefix};
use crate::diagnostic::{Draft, shorten};
use capuchin_trace::{ElementTest, Prop};

/// What a property that was reported stands for.
pub(super) const NOTHING: Prop = Prop::Constant(true);

impl<'a> Lower<'a, '_> {
    pub(super) fn prop(&mut self, node: &'a Node, scope: &Scope<'a>) -> Prop {
        self.at(node, scope, Self::prop_at).unwrap_or(NOTHING)
    }

    fn prop_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Prop {
        match &node.kind {
            Kind::Prefix(Prefix::Not, inner) => !self.prop(inner, scope),
            Kind::Many(many @ (Many::And | Many::Or), parts) => {
                let mut flat = Vec::with_capacity(parts.len());
                for part in parts {
                    match (many, self.prop(part, scope)) {
                        (Many::And, Prop::And(inner)) | (Many::Or, Prop::Or(inner)) => {
                            flat.extend(inner);
                        }
                        (_, prop) => flat.push(prop),
                    }
                }
                if *many == Many::And { Prop::And(flat) } else { Prop::Or(flat) }
            }
            Kind::Many(Many::Either, _) => {
                self.report(
                    Draft::error("`|` stands between elements", node.span, "these are none")
                        .help("write `<+>` between generators, `\\/` between properties"),
                );
                NOTHING
            }
            Kind::Binary(Binary::Implies, left, right) => {
                let left = self.prop(left, scope);
                left.implies(self.prop(right, scope))
            }
            Kind::Binary(Binary::Compare(how), left, right) => {
                let (left, right) = self.two_alike((left, right), scope);
                Prop::Compare(left, *how, right)
            }
            Kind::Binary(Binary::Contains, left, right) => {
                let left = self.text_value(left, scope);
                Prop::Contains(left, self.text_value(right, scope))
            }
            Kind::Binary(Binary::Matches, left, right) => {
                let value = self.text_value(left, scope);
                let Some(source) = self.literal(right, scope) else { return NOTHING };
                match self.pattern(&source, right.span) {
                    Some(pattern) => Prop::Matches(value, pattern),
                    None => NOTHING,
                }
            }
            Kind::Name(name) => match name.as_str() {
                "true" => Prop::Constant(true),
                "false" => Prop::Constant(false),
                _ => {
                    let name = Name { text: name.clone(), span: node.span };
                    self.predicate(node, &name, &[], scope)
                }
            },
            Kind::Call(name, args) => self.predicate(node, name, args, scope),
            Kind::Temporal(which, ..) => {
                let name = which.name();
                self.report(
                    Draft::error(
                        format!("`{name}` says something about a run"),
                        node.span,
                        "a property of one screen belongs here",
                    )
                    .help(format!(
                        "write it as an item of the file: property \"label\": {name} ..."
                    )),
                );
                NOTHING
            }
            Kind::Binary(Binary::Interleave, ..) | Kind::Many(Many::Choice, _) => {
                let help = "for \"or\" between properties, write `\\/`";
                self.mismatch(node, scope, Sort::Property, Some(help));
                NOTHING
            }
            _ => {
                let help = match self.sort(node, scope) {
                    Sort::Generator => "put braces around what the property does not belong to",
                    Sort::Value | Sort::Number | Sort::Text => "compare it: count(button) > 0",
                    _ => "for example isDisplayed(\"Welcome\")",
                };
                self.mismatch(node, scope, Sort::Property, Some(help));
                NOTHING
            }
        }
    }

    fn predicate(
        &mut self,
        node: &'a Node,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> Prop {
        let word = plain(&name.text);
        if let Some(test) = ElementTest::ALL.into_iter().find(|test| test.name() == word) {
            let (true, [arg]) = (self.arity(name, args, 1, &format!("{word}(#id)")), args) else {
                return NOTHING;
            };
            return Prop::Element(test, self.selector(arg, scope));
        }
        if word == "hasText" {
            let form = "hasText(#id, \"text\")";
            let (true, [element, text]) = (self.arity(name, args, 2, form), args) else {
                return NOTHING;
            };
            let selector = self.selector(element, scope);
            let Some(text) = self.literal(text, scope) else { return NOTHING };
            return Prop::HasText(selector, text);
        }
        if word == "rust" {
            self.report(
                Draft::error(
                    "this property is written in Rust and cannot be read from text",
                    name.span,
                    "only its name is printed",
                )
                .help("declare a predicate that the device answers instead"),
            );
            return NOTHING;
        }
        match self.predicates.get(name.text.as_str()).copied() {
            Some(wanted) => {
                if let Some(wanted) = wanted {
                    self.arity_or(name, args, wanted, "it is declared so by `predicate`");
                }
                self.user_predicate(name, args, scope)
            }
            None if self.lenient
                && self.sort(node, scope) == Sort::Unknown
                && self.near(&name.text, Sort::Property).is_none() =>
            {
                self.user_predicate(name, args, scope)
            }
            None => {
                let help = format!("if the device knows it: predicate {}", shorten(&name.text));
                let help = match self.sort(node, scope) {
                    Sort::Generator => "to look at the screen after it, `assert` a property",
                    Sort::Element => "for example isDisplayed(...)",
                    Sort::Value | Sort::Number | Sort::Text => "compare it: count(button) > 0",
                    _ => &help,
                };
                self.mismatch(node, scope, Sort::Property, Some(help));
                NOTHING
            }
        }
    }

    fn user_predicate(&mut self, name: &Name, args: &'a [Node], scope: &Scope<'a>) -> Prop {
        let args = args.iter().map(|arg| self.value(arg, scope)).collect();
        Prop::User(name.text.clone(), args)
    }
}
