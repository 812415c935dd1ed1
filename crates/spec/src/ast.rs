//! A spec as it is written, before anybody asks what it means.
//!
//! Generators, properties, values and elements are one category here: `"Save"` is a text, an
//! element or a value only by where it stands, and a definition may be used as any of them. The
//! lowering decides, and so can say "expected a property, found a generator" instead of "unexpected
//! token".

use crate::mapping::Level;
use capuchin_trace::{Injection, Limit};
use capuchin_ui::Str;

/// Where in the source something stands, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// From the start of this to the end of the other.
    pub(crate) fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.start) }
    }

    pub(crate) fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(crate) fn of(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Str,
    pub(crate) span: Span,
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    /// How many expressions deep it is, itself included.
    pub(crate) depth: u16,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// Something that could not be read, and was reported.
    Error,
    /// `•`
    Unit,
    /// `*`
    Any,
    Number(f64),
    Text(Str),
    /// `#id`
    Id(Str),
    /// `.class`
    Class(Str),
    /// `~ text`
    Part(Box<Node>),
    /// A name, perhaps with dots.
    Name(Str),
    Call(Name, Vec<Node>),
    /// `(a, b)`
    Tuple(Vec<Node>),
    /// `{ a }` or `( a )`
    Group(Box<Node>),
    Prefix(Prefix, Box<Node>),
    /// `repeat 2..5 g` and its like.
    Counted(Counted, Option<Box<Node>>, Box<Node>, Option<Box<Node>>),
    /// `auto POLICY n`, perhaps with a text for the policy, and a script and how it is injected.
    Auto(Name, Option<Name>, Box<Node>, Option<(Injection, Box<Node>)>),
    /// `g ?`
    Try(Box<Node>),
    /// `s[n]`
    Nth(Box<Node>, Box<Node>),
    /// `a :>> b *>> c`: the first, and what follows with what stands before it.
    Chain(Box<Node>, Vec<(Join, Node)>),
    /// Operators that have as many operands as one likes.
    Many(Many, Vec<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    /// `eventually P within 3` and its like: one operand or two.
    Temporal(Temporal, Vec<Node>, Option<Limit>),
    /// `let name = value`
    Let(Name, Box<Node>),
    /// `weight -> a`
    Arrow(Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Not,
    Negate,
    Assert,
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Repeat,
    Times,
    Gorilla,
    Monkey,
    RelevantMonkey,
}

impl Counted {
    pub(crate) const ALL: [(&'static str, Counted); 5] = [
        ("repeat", Counted::Repeat),
        ("times", Counted::Times),
        ("gorilla", Counted::Gorilla),
        ("monkey", Counted::Monkey),
        ("relevantMonkey", Counted::RelevantMonkey),
    ];

    pub(crate) fn has_body(self) -> bool {
        !matches!(self, Counted::Monkey | Counted::RelevantMonkey)
    }
}

/// The operators of temporal properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temporal {
    Next,
    Always,
    Eventually,
    Until,
    LeadsTo,
}

impl Temporal {
    /// How each is written: those before their operand come first.
    pub(crate) const ALL: [(&'static str, Temporal); 5] = [
        ("next", Temporal::Next),
        ("always", Temporal::Always),
        ("eventually", Temporal::Eventually),
        ("until", Temporal::Until),
        ("leadsTo", Temporal::LeadsTo),
    ];

    pub(crate) fn name(self) -> &'static str {
        Temporal::ALL[self as usize].0
    }

    pub(crate) fn is_prefix(self) -> bool {
        matches!(self, Temporal::Next | Temporal::Always | Temporal::Eventually)
    }
}

/// What joins two steps of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// `:>>`
    Plain,
    /// `*>>` or `*>>^m`
    Interrupts(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    Choice,
    Or,
    And,
    /// `|` between elements.
    Either,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Always,
    Interleave,
    Preserves,
    Keeps,
    Then,
    Implies,
    Compare(capuchin_trace::Comparison),
    Matches,
    Contains,
    Arithmetic(capuchin_trace::Arithmetic),
    In,
}

/// One entry of a file.
#[derive(Debug)]
pub(crate) enum Item {
    Define {
        name: Name,
        params: Vec<Name>,
        body: Node,
    },
    /// A predicate; with its number of arguments, if it says.
    Predicate(Name, Option<usize>),
    /// A predicate or a value that the device evaluates: its parameters, and its source.
    Script {
        name: Name,
        params: Vec<Name>,
        source: Str,
        is_value: bool,
    },
    /// An environment event; with its number of arguments, if it says.
    Environment(Name, Option<usize>),
    Check(Name, Node),
    /// `forAll(g)` and `forAll(g) { P }`.
    ForAll(Span, Node, Option<Node>),
    Always(Option<Str>, Node),
    /// `property "label": F`
    Property(Option<Str>, Node),
    Monitor(Span, Str),
    Expect(Span, Str),
    Device(Span, Str),
    Seed(Span, u64),
    Cases(Span, u32),
    /// A part of the mapping of a model.
    Mapping(MappingItem),
    /// An expression by itself.
    Bare(Node),
}

/// One entry of the mapping of a model.
#[derive(Debug)]
pub(crate) enum MappingItem {
    /// `model "domain.pddl" "problem.pddl"`, or `model "other.capu"`.
    Model(Span, Vec<Name>),
    /// `import "menus"`
    Import(Name),
    /// `object NAME = value`
    Object(Name, Node),
    /// `fact NAME(params) = P when G`
    Fact(Rule, FactBody),
    /// `operator NAME(params) = g`; nothing if it is unmapped.
    Operator(Rule, Option<Node>),
    /// `verify changed, complete every 10`
    Verify(Span, Vec<(Level, u32)>),
    /// `goal "label": "(condition)"`
    Goal(Name, Name),
    /// `case "label": "(step) (step)"`
    Case(Name, Name),
}

/// The head of a fact or an operator.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: Name,
    pub(crate) params: Vec<Name>,
}

/// How a fact is read.
#[expect(clippy::large_enum_variant, reason = "a file has few facts that are not seen")]
#[derive(Debug)]
pub(crate) enum FactBody {
    /// No screen shows it.
    Unseen,
    /// By this property, while the other one holds.
    Seen(Node, Option<Node>),
}

impl MappingItem {
    /// What it is called, or stands for.
    pub(crate) fn span(&self) -> Span {
        match self {
            MappingItem::Model(span, _) | MappingItem::Verify(span, _) => *span,
            MappingItem::Fact(rule, _) | MappingItem::Operator(rule, _) => rule.name.span,
            MappingItem::Import(name)
            | MappingItem::Object(name, _)
            | MappingItem::Goal(name, _)
            | MappingItem::Case(name, _) => name.span,
        }
    }
}
