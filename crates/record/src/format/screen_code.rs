//! Screens as sequences of numbers of views, in pre-order, told by how they differ from the screen
//! before.
//!
//! On its own because it is the part of the format that compares: two screens of one app have most
//! of their views in common.

use super::bytes::{In, Out};
use super::pools::{Known, Pools};
use capuchin::ui::{Element, Screen, Size, Str};

/// A view, and of which element it is part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    view: u32,
    /// How many levels up from the element before: 0 is a child of it, 1 a sibling, and so on; one
    /// more than its level is an element at the root. Beyond that, the index of the parent.
    up: u32,
}

/// How far ahead in the screen before the next common part is searched.
const AHEAD: usize = 64;

/// The items of a screen.
pub(super) fn items(screen: &Screen, pools: &mut Pools) -> Vec<Item> {
    // The elements from the root to the one before.
    let mut path: Vec<u32> = Vec::new();
    let mut items = Vec::with_capacity(screen.elements.len());
    for (index, element) in screen.elements.iter().enumerate() {
        let view = pools.view(screen, element);
        let level = path.len();
        let keeps = match element.parent {
            None => Some(0),
            Some(parent) => path.iter().rposition(|above| *above == parent).map(|at| at + 1),
        };
        let up = match keeps {
            Some(keeps) => {
                path.truncate(keeps);
                path.push(index as u32);
                level - keeps
            }
            // Not in pre-order: it begins a path of its own.
            None => {
                path.clear();
                path.push(index as u32);
                level + 1 + element.parent.unwrap_or_default() as usize
            }
        };
        items.push(Item { view, up: up as u32 });
    }
    items
}

/// Writes a screen by how it differs from the one before.
pub(super) fn write(
    out: &mut Out,
    screen: &Screen,
    before: &[Item],
    pools: &mut Pools,
) -> Vec<Item> {
    let mut next_new = pools.views();
    let items = items(screen, pools);
    out.signed(screen.viewport.width);
    out.signed(screen.viewport.height);
    out.number(pools.string(&screen.place));
    out.number(items.len() as u64);
    let (mut new, mut old) = (0, 0);
    while new < items.len() {
        // Where the next items stand in the screen before; two of them, because one alone may occur
        // many times.
        let next = &items[new..items.len().min(new + 2)];
        let ahead = before.get(old..).unwrap_or_default();
        let skip = ahead.windows(next.len()).take(AHEAD).position(|window| window == next);
        let ahead = &ahead[skip.unwrap_or(ahead.len())..];
        let same = ahead.iter().zip(&items[new..]).take_while(|(a, b)| a == b).count();
        if same > 0 {
            out.number(same as u64);
            out.number(skip.unwrap_or_default() as u64);
            old += skip.unwrap_or_default() + same;
            new += same;
        } else {
            out.number(0);
            let view = items[new].view;
            // New views come in the order of their numbers.
            out.number(if view == next_new { 0 } else { u64::from(view) + 1 });
            next_new = next_new.max(view + 1);
            out.number(items[new].up.into());
            new += 1;
        }
    }
    items
}

/// What stands before the elements of a screen.
pub(super) struct Head {
    viewport: Size,
    place: Str,
    /// How many elements follow.
    pub(super) count: usize,
}

/// Reads what stands before the elements.
pub(super) fn read_head(input: &mut In<'_>, known: &Known) -> Option<Head> {
    let viewport = Size::new(input.signed()?, input.signed()?);
    Some(Head { viewport, place: known.string(input)?, count: input.index()? })
}

/// Reads the elements of a screen, and its items for the next one.
pub(super) fn read(
    input: &mut In<'_>,
    head: Head,
    before: &[Item],
    known: &Known,
    version: u32,
) -> Option<(Screen, Vec<Item>)> {
    let mut next_new = known.views_before;
    let Head { viewport, place, count } = head;
    let mut items: Vec<Item> = Vec::new();
    let mut old = 0_usize;
    while items.len() < count {
        match input.index()? {
            0 => {
                let code = u32::try_from(input.number()?).ok()?;
                let view = match code {
                    _ if version == 1 => code,
                    0 => next_new,
                    _ => code - 1,
                };
                next_new = next_new.max(view.checked_add(1)?);
                items.push(Item { view, up: u32::try_from(input.number()?).ok()? });
            }
            same => {
                let start = old.checked_add(input.index()?)?;
                old = start.checked_add(same)?;
                if same > count - items.len() {
                    return None;
                }
                items.extend_from_slice(before.get(start..old)?);
            }
        }
    }
    let elements = elements(&items, known)?;
    Some((Screen { viewport, place, elements }, items))
}

fn elements(items: &[Item], known: &Known) -> Option<Vec<Element>> {
    let mut path: Vec<u32> = Vec::new();
    let mut elements: Vec<Element> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let up = item.up as usize;
        let parent = match path.len().checked_sub(up) {
            Some(keeps) => {
                path.truncate(keeps);
                path.last().copied()
            }
            None => {
                let parent = up - path.len() - 1;
                path.clear();
                (parent < index).then_some(Some(parent as u32))?
            }
        };
        path.push(index as u32);
        elements.push(known.element(item.view, &elements, parent)?);
    }
    Some(elements)
}
