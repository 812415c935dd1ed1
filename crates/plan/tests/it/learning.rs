//! The learner against models that are known: random ones of the kind that it assumes, and an
//! editor's.

use crate::random_models::{Draw, all_states, all_steps};
use capuchin_plan::learn::{LearnError, LearnOptions, Learned, Learner, Observed, compare};
use capuchin_plan::pddl::{
    Action, Atom, Domain, Effect, Fact, Formula, Parameter, PredicateId, Step, Term,
};
use capuchin_plan::{LiftedState, Model};
use proptest::prelude::*;

/// A model whose preconditions are conjunctions of literals, and in which each atom of an action
/// has one condition of at most `size` literals.
fn drawn(seed: u64, size: u32) -> (Model, Draw) {
    let mut draw = Draw::new(seed, true);
    let (mut domain, mut problem) = draw.files();
    for (number, action) in domain.actions.iter_mut().enumerate() {
        let types = [vec![2], vec![3]];
        let count = draw.below(3) as usize;
        let parameters: Vec<Parameter> = (0..count)
            .map(|at| Parameter { name: format!("x{at}"), types: types[(at + number) % 2].clone() })
            .collect();
        let mut conjuncts = Vec::new();
        for _ in 0..draw.below(4) {
            conjuncts.push(literal(&mut draw, count as u32));
        }
        let mut effects = Vec::new();
        let mut atoms: Vec<Atom> = Vec::new();
        for _ in 0..1 + draw.below(4) {
            effects.extend(change(&mut draw, count as u32, size, &mut atoms));
        }
        *action = Action {
            name: format!("a{number}"),
            parameters,
            precondition: Formula::And(conjuncts),
            effect: Effect::And(effects),
        };
    }
    problem.goal = Formula::And(vec![]);
    (Model::new(domain, problem), draw)
}

fn arity(predicate: PredicateId) -> u32 {
    [0, 1, 1, 2, 2][predicate as usize]
}

/// An atom over so many variables.
fn atom(draw: &mut Draw, variables: u32) -> Atom {
    let predicates = if variables == 0 { 1 } else { 4 };
    let predicate = draw.below(predicates);
    let arguments = (0..arity(predicate)).map(|_| Term::Variable(draw.below(variables)));
    Atom { predicate, arguments: arguments.collect() }
}

fn literal(draw: &mut Draw, variables: u32) -> Formula {
    let atom = Formula::Atom(atom(draw, variables));
    if draw.below(3) == 0 { Formula::Not(Box::new(atom)) } else { atom }
}

/// A change of an atom that was not changed yet, for the parameters or for all other objects.
fn change(draw: &mut Draw, count: u32, size: u32, atoms: &mut Vec<Atom>) -> Option<Effect> {
    let is_quantified = draw.below(3) == 0;
    let variables = count + u32::from(is_quantified);
    let mut target = atom(draw, variables);
    if is_quantified && !target.arguments.is_empty() {
        // One variable of its own; two places of it would be something else.
        let place = draw.below(target.arguments.len() as u32) as usize;
        for (at, term) in target.arguments.iter_mut().enumerate() {
            match at == place {
                true => *term = Term::Variable(count),
                false if count == 0 => return None,
                false if *term == Term::Variable(count) => *term = Term::Variable(0),
                false => {}
            }
        }
    }
    if atoms.contains(&target) {
        return None;
    }
    atoms.push(target.clone());
    let has_own = target.arguments.contains(&Term::Variable(count));
    let scope = count + u32::from(has_own);
    let mut condition: Vec<Formula> = (0..draw.below(size + 1))
        .map(|_| literal(draw, scope))
        .filter(|it| !mentions(it, &target))
        .collect();
    if has_own {
        let differs = |at: u32| Formula::Equal(Term::Variable(count), Term::Variable(at));
        condition.extend((0..count).map(|at| Formula::Not(Box::new(differs(at)))));
    }
    let effect = if draw.below(2) == 0 { Effect::Add(target) } else { Effect::Delete(target) };
    let effect = Effect::When(Formula::And(condition), Box::new(effect));
    let own = Parameter { name: "own".into(), types: vec![0] };
    Some(if has_own { Effect::Forall(vec![own], Box::new(effect)) } else { effect })
}

fn mentions(literal: &Formula, target: &Atom) -> bool {
    match literal {
        Formula::Not(part) => mentions(part, target),
        Formula::Atom(atom) => atom == target,
        _ => false,
    }
}

fn is_distinct(step: &Step) -> bool {
    step.arguments.iter().enumerate().all(|(at, it)| !step.arguments[..at].contains(it))
}

/// A state of which some facts are not seen.
fn partial(draw: &mut Draw, model: &Model, state: &LiftedState) -> Observed {
    let mut observed = Observed::from(state.clone());
    if draw.below(4) == 0 {
        let unseen = draw.below(4);
        observed.unseen.insert(unseen);
        observed.facts.retain(|fact| fact.predicate != unseen);
    }
    for _ in 0..draw.below(4) {
        let predicate = draw.below(4);
        let objects = model.object_count() as u32;
        let arguments = (0..arity(predicate)).map(|_| draw.below(objects)).collect();
        let fact = Fact { predicate, arguments };
        observed.facts.remove(&fact);
        observed.unknown.insert(fact);
    }
    observed
}

/// Learns from a random walk. Steps that cannot be taken are negative examples.
fn walk(model: &Model, draw: &mut Draw, steps: u32, size: usize, hides: bool) -> Learned {
    let options = LearnOptions { conditions: size, ..LearnOptions::default() };
    let mut learner = Learner::new(model, options).unwrap();
    let all = all_steps(model);
    let mut state = model.initial_state();
    let seen = |draw: &mut Draw, state: &LiftedState| match hides {
        true => partial(draw, model, state),
        false => state.clone().into(),
    };
    for _ in 0..steps {
        let Some(step) = all.get(draw.below(all.len() as u32) as usize) else { break };
        let before = seen(draw, &state);
        match model.apply(step, &state) {
            Ok(after) => {
                let after_seen = seen(draw, &after);
                learner.step(&before, step, &after_seen).unwrap();
                state = after;
            }
            Err(_) => learner.impossible(&before, step).unwrap(),
        }
        if draw.below(20) == 0 {
            state = model.initial_state();
        }
    }
    learner.learned()
}

/// The learned domain with the objects of the model.
fn with_problem(domain: Domain, model: &Model) -> Model {
    let mut problem = model.problem().clone();
    problem.values.clear();
    problem.minimizes_cost = false;
    Model::new(domain, problem)
}

/// Every step that the safe model allows in a state of the true one is possible there, and leads
/// to the same state; and no literal is said to be needed that is not.
fn check_sound(model: &Model, learned: &Learned) -> Result<(), TestCaseError> {
    let safe = with_problem(learned.safe(), model);
    let (states, _) = all_states(model, 80);
    for step in all_steps(&safe) {
        let name = &safe.domain().actions[step.action as usize].name;
        let actions = &model.domain().actions;
        let action = actions.iter().position(|it| it.name == *name).unwrap() as u32;
        let truth = Step { action, arguments: step.arguments.clone() };
        for state in &states {
            if let Ok(after) = safe.apply(&step, state) {
                let text = safe.step_text(&step);
                let expected = model.apply(&truth, state);
                prop_assert_eq!(expected.ok(), Some(after), "{} in {}", text, learned.safe_file());
            }
        }
    }
    for (action, truth) in learned.actions.iter().zip(&model.domain().actions) {
        let Formula::And(literals) = &truth.precondition else { panic!("a conjunction") };
        let normal = |it: &Formula| match it {
            Formula::Not(part) => match &**part {
                Formula::Not(inner) => (**inner).clone(),
                _ => it.clone(),
            },
            _ => it.clone(),
        };
        let literals: Vec<Formula> = literals.iter().map(normal).collect();
        let sure = action.needed.iter().filter(|it| !is_quantified(&it.formula));
        for needed in sure {
            let text = learned.report();
            prop_assert!(literals.contains(&needed.formula), "{:?} in {}", needed.formula, text);
        }
        prop_assert_eq!(action.unexplained, 0);
        prop_assert!(action.effects.iter().all(|effect| effect.unexplained == 0));
    }
    Ok(())
}

/// That some object has a property may be needed though the model names the object.
fn is_quantified(formula: &Formula) -> bool {
    match formula {
        Formula::Not(part) => is_quantified(part),
        Formula::Exists(..) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_plan_of_the_safe_model_works(seed in any::<u64>(), size in 0u32..3) {
        let (model, mut draw) = drawn(seed, size);
        let steps = 10 + draw.below(150);
        let learned = walk(&model, &mut draw, steps, size as usize, false);
        check_sound(&model, &learned)?;
    }

    #[test]
    fn what_is_not_seen_makes_nothing_unsafe(seed in any::<u64>(), size in 0u32..3) {
        let (model, mut draw) = drawn(seed, size);
        let learned = walk(&model, &mut draw, 120, size as usize, true);
        check_sound(&model, &learned)?;
    }

    #[test]
    fn what_was_seen_is_allowed_and_predicted(seed in any::<u64>()) {
        let (model, _) = drawn(seed, 1);
        let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
        let (states, _) = all_states(&model, 25);
        let steps: Vec<Step> = all_steps(&model).into_iter().filter(is_distinct).collect();
        let examples = || states.iter().flat_map(|state| steps.iter().map(move |it| (state, it)));
        for (state, step) in examples() {
            let before = Observed::from(state.clone());
            match model.apply(step, state) {
                Ok(after) => learner.step(&before, step, &after.into()).unwrap(),
                Err(_) => learner.impossible(&before, step).unwrap(),
            }
        }
        let learned = learner.learned();
        let safe = with_problem(learned.safe(), &model);
        let printed = Model::parse(&learned.safe_file(), &safe.problem().print(safe.domain()));
        let printed = printed.unwrap();
        prop_assert_eq!(printed.domain(), safe.domain());
        prop_assert!(Domain::parse(&learned.proposed_file()).is_ok());
        for (state, step) in examples() {
            if let Ok(after) = model.apply(step, state) {
                let text = model.step_text(step);
                let same = safe.step(&text).unwrap();
                prop_assert_eq!(safe.apply(&same, state), Ok(after), "{}", learned.safe_file());
            }
        }
    }

    #[test]
    fn the_order_of_the_steps_does_not_matter(seed in any::<u64>()) {
        let (model, mut draw) = drawn(seed, 1);
        let (states, _) = all_states(&model, 12);
        let steps = all_steps(&model);
        let mut examples: Vec<(usize, usize)> = Vec::new();
        for state in 0..states.len() {
            examples.extend((0..steps.len()).map(|step| (state, step)));
        }
        let learn = |examples: &[(usize, usize)]| {
            let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
            for (state, step) in examples {
                let (state, step) = (&states[*state], &steps[*step]);
                match model.apply(step, state) {
                    Ok(after) => learner.step(&state.clone().into(), step, &after.into()).unwrap(),
                    Err(_) => learner.impossible(&state.clone().into(), step).unwrap(),
                }
            }
            let learned = learner.learned();
            (learned.safe(), learned.proposed())
        };
        let one = learn(&examples);
        for at in (1..examples.len()).rev() {
            examples.swap(at, draw.below(at as u32 + 1) as usize);
        }
        prop_assert_eq!(one, learn(&examples));
    }
}

/// A small editor: files, windows of which one is open at a time, a clipboard.
const EDITOR: &str = "(define (domain editor) (:requirements :adl)
  (:types file window text)
  (:predicates (current ?f - file) (listed ?f - file) (open ?w - window) (main ?w - window)
    (selected ?t - text) (in ?f - file ?t - text) (clipboard ?t - text) (changed) (wraps))
  (:action open-window :parameters (?w - window)
    :precondition (and (not (exists (?v - window) (open ?v))) (not (main ?w)))
    :effect (open ?w))
  (:action close-window :parameters (?w - window)
    :precondition (open ?w) :effect (not (open ?w)))
  (:action load :parameters (?f - file ?w - window)
    :precondition (and (open ?w) (listed ?f) (not (changed)))
    :effect (and (forall (?g - file) (not (current ?g))) (current ?f) (not (open ?w))
      (forall (?t - text) (not (selected ?t)))))
  (:action select :parameters (?f - file ?t - text)
    :precondition (and (current ?f) (in ?f ?t) (not (selected ?t))) :effect (selected ?t))
  (:action cut :parameters (?f - file ?t - text)
    :precondition (and (current ?f) (selected ?t))
    :effect (and (changed) (not (selected ?t)) (not (in ?f ?t))
      (forall (?u - text) (not (clipboard ?u))) (clipboard ?t)))
  (:action paste :parameters (?f - file ?t - text)
    :precondition (and (current ?f) (clipboard ?t))
    :effect (and (changed) (in ?f ?t)))
  (:action save :parameters (?f - file)
    :precondition (and (current ?f) (changed)) :effect (not (changed)))
  (:action wrap :parameters ()
    :precondition (and) :effect (and (when (wraps) (not (wraps))) (when (not (wraps)) (wraps)))))";
const FILES: &str = "(define (problem files) (:domain editor)
  (:objects a b c - file main find options - window hello world - text)
  (:init (main main) (current a) (listed a) (listed b) (in a hello) (in b hello) (in b world))
  (:goal (and)))";

/// After how many steps of a walk the precondition of every action is known: whether it can be
/// performed, in all states that were reached in a long walk.
fn steps_until_known(seed: u64, negatives: bool) -> usize {
    let model = Model::parse(EDITOR, FILES).unwrap();
    let mut draw = Draw::new(seed, true);
    let steps = all_steps(&model);
    let options = LearnOptions { quantified: true, ..LearnOptions::default() };
    let mut learner = Learner::new(&model, options).unwrap();
    let (tests, _) = all_states(&model, 120);
    let mut state = model.initial_state();
    for count in 1..=4_000 {
        let (can, cannot): (Vec<Step>, Vec<Step>) =
            steps.iter().cloned().partition(|step| model.apply(step, &state).is_ok());
        let seen = Observed::from(state.clone());
        if negatives {
            learner.each_impossible(&seen, &cannot).unwrap();
        }
        let step = &can[draw.below(can.len() as u32) as usize];
        let after = model.apply(step, &state).unwrap();
        learner.step(&seen, step, &after.clone().into()).unwrap();
        state = after;
        if count % 25 == 0 {
            let learned = learner.learned();
            // What may be needed is SAM's precondition. The lower bound is ours.
            let domain = if negatives { learned.proposed() } else { upper(&learned) };
            let domain = with_problem(domain, &model);
            let agrees = |step: &Step| {
                tests
                    .iter()
                    .all(|test| model.apply(step, test).is_ok() == domain.apply(step, test).is_ok())
            };
            if domain.domain().actions.len() == model.domain().actions.len()
                && steps.iter().all(agrees)
            {
                return count;
            }
        }
    }
    4_000
}

/// The model with all that may be needed, and without what effects add to that.
fn upper(learned: &Learned) -> Domain {
    let mut domain = learned.proposed();
    for (action, known) in domain.actions.iter_mut().zip(&learned.actions) {
        let all = known.needed.iter().chain(&known.possibly_needed);
        action.precondition = match known.steps {
            0 => Formula::Or(vec![]),
            _ => Formula::And(all.map(|it| it.formula.clone()).collect()),
        };
    }
    domain
}

#[test]
fn impossible_steps_save_two_thirds_of_the_steps() {
    let [mut with, mut without] = [0, 0];
    for seed in 0..3 {
        with += steps_until_known(seed, true);
        without += steps_until_known(seed, false);
    }
    assert!(with * 3 <= without, "{with} steps with negative examples, {without} without");
}

#[test]
fn an_editor_is_learned() {
    let model = Model::parse(EDITOR, FILES).unwrap();
    let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
    let steps = all_steps(&model);
    let (states, _) = all_states(&model, 400);
    for state in &states {
        let seen = Observed::from(state.clone());
        for step in &steps {
            match model.apply(step, state) {
                Ok(after) => learner.step(&seen, step, &after.into()).unwrap(),
                Err(_) => learner.impossible(&seen, step).unwrap(),
            }
        }
    }
    let learned = learner.learned();
    let scores = compare(&learned.proposed(), model.domain());
    let report = learned.report();
    assert_eq!(scores.preconditions.precision(), 1.0, "{report}");
    assert_eq!(scores.preconditions.recall(), 1.0, "{report}");
    assert_eq!(scores.effects.precision(), 1.0, "{report}");
    assert_eq!(scores.effects.recall(), 1.0, "{report}");
    let load = learned.proposed_file();
    assert!(load.contains("(forall (?f2 - file) (not (current ?f2)))"), "{load}");
    assert!(report.contains("; the only reason in"), "{report}");
    // What a safe model says is not known before somebody has tried it.
    assert!(learned.actions.iter().all(|action| action.safe.is_some()));
}

#[test]
fn what_is_too_large_is_an_error() {
    let model = Model::parse(EDITOR, FILES).unwrap();
    let few = LearnOptions { most_features: 3, ..LearnOptions::default() };
    assert!(matches!(Learner::new(&model, few), Err(LearnError::Features { .. })));
    let few = LearnOptions { most_facts: 3, ..LearnOptions::default() };
    assert!(matches!(Learner::new(&model, few), Err(LearnError::Facts { .. })));
    let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
    let wrong = Step { action: 99, arguments: vec![] };
    assert!(learner.impossible(&Observed::default(), &wrong).is_err());
}

#[test]
fn what_comes_out_otherwise_is_a_surprise() {
    let model = Model::parse(EDITOR, FILES).unwrap();
    let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
    let wrap = model.step("(wrap)").unwrap();
    let start = Observed::from(model.initial_state());
    let after = Observed::from(model.apply(&wrap, &start.facts).unwrap());
    assert_eq!(learner.surprises(&start, &wrap, &after), Ok(None), "nothing is known yet");
    learner.step(&start, &wrap, &after).unwrap();
    assert_eq!(learner.surprises(&start, &wrap, &after), Ok(Some(vec![])));
    let predicates = &model.domain().predicates;
    let predicate = predicates.iter().position(|it| it.name == "wraps").unwrap() as u32;
    let wraps = Fact { predicate, arguments: vec![] };
    assert_eq!(learner.surprises(&start, &wrap, &start), Ok(Some(vec![(wraps, true)])));
    assert_eq!(learner.surprises(&after, &wrap, &start), Ok(None), "it was never seen to wrap");
}

#[test]
fn exploration_is_sent_to_what_is_open() {
    let model = Model::parse(EDITOR, FILES).unwrap();
    let mut learner = Learner::new(&model, LearnOptions::default()).unwrap();
    let start = Observed::from(model.initial_state());
    let wrap = model.step("(wrap)").unwrap();
    let first = learner.open_questions(&start, &wrap).unwrap();
    let after = model.apply(&wrap, &start.facts).unwrap();
    learner.step(&start, &wrap, &after.clone().into()).unwrap();
    let again = learner.open_questions(&start, &wrap).unwrap();
    let other = learner.open_questions(&after.into(), &wrap).unwrap();
    assert!(first > other && other > again && again == 0, "{first} {other} {again}");
}
