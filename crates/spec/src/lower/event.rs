//! Events.

use super::names::{ENVIRONMENT, EVENTS, EventWord, Sort};
use super::{Lower, Scope};
use crate::ast::{Kind, Name, Node};
use crate::diagnostic::Draft;
use capuchin_trace::{ArgumentGen, EventGen, Gen, Numbers};
use capuchin_ui::{Event, Str};

/// The longest time that passes at once, in milliseconds: beyond it, clocks overflow.
const LONGEST_TIME: f64 = 3650.0 * 86_400_000.0;

impl<'a> Lower<'a, '_> {
    /// An event, if the name is one of an event.
    pub(super) fn event(
        &mut self,
        node: &'a Node,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> Option<Gen> {
        if let Some((_, event)) = Event::BARE.into_iter().find(|(event, _)| *event == name.text) {
            self.arity(name, args, 0, &name.text);
            return Some(event.into());
        }
        if let Some((_, wanted, form, word)) = EVENTS.iter().find(|(event, ..)| *event == name.text)
        {
            let (true, Some(first)) = (self.arity(name, args, *wanted, form), args.first()) else {
                return Some(Gen::Unit);
            };
            let second = args.get(1).unwrap_or(first);
            let event = match word {
                EventWord::Click => EventGen::Click(self.targets(first, scope)),
                EventWord::LongClick => EventGen::LongClick(self.targets(first, scope)),
                EventWord::DoubleClick => EventGen::DoubleClick(self.targets(first, scope)),
                EventWord::Hover => EventGen::Hover(self.targets(first, scope)),
                EventWord::Clear => EventGen::Clear(self.targets(first, scope)),
                EventWord::Type => {
                    EventGen::Type(self.targets(first, scope), self.texts(second, scope))
                }
                EventWord::Swipe => {
                    EventGen::Swipe(self.targets(first, scope), self.towards(second, scope))
                }
                EventWord::Pinch => {
                    EventGen::Pinch(self.places(first, scope), self.places(second, scope))
                }
                EventWord::Press => EventGen::Just(Event::Press(self.key(first, scope))),
                EventWord::Sleep => {
                    let millis = self.numbers(first, scope);
                    self.bound_time(&millis, first);
                    EventGen::Sleep(millis)
                }
            };
            return Some(event.into());
        }
        self.environment_event(node, name, args, scope)
    }

    /// The key in `Press("Enter")` or `Press(Enter)`.
    fn key(&mut self, node: &'a Node, scope: &Scope<'a>) -> Str {
        if let Some((head, _)) = self.head(node, scope)
            && let Kind::Name(key) = &head.kind
        {
            return key.clone();
        }
        self.literal(node, scope).unwrap_or_default()
    }

    fn environment_event(
        &mut self,
        node: &'a Node,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> Option<Gen> {
        if let Some((_, wanted, form)) = ENVIRONMENT.iter().find(|(event, ..)| *event == name.text)
        {
            self.arity(name, args, *wanted, form);
        } else if let Some(wanted) = self.environment.get(name.text.as_str()).copied() {
            if let Some(wanted) = wanted {
                self.arity_or(name, args, wanted, "it is declared so by `environment`");
            }
        } else {
            let taken = self.lenient
                && matches!(node.kind, Kind::Call(..))
                && self.sort(node, scope) == Sort::Unknown
                && self.near(&name.text, Sort::Generator).is_none();
            if !taken {
                return None;
            }
        }
        let words = name.text == "network";
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.argument(arg, scope, words);
            if let (ArgumentGen::Number(millis), "clock") = (&value, name.text.as_str()) {
                self.bound_time(millis, arg);
            }
            values.push(value);
        }
        Some(EventGen::Environment(name.text.clone(), values).into())
    }

    /// Refuses a time that no app is left alone for.
    fn bound_time(&mut self, millis: &Numbers, node: &Node) {
        if millis.largest() > LONGEST_TIME {
            self.report(
                Draft::error("this takes more than ten years", node.span, "in milliseconds")
                    .help("an hour is 3600000, a day is 86400000"),
            );
        }
    }
}
