//! How a replay decides: the parts that can be replaced, and how long it tries.
//!
//! On its own because whoever starts a replay fills it in, and everything in a replay reads it.

use crate::matching::Margins;
use crate::patterns;
use crate::recording::RecordedEvent;
use crate::segment::{NaturalBisection, Segmenter};
use crate::similarity::{Similarity, WordsAndPlace};
use crate::situation::ResponsivePattern;
use capuchin::ui::{Event, Screen};
use std::sync::Arc;

/// Knows a way to where an element is: a model of the app that was learned before.
pub trait WayFinder: Send + Sync {
    /// The events that lead from the present screen to one that has the receiver; nothing if it
    /// knows none. Each is tried like a responsive action.
    fn way(&self, present: &Screen, wanted: &RecordedEvent) -> Vec<Event>;
}

/// How a replay decides.
#[derive(Clone)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// Parts screens into segments.
    pub segmenter: Arc<dyn Segmenter>,
    /// Compares segments.
    pub similarity: Arc<dyn Similarity>,
    /// The responsive patterns, the simplest first.
    pub patterns: Vec<Arc<dyn ResponsivePattern>>,
    /// Is asked for the way to a receiver before the patterns are.
    pub way_finder: Option<Arc<dyn WayFinder>>,
    /// When a counterpart is good enough.
    pub margins: Margins,
    /// How many responsive actions are tried for one event.
    pub attempts: usize,
    /// How often a list is scrolled or a page is turned for one event.
    pub scrolls: usize,
    /// How many responsive actions may be needed one after the other.
    pub depth: usize,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            segmenter: Arc::new(NaturalBisection::default()),
            similarity: Arc::new(WordsAndPlace::default()),
            patterns: patterns::all(),
            way_finder: None,
            margins: Margins::default(),
            attempts: 12,
            scrolls: 30,
            depth: 3,
        }
    }
}
