//! Elements and places: what an event is done to, and what a property is about.

use super::names::{Sort, plain};
use super::value::is_choice;
use super::{Lower, Scope};
use crate::ast::{Binary, Kind, Many, Name, Node};
use crate::diagnostic::Draft;
use capuchin_trace::{Numbers, Places, Targets, Towards};
use capuchin_ui::{Direction, Role, Selector, Str, TextMatch};

/// How many alternatives `#a | #b | ...` may have: each is compared with every element of a screen.
const MOST_ALTERNATIVES: usize = 1000;

impl<'a> Lower<'a, '_> {
    /// What an event is done to.
    pub(super) fn targets(&mut self, node: &'a Node, scope: &Scope<'a>) -> Targets {
        self.at(node, scope, Self::targets_at).unwrap_or(Targets::Any(Selector::default()))
    }

    fn targets_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Targets {
        match &node.kind {
            Kind::Tuple(_) => Targets::Place(self.places(node, scope)),
            Kind::Name(name) if name == "anywhere" => Targets::Place(Places::Anywhere),
            Kind::Call(name, args) if is_choice(name) => {
                Targets::OneOf(self.arms(name, args, scope, Self::targets))
            }
            _ if self.sort(node, scope) == Sort::Text && !matches!(node.kind, Kind::Text(_)) => {
                Targets::Saying(self.texts(node, scope))
            }
            _ => match self.pick(node, scope) {
                (selector, true) => Targets::Any(selector),
                (selector, false) => Targets::One(selector),
            },
        }
    }

    /// A description of elements, as properties and values want it.
    pub(super) fn selector(&mut self, node: &'a Node, scope: &Scope<'a>) -> Selector {
        self.pick(node, scope).0
    }

    /// A description of elements, and whether it has a `*`: any of them.
    fn pick(&mut self, node: &'a Node, scope: &Scope<'a>) -> (Selector, bool) {
        self.at(node, scope, Self::pick_at).unwrap_or_default()
    }

    fn pick_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> (Selector, bool) {
        match &node.kind {
            Kind::Any => (Selector::default(), true),
            Kind::Id(id) => (Selector::id(id.clone()), false),
            Kind::Class(class) => (Selector::class(class.clone()), false),
            Kind::Many(Many::Either, parts) => self.either(node, parts, scope),
            Kind::Text(text) => (Selector::text(text.clone()), false),
            Kind::Number(n) if n.fract() == 0.0 && *n >= 0.0 => {
                (Selector::id(Str::from(n.to_string())), false)
            }
            Kind::Part(part) => {
                let part = self.literal(part, scope).unwrap_or_default();
                (Selector::default().containing(part), false)
            }
            Kind::Name(name) => match (id_of(name), role_of(name)) {
                (Some(id), _) => (Selector::id(id), false),
                (None, Some(role)) => (Selector { role, ..Selector::default() }, false),
                (None, None) => self.no_element(node, scope),
            },
            Kind::Call(name, args) if name.text == "class" => {
                let (true, [arg]) = (self.arity(name, args, 1, "class(\"any text\")"), &args[..])
                else {
                    return Default::default();
                };
                (Selector::class(self.literal(arg, scope).unwrap_or_default()), false)
            }
            Kind::Call(name, args) if name.text == "id" => {
                let (true, [arg]) = (self.arity(name, args, 1, "id(\"any text\")"), &args[..])
                else {
                    return Default::default();
                };
                (Selector::id(self.literal(arg, scope).unwrap_or_default()), false)
            }
            Kind::Call(name, args) => match role_of(&name.text) {
                Some(role) => self.described(role, name, args, scope),
                None => self.no_element(node, scope),
            },
            Kind::Nth(inner, n) => {
                let (selector, any) = self.pick(inner, scope);
                let number = self.count(n, scope);
                if any || selector.nth.is_some() {
                    let why = if any { "`*` is any of them" } else { "it has a number already" };
                    self.report(Draft::error("a number too many", n.span, why).help(
                        "`button[2]` is the second button on the screen, `button(*)` is any",
                    ));
                } else if number == 0 {
                    self.report(
                        Draft::error("elements are counted from 1", n.span, "not a number of one")
                            .help("the first is `[1]`"),
                    );
                }
                (selector.nth(number), any)
            }
            Kind::Binary(Binary::In, inner, outer) => {
                let (mut selector, any) = self.pick(inner, scope);
                let mut last = &mut selector;
                while let Some(ref mut within) = last.within {
                    last = within;
                }
                last.within = Some(Box::new(self.selector(outer, scope)));
                (selector, any)
            }
            _ => self.no_element(node, scope),
        }
    }

    /// `a | b`: any of these descriptions.
    fn either(&mut self, node: &'a Node, parts: &'a [Node], scope: &Scope<'a>) -> (Selector, bool) {
        if let Some(extra) = parts.get(MOST_ALTERNATIVES) {
            let message = format!("an element has at most {MOST_ALTERNATIVES} alternatives");
            self.report(
                Draft::error(message, extra.span, "one too many")
                    .help("name what they have in common: a role, a class, a part of the text"),
            );
            return Default::default();
        }
        let parts: Vec<(Selector, bool)> =
            parts.iter().map(|part| self.pick(part, scope)).collect();
        let any = parts.iter().all(|(_, any)| *any);
        if !any && parts.iter().any(|(_, any)| *any) {
            self.report(
                Draft::error("`*` on one side of `|` only", node.span, "any, or a certain one?")
                    .help("write it on both sides: button(*) | link(*)"),
            );
        }
        (Selector::one_of(parts.into_iter().map(|(part, _)| part)), any)
    }

    fn no_element(&mut self, node: &'a Node, scope: &Scope<'a>) -> (Selector, bool) {
        let help = match &node.kind {
            Kind::Call(name, _) if is_choice(name) => Some("a property is about one element"),
            _ => Some("an element is written #id, \"its text\", button(\"Save\") or *"),
        };
        self.mismatch(node, scope, Sort::Element, help);
        Default::default()
    }

    /// `button("Save", enabled)`: a role, and what else is true of the element.
    fn described(
        &mut self,
        role: Option<Role>,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> (Selector, bool) {
        let mut selector = Selector { role, ..Selector::default() };
        let mut any = false;
        for arg in args {
            let Some((head, inner)) = self.head(arg, scope) else { continue };
            let state = match &head.kind {
                Kind::Name(word) => Selector::STATE_WORDS.iter().find(|(state, ..)| state == word),
                _ => None,
            };
            match &head.kind {
                Kind::Any => any = true,
                Kind::Name(_) if state.is_some() => {
                    if let Some((_, state, holds)) = state {
                        *(if *holds { &mut selector.is } else { &mut selector.is_not }) |= *state;
                    }
                }
                Kind::Text(_)
                | Kind::Part(_)
                | Kind::Id(_)
                | Kind::Class(_)
                | Kind::Number(_)
                | Kind::Many(Many::Either, _) => {
                    let (part, _) = self.pick(head, &inner);
                    self.add(&mut selector, part, head, name);
                }
                Kind::Name(word) if id_of(word).is_some() => {
                    let (part, _) = self.pick(head, &inner);
                    self.add(&mut selector, part, head, name);
                }
                Kind::Call(call, _) if call.text == "id" || call.text == "class" => {
                    let (part, _) = self.pick(head, &inner);
                    self.add(&mut selector, part, head, name);
                }
                _ => {
                    let help = "it takes a text, a #id, a .class, * and states such as checked";
                    self.mismatch(head, &inner, Sort::State, Some(help));
                }
            }
        }
        (selector, any)
    }

    fn add(&mut self, to: &mut Selector, part: Selector, node: &Node, name: &Name) {
        let twice = [
            ("id", to.id.is_some() && part.id.is_some()),
            ("class", to.class.is_some() && part.class.is_some()),
            ("text", to.text.is_some() && part.text.is_some()),
            ("choice", !to.any_of.is_empty() && !part.any_of.is_empty()),
        ];
        if let Some((what, _)) = twice.into_iter().find(|(_, twice)| *twice) {
            self.report(Draft::error(
                format!("`{}` has one {what}", name.text),
                node.span,
                "the second one",
            ));
        }
        let text: Option<TextMatch> = part.text;
        to.class = to.class.take().or(part.class);
        to.any_of.extend(part.any_of);
        to.id = to.id.take().or(part.id);
        to.text = to.text.take().or(text);
    }

    /// A point, or anywhere.
    pub(super) fn places(&mut self, node: &'a Node, scope: &Scope<'a>) -> Places {
        self.at(node, scope, Self::places_at).unwrap_or(Places::Anywhere)
    }

    fn places_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Places {
        match &node.kind {
            Kind::Tuple(parts) => {
                let [x, y] = &parts[..] else {
                    self.report(Draft::error(
                        format!("a point has 2 coordinates, not {}", parts.len()),
                        node.span,
                        "write (x, y)",
                    ));
                    return Places::Anywhere;
                };
                let x: Numbers = self.numbers(x, scope);
                Places::Point(x, self.numbers(y, scope))
            }
            Kind::Any => Places::Anywhere,
            Kind::Name(name) if name == "anywhere" => Places::Anywhere,
            _ => {
                let help = "a point is written (x, y), with numbers drawn if you like: \
                            (choose(0, 100), 5); or anywhere";
                if self.sort(node, scope) == Sort::Point {
                    self.report(
                        Draft::error("points are not chosen here", node.span, "a choice")
                            .help(help),
                    );
                } else {
                    self.mismatch(node, scope, Sort::Point, Some(help));
                }
                Places::Anywhere
            }
        }
    }

    /// Where a swipe goes.
    pub(super) fn towards(&mut self, node: &'a Node, scope: &Scope<'a>) -> Towards {
        let Some((head, inner)) = self.head(node, scope) else {
            return Towards::Place(Places::Anywhere);
        };
        if let Kind::Name(name) = &head.kind {
            let named = |direction: &Direction| direction.name().eq_ignore_ascii_case(name);
            if let Some(direction) = Direction::ALL.into_iter().find(named) {
                return Towards::Direction(direction);
            }
        }
        let sort = self.sort(head, &inner);
        if matches!(sort, Sort::Element | Sort::Text) && !matches!(head.kind, Kind::Any) {
            let (selector, any) = self.pick(head, &inner);
            if any {
                self.report(
                    Draft::error("a swipe goes to one element", head.span, "`*` is any of them")
                        .help("name one, or write `anywhere`"),
                );
            }
            return Towards::Element(selector);
        }
        if !matches!(sort, Sort::Point | Sort::Anything) && !matches!(head.kind, Kind::Any) {
            let help = "a swipe goes Up, Down, Left, Right, to an element, to a point or anywhere";
            self.mismatch(head, &inner, Sort::Direction, Some(help));
            return Towards::Place(Places::Anywhere);
        }
        Towards::Place(self.places(head, &inner))
    }
}

/// The id in `R.id.enter`.
fn id_of(name: &str) -> Option<&str> {
    let (before, id) = name.rsplit_once("R.id.")?;
    (before.is_empty() || before.ends_with('.')).then_some(id)
}

/// The role that a word stands for; `element` is any.
fn role_of(name: &str) -> Option<Option<Role>> {
    let name = plain(name);
    if name == "element" {
        return Some(None);
    }
    Role::named(name).map(Some)
}
