//! The generators that the paper derives (figures 12, 14 and 15), as definitions in the core
//! language.
//!
//! On its own because nothing else needs to know what they mean: a word that is defined here is
//! drawn, shrunk and executed as what it stands for.

use crate::{EventGen, Gen, Injection, Numbers, Places, Targets, Texts, Towards};
use capuchin_ui::{Event, Selector};
use std::borrow::Cow;
use std::sync::LazyLock;

impl Gen {
    /// One interrupt: Home, Menu, Settings or a turn of the device.
    pub fn interrupt() -> Gen {
        INTERRUPT.clone()
    }

    /// What a derived generator stands for; a core generator is itself.
    ///
    /// The counts of monkeys are exact. That their samples may be made smaller all the same is the
    /// sampler's knowledge.
    pub(crate) fn expand(&self) -> Cow<'_, Gen> {
        match self {
            Gen::Optional(inner) => {
                Cow::Owned(Gen::choice([(**inner).clone(), Event::Skip.into()]))
            }
            Gen::Interrupts(most) => Cow::Owned(Gen::interrupt().repeat(0..=*most)),
            Gen::Preserves(inner, prop) => Cow::Owned(Gen::seq([
                Gen::Assert(prop.clone()),
                (**inner).clone(),
                Gen::Assert(prop.clone()),
            ])),
            Gen::Monkey(n) => Cow::Owned(MONKEY_MOVE.clone().repeat(*n..=*n)),
            Gen::RelevantMonkey(n) => Cow::Owned(RELEVANT_MOVE.clone().repeat(*n..=*n)),
            Gen::Gorilla(n, directive) => {
                Cow::Owned(((**directive).clone() >> RELEVANT_MOVE.clone()).repeat(*n..=*n))
            }
            Gen::Auto(auto) if auto.is_drawn() => {
                let moves = match auto.policy.as_str() {
                    "monkey" => MONKEY_MOVE.clone(),
                    _ => RELEVANT_MOVE.clone(),
                };
                let each = match auto.script.clone() {
                    None => moves,
                    Some((Injection::With, script)) => script >> moves,
                    // A monkey is blind: where the script's guard does not hold, the move is lost.
                    Some((Injection::Offering, script)) => moves | script.group(),
                };
                Cow::Owned(each.repeat(auto.moves..=auto.moves))
            }
            core => Cow::Borrowed(core),
        }
    }
}

static INTERRUPT: LazyLock<Gen> = LazyLock::new(|| Gen::choice(Event::INTERRUPTS.map(Gen::from)));

/// Six app events, each in a try, and the four interrupts: ten arms, all equally likely.
fn moves(target: &Targets) -> Gen {
    // A short word of letters and digits: `[a-z0-9]{1,8}` always reads, and an empty set of texts
    // would only be less to type.
    let text = Texts::matching("[a-z0-9]{1,8}").unwrap_or(Texts::Just("a".into()));
    let app_events = [
        EventGen::Click(target.clone()),
        EventGen::LongClick(target.clone()),
        EventGen::Type(target.clone(), text),
        EventGen::Swipe(target.clone(), Towards::Place(Places::Anywhere)),
        EventGen::Pinch(Places::Anywhere, Places::Anywhere),
        EventGen::Sleep(Numbers::Between(0.0, 1000.0)),
    ];
    Gen::choice(
        app_events.map(|event| Gen::from(event).attempt()).into_iter().chain([Gen::interrupt()]),
    )
}

static MONKEY_MOVE: LazyLock<Gen> = LazyLock::new(|| moves(&Targets::Place(Places::Anywhere)));
static RELEVANT_MOVE: LazyLock<Gen> = LazyLock::new(|| moves(&Targets::Any(Selector::default())));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derived_generators_are_the_papers() {
        let expands =
            |generator: Gen, expected: &str| assert_eq!(generator.expand().to_string(), expected);
        expands(Gen::from(Event::Rotate).optional(), "Rotate <+> Skip");
        expands(Gen::Interrupts(2), "repeat 2 { ClickHome <+> ClickMenu <+> Settings <+> Rotate }");
        expands(
            Gen::RelevantMonkey(5),
            "times 5 { Click(*)? <+> LongClick(*)? <+> Type(*, string(\"[a-z0-9]{1,8}\"))? <+> \
             Swipe(*, anywhere)? <+> Pinch(anywhere, anywhere)? <+> Sleep(choose(0, 1000))? <+> \
             ClickHome <+> ClickMenu <+> Settings <+> Rotate }",
        );
    }
}
