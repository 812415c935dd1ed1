//! Whether segments are found again when a view of them is gone: the regression metric of
//! segmentation and similarity.
//!
//! On its own because it measures, and no replay needs it: a test and a benchmark call it.

use crate::options::ReplayOptions;
use crate::outline::Outline;
use crate::similarity::counterparts;
use capuchin::ui::{Screen, State};

/// Takes away one view after the other from a screen, and counts how often the segment that it was
/// in is paired with what is left of it: how often that is right, of how many. A view that is a
/// segment by itself leaves nothing to be paired with, and is not counted.
pub fn leave_one_out(screen: &Screen, options: &ReplayOptions) -> (usize, usize) {
    let whole = Outline::new(screen);
    let segments = options.segmenter.segments(&whole);
    let (mut right, mut of) = (0, 0);
    for (own, segment) in segments.iter().enumerate().filter(|(_, one)| one.views.len() > 1) {
        for view in &segment.views {
            let mut without = screen.clone();
            without.elements[*view].state.remove(State::DISPLAYED);
            for inside in whole.descendants(*view) {
                without.elements[inside].state.remove(State::DISPLAYED);
            }
            let outline = Outline::new(&without);
            let others = options.segmenter.segments(&outline);
            let pairs =
                counterparts(&*options.similarity, (&whole, &segments), (&outline, &others));
            let is_left = |other: &&usize| **other != *view && segment.views.contains(other);
            // The segment that has most of what is left.
            let most = others.iter().map(|other| other.views.iter().filter(is_left).count()).max();
            let paired =
                pairs[own].map_or(0, |other| others[other].views.iter().filter(is_left).count());
            right += usize::from(paired > 0 && Some(paired) == most);
            of += 1;
        }
    }
    (right, of)
}
