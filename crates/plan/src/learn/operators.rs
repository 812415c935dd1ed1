//! What was learned, as values: both bounds of each precondition and the effects, each with its
//! evidence, and the two models.

use super::action::ActionLearner;
use super::conditions::minimal;
use super::effects::{Change, Writer, not, one_or_and};
use super::safe;
use super::vocabulary::{Feature, Target};
use crate::model::Model;
use crate::pddl::{Action, Atom, Domain, Effect, Formula, Parameter, Term};

/// What is known of all actions.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The types, constants and predicates. Its actions are those of the model that was passed to
    /// the learner.
    pub(super) signature: Domain,
    /// The actions, in the order of the domain.
    pub actions: Vec<LearnedAction>,
}

/// What is known of one action.
#[derive(Clone, Debug)]
pub struct LearnedAction {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// How often it was performed.
    pub steps: u32,
    /// How often it was possible and not performed.
    pub possible: u32,
    /// How often it was not possible.
    pub impossible: u32,
    /// How often it was impossible although all held that may be needed: the precondition is no
    /// conjunction of literals, or depends on something that no fact tells.
    pub unexplained: u32,
    /// Examples that were left out: two parameters were one object.
    pub left_out: u32,
    /// What is surely needed.
    pub needed: Vec<Evidence>,
    /// What may be needed beside that.
    pub possibly_needed: Vec<Evidence>,
    /// What nearly always held when the action was possible, and is not needed.
    pub exceptions: Vec<Evidence>,
    /// Of each list, one is needed beside the needed ones; with the number of examples.
    pub one_needed: Vec<(Vec<Formula>, u32)>,
    /// What it changes.
    pub effects: Vec<LearnedEffect>,
    /// It as the safe model has it; none if it was never performed.
    pub safe: Option<Action>,
    /// It as the proposed model has it.
    pub proposed: Action,
}

/// A literal of a precondition, and why it is thought to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The literal, about the parameters.
    pub formula: Formula,
    /// How often it was seen to hold when the action was possible.
    pub held: u32,
    /// How often it was seen not to.
    pub failed: u32,
    /// How often the action was impossible and only this can have been the reason.
    pub refused: u32,
}

/// A change of an atom, and why it is thought to be one.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedEffect {
    /// The change, under the simplest condition that was not refuted.
    pub effect: Effect,
    /// How often it was seen.
    pub changes: u32,
    /// How often the fact stayed as it was.
    pub stays: u32,
    /// How many conditions explain that equally well: it is known if this is one.
    pub conditions: usize,
    /// How often no condition explained it.
    pub unexplained: u32,
}

impl Learned {
    pub(super) fn new(model: &Model, learners: &[ActionLearner]) -> Self {
        let signature = model.domain().clone();
        let actions = signature.actions.iter().zip(learners);
        let actions = actions.map(|(action, it)| Reader::new(model, action, it).read()).collect();
        Learned { signature, actions }
    }

    /// The model of which every plan works: with all that may be needed, and without the actions
    /// that were never performed. It refuses a step if it does not know for sure what comes of it.
    pub fn safe(&self) -> Domain {
        self.with(self.actions.iter().filter_map(|action| action.safe.clone()))
    }

    /// The model to be edited: with what is surely needed, and the simplest effects.
    pub fn proposed(&self) -> Domain {
        self.with(self.actions.iter().map(|action| action.proposed.clone()))
    }

    fn with(&self, actions: impl Iterator<Item = Action>) -> Domain {
        let mut domain = Domain { actions: actions.collect(), ..self.signature.clone() };
        // Costs are not learned.
        domain.functions.clear();
        domain.requirements = vec![":adl".to_owned()];
        domain
    }
}

/// The most literals of a disjunction that the proposed model has.
const MOST_ALTERNATIVES: usize = 4;

/// Reads what one learner knows.
pub(super) struct Reader<'a> {
    pub(super) action: &'a Action,
    pub(super) learner: &'a ActionLearner,
    pub(super) writer: Writer<'a>,
}

impl<'a> Reader<'a> {
    fn new(model: &Model, action: &'a Action, learner: &'a ActionLearner) -> Self {
        Reader { action, learner, writer: Writer::new(model, action, &learner.vocabulary) }
    }

    fn read(&self) -> LearnedAction {
        let ActionLearner { bounds, steps, possible, impossible, left_out, .. } = self.learner;
        let needed = bounds.needed();
        let evidence = |literal: usize| Evidence {
            formula: self.literal(literal),
            held: bounds.held[literal],
            failed: bounds.failed[literal],
            refused: needed.get(&literal).copied().unwrap_or(0),
        };
        let was_possible = steps + possible > 0;
        let upper = bounds.possible.iter().filter(|_| was_possible);
        let open = upper.filter(|literal| !needed.contains_key(literal));
        let almost = |it: &Evidence| it.failed > 0 && it.failed.saturating_mul(20) <= it.held;
        let undecided = bounds.undecided().filter(|_| was_possible);
        let alternatives = |literals: &super::bits::Bits| {
            literals.iter().map(|literal| self.literal(literal)).collect::<Vec<_>>()
        };
        let mut one_needed: Vec<(Vec<Formula>, u32)> =
            undecided.map(|(literals, count)| (alternatives(literals), count)).collect();
        one_needed.sort_by_key(|(literals, _)| literals.len());
        LearnedAction {
            name: self.action.name.clone(),
            parameters: self.action.parameters.clone(),
            steps: *steps,
            possible: *possible,
            impossible: *impossible,
            unexplained: bounds.unexplained,
            left_out: *left_out,
            needed: needed.keys().filter(|_| was_possible).map(|it| evidence(*it)).collect(),
            possibly_needed: open.map(evidence).collect(),
            exceptions: (0..bounds.held.len()).map(evidence).filter(almost).collect(),
            effects: self.effects(),
            safe: (*steps > 0).then(|| safe::action(self)),
            proposed: self.proposed(&one_needed),
            one_needed,
        }
    }

    /// A literal about the parameters.
    pub(super) fn literal(&self, literal: usize) -> Formula {
        self.literal_within(literal, 0)
    }

    /// The same where so many variables are in scope beside the parameters.
    fn literal_within(&self, literal: usize, own: usize) -> Formula {
        let positive = match self.learner.feature(literal) {
            Feature::Atom(atom) => Formula::Atom(atom.clone()),
            Feature::Equal(place, object) => {
                Formula::Equal(Term::Variable(*place), Term::Object(*object))
            }
            Feature::Some(types, atom) => {
                let taken = |name: &str| self.action.parameters.iter().any(|it| it.name == name);
                let numbered = (1..).map(|number| format!("other{number}"));
                let name = std::iter::once("other".to_owned()).chain(numbered);
                let name = name.into_iter().find(|name| !taken(name)).unwrap_or_default();
                let variable = Parameter { name, types: types.clone() };
                let first = self.action.parameters.len() as u32;
                let mut atom = atom.clone();
                for term in atom.arguments.iter_mut().filter(|it| **it == Term::Variable(first)) {
                    *term = Term::Variable(first + own as u32);
                }
                Formula::Exists(vec![variable], Box::new(Formula::Atom(atom)))
            }
        };
        if literal % 2 == 1 { not(positive) } else { positive }
    }

    /// A literal about the parameters and the own variables of a target.
    pub(super) fn own_literal(&self, target: &Target, literal: usize) -> Formula {
        match (literal / 2).checked_sub(self.learner.vocabulary.features.len()) {
            None => self.literal_within(literal, target.variables.len()),
            Some(own) => {
                let atom = Formula::Atom(target.features[own].clone());
                if literal % 2 == 1 { not(atom) } else { atom }
            }
        }
    }

    /// The targets that were seen to change, with the simplest conditions for that.
    fn changes(&self) -> Vec<(Change<'a>, LearnedEffect)> {
        let mut changes = Vec::new();
        let targets = self.learner.vocabulary.targets.iter().zip(&self.learner.changes);
        for (target, both) in targets {
            for (conditions, adds) in both.iter().zip([true, false]) {
                if conditions.changes == 0 {
                    continue;
                }
                let holds = |literal: usize| self.holds(target, literal);
                let minimal = minimal(&conditions.all(), &holds);
                let simplest = minimal.first().cloned().unwrap_or_default();
                let literal = |it: &usize| self.own_literal(target, *it);
                let condition = simplest.iter().map(literal).collect();
                let effect = LearnedEffect {
                    effect: Effect::And(Vec::new()),
                    changes: conditions.changes,
                    stays: conditions.stays,
                    conditions: minimal.len(),
                    unexplained: conditions.unexplained,
                };
                changes.push((Change { target, adds, condition }, effect));
            }
        }
        changes
    }

    fn effects(&self) -> Vec<LearnedEffect> {
        let all = self.changes();
        let changes: Vec<Change<'_>> = all.iter().map(|(change, _)| change.clone()).collect();
        let one = |(change, evidence): &(Change<'_>, LearnedEffect)| {
            let effect = self.writer.one_effect(change, &changes)?;
            Some(LearnedEffect { effect, ..evidence.clone() })
        };
        all.iter().filter_map(one).collect()
    }

    fn proposed(&self, one_needed: &[(Vec<Formula>, u32)]) -> Action {
        let needed = self.learner.bounds.needed();
        let was_possible = self.learner.steps + self.learner.possible > 0;
        let mut parts: Vec<Formula> = needed.keys().map(|it| self.literal(*it)).collect();
        let short = one_needed.iter().filter(|(literals, _)| literals.len() <= MOST_ALTERNATIVES);
        parts.extend(short.map(|(literals, _)| Formula::Or(literals.clone())));
        if !was_possible {
            parts.clear();
        }
        let changes: Vec<Change<'_>> =
            self.changes().into_iter().map(|(change, _)| change).collect();
        Action {
            name: self.action.name.clone(),
            parameters: self.action.parameters.clone(),
            precondition: one_or_and(parts, Formula::And),
            effect: self.writer.effect(&changes),
        }
    }

    /// Whether a literal holds whenever the upper bound does.
    pub(super) fn holds(&self, target: &Target, literal: usize) -> bool {
        let (vocabulary, bounds) = (&self.learner.vocabulary, &self.learner.bounds);
        let Some(own) = (literal / 2).checked_sub(vocabulary.features.len()) else {
            return bounds.possible.has(literal);
        };
        // That no object has a property says the same of the own variables.
        literal % 2 == 1 && self.is_never(&target.features[own])
    }

    /// Whether no object makes the atom true, by the upper bound.
    pub(super) fn is_never(&self, atom: &Atom) -> bool {
        let (vocabulary, bounds) = (&self.learner.vocabulary, &self.learner.bounds);
        let first = self.action.parameters.len() as u32;
        let own = |term: &Term| matches!(term, Term::Variable(place) if *place >= first);
        if atom.arguments.iter().filter(|term| own(term)).count() != 1 {
            return false;
        }
        let mut quantified = atom.clone();
        for term in quantified.arguments.iter_mut().filter(|term| own(term)) {
            *term = Term::Variable(first);
        }
        let is = |feature: &Feature| matches!(feature, Feature::Some(_, it) if *it == quantified);
        let number = vocabulary.features.iter().position(is);
        number.is_some_and(|number| bounds.possible.has(2 * number + 1))
    }
}
