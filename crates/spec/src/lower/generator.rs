//! Generators. Everything is put together by the constructors of [`Gen`], which keep the one form
//! that is printed.

use super::names::{Sort, plain};
use super::value::is_choice;
use super::{Lower, Scope};
use crate::ast::{Binary, Counted, Join, Kind, Many, Name, Node, Prefix};
use crate::diagnostic::{Draft, shorten};
use capuchin_trace::{Auto, EventGen, Gen, Injection};
use capuchin_ui::Event;
use std::sync::Arc;

impl<'a> Lower<'a, '_> {
    pub(super) fn generator(&mut self, node: &'a Node, scope: &Scope<'a>) -> Gen {
        self.at(node, scope, Self::generator_at).unwrap_or(Gen::Unit)
    }

    fn generator_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Gen {
        // Only a sequence joins the one that it is a step of, or what a choice of one stands for.
        let alone =
            matches!(&node.kind, Kind::Call(name, args) if is_choice(name) && args.len() == 1);
        self.joins &= alone || matches!(node.kind, Kind::Chain(..) | Kind::Let(..));
        match &node.kind {
            Kind::Unit => Gen::Unit,
            Kind::Chain(first, rest) => self.chain(first, rest, scope),
            Kind::Let(..) => self.chain(node, &[], scope),
            Kind::Many(Many::Choice, arms) => {
                let arms: Vec<Gen> = arms.iter().map(|arm| self.generator(arm, scope)).collect();
                Gen::choice(arms)
            }
            Kind::Many(Many::Either, _) => {
                self.report(
                    Draft::error("`|` stands between elements", node.span, "these are none")
                        .help("write `<+>` between generators, `\\/` between properties"),
                );
                Gen::Unit
            }
            Kind::Try(inner) => self.generator(inner, scope).attempt(),
            Kind::Prefix(Prefix::Optional, inner) => self.generator(inner, scope).optional(),
            Kind::Prefix(Prefix::Assert, prop) => Gen::Assert(self.prop(prop, scope)),
            Kind::Counted(counted, least, most, body) => {
                self.counted(*counted, least.as_deref(), most, body.as_deref(), scope)
            }
            Kind::Auto(policy, argument, moves, script) => {
                self.auto((policy, argument.as_ref()), moves, script.as_ref(), scope)
            }
            Kind::Binary(operator, left, right) => self.binary(node, *operator, left, right, scope),
            Kind::Name(name) if name == "interrupt" => Gen::interrupt(),
            Kind::Name(name) => {
                let name = Name { text: name.clone(), span: node.span };
                self.event(node, &name, &[], scope)
                    .unwrap_or_else(|| self.no_generator(node, scope))
            }
            Kind::Call(name, args) if is_choice(name) => {
                let arms = self.arms(name, args, scope, Self::generator);
                match plain(&name.text) {
                    "frequency" => Gen::weighted(arms),
                    _ => Gen::choice(arms.into_iter().map(|(_, arm)| arm)),
                }
            }
            Kind::Call(name, args) => self
                .event(node, name, args, scope)
                .unwrap_or_else(|| self.no_generator(node, scope)),
            _ => self.no_generator(node, scope),
        }
    }

    fn chain(&mut self, first: &'a Node, rest: &'a [(Join, Node)], scope: &Scope<'a>) -> Gen {
        let steps = std::iter::once(first).chain(rest.iter().map(|(_, step)| step));
        let mut joins = rest.iter().map(|(join, _)| join);
        let mut parts = Vec::with_capacity(rest.len() + 1);
        let start = self.known.len();
        self.steps(steps, scope, |this, step, scope| {
            parts.push(match &step.kind {
                Kind::Let(name, value) => this.remember(name, value, start, scope),
                _ => this.generator(step, scope),
            });
            if let Some(Join::Interrupts(most)) = joins.next() {
                parts.push(Gen::Interrupts(*most));
            }
        });
        Gen::seq(parts)
    }

    fn no_generator(&mut self, node: &'a Node, scope: &Scope<'a>) -> Gen {
        let help = match self.sort(node, scope) {
            Sort::Property => "to check a property here, write `assert P`",
            Sort::Element | Sort::Text => "say what to do with it: Click(...)",
            _ => "for example Click(#id)",
        };
        self.mismatch(node, scope, Sort::Generator, Some(help));
        Gen::Unit
    }

    fn counted(
        &mut self,
        counted: Counted,
        least: Option<&'a Node>,
        most: &'a Node,
        body: Option<&'a Node>,
        scope: &Scope<'a>,
    ) -> Gen {
        let at_least = least.map_or(0, |least| self.count(least, scope));
        let at_most = self.count(most, scope);
        if let Some(least) = least
            && at_least > at_most
        {
            self.report(
                Draft::error(
                    "this range is empty",
                    least.span.to(most.span),
                    format!("{at_least} is more than {at_most}"),
                )
                .help(format!("write repeat {at_most}..{at_least}")),
            );
        }
        let body = body.map_or(Gen::Unit, |body| self.generator(body, scope));
        match counted {
            Counted::Repeat => body.repeat(at_least..=at_most),
            Counted::Times => body.repeat(at_most..=at_most),
            Counted::Gorilla => Gen::Gorilla(at_most, Box::new(body)),
            Counted::Monkey => Gen::Monkey(at_most),
            Counted::RelevantMonkey => Gen::RelevantMonkey(at_most),
        }
    }

    fn auto(
        &mut self,
        (name, argument): (&'a Name, Option<&'a Name>),
        moves: &'a Node,
        script: Option<&'a (Injection, Box<Node>)>,
        scope: &Scope<'a>,
    ) -> Gen {
        if !self.words.is_policy(&name.text) {
            self.report(self.words.unknown_policy(name));
        }
        if name.text == crate::mapping::PLAN {
            self.plans.push((name, argument));
        }
        let moves = self.count(moves, scope);
        let argument = argument.map(|argument| argument.text.clone());
        let script = script.map(|(how, script)| (*how, self.generator(script, scope)));
        Gen::Auto(Arc::new(Auto { policy: name.text.clone(), argument, moves, script }))
    }

    fn binary(
        &mut self,
        node: &'a Node,
        operator: Binary,
        left: &'a Node,
        right: &'a Node,
        scope: &Scope<'a>,
    ) -> Gen {
        match operator {
            Binary::Then => {
                let guard = self.prop(left, scope);
                self.generator(right, scope).when(guard)
            }
            Binary::Preserves => {
                let inner = self.generator(left, scope);
                inner.preserves(self.prop(right, scope))
            }
            Binary::Keeps => {
                let inner = self.generator(left, scope);
                inner.keeps(self.value(right, scope))
            }
            Binary::Always => {
                let inner = self.generator(left, scope);
                inner.always(self.prop(right, scope))
            }
            Binary::Interleave => {
                for side in [left, right] {
                    if self.sort(side, scope) == Sort::Property {
                        let help = "for \"or\" between properties, write `\\/`";
                        self.mismatch(side, scope, Sort::Generator, Some(help));
                        return Gen::Unit;
                    }
                }
                let inner = self.generator(left, scope);
                let other = self.generator(right, scope);
                if let Some(step) = foreign_step(&other) {
                    self.report(
                        Draft::error(
                            "only environment events stand on the right of `||`",
                            right.span,
                            format!("`{}` is none", shorten(&step.to_string())),
                        )
                        .help("to choose between two generators, write `<+>`"),
                    );
                }
                inner.interleave(other)
            }
            _ => self.no_generator(node, scope),
        }
    }
}

/// The first step of a generator that is not of the app's surroundings.
fn foreign_step(generator: &Gen) -> Option<&Gen> {
    let mut found = None;
    generator.visit(&mut |step| {
        let surroundings = match step {
            Gen::Event(event) => {
                matches!(**event, EventGen::Environment(..) | EventGen::Just(Event::Skip))
            }
            Gen::Assert(_)
            | Gen::Let(..)
            | Gen::Then(..)
            | Gen::Keeps(..)
            | Gen::Always(..)
            | Gen::Preserves(..)
            | Gen::Interrupts(_)
            | Gen::Monkey(_)
            | Gen::RelevantMonkey(_)
            | Gen::Gorilla(..)
            | Gen::Auto(_) => false,
            _ => true,
        };
        if !surroundings && found.is_none() {
            found = Some(step);
        }
    });
    found
}
