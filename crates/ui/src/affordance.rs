//! Whether an event can be done on a screen, and to which element.
//!
//! On its own because it is one rule for every driver and for the executor: what is blocked on one
//! platform is blocked on all.

use crate::{Element, Event, Place, Point, Screen, Selector, State, Str, Target, Toward};
use std::fmt;

/// Why an event could not be performed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocked {
    /// Nothing on the screen fits the target.
    Absent,
    /// The wildcard found no element that takes the event.
    NothingTakesIt,
    /// The element is there and not displayed.
    Hidden,
    /// The element is greyed out.
    Disabled,
    /// Something else is on top of the element.
    Covered,
    /// The element or the point is not within the screen.
    OutOfReach,
    /// The element does not take text.
    NotEditable,
    /// The platform's own reason.
    Other(Str),
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Blocked::Absent => "nothing on the screen fits it",
            Blocked::NothingTakesIt => "nothing on the screen takes it",
            Blocked::Hidden => "the element is hidden",
            Blocked::Disabled => "the element is disabled",
            Blocked::Covered => "something covers the element",
            Blocked::OutOfReach => "it is outside the screen",
            Blocked::NotEditable => "the element does not take text",
            Blocked::Other(reason) => reason,
        })
    }
}

impl Screen {
    /// Finds the element that a concrete event goes to, or says why it is blocked.
    ///
    /// `None` is an event that goes to no element: a device event, or a click on empty ground.
    pub fn locate(&self, event: &Event) -> Result<Option<usize>, Blocked> {
        if let Event::Pinch(from, to) = event {
            self.within(*from)?;
            self.within(*to)?;
        }
        let found = self.locate_target(event)?;
        self.swiped_to(event)?;
        Ok(found)
    }

    /// The point that an event goes to: the one that it names, or that of the element at which it
    /// was [located](Self::locate). `None` is an event that goes nowhere.
    pub fn touched_at(&self, event: &Event, located: Option<usize>) -> Option<Point> {
        match event.target() {
            Some(Target::Place(Place::At(point))) => Some(*point),
            _ => Some(self.elements.get(located?)?.touch_point()),
        }
    }

    /// The point to which a swipe goes, or why it cannot. `None` is an event that is no swipe, or
    /// one in a direction.
    pub fn swiped_to(&self, event: &Event) -> Result<Option<Point>, Blocked> {
        match event {
            Event::Swipe(_, Toward::Place(place @ Place::At(point))) => {
                self.within(*place).map(|()| Some(*point))
            }
            Event::Swipe(_, Toward::Element(selector)) => {
                let end = self.locate_selector(selector, State::empty(), false)?;
                Ok(Some(self.elements[end].touch_point()))
            }
            _ => Ok(None),
        }
    }

    fn locate_target(&self, event: &Event) -> Result<Option<usize>, Blocked> {
        let wants_text = matches!(event, Event::Type(..) | Event::Clear(_));
        match event.target() {
            None => Ok(None),
            Some(Target::Place(place)) => {
                self.within(*place)?;
                let Place::At(point) = *place else { return Ok(None) };
                let wanted = wanted(event);
                let found = self.hit(point, wanted);
                if wants_text && !found.is_some_and(|index| self.elements[index].is(State::ENABLED))
                {
                    return Err(Blocked::NotEditable);
                }
                Ok(found)
            }
            Some(Target::One(selector) | Target::Any(selector)) => {
                self.locate_selector(selector, wanted(event), wants_text).map(Some)
            }
        }
    }

    /// The elements among which a wildcard event may choose: those that it fits and that take it.
    /// If the selector has a number, it counts these.
    pub fn candidates<'a>(
        &'a self,
        event: &'a Event,
    ) -> impl Iterator<Item = (usize, &'a Element)> + 'a {
        let wanted = wanted(event) | State::DISPLAYED | State::ENABLED;
        let selector = match event.target() {
            Some(Target::Any(selector) | Target::One(selector)) => Some(selector),
            _ => None,
        };
        selector
            .into_iter()
            .flat_map(|selector| self.find_any(selector))
            .filter(move |(_, element)| element.is(wanted) && self.obstacle(element).is_none())
    }

    /// Whether the element can be reached by a finger now.
    pub fn is_reachable(&self, element: &Element) -> bool {
        element.is(State::DISPLAYED) && self.obstacle(element).is_none()
    }

    /// The first element that takes the event; else the first that can be reached at all.
    fn locate_selector(
        &self,
        selector: &Selector,
        wanted: State,
        wants_text: bool,
    ) -> Result<usize, Blocked> {
        let mut first_reason = None;
        let mut first_reachable = None;
        let mut would_take_it = None;
        for (index, element) in self.find(selector) {
            let reason = self.obstacle(element).or_else(|| {
                (wants_text && !element.is(State::EDITABLE)).then_some(Blocked::NotEditable)
            });
            match reason {
                None if element.is(wanted) => return Ok(index),
                None => first_reachable = first_reachable.or(Some(index)),
                Some(reason) => {
                    if !wanted.is_empty() && element.is(wanted) {
                        would_take_it = would_take_it.or(Some(reason.clone()));
                    }
                    first_reason = first_reason.or(Some(reason));
                }
            }
        }
        // A greyed out button is what was meant, not the label of the same name beside it.
        if let Some(reason) = would_take_it {
            return Err(reason);
        }
        if let Some(index) = first_reachable {
            return Ok(index);
        }
        Err(first_reason.unwrap_or_else(|| {
            let hidden = self.elements.iter().any(|element| {
                !element.is(State::DISPLAYED) && selector.within.is_none() && selector.fits(element)
            });
            if hidden { Blocked::Hidden } else { Blocked::Absent }
        }))
    }

    fn obstacle(&self, element: &Element) -> Option<Blocked> {
        let in_view = self.viewport.contains(element.touch_point());
        if !(in_view || element.is(State::REVEALS)) || element.bounds.is_empty() {
            Some(Blocked::OutOfReach)
        } else if element.is(State::COVERED) {
            Some(Blocked::Covered)
        } else if !element.is(State::ENABLED) {
            Some(Blocked::Disabled)
        } else {
            None
        }
    }

    fn within(&self, place: Place) -> Result<(), Blocked> {
        let inside = |point: Point| self.viewport.contains(point);
        match place {
            Place::At(point) if !inside(point) => Err(Blocked::OutOfReach),
            _ => Ok(()),
        }
    }
}

/// What an element must take for a wildcard to choose it.
fn wanted(event: &Event) -> State {
    match event {
        Event::Click(_) | Event::DoubleClick(_) | Event::Hover(_) => State::CLICKABLE,
        Event::LongClick(_) => State::LONG_CLICKABLE,
        Event::Type(..) | Event::Clear(_) => State::EDITABLE,
        Event::Swipe(..) => State::SCROLLABLE,
        _ => State::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rect, Role, Size};

    #[test]
    fn a_swipe_goes_to_the_middle_of_an_element_that_is_there() {
        let at = |id: &str, y| Element {
            id: id.into(),
            bounds: Rect::new(0, y, 10, 10),
            state: State::DISPLAYED | State::ENABLED,
            ..Element::default()
        };
        let elements = vec![at("card", 0), at("done", 10)];
        let screen = Screen { viewport: Size::new(10, 20), elements, ..Screen::default() };
        let swipe = |from: &str, to: &str| {
            Event::Swipe(Target::id(from), Toward::Element(Selector::id(to)))
        };
        assert_eq!(screen.locate(&swipe("card", "done")), Ok(Some(0)));
        assert_eq!(screen.swiped_to(&swipe("card", "done")), Ok(Some(Point::new(5, 15))));
        assert_eq!(screen.locate(&swipe("card", "bin")), Err(Blocked::Absent));
        assert_eq!(screen.locate(&swipe("bin", "done")), Err(Blocked::Absent));
    }

    #[test]
    fn an_event_goes_to_what_takes_it_among_those_of_the_same_name() {
        let named = |role, state, y| Element {
            role,
            text: "Save".into(),
            bounds: Rect::new(0, y, 10, 10),
            state: State::DISPLAYED | State::ENABLED | state,
            ..Element::default()
        };
        let label = named(Role::Label, State::empty(), 0);
        let button = named(Role::Button, State::CLICKABLE, 10);
        let mut screen = Screen { viewport: Size::new(10, 20), ..Screen::default() };
        screen.elements = vec![label, button];
        let click = Event::Click(Selector::text("Save").into());
        assert_eq!(screen.locate(&click), Ok(Some(1)));
        screen.elements[1].state.remove(State::ENABLED);
        assert_eq!(screen.locate(&click), Err(Blocked::Disabled));
        screen.elements.truncate(1);
        assert_eq!(screen.locate(&click), Ok(Some(0)), "a label can be touched as well");
    }
}
