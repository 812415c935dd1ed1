//! Arbitrary values of the language, in the form in which its constructors leave them.

use crate::scoped::{self, NUMBER, TEXT};
use capuchin_spec::{Invariant, NamedGen, RunProperty, Spec};
use capuchin_trace::{
    ArgumentGen, Arithmetic, Auto, Comparison, ElementTest, EventGen, Expr, Formula, Gen,
    Injection, Limit, Numbers, Pattern, Places, Prop, Strings, Targets, Texts, Towards,
};
use capuchin_ui::{Direction, Event, Role, Script, Selector, State, Str, TextMatch};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// User predicates. None of them is near a built-in name, or a single generator would refuse it.
pub(crate) const PREDICATES: [&str; 2] = ["mediaPlayerIsPlaying", "p"];

/// Values that the device computes: one by itself, and one of an argument.
const VALUES: [&str; 2] = ["sessionAge", "ageOf"];

fn text() -> impl Strategy<Value = Str> {
    prop_oneof![
        "[ -~]{0,6}".prop_map(Str::from),
        vec(any::<char>(), 0..4).prop_map(|chars| chars.into_iter().collect::<String>().into()),
    ]
}

fn id() -> impl Strategy<Value = Str> {
    prop_oneof![3 => "[a-z0-9_-]{1,5}".prop_map(Str::from), 1 => text()]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-1_000_000..1_000_000i32).prop_map(f64::from),
        (-8000..8000i32).prop_map(|n| f64::from(n) / 16.0),
        (any::<f64>()).prop_filter("finite", |n| n.is_finite()),
    ]
}

fn state() -> impl Strategy<Value = (State, State)> {
    vec(select(Selector::STATE_WORDS.to_vec()), 0..3).prop_map(|words| {
        let mut states = (State::empty(), State::empty());
        for (_, state, holds) in words {
            *(if holds { &mut states.0 } else { &mut states.1 }) |= state;
        }
        states
    })
}

fn selector_without_outer(nth: bool) -> impl Strategy<Value = Selector> {
    let matched = prop_oneof![text().prop_map(TextMatch::Is), text().prop_map(TextMatch::Contains)];
    let number = if nth { option::of(1..9u32).boxed() } else { Just(None).boxed() };
    let role = option::of(select(Role::ALL.to_vec()));
    let class = option::weighted(0.2, id());
    (role, option::of(id()), class, option::of(matched), state(), number).prop_map(
        |(role, id, class, text, (is, is_not), nth)| Selector {
            role,
            id,
            class,
            text,
            is,
            is_not,
            nth,
            ..Selector::default()
        },
    )
}

/// A description, or several of which one must fit.
fn selector_with_choice(nth: bool) -> BoxedStrategy<Selector> {
    let one = || selector_without_outer(nth);
    let number = if nth { option::of(1..9u32).boxed() } else { Just(None).boxed() };
    prop_oneof![
        4 => one(),
        1 => (one(), one(), number).prop_map(|(a, b, nth)| Selector { nth, ..a.or(b) }),
        1 => (one(), one(), one()).prop_map(|(a, b, c)| {
            Selector { any_of: a.or(b).any_of, role: Some(Role::Button), ..c }
        }),
    ]
    .boxed()
}

fn selector_of(nth: bool) -> impl Strategy<Value = Selector> {
    let outer = vec(selector_with_choice(true), 0..3);
    (selector_with_choice(nth), outer).prop_map(|(mut selector, outers)| {
        let mut within = None;
        for outer in outers {
            within = Some(Box::new(Selector { within, ..outer }));
        }
        selector.within = within;
        selector
    })
}

pub(crate) fn selector() -> impl Strategy<Value = Selector> {
    selector_of(true)
}

const REGEXES: [&str; 5] = ["[a-z]{1,8}", "a|b", "\\d+", "", "\"\\\\\"é"];

fn pattern() -> impl Strategy<Value = Pattern> {
    select(REGEXES.to_vec()).prop_map(|source| Pattern::new(source).unwrap())
}

fn strings() -> impl Strategy<Value = Strings> {
    select(REGEXES.to_vec()).prop_map(|source| Strings::new(source).unwrap())
}

fn arms<T: std::fmt::Debug + Clone + 'static>(
    arm: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Vec<(u32, T)>> {
    vec((0..4u32, arm), 1..4).boxed()
}

pub(crate) fn texts() -> BoxedStrategy<Texts> {
    let leaf = prop_oneof![text().prop_map(Texts::Just), strings().prop_map(Texts::Matching)];
    leaf.prop_recursive(2, 8, 3, |inner| arms(inner).prop_map(Texts::OneOf)).boxed()
}

pub(crate) fn numbers() -> BoxedStrategy<Numbers> {
    numbers_of(number().boxed())
}

/// Milliseconds: what is larger is refused.
fn times() -> BoxedStrategy<Numbers> {
    numbers_of(number().prop_map(|n| n.min(1e11)).boxed())
}

fn numbers_of(number: BoxedStrategy<f64>) -> BoxedStrategy<Numbers> {
    let between =
        (number.clone(), number.clone()).prop_map(|(a, b)| Numbers::Between(a.min(b), a.max(b)));
    let leaf = prop_oneof![number.prop_map(Numbers::Just), between];
    leaf.prop_recursive(2, 8, 3, |inner| arms(inner).prop_map(Numbers::OneOf)).boxed()
}

fn places() -> impl Strategy<Value = Places> {
    prop_oneof![
        Just(Places::Anywhere),
        (numbers(), numbers()).prop_map(|(x, y)| Places::Point(x, y))
    ]
}

fn targets() -> BoxedStrategy<Targets> {
    let leaf = prop_oneof![
        4 => selector().prop_map(Targets::One),
        // `*` with a number would be a contradiction.
        2 => selector_of(false).prop_map(Targets::Any),
        1 => strings().prop_map(|strings| Targets::Saying(Texts::Matching(strings))),
        1 => places().prop_map(Targets::Place),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| arms(inner).prop_map(Targets::OneOf)).boxed()
}

fn argument() -> impl Strategy<Value = ArgumentGen> {
    prop_oneof![numbers().prop_map(ArgumentGen::Number), texts().prop_map(ArgumentGen::Text)]
}

fn environment() -> impl Strategy<Value = EventGen> {
    let named = |name: &'static str, count| {
        vec(argument(), count).prop_map(move |args| EventGen::Environment(name.into(), args))
    };
    prop_oneof![named("locUpdate", 2..3), named("network", 1..2), named("battery", 0..3)]
}

fn event() -> impl Strategy<Value = EventGen> {
    let towards = prop_oneof![
        select(Direction::ALL.to_vec()).prop_map(Towards::Direction),
        places().prop_map(Towards::Place),
        selector().prop_map(Towards::Element),
    ];
    let bare = select(vec![
        Event::Skip,
        Event::ClickBack,
        Event::ClickHome,
        Event::ClickMenu,
        Event::Settings,
        Event::Rotate,
    ]);
    prop_oneof![
        targets().prop_map(EventGen::Click),
        targets().prop_map(EventGen::LongClick),
        targets().prop_map(EventGen::DoubleClick),
        targets().prop_map(EventGen::Hover),
        targets().prop_map(EventGen::Clear),
        (targets(), texts()).prop_map(|(target, text)| EventGen::Type(target, text)),
        (targets(), towards).prop_map(|(target, to)| EventGen::Swipe(target, to)),
        (places(), places()).prop_map(|(from, to)| EventGen::Pinch(from, to)),
        times().prop_map(EventGen::Sleep),
        environment(),
        bare.prop_map(EventGen::Just),
        text().prop_map(|key| EventGen::Just(Event::Press(key))),
    ]
}

fn text_expr() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        text().prop_map(Expr::Text),
        Just(Expr::Missing),
        Just(Expr::Remembered(TEXT.into())),
        Just(Expr::Ask(VALUES[0].into(), Vec::new())),
        selector().prop_map(|of| Expr::Ask(VALUES[1].into(), vec![Expr::TextOf(of)])),
        selector().prop_map(Expr::TextOf),
        selector().prop_map(Expr::TextsOf),
        selector().prop_map(Expr::ValueOf),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner)
            .prop_map(|(a, b)| Expr::Arithmetic(Box::new(a), Arithmetic::Add, Box::new(b)))
    })
    .boxed()
}

fn number_expr() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        number().prop_map(Expr::Number),
        Just(Expr::Missing),
        Just(Expr::Remembered(NUMBER.into())),
        selector().prop_map(Expr::NumberOf),
        selector().prop_map(Expr::Count),
        text_expr().prop_map(|text| Expr::Length(Box::new(text))),
    ];
    let operators = vec![
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Remainder,
    ];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        (inner.clone(), select(operators.clone()), inner)
            .prop_map(|(a, how, b)| Expr::Arithmetic(Box::new(a), how, Box::new(b)))
    })
    .boxed()
}

pub(crate) fn expr() -> BoxedStrategy<Expr> {
    prop_oneof![text_expr(), number_expr()].boxed()
}

fn two_alike() -> BoxedStrategy<(Expr, Expr)> {
    prop_oneof![(text_expr(), text_expr()), (number_expr(), number_expr())].boxed()
}

/// Properties in which nothing is remembered.
pub(crate) fn prop() -> BoxedStrategy<Prop> {
    any_prop().prop_map(|prop| scoped::prop(&prop, &[])).boxed()
}

fn any_prop() -> BoxedStrategy<Prop> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Prop::Constant),
        (select(ElementTest::ALL.to_vec()), selector())
            .prop_map(|(test, selector)| Prop::Element(test, selector)),
        (selector(), text()).prop_map(|(selector, text)| Prop::HasText(selector, text)),
        (two_alike(), select(Comparison::ALL.to_vec()))
            .prop_map(|((a, b), how)| Prop::Compare(a, how, b)),
        (text_expr(), pattern()).prop_map(|(value, pattern)| Prop::Matches(value, pattern)),
        (text_expr(), text_expr()).prop_map(|(value, part)| Prop::Contains(value, part)),
        (select(PREDICATES.to_vec()), vec(expr(), 0..3))
            .prop_map(|(name, args)| Prop::User(name.into(), args)),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|inner| !inner),
            pair.clone().prop_map(|(a, b)| a.and(b)),
            pair.clone().prop_map(|(a, b)| a.or(b)),
            pair.prop_map(|(a, b)| a.implies(b)),
        ]
    })
    .boxed()
}

fn limit() -> impl Strategy<Value = Option<Limit>> {
    prop_oneof![
        Just(None),
        (0..9u32).prop_map(|steps| Some(Limit::Steps(steps))),
        (0..9000u64).prop_map(|millis| Some(Limit::Millis(millis))),
    ]
}

/// Properties of whole runs.
pub(crate) fn formula() -> BoxedStrategy<Formula<Prop>> {
    fn flat(parts: [Formula<Prop>; 2], is_and: bool) -> Vec<Formula<Prop>> {
        let inner = |part| match (part, is_and) {
            (Formula::And(parts), true) | (Formula::Or(parts), false) => parts,
            (other, _) => vec![other],
        };
        parts.into_iter().flat_map(inner).collect()
    }
    prop()
        .prop_map(Formula::from)
        .prop_recursive(4, 16, 2, |inner| {
            let one = || inner.clone().prop_map(Box::new);
            let two = || (one(), one());
            prop_oneof![
                one().prop_map(Formula::Not),
                one().prop_map(Formula::Next),
                one().prop_map(Formula::Always),
                (one(), limit()).prop_map(|(goal, limit)| Formula::Eventually(goal, limit)),
                (two(), limit()).prop_map(|((a, b), limit)| Formula::Until(a, b, limit)),
                (two(), limit()).prop_map(|((a, b), limit)| Formula::LeadsTo(a, b, limit)),
                two().prop_map(|(a, b)| Formula::Implies(a, b)),
                two().prop_map(|(a, b)| Formula::And(flat([*a, *b], true))),
                two().prop_map(|(a, b)| Formula::Or(flat([*a, *b], false))),
            ]
        })
        .boxed()
}

/// Generators of the app's surroundings: what stands on the right of `||`.
fn surroundings() -> BoxedStrategy<Gen> {
    let leaf = prop_oneof![environment().prop_map(Gen::from), Just(Gen::Unit)];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..3).prop_map(Gen::seq),
            vec(inner.clone(), 2..3).prop_map(Gen::choice),
            (0..4u32, inner).prop_map(|(n, inner)| inner.repeat(0..=n)),
        ]
    })
    .boxed()
}

/// Generators in which every name is remembered before it is used.
pub(crate) fn generator() -> BoxedStrategy<Gen> {
    any_generator().prop_map(|generator| scoped::generator(generator, &[])).boxed()
}

fn policy() -> impl Strategy<Value = Str> {
    select(["swifthand", "mine", "monkey", "relevant"].map(Str::from).to_vec())
}

fn auto(policy: Str, moves: u32, script: Option<(Injection, Gen)>) -> Gen {
    // What a policy is told is a text like any other.
    let argument = (moves % 3 == 1).then(|| format!("to \"{moves}\"").into());
    Gen::Auto(Arc::new(Auto { policy, argument, moves, script }))
}

fn any_generator() -> BoxedStrategy<Gen> {
    let leaf = prop_oneof![
        6 => event().prop_map(Gen::from),
        1 => Just(Gen::Unit),
        2 => any_prop().prop_map(Gen::Assert),
        1 => text_expr().prop_map(|value| Gen::Let(TEXT.into(), value)),
        1 => number_expr().prop_map(|value| Gen::Let(NUMBER.into(), value)),
        1 => (0..5u32).prop_map(Gen::Interrupts),
        1 => (0..99u32).prop_map(Gen::Monkey),
        1 => (0..99u32).prop_map(Gen::RelevantMonkey),
        1 => Just(Gen::interrupt()),
        1 => (policy(), 0..99u32).prop_map(|(policy, moves)| auto(policy, moves, None)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let one = || inner.clone();
        prop_oneof![
            3 => vec(one(), 0..4).prop_map(Gen::seq),
            2 => vec(one(), 1..4).prop_map(Gen::choice),
            1 => vec((0..4u32, one()), 1..4).prop_map(Gen::weighted),
            1 => (0..3u32, 0..3u32, one()).prop_map(|(a, b, g)| g.repeat(a..=a + b)),
            1 => one().prop_map(Gen::attempt),
            1 => one().prop_map(Gen::optional),
            1 => (one(), any_prop()).prop_map(|(g, p)| g.when(p)),
            1 => (one(), any_prop()).prop_map(|(g, p)| g.preserves(p)),
            1 => (one(), any_prop()).prop_map(|(g, p)| g.always(p)),
            1 => (one(), expr()).prop_map(|(g, e)| g.keeps(e)),
            1 => (one(), surroundings()).prop_map(|(g, h)| g.interleave(h)),
            1 => (0..9u32, one()).prop_map(|(n, g)| Gen::Gorilla(n, Box::new(g))),
            1 => (policy(), 0..9u32, select(Injection::ALL.to_vec()), one()).prop_map(
                |(policy, moves, how, g)| auto(policy, moves, Some((how, g)))
            ),
        ]
    })
    .boxed()
}

pub(crate) fn spec() -> impl Strategy<Value = Spec> {
    let invariant =
        (option::of(text()), prop()).prop_map(|(label, prop)| Invariant { label, prop });
    let names = prop_oneof![
        Just(vec!["main".to_owned()]),
        Just(vec!["first".to_owned(), "check 2".to_owned(), "val".to_owned()]),
        Just(vec!["main".to_owned(), "\"quoted\"\n".to_owned()]),
    ];
    let checks = names.prop_flat_map(|names| {
        let count = names.len();
        vec(generator(), count).prop_map(move |generators| {
            let named = names.iter().cloned().zip(generators);
            named.map(|(name, generator)| NamedGen { name, generator }).collect::<Vec<_>>()
        })
    });
    let device = option::of(text().prop_map(|device| device.to_string()));
    let property =
        (option::of(text()), formula()).prop_map(|(label, formula)| RunProperty { label, formula });
    let always = (vec(invariant, 0..3), vec(property, 0..3));
    let settings = (device, any::<Option<u64>>(), option::of(1..1000u32), option::of(text()));
    (settings, always, vec(text(), 0..3), checks, scripts()).prop_map(
        |((device, seed, cases, expect), (always, properties), monitors, checks, scripts)| {
            let environment = environment_of(&checks);
            let predicates = PREDICATES.map(Str::from).to_vec();
            Spec {
                device,
                seed,
                cases,
                always,
                properties,
                monitors,
                expect,
                checks,
                predicates,
                scripts,
                environment,
                mapping: None,
            }
        },
    )
}

/// A predicate that nothing uses, and the values that expressions use.
fn scripts() -> impl Strategy<Value = Vec<Script>> {
    let source = || prop_oneof![text().prop_map(String::from), Just("a\n  + `b`".to_owned())];
    let parameters = vec("[a-z]{1,2}x", 0..3).prop_map(|mut names| {
        names.sort();
        names.dedup();
        names.into_iter().map(Str::from).collect()
    });
    let value = |name: &'static str, parameters: Vec<Str>| {
        source().prop_map(move |source| Script {
            name: name.into(),
            parameters: parameters.clone(),
            source,
            is_value: true,
        })
    };
    let predicate = (parameters, source()).prop_map(|(parameters, source)| Script {
        name: "holdsInScript".into(),
        parameters,
        source,
        is_value: false,
    });
    let [alone, of_one] = VALUES;
    (value(alone, vec![]), value(of_one, vec!["a".into()]), predicate)
        .prop_map(|(alone, of_one, predicate)| vec![alone, predicate, of_one])
}

fn environment_of(checks: &[NamedGen]) -> Vec<Str> {
    let mut names = Vec::new();
    for check in checks {
        check.generator.visit(&mut |generator| {
            if let Gen::Event(event) = generator
                && let EventGen::Environment(name, _) = &**event
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
    }
    names
}
