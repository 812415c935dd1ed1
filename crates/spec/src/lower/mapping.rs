//! Rules of a mapping: looked at by themselves where the file is read, and lowered with the objects
//! of a model later.

use super::{Frame, Lower, Scope};
use crate::Words;
use crate::ast::{FactBody, Item, Kind, MappingItem, Name, Node, Rule, Span};
use crate::diagnostic::{Draft, Sink};
use crate::mapping::PLAN;
use capuchin_trace::{Gen, Prop};
use capuchin_ui::Str;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an `auto plan` of the file names.
#[derive(Debug)]
pub(crate) struct Asked(pub(crate) Name);

impl<'a> Lower<'a, '_> {
    /// Looks at the mapping of a file, with nothing known of the objects. Whether it has a model.
    pub(super) fn mapping(&mut self, items: &'a [Item]) -> bool {
        let entries = || {
            items.iter().filter_map(|item| match item {
                Item::Mapping(item) => Some(item),
                _ => None,
            })
        };
        let model = entries().any(|item| matches!(item, MappingItem::Model(..)));
        if let Some(first) = entries().next().filter(|_| !model) {
            self.report(
                Draft::error("there is no model", first.span(), "this is about a model").help(
                    "name its files: model \"domain.pddl\" \"problem.pddl\"; \
                     or the file that has its mapping: model \"other.capu\"",
                ),
            );
        }
        let mut taken: BTreeMap<(&str, String), Span> = BTreeMap::new();
        self.expand = false;
        for item in entries() {
            let (kind, name) = match item {
                MappingItem::Object(name, _) => ("object", name),
                MappingItem::Fact(rule, _) => ("fact", &rule.name),
                MappingItem::Operator(rule, _) => ("operator", &rule.name),
                MappingItem::Goal(name, _) => ("goal", name),
                MappingItem::Case(name, _) => ("case", name),
                MappingItem::Model(_, files) => {
                    self.model_files(files);
                    continue;
                }
                MappingItem::Import(_) | MappingItem::Verify(..) => continue,
            };
            let key = (kind, name.text.to_ascii_lowercase());
            if let Some(first) = taken.insert(key, name.span) {
                let message = format!("there are two lines for the {kind} `{}`", name.text);
                self.report(
                    Draft::error(message, name.span, "the second one").also(first, "the first one"),
                );
            }
            self.size = 0;
            match item {
                MappingItem::Object(_, node) => self.any_kind(node, &Scope::top()),
                MappingItem::Fact(rule, FactBody::Seen(prop, guard)) => {
                    let scope = self.unbound(rule);
                    for node in [Some(prop), guard.as_ref()].into_iter().flatten() {
                        drop(self.prop(node, &scope));
                        self.check_uses(node, &scope);
                    }
                }
                MappingItem::Operator(rule, Some(body)) => {
                    let scope = self.unbound(rule);
                    drop(self.generator(body, &scope));
                    self.check_uses(body, &scope);
                }
                _ => {}
            }
        }
        self.size = 0;
        self.expand = true;
        model
    }

    fn model_files(&mut self, files: &[Name]) {
        if let [file] = files
            && !file.text.ends_with(".capu")
        {
            self.report(
                Draft::error("a model is two files", file.span, "one of them").help(
                    "name the domain and the problem: model \"domain.pddl\" \"problem.pddl\"; \
                     or one file that has a mapping: model \"other.capu\"",
                ),
            );
        }
    }

    /// The scope of a rule, whose parameters may be anything.
    fn unbound(&mut self, rule: &'a Rule) -> Scope<'a> {
        let mut names = BTreeMap::new();
        for param in &rule.params {
            self.may_be_called(param, &mut names);
        }
        Scope { frame: Some(Rc::new(Frame { params: &rule.params, args: None })), ..Scope::top() }
    }

    /// What the planners of the file are told.
    pub(super) fn asked_plans(&mut self, has_model: bool) -> Vec<Asked> {
        let mut asked = Vec::new();
        for (policy, goal) in std::mem::take(&mut self.plans) {
            match goal {
                _ if !has_model => self.report(
                    Draft::error("`auto plan` needs a model", policy.span, "there is none")
                        .help("add `model \"domain.pddl\" \"problem.pddl\"`, and a mapping"),
                ),
                None => self.report(
                    Draft::error("a plan needs a goal", policy.span, "where to?")
                        .help(format!("write `auto {PLAN} \"(open find)\" 20`, or name a `goal`")),
                ),
                Some(goal) => asked.push(Asked(goal.clone())),
            }
        }
        asked
    }
}

/// Lowers rules with arguments.
pub(crate) struct RuleLower<'a, 's>(Lower<'a, 's>);

impl<'a, 's> RuleLower<'a, 's> {
    pub(crate) fn new(sink: &'s mut Sink, words: &'s Words, items: &'a [Item]) -> Self {
        let mut lower = Lower::new(sink, words);
        lower.collect(items);
        RuleLower(lower)
    }

    /// The text that an object is called by.
    pub(crate) fn text(name: &str, span: Span) -> Node {
        Node { span, depth: 1, kind: Kind::Text(Str::from(name)) }
    }

    /// Whether something was wrong so far.
    pub(crate) fn failed(&self) -> bool {
        self.0.sink.has_errors()
    }

    fn scope(&mut self, rule: &'a Rule, args: &[&'a Node]) -> Scope<'a> {
        self.0.size = 0;
        let args = args.iter().map(|arg| (*arg, Scope::top())).collect();
        let frame = Rc::new(Frame { params: &rule.params, args: Some(args) });
        Scope { frame: Some(frame), remembered: None, level: 1 }
    }

    pub(crate) fn prop(&mut self, rule: &'a Rule, body: &'a Node, args: &[&'a Node]) -> Prop {
        let scope = self.scope(rule, args);
        self.0.prop(body, &scope)
    }

    pub(crate) fn generator(&mut self, rule: &'a Rule, body: &'a Node, args: &[&'a Node]) -> Gen {
        let scope = self.scope(rule, args);
        self.0.generator(body, &scope)
    }
}
