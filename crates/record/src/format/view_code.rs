//! New views as columns: all roles, then all ids, and so on.
//!
//! On its own because it is what version 2 of the format changed. What stands in one column is
//! alike, and a compressor finds that; and most texts of a new view are either empty or as new as
//! the view.

use super::bytes::{In, Out};
use super::pools::View;
use std::collections::BTreeMap;

/// Which texts of a view are, with its states, a shape: many views have the same.
const OF_SHAPE: [usize; 3] = [0, 2, 6];
const OTHERS: [usize; 5] = [1, 3, 4, 5, 7];

/// Role, classes, native class and states.
type Shape = [u32; 4];

/// The shapes of a writer, by their numbers.
pub(super) type Shapes = BTreeMap<Shape, u32>;

/// The numbers of strings as the texts of new views: one that is empty and the next that is new are
/// told by a small number, which is the same everywhere.
pub(super) struct Texts {
    next: u32,
    empty: Option<u32>,
}

const EMPTY: u64 = 0;
const NEXT: u64 = 1;

impl Texts {
    /// `next` is the first string that is new, `empty` the empty one.
    pub(super) fn new(next: u32, empty: Option<u32>) -> Self {
        Texts { next, empty }
    }

    fn code(&mut self, number: u32) -> u64 {
        let code = if Some(number) == self.empty {
            EMPTY
        } else if number == self.next {
            NEXT
        } else {
            u64::from(number) + 2
        };
        self.meet(number);
        code
    }

    fn number(&mut self, code: u64) -> Option<u32> {
        let number = match code {
            EMPTY => self.empty?,
            NEXT => self.next,
            _ => u32::try_from(code - 2).ok()?,
        };
        self.meet(number);
        Some(number)
    }

    fn meet(&mut self, number: u32) {
        self.next = self.next.max(number.saturating_add(1));
    }
}

/// Writes views.
pub(super) fn write(out: &mut Out, views: &[View], shapes: &mut Shapes, mut texts: Texts) {
    out.number(views.len() as u64);
    let mut columns: [Out; 14] = Default::default();
    let mut before = [0_i32; 4];
    for view in views {
        let [role, classes, native] = OF_SHAPE.map(|which| view.texts[which]);
        let count = shapes.len() as u32;
        let mut is_new = false;
        let shape = *shapes.entry([role, classes, native, view.state]).or_insert_with(|| {
            is_new = true;
            count
        });
        columns[13].number(if is_new { 0 } else { u64::from(shape) + 1 });
        for (which, number) in view.texts.iter().enumerate() {
            if is_new || !OF_SHAPE.contains(&which) {
                columns[which].number(texts.code(*number));
            }
        }
        if is_new {
            columns[8].number(view.state.into());
        }
        for (which, pixels) in view.place.iter().enumerate() {
            columns[9 + which].signed(pixels.wrapping_sub(before[which]));
        }
        before = view.place;
    }
    // Which shapes are new says how long the other columns are.
    columns.rotate_right(1);
    columns.iter().for_each(|column| out.0.extend_from_slice(&column.0));
}

/// Reads views, and adds what is new of their shapes.
pub(super) fn read(
    input: &mut In<'_>,
    shapes: &mut Vec<Shape>,
    mut texts: Texts,
    most: usize,
) -> Option<Vec<View>> {
    let count = input.index().filter(|count| *count <= most)?;
    let column = |input: &mut In<'_>, length: usize| -> Option<Vec<u64>> {
        (0..length).map(|_| input.number()).collect()
    };
    let of_shapes = column(input, count)?;
    let new = of_shapes.iter().filter(|shape| **shape == 0).count();
    let mut codes: [std::vec::IntoIter<u64>; 9] = Default::default();
    for (which, codes) in codes.iter_mut().enumerate() {
        let length = if OTHERS.contains(&which) { count } else { new };
        *codes = column(input, length)?.into_iter();
    }
    let mut views = Vec::with_capacity(count);
    for shape in of_shapes {
        let is_new = shape == 0;
        let mut view = View { texts: [0; 8], state: 0, place: [0; 4] };
        for (which, number) in view.texts.iter_mut().enumerate() {
            if is_new || !OF_SHAPE.contains(&which) {
                *number = texts.number(codes[which].next()?)?;
            }
        }
        if is_new {
            view.state = u32::try_from(codes[8].next()?).ok()?;
            let [role, classes, native] = OF_SHAPE.map(|which| view.texts[which]);
            shapes.push([role, classes, native, view.state]);
        } else {
            let [role, classes, native, state] = *shapes.get(usize::try_from(shape - 1).ok()?)?;
            for (which, number) in OF_SHAPE.into_iter().zip([role, classes, native]) {
                view.texts[which] = number;
            }
            view.state = state;
        }
        views.push(view);
    }
    for which in 0..4 {
        let mut before = 0_i32;
        for view in &mut views {
            before = before.wrapping_add(input.signed()?);
            view.place[which] = before;
        }
    }
    Some(views)
}
