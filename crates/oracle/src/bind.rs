//! Binds a mapping to a model: every name is checked, and every mistake has a place.
//!
//! On its own because the parser of mappings knows no model, and the model knows no screens. What
//! comes out is grounded: facts with their readings, operators with their events.

use crate::operators::Operators;
use crate::oracle::{Goal, Oracle};
use crate::readings::Readings;
use capuchin::trace::{Expr, Prop};
use capuchin::ui::{Str, suggest};
use capuchin_plan::pddl::{Fact, ObjectId, Parameter, Step};
use capuchin_plan::{Follower, GroundLimits, Model, Task};
use capuchin_spec::{Diagnostic, Instances, Label, Level, Library, Mapping, Place, Reading};
use std::collections::BTreeSet;

/// The most facts of a predicate that are watched although no plan makes them true.
const MOST_UNREACHABLE: usize = 20_000;
/// How many steps a model may have for an oracle.
const LIMITS: GroundLimits =
    GroundLimits { operators: 200_000, facts: 200_000, join_steps: 200_000_000 };

/// What the files of a model say, as text.
pub(crate) struct ModelText {
    pub(crate) model: Model,
    pub(crate) domain: String,
    pub(crate) problem: String,
}

/// Binds a mapping to a model. `asking` is the file that is run: its goals and levels count, too.
pub(crate) fn bind(
    mapping: &Mapping,
    libraries: &[Library],
    asking: &Mapping,
    text: ModelText,
) -> Result<Oracle, Vec<Diagnostic>> {
    let ModelText { model, domain: domain_text, problem: problem_text } = text;
    let mut binding = Binding { mapping, model: &model, wrong: Vec::new() };
    binding.check_names();
    let (_, place) = mapping.model();
    let Ok(task) = Task::ground(&model, &LIMITS)
        .map_err(|error| binding.mistake(place, error.to_string(), "this model", None))
    else {
        return Err(binding.wrong);
    };
    let names: Vec<&str> =
        (0..model.object_count() as ObjectId).map(|object| model.object_name(object)).collect();
    let (bound, wrong) = mapping.instantiate(libraries, &names, |rules| {
        binding.check_rules(rules);
        binding.wrong.is_empty().then(|| binding.ground(rules, &task))?
    });
    let goals = binding.goals(asking);
    let mut all = binding.wrong;
    all.extend(wrong);
    let Some((follower, readings, operators, unmapped, needs)) = bound.filter(|_| all.is_empty())
    else {
        return Err(all);
    };
    let (planning, task) = without(&model, &unmapped, task)
        .map_err(|error| vec![mapping.mistake(place, error, "this model", None)])?;
    let levels = asking.verify().or(mapping.verify()).unwrap_or(&[(Level::Relevant, 1)]);
    let levels = levels.to_vec();
    Ok(Oracle {
        model,
        planning,
        task,
        follower,
        readings,
        operators,
        levels,
        goals,
        needs,
        domain_text,
        problem_text,
    })
}

/// The model and the task without actions that no event does.
fn without(model: &Model, unmapped: &[u32], task: Task) -> Result<(Model, Task), String> {
    if unmapped.is_empty() {
        return Ok((model.clone(), task));
    }
    let mut domain = model.domain().clone();
    let mut number = 0;
    domain.actions.retain(|_| {
        number += 1;
        !unmapped.contains(&(number - 1))
    });
    let planning = Model::new(domain, model.problem().clone());
    let task = Task::ground(&planning, &LIMITS).map_err(|error| error.to_string())?;
    Ok((planning, task))
}

struct Binding<'a> {
    mapping: &'a Mapping,
    model: &'a Model,
    wrong: Vec<Diagnostic>,
}

/// What is ground: facts and steps, readings, events, the actions without events, and what the
/// device is asked.
type Bound = (Follower, Readings, Operators, Vec<u32>, Vec<Str>);

impl Binding<'_> {
    fn mistake(&mut self, place: Place, message: String, label: &str, help: Option<String>) {
        self.wrong.push(self.mapping.mistake(place, message, label, help));
    }

    /// The names that the file has lines for are names of the model.
    fn check_names(&mut self) {
        let (model, mapping) = (self.model, self.mapping);
        let domain = model.domain();
        let predicates: Vec<&str> = domain.predicates.iter().map(|it| it.name.as_str()).collect();
        for (label, _) in mapping.facts() {
            self.known(&label, "predicate", &predicates);
        }
        let actions: Vec<&str> = domain.actions.iter().map(|it| it.name.as_str()).collect();
        for (label, _) in mapping.operators() {
            self.known(&label, "action", &actions);
        }
        let objects: Vec<&str> =
            (0..model.object_count() as ObjectId).map(|it| model.object_name(it)).collect();
        for label in mapping.objects() {
            self.known(&label, "object", &objects);
        }
    }

    fn known(&mut self, label: &Label, what: &str, known: &[&str]) {
        let name = label.text.to_ascii_lowercase();
        if known.contains(&name.as_str()) {
            return;
        }
        let help = match suggest(&name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("it has no {what}s"),
            None => format!("its {what}s are `{}`", known[..known.len().min(8)].join("`, `")),
        };
        let message = format!("the model has no {what} `{}`", label.text);
        self.mistake(label.place, message, "not in the model", Some(help));
    }

    /// Everything that changes has a line, with as many parameters as the model has.
    fn check_rules(&mut self, rules: &Instances<'_, '_>) {
        let (model, (_, place)) = (self.model, self.mapping.model());
        let domain = model.domain();
        for (predicate, number) in domain.predicates.iter().zip(0..) {
            let arity = predicate.parameters.len();
            match rules.fact_rule(&predicate.name) {
                None if model.is_fluent(number) => {
                    let form = form(&predicate.name, &predicate.parameters);
                    let message = format!("no line says how `{}` is read", predicate.name);
                    let help = format!(
                        "add `fact {form} = ...`; if no screen shows it: `fact {form} = unseen`"
                    );
                    self.mistake(place, message, "a predicate of this model", Some(help));
                }
                Some((given, place)) if given != arity => {
                    self.arity(place, ("fact", &predicate.name), &predicate.parameters, given);
                }
                _ => {}
            }
        }
        for action in &domain.actions {
            let arity = action.parameters.len();
            match rules.operator_rule(&action.name) {
                None => {
                    let form = form(&action.name, &action.parameters);
                    let message = format!("no line says which events do `{}`", action.name);
                    let help = format!(
                        "add `operator {form} = ...`; if no event does it: `operator {form} = unmapped`"
                    );
                    self.mistake(place, message, "an action of this model", Some(help));
                }
                Some((given, place)) if given != arity => {
                    self.arity(place, ("operator", &action.name), &action.parameters, given);
                }
                Some(_) => {}
            }
        }
    }

    fn arity(
        &mut self,
        place: Place,
        (word, name): (&str, &str),
        parameters: &[Parameter],
        given: usize,
    ) {
        let wanted = parameters.len();
        let message = format!("`{name}` has {wanted} parameters in the model, and {given} here");
        let help = format!("write `{word} {} = ...`", form(name, parameters));
        self.mistake(place, message, "another number", Some(help));
    }

    /// Grounds the mapping for all objects of the model.
    fn ground(&mut self, rules: &mut Instances<'_, '_>, task: &Task) -> Option<Bound> {
        let model = self.model;
        let steps: Vec<Step> = task.steps().cloned().collect();
        let (_, place) = self.mapping.model();
        let follower = match Follower::new(model, steps, self.watched_facts(rules, task)) {
            Ok(follower) => follower,
            Err(error) => {
                self.mistake(place, error.to_string(), "this model", None);
                return None;
            }
        };
        let mut readings = Readings::default();
        let mut needs = Vec::new();
        for fact in follower.facts() {
            let name = &model.domain().predicates[fact.predicate as usize].name;
            let objects: Vec<usize> = fact.arguments.iter().map(|it| *it as usize).collect();
            let reading = rules.fact(name, &objects).unwrap_or(Reading::Unseen);
            if let Reading::Seen { prop, guard } = &reading {
                [Some(prop), guard.as_ref()]
                    .into_iter()
                    .flatten()
                    .for_each(|it| asks(it, &mut needs));
            }
            readings.add(&reading);
        }
        needs.sort();
        needs.dedup();
        let (mut operators, mut unmapped) = (Operators::default(), BTreeSet::new());
        let mut told = BTreeSet::new();
        for step in follower.steps() {
            let name = &model.domain().actions[step.action as usize].name;
            let objects: Vec<usize> = step.arguments.iter().map(|it| *it as usize).collect();
            let generator = rules.operator(name, &objects).flatten();
            if generator.is_none() {
                unmapped.insert(step.action);
            }
            if let Err(crate::operators::NotEvents(why)) = operators.add(generator.as_ref())
                && told.insert(step.action)
                && let Some((_, place)) = rules.operator_rule(name)
            {
                let message = format!("`{name}` cannot be recognized: {why}");
                let help =
                    "write events that say what they go to, joined by `:>>`; several ways by `<+>`";
                self.mistake(place, message, "this operator", Some(help.to_owned()));
            }
        }
        Some((follower, readings, operators, unmapped.into_iter().collect(), needs))
    }

    /// The facts that are watched beside those that steps mention: also what no plan makes true may
    /// be seen on a screen.
    fn watched_facts(&self, rules: &mut Instances<'_, '_>, task: &Task) -> Vec<Fact> {
        let model = self.model;
        let mut facts: Vec<Fact> = task.facts().to_vec();
        for (predicate, number) in model.domain().predicates.iter().zip(0..) {
            if !model.is_fluent(number) || rules.fact_rule(&predicate.name).is_none() {
                continue;
            }
            let objects: Vec<_> =
                predicate.parameters.iter().map(|it| model.objects(&it.types)).collect();
            let count = objects.iter().try_fold(1usize, |all, one| all.checked_mul(one.len()));
            if count.is_none_or(|count| count > MOST_UNREACHABLE) {
                continue;
            }
            let mut tuples: Vec<Vec<ObjectId>> = vec![Vec::new()];
            for of_type in &objects {
                let longer = tuples.iter().flat_map(|tuple| {
                    of_type.iter().map(|it| tuple.iter().chain([it]).copied().collect())
                });
                tuples = longer.collect();
            }
            facts.extend(tuples.into_iter().map(|arguments| Fact { predicate: number, arguments }));
        }
        facts
    }

    /// The goals of the mapping and of the file that is run, which may name them in `auto plan`.
    fn goals(&mut self, asking: &Mapping) -> Vec<Goal> {
        let mut goals = Vec::new();
        let is_same = std::ptr::eq(self.mapping, asking);
        let other = (!is_same).then_some(asking);
        for file in [Some(self.mapping), other].into_iter().flatten() {
            for (label, text) in file.goals() {
                match self.model.condition(&text.text) {
                    Ok(condition) => {
                        goals.push(Goal { label: label.text.to_string(), condition });
                    }
                    Err(error) => {
                        let wrong = &error.diagnostics[0];
                        let (message, help) = (wrong.message.clone(), wrong.help.clone());
                        self.wrong.push(file.mistake(text.place, message, "this goal", help));
                    }
                }
            }
        }
        for asked in asking.asked_goals() {
            if asked.text.trim_start().starts_with('(') {
                if let Err(error) = self.model.condition(&asked.text) {
                    let wrong = &error.diagnostics[0];
                    let (message, help) = (wrong.message.clone(), wrong.help.clone());
                    self.wrong.push(asking.mistake(asked.place, message, "this goal", help));
                }
            } else if !goals.iter().any(|goal| goal.label == *asked.text) {
                let near = suggest(&asked.text, goals.iter().map(|goal| goal.label.as_str()));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("add it: goal \"{}\": \"(...)\"", asked.text),
                };
                let message = format!("there is no goal `{}`", asked.text);
                self.wrong.push(asking.mistake(asked.place, message, "not known", Some(help)));
            }
        }
        goals
    }
}

/// Adds the predicates and values that only the device can tell.
fn asks(prop: &Prop, names: &mut Vec<Str>) {
    match prop {
        Prop::User(name, _) => names.push(name.clone()),
        Prop::Not(inner) => asks(inner, names),
        Prop::And(all) | Prop::Or(all) => all.iter().for_each(|one| asks(one, names)),
        Prop::Implies(left, right) => {
            asks(left, names);
            asks(right, names);
        }
        _ => {}
    }
    prop.visit_values(&mut |value| {
        if let Expr::Ask(name, _) = value {
            names.push(name.clone());
        }
    });
}

/// The head of a line: `name(a, b)`.
fn form(name: &str, parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(|it| it.name.replace('-', "_")).collect();
    if names.is_empty() { name.to_owned() } else { format!("{name}({})", names.join(", ")) }
}
