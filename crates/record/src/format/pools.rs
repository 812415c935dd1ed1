//! The pools of strings and views: each is written once, and named by its number from then on.
//!
//! On its own because it is why a recording is small: between two events most of a screen stays as
//! it is. A view is an element without its parent, at its place relative to the parent: so a page
//! that is scrolled consists of the views that it had before.

use super::bytes::{In, Out};
use super::view_code::{self, Shapes, Texts};
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
    pub(super) texts: [u32; 8],
    pub(super) state: u32,
    /// Left, top, width, height.
    pub(super) place: [i32; 4],
}

/// The pools of a writer, and what was added to them since the last record.
#[derive(Debug, Default)]
pub(super) struct Pools {
    strings: BTreeMap<Str, u32>,
    views: BTreeMap<View, u32>,
    shapes: Shapes,
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
        self.new_strings.iter().for_each(|text| out.number(text.len() as u64));
        let first_new = self.strings.len() - self.new_strings.len();
        self.new_strings.drain(..).for_each(|text| out.0.extend_from_slice(text.as_bytes()));
        let texts = Texts::new(first_new as u32, self.strings.get("").copied());
        view_code::write(out, &self.new_views, &mut self.shapes, texts);
        self.new_views.clear();
    }

    /// How many views there are.
    pub(super) fn views(&self) -> u32 {
        self.views.len() as u32
    }
}

/// The pools of a reader.
#[derive(Debug, Default)]
pub(super) struct Known {
    strings: Vec<Str>,
    views: Vec<View>,
    shapes: Vec<[u32; 4]>,
    /// How many strings there will be, as the last record says.
    announced: usize,
    /// The number of the empty string.
    empty: Option<u32>,
    /// How many views there were before the last record.
    pub(super) views_before: u32,
}

impl Known {
    /// Reads what was added.
    pub(super) fn read_new(&mut self, input: &mut In<'_>, version: u32) -> Option<()> {
        self.views_before = self.views.len() as u32;
        if version == 1 { self.read_rows(input) } else { self.read_columns(input) }
    }

    fn read_columns(&mut self, input: &mut In<'_>) -> Option<()> {
        let first_new = self.strings.len() as u32;
        let count = input.index()?;
        self.announced = self.strings.len().saturating_add(count);
        self.has_room()?;
        let lengths: Vec<usize> = (0..count).map(|_| input.index()).collect::<Option<_>>()?;
        for length in lengths {
            let text = std::str::from_utf8(input.bytes(length)?).ok()?;
            if text.is_empty() {
                self.empty.get_or_insert(self.strings.len() as u32);
            }
            self.strings.push(Str::new(text));
        }
        let texts = Texts::new(first_new, self.empty);
        let views = view_code::read(input, &mut self.shapes, texts, input.0.len())?;
        self.views.extend(views);
        self.has_room()
    }

    /// As version 1 has it: one string after the other, and one view after the other.
    fn read_rows(&mut self, input: &mut In<'_>) -> Option<()> {
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
        self.strings.len().max(self.views.len()).max(self.announced) > MOST_ENTRIES
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
