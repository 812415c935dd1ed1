//! The pools of strings and views: each is written once, and named by its number from then on.
//!
//! On its own because it is why a recording is small: between two events most of a screen stays as
//! it is. A view is an element without its parent, at its place relative to the parent: so a page
//! that is scrolled consists of the views that it had before.

use super::bytes::{In, Out};
use capuchin::ui::{Element, Rect, Role, Screen, State, Str};
use std::collections::BTreeMap;

/// The most strings, and the most views, of a file. Each takes more memory than bytes in the file.
const MOST_ENTRIES: usize = 2_000_000;
/// How far from the origin an element is at most: twice as far as a browser lays one out. Sums of
/// such numbers have room in an `i32`.
const FARTHEST: i32 = 1 << 26;

/// A view: an element as it stands in its parent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct View {
    /// Role, id, classes, text, value, hint, native class, where it leads: numbers of strings.
    texts: [u32; 8],
    state: u32,
    /// Left, top, width, height.
    place: [i32; 4],
}

/// The pools of a writer, and what was added to them since the last record.
#[derive(Debug, Default)]
pub(super) struct Pools {
    strings: BTreeMap<Str, u32>,
    views: BTreeMap<View, u32>,
    new_strings: Vec<Str>,
    new_views: Vec<View>,
}

impl Pools {
    /// The number of a string.
    pub(super) fn string(&mut self, text: &str) -> u64 {
        u64::from(self.string_number(text))
    }

    fn string_number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.strings.get(text) {
            return *number;
        }
        let (number, text) = (self.strings.len() as u32, Str::new(text));
        self.new_strings.push(text.clone());
        self.strings.insert(text, number);
        number
    }

    /// The number of the view of an element.
    pub(super) fn view(&mut self, screen: &Screen, element: &Element) -> u32 {
        let Element { id, classes, text, value, hint, native, leads_to, .. } = element;
        let texts = [element.role.name(), id, classes, text, value, hint, native, leads_to];
        let Rect { x, y, width, height } = element.bounds;
        let (left, top) = origin(&screen.elements, element.parent);
        let view = View {
            texts: texts.map(|text| self.string_number(text)),
            state: element.state.bits(),
            place: [x.wrapping_sub(left), y.wrapping_sub(top), width, height],
        };
        if let Some(number) = self.views.get(&view) {
            return *number;
        }
        let number = self.views.len() as u32;
        self.new_views.push(view.clone());
        self.views.insert(view, number);
        number
    }

    /// Writes what was added since this was last done.
    pub(super) fn write_new(&mut self, out: &mut Out) {
        out.number(self.new_strings.len() as u64);
        self.new_strings.drain(..).for_each(|text| out.text(&text));
        out.number(self.new_views.len() as u64);
        for view in self.new_views.drain(..) {
            view.texts.iter().for_each(|text| out.number((*text).into()));
            out.number(view.state.into());
            view.place.iter().for_each(|pixels| out.signed(*pixels));
        }
    }
}

/// The pools of a reader.
#[derive(Debug, Default)]
pub(super) struct Known {
    strings: Vec<Str>,
    views: Vec<View>,
}

impl Known {
    /// Reads what was added.
    pub(super) fn read_new(&mut self, input: &mut In<'_>) -> Option<()> {
        for _ in 0..input.index()? {
            self.strings.push(Str::new(input.text()?));
            self.has_room()?;
        }
        for _ in 0..input.index()? {
            self.has_room()?;
            let mut texts = [0; 8];
            for text in &mut texts {
                *text = u32::try_from(input.number()?).ok()?;
            }
            let state = u32::try_from(input.number()?).ok()?;
            let mut place = [0; 4];
            for pixels in &mut place {
                *pixels = input.signed()?;
            }
            self.views.push(View { texts, state, place });
        }
        Some(())
    }

    fn has_room(&self) -> Option<()> {
        (!self.is_full()).then_some(())
    }

    /// Whether it holds more than any recording of ours.
    pub(super) fn is_full(&self) -> bool {
        self.strings.len().max(self.views.len()) > MOST_ENTRIES
    }

    /// Reads the number of a string, and gives the string.
    pub(super) fn string(&self, input: &mut In<'_>) -> Option<Str> {
        self.strings.get(input.index()?).cloned()
    }

    /// The element of which this is the view, in this parent.
    pub(super) fn element(
        &self,
        number: u32,
        before: &[Element],
        parent: Option<u32>,
    ) -> Option<Element> {
        let view = self.views.get(number as usize)?;
        let text = |which: usize| self.strings.get(view.texts[which] as usize).cloned();
        let (left, top) = origin(before, parent);
        let [x, y, width, height] = view.place;
        let [x, y] =
            [x.wrapping_add(left), y.wrapping_add(top)].map(|at| at.clamp(-FARTHEST, FARTHEST));
        let [width, height] = [width, height].map(|size| size.clamp(0, FARTHEST));
        Some(Element {
            // A role that is younger than this release groups others.
            role: Role::named(&text(0)?).unwrap_or_default(),
            id: text(1)?,
            classes: text(2)?,
            text: text(3)?,
            value: text(4)?,
            hint: text(5)?,
            native: text(6)?,
            leads_to: text(7)?,
            bounds: Rect::new(x, y, width, height),
            state: State::from_bits_truncate(view.state),
            parent,
        })
    }
}

fn origin(elements: &[Element], parent: Option<u32>) -> (i32, i32) {
    let parent = parent.and_then(|parent| elements.get(parent as usize));
    parent.map_or((0, 0), |parent| (parent.bounds.x, parent.bounds.y))
}
