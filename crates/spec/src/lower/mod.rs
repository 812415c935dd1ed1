//! The tree of [`crate::ast`] into the values of `capuchin-trace`: names are looked up, definitions
//! expanded, and everything gets the type that its place wants.
//!
//! Each place has a function here (`generator`, `prop`, `value`, `selector`, ...) that takes any
//! expression and reports it if it is of another kind. What was reported lowers to a stand-in, so
//! that the rest is still looked at; a spec with errors is never handed out.

mod define;
mod event;
mod file;
mod formula;
mod generator;
pub(crate) mod mapping;
mod names;
mod prop;
mod remember;
mod selector;
mod value;

use crate::Words;
use crate::ast::{Kind, Name, Node, Span};
use crate::diagnostic::{Draft, Sink};
use crate::parser::DEPTH;
use capuchin_trace::{BadRegex, Gen, Pattern, Strings};
use capuchin_ui::Str;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) use file::spec;
pub(crate) use names::{is_built_in_environment, is_reserved};

/// How many steps the lowering of a file may take: a definition that doubles forty times is small
/// as text. An event costs about five, so this is a hundred thousand parts.
const LARGEST: usize = 500_000;

/// How many events a trace may have: each takes about a kilobyte while it is run.
const MOST_EVENTS: u64 = 100_000;

/// How many parts a trace may have, those included that do nothing.
const MOST_PARTS: u64 = 500_000;

/// How many different regular expressions a file may have: they are costly to read.
const MOST_PATTERNS: usize = 1000;

/// How much memory they may take together, in bytes: `\w{99}` is short as text.
const PATTERN_BYTES: u64 = 64 << 20;

/// A definition: `val name(params) = body`.
pub(crate) struct Def<'a> {
    pub(crate) name: &'a Name,
    pub(crate) params: &'a [Name],
    pub(crate) body: &'a Node,
    /// It is part of a circle, which was reported; using it is no further mistake.
    pub(crate) circular: bool,
}

/// What the names in an expression mean: the arguments of the definition that it is part of.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    frame: Option<Rc<Frame<'a>>>,
    /// What is remembered where it stands.
    remembered: Option<Rc<remember::Remembered<'a>>>,
    /// How many definitions are being expanded around it.
    level: u16,
}

struct Frame<'a> {
    params: &'a [Name],
    /// `None` where only the definition is being checked: then a parameter may be anything.
    args: Option<Vec<(&'a Node, Scope<'a>)>>,
}

impl Scope<'_> {
    fn top() -> Self {
        Scope { frame: None, remembered: None, level: 0 }
    }
}

pub(crate) struct Lower<'a, 's> {
    sink: &'s mut Sink,
    words: &'s Words,
    defs: BTreeMap<&'a str, Def<'a>>,
    predicates: BTreeMap<&'a str, Option<usize>>,
    /// The values that the device computes, and how many arguments each has.
    values: BTreeMap<&'a str, usize>,
    environment: BTreeMap<&'a str, Option<usize>>,
    /// There is no file in which a name could be declared: unknown ones are taken for declared.
    lenient: bool,
    /// Whether definitions are expanded. They are not while each is checked by itself: then what
    /// they stand for is unknown, and their arguments are looked at where they are written.
    expand: bool,
    size: usize,
    depth: u16,
    patterns: BTreeMap<Str, Result<Pattern, BadRegex>>,
    strings: BTreeMap<Str, Result<Strings, BadRegex>>,
    /// How much memory these take.
    pattern_bytes: u64,
    /// What is remembered around what is being lowered, also where its name cannot be used.
    known: Vec<remember::Known<'a>>,
    /// How many of these come before the sequence that is being put together.
    sequence: usize,
    /// What is lowered next is a step of that sequence: one that is a sequence becomes part of it.
    joins: bool,
    /// Where a planner is asked, and what it is told.
    plans: Vec<(&'a Name, Option<&'a Name>)>,
    /// Where what is being lowered is written; it may stand for something written elsewhere.
    place: Option<Span>,
}

/// An expression that is not part of a file.
pub(crate) fn expression(node: &Node, sink: &mut Sink, words: &Words) -> Gen {
    let mut lower = Lower::new(sink, words);
    lower.lenient = true;
    let generator = lower.generator(node, &Scope::top());
    lower.bound_samples(&generator, node.span);
    generator
}

impl<'a, 's> Lower<'a, 's> {
    fn new(sink: &'s mut Sink, words: &'s Words) -> Self {
        Lower {
            sink,
            words,
            defs: BTreeMap::new(),
            predicates: BTreeMap::new(),
            values: BTreeMap::new(),
            environment: BTreeMap::new(),
            lenient: false,
            expand: true,
            size: 0,
            depth: 0,
            patterns: BTreeMap::new(),
            strings: BTreeMap::new(),
            pattern_bytes: 0,
            known: Vec::new(),
            sequence: 0,
            joins: false,
            plans: Vec::new(),
            place: None,
        }
    }

    fn report(&mut self, draft: Draft) {
        self.sink.report(draft);
    }

    /// Refuses a generator of traces that nobody has the memory for. A trace is drawn before it is
    /// run, so that it can be run again and shrunk.
    fn bound_samples(&mut self, generator: &Gen, span: Span) {
        let (longest, largest) = (generator.longest(), generator.largest());
        if longest > MOST_EVENTS {
            self.report(
                Draft::error("its traces are too long", span, format!("up to {longest} events"))
                    .help(
                        "a trace has at most 100,000 events: lower the counts, and draw more traces \
                         with `cases`; `capuchin explore` has no such limit",
                    ),
            );
        } else if largest > MOST_PARTS {
            let label = format!("up to {largest} parts, with {longest} events");
            self.report(
                Draft::error("its traces are too large", span, label)
                    .help("a trace has at most 500,000 parts: lower the counts"),
            );
        }
    }

    /// Lowers what the expression stands for once names are replaced; nothing if that is unknown.
    fn at<T>(
        &mut self,
        node: &'a Node,
        scope: &Scope<'a>,
        lower: impl FnOnce(&mut Self, &'a Node, &Scope<'a>) -> T,
    ) -> Option<T> {
        let written = node.span;
        let (node, scope) = self.head(node, scope)?;
        if self.depth >= DEPTH {
            self.report(too_deep(node.span));
            return None;
        }
        // Looking at the same expression a second time does not move the place.
        let inside = self.place.is_some() && written == node.span;
        let outer = self.place;
        if !inside {
            self.place = Some(written);
        }
        self.depth += 1;
        let result = lower(self, node, &scope);
        self.depth -= 1;
        self.place = outer;
        Some(result)
    }

    /// The expression that this one stands for: without brackets, and definitions replaced by their
    /// bodies. `None` if it is unknown here, or wrong and reported.
    fn head(&mut self, node: &'a Node, scope: &Scope<'a>) -> Option<(&'a Node, Scope<'a>)> {
        let (mut node, mut scope) = (node, scope.clone());
        loop {
            self.size += 1;
            if self.size > LARGEST {
                if self.size == LARGEST + 1 {
                    self.report(
                        Draft::error(
                            "this expands to more than 100,000 parts",
                            node.span,
                            "the limit was reached here",
                        )
                        .help("use `repeat n` or `times n` instead of definitions that double"),
                    );
                }
                return None;
            }
            match &node.kind {
                Kind::Error => return None,
                Kind::Group(inner) => node = inner,
                Kind::Call(name, _)
                    if !self.expand && self.defs.contains_key(name.text.as_str()) =>
                {
                    return None;
                }
                Kind::Name(name) => match self.bound(name, &scope) {
                    Bound::Free => return Some((node, scope)),
                    Bound::Anything => return None,
                    Bound::To(argument, its_scope) => (node, scope) = (argument, its_scope),
                    Bound::Definition if !self.expand => return None,
                    Bound::Definition => {
                        (node, scope) = self.expand_def(node.span, name, &[], &scope)?;
                    }
                },
                Kind::Call(name, args) if self.defs.contains_key(name.text.as_str()) => {
                    (node, scope) = self.expand_def(name.span, &name.text, args, &scope)?;
                }
                _ => return Some((node, scope)),
            }
        }
    }

    fn bound(&self, name: &str, scope: &Scope<'a>) -> Bound<'a> {
        if scope.recall(name).is_some() {
            return Bound::Free;
        }
        if let Some(frame) = &scope.frame
            && let Some(index) = frame.params.iter().position(|param| param.text == name)
        {
            return match &frame.args {
                None => Bound::Anything,
                Some(args) => match args.get(index) {
                    Some((node, scope)) => Bound::To(node, scope.clone()),
                    None => Bound::Anything,
                },
            };
        }
        if self.defs.contains_key(name) { Bound::Definition } else { Bound::Free }
    }

    /// The body of a definition, and a scope in which its parameters are these arguments.
    fn expand_def(
        &mut self,
        span: Span,
        name: &str,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> Option<(&'a Node, Scope<'a>)> {
        let def = self.defs.get(name)?;
        let (params, body, at, circular) = (def.params, def.body, def.name.span, def.circular);
        if params.len() != args.len() {
            let wanted = count_of(params.len(), "argument");
            let names: Vec<&str> = params.iter().map(|param| param.text.as_str()).collect();
            self.report(
                Draft::error(
                    format!("`{name}` takes {wanted}, not {}", args.len()),
                    span,
                    format!("{} here", count_of(args.len(), "argument")),
                )
                .also(at, "defined here")
                .help(if names.is_empty() {
                    format!("write `{name}`")
                } else {
                    format!("write `{name}({})`", names.join(", "))
                }),
            );
            return None;
        }
        if circular || !self.expand {
            return None;
        }
        let level = scope.level + 1;
        if level > DEPTH {
            self.report(too_deep(span));
            return None;
        }
        let frame = (!params.is_empty()).then(|| {
            let args = args.iter().map(|arg| (arg, scope.clone())).collect();
            Rc::new(Frame { params, args: Some(args) })
        });
        Some((body, Scope { frame, remembered: None, level }))
    }

    /// Reads a regular expression to compare with; each one once.
    fn pattern(&mut self, source: &Str, span: Span) -> Option<Pattern> {
        if let Some(read) = self.patterns.get(source).cloned() {
            return self.regex(read, span);
        }
        let read = Pattern::new(source);
        self.bound_regexes(read.as_ref().ok(), span)?;
        self.patterns.insert(source.clone(), read.clone());
        self.regex(read, span)
    }

    /// Reads a regular expression to draw from; each one once.
    fn strings(&mut self, source: &Str, span: Span) -> Option<Strings> {
        if let Some(read) = self.strings.get(source).cloned() {
            return self.regex(read, span);
        }
        let read = Strings::new(source);
        self.bound_regexes(read.as_ref().ok().map(Strings::pattern), span)?;
        self.strings.insert(source.clone(), read.clone());
        self.regex(read, span)
    }

    /// Refuses one regular expression more if there is no room for it.
    fn bound_regexes(&mut self, one_more: Option<&Pattern>, span: Span) -> Option<()> {
        let message = if self.patterns.len() + self.strings.len() >= MOST_PATTERNS {
            "a file has at most 1,000 different regular expressions"
        } else {
            let bytes = one_more.map_or(0, Pattern::bytes);
            self.pattern_bytes = self.pattern_bytes.saturating_add(bytes);
            if self.pattern_bytes <= PATTERN_BYTES {
                return Some(());
            }
            "the regular expressions of a file take at most 64 MiB"
        };
        self.report(Draft::error(message, span, "one too many"));
        None
    }

    fn regex<T>(&mut self, read: Result<T, BadRegex>, span: Span) -> Option<T> {
        match read {
            Ok(regex) => Some(regex),
            Err(error) => {
                self.report(
                    Draft::error("this regular expression cannot be used", span, error.reason)
                        .help("the syntax is that of Rust's `regex`; a `\\` is written `\\\\`"),
                );
                None
            }
        }
    }

    /// Whether there are as many arguments as the form shows; reports it if not.
    fn arity(&mut self, name: &Name, args: &[Node], wanted: usize, form: &str) -> bool {
        self.arity_or(name, args, wanted, format!("write `{form}`"))
    }

    /// The same, with other help.
    fn arity_or(
        &mut self,
        name: &Name,
        args: &[Node],
        wanted: usize,
        help: impl Into<String>,
    ) -> bool {
        if args.len() == wanted {
            return true;
        }
        let takes = count_of(wanted, "argument");
        self.report(
            Draft::error(
                format!("`{}` takes {takes}, not {}", name.text, args.len()),
                name.span,
                format!("{} here", count_of(args.len(), "argument")),
            )
            .help(help),
        );
        false
    }
}

enum Bound<'a> {
    /// It is not defined in the file, or remembered where it stands.
    Free,
    /// It is a parameter that has no value here.
    Anything,
    /// It is a parameter with this value.
    To(&'a Node, Scope<'a>),
    /// It is a definition.
    Definition,
}

fn count_of(n: usize, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

fn too_deep(span: Span) -> Draft {
    Draft::error(format!("this expands to more than {DEPTH} levels"), span, "too deep here")
        .help("definitions that use definitions nest, too")
}

/// The error for a count that is too large or no count at all.
pub(crate) fn bad_count(span: Span) -> Draft {
    Draft::error("a count is a whole number up to 1,000,000", span, "not such a number")
}
