//! The counterpart of an element on another screen, with a margin: found, or refused with the
//! candidates that there were.
//!
//! On its own because it is where a replay decides whether to go on. A wrong element is worse than
//! none: what is poor, what is not clearly better than the next, and what is rather the counterpart
//! of something else is refused.

use crate::outline::{LEVELS_IN_CONTROL, Outline};
use crate::region::Region;
use crate::score::{Kind, Side, is_identified, is_same, kind_of, opens_the_same, score, takes};
use capuchin::ui::{Event, Role, Selector, State};

/// When a counterpart is good enough, and how much better than the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Margins {
    /// A score below this is poor.
    pub least: f64,
    /// The next candidate must be worse by at least this.
    pub margin: f64,
    /// A candidate is taken by another recorded element that fits it better by this.
    pub taken: f64,
}

impl Default for Margins {
    fn default() -> Self {
        Margins { least: 0.6, margin: 0.06, taken: 0.02 }
    }
}

/// An element that might be the counterpart.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its index on the screen.
    pub index: usize,
    /// How it is found.
    pub name: Selector,
    /// How well it fits, from 0 to 1.
    pub score: f64,
}

/// What came of looking for a counterpart.
#[derive(Clone, Debug, PartialEq)]
pub enum Matched {
    /// It is there.
    Found {
        /// What was found.
        candidate: Candidate,
        /// How much better it fits than the next.
        margin: f64,
        /// Whether it is the same by role, name and id: nothing had to be guessed.
        is_same: bool,
    },
    /// Several fit about equally well.
    Ambiguous(Vec<Candidate>),
    /// What fits best fits poorly; the best are here, if there are any.
    Absent(Vec<Candidate>),
}

/// A score from which on nothing is left to doubt.
pub(crate) const SURE: f64 = 0.9;

/// How many candidates are told of.
const TOLD: usize = 3;

/// Looks for the counterpart of `receiver`, which is an element of `recorded`, among the elements
/// of `present`.
pub(crate) struct Search<'a> {
    pub(crate) recorded: &'a Outline<'a>,
    pub(crate) present: &'a Outline<'a>,
    pub(crate) receiver: usize,
    pub(crate) event: Option<&'a Event>,
    /// Of each element of `present`, whether it is in the segment that matches the receiver's.
    pub(crate) in_segment: Option<&'a [bool]>,
    pub(crate) margins: Margins,
    /// Whether a link to the same page will do that is rather the counterpart of another link.
    pub(crate) takes_equivalent: bool,
}

impl Search<'_> {
    /// The counterpart that a finger can reach.
    pub(crate) fn run(&self) -> Matched {
        if let Some(index) = self.unchanged() {
            let candidate =
                Candidate { index, name: self.present.screen.name_of(index), score: 1.0 };
            return Matched::Found { candidate, margin: 1.0, is_same: true };
        }
        let matched = self.among(|index| self.present.views[index].is_reachable);
        match matched {
            Matched::Found { candidate, .. } if self.is_better_hidden(&candidate) => {
                Matched::Absent(vec![candidate])
            }
            matched => matched,
        }
    }

    /// Whether a candidate is in another part of the screen than the receiver was, and something
    /// that is out of reach fits better and is in that part: the link of a text that leads where
    /// the entry of a closed menu leads.
    fn is_better_hidden(&self, candidate: &Candidate) -> bool {
        let wanted = self.recorded.views[self.receiver].region;
        let region = |index: usize| self.present.views[index].region;
        if wanted == Region::Unknown || wanted.may_be(region(candidate.index)) {
            return false;
        }
        match self.among(|index| !self.present.views[index].is_reachable) {
            Matched::Found { candidate: hidden, .. } => {
                region(hidden.index) == wanted && hidden.score > candidate.score
            }
            Matched::Ambiguous(hidden) => {
                hidden.iter().any(|one| region(one.index) == wanted && one.score > candidate.score)
            }
            Matched::Absent(_) => false,
        }
    }

    /// The one element that is the receiver in everything that it says, at the same spot of a
    /// screen of the same size: nothing has changed.
    fn unchanged(&self) -> Option<usize> {
        let (old, new) = (self.recorded, self.present);
        if old.screen.viewport != new.screen.viewport || old.screen.place != new.screen.place {
            return None;
        }
        let (wanted, view) = (old.element(self.receiver), &old.views[self.receiver]);
        let says = |one: &capuchin::ui::Element| {
            [one.id.clone(), one.classes.clone(), one.text.clone(), one.leads_to.clone()]
        };
        let is_it = |index: &usize| {
            let one = new.element(*index);
            one.bounds == wanted.bounds
                && (one.role, &one.native) == (wanted.role, &wanted.native)
                && says(one) == says(wanted)
                && new.views[*index].row_words == view.row_words
                && new.views[*index].is_reachable
        };
        let mut found = (0..new.views.len()).filter(is_it);
        found.next().filter(|_| found.next().is_none())
    }

    /// The counterpart that is there, whether or not it can be reached: hidden, covered, disabled.
    pub(crate) fn out_of_reach(&self) -> Option<usize> {
        match self.among(|index| !self.present.views[index].is_reachable) {
            Matched::Found { candidate, .. } => Some(candidate.index),
            _ => None,
        }
    }

    /// The elements that may be the counterpart and are out of reach, the best first.
    pub(crate) fn hidden(&self) -> Vec<usize> {
        match self.among(|index| !self.present.views[index].is_reachable) {
            Matched::Found { candidate, .. } => vec![candidate.index],
            Matched::Ambiguous(candidates) => candidates.iter().map(|one| one.index).collect(),
            Matched::Absent(_) => Vec::new(),
        }
    }

    fn among(&self, may_be: impl Fn(usize) -> bool) -> Matched {
        let recorded_counts = Counts::new(self.recorded, |index| self.recorded.is_displayed(index));
        let present_counts =
            Counts::new(self.present, |index| may_be(index) || self.present.is_displayed(index));
        let side = |index| Side { outline: self.present, index, among: present_counts.of(index) };
        let receiver = Side {
            outline: self.recorded,
            index: self.receiver,
            among: recorded_counts.of(self.receiver),
        };
        let mut ranked: Vec<(f64, usize)> = (0..self.present.views.len())
            .filter(|index| may_be(*index))
            .filter(|index| self.event.is_none_or(|e| takes(self.present.element(*index), e)))
            .filter(|index| !self.is_pressed_elsewhere(*index))
            .filter_map(|index| {
                let in_segment = self.in_segment.map(|segment| segment[index]);
                Some((score(receiver, side(index), in_segment)?, index))
            })
            .collect();
        ranked.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        ranked.truncate(24);
        ranked.retain(|(_, index)| {
            !self.is_taken(receiver, side(*index), &recorded_counts, &present_counts)
        });
        if self.recorded.views.len() == 1 {
            self.keep_described_role(&mut ranked);
        }
        self.judged(&ranked, |index| Look {
            is_identified: is_identified(receiver, side(index)),
            is_same: is_same(receiver, side(index)),
            is_in_order: receiver.among.1 > 1 && receiver.among == side(index).among,
        })
    }

    /// Of a receiver that was described and not seen, the role was written down to tell it from
    /// others of its name: where one of that name has the role, the others are not meant.
    fn keep_described_role(&self, ranked: &mut Vec<(f64, usize)>) {
        let (role, name) = (
            self.recorded.element(self.receiver).role,
            self.recorded.views[self.receiver].name_key,
        );
        let has_role = |index: usize| self.present.element(index).role == role;
        let is_named = |index: usize| self.present.views[index].name_key == name;
        let is_it = |(_, index): &(f64, usize)| has_role(*index) && is_named(*index);
        if role != Role::Group && ranked.iter().any(is_it) {
            ranked.retain(|(_, index)| has_role(*index));
        }
    }

    /// Whether a press of an element goes to something else: it takes none itself, and holds
    /// several that do, such as a group of buttons.
    fn is_pressed_elsewhere(&self, index: usize) -> bool {
        let is_press = matches!(
            self.event,
            Some(Event::Click(_) | Event::DoubleClick(_) | Event::LongClick(_))
        );
        let is_pressed = |index: usize| self.present.element(index).is(State::CLICKABLE);
        if !is_press
            || is_pressed(index)
            || !self.recorded.element(self.receiver).is(State::CLICKABLE)
        {
            return false;
        }
        let inside =
            |index: usize| self.present.children[index].iter().map(|child| *child as usize);
        let near = inside(index).flat_map(|child| std::iter::once(child).chain(inside(child)));
        near.filter(|child| is_pressed(*child)).take(2).count() > 1
    }

    /// Whether the candidate is the counterpart of another element of the recorded screen, which
    /// fits it better than the receiver does, and fits nothing else better.
    fn is_taken(
        &self,
        receiver: Side<'_>,
        candidate: Side<'_>,
        recorded_counts: &Counts,
        present_counts: &Counts,
    ) -> bool {
        let wanted = &self.present.views[candidate.index];
        let score_of_receiver = score(receiver, candidate, None).unwrap_or(0.0);
        // What is poor is not taken from anybody.
        if score_of_receiver < self.margins.least - 0.1 {
            return false;
        }
        (0..self.recorded.views.len()).any(|index| {
            let view = &self.recorded.views[index];
            let may_be = index != receiver.index
                && self.recorded.is_displayed(index)
                && (view.name_key == wanted.name_key
                    || (view.id.is_some() && view.id == wanted.id))
                && !(self.takes_equivalent && self.leads_there(index))
                && !self.recorded.are_nested(index, receiver.index);
            if !may_be {
                return false;
            }
            let among = recorded_counts.of(index);
            let other = Side { outline: self.recorded, index, among };
            let Some(score) = score(other, candidate, None) else { return false };
            score > score_of_receiver + self.margins.taken
                && !self.fits_another_better(other, candidate, score, present_counts)
        })
    }

    /// Whether an element of the recorded screen is a link to the page that the receiver leads to,
    /// or is in one.
    fn leads_there(&self, index: usize) -> bool {
        let (views, screen) = (&self.recorded.views, self.recorded.screen);
        let mut around =
            std::iter::once(index).chain(screen.ancestors(index).take(LEVELS_IN_CONTROL));
        around.any(|one| opens_the_same(&views[one], &views[self.receiver]))
    }

    /// Whether an element of the recorded screen has a better counterpart than the candidate, in
    /// reach or not.
    fn fits_another_better(
        &self,
        other: Side<'_>,
        candidate: Side<'_>,
        score_of_candidate: f64,
        counts: &Counts,
    ) -> bool {
        let view = &self.recorded.views[other.index];
        (0..self.present.views.len()).any(|index| {
            let there = &self.present.views[index];
            let may_be = index != candidate.index
                && self.present.is_displayed(index)
                && (view.name_key == there.name_key || (view.id.is_some() && view.id == there.id))
                && !self.present.are_nested(index, candidate.index);
            may_be && {
                let among = counts.of(index);
                let side = Side { outline: self.present, index, among };
                score(other, side, None).is_some_and(|score| score > score_of_candidate)
            }
        })
    }

    fn judged(&self, ranked: &[(f64, usize)], look: impl Fn(usize) -> Look) -> Matched {
        let names = self.present.screen.names();
        let candidate = |(score, index): &(f64, usize)| {
            let (index, score) = (*index, *score);
            Candidate { index, name: names.of(index), score }
        };
        let told = || ranked.iter().take(TOLD).map(candidate).collect();
        let Some(best) = ranked.iter().find(|(_, index)| look(*index).is_identified) else {
            return Matched::Absent(told());
        };
        if best.0 < self.margins.least {
            return Matched::Absent(told());
        }
        let best = self.innermost_to_take_it(best, ranked);
        // What is part of the best, or holds it, is touched with it.
        let rivals = || {
            ranked
                .iter()
                .filter(|(_, index)| *index != best.1 && look(*index).is_identified)
                .filter(|(_, index)| !self.is_equivalent(*index, best.1))
                .filter(|(_, index)| !self.present.are_nested(*index, best.1))
        };
        let best_look = look(best.1);
        // Of as many of one name as there were, the one at the same place is meant; and what is the
        // same without any doubt is meant rather than what is called otherwise.
        let needed = |index: usize| {
            let same_name =
                self.present.views[index].name_key == self.present.views[best.1].name_key;
            let is_counted = best_look.is_in_order && same_name;
            let is_sure = best_look.is_same && best.0 >= SURE && !same_name;
            if is_counted || is_sure { self.margins.taken } else { self.margins.margin }
        };
        if rivals().any(|(score, index)| best.0 - score < needed(*index)) {
            return Matched::Ambiguous(told());
        }
        let margin = rivals().next().map_or(best.0, |(score, _)| best.0 - score);
        Matched::Found { candidate: candidate(&best), margin, is_same: best_look.is_same }
    }

    /// Whether two candidates come to the same: links to one page, a control and its label.
    fn is_equivalent(&self, one: usize, other: usize) -> bool {
        let labels = |label: usize, control: usize| {
            let id = &self.present.element(control).id;
            let label = self.present.element(label);
            !id.is_empty()
                && label.native == "label"
                && label.leads_to.strip_prefix('#') == Some(id)
        };
        opens_the_same(&self.present.views[one], &self.present.views[other])
            || labels(one, other)
            || labels(other, one)
    }

    /// Of elements in one another that fit about equally well, the one that takes clicks itself.
    fn innermost_to_take_it(&self, best: &(f64, usize), ranked: &[(f64, usize)]) -> (f64, usize) {
        if self.present.element(best.1).is(State::CLICKABLE) {
            return *best;
        }
        let better = ranked.iter().find(|(score, index)| {
            self.present.are_nested(*index, best.1)
                && self.present.element(*index).is(State::CLICKABLE)
                && *score > best.0 - self.margins.margin
        });
        *better.unwrap_or(best)
    }
}

/// What is asked about a candidate.
struct Look {
    /// Whether anything says that it is the same thing, and not just one of a kind.
    is_identified: bool,
    /// Whether it is the same by role, name and id.
    is_same: bool,
    /// Whether there are as many of its name as there were, and it is at the same place of them.
    is_in_order: bool,
}

/// Of each element of a screen, which of those of the same name and kind it is, and how many these
/// are.
struct Counts(Vec<(usize, usize)>);

impl Counts {
    fn new(outline: &Outline<'_>, counts: impl Fn(usize) -> bool) -> Self {
        let mut keys: Vec<(u64, u8, usize)> = (0..outline.views.len())
            .filter(|index| counts(*index))
            .map(|index| {
                let kind = match kind_of(outline.element(index)) {
                    Kind::Shown => Kind::Press,
                    kind => kind,
                };
                (outline.views[index].name_key, kind as u8, index)
            })
            .collect();
        keys.sort_unstable();
        let mut all = vec![(0, 1); outline.views.len()];
        for same in keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (mut number, mut last) = (0, None);
            for (.., index) in same {
                // A link and the label in it are one.
                if !last.is_some_and(|last| outline.are_nested(last, *index)) {
                    (number, last) = (number + 1, Some(*index));
                }
                all[*index].0 = number - 1;
            }
            same.iter().for_each(|(.., index)| all[*index].1 = number);
        }
        Counts(all)
    }

    /// Which one of how many.
    fn of(&self, index: usize) -> (usize, usize) {
        self.0[index]
    }
}
