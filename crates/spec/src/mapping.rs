//! The mapping of a planning model: how its facts are read off a screen, and how its operators
//! become traces.
//!
//! On its own because it is kept as it is written. What a rule says of its parameters is known only
//! when the model names the objects, so the text is lowered once for each of them, like a
//! definition with these arguments. The model itself is unknown here: whoever has one asks with
//! names, and can point at the text with a [`Place`].

use crate::ast::{FactBody, Item, MappingItem, Name, Node, Rule, Span};
use crate::diagnostic::{Diagnostic, Draft, Sink};
use crate::lower::mapping::{Asked, RuleLower};
use crate::{Words, lexer, parser};
use capuchin_trace::{Gen, Prop};
use capuchin_ui::{Quoted, Str};
use std::fmt;

/// The policy that a model brings along: `auto plan "goal" n`.
pub const PLAN: &str = "plan";

/// How much is verified after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The facts that the operator changes.
    Changed,
    /// All facts that can be seen.
    Relevant,
    /// These, and everything on the screen that no fact explains.
    Complete,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 3] = [Level::Changed, Level::Relevant, Level::Complete];

    /// Its word in the language.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Changed => "changed",
            Level::Relevant => "relevant",
            Level::Complete => "complete",
        }
    }

    /// The level of this name.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where something stands in the file of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(Span);

/// A text with a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text.
    pub text: Str,
    /// Where it stands.
    pub place: Place,
}

impl From<&Name> for Label {
    fn from(name: &Name) -> Self {
        Label { text: name.text.clone(), place: Place(name.span) }
    }
}

/// The files of a model, as the mapping names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFiles {
    /// A domain and a problem.
    Pddl(Label, Label),
    /// Another file with a mapping.
    Mapping(Label),
}

/// How a fact is read.
#[expect(clippy::large_enum_variant, reason = "most facts are seen")]
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// No screen shows it.
    Unseen,
    /// By this property, while the guard holds.
    Seen {
        /// The fact is true if it holds.
        prop: Prop,
        /// The fact can be seen only while this holds.
        guard: Option<Prop>,
    },
}

/// How a planning model is bound to an app, as a file says it.
#[derive(Debug)]
pub struct Mapping {
    name: String,
    source: String,
    items: Vec<Item>,
    asked: Vec<Asked>,
}

/// The mapping of a library, for whoever imports it.
#[derive(Debug)]
pub struct Library {
    import: Place,
    items: Vec<Item>,
}

impl Mapping {
    /// What a file says of a model; `None` if it has none.
    pub(crate) fn new(
        name: &str,
        source: &str,
        items: Vec<Item>,
        asked: Vec<Asked>,
    ) -> Option<Self> {
        let is_model = |item: &Item| matches!(item, Item::Mapping(MappingItem::Model(..)));
        items.iter().any(is_model).then(|| Mapping {
            name: name.to_owned(),
            source: source.to_owned(),
            items,
            asked,
        })
    }

    fn entries(&self) -> impl Iterator<Item = &MappingItem> {
        entries(&self.items)
    }

    /// The files of its model, and where they are named.
    pub fn model(&self) -> (ModelFiles, Place) {
        let model = self.entries().find_map(|item| match item {
            MappingItem::Model(span, files) => Some((*span, files.as_slice())),
            _ => None,
        });
        match model {
            Some((span, [domain, problem])) => {
                (ModelFiles::Pddl(domain.into(), problem.into()), Place(span))
            }
            Some((span, [file, ..])) => (ModelFiles::Mapping(file.into()), Place(span)),
            _ => {
                let span = Span::new(0, 0);
                let none = Label { text: Str::default(), place: Place(span) };
                (ModelFiles::Mapping(none), Place(span))
            }
        }
    }

    /// The libraries that it imports.
    pub fn imports(&self) -> impl Iterator<Item = Label> {
        self.entries().filter_map(|item| match item {
            MappingItem::Import(name) => Some(name.into()),
            _ => None,
        })
    }

    /// The objects that have a line.
    pub fn objects(&self) -> impl Iterator<Item = Label> {
        self.entries().filter_map(|item| match item {
            MappingItem::Object(name, _) => Some(name.into()),
            _ => None,
        })
    }

    /// Its own facts, each with its number of parameters.
    pub fn facts(&self) -> impl Iterator<Item = (Label, usize)> {
        self.entries().filter_map(|item| match item {
            MappingItem::Fact(rule, _) => Some(((&rule.name).into(), rule.params.len())),
            _ => None,
        })
    }

    /// Its own operators, each with its number of parameters.
    pub fn operators(&self) -> impl Iterator<Item = (Label, usize)> {
        self.entries().filter_map(|item| match item {
            MappingItem::Operator(rule, _) => Some(((&rule.name).into(), rule.params.len())),
            _ => None,
        })
    }

    /// What is verified, and after how many steps each; `None` if it does not say.
    pub fn verify(&self) -> Option<&[(Level, u32)]> {
        self.entries().find_map(|item| match item {
            MappingItem::Verify(_, levels) => Some(levels.as_slice()),
            _ => None,
        })
    }

    /// Its goals: what each is called, and the condition as PDDL.
    pub fn goals(&self) -> impl Iterator<Item = (Label, Label)> {
        self.entries().filter_map(|item| match item {
            MappingItem::Goal(label, text) => Some((label.into(), text.into())),
            _ => None,
        })
    }

    /// Its test cases: what each is called, and its steps as PDDL.
    pub fn cases(&self) -> impl Iterator<Item = (Label, Label)> {
        self.entries().filter_map(|item| match item {
            MappingItem::Case(label, text) => Some((label.into(), text.into())),
            _ => None,
        })
    }

    /// The goals that the file's `auto plan` name: labels, or conditions as PDDL.
    pub fn asked_goals(&self) -> impl Iterator<Item = Label> {
        self.asked.iter().map(|Asked(name)| name.into())
    }

    /// Reads the mapping of a library that is imported at this place.
    pub fn library(import: Place, name: &str, source: &str) -> Result<Library, Vec<Diagnostic>> {
        let mut sink = Sink::default();
        let words = Words::default();
        let tokens = lexer::lex(source, &mut sink);
        let items = parser::Parser::new(source, &tokens, &mut sink, &words).items();
        match sink.has_errors() {
            false => Ok(Library { import, items }),
            true => Err(sink.finish(name, source)),
        }
    }

    /// A mistake at a place of the file.
    pub fn mistake(
        &self,
        place: Place,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) -> Diagnostic {
        self.all_mistakes([(place, message.into(), label.into(), help)]).remove(0)
    }

    /// Mistakes at places of the file, in the order of the text.
    fn all_mistakes(
        &self,
        mistakes: impl IntoIterator<Item = (Place, String, String, Option<String>)>,
    ) -> Vec<Diagnostic> {
        let mut sink = Sink::default();
        for (Place(span), message, label, help) in mistakes {
            sink.report(Draft::error(message, span, label).maybe_help(help));
        }
        sink.finish(&self.name, &self.source)
    }

    /// The file's name, as its diagnostics have it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lowers rules for these objects of the model, each once for what it is asked. What the file
    /// itself says of a name counts more than what a library says. What is wrong with the rules
    /// comes back beside the result.
    pub fn instantiate<T>(
        &self,
        libraries: &[Library],
        objects: &[&str],
        with: impl FnOnce(&mut Instances<'_, '_>) -> T,
    ) -> (T, Vec<Diagnostic>) {
        let (_, Place(model)) = self.model();
        // An object without a line is called what the model calls it.
        let plain: Vec<Node> = objects.iter().map(|name| RuleLower::text(name, model)).collect();
        let named = |name: &str| {
            self.entries().find_map(|item| match item {
                MappingItem::Object(object, node) if is_name(&object.text, name) => Some(node),
                _ => None,
            })
        };
        let nodes = objects.iter().zip(&plain);
        let nodes: Vec<&Node> = nodes.map(|(name, node)| named(name).unwrap_or(node)).collect();
        let words = Words::default();
        let (mut own, mut library) = (Sink::default(), Sink::default());
        let mut instances = Instances {
            mapping: self,
            libraries,
            nodes,
            own: RuleLower::new(&mut own, &words, &self.items),
            library: RuleLower::new(&mut library, &words, &self.items),
            failed: Vec::new(),
        };
        let result = with(&mut instances);
        let failed = std::mem::take(&mut instances.failed);
        drop(instances);
        let mut wrong = own.finish(&self.name, &self.source);
        wrong.extend(self.all_mistakes(failed.into_iter().map(|(place, name)| {
            let message = format!("the library's `{name}` cannot be used with these objects");
            let help = format!("write `{name}` yourself: a line of the file counts more");
            (place, message, "imported here".to_owned(), Some(help))
        })));
        (result, wrong)
    }
}

/// Rules of a mapping, lowered for the objects of a model.
pub struct Instances<'a, 's> {
    mapping: &'a Mapping,
    libraries: &'a [Library],
    nodes: Vec<&'a Node>,
    own: RuleLower<'a, 's>,
    library: RuleLower<'a, 's>,
    /// Rules of libraries that did not fit.
    failed: Vec<(Place, Str)>,
}

impl<'a> Instances<'a, '_> {
    /// The rule that fits, and the import that it came by.
    fn find<T>(&self, wanted: impl Fn(&'a MappingItem) -> Option<T>) -> Option<(T, Option<Place>)> {
        if let Some(found) = self.mapping.entries().find_map(&wanted) {
            return Some((found, None));
        }
        self.libraries.iter().find_map(|Library { import, items }| {
            entries(items).find_map(&wanted).map(|found| (found, Some(*import)))
        })
    }

    fn lower<T>(
        &mut self,
        rule: &'a Rule,
        (objects, import): (&[usize], Option<Place>),
        lower: impl FnOnce(&mut RuleLower<'a, '_>, &[&'a Node]) -> T,
    ) -> T {
        let args: Vec<&'a Node> = objects.iter().map(|object| self.nodes[*object]).collect();
        let Some(place) = import else { return lower(&mut self.own, &args) };
        let result = lower(&mut self.library, &args);
        if self.library.failed() {
            let failed = (place, rule.name.text.clone());
            if !self.failed.contains(&failed) {
                self.failed.push(failed);
            }
        }
        result
    }

    /// How many parameters the rule of a predicate has, and where it stands.
    pub fn fact_rule(&self, predicate: &str) -> Option<(usize, Place)> {
        let (rule, import) = self.find(|item| match item {
            MappingItem::Fact(rule, _) if is_name(&rule.name.text, predicate) => Some(rule),
            _ => None,
        })?;
        Some((rule.params.len(), import.unwrap_or(Place(rule.name.span))))
    }

    /// How many parameters the rule of an action has, and where it stands.
    pub fn operator_rule(&self, action: &str) -> Option<(usize, Place)> {
        let (rule, import) = self.find(|item| match item {
            MappingItem::Operator(rule, _) if is_name(&rule.name.text, action) => Some(rule),
            _ => None,
        })?;
        Some((rule.params.len(), import.unwrap_or(Place(rule.name.span))))
    }

    /// How the fact of these objects, by their numbers, is read; `None` if there is no rule with so
    /// many parameters.
    pub fn fact(&mut self, predicate: &str, objects: &[usize]) -> Option<Reading> {
        let ((rule, body), import) = self.find(|item| match item {
            MappingItem::Fact(rule, body) if is_name(&rule.name.text, predicate) => {
                Some((rule, body))
            }
            _ => None,
        })?;
        if rule.params.len() != objects.len() {
            return None;
        }
        Some(match body {
            FactBody::Unseen => Reading::Unseen,
            FactBody::Seen(prop, guard) => self.lower(rule, (objects, import), |lower, args| {
                let seen = lower.prop(rule, prop, args);
                let guard = guard.as_ref().map(|guard| lower.prop(rule, guard, args));
                Reading::Seen { prop: seen, guard }
            }),
        })
    }

    /// The trace of the operator of these objects; the inner `None` if no event does it, the outer
    /// if there is no rule with so many parameters.
    pub fn operator(&mut self, action: &str, objects: &[usize]) -> Option<Option<Gen>> {
        let ((rule, body), import) = self.find(|item| match item {
            MappingItem::Operator(rule, body) if is_name(&rule.name.text, action) => {
                Some((rule, body))
            }
            _ => None,
        })?;
        if rule.params.len() != objects.len() {
            return None;
        }
        let Some(body) = body else { return Some(None) };
        let target = (objects, import);
        Some(Some(self.lower(rule, target, |lower, args| lower.generator(rule, body, args))))
    }
}

fn entries(items: &[Item]) -> impl Iterator<Item = &MappingItem> {
    items.iter().filter_map(|item| match item {
        Item::Mapping(item) => Some(item),
        _ => None,
    })
}

/// In a model, case does not matter.
fn is_name(written: &str, name: &str) -> bool {
    written.eq_ignore_ascii_case(name)
}

impl PartialEq for Mapping {
    /// Two mappings that are written alike are the same one.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = |from: Span, to: Span| from.to(to).of(&self.source);
        let mut lines: Vec<String> = Vec::new();
        for item in &self.items {
            let rule = |rule: &Rule| {
                let params: Vec<&str> = rule.params.iter().map(|name| name.text.as_str()).collect();
                let name = &rule.name.text;
                if params.is_empty() {
                    name.to_string()
                } else {
                    format!("{name}({})", params.join(", "))
                }
            };
            lines.push(match item {
                Item::Define { name, body, .. } => format!("val {}", written(name.span, body.span)),
                Item::Mapping(item) => match item {
                    MappingItem::Model(_, files) => {
                        let files: Vec<String> =
                            files.iter().map(|file| Quoted(&file.text).to_string()).collect();
                        format!("model {}", files.join(" "))
                    }
                    MappingItem::Import(name) => format!("import {}", Quoted(&name.text)),
                    MappingItem::Object(name, node) => {
                        format!("object {}", written(name.span, node.span))
                    }
                    MappingItem::Fact(head, FactBody::Unseen) => {
                        format!("fact {} = unseen", rule(head))
                    }
                    MappingItem::Fact(head, FactBody::Seen(prop, guard)) => {
                        let mut line =
                            format!("fact {} = {}", rule(head), prop.span.of(&self.source));
                        if let Some(guard) = guard {
                            line += &format!(" when {}", guard.span.of(&self.source));
                        }
                        line
                    }
                    MappingItem::Operator(head, None) => {
                        format!("operator {} = unmapped", rule(head))
                    }
                    MappingItem::Operator(head, Some(body)) => {
                        format!("operator {} = {}", rule(head), body.span.of(&self.source))
                    }
                    MappingItem::Verify(_, levels) => {
                        let levels: Vec<String> = levels.iter().map(verified).collect();
                        format!("verify {}", levels.join(", "))
                    }
                    MappingItem::Goal(label, text) => {
                        format!("goal {}: {}", Quoted(&label.text), Quoted(&text.text))
                    }
                    MappingItem::Case(label, text) => {
                        format!("case {}: {}", Quoted(&label.text), Quoted(&text.text))
                    }
                },
                _ => continue,
            });
        }
        f.write_str(&lines.join("\n"))
    }
}

fn verified((level, every): &(Level, u32)) -> String {
    match every {
        1 => level.to_string(),
        every => format!("{level} every {every}"),
    }
}
