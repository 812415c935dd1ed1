//! Remembered values: which `let` a name means, and what it is called once everything is flat.
//!
//! A `let` is known from there to the end of its sequence, as its author sees it. Sequences lose
//! their braces when they are put together and definitions are expanded where they are used, so one
//! that would take the name of another that is still known gets a name of its own: `n` becomes
//! `n2`. The rule is about the sequences without their braces, so that what is printed reads the
//! same.

use super::{Lower, Scope};
use crate::ast::{Kind, Name, Node};
use crate::diagnostic::Draft;
use capuchin_trace::{Expr, Gen};
use capuchin_ui::Str;
use std::rc::Rc;

/// How many values may be remembered at one place. They are looked up one by one.
const MOST_REMEMBERED: usize = 1000;

/// What is remembered where an expression stands, the last first.
pub(super) struct Remembered<'a> {
    name: &'a str,
    /// What it is called in what is printed.
    called: Str,
    /// Whether it is a text or a number, if that is known.
    is_text: Option<bool>,
    before: Option<Rc<Remembered<'a>>>,
}

impl<'a> Scope<'a> {
    fn find(&self, name: &str) -> Option<&Remembered<'a>> {
        std::iter::successors(self.remembered.as_deref(), |inner| inner.before.as_deref())
            .find(|remembered| remembered.name == name)
    }

    /// What the name reads, if it is one of a remembered value.
    pub(super) fn recall(&self, name: &str) -> Option<Expr> {
        self.find(name).map(|remembered| Expr::Remembered(remembered.called.clone()))
    }

    /// Whether what the name reads is a text or a number, if that is known.
    pub(super) fn recalls_text(&self, name: &str) -> Option<bool> {
        self.find(name).and_then(|remembered| remembered.is_text)
    }
}

/// A name under which something is remembered around what is being lowered.
pub(super) struct Known<'a> {
    pub(super) name: &'a str,
    called: Str,
    /// The braces that it was remembered in are closed, but the sequence goes on without them.
    pub(super) over: bool,
}

impl<'a> Lower<'a, '_> {
    /// The steps of a sequence, each with the scope in which it stands: that after every `let`
    /// before it. If it is a step of another sequence, it becomes one with that.
    pub(super) fn steps(
        &mut self,
        steps: impl IntoIterator<Item = &'a Node>,
        scope: &Scope<'a>,
        mut lower: impl FnMut(&mut Self, &'a Node, &Scope<'a>),
    ) {
        let start = self.known.len();
        let joins = std::mem::take(&mut self.joins);
        let outer = self.sequence;
        if !joins {
            self.sequence = start;
        }
        let mut scope = scope.clone();
        for step in steps {
            self.joins = true;
            lower(self, step, &scope);
            self.joins = false;
            if let Kind::Let(name, value) = &step.kind
                && self.has_room_for(name)
            {
                let called = self.called(name, start);
                let is_text = self.is_text(value, &scope);
                let before = scope.remembered.take();
                self.known.push(Known { name: &name.text, called: called.clone(), over: false });
                let remembered = Remembered { name: &name.text, called, is_text, before };
                scope.remembered = Some(Rc::new(remembered));
            }
        }
        if joins {
            self.known[start..].iter_mut().for_each(|known| known.over = true);
        } else {
            self.known.truncate(start);
        }
        self.sequence = outer;
    }

    /// `let name = value` as a step of the sequence whose names are known from `start` on.
    pub(super) fn remember(
        &mut self,
        name: &'a Name,
        value: &'a Node,
        start: usize,
        scope: &Scope<'a>,
    ) -> Gen {
        self.may_be_remembered(name);
        let value = self.value(value, scope);
        Gen::Let(self.called(name, start), value)
    }

    /// What is remembered here is called: its own name, unless that would hide what is still known
    /// outside of its braces.
    fn called(&self, name: &Name, start: usize) -> Str {
        let again = |known: &&Known<'_>| known.name == name.text && !known.over;
        if let Some(again) = self.known[start..].iter().find(again) {
            return again.called.clone();
        }
        let mut called = name.text.clone();
        let mut number = 1;
        let hides = |called: &Str| {
            let mut known = self.known.iter().enumerate();
            known.any(|(at, known)| known.called == *called && !(known.over && at >= self.sequence))
        };
        while hides(&called) || (number > 1 && self.is_declared(&called)) {
            number += 1;
            called = format!("{}{number}", name.text).into();
        }
        called
    }

    fn has_room_for(&mut self, name: &Name) -> bool {
        let room = self.known.len() < MOST_REMEMBERED;
        if !room {
            let message = format!("at most {MOST_REMEMBERED} values are remembered at a time");
            self.report(Draft::error(message, name.span, "one too many"));
        }
        room
    }

    fn may_be_remembered(&mut self, name: &Name) {
        if self.is_declared(&name.text) {
            self.report(
                Draft::error(
                    format!("`{}` has a meaning already", name.text),
                    name.span,
                    "nothing can be remembered under it",
                )
                .help("call it something else"),
            );
        }
    }
}
