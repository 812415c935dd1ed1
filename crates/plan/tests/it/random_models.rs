//! Small models that are drawn from a number: three actions over a handful of objects, with every
//! word of PDDL in them.

use capuchin_plan::pddl::{
    Action, Atom, Domain, Effect, Expression, Fact, Formula, Function, FunctionValue, OBJECT,
    Object, Parameter, Predicate, Problem, Step, Term, Type,
};
use capuchin_plan::{LiftedState, Model};
use std::collections::BTreeSet;

/// How a model is drawn.
pub(crate) struct Draw {
    number: u64,
    /// Only conjunctions of facts as conditions.
    is_positive: bool,
    /// How many objects can be named here: a domain has its constants only.
    objects: u32,
}

impl Draw {
    pub(crate) fn new(seed: u64, is_positive: bool) -> Self {
        Draw { number: seed ^ 0x1234_5678_9ABC_DEF1, is_positive, objects: 2 }
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        self.number =
            self.number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((self.number >> 33) % u64::from(count.max(1))) as u32
    }

    pub(crate) fn model(&mut self) -> Model {
        let (domain, problem) = self.files();
        Model::new(domain, problem)
    }

    pub(crate) fn files(&mut self) -> (Domain, Problem) {
        let object = Type { name: "object".into(), parents: vec![] };
        let mut types = vec![object];
        for (name, parents) in
            [("thing", vec![OBJECT]), ("box", vec![1]), ("room", vec![1, OBJECT])]
        {
            types.push(Type { name: name.into(), parents });
        }
        let object = |(name, typ): (&str, u32)| Object { name: name.into(), types: vec![typ] };
        let constants: Vec<Object> = [("k1", 2), ("k2", 3)].map(object).into();
        let mut objects: Vec<Object> = [("o1", 2), ("o2", 3), ("o3", 0)].map(object).into();
        objects[2].types = vec![2, 3];
        let predicates = [("p0", 0), ("p1", 1), ("q1", 1), ("r2", 2), ("still", 2)];
        let predicates = predicates.map(|(name, arity)| Predicate {
            name: name.into(),
            parameters: (0..arity)
                .map(|number| Parameter { name: format!("x{number}"), types: vec![OBJECT] })
                .collect(),
        });
        let length = Parameter { name: "x".into(), types: vec![2, 3] };
        let mut domain = Domain {
            name: "drawn".into(),
            requirements: vec![":adl".into(), ":action-costs".into()],
            types,
            constants,
            predicates: predicates.into(),
            functions: vec![
                Function { name: "total-cost".into(), parameters: vec![] },
                Function { name: "length".into(), parameters: vec![length] },
            ],
            actions: vec![],
        };
        for number in 0..3 {
            let parameters = self.parameters(2);
            let mut scope = parameters.clone();
            let precondition = self.formula(&mut scope, 3);
            let effect = self.effect(&mut scope, 3);
            let name = format!("a{number}");
            domain.actions.push(Action { name, parameters, precondition, effect });
        }
        self.objects = 5;
        let mut init: Vec<Fact> = (0..8).map(|_| self.fact()).collect();
        init.sort();
        init.dedup();
        let value = f64::from(self.below(40)) / 4.0;
        let problem = Problem {
            name: "drawn".into(),
            objects,
            init,
            values: vec![FunctionValue { function: 1, arguments: vec![2], value }],
            goal: self.formula(&mut Vec::new(), 3),
            minimizes_cost: self.below(2) == 0,
        };
        (domain, problem)
    }

    fn parameters(&mut self, most: u32) -> Vec<Parameter> {
        let letters = ["x", "y", "z"];
        let count = self.below(most + 1);
        (0..count as usize)
            .map(|number| Parameter {
                name: letters[number].into(),
                types: match self.below(4) {
                    0 => vec![OBJECT],
                    1 => vec![2],
                    2 => vec![3, 2],
                    _ => vec![1],
                },
            })
            .collect()
    }

    fn term(&mut self, scope: &[Parameter]) -> Term {
        // A variable that an inner one hides cannot be written down.
        let place = self.below(scope.len() as u32) as usize;
        match scope.get(place) {
            Some(it) if self.below(4) > 0 => {
                let last = scope.iter().rposition(|other| other.name == it.name);
                Term::Variable(last.unwrap_or(place) as u32)
            }
            _ => Term::Object(self.below(self.objects)),
        }
    }

    fn atom(&mut self, scope: &[Parameter], most: u32) -> Atom {
        let predicate = self.below(most);
        let arity = [0, 1, 1, 2, 2][predicate as usize];
        Atom { predicate, arguments: (0..arity).map(|_| self.term(scope)).collect() }
    }

    fn fact(&mut self) -> Fact {
        let Atom { predicate, arguments } = self.atom(&[], 5);
        let object = |term: &Term| match term {
            Term::Object(object) => *object,
            Term::Variable(_) => 0,
        };
        Fact { predicate, arguments: arguments.iter().map(object).collect() }
    }

    fn formula(&mut self, scope: &mut Vec<Parameter>, depth: u32) -> Formula {
        let kinds = match (depth, self.is_positive) {
            (0, _) => 1,
            (_, true) => 3,
            _ => 10,
        };
        match self.below(kinds) {
            0 => Formula::Atom(self.atom(scope, 5)),
            1 | 2 => {
                let count = self.below(3);
                Formula::And((0..count).map(|_| self.formula(scope, depth - 1)).collect())
            }
            3 => {
                let count = self.below(3);
                Formula::Or((0..count).map(|_| self.formula(scope, depth - 1)).collect())
            }
            4 | 5 => Formula::Not(Box::new(self.formula(scope, depth - 1))),
            6 => {
                let first = self.formula(scope, depth - 1);
                Formula::Imply(Box::new(first), Box::new(self.formula(scope, depth - 1)))
            }
            7 => Formula::Equal(self.term(scope), self.term(scope)),
            kind => {
                let variables = self.parameters(2);
                let outside = scope.len();
                scope.extend(variables.iter().cloned());
                let body = Box::new(self.formula(scope, depth - 1));
                scope.truncate(outside);
                match kind {
                    8 => Formula::Exists(variables, body),
                    _ => Formula::Forall(variables, body),
                }
            }
        }
    }

    fn effect(&mut self, scope: &mut Vec<Parameter>, depth: u32) -> Effect {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 | 1 => Effect::Add(self.atom(scope, 4)),
            2 => Effect::Delete(self.atom(scope, 4)),
            3 => match self.below(2) {
                0 => Effect::Cost(Expression::Number(f64::from(self.below(9)))),
                _ => Effect::Cost(Expression::Function(1, vec![self.term(scope)])),
            },
            4..=6 => {
                let count = 1 + self.below(3);
                Effect::And((0..count).map(|_| self.effect(scope, depth - 1)).collect())
            }
            7 => {
                let condition = self.formula(scope, depth - 1);
                Effect::When(condition, Box::new(self.effect(scope, depth - 1)))
            }
            _ => {
                let variables = self.parameters(2);
                let outside = scope.len();
                scope.extend(variables.iter().cloned());
                let body = Box::new(self.effect(scope, depth - 1));
                scope.truncate(outside);
                Effect::Forall(variables, body)
            }
        }
    }
}

/// Every action with every combination of objects that its types allow: the naive grounder.
pub(crate) fn all_steps(model: &Model) -> Vec<Step> {
    let mut steps = Vec::new();
    for (number, action) in (0..).zip(&model.domain().actions) {
        let mut tuples: Vec<Vec<u32>> = vec![vec![]];
        for parameter in &action.parameters {
            let objects = model.objects(&parameter.types);
            let longer = |tuple: &Vec<u32>| {
                let one = |object: &u32| tuple.iter().copied().chain([*object]).collect();
                objects.iter().map(one).collect::<Vec<Vec<u32>>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        steps.extend(tuples.into_iter().map(|arguments| Step { action: number, arguments }));
    }
    steps
}

/// All states that can be reached, at most so many, and whether these are all.
pub(crate) fn all_states(model: &Model, most: usize) -> (Vec<LiftedState>, bool) {
    let steps = all_steps(model);
    let mut states = vec![model.initial_state()];
    let mut known = BTreeSet::from([model.initial_state()]);
    let mut at = 0;
    while at < states.len() {
        for step in &steps {
            if let Ok(after) = model.apply(step, &states[at])
                && !known.contains(&after)
            {
                if states.len() == most {
                    return (states, false);
                }
                known.insert(after.clone());
                states.push(after);
            }
        }
        at += 1;
    }
    (states, true)
}
