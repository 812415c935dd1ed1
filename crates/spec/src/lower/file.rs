//! The entries of a file into a [`Spec`].

use super::mapping::Asked;
use super::{Lower, Scope};
use crate::Words;
use crate::ast::{Item, Kind, MappingItem, Name, Node, Span};
use crate::diagnostic::{Draft, Sink};
use crate::spec::{Invariant, NamedGen, RunProperty, Spec};
use capuchin_trace::Gen;
use capuchin_ui::Script;
use std::collections::BTreeMap;

/// Lowers a file. What comes out is of use only if nothing was reported.
pub(crate) fn spec(items: &[Item], sink: &mut Sink, words: &Words) -> (Spec, Vec<Asked>) {
    let mut lower = Lower::new(sink, words);
    lower.collect(items);
    lower.check_definitions();
    let mut file = File {
        spec: Spec::default(),
        taken: BTreeMap::new(),
        once: BTreeMap::new(),
        first: items.iter().find_map(|item| match item {
            Item::Check(Name { span, .. }, _) | Item::ForAll(span, ..) => Some(*span),
            _ => None,
        }),
    };
    for item in items {
        file.item(item, &mut lower);
    }
    let has_model = lower.mapping(items);
    let asked = lower.asked_plans(has_model);
    // What always holds and what a monitor looks for are something to explore with.
    let Spec { checks, always, properties, monitors, .. } = &file.spec;
    let is_empty =
        checks.is_empty() && always.is_empty() && properties.is_empty() && monitors.is_empty();
    let is_empty = is_empty && !has_model;
    if is_empty && !lower.sink.has_errors() {
        let end = items.last().map_or(Span::new(0, 0), item_span);
        lower.report(
            Draft::error("there is nothing to check", end, "no check up to here")
                .help("add `check NAME = ...` or `forAll(...)`"),
        );
    }
    file.spec.find_environment();
    (file.spec, asked)
}

struct File<'a> {
    spec: Spec,
    /// Names of checks, and where they are.
    taken: BTreeMap<String, Span>,
    /// Settings that a file has once, and where they are.
    once: BTreeMap<&'a str, Span>,
    /// A check beside which an expression by itself makes no sense.
    first: Option<Span>,
}

impl<'a> File<'a> {
    fn item(&mut self, item: &'a Item, lower: &mut Lower<'a, '_>) {
        let top = Scope::top();
        match item {
            Item::Define { .. } | Item::Environment(..) => {}
            Item::Predicate(name, _) => self.spec.predicates.push(name.text.clone()),
            Item::Script { name, params, source, is_value } => self.spec.scripts.push(Script {
                name: name.text.clone(),
                parameters: params.iter().map(|param| param.text.clone()).collect(),
                source: source.to_string(),
                is_value: *is_value,
            }),
            Item::Check(name, body) => {
                let generator = lower.generator(body, &top);
                self.check(name.text.to_string(), name.span, generator, lower);
            }
            Item::ForAll(span, node, prop) => {
                let mut generator = lower.generator(node, &top);
                if let Some(prop) = prop {
                    generator = Gen::seq([generator, Gen::Assert(lower.prop(prop, &top))]);
                }
                let name = match &node.kind {
                    Kind::Name(name) => name.to_string(),
                    _ => format!("check {}", self.spec.checks.len() + 1),
                };
                // Nobody chose this name, so nobody has to choose another.
                let mut others = 2;
                let mut free = name.clone();
                while self.taken.contains_key(&free) {
                    free = format!("{name} {others}");
                    others += 1;
                }
                let name = free;
                self.check(name, *span, generator, lower);
            }
            Item::Always(label, node) => {
                let prop = lower.prop(node, &top);
                self.spec.always.push(Invariant { label: label.clone(), prop });
            }
            Item::Property(label, node) => {
                let formula = lower.whole_formula(node, &top);
                self.spec.properties.push(RunProperty { label: label.clone(), formula });
            }
            Item::Monitor(_, name) => self.spec.monitors.push(name.clone()),
            Item::Expect(span, failure) => {
                self.only_one("expect", *span, lower);
                self.spec.expect = Some(failure.clone());
            }
            Item::Device(span, device) => {
                self.only_one("device", *span, lower);
                self.spec.device = Some(device.to_string());
            }
            Item::Seed(span, seed) => {
                self.only_one("seed", *span, lower);
                self.spec.seed = Some(*seed);
            }
            Item::Cases(span, cases) => {
                self.only_one("cases", *span, lower);
                self.spec.cases = Some(*cases);
            }
            Item::Mapping(item) => {
                if let MappingItem::Model(span, _) = item {
                    self.only_one("model", *span, lower);
                }
                if let MappingItem::Verify(span, _) = item {
                    self.only_one("verify", *span, lower);
                }
            }
            Item::Bare(node) => self.bare(node, lower),
        }
    }

    /// An expression by itself: the file's only check.
    fn bare(&mut self, node: &'a Node, lower: &mut Lower<'a, '_>) {
        if let Some(other) = self.first {
            if !matches!(node.kind, Kind::Error) {
                let start = Span { end: node.span.start + 1, ..node.span };
                lower.report(
                    Draft::error("this expression stands by itself", start, "it begins here")
                        .also(other, "and this is what the file checks")
                        .help(
                            "if it belongs to the line above, join them with `:>>`; \
                             if not, name it: check NAME = ...",
                        ),
                );
            }
            return;
        }
        self.first = Some(node.span);
        let generator = lower.generator(node, &Scope::top());
        self.check("main".into(), node.span, generator, lower);
    }

    fn check(&mut self, name: String, span: Span, generator: Gen, lower: &mut Lower<'a, '_>) {
        lower.bound_samples(&generator, span);
        if let Some(first) = self.taken.insert(name.clone(), span) {
            lower.report(
                Draft::error(
                    format!("there are two checks named `{name}`"),
                    span,
                    "the second one",
                )
                .also(first, "the first one")
                .help("name one differently: check NAME = ..."),
            );
        }
        self.spec.checks.push(NamedGen { name, generator });
    }

    fn only_one(&mut self, what: &'a str, span: Span, lower: &mut Lower<'a, '_>) {
        if let Some(first) = self.once.insert(what, span) {
            lower.report(
                Draft::error(format!("a file has one `{what}`"), span, "the second one")
                    .also(first, "the first one"),
            );
        }
    }
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Define { name, .. }
        | Item::Predicate(name, _)
        | Item::Script { name, .. }
        | Item::Environment(name, _)
        | Item::Check(name, _) => name.span,
        Item::ForAll(span, ..)
        | Item::Monitor(span, _)
        | Item::Expect(span, _)
        | Item::Device(span, _)
        | Item::Seed(span, _)
        | Item::Cases(span, _) => *span,
        Item::Mapping(item) => item.span(),
        Item::Always(_, node) | Item::Property(_, node) | Item::Bare(node) => node.span,
    }
}
