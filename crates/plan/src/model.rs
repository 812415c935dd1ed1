//! A domain and a problem of it, with what both together say: which objects a type has, and which
//! predicates some action changes.

use crate::pddl::{
    self, Domain, Effect, Fact, Formula, FunctionId, ObjectId, PredicateId, Problem, ReadError,
    Step, TypeId, TypeTree,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use thiserror::Error;

/// A domain and a problem.
#[derive(Clone, Debug)]
pub struct Model {
    domain: Domain,
    problem: Problem,
    tree: TypeTree,
    /// The objects of each type.
    extents: Vec<Vec<ObjectId>>,
    /// Whether some action adds or deletes a fact of the predicate.
    fluents: Vec<bool>,
    values: BTreeMap<(FunctionId, Vec<ObjectId>), f64>,
}

/// A model that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The domain file.
    #[error("in the domain file: {0}")]
    Domain(ReadError),
    /// The problem file.
    #[error("in the problem file: {0}")]
    Problem(ReadError),
}

/// A step that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// There is no such action.
    #[error("there is no action `{0}`")]
    Action(String),
    /// There is no such object.
    #[error("there is no object `{0}`")]
    Object(String),
    /// The action takes another number of arguments.
    #[error("`{action}` takes {wanted} arguments and has {given}")]
    Arity {
        /// The action.
        action: String,
        /// How many it takes.
        wanted: usize,
        /// How many it was given.
        given: usize,
    },
    /// An argument is not what the parameter may be.
    #[error("`{object}` cannot be the `?{parameter}` of `{action}`: its type is another")]
    Type {
        /// The action.
        action: String,
        /// The parameter.
        parameter: String,
        /// The argument.
        object: String,
    },
}

impl Model {
    /// Puts a problem and its domain together.
    pub fn new(domain: Domain, problem: Problem) -> Self {
        let tree = TypeTree::of(&domain);
        let objects = || domain.constants.iter().chain(&problem.objects).zip(0..);
        let extents = (0..domain.types.len() as TypeId).map(|typ| {
            let is = objects().filter(|(object, _)| tree.is_subtype(&object.types, &[typ]));
            is.map(|(_, id)| id).collect()
        });
        let extents = extents.collect();
        let mut fluents = vec![false; domain.predicates.len()];
        for action in &domain.actions {
            mark_changed(&action.effect, &mut fluents);
        }
        let values = problem.values.iter();
        let values = values.map(|it| ((it.function, it.arguments.clone()), it.value)).collect();
        Model { domain, problem, tree, extents, fluents, values }
    }

    /// Reads both files.
    pub fn parse(domain: &str, problem: &str) -> Result<Self, ModelError> {
        let domain = Domain::parse(domain).map_err(ModelError::Domain)?;
        let problem = Problem::parse(problem, &domain).map_err(ModelError::Problem)?;
        Ok(Model::new(domain, problem))
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The objects of any of these types, in the order of their numbers.
    pub fn objects(&self, types: &[TypeId]) -> Cow<'_, [ObjectId]> {
        match types {
            [typ] => Cow::Borrowed(&self.extents[*typ as usize]),
            _ => {
                let all = types.iter().flat_map(|typ| &self.extents[*typ as usize]);
                let mut all: Vec<ObjectId> = all.copied().collect();
                all.sort_unstable();
                all.dedup();
                Cow::Owned(all)
            }
        }
    }

    /// How many objects there are.
    pub fn object_count(&self) -> usize {
        self.domain.constants.len() + self.problem.objects.len()
    }

    /// Whether some action changes facts of this predicate. Those of all others are as the problem
    /// says, for ever.
    pub fn is_fluent(&self, predicate: PredicateId) -> bool {
        self.fluents[predicate as usize]
    }

    /// What a function is for these objects; what the problem does not say is zero.
    pub(crate) fn value(&self, function: FunctionId, arguments: &[ObjectId]) -> f64 {
        self.values.get(&(function, arguments.to_vec())).copied().unwrap_or(0.0)
    }

    /// What an object is called.
    pub fn object_name(&self, object: ObjectId) -> &str {
        let constants = self.domain.constants.len();
        match (object as usize).checked_sub(constants) {
            None => &self.domain.constants[object as usize].name,
            Some(index) => &self.problem.objects[index].name,
        }
    }

    /// The object of this name.
    pub fn object(&self, name: &str) -> Option<ObjectId> {
        let all = self.domain.constants.iter().chain(&self.problem.objects);
        all.zip(0..).find(|(object, _)| object.name == name).map(|(_, id)| id)
    }

    /// A fact as PDDL has it: `(at truck depot)`.
    pub fn fact_text(&self, fact: &Fact) -> String {
        let name = &self.domain.predicates[fact.predicate as usize].name;
        self.listed(name, &fact.arguments)
    }

    /// A step as plan files have it: `(drive truck depot market)`.
    pub fn step_text(&self, step: &Step) -> String {
        let name = &self.domain.actions[step.action as usize].name;
        self.listed(name, &step.arguments)
    }

    fn listed(&self, name: &str, arguments: &[ObjectId]) -> String {
        let mut text = format!("({name}");
        for object in arguments {
            let _ = write!(text, " {}", self.object_name(*object));
        }
        text + ")"
    }

    /// Reads a step: the inverse of [`Model::step_text`], which also takes it without brackets.
    pub fn step(&self, text: &str) -> Result<Step, StepError> {
        let text = text.trim().trim_start_matches('(').trim_end_matches(')').to_ascii_lowercase();
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let action = self.domain.actions.iter().position(|action| action.name == name);
        let action = action.ok_or_else(|| StepError::Action(name.to_owned()))?;
        let object =
            |name: &str| self.object(name).ok_or_else(|| StepError::Object(name.to_owned()));
        let arguments = words.map(object).collect::<Result<_, _>>()?;
        let step = Step { action: action as u32, arguments };
        self.check_step(&step)?;
        Ok(step)
    }

    /// Reads steps that stand one after the other, each in brackets. What is wrong has a place in
    /// the text.
    pub fn steps(&self, text: &str) -> Result<Vec<Step>, (Range<usize>, StepError)> {
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()) {
            let start = at + start;
            let end = text[start..].find(')').map_or(text.len(), |end| start + end + 1);
            let step = self.step(&text[start..end]).map_err(|error| (start..end, error))?;
            steps.push(step);
            at = end;
        }
        Ok(steps)
    }

    /// Reads a condition without free variables, such as a goal: `(and (open find) (not (saved)))`.
    pub fn condition(&self, text: &str) -> Result<Formula, ReadError> {
        pddl::read_condition(text, &self.domain, &self.problem)
    }

    /// Whether the arguments fit the parameters, in number and in type.
    pub(crate) fn check_step(&self, step: &Step) -> Result<(), StepError> {
        let Some(action) = self.domain.actions.get(step.action as usize) else {
            return Err(StepError::Action(format!("#{}", step.action)));
        };
        let (wanted, given) = (action.parameters.len(), step.arguments.len());
        if wanted != given {
            return Err(StepError::Arity { action: action.name.clone(), wanted, given });
        }
        for (parameter, object) in action.parameters.iter().zip(&step.arguments) {
            if *object as usize >= self.object_count() {
                return Err(StepError::Object(format!("#{object}")));
            }
            if !self.is_of(*object, &parameter.types) {
                return Err(StepError::Type {
                    action: action.name.clone(),
                    parameter: parameter.name.clone(),
                    object: self.object_name(*object).to_owned(),
                });
            }
        }
        Ok(())
    }

    fn is_of(&self, object: ObjectId, types: &[TypeId]) -> bool {
        let constants = &self.domain.constants;
        let declared = match (object as usize).checked_sub(constants.len()) {
            None => &constants[object as usize].types,
            Some(index) => &self.problem.objects[index].types,
        };
        self.tree.is_subtype(declared, types)
    }
}

/// Marks the predicates that an effect adds or deletes.
fn mark_changed(effect: &Effect, fluents: &mut [bool]) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| mark_changed(part, fluents)),
        Effect::Forall(_, body) | Effect::When(_, body) => mark_changed(body, fluents),
        Effect::Add(atom) | Effect::Delete(atom) => fluents[atom.predicate as usize] = true,
        Effect::Cost(_) => {}
    }
}
