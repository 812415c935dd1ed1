//! What an exploration knows: everything that was done and seen, and the tree that is made of it.
//!
//! The history is raw: which inputs every screen offered, under their names. What counts as the
//! same screen is decided on top of it and may change while the exploration runs. Then the tree is
//! made anew from the history, and whoever keeps a model of it sees the
//! [`revision`](Knowledge::revision) and makes his anew as well.

use crate::abstraction::{AbstractScreen, Abstraction, ScreenSummary};
use crate::abstraction_kind::AbstractionKind;
use crate::journal::Entry;
use capuchin::ui::{Rng, Str};
use capuchin_automata::{Alphabet, Input, Node, Output, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One step of the history: a restart, or an input, and what was seen then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// The name of the input, by its number; nothing for a restart.
    name: Option<u32>,
    summary: u32,
    fresh: u32,
}

/// How often something was done, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// How often.
    pub times: u32,
    /// How often nothing could be done after it.
    pub ended: u32,
    /// How often something came of it that was never seen before: a screen, or code that ran.
    pub news: u32,
}

/// What an exploration knows.
#[derive(Default)]
pub struct Knowledge {
    abstraction: Abstraction,
    summaries: Alphabet<ScreenSummary>,
    /// The abstract screens of the summaries: a cache, cleared when the abstraction changes.
    abstract_screens: Vec<Option<Arc<AbstractScreen>>>,
    names: Alphabet<Str>,
    history: Vec<Seen>,
    unsteady: BTreeSet<(Str, Str)>,
    revision: u32,
    derived: Derived,
}

/// What is derived from the history, again whenever the abstraction changes.
#[derive(Default)]
struct Derived {
    inputs: Alphabet<Str>,
    /// For each input, its group.
    groups: Vec<u32>,
    group_names: Alphabet<Str>,
    /// For each input, the one that is performed: another one only where the outcome is unsteady.
    performed: Vec<Input>,
    labels: Alphabet<Str>,
    /// For each label.
    enabled: Vec<Vec<Input>>,
    tree: Option<Tree>,
    at: Node,
    start: Node,
    depth: usize,
    /// The last input, and the label where it was performed.
    last: Option<(Output, Input)>,
    abstract_screen: Option<Arc<AbstractScreen>>,
    counts: Vec<Counts>,
    group_counts: Vec<Counts>,
    label_counts: BTreeMap<(Output, Input), Counts>,
    screen_counts: BTreeMap<Output, Counts>,
    edges: BTreeSet<(Output, Input, Output)>,
    pairs: BTreeSet<(Output, Input, Input)>,
    /// For each label: how often an input that was known there was performed by another way, and
    /// how often it led elsewhere then.
    repeats: BTreeMap<Output, (u32, u32)>,
    /// What was performed on which summary.
    on_summaries: BTreeSet<(u32, Input)>,
    summary: u32,
    /// For each node of the tree, what was seen there first.
    summaries: Vec<u32>,
    /// And how often it was come to.
    visits: Vec<u32>,
    /// For each input of the tree, the nodes that it leads to.
    by_input: Vec<Vec<Node>>,
}

impl Knowledge {
    /// Nothing is known.
    pub fn new(kind: AbstractionKind) -> Self {
        Knowledge { abstraction: Abstraction::new(kind), ..Knowledge::default() }
    }

    /// The abstraction that it was made with.
    pub fn kind(&self) -> &AbstractionKind {
        self.abstraction.kind()
    }

    /// Takes in what was done and seen, now or in an earlier exploration of the same app.
    pub fn take_in(&mut self, entry: &Entry) {
        let (name, summary, fresh) = match entry {
            Entry::Restarted(summary, fresh) => (None, summary, *fresh),
            Entry::Performed(name, summary, fresh) => (Some(name), summary, *fresh),
            // Of what is wrong with the app, the model knows nothing.
            Entry::Violated(_) => return,
        };
        let name = name.map(|name| self.names.number(name));
        let summary = self.meet(summary);
        self.note(Seen { name, summary, fresh });
    }

    /// Random numbers for whoever goes on from here. Other ones than those of the exploration that
    /// came this far: it would make its choices once more.
    pub(crate) fn random(&self, seed: u64) -> Rng {
        match self.steps() {
            (0, _) => Rng::stream(seed, 2),
            (steps, _) => Rng::stream(seed, 3 + steps),
        }
    }

    fn meet(&mut self, summary: &ScreenSummary) -> u32 {
        let known = self.summaries.find(summary);
        let number = known.unwrap_or_else(|| self.summaries.number(summary));
        if known.is_none() && self.abstraction.meet(summary) {
            self.abstract_screens.clear();
            self.make_anew();
        }
        number
    }

    /// What a summary is, by its number.
    fn abstract_screen(&mut self, number: u32) -> Option<Arc<AbstractScreen>> {
        let index = number as usize;
        if self.abstract_screens.len() <= index {
            self.abstract_screens.resize(index + 1, None);
        }
        if self.abstract_screens[index].is_none() {
            let summary = self.summaries.symbol(number)?;
            self.abstract_screens[index] =
                Some(Arc::new(self.abstraction.abstract_screen(summary)));
        }
        self.abstract_screens[index].clone()
    }

    fn note(&mut self, seen: Seen) {
        self.history.push(seen);
        if let (Some(name), [.., Seen { summary: before, .. }, _]) = (seen.name, &self.history[..])
        {
            let before = *before;
            let to = self.abstract_screen(seen.summary).map(|to| to.label.clone());
            let from = self.summaries.symbol(before);
            let input = self.names.symbol(name);
            if let (Some(from), Some(to), Some(input)) = (from, to, input)
                && self.abstraction.lead(from, input, &to)
            {
                self.abstract_screens.clear();
                self.make_anew();
                return;
            }
        }
        if !self.apply(seen) {
            self.make_anew();
        }
    }

    /// Looks at the whole history again.
    fn make_anew(&mut self) {
        self.revision += 1;
        // Each round that fails has found an unsteady input more.
        loop {
            self.derived = Derived::default();
            if (0..self.history.len()).all(|index| self.apply(self.history[index])) {
                return;
            }
        }
    }

    /// Takes a step of the history in; `false` if it contradicts what is there: the input is
    /// unsteady.
    fn apply(&mut self, seen: Seen) -> bool {
        let Some(abstract_screen) = self.abstract_screen(seen.summary) else { return true };
        let derived = &mut self.derived;
        let is_new = derived.labels.find(&abstract_screen.label).is_none();
        let label = derived.labels.number(&abstract_screen.label);
        if is_new {
            let inputs = abstract_screen
                .inputs
                .iter()
                .map(|known| derived.input(&known.key, &known.group))
                .collect();
            derived.enabled.push(inputs);
        }
        let before = derived.abstract_screen.replace(abstract_screen);
        let summary_before = std::mem::replace(&mut derived.summary, seen.summary);
        let (Some(name), Some(before)) = (seen.name, before) else {
            derived.restart(label);
            derived.seen_at_node(seen.summary);
            return true;
        };
        let Some(name) = self.names.symbol(name) else { return true };
        let known = before.inputs.iter().find(|known| known.name == *name);
        // What was folded away may have been performed before it was.
        let (key, group) = known.map_or((name, name), |known| (&known.key, &known.group));
        let input = derived.input(key, group);
        let edge = (before.label.clone(), key.clone());
        let taken = match self.unsteady.contains(&edge) {
            true => derived.outcome(input, key, group, label),
            false => input,
        };
        if !derived.step(input, taken, label, is_new || seen.fresh > 0) {
            self.unsteady.insert(edge);
            return false;
        }
        self.derived.on_summaries.insert((summary_before, input));
        self.derived.seen_at_node(seen.summary);
        true
    }

    /// How often the abstraction changed, and everything was derived from the history again.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Everything that was executed. Outputs are labels: what counts as the same screen.
    pub fn tree(&self) -> &Tree {
        static EMPTY: std::sync::LazyLock<Tree> = std::sync::LazyLock::new(|| Tree::new(0));
        self.derived.tree.as_ref().unwrap_or(&EMPTY)
    }

    /// Where the app stands.
    pub fn at(&self) -> Node {
        self.derived.at
    }

    /// Where the last start led to: the root, unless the app does not always start with the same
    /// screen. Then the tree tells its starts apart as if inputs led to them that no screen offers.
    pub fn start(&self) -> Node {
        self.derived.start
    }

    /// How many inputs were performed since the last restart.
    pub fn depth(&self) -> usize {
        self.derived.depth
    }

    /// The label of the screen that is shown.
    pub fn label(&self) -> Output {
        self.tree().output(self.derived.at)
    }

    /// What the label of where the app is stands for.
    pub(crate) fn label_text(&self) -> &Str {
        static NOWHERE: Str = Str::new_static("");
        self.derived.labels.symbol(self.label()).unwrap_or(&NOWHERE)
    }

    /// The inputs that are enabled where a label is shown.
    pub fn enabled(&self, label: Output) -> &[Input] {
        self.derived.enabled.get(label as usize).map_or(&[], Vec::as_slice)
    }

    /// The inputs that are enabled now.
    pub fn enabled_now(&self) -> &[Input] {
        self.enabled(self.label())
    }

    /// What the input is called on the screen that is shown.
    pub fn name_now(&self, input: Input) -> Option<&Str> {
        let key = self.derived.inputs.symbol(input)?;
        let abstract_screen = self.derived.abstract_screen.as_ref()?;
        abstract_screen.inputs.iter().find(|known| known.key == *key).map(|known| &known.name)
    }

    /// What an input is called.
    pub fn name(&self, input: Input) -> &str {
        self.derived.inputs.symbol(input).map_or("", Str::as_str)
    }

    /// The input that is performed for one of the tree: another one only where the same input does
    /// not always do the same, and the tree tells its outcomes apart.
    pub fn base(&self, input: Input) -> Input {
        self.derived.performed.get(input as usize).copied().unwrap_or(input)
    }

    /// How many inputs there are, outcomes of unsteady ones included.
    pub fn inputs(&self) -> usize {
        self.derived.inputs.len()
    }

    /// How many different screens were seen.
    pub fn screens(&self) -> usize {
        self.derived.labels.len()
    }

    /// How many different transitions between screens were seen.
    pub fn transitions(&self) -> usize {
        self.derived.edges.len()
    }

    /// What came of an input, anywhere.
    pub fn counts(&self, input: Input) -> Counts {
        self.derived.counts.get(input as usize).copied().unwrap_or_default()
    }

    /// What came of the inputs that are of the same group.
    pub fn group_counts(&self, input: Input) -> Counts {
        let group = self.derived.groups.get(input as usize).copied().unwrap_or(u32::MAX);
        self.derived.group_counts.get(group as usize).copied().unwrap_or_default()
    }

    /// What came of the inputs of each group.
    pub fn counts_by_group(&self) -> &[Counts] {
        &self.derived.group_counts
    }

    /// What came of an input where this label is shown.
    pub fn label_counts(&self, label: Output, input: Input) -> Counts {
        self.derived.label_counts.get(&(label, input)).copied().unwrap_or_default()
    }

    /// What came of all inputs where this label is shown.
    pub fn screen_counts(&self, label: Output) -> Counts {
        self.derived.screen_counts.get(&label).copied().unwrap_or_default()
    }

    /// Whether the second input was ever performed right after the first, where this label was
    /// shown.
    pub fn knows_pair(&self, label: Output, first: Input, second: Input) -> bool {
        self.derived.pairs.contains(&(label, first, second))
    }

    /// Whether an input was performed on just what is shown now, down to what is filled in and
    /// ticked.
    pub fn is_tried_on_summary(&self, input: Input) -> bool {
        self.derived.on_summaries.contains(&(self.derived.summary, input))
    }

    /// How likely it is, going by experience, that an input does not do what it did when the same
    /// label was reached by another way.
    pub fn doubt(&self, label: Output) -> f64 {
        let (times, elsewhere) = self.derived.repeats.get(&label).copied().unwrap_or_default();
        f64::from(elsewhere + 1) / f64::from(times + 2)
    }

    /// How often a node of the tree was come to.
    pub fn visits(&self, node: Node) -> u32 {
        self.derived.visits.get(node as usize).copied().unwrap_or_default()
    }

    /// The nodes that an input of the tree leads to.
    pub(crate) fn nodes_by(&self, input: Input) -> &[Node] {
        self.derived.by_input.get(input as usize).map_or(&[], Vec::as_slice)
    }

    /// What was seen at a node of the tree, by its number.
    pub fn summary_at(&self, node: Node) -> u32 {
        self.derived.summaries.get(node as usize).copied().unwrap_or_default()
    }

    /// The numbers of the summaries that are shown under a label.
    pub(crate) fn summaries_of(&self, label: Output) -> impl Iterator<Item = u32> + '_ {
        let label = self.derived.labels.symbol(label);
        let abstract_screens = self.abstract_screens.iter().enumerate();
        abstract_screens
            .filter(move |(_, abstract_screen)| {
                label.is_some() && abstract_screen.as_ref().map(|l| &l.label) == label
            })
            .map(|(number, _)| number as u32)
    }

    /// Whether a summary is the end of the app.
    pub(crate) fn is_the_end(&self, summary: u32) -> bool {
        self.summaries.symbol(summary).is_some_and(ScreenSummary::is_the_end)
    }

    /// What a person would call a summary: the last of its headings, or where the app says it is.
    pub fn title(&self, summary: u32) -> String {
        let summary = self.summaries.symbol(summary);
        let title =
            summary.and_then(|summary| summary.title.lines().rfind(|line| !line.is_empty()));
        title.unwrap_or_default().to_owned()
    }

    /// How many steps were made, restarts not counted, and how many restarts.
    pub fn steps(&self) -> (u64, u64) {
        let restarts = self.history.iter().filter(|seen| seen.name.is_none()).count() as u64;
        (self.history.len() as u64 - restarts, restarts)
    }
}

impl Derived {
    fn input(&mut self, key: &Str, group: &Str) -> Input {
        let number = self.inputs.number(key);
        if number as usize == self.groups.len() {
            self.groups.push(self.group_names.number(group));
            self.performed.push(number);
            self.counts.push(Counts::default());
            self.group_counts.resize(self.group_names.len(), Counts::default());
        }
        number
    }

    /// One outcome of an unsteady input, as an input of its own.
    fn outcome(&mut self, input: Input, key: &Str, group: &Str, label: Output) -> Input {
        let number = self.input(&format!("{key} => {label}").into(), group);
        self.performed[number as usize] = input;
        number
    }

    fn seen_at_node(&mut self, summary: u32) {
        let at = self.at as usize;
        if self.summaries.len() <= at {
            self.summaries.push(summary);
            self.visits.push(0);
        }
        if let Some(visits) = self.visits.get_mut(at) {
            *visits += 1;
        }
    }

    fn restart(&mut self, label: Output) {
        let tree = self.tree.get_or_insert_with(|| Tree::new(label));
        self.start = Tree::ROOT;
        if tree.output(Tree::ROOT) != label {
            let input = self.input(&format!("start => {label}").into(), &"start".into());
            let start = self.tree.as_mut().and_then(|tree| tree.add(Tree::ROOT, input, label).ok());
            self.start = start.unwrap_or(Tree::ROOT);
        }
        self.at = self.start;
        self.depth = 0;
        self.last = None;
    }

    fn step(&mut self, input: Input, taken: Input, label: Output, news: bool) -> bool {
        let Some(tree) = &mut self.tree else { return true };
        let from = tree.output(self.at);
        let is_other_way = tree.child(self.at, taken).is_none();
        let Ok(at) = tree.add(self.at, taken, label) else { return false };
        if is_other_way {
            self.by_input.resize(self.inputs.len(), Vec::new());
            self.by_input[taken as usize].push(at);
        }
        if is_other_way && self.label_counts.contains_key(&(from, input)) {
            let (times, elsewhere) = self.repeats.entry(from).or_default();
            *times += 1;
            *elsewhere += u32::from(!self.edges.contains(&(from, input, label)));
        }
        if let Some((label, last)) = self.last {
            self.pairs.insert((label, last, input));
        }
        self.last = Some((from, input));
        self.at = at;
        self.depth += 1;
        let news = self.edges.insert((from, input, label)) && news;
        let ended = self.enabled[label as usize].is_empty();
        let group = self.groups[input as usize] as usize;
        for counts in [
            &mut self.counts[input as usize],
            &mut self.group_counts[group],
            self.label_counts.entry((from, input)).or_default(),
            self.screen_counts.entry(from).or_default(),
        ] {
            counts.times += 1;
            counts.ended += u32::from(ended);
            counts.news += u32::from(news);
        }
        true
    }
}

#[cfg(test)]
mod tests;
