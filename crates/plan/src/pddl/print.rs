//! Models as text that reads back as the same model.
//!
//! It is also how a model gets to another planner: what is printed is plain PDDL.

use super::model::{
    Action, Atom, Domain, Effect, Expression, Formula, Object, ObjectId, Parameter, Problem, Term,
    TypeId,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "(define (domain {})", self.name)?;
        if !self.requirements.is_empty() {
            writeln!(f, "  (:requirements {})", self.requirements.join(" "))?;
        }
        if self.types.len() > 1 {
            writeln!(f, "  (:types")?;
            for typ in &self.types[1..] {
                writeln!(f, "    {}{}", typ.name, Typed(self, &typ.parents))?;
            }
            writeln!(f, "  )")?;
        }
        if !self.constants.is_empty() {
            writeln!(f, "  (:constants{})", Objects(self, &self.constants))?;
        }
        if !self.predicates.is_empty() {
            writeln!(f, "  (:predicates")?;
            for predicate in &self.predicates {
                let parameters = Parameters(self, &predicate.parameters);
                writeln!(f, "    ({}{parameters})", predicate.name)?;
            }
            writeln!(f, "  )")?;
        }
        if !self.functions.is_empty() {
            writeln!(f, "  (:functions")?;
            for function in &self.functions {
                let parameters = Parameters(self, &function.parameters);
                writeln!(f, "    ({}{parameters}) - number", function.name)?;
            }
            writeln!(f, "  )")?;
        }
        for action in &self.actions {
            self.print_action(f, action)?;
        }
        writeln!(f, ")")
    }
}

impl Domain {
    /// A condition as PDDL, with the names of these variables for those in scope. Objects are the
    /// constants of the domain.
    pub fn formula_text(&self, formula: &Formula, variables: &[Parameter]) -> String {
        let mut out = String::new();
        // Nothing is written but to memory, which does not fail.
        let _ = self.text(variables, &mut out).formula(formula);
        out
    }

    /// An effect as PDDL, likewise.
    pub fn effect_text(&self, effect: &Effect, variables: &[Parameter]) -> String {
        let mut out = String::new();
        let _ = self.text(variables, &mut out).effect(effect);
        out
    }

    fn text<'a, 'b, W>(&'a self, variables: &'a [Parameter], out: &'b mut W) -> Text<'a, 'b, W> {
        let variables = variables.iter().map(|variable| variable.name.as_str()).collect();
        Text { domain: self, problem: None, variables, out }
    }

    fn print_action(&self, f: &mut Formatter<'_>, action: &Action) -> fmt::Result {
        let mut text = Text { domain: self, problem: None, variables: Vec::new(), out: f };
        let parameters = Parameters(self, &action.parameters).to_string();
        writeln!(text.out, "  (:action {}", action.name)?;
        writeln!(text.out, "    :parameters ({})", parameters.trim_start())?;
        text.variables.extend(action.parameters.iter().map(|parameter| parameter.name.as_str()));
        write!(text.out, "    :precondition ")?;
        text.formula(&action.precondition)?;
        write!(text.out, "\n    :effect ")?;
        text.effect(&action.effect)?;
        writeln!(text.out, ")")
    }
}

impl Problem {
    /// The text of the problem file.
    pub fn print(&self, domain: &Domain) -> String {
        let mut text = String::new();
        // Nothing is written but to memory, which does not fail.
        let _ = self.write(domain, &mut text);
        text
    }

    fn write(&self, domain: &Domain, out: &mut String) -> fmt::Result {
        writeln!(out, "(define (problem {})\n  (:domain {})", self.name, domain.name)?;
        if !self.objects.is_empty() {
            writeln!(out, "  (:objects{})", Objects(domain, &self.objects))?;
        }
        writeln!(out, "  (:init")?;
        let name = |object: &ObjectId| object_name(domain, Some(self), *object);
        for fact in &self.init {
            write!(out, "    ({}", domain.predicates[fact.predicate as usize].name)?;
            fact.arguments.iter().try_for_each(|object| write!(out, " {}", name(object)))?;
            writeln!(out, ")")?;
        }
        for value in &self.values {
            write!(out, "    (= ({}", domain.functions[value.function as usize].name)?;
            value.arguments.iter().try_for_each(|object| write!(out, " {}", name(object)))?;
            writeln!(out, ") {})", value.value)?;
        }
        write!(out, "  )\n  (:goal ")?;
        Text { domain, problem: Some(self), variables: Vec::new(), out }.formula(&self.goal)?;
        writeln!(out, ")")?;
        if self.minimizes_cost {
            writeln!(out, "  (:metric minimize (total-cost))")?;
        }
        writeln!(out, ")")
    }
}

/// What an object is called.
pub(super) fn object_name<'a>(
    domain: &'a Domain,
    problem: Option<&'a Problem>,
    object: ObjectId,
) -> &'a str {
    let constants = domain.constants.len();
    match (object as usize).checked_sub(constants) {
        None => &domain.constants[object as usize].name,
        Some(index) => problem.map_or("?", |problem| &problem.objects[index].name),
    }
}

/// ` - type`, or ` - (either a b)`.
struct Typed<'a>(&'a Domain, &'a [TypeId]);

impl Display for Typed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = |typ: &TypeId| self.0.types[*typ as usize].name.as_str();
        match self.1 {
            [typ] => write!(f, " - {}", name(typ)),
            types => {
                write!(f, " - (either {})", types.iter().map(name).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// Each with its type and a space before it.
struct Parameters<'a>(&'a Domain, &'a [Parameter]);

impl Display for Parameters<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Parameters(domain, parameters) = self;
        parameters.iter().try_for_each(|parameter| {
            write!(f, " ?{}{}", parameter.name, Typed(domain, &parameter.types))
        })
    }
}

struct Objects<'a>(&'a Domain, &'a [Object]);

impl Display for Objects<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Objects(domain, objects) = self;
        let mut rest = *objects;
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|object| object.types == first.types).count();
            write!(f, "\n   ")?;
            rest[..same].iter().try_for_each(|object| write!(f, " {}", object.name))?;
            write!(f, "{}", Typed(domain, &first.types))?;
            rest = &rest[same..];
        }
        Ok(())
    }
}

/// Formulas and effects, with the names of the variables in scope.
struct Text<'a, 'b, W> {
    domain: &'a Domain,
    problem: Option<&'a Problem>,
    variables: Vec<&'a str>,
    out: &'b mut W,
}

impl<'a, W: Write> Text<'a, '_, W> {
    fn term(&mut self, term: Term) -> fmt::Result {
        match term {
            Term::Variable(place) => write!(self.out, " ?{}", self.variables[place as usize]),
            Term::Object(object) => {
                write!(self.out, " {}", object_name(self.domain, self.problem, object))
            }
        }
    }

    fn atom(&mut self, atom: &Atom) -> fmt::Result {
        write!(self.out, "({}", self.domain.predicates[atom.predicate as usize].name)?;
        atom.arguments.iter().try_for_each(|term| self.term(*term))?;
        write!(self.out, ")")
    }

    fn quantified(
        &mut self,
        word: &str,
        parameters: &'a [Parameter],
        body: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        let names = Parameters(self.domain, parameters).to_string();
        write!(self.out, "({word} ({}) ", names.trim_start())?;
        let outside = self.variables.len();
        self.variables.extend(parameters.iter().map(|parameter| parameter.name.as_str()));
        body(self)?;
        self.variables.truncate(outside);
        write!(self.out, ")")
    }

    fn formula(&mut self, formula: &'a Formula) -> fmt::Result {
        match formula {
            Formula::And(parts) => self.list("and", parts, Self::formula),
            Formula::Or(parts) => self.list("or", parts, Self::formula),
            Formula::Not(part) => self.list("not", [&**part], Self::formula),
            Formula::Imply(first, second) => {
                self.list("imply", [&**first, &**second], Self::formula)
            }
            Formula::Exists(parameters, body) => {
                self.quantified("exists", parameters, |text| text.formula(body))
            }
            Formula::Forall(parameters, body) => {
                self.quantified("forall", parameters, |text| text.formula(body))
            }
            Formula::Atom(atom) => self.atom(atom),
            Formula::Equal(first, second) => {
                write!(self.out, "(=")?;
                self.term(*first)?;
                self.term(*second)?;
                write!(self.out, ")")
            }
        }
    }

    fn effect(&mut self, effect: &'a Effect) -> fmt::Result {
        match effect {
            Effect::And(parts) => self.list("and", parts, Self::effect),
            Effect::Forall(parameters, body) => {
                self.quantified("forall", parameters, |text| text.effect(body))
            }
            Effect::When(condition, body) => {
                write!(self.out, "(when ")?;
                self.formula(condition)?;
                write!(self.out, " ")?;
                self.effect(body)?;
                write!(self.out, ")")
            }
            Effect::Add(atom) => self.atom(atom),
            Effect::Delete(atom) => self.list("not", [atom], Self::atom_of),
            Effect::Cost(Expression::Number(number)) => {
                write!(self.out, "(increase (total-cost) {number})")
            }
            Effect::Cost(Expression::Function(function, arguments)) => {
                let name = &self.domain.functions[*function as usize].name;
                write!(self.out, "(increase (total-cost) ({name}")?;
                arguments.iter().try_for_each(|term| self.term(*term))?;
                write!(self.out, "))")
            }
        }
    }

    fn atom_of(&mut self, atom: &'a Atom) -> fmt::Result {
        self.atom(atom)
    }

    fn list<T: 'a>(
        &mut self,
        word: &str,
        parts: impl IntoIterator<Item = &'a T>,
        mut print: impl FnMut(&mut Self, &'a T) -> fmt::Result,
    ) -> fmt::Result {
        write!(self.out, "({word}")?;
        for part in parts {
            write!(self.out, " ")?;
            print(self, part)?;
        }
        write!(self.out, ")")
    }
}
