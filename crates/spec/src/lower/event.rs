//! Events.

use super::names::{ENVIRONMENT, EVENTS, Sort};
use super::{Lower, Scope};
use crate::ast::{Kind, Name, Node};
use capuchin_trace::{EventGen, Gen};
use capuchin_ui::{Event, Str};

/// The event without arguments of this name.
fn bare_event(name: &str) -> Option<Event> {
    Some(match name {
        "Skip" => Event::Skip,
        "ClickBack" => Event::ClickBack,
        "ClickHome" => Event::ClickHome,
        "ClickMenu" => Event::ClickMenu,
        "Settings" => Event::Settings,
        "Rotate" => Event::Rotate,
        _ => return None,
    })
}

impl<'a> Lower<'a, '_> {
    /// An event, if the name is one of an event.
    pub(super) fn event(
        &mut self,
        node: &'a Node,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
    ) -> Option<Gen> {
        if let Some(event) = bare_event(&name.text) {
            self.arity(name, args, 0, &name.text);
            return Some(event.into());
        }
        if let Some((_, wanted, form)) = EVENTS.iter().find(|(event, ..)| *event == name.text) {
            if !self.arity(name, args, *wanted, form) {
                return Some(Gen::Unit);
            }
            let event = match (name.text.as_str(), args) {
                ("Click", [target]) => EventGen::Click(self.targets(target, scope)),
                ("LongClick", [target]) => EventGen::LongClick(self.targets(target, scope)),
                ("DoubleClick", [target]) => EventGen::DoubleClick(self.targets(target, scope)),
                ("Hover", [target]) => EventGen::Hover(self.targets(target, scope)),
                ("Clear", [target]) => EventGen::Clear(self.targets(target, scope)),
                ("Type", [target, text]) => {
                    let target = self.targets(target, scope);
                    EventGen::Type(target, self.texts(text, scope))
                }
                ("Swipe", [target, to]) => {
                    let target = self.targets(target, scope);
                    EventGen::Swipe(target, self.towards(to, scope))
                }
                ("Pinch", [from, to]) => {
                    let from = self.places(from, scope);
                    EventGen::Pinch(from, self.places(to, scope))
                }
                ("Press", [key]) => EventGen::Just(Event::Press(self.key(key, scope))),
                (_, [millis, ..]) => EventGen::Sleep(self.numbers(millis, scope)),
                _ => return Some(Gen::Unit),
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
        let args = args.iter().map(|arg| self.argument(arg, scope, words)).collect();
        Some(EventGen::Environment(name.text.clone(), args).into())
    }
}
