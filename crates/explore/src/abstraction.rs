//! When two screens count as the same one, and two inputs as the same input.
//!
//! A fixed abstraction is wrong somewhere: the paper's bounding boxes take a clock that grows a
//! digit for a new screen, and names alone take two pages of one wizard for one. The adaptive one
//! begins coarse and corrects itself. Where inputs of one group never cease to be new (a clock, an
//! endless list), the group is folded into its first few. Where one input of one screen leads to
//! different screens, and what is ticked, filled in or written there says beforehand to which, that
//! screen is refined by it; where refining would multiply it without end, it is coarsened again,
//! for good.

use crate::abstraction_kind::{AbstractionKind, Detail};
use crate::offer::{Inputs, Offer, details, masked, texts, title};
use capuchin::Verdict;
use capuchin::ui::{Digest, Screen, Str};
use std::collections::{BTreeMap, BTreeSet};

/// How many inputs of a folded group are offered.
const FOLDED_TO: usize = 2;
/// A group is folded when it has had so many more members than any one screen shows twice.
const MEMBERS_TOO_MANY: usize = 12;
/// A screen is coarsened again when refining has made so many of it.
const PARTS_TOO_MANY: usize = 12;

/// What titles of ends begin with.
const THE_END: &str = "the end";

/// What was seen, in as much detail as any abstraction asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScreenSummary {
    /// The inputs that were offered, and their groups.
    pub offers: Vec<(Str, Str)>,
    /// Where the app says it is, and its headings.
    pub title: Str,
    /// What is ticked, chosen and filled in.
    pub state: Str,
    /// A digest of what can be read.
    pub text: u64,
    /// The values of the outputs of the abstraction ([`AbstractionKind::outputs`]), in their order.
    /// Whoever makes a summary evaluates them.
    pub outputs: Vec<Str>,
}

impl ScreenSummary {
    /// What a screen shows, and how each of its offers is done.
    pub fn of(
        screen: &Screen,
        inputs: &Inputs,
        kind: &AbstractionKind,
    ) -> (ScreenSummary, Vec<Offer>) {
        let offers = inputs.on(screen, kind);
        let named = offers.iter().map(|offer| (offer.name.clone(), offer.group.clone())).collect();
        let mut summary = ScreenSummary { offers: named, ..ScreenSummary::default() };
        if kind.detail >= Detail::State {
            (summary.title, summary.state) = (title(screen), details(screen));
        }
        if kind.detail >= Detail::Text {
            summary.text = Digest::of(texts(screen));
        }
        (summary, offers)
    }

    /// The app is over: it crashed or broke a property; or it was lost, if nobody says what it came
    /// to.
    pub fn of_the_end(verdict: Option<&Verdict>) -> ScreenSummary {
        let title = match verdict {
            Some(verdict) => {
                let detail = verdict.detail();
                let detail = detail.lines().next().filter(|line| !line.is_empty());
                let detail = detail.map(|line| format!(", {line}")).unwrap_or_default();
                format!("{THE_END}: {verdict}{detail}").into()
            }
            None => THE_END.into(),
        };
        ScreenSummary { title, ..ScreenSummary::default() }
    }

    /// Whether the app was over. A page that is merely empty is another thing.
    pub fn is_the_end(&self) -> bool {
        self.offers.is_empty() && self.title.starts_with(THE_END)
    }
}

/// An input of a summary, as the abstraction has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AbstractInput {
    /// What it is called here.
    pub(crate) key: Str,
    /// What it is called on the screen.
    pub(crate) name: Str,
    pub(crate) group: Str,
}

/// A summary as the abstraction has it.
#[derive(Clone, Debug)]
pub(crate) struct AbstractScreen {
    /// Two summaries with the same label are the same screen.
    pub(crate) label: Str,
    pub(crate) inputs: Vec<AbstractInput>,
}

/// To which screens an input led, and what was ticked and written there before.
type Outcomes = BTreeMap<Str, BTreeSet<(Str, u64)>>;

/// How summaries become labels, as far as that is known by now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Abstraction {
    kind: AbstractionKind,
    /// What was ever seen of a group on the pages of one title, and how much of it at once.
    members: BTreeMap<(Str, Str), BTreeSet<Str>>,
    most_at_once: BTreeMap<(Str, Str), usize>,
    folded: BTreeSet<Str>,
    /// How finely screens are looked at that were refined.
    levels: BTreeMap<Str, Detail>,
    coarsened: BTreeSet<Str>,
    parts: BTreeMap<Str, BTreeSet<Str>>,
    /// Where each input of each screen led to, and from which summaries.
    outcomes: BTreeMap<(Str, Str), Outcomes>,
}

impl Abstraction {
    pub(crate) fn new(kind: AbstractionKind) -> Self {
        Abstraction { kind, ..Abstraction::default() }
    }

    pub(crate) fn kind(&self) -> &AbstractionKind {
        &self.kind
    }

    /// Takes note of what can be done on a summary. `true`: the abstraction has changed.
    pub(crate) fn meet(&mut self, summary: &ScreenSummary) -> bool {
        if self.kind.detail != Detail::Adaptive {
            return false;
        }
        let mut here: BTreeMap<&Str, usize> = BTreeMap::new();
        for (name, group) in &summary.offers {
            *here.entry(group).or_default() += 1;
            if !self.folded.contains(group) {
                let group = (summary.title.clone(), group.clone());
                self.members.entry(group).or_default().insert(name.clone());
            }
        }
        let mut changed = false;
        for (group, count) in here {
            let here = (summary.title.clone(), group.clone());
            let most = self.most_at_once.entry(here.clone()).or_default();
            *most = (*most).max(count);
            let members = self.members.get(&here).map_or(0, BTreeSet::len);
            if members > 2 * *most + MEMBERS_TOO_MANY {
                self.folded.insert(group.clone());
                self.members.retain(|(_, other), _| other != group);
                self.outcomes.clear();
                changed = true;
            }
        }
        let base = self.base(summary);
        if self.levels.contains_key(&base) {
            let parts = self.parts.entry(base.clone()).or_default();
            parts.insert(format!("{}{}{}", summary.title, summary.state, summary.text).into());
            if parts.len() > PARTS_TOO_MANY {
                self.levels.remove(&base);
                self.coarsened.insert(base);
                self.outcomes.clear();
                changed = true;
            }
        }
        changed
    }

    /// Takes note of where an input led to. `true`: the abstraction has changed.
    pub(crate) fn lead(&mut self, from: &ScreenSummary, input: &Str, to: &Str) -> bool {
        if self.kind.detail != Detail::Adaptive {
            return false;
        }
        let base = self.base(from);
        let level = self.level(&base);
        if level == Detail::Text || self.coarsened.contains(&base) {
            return false;
        }
        let outcomes =
            self.outcomes.entry((self.abstract_screen(from).label, input.clone())).or_default();
        outcomes
            .entry(to.clone())
            .or_default()
            .insert((format!("{}\n{}", from.title, from.state).into(), from.text));
        if outcomes.len() < 2 {
            return false;
        }
        let told_by = |key: fn(&(Str, u64)) -> (Str, u64)| {
            let mut owners: BTreeMap<(Str, u64), &Str> = BTreeMap::new();
            outcomes.iter().all(|(target, sources)| {
                sources.iter().all(|source| *owners.entry(key(source)).or_insert(target) == target)
            })
        };
        let next = if level < Detail::State && told_by(|(state, _)| (state.clone(), 0)) {
            Detail::State
        } else if told_by(Clone::clone) {
            Detail::Text
        } else {
            return false;
        };
        self.levels.insert(base, next);
        self.outcomes.clear();
        true
    }

    /// The abstract screen of a summary.
    pub(crate) fn abstract_screen(&self, summary: &ScreenSummary) -> AbstractScreen {
        if summary.is_the_end() {
            return AbstractScreen { label: masked(&summary.title).into(), inputs: Vec::new() };
        }
        let inputs = self.inputs(summary);
        let mut label = keys(&inputs);
        if let Some(own) = &self.kind.label {
            label.push_str(&own(summary));
            return AbstractScreen { label: label.into(), inputs };
        }
        let level = self.level(&label);
        if level >= Detail::State {
            label.push_str(&summary.title);
            label.push('\n');
            label.push_str(&summary.state);
        }
        if level >= Detail::Text {
            label.push_str(&format!("\n{:x}", summary.text));
        }
        for output in &summary.outputs {
            label.push_str("\n= ");
            label.push_str(output);
        }
        AbstractScreen { label: label.into(), inputs }
    }

    fn base(&self, summary: &ScreenSummary) -> Str {
        match summary.is_the_end() {
            true => self.abstract_screen(summary).label,
            false => keys(&self.inputs(summary)).into(),
        }
    }

    /// How finely a screen with these inputs is looked at.
    fn level(&self, base: &str) -> Detail {
        match self.kind.detail {
            Detail::Adaptive => self.levels.get(base).copied().unwrap_or(Detail::Structure),
            fixed => fixed,
        }
    }

    fn inputs(&self, summary: &ScreenSummary) -> Vec<AbstractInput> {
        let mut of_group: BTreeMap<&Str, usize> = BTreeMap::new();
        let mut inputs: Vec<AbstractInput> = Vec::with_capacity(summary.offers.len());
        for (name, group) in &summary.offers {
            let key = if self.folded.contains(group) {
                let number = of_group.entry(group).or_default();
                *number += 1;
                if *number > FOLDED_TO {
                    continue;
                }
                format!("{group} ({number})").into()
            } else {
                name.clone()
            };
            inputs.push(AbstractInput { key, name: name.clone(), group: group.clone() });
        }
        // Two elements that cannot be told apart are one input.
        inputs.sort();
        inputs.dedup_by(|one, other| one.key == other.key);
        inputs
    }
}

/// All keys, each in a line.
fn keys(inputs: &[AbstractInput]) -> String {
    inputs.iter().flat_map(|input| [input.key.as_str(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(names: &[&str], state: &str) -> ScreenSummary {
        let offers = names.iter().map(|name| (Str::from(*name), Str::from(masked(name)))).collect();
        ScreenSummary { offers, state: state.into(), ..ScreenSummary::default() }
    }

    #[test]
    fn a_clock_is_folded_and_a_row_of_tabs_is_not() {
        let mut adaptive = Abstraction::new(AbstractionKind::ADAPTIVE);
        let tabs: Vec<String> = (0..30).map(|n| format!("tab {n}")).collect();
        let mut changes = 0;
        for second in 0..60 {
            let clock = format!("clock 12:{second}");
            let names = tabs.iter().chain([&clock]).map(String::as_str).collect::<Vec<_>>();
            changes += u32::from(adaptive.meet(&summary(&names, "")));
        }
        assert_eq!(changes, 1);
        let abstract_screen = adaptive.abstract_screen(&summary(&["clock 9:15", "tab 1"], ""));
        let names: Vec<&str> =
            abstract_screen.inputs.iter().map(|known| known.key.as_str()).collect();
        assert_eq!(names, ["clock #:# (1)", "tab 1"]);
    }

    #[test]
    fn a_screen_is_refined_by_what_says_where_an_input_leads() {
        let mut adaptive = Abstraction::new(AbstractionKind::ADAPTIVE);
        let empty = summary(&["next"], "empty");
        let filled = summary(&["next"], "filled");
        let label = |adaptive: &Abstraction, summary: &ScreenSummary| {
            adaptive.abstract_screen(summary).label
        };
        assert_eq!(label(&adaptive, &empty), label(&adaptive, &filled));
        assert!(!adaptive.lead(&empty, &"next".into(), &"error".into()));
        assert!(adaptive.lead(&filled, &"next".into(), &"done".into()));
        assert_ne!(label(&adaptive, &empty), label(&adaptive, &filled));
        // Where the detail never repeats, it says nothing.
        for number in 0..30 {
            adaptive.meet(&summary(&["next"], &format!("{number} times")));
        }
        assert_eq!(label(&adaptive, &empty), label(&adaptive, &filled));
        assert!(!adaptive.lead(&filled, &"next".into(), &"elsewhere".into()));
    }
    #[test]
    fn outputs_and_a_function_of_the_user_tell_screens_apart() {
        let with = |value: &str| ScreenSummary {
            outputs: vec![value.into()],
            ..summary(&["next"], value)
        };
        let label = |kind: &AbstractionKind, value: &str| {
            Abstraction::new(kind.clone()).abstract_screen(&with(value)).label
        };
        let by_count = AbstractionKind::by_outputs(["count(item)"]);
        assert_eq!(by_count.outputs(), ["count(item)"]);
        assert_ne!(label(&by_count, "1"), label(&by_count, "2"));
        assert_eq!(label(&by_count, "1"), label(&by_count, "1"));
        let by_length = AbstractionKind::new("length", "By the length of the state", |summary| {
            summary.state.len().to_string().into()
        });
        assert_ne!(label(&by_length, "1"), label(&by_length, "10"));
        assert_eq!(label(&by_length, "1"), label(&by_length, "2"));
    }
}
