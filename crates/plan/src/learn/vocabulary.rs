//! What can be said about the arguments of an action: the literals that its precondition and the
//! conditions of its effects are made of, and the atoms that it may change.
//!
//! On its own because both bounds of a precondition and the effects are sets over it. Two terms of
//! one action never stand for one object (steps in which two arguments are the same are left out,
//! and a variable of an effect ranges over the other objects), so a fact is one atom of it only.

use super::LearnOptions;
use super::bits::Bits;
use super::observed::View;
use crate::model::Model;
use crate::pddl::{
    Action, Atom, ObjectId, Parameter, Predicate, PredicateId, Term, TypeId, TypeTree,
};

/// Something that is true or false for the arguments of a step.
#[derive(Clone, Debug)]
pub(super) enum Feature {
    /// A fact about arguments and constants.
    Atom(Atom),
    /// The argument at this place is this constant.
    Equal(u32, ObjectId),
    /// Some object of these types makes it a fact: the variable after the parameters.
    Some(Vec<TypeId>, Atom),
}

/// An atom that an action may change, with variables of its own for objects that are no arguments.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) atom: Atom,
    /// Its own variables, after the parameters of the action.
    pub(super) variables: Vec<Parameter>,
    /// What its condition can be about beside the arguments: facts with its own variables.
    pub(super) features: Vec<Atom>,
    /// The number of the atom itself among the features of its condition.
    pub(super) itself: usize,
}

/// The literals and atoms of an action. Literal 2n is feature n, and 2n + 1 is its negation.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    /// The objects that are named beside the parameters.
    pub(super) constants: Vec<ObjectId>,
    /// Facts first, then equalities, then the quantified ones.
    pub(super) features: Vec<Feature>,
    pub(super) targets: Vec<Target>,
}

/// Which literals hold: surely, and possibly (surely, or it was not seen).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Truth {
    pub(super) sure: Bits,
    pub(super) maybe: Bits,
}

impl Truth {
    pub(super) fn none(features: usize) -> Self {
        Truth { sure: Bits::none(2 * features), maybe: Bits::none(2 * features) }
    }

    pub(super) fn set(&mut self, feature: usize, value: Option<bool>) {
        for negated in [false, true] {
            let literal = 2 * feature + usize::from(negated);
            if value == Some(!negated) {
                self.sure.insert(literal);
            }
            if value != Some(negated) {
                self.maybe.insert(literal);
            }
        }
    }
}

/// A term with the types that it may have.
type Typed = (Term, Vec<TypeId>);

impl Vocabulary {
    /// The vocabulary of an action, or how many features it would have if these are too many.
    /// Constants are named if there is room.
    pub(super) fn new(
        model: &Model,
        action: &Action,
        options: &LearnOptions,
    ) -> Result<Self, usize> {
        let tree = TypeTree::of(model.domain());
        let is_argument =
            |types: &[TypeId]| action.parameters.iter().any(|it| tree.overlap(&it.types, types));
        let constants = model.domain().constants.iter().zip(0..);
        let (compared, constants): (Vec<_>, Vec<_>) =
            constants.map(|(it, id)| (is_argument(&it.types), id)).partition(|(is, _)| *is);
        let ids = |all: Vec<(bool, ObjectId)>| all.into_iter().map(|(_, id)| id).collect();
        let builder = |constants: Vec<ObjectId>, compared: Vec<ObjectId>| Builder {
            model,
            tree: &tree,
            action,
            options,
            constants,
            compared,
        };
        let with_constants = builder(ids(constants), ids(compared)).build();
        with_constants.or_else(|_| builder(Vec::new(), Vec::new()).build())
    }

    /// The literals about the arguments of a step.
    pub(super) fn truth(&self, model: &Model, view: &View<'_>, arguments: &[ObjectId]) -> Truth {
        let mut truth = Truth::none(self.features.len());
        let mut values = arguments.to_vec();
        for (number, feature) in self.features.iter().enumerate() {
            let value = match feature {
                Feature::Atom(atom) => value(view, atom, &values),
                Feature::Equal(place, object) => Some(values[*place as usize] == *object),
                Feature::Some(types, atom) => {
                    let mut some = Some(false);
                    for object in model.objects(types).iter() {
                        values.push(*object);
                        let one = value(view, atom, &values);
                        values.pop();
                        match one {
                            Some(true) => some = Some(true),
                            None if some == Some(false) => some = None,
                            _ => {}
                        }
                        if some == Some(true) {
                            break;
                        }
                    }
                    some
                }
            };
            truth.set(number, value);
        }
        truth
    }
}

/// The value of an atom, if it was seen.
pub(super) fn value(view: &View<'_>, atom: &Atom, values: &[ObjectId]) -> Option<bool> {
    view.value(atom.predicate, atom.arguments.iter().map(|term| object(*term, values)))
}

pub(super) fn object(term: Term, values: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(place) => values[place as usize],
        Term::Object(object) => object,
    }
}

struct Builder<'a> {
    model: &'a Model,
    tree: &'a TypeTree,
    action: &'a Action,
    options: &'a LearnOptions,
    /// Constants that no argument can be.
    constants: Vec<ObjectId>,
    /// Constants that some argument can be.
    compared: Vec<ObjectId>,
}

impl Builder<'_> {
    fn build(self) -> Result<Vocabulary, usize> {
        let most = self.options.most_features;
        let terms = self.terms();
        let atoms = self.atoms(&terms, most)?;
        let mut targets: Vec<Target> = (0..)
            .zip(&atoms)
            .map(|(itself, atom)| {
                let (atom, variables) = (atom.clone(), Vec::new());
                Target { atom, variables, features: Vec::new(), itself }
            })
            .collect();
        let mut features: Vec<Feature> = atoms.into_iter().map(Feature::Atom).collect();
        self.equalities(&mut features);
        if self.options.quantified {
            self.quantified(&terms, &mut features);
        }
        self.quantified_targets(&terms, features.len(), &mut targets, most)?;
        match features.len().max(targets.len()) {
            count if count > most => Err(count),
            _ => Ok(Vocabulary { constants: self.constants, features, targets }),
        }
    }

    /// The predicates that a state may show.
    fn predicates(&self) -> impl Iterator<Item = (PredicateId, &Predicate)> {
        let all = (0..).zip(&self.model.domain().predicates);
        all.filter(|(number, _)| !self.options.without.contains(number))
    }

    /// Which constant an argument is.
    fn equalities(&self, features: &mut Vec<Feature>) {
        for (place, parameter) in (0..).zip(&self.action.parameters) {
            for object in &self.compared {
                let types = &self.model.domain().constants[*object as usize].types;
                if self.tree.is_subtype(types, &parameter.types) {
                    features.push(Feature::Equal(place, *object));
                }
            }
        }
    }

    /// The parameters and the constants.
    fn terms(&self) -> Vec<Typed> {
        let parameters = (0..).zip(&self.action.parameters);
        let parameters = parameters.map(|(at, it)| (Term::Variable(at), it.types.clone()));
        let constants = self.constants.iter().map(|object| {
            let types = self.model.domain().constants[*object as usize].types.clone();
            (Term::Object(*object), types)
        });
        parameters.chain(constants).collect()
    }

    /// Every predicate with every combination of terms that its types allow.
    fn atoms(&self, terms: &[Typed], most: usize) -> Result<Vec<Atom>, usize> {
        let mut all = Vec::new();
        for (predicate, declared) in self.predicates() {
            let mut tuples: Vec<Vec<Term>> = vec![vec![]];
            for parameter in &declared.parameters {
                let fitting = self.fitting(terms, &parameter.types);
                let count = tuples.len().saturating_mul(fitting.len());
                if count > most {
                    return Err(count);
                }
                tuples = extended(&tuples, &fitting);
            }
            all.extend(tuples.into_iter().map(|arguments| Atom { predicate, arguments }));
            if all.len() > most {
                return Err(all.len());
            }
        }
        Ok(all)
    }

    fn fitting(&self, terms: &[Typed], types: &[TypeId]) -> Vec<Term> {
        let is = |it: &&Typed| self.tree.overlap(&it.1, types);
        terms.iter().filter(is).map(|it| it.0).collect()
    }

    /// Every predicate with one argument that is some object.
    fn quantified(&self, terms: &[Typed], features: &mut Vec<Feature>) {
        let own = Term::Variable(self.action.parameters.len() as u32);
        for (predicate, declared) in self.predicates() {
            for (place, parameter) in declared.parameters.iter().enumerate() {
                let mut tuples: Vec<Vec<Term>> = vec![vec![]];
                for (at, other) in declared.parameters.iter().enumerate() {
                    let fitting =
                        if at == place { vec![own] } else { self.fitting(terms, &other.types) };
                    tuples = extended(&tuples, &fitting);
                }
                let some = |arguments| {
                    Feature::Some(parameter.types.clone(), Atom { predicate, arguments })
                };
                features.extend(tuples.into_iter().map(some));
            }
        }
    }

    /// Every predicate with some arguments that are other objects than the terms.
    fn quantified_targets(
        &self,
        terms: &[Typed],
        base: usize,
        targets: &mut Vec<Target>,
        most: usize,
    ) -> Result<(), usize> {
        let first = self.action.parameters.len() as u32;
        for (predicate, declared) in self.predicates() {
            // The arguments so far, and the places of the variables among them.
            let mut tuples: Vec<(Vec<Term>, Vec<usize>)> = vec![(vec![], vec![])];
            for (place, parameter) in declared.parameters.iter().enumerate() {
                let fitting = self.fitting(terms, &parameter.types);
                let mut longer = Vec::new();
                for (tuple, own) in tuples {
                    for term in &fitting {
                        let arguments = tuple.iter().copied().chain([*term]).collect();
                        longer.push((arguments, own.clone()));
                    }
                    let variable = Term::Variable(first + own.len() as u32);
                    let arguments = tuple.into_iter().chain([variable]).collect();
                    longer.push((arguments, own.into_iter().chain([place]).collect()));
                }
                if longer.len() > most {
                    return Err(longer.len());
                }
                tuples = longer;
            }
            for (arguments, own) in tuples.into_iter().filter(|(_, own)| !own.is_empty()) {
                let variables = own.iter().map(|place| declared.parameters[*place].clone());
                let variables = self.named(variables.collect());
                let atom = Atom { predicate, arguments };
                let mut with = terms.to_vec();
                for (number, variable) in (first..).zip(&variables) {
                    with.push((Term::Variable(number), variable.types.clone()));
                }
                let is_own = |term: &Term| matches!(term, Term::Variable(at) if *at >= first);
                let mut features = self.atoms(&with, most)?;
                features.retain(|atom| atom.arguments.iter().any(is_own));
                let itself = features.iter().position(|it| *it == atom).unwrap_or(0) + base;
                targets.push(Target { atom, variables, features, itself });
            }
        }
        Ok(())
    }

    /// Variables with names that no parameter has.
    fn named(&self, variables: Vec<Parameter>) -> Vec<Parameter> {
        let mut named: Vec<Parameter> = Vec::new();
        for Parameter { name, types } in variables {
            let taken = |name: &str| {
                self.action.parameters.iter().chain(&named).any(|other| other.name == name)
            };
            let numbered = (2..).map(|number| format!("{name}{number}"));
            let name = std::iter::once(name.clone()).chain(numbered).find(|it| !taken(it));
            named.push(Parameter { name: name.unwrap_or_default(), types });
        }
        named
    }
}

fn extended(tuples: &[Vec<Term>], terms: &[Term]) -> Vec<Vec<Term>> {
    let longer = |tuple: &Vec<Term>| {
        let one = |term: &Term| tuple.iter().copied().chain([*term]).collect();
        terms.iter().map(one).collect::<Vec<Vec<Term>>>()
    };
    tuples.iter().flat_map(longer).collect()
}
