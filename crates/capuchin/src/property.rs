//! The properties of a plan, and how much of each was judged.
//!
//! On its own because a property that was never judged, or whose condition was never true, has not
//! held: whoever reads a report must see that, whichever part of the plan it comes from.

use crate::monitor::Monitors;
use capuchin_trace::{Expr, Gen, Prop};
use capuchin_ui::{Quoted, Screen, State};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A property that a plan judges.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// An `assert` of the generator, also one that `preserves` makes.
    Assert(Prop),
    /// An `always` of the generator.
    Always(Prop),
    /// A `keeps` of the generator.
    Keeps(Expr),
    /// What a monitor judges, as it calls it, and whether somebody asked for that monitor.
    Watched(String, bool),
}

impl Property {
    /// Those of a generator, each once, and those of the monitors.
    pub(crate) fn all(generator: &Gen, monitors: &[Arc<dyn Monitors>]) -> Vec<Property> {
        let mut all = Vec::new();
        generator.visit(&mut |part| {
            let property = match part {
                Gen::Assert(prop) | Gen::Preserves(_, prop) => Property::Assert(prop.clone()),
                Gen::Always(_, prop) => Property::Always(prop.clone()),
                Gen::Keeps(_, value) => Property::Keeps(value.clone()),
                _ => return,
            };
            if !all.contains(&property) {
                all.push(property);
            }
        });
        let watched = |source: &Arc<dyn Monitors>| {
            source.property().map(|name| Property::Watched(name, source.is_asked_for()))
        };
        all.extend(monitors.iter().filter_map(watched));
        all
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Assert(prop) => write!(f, "assert {prop}"),
            Property::Always(prop) => write!(f, "always {prop}"),
            Property::Keeps(value) => write!(f, "keeps {value}"),
            Property::Watched(name, _) => f.write_str(name),
        }
    }
}

/// How much of a property was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// How often it was judged.
    pub times: u64,
    /// How often it was alive: its condition was true, or it has none.
    pub alive: u64,
    /// The digests of the screens on which it was.
    pub screens: BTreeSet<u64>,
    /// In how many runs a property of whole runs held up to the end.
    #[serde(default)]
    pub decided: u64,
    /// In how many runs it was not decided when they ended.
    #[serde(default)]
    pub undecided: u64,
    /// How often it could have been alive and was not judged, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, u64>,
}

impl Judged {
    /// It could have been judged on this screen, and was not, for this reason.
    pub fn skip(&mut self, reason: &str) {
        self.times += 1;
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
    }

    /// It was judged on this screen.
    pub fn note(&mut self, is_alive: bool, screen: &Screen) {
        self.times += 1;
        if is_alive {
            self.alive += 1;
            self.screens.insert(screen.digest());
        }
    }

    /// Adds what another run judged.
    pub(crate) fn add(&mut self, other: &Judged) {
        self.times += other.times;
        self.alive += other.alive;
        self.screens.extend(&other.screens);
        self.decided += other.decided;
        self.undecided += other.undecided;
        for (reason, times) in &other.skipped {
            *self.skipped.entry(reason.clone()).or_default() += times;
        }
    }
}

/// How much of a property was judged in all cases of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PropertyTally {
    /// The property, as the language writes it.
    pub property: String,
    /// How often it was judged.
    pub judged: u64,
    /// How often it was alive: its condition was true, or it has none.
    pub alive: u64,
    /// On how many different screens.
    pub screens: u64,
    /// Whether it has not held because it was never alive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_alive: bool,
    /// In how many cases it was not decided when they ended: there it has not held.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: u64,
    /// Whether it has not held because no case decided it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_decided: bool,
    /// How often it could have been alive and was not judged, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, u64>,
    /// Whether nobody asked for it by name: it is judged unless it is switched off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unasked: bool,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What a check spent on cases that say little.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Wasted {
    /// Cases in which most events were blocked.
    pub blocked: u32,
    /// One of those events, and why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub blocked_at: String,
    /// Cases in which the same was done as in another one.
    pub equal: u32,
    /// Cases that the end of the budget cut off.
    pub cut: u32,
}

/// What a person sees on one screen and not on the other, if anything.
pub(crate) fn difference(before: &Screen, after: &Screen) -> Option<String> {
    if before.digest() == after.digest() {
        return None;
    }
    let shown = |screen: &Screen| -> Vec<String> {
        let displayed = screen.elements.iter().filter(|element| element.is(State::DISPLAYED));
        let texts = displayed.filter(|element| !element.shown().is_empty());
        texts.map(|element| element.shown().to_string()).collect()
    };
    let (before, after) = (shown(before), shown(after));
    let only = |in_this: &[String], not_in: &[String]| {
        let missing = in_this.iter().find(|text| !not_in.contains(text));
        missing.map(|text| Quoted(&text.chars().take(60).collect::<String>()).to_string())
    };
    Some(match (only(&after, &before), only(&before, &after)) {
        (Some(new), Some(gone)) => format!("{new} is there, and {gone} is not"),
        (Some(new), None) => format!("{new} is there"),
        (None, Some(gone)) => format!("{gone} is not there"),
        (None, None) => "the same texts, in another number or state".to_owned(),
    })
}
