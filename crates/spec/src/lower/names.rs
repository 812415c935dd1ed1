//! The words of the language, what kind of thing each expression is, and what to say about a name
//! that nobody knows.

use super::{Lower, Scope};
use crate::ast::{Binary, Kind, Many, Node, Prefix, Span};
use crate::diagnostic::{Draft, shorten};
use crate::parser::{ItemWord, OPERATOR_WORDS};
use capuchin_trace::ElementTest;
use capuchin_ui::{Direction, Event, Role, Selector, suggest};

/// Events with arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventWord {
    Click,
    LongClick,
    DoubleClick,
    Hover,
    Clear,
    Type,
    Swipe,
    Pinch,
    Press,
    Sleep,
}

/// How each of them is written: the name, how many arguments, and the form.
pub(super) const EVENTS: [(&str, usize, &str, EventWord); 10] = [
    ("Click", 1, "Click(#id)", EventWord::Click),
    ("LongClick", 1, "LongClick(#id)", EventWord::LongClick),
    ("DoubleClick", 1, "DoubleClick(#id)", EventWord::DoubleClick),
    ("Hover", 1, "Hover(#id)", EventWord::Hover),
    ("Clear", 1, "Clear(#id)", EventWord::Clear),
    ("Type", 2, "Type(#id, \"text\")", EventWord::Type),
    ("Swipe", 2, "Swipe(#id, Up)", EventWord::Swipe),
    ("Pinch", 2, "Pinch((10, 10), (90, 90))", EventWord::Pinch),
    ("Press", 1, "Press(\"Enter\")", EventWord::Press),
    ("Sleep", 1, "Sleep(500)", EventWord::Sleep),
];

/// Environment events that need no declaration: the name, how many arguments, and the form.
pub(crate) const ENVIRONMENT: [(&str, usize, &str); 3] = [
    ("locUpdate", 2, "locUpdate(48.1, 11.6)"),
    ("network", 1, "network(\"off\")"),
    ("clock", 1, "clock(60000)"),
];

/// Other words that stand for generators. (`auto` is none of them: it is a name wherever no policy
/// follows.)
const GENERATORS: [&str; 12] = [
    "assert",
    "let",
    "optional",
    "repeat",
    "times",
    "monkey",
    "relevantMonkey",
    "gorilla",
    "interrupt",
    "unit",
    "oneOf",
    "frequency",
];

/// Functions that read a value off the screen.
pub(super) const READERS: [&str; 6] = ["text", "texts", "value", "number", "count", "length"];

/// What draws a text, and the regular expression it stands for.
pub(super) const STRINGS: [(&str, &str); 3] =
    [("alphaStr", "[a-zA-Z]*"), ("numStr", "[0-9]*"), ("alphaNumStr", "[a-zA-Z0-9]*")];

/// The name without the `Gen.` that ScalaCheck puts before it.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("Gen.").unwrap_or(name)
}

/// Words that have a meaning everywhere and are in none of the lists above.
const RESERVED: [&str; 10] =
    ["true", "false", "missing", "hasText", "rust", "string", "choose", "id", "class", "element"];

/// Whether the word has a meaning everywhere, so that nothing can be called so.
pub(crate) fn is_reserved(name: &str) -> bool {
    // These declare something only where a name or a text follows them.
    let is_name = |word: ItemWord| {
        use ItemWord::{Case, Fact, Goal, Import, Model, Object, Operator, Verify};
        use ItemWord::{Expect, Monitor, Property, Value};
        matches!(word, Value | Monitor | Expect | Property)
            || matches!(word, Model | Import | Object | Fact | Operator | Verify | Goal | Case)
    };
    ItemWord::of(name).is_some_and(|word| !is_name(word))
        || OPERATOR_WORDS.contains(&name)
        || GENERATORS.contains(&name)
        || is_event(name)
        || ElementTest::ALL.iter().any(|test| test.name() == name)
        || RESERVED.contains(&name)
}

/// What kind of thing an expression is, as far as that can be told without expanding anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Generator,
    Property,
    Number,
    Text,
    /// Something that is read off the screen.
    Value,
    Element,
    Point,
    Direction,
    State,
    Weighted,
    /// A parameter, or something that is wrong and was reported.
    Anything,
    /// A name that nobody knows.
    Unknown,
}

impl Sort {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Sort::Generator => "a generator",
            Sort::Property => "a property",
            Sort::Number => "a number",
            Sort::Text => "a text",
            Sort::Value => "a value read off the screen",
            Sort::Element => "an element",
            Sort::Point => "a point",
            Sort::Direction => "a direction",
            Sort::State => "a state",
            Sort::Weighted => "a weighted arm",
            Sort::Anything => "anything",
            Sort::Unknown => "an unknown name",
        }
    }
}

/// Where what is drawn may stand.
const DRAWN: &str = "what is drawn stands in the arguments of events, and nowhere else";

fn is_drawn(word: &str) -> bool {
    matches!(word, "choose" | "string" | "oneOf" | "frequency")
        || STRINGS.iter().any(|(string, _)| *string == word)
}

impl<'a> Lower<'a, '_> {
    /// The kind of an expression.
    pub(super) fn sort(&mut self, node: &'a Node, scope: &Scope<'a>) -> Sort {
        self.at(node, scope, Self::sort_at).unwrap_or(Sort::Anything)
    }

    fn sort_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Sort {
        match &node.kind {
            Kind::Error | Kind::Group(_) => Sort::Anything,
            Kind::Unit
            | Kind::Counted(..)
            | Kind::Auto(..)
            | Kind::Try(_)
            | Kind::Let(..)
            | Kind::Chain(..)
            | Kind::Many(Many::Choice, _)
            | Kind::Prefix(Prefix::Assert | Prefix::Optional, _)
            | Kind::Binary(
                Binary::Always
                | Binary::Interleave
                | Binary::Preserves
                | Binary::Keeps
                | Binary::Then,
                ..,
            ) => Sort::Generator,
            Kind::Many(Many::Either, parts) => match parts.first() {
                Some(first) => match self.sort(first, scope) {
                    // Something that is no element is reported for itself.
                    sort @ (Sort::Generator | Sort::Property | Sort::Anything) => sort,
                    _ => Sort::Element,
                },
                None => Sort::Element,
            },
            Kind::Many(..)
            | Kind::Temporal(..)
            | Kind::Prefix(Prefix::Not, _)
            | Kind::Binary(
                Binary::Implies | Binary::Compare(_) | Binary::Matches | Binary::Contains,
                ..,
            ) => Sort::Property,
            Kind::Any
            | Kind::Id(_)
            | Kind::Class(_)
            | Kind::Part(_)
            | Kind::Nth(..)
            | Kind::Binary(Binary::In, ..) => Sort::Element,
            Kind::Number(_) => Sort::Number,
            Kind::Prefix(Prefix::Negate, inner) => self.sort(inner, scope),
            Kind::Binary(Binary::Arithmetic(_), left, right) => {
                match (self.sort(left, scope), self.sort(right, scope)) {
                    (Sort::Number, Sort::Number) => Sort::Number,
                    (Sort::Anything, _) | (_, Sort::Anything) => Sort::Anything,
                    _ => Sort::Value,
                }
            }
            Kind::Text(_) => Sort::Text,
            Kind::Tuple(_) => Sort::Point,
            Kind::Arrow(..) => Sort::Weighted,
            Kind::Name(name) if scope.recall(name).is_some() => Sort::Value,
            Kind::Name(name) => self.sort_of_word(name, &[], scope),
            Kind::Call(name, args) => self.sort_of_word(&name.text, args, scope),
        }
    }

    fn sort_of_word(&mut self, name: &str, args: &'a [Node], scope: &Scope<'a>) -> Sort {
        let word = plain(name);
        match word {
            "true" | "false" | "hasText" | "rust" => return Sort::Property,
            "missing" => return Sort::Value,
            "interrupt" => return Sort::Generator,
            "element" | "id" | "class" => return Sort::Element,
            "choose" => return Sort::Number,
            "string" => return Sort::Text,
            "anywhere" => return Sort::Point,
            "oneOf" | "frequency" => {
                let first = args.first().map(|arg| match &arg.kind {
                    Kind::Arrow(_, arm) => arm,
                    Kind::Tuple(parts) if word == "frequency" => parts.last().unwrap_or(arg),
                    _ => arg,
                });
                return first.map_or(Sort::Generator, |first| self.sort(first, scope));
            }
            _ => {}
        }
        if is_event(word) || self.is_environment(name) {
            Sort::Generator
        } else if ElementTest::ALL.iter().any(|test| test.name() == word)
            || self.predicates.contains_key(name)
        {
            Sort::Property
        } else if STRINGS.iter().any(|(string, _)| *string == word) {
            Sort::Text
        } else if (READERS.contains(&word) && !args.is_empty()) || self.values.contains_key(name) {
            Sort::Value
        } else if name.contains("R.id.") || Role::named(word).is_some() {
            Sort::Element
        } else if Selector::STATE_WORDS.iter().any(|(state, ..)| *state == word) {
            Sort::State
        } else if Direction::ALL.iter().any(|direction| direction.name() == word) {
            Sort::Direction
        } else {
            Sort::Unknown
        }
    }

    pub(super) fn is_environment(&self, name: &str) -> bool {
        self.environment.contains_key(name) || ENVIRONMENT.iter().any(|(event, ..)| *event == name)
    }

    /// Whether the file or the language gives the name a meaning.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        is_reserved(name)
            || self.is_environment(name)
            || self.predicates.contains_key(name)
            || self.values.contains_key(name)
            || self.defs.contains_key(name)
    }

    /// Reports that something else is wanted here; if it is a name that nobody knows, that.
    pub(super) fn mismatch(
        &mut self,
        node: &'a Node,
        scope: &Scope<'a>,
        wanted: Sort,
        help: Option<&str>,
    ) {
        let (name, span) = match &node.kind {
            Kind::Name(name) => (Some(name), node.span),
            Kind::Call(name, _) => (Some(&name.text), name.span),
            _ => (None, node.span),
        };
        match (self.sort(node, scope), name) {
            (Sort::Unknown, Some(name)) => self.unknown(name, span, wanted),
            (Sort::Unknown | Sort::Anything, _) => {}
            (found, _) => {
                let drawn = name.is_some_and(|name| is_drawn(plain(name)));
                let (found, help) = match found {
                    Sort::Number if drawn => ("a drawn number", help.or(Some(DRAWN))),
                    Sort::Text if drawn => ("a drawn text", help.or(Some(DRAWN))),
                    found => (found.describe(), help),
                };
                let wanted = if wanted == Sort::Value { "a value" } else { wanted.describe() };
                let draft = Draft::error(
                    format!("expected {wanted}, found {found}"),
                    node.span,
                    format!("this is {found}"),
                );
                let draft = match self.place {
                    Some(place) if !place.contains(node.span) => draft.also(place, "used here"),
                    _ => draft,
                };
                self.report(draft.maybe_help(help.map(str::to_owned)));
            }
        }
    }

    fn unknown(&mut self, name: &str, span: Span, wanted: Sort) {
        let short = shorten(name);
        let near = self.near(name, wanted);
        let help = match (near, wanted) {
            (Some(near), _) if near.eq_ignore_ascii_case(name) => format!("write `{near}`"),
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Sort::Property) => format!("declare it: predicate {short}"),
            (None, Sort::Generator) => format!(
                "define it: val {short} = ...; or, if the surroundings do it: environment {short}"
            ),
            (None, Sort::Text) => format!("a text is written in quotes: \"{short}\""),
            (None, Sort::Value) => format!(
                "a text is written in quotes: \"{short}\"; a value is remembered earlier in the \
                 same braces: let {short} = count(item)"
            ),
            (None, Sort::Element) => {
                format!("an element is written #{short} by id, \"{short}\" by text")
            }
            _ => format!("define it: val {short} = ..."),
        };
        self.report(
            Draft::error(format!("unknown name `{short}`"), span, "not known here").help(help),
        );
    }

    /// The known name that was most likely meant.
    pub(super) fn near(&self, name: &str, wanted: Sort) -> Option<&'a str> {
        if self.sink.is_full() {
            return None;
        }
        let word = plain(name);
        let mut known: Vec<&'a str> = self.defs.keys().copied().collect();
        let texts = || STRINGS.iter().map(|(string, _)| *string).chain(["string"]);
        match wanted {
            Sort::Generator => {
                known.extend(self.environment.keys());
                known.extend(GENERATORS);
                known.extend(Event::BARE.iter().map(|(event, _)| event));
                known.extend(EVENTS.iter().map(|(event, ..)| event));
                known.extend(ENVIRONMENT.iter().map(|(event, ..)| event));
            }
            Sort::Property => {
                known.extend(self.predicates.keys());
                known.extend(ElementTest::ALL.iter().map(|test| test.name()));
                known.extend(["true", "false", "hasText"]);
            }
            Sort::Element => {
                known.extend(Role::ALL.iter().map(|role| role.name()));
                known.extend(["element", "anywhere", "id", "class", "oneOf", "frequency"]);
            }
            Sort::State => known.extend(Selector::STATE_WORDS.iter().map(|(state, ..)| state)),
            Sort::Value => {
                known.extend(READERS);
                known.extend(self.values.keys());
                known.extend(self.known.iter().filter(|known| !known.over).map(|known| known.name));
            }
            Sort::Number => known.extend(["choose", "oneOf", "frequency"]),
            Sort::Text => known.extend(texts().chain(["oneOf", "frequency"])),
            Sort::Direction => known.extend(Direction::ALL.iter().map(|d| d.name())),
            Sort::Point => known.push("anywhere"),
            Sort::Weighted | Sort::Anything | Sort::Unknown => {}
        }
        let short = word.chars().count() < 3;
        suggest(word, known).filter(|near| !short || near.eq_ignore_ascii_case(word))
    }

    /// Looks at an expression of which only its own kind is known: the body of a definition.
    pub(super) fn any_kind(&mut self, node: &'a Node, scope: &Scope<'a>) {
        let Some((head, inner)) = self.head(node, scope) else { return };
        match self.sort(head, &inner) {
            Sort::Generator => drop(self.generator(head, &inner)),
            // It may be about a run: where it is used decides.
            Sort::Property => drop(self.formula(head, &inner)),
            Sort::Number => drop(self.numbers(head, &inner)),
            Sort::Text => drop(self.texts(head, &inner)),
            Sort::Value => drop(self.value(head, &inner)),
            Sort::Element | Sort::Point => drop(self.targets(head, &inner)),
            Sort::Unknown => {
                if let Kind::Name(name) = &head.kind {
                    self.unknown(name, head.span, Sort::Generator);
                } else if let Kind::Call(name, _) = &head.kind {
                    self.unknown(&name.text, name.span, Sort::Generator);
                }
            }
            Sort::Direction | Sort::State | Sort::Weighted | Sort::Anything => {}
        }
    }
}

pub(super) fn is_event(name: &str) -> bool {
    Event::BARE.iter().any(|(event, _)| *event == name)
        || EVENTS.iter().any(|(event, ..)| *event == name)
}

/// Whether an environment event of this name needs no declaration.
pub(crate) fn is_built_in_environment(name: &str) -> bool {
    ENVIRONMENT.iter().any(|(event, ..)| *event == name)
}
