//! Values: texts and numbers, those that are written, those that are drawn and those that are read.

use super::names::{READERS, STRINGS, Sort, plain};
use super::{Lower, Scope, bad_count};
use crate::ast::{Binary, Kind, Name, Node, Prefix};
use crate::diagnostic::Draft;
use capuchin_trace::{ArgumentGen, Arithmetic, Expr, Numbers, Texts};
use capuchin_ui::Str;

/// The arms of a `oneOf` or a `frequency`, with their weights.
pub(super) type Arms<T> = Vec<(u32, T)>;

fn described(is_text: bool) -> &'static str {
    if is_text { "a text" } else { "a number" }
}

/// What to write for the number in a text that is read off the screen.
fn read_as_number(value: &Expr) -> Option<String> {
    match value {
        Expr::TextOf(selector) | Expr::ValueOf(selector) => {
            Some(format!("for the number in it, write number({selector})"))
        }
        _ => None,
    }
}

impl<'a> Lower<'a, '_> {
    /// A value as it stands in a property.
    pub(super) fn value(&mut self, node: &'a Node, scope: &Scope<'a>) -> Expr {
        self.at(node, scope, Self::value_at).unwrap_or(Expr::Number(0.0))
    }

    fn value_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Expr {
        match &node.kind {
            Kind::Number(number) => Expr::Number(*number),
            Kind::Text(text) => Expr::Text(text.clone()),
            Kind::Name(name) if name == "missing" => Expr::Missing,
            Kind::Name(name) if scope.recall(name).is_some() => {
                scope.recall(name).unwrap_or(Expr::Missing)
            }
            Kind::Prefix(Prefix::Negate, inner) => match self.number_value(inner, scope) {
                Expr::Number(number) => Expr::Number(-number),
                other => {
                    let zero = Box::new(Expr::Number(0.0));
                    Expr::Arithmetic(zero, Arithmetic::Subtract, Box::new(other))
                }
            },
            Kind::Binary(Binary::Arithmetic(how), left, right) => {
                let (a, b) = match how {
                    Arithmetic::Add => self.two_alike((left, right), scope),
                    _ => (self.number_value(left, scope), self.number_value(right, scope)),
                };
                Expr::Arithmetic(Box::new(a), *how, Box::new(b))
            }
            Kind::Call(name, args) if READERS.contains(&name.text.as_str()) => {
                self.reader(name, args, scope)
            }
            Kind::Name(name) if self.is_asked(node, name, scope) => {
                let name = Name { text: name.clone(), span: node.span };
                self.asked(&name, &[], scope)
            }
            Kind::Call(name, args) if self.is_asked(node, &name.text, scope) => {
                self.asked(name, args, scope)
            }
            _ => {
                let help = match self.sort(node, scope) {
                    Sort::Element => Some("to read what it says, write text(...) or number(...)"),
                    _ => None,
                };
                self.mismatch(node, scope, Sort::Value, help);
                Expr::Number(0.0)
            }
        }
    }

    /// Whether it is a value that the device computes: declared so, or not known at all where
    /// nothing can be declared.
    fn is_asked(&mut self, node: &'a Node, name: &str, scope: &Scope<'a>) -> bool {
        self.values.contains_key(name)
            || (self.lenient
                && self.sort(node, scope) == Sort::Unknown
                && self.near(name, Sort::Value).is_none())
    }

    fn asked(&mut self, name: &Name, args: &'a [Node], scope: &Scope<'a>) -> Expr {
        if let Some(wanted) = self.values.get(name.text.as_str()).copied() {
            self.arity_or(name, args, wanted, "it is declared so by `value`");
        }
        let args = args.iter().map(|arg| self.value(arg, scope)).collect();
        Expr::Ask(name.text.clone(), args)
    }

    /// Two values that are compared or joined: both texts or both numbers.
    pub(super) fn two_alike(
        &mut self,
        (left, right): (&'a Node, &'a Node),
        scope: &Scope<'a>,
    ) -> (Expr, Expr) {
        let kinds = (self.is_text(left, scope), self.is_text(right, scope));
        let (a, b) = (self.value(left, scope), self.value(right, scope));
        if let (Some(left_is), Some(right_is)) = kinds
            && left_is != right_is
        {
            let help = read_as_number(&a).or_else(|| read_as_number(&b));
            let message = "a text and a number do not go together";
            self.report(
                Draft::error(message, right.span, described(right_is))
                    .also(left.span, described(left_is))
                    .maybe_help(help),
            );
        }
        (a, b)
    }

    /// A value that is a text.
    pub(super) fn text_value(&mut self, node: &'a Node, scope: &Scope<'a>) -> Expr {
        self.value_of_kind(node, scope, true)
    }

    fn number_value(&mut self, node: &'a Node, scope: &Scope<'a>) -> Expr {
        self.value_of_kind(node, scope, false)
    }

    fn value_of_kind(&mut self, node: &'a Node, scope: &Scope<'a>, text: bool) -> Expr {
        let is_text = self.is_text(node, scope);
        let value = self.value(node, scope);
        if is_text == Some(!text) {
            let (wanted, found) = (described(text), described(!text));
            let help = match &value {
                Expr::NumberOf(selector) => Some(format!("for all of it, write text({selector})")),
                value => read_as_number(value),
            };
            let message = format!("expected {wanted}, found {found}");
            let label = format!("this is {found}");
            self.report(Draft::error(message, node.span, label).maybe_help(help));
        }
        value
    }

    /// Whether an expression is a text or a number; `None` if it is neither, or not known.
    pub(super) fn is_text(&mut self, node: &'a Node, scope: &Scope<'a>) -> Option<bool> {
        self.at(node, scope, |this, node, scope| match &node.kind {
            Kind::Text(_) => Some(true),
            Kind::Binary(Binary::Arithmetic(Arithmetic::Add), left, right) => {
                this.is_text(left, scope).or_else(|| this.is_text(right, scope))
            }
            Kind::Number(_)
            | Kind::Prefix(Prefix::Negate, _)
            | Kind::Binary(Binary::Arithmetic(_), ..) => Some(false),
            Kind::Name(name) => scope.recalls_text(name),
            Kind::Call(name, _) => match name.text.as_str() {
                "text" | "texts" | "value" => Some(true),
                "number" | "count" | "length" => Some(false),
                _ => None,
            },
            _ => None,
        })
        .flatten()
    }

    fn reader(&mut self, name: &'a Name, args: &'a [Node], scope: &Scope<'a>) -> Expr {
        let form = match name.text.as_str() {
            "length" => "length(text(#id))".to_owned(),
            other => format!("{other}(#id)"),
        };
        let (true, [arg]) = (self.arity(name, args, 1, &form), args) else {
            return Expr::Number(0.0);
        };
        if name.text == "length" {
            return Expr::Length(Box::new(self.text_value(arg, scope)));
        }
        let selector = self.selector(arg, scope);
        match name.text.as_str() {
            "text" => Expr::TextOf(selector),
            "texts" => Expr::TextsOf(selector),
            "value" => Expr::ValueOf(selector),
            "number" => Expr::NumberOf(selector),
            _ => Expr::Count(selector),
        }
    }

    /// A number that is known before a run, if it is one; nothing is reported if not.
    pub(super) fn constant(&mut self, node: &'a Node, scope: &Scope<'a>) -> Option<f64> {
        self.at(node, scope, |this, node, scope| match &node.kind {
            Kind::Number(number) => Some(*number),
            Kind::Prefix(Prefix::Negate, inner) => this.constant(inner, scope).map(|n| -n),
            Kind::Binary(Binary::Arithmetic(how), left, right) => {
                let (left, right) = (this.constant(left, scope)?, this.constant(right, scope)?);
                let result = match how {
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                    Arithmetic::Multiply => left * right,
                    Arithmetic::Divide => left / right,
                    Arithmetic::Remainder => left % right,
                };
                result.is_finite().then_some(result)
            }
            _ => None,
        })
        .flatten()
    }

    /// How often something is done.
    pub(super) fn count(&mut self, node: &'a Node, scope: &Scope<'a>) -> u32 {
        let Some((head, inner)) = self.head(node, scope) else { return 0 };
        match self.constant(head, &inner) {
            Some(n) if n.fract() == 0.0 && (0.0..=f64::from(crate::MOST_TIMES)).contains(&n) => {
                n as u32
            }
            Some(_) => {
                self.report(bad_count(head.span));
                0
            }
            None => {
                self.mismatch(head, &inner, Sort::Number, None);
                0
            }
        }
    }

    pub(super) fn numbers(&mut self, node: &'a Node, scope: &Scope<'a>) -> Numbers {
        self.at(node, scope, Self::numbers_at).unwrap_or(Numbers::Just(0.0))
    }

    fn numbers_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Numbers {
        if let Some(number) = self.constant(node, scope) {
            return Numbers::Just(number);
        }
        match &node.kind {
            Kind::Call(name, args) if plain(&name.text) == "choose" => {
                let (true, [low, high]) = (self.arity(name, args, 2, "choose(0, 5000)"), &args[..])
                else {
                    return Numbers::Just(0.0);
                };
                let (low, high) = (self.bound_of(low, scope), self.bound_of(high, scope));
                if low > high {
                    self.report(
                        Draft::error("nothing lies between these", node.span, "an empty range")
                            .help(format!("write choose({high}, {low})")),
                    );
                }
                Numbers::Between(low, high)
            }
            Kind::Call(name, args) if is_choice(name) => {
                Numbers::OneOf(self.arms(name, args, scope, Self::numbers))
            }
            _ => {
                // A part of it may be a parameter that is not known here.
                if !matches!(node.kind, Kind::Binary(..) | Kind::Prefix(..)) || self.expand {
                    let help = match self.sort(node, scope) {
                        Sort::Text => "a number is written without quotes",
                        Sort::Value => "what to do is drawn before anything is on the screen",
                        _ => "a number is written 500, or drawn: choose(0, 5000)",
                    };
                    self.mismatch(node, scope, Sort::Number, Some(help));
                }
                Numbers::Just(0.0)
            }
        }
    }

    fn bound_of(&mut self, node: &'a Node, scope: &Scope<'a>) -> f64 {
        let Some((head, inner)) = self.head(node, scope) else { return 0.0 };
        let number = self.constant(head, &inner);
        if number.is_none() {
            self.mismatch(head, &inner, Sort::Number, Some("bounds are numbers as written"));
        }
        number.unwrap_or(0.0)
    }

    pub(super) fn texts(&mut self, node: &'a Node, scope: &Scope<'a>) -> Texts {
        self.at(node, scope, Self::texts_at).unwrap_or_else(|| Texts::Just(Str::default()))
    }

    fn texts_at(&mut self, node: &'a Node, scope: &Scope<'a>) -> Texts {
        let nothing = || Texts::Just(Str::default());
        match &node.kind {
            Kind::Text(text) => Texts::Just(text.clone()),
            Kind::Call(name, args) if is_choice(name) => {
                Texts::OneOf(self.arms(name, args, scope, Self::texts))
            }
            Kind::Call(name, args) if name.text == "string" => {
                let (true, [arg]) =
                    (self.arity(name, args, 1, "string(\"[a-z]{1,8}\")"), &args[..])
                else {
                    return nothing();
                };
                let Some(source) = self.literal(arg, scope) else { return nothing() };
                self.strings(&source, arg.span).map_or_else(nothing, Texts::Matching)
            }
            _ => {
                let word = match &node.kind {
                    Kind::Name(name) => plain(name),
                    Kind::Call(name, args) if args.is_empty() => plain(&name.text),
                    _ => "",
                };
                if let Some((_, regex)) = STRINGS.iter().find(|(name, _)| *name == word) {
                    let strings = self.strings(&Str::new_static(regex), node.span);
                    return strings.map_or_else(nothing, Texts::Matching);
                }
                self.mismatch(node, scope, Sort::Text, Some("a text is written in quotes"));
                nothing()
            }
        }
    }

    /// A text as written.
    pub(super) fn literal(&mut self, node: &'a Node, scope: &Scope<'a>) -> Option<Str> {
        let (head, inner) = self.head(node, scope)?;
        match &head.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Call(name, _) if is_choice(name) || name.text == "string" => {
                self.report(
                    Draft::error("nothing is drawn here", head.span, "this would be drawn")
                        .help("write the text itself, in quotes"),
                );
                None
            }
            _ => {
                self.mismatch(head, &inner, Sort::Text, Some("a text is written in quotes"));
                None
            }
        }
    }

    /// An argument of an environment event.
    pub(super) fn argument(
        &mut self,
        node: &'a Node,
        scope: &Scope<'a>,
        words: bool,
    ) -> ArgumentGen {
        let nothing = ArgumentGen::Number(Numbers::Just(0.0));
        let Some((head, inner)) = self.head(node, scope) else { return nothing };
        match (self.sort(head, &inner), &head.kind) {
            (Sort::Number, _) => ArgumentGen::Number(self.numbers(head, &inner)),
            (Sort::Unknown, Kind::Name(word)) if words => {
                ArgumentGen::Text(Texts::Just(word.clone()))
            }
            (Sort::Anything, _) => nothing,
            _ => ArgumentGen::Text(self.texts(head, &inner)),
        }
    }

    /// The arms of `oneOf(a, b)`, `frequency(3 -> a, 1 -> b)` or `frequency((3, a), (1, b))`.
    pub(super) fn arms<T>(
        &mut self,
        name: &Name,
        args: &'a [Node],
        scope: &Scope<'a>,
        mut lower: impl FnMut(&mut Self, &'a Node, &Scope<'a>) -> T,
    ) -> Arms<T> {
        let weighted = plain(&name.text) == "frequency";
        if args.is_empty() {
            self.report(
                Draft::error(format!("`{}` of nothing", name.text), name.span, "no arms")
                    .help("write oneOf(a, b) or frequency(3 -> a, 1 -> b)"),
            );
        }
        let mut arms = Vec::with_capacity(args.len());
        for arg in args {
            let (weight, arm) = match &arg.kind {
                Kind::Arrow(weight, arm) if weighted => (Some(&**weight), &**arm),
                Kind::Tuple(parts) if weighted && parts.len() == 2 => (parts.first(), &parts[1]),
                _ => (None, arg),
            };
            if let Kind::Arrow(..) = arm.kind {
                self.report(
                    Draft::error("`oneOf` has no weights", arm.span, "a weight")
                        .help("write frequency(3 -> a, 1 -> b)"),
                );
                continue;
            }
            if weighted && weight.is_none() && !matches!(arm.kind, Kind::Error) {
                self.report(
                    Draft::error(
                        "this arm has no weight",
                        arm.span,
                        "how often, compared to others?",
                    )
                    .help("write frequency(3 -> a, 1 -> b)"),
                );
            }
            let weight = weight.map_or(1, |weight| self.count(weight, scope));
            let arm = lower(self, arm, scope);
            arms.push((weight, arm));
        }
        arms
    }
}

pub(super) fn is_choice(name: &Name) -> bool {
    matches!(plain(&name.text), "oneOf" | "frequency")
}
