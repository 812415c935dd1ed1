//! Semi-naive evaluation of the rules: each new tuple is joined with those that were there before.
//!
//! In which order the atoms of a rule are joined is decided once for each atom that may begin the
//! join. Facts that never change come early, because they are few; each further atom is looked up
//! by the values that are bound already.

use super::relations::Relation;
use super::rule::{Rule, RuleAtom, free_variables, is_worth_asking, rules};
use super::{GroundError, GroundLimits};
use crate::model::Model;
use crate::pddl::{Formula, ObjectId, PredicateId, Term};

/// What can be reached: for each predicate its tuples, and after them for each action.
pub(super) fn reachable(
    model: &Model,
    limits: &GroundLimits,
) -> Result<Vec<Relation>, GroundError> {
    let domain = model.domain();
    let arities = domain.predicates.iter().map(|predicate| predicate.parameters.len());
    let actions = domain.actions.iter().map(|action| action.parameters.len());
    let mut relations: Vec<Relation> = arities.chain(actions).map(Relation::new).collect();
    for fact in &model.problem().init {
        relations[fact.predicate as usize].insert(&fact.arguments);
    }
    relations.iter_mut().for_each(Relation::measure);
    let compiled = rules(model).into_iter().map(|rule| Compiled::new(rule, model, &mut relations));
    let compiled: Vec<Compiled<'_>> = compiled.collect();
    let mut by_relation: Vec<Vec<(usize, usize)>> = vec![Vec::new(); relations.len()];
    for (number, rule) in compiled.iter().enumerate() {
        for (atom, body) in rule.rule.body.iter().enumerate() {
            if rule.joins[atom].is_some() {
                by_relation[body.relation].push((number, atom));
            }
        }
    }
    // Facts that never change are there from the beginning; the others come one by one.
    let mut queue: Vec<(u32, u32)> = Vec::new();
    for (number, relation) in relations.iter_mut().enumerate().take(domain.predicates.len()) {
        for tuple in 0..relation.len() as u32 {
            match model.is_fluent(number as PredicateId) {
                true => queue.push((number as u32, tuple)),
                false => relation.publish(tuple),
            }
        }
    }
    let mut found = Found { tuples: Vec::new(), steps: 0, most_steps: limits.join_steps };
    for rule in &compiled {
        if let Some(join) = &rule.at_once {
            rule.run(join, &mut vec![0; rule.rule.variables.len()], model, &relations, &mut found);
        }
    }
    let mut next = 0;
    loop {
        found.take(&mut relations, &mut queue);
        if found.steps > found.most_steps {
            return Err(GroundError::Joins(limits.join_steps));
        }
        if queue.len() > limits.operators + limits.facts {
            return Err(GroundError::Operators(limits.operators));
        }
        let Some((relation, tuple)) = queue.get(next).copied() else { break };
        next += 1;
        relations[relation as usize].publish(tuple);
        for (rule, atom) in &by_relation[relation as usize] {
            compiled[*rule].triggered(*atom, relation, tuple, model, &relations, &mut found);
        }
    }
    Ok(relations)
}

/// Heads of rules that fired, until they are put into the relations.
struct Found {
    tuples: Vec<u32>,
    steps: u64,
    most_steps: u64,
}

impl Found {
    /// Each is the relation, the arity and the values.
    fn add(&mut self, head: &RuleAtom, values: &[ObjectId]) {
        self.tuples.push(head.relation as u32);
        self.tuples.push(head.arguments.len() as u32);
        self.tuples.extend(head.arguments.iter().map(|term| value(*term, values)));
    }

    fn take(&mut self, relations: &mut [Relation], queue: &mut Vec<(u32, u32)>) {
        let mut rest = self.tuples.as_slice();
        while let [relation, arity, more @ ..] = rest {
            let (tuple, more) = more.split_at(*arity as usize);
            if let Some(number) = relations[*relation as usize].insert(tuple) {
                queue.push((*relation, number));
            }
            rest = more;
        }
        self.tuples.clear();
    }
}

fn value(term: Term, values: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(place) => values[place as usize],
        Term::Object(object) => object,
    }
}

/// One step of a join, and the filters that can be asked after it.
struct JoinStep {
    kind: StepKind,
    filters: Vec<usize>,
}

enum StepKind {
    /// Look up an atom by what is bound of it: the index, and which variables are new.
    Match {
        atom: usize,
        index: Option<usize>,
        key: Vec<Term>,
        binds: Vec<(usize, u32)>,
        same: Vec<(usize, u32)>,
    },
    /// Only ask the filters.
    Check,
    /// Try every object for a variable that no atom binds.
    Enumerate(u32),
}

/// A rule with the orders of its joins.
struct Compiled<'a> {
    rule: Rule<'a>,
    /// For each variable, which objects it may be, as bits.
    allowed: Vec<Vec<u64>>,
    /// The join that begins with a new tuple of this atom; none if its tuples are never new.
    joins: Vec<Option<Vec<JoinStep>>>,
    /// The join of a rule without such an atom.
    at_once: Option<Vec<JoinStep>>,
}

impl<'a> Compiled<'a> {
    fn new(rule: Rule<'a>, model: &Model, relations: &mut [Relation]) -> Self {
        let allowed = rule.variables.iter().map(|types| {
            let mut bits = vec![0; model.object_count().div_ceil(64)];
            for object in model.objects(types).iter() {
                crate::condition::set_bit(&mut bits, *object);
            }
            bits
        });
        let mut compiled =
            Compiled { allowed: allowed.collect(), joins: Vec::new(), at_once: None, rule };
        let predicates = model.domain().predicates.len();
        let grows = |atom: &RuleAtom| {
            atom.relation >= predicates || model.is_fluent(atom.relation as PredicateId)
        };
        for atom in 0..compiled.rule.body.len() {
            let join = grows(&compiled.rule.body[atom])
                .then(|| compiled.order(Some(atom), model, relations));
            compiled.joins.push(join);
        }
        if !compiled.rule.body.iter().any(grows) {
            compiled.at_once = Some(compiled.order(None, model, relations));
        }
        compiled
    }

    /// The atoms in the order in which they are joined after this one.
    fn order(
        &self,
        first: Option<usize>,
        model: &Model,
        relations: &mut [Relation],
    ) -> Vec<JoinStep> {
        let rule = &self.rule;
        let mut bound = first.map_or(0, |atom| variables(&rule.body[atom]));
        let mut rest: Vec<usize> =
            (0..rule.body.len()).filter(|atom| Some(*atom) != first).collect();
        let is_fluent = |predicate| model.is_fluent(predicate);
        let worth = |filter: &usize| is_worth_asking(rule.filters[*filter], &is_fluent);
        let mut filters: Vec<usize> = (0..rule.filters.len()).filter(worth).collect();
        let mut steps: Vec<JoinStep> = Vec::new();
        let mut ready = |bound: u64| -> Vec<usize> {
            let outside = rule.variables.len() as u32;
            let is_ready =
                |filter: &usize| free_variables(rule.filters[*filter], outside) & !bound == 0;
            let (now, later) = filters.iter().partition(|filter| is_ready(filter));
            filters = later;
            now
        };
        let at_first = ready(bound);
        if !at_first.is_empty() {
            steps.push(JoinStep { kind: StepKind::Check, filters: at_first });
        }
        loop {
            let estimates = rest.iter().map(|atom| self.matches(*atom, bound, model, relations));
            let best = estimates.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
            let Some((place, _)) = best else { break };
            let atom = rest.remove(place);
            let kind = self.lookup(atom, bound, relations);
            bound |= variables(&rule.body[atom]);
            steps.push(JoinStep { kind, filters: ready(bound) });
        }
        for variable in 0..rule.variables.len() as u32 {
            if bound >> variable & 1 == 0 {
                bound |= 1 << variable;
                steps.push(JoinStep { kind: StepKind::Enumerate(variable), filters: ready(bound) });
            }
        }
        steps
    }

    /// About how many tuples of an atom match what is bound.
    fn matches(&self, atom: usize, bound: u64, model: &Model, relations: &[Relation]) -> f64 {
        let RuleAtom { relation, arguments } = &self.rule.body[atom];
        let is_bound = |term: &Term| match term {
            Term::Variable(place) => bound >> place & 1 == 1,
            Term::Object(_) => true,
        };
        let is_predicate = *relation < model.domain().predicates.len();
        if is_predicate && !model.is_fluent(*relation as PredicateId) {
            let tuples = &relations[*relation];
            let divisors = arguments.iter().enumerate().filter(|(_, term)| is_bound(term));
            let divisor = divisors.map(|(at, _)| tuples.distinct(at).max(1) as f64);
            return tuples.len() as f64 / divisor.product::<f64>();
        }
        let mut counted = 0u64;
        let mut product = 1.0;
        for term in arguments {
            if let (Term::Variable(place), false) = (term, is_bound(term))
                && counted >> place & 1 == 0
            {
                counted |= 1 << place;
                product *= model.objects(self.rule.variables[*place as usize]).len() as f64;
            }
        }
        product
    }

    fn lookup(&self, atom: usize, bound: u64, relations: &mut [Relation]) -> StepKind {
        let RuleAtom { relation, arguments } = &self.rule.body[atom];
        let (mut positions, mut key) = (Vec::new(), Vec::new());
        let (mut binds, mut same) = (Vec::new(), Vec::new());
        for (at, term) in arguments.iter().enumerate() {
            match term {
                Term::Variable(place) if bound >> place & 1 == 0 => {
                    match binds.iter().any(|(_, other)| other == place) {
                        true => same.push((at, *place)),
                        false => binds.push((at, *place)),
                    }
                }
                term => {
                    positions.push(at);
                    key.push(*term);
                }
            }
        }
        let index = (!positions.is_empty()).then(|| relations[*relation].index(&positions));
        StepKind::Match { atom, index, key, binds, same }
    }

    /// Joins what a new tuple makes possible.
    fn triggered(
        &self,
        atom: usize,
        relation: u32,
        tuple: u32,
        model: &Model,
        relations: &[Relation],
        found: &mut Found,
    ) {
        let Some(join) = &self.joins[atom] else { return };
        let mut values = vec![u32::MAX; self.rule.variables.len()];
        let tuple = relations[relation as usize].tuple(tuple);
        for (term, object) in self.rule.body[atom].arguments.iter().zip(tuple) {
            let fits = match term {
                Term::Object(other) => other == object,
                Term::Variable(place) => {
                    let value = &mut values[*place as usize];
                    let fits = *value == u32::MAX || *value == *object;
                    *value = *object;
                    fits && self.is_allowed(*place, *object)
                }
            };
            if !fits {
                return;
            }
        }
        self.run(join, &mut values, model, relations, found);
    }

    fn is_allowed(&self, variable: u32, object: ObjectId) -> bool {
        crate::condition::bit(&self.allowed[variable as usize], object)
    }

    fn run(
        &self,
        steps: &[JoinStep],
        values: &mut Vec<ObjectId>,
        model: &Model,
        relations: &[Relation],
        found: &mut Found,
    ) {
        found.steps += 1;
        if found.steps > found.most_steps {
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            self.rule.heads.iter().for_each(|head| found.add(head, values));
            return;
        };
        let passes = |values: &[ObjectId]| {
            let asked = step.filters.iter().map(|filter| self.rule.filters[*filter]);
            asked.into_iter().all(|filter| decide(filter, values, model, relations) != Some(false))
        };
        match &step.kind {
            StepKind::Check => {
                if passes(values) {
                    self.run(rest, values, model, relations, found);
                }
            }
            StepKind::Enumerate(variable) => {
                for object in model.objects(self.rule.variables[*variable as usize]).iter() {
                    values[*variable as usize] = *object;
                    if passes(values) {
                        self.run(rest, values, model, relations, found);
                    }
                }
            }
            StepKind::Match { atom, index, key, binds, same } => {
                let relation = &relations[self.rule.body[*atom].relation];
                let mut visit = |number: u32, values: &mut Vec<ObjectId>| {
                    let tuple = relation.tuple(number);
                    let fits = binds.iter().all(|(at, place)| {
                        values[*place as usize] = tuple[*at];
                        self.is_allowed(*place, tuple[*at])
                    });
                    let agrees = |(at, place): &(usize, u32)| tuple[*at] == values[*place as usize];
                    if fits && same.iter().all(agrees) && passes(values) {
                        self.run(rest, values, model, relations, found);
                    }
                };
                match index {
                    Some(index) => {
                        let mut known = [0; 64];
                        key.iter()
                            .zip(&mut known)
                            .for_each(|(term, to)| *to = value(*term, values));
                        for number in relation.matches(*index, &known[..key.len()]) {
                            visit(*number, values);
                        }
                    }
                    None => (0..relation.published()).for_each(|number| visit(number, values)),
                }
            }
        }
    }
}

/// The variables of an atom, as bits.
fn variables(atom: &RuleAtom) -> u64 {
    atom.arguments.iter().fold(0, |bits, term| match term {
        Term::Variable(place) => bits | 1 << place,
        Term::Object(_) => bits,
    })
}

/// What the facts that never change say about a formula without quantifiers.
fn decide(
    formula: &Formula,
    values: &[ObjectId],
    model: &Model,
    relations: &[Relation],
) -> Option<bool> {
    let decide = |part: &Formula| decide(part, values, model, relations);
    match formula {
        Formula::And(parts) => {
            let mut all = Some(true);
            for part in parts {
                match decide(part) {
                    Some(false) => return Some(false),
                    None => all = None,
                    Some(true) => {}
                }
            }
            all
        }
        Formula::Or(parts) => {
            let mut none = Some(false);
            for part in parts {
                match decide(part) {
                    Some(true) => return Some(true),
                    None => none = None,
                    Some(false) => {}
                }
            }
            none
        }
        Formula::Not(part) => decide(part).map(|value| !value),
        Formula::Imply(first, second) => match (decide(first), decide(second)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        },
        Formula::Exists(..) | Formula::Forall(..) => None,
        Formula::Atom(atom) if model.is_fluent(atom.predicate) => None,
        Formula::Atom(atom) => {
            let tuple: Vec<u32> = atom.arguments.iter().map(|term| value(*term, values)).collect();
            Some(relations[atom.predicate as usize].find(&tuple).is_some())
        }
        Formula::Equal(first, second) => Some(value(*first, values) == value(*second, values)),
    }
}
