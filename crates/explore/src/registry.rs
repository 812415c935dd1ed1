//! The policies that there are, by name: what `auto`, `--policy` and the parser's suggestions read.
//!
//! On its own because the list is open: a crate of the user's adds a policy with [`Policies::add`],
//! and everything that names policies knows it.

use crate::capuchin_policy::CapuchinPolicy;
use crate::learner_policy::LStarPolicy;
use crate::policy::{Policy, Random};
use crate::swifthand::SwiftHand;
use capuchin::trace::Auto;
use capuchin::ui::{DeviceInfo, Str};
use std::fmt;
use std::sync::Arc;

/// What a policy is made for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PolicyRequest<'a> {
    /// The device that it explores on.
    pub device: &'a DeviceInfo,
    /// How many inputs it may choose before the app is restarted anyway; `None` if it restarts the
    /// app itself, as in an exploration.
    pub moves: Option<u32>,
}

/// Makes a policy that has seen nothing yet.
type MakePolicy = dyn Fn(&PolicyRequest<'_>) -> Box<dyn Policy> + Send + Sync;

/// A policy by name.
#[derive(Clone)]
pub struct PolicyEntry {
    /// Its name in `auto NAME n` and `--policy NAME`.
    pub name: Str,
    /// What it does, in a line.
    pub help: Str,
    make: Arc<MakePolicy>,
}

impl PolicyEntry {
    /// One that has seen nothing yet.
    pub fn make(&self, request: &PolicyRequest<'_>) -> Box<dyn Policy> {
        (self.make)(request)
    }
}

impl fmt::Debug for PolicyEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolicyEntry({})", self.name)
    }
}

/// The policies that there are.
#[derive(Clone, Debug)]
pub struct Policies {
    entries: Vec<PolicyEntry>,
}

impl Default for Policies {
    /// Ours.
    fn default() -> Self {
        let mut policies = Policies { entries: Vec::new() };
        policies.add(
            "capuchin",
            "Chooses what promises most that is new for the least effort",
            |request| Box::new(CapuchinPolicy::on(request.device)),
        );
        policies.add(
            "swifthand",
            "The SwiftHand algorithm: goes to untried inputs, with few restarts",
            |request| {
                let length = |moves| SwiftHand::new(moves as usize);
                Box::new(request.moves.map_or_else(SwiftHand::default, length))
            },
        );
        policies.add("lstar", "Angluin's L*, with a restart for every word", |_| {
            Box::new(LStarPolicy::default())
        });
        policies.add("random", "Any enabled input, and a restart now and then", |request| {
            Box::new(match request.moves {
                None => Random::default(),
                // The end of a run is not its to choose.
                Some(_) => Random { restart: 0.0 },
            })
        });
        policies
    }
}

impl Policies {
    /// Adds a policy, in the place of one of the same name if there is one. To be named in a spec
    /// it is a word of letters and digits.
    ///
    /// # Panics
    /// If it is the name of a policy that is drawn, `monkey` or `relevant`: nobody would ask it.
    pub fn add(
        &mut self,
        name: impl Into<Str>,
        help: impl Into<Str>,
        make: impl Fn(&PolicyRequest<'_>) -> Box<dyn Policy> + Send + Sync + 'static,
    ) {
        let name: Str = name.into();
        assert!(!Auto::DRAWN.contains(&name.as_str()), "`{name}` is the name of a monkey");
        let entry = PolicyEntry { name, help: help.into(), make: Arc::new(make) };
        match self.entries.iter_mut().find(|known| known.name == entry.name) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
    }

    /// All of them, the one that is used unless another is named first.
    pub fn all(&self) -> &[PolicyEntry] {
        &self.entries
    }

    /// The one of this name.
    pub fn find(&self, name: &str) -> Option<&PolicyEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}
