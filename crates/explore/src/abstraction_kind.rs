//! The screen abstractions by name: those that are built in, and those that a user's crate adds.
//!
//! `--abstraction`, the journal and Rust tests read the same registry ([`Abstractions`]).

use crate::abstraction::ScreenSummary;
use capuchin::ui::Str;
use std::fmt;
use std::sync::Arc;

/// When two screens count as the same: a name, and what it goes by.
///
/// Whatever else it goes by, two screens are the same only if they enable the same inputs. Two
/// kinds are equal if they have the same name.
#[derive(Clone)]
pub struct AbstractionKind {
    name: Str,
    help: Str,
    pub(crate) detail: Detail,
    outputs: Vec<Str>,
    pub(crate) label: Option<Arc<Label>>,
}

/// What a user's abstraction makes of a screen.
type Label = dyn Fn(&ScreenSummary) -> Str + Send + Sync;

/// How much of a screen is part of its label: each one more than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Detail {
    Bounds,
    Structure,
    State,
    Text,
    Adaptive,
}

impl AbstractionKind {
    /// By the names of the enabled inputs, refined and coarsened while the exploration runs.
    pub const ADAPTIVE: AbstractionKind = Self::built_in(
        "adaptive",
        "By the names of their inputs, refined and coarsened where that proves wrong",
        Detail::Adaptive,
    );
    /// By the enabled inputs with their kind and bounding box.
    pub const BOUNDS: AbstractionKind = Self::built_in(
        "bounds",
        "By the kinds and bounds of their inputs, as in the SwiftHand paper",
        Detail::Bounds,
    );
    /// By the names of the enabled inputs.
    pub const STRUCTURE: AbstractionKind =
        Self::built_in("structure", "By the names of their inputs", Detail::Structure);
    /// And by what is ticked, chosen, filled in, and where the app says it is.
    pub const STATE: AbstractionKind =
        Self::built_in("state", "Also by what is checked, selected and filled in", Detail::State);
    /// And by all that can be read, numbers masked.
    pub const TEXT: AbstractionKind =
        Self::built_in("text", "Also by all texts, with numbers masked", Detail::Text);

    const fn built_in(name: &'static str, help: &'static str, detail: Detail) -> Self {
        AbstractionKind {
            name: Str::new_static(name),
            help: Str::new_static(help),
            detail,
            outputs: Vec::new(),
            label: None,
        }
    }

    /// One of a user's own: two screens with the same enabled inputs are told apart by what a
    /// function says of their summaries.
    pub fn new(
        name: &str,
        help: &str,
        label: impl Fn(&ScreenSummary) -> Str + Send + Sync + 'static,
    ) -> Self {
        AbstractionKind {
            name: name.into(),
            help: help.into(),
            label: Some(Arc::new(label)),
            ..Self::TEXT
        }
    }

    /// By the enabled inputs and the values of these outputs: value expressions, which whoever
    /// summarizes a screen evaluates, in this order, into [`ScreenSummary::outputs`].
    pub fn by_outputs(outputs: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        let outputs: Vec<Str> = outputs.into_iter().map(Into::into).collect();
        AbstractionKind {
            name: format!("{BY_OUTPUTS}{}", outputs.join(SEPARATOR)).into(),
            help: "By what can be done there and the values of these expressions".into(),
            outputs,
            ..Self::STRUCTURE
        }
    }

    /// What it is called, on the command line and in the journal.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it goes by, in one line.
    pub fn help(&self) -> &str {
        &self.help
    }

    /// The expressions whose values tell screens apart; mostly none.
    pub fn outputs(&self) -> &[Str] {
        &self.outputs
    }
}

/// What the name of a kind by outputs begins with, and what is between them.
const BY_OUTPUTS: &str = "outputs: ";
const SEPARATOR: &str = "; ";

impl PartialEq for AbstractionKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for AbstractionKind {}

impl Default for AbstractionKind {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

impl fmt::Debug for AbstractionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The abstractions that can be chosen by name.
///
/// ```
/// use capuchin_explore::{AbstractionKind, Abstractions};
///
/// let mut known = Abstractions::default();
/// known.add(AbstractionKind::new("title", "By the title of the page", |screen| screen.title.clone()));
/// assert!(known.get("title").is_some());
/// assert_eq!(known.get("adaptive"), Some(AbstractionKind::ADAPTIVE));
/// let by_value = AbstractionKind::by_outputs(["count(item)", "text(#total)"]);
/// assert_eq!(known.get(by_value.name()), Some(by_value));
/// ```
#[derive(Clone, Debug)]
pub struct Abstractions(Vec<AbstractionKind>);

impl Default for Abstractions {
    /// Those that are built in.
    fn default() -> Self {
        Abstractions(vec![
            AbstractionKind::ADAPTIVE,
            AbstractionKind::BOUNDS,
            AbstractionKind::STRUCTURE,
            AbstractionKind::STATE,
            AbstractionKind::TEXT,
        ])
    }
}

impl Abstractions {
    /// Adds one, in the place of an older one of the same name.
    pub fn add(&mut self, kind: AbstractionKind) {
        self.0.retain(|known| *known != kind);
        self.0.push(kind);
    }

    /// The one of this name. (One by outputs is made of its name, which is the list of them.)
    pub fn get(&self, name: &str) -> Option<AbstractionKind> {
        match name.strip_prefix(BY_OUTPUTS) {
            Some(outputs) => Some(AbstractionKind::by_outputs(outputs.split(SEPARATOR))),
            None => self.iter().find(|kind| kind.name() == name).cloned(),
        }
    }

    /// All that have a name of their own.
    pub fn iter(&self) -> std::slice::Iter<'_, AbstractionKind> {
        self.0.iter()
    }
}
