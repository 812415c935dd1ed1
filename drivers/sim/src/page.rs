//! The page that an app draws itself on: widgets that flow from the top left.
//!
//! No measuring of text, no styles: a column, rows in it, and explicit sizes where they matter.

use crate::scroll::Scrolls;
use crate::widget::Widget;
use capuchin_ui::{Element, Rect, Role, Screen, Size, State, Str};

/// The space between two widgets, and between a widget and the edge.
pub(crate) const GAP: i32 = 4;
/// What every widget is, unless it says otherwise.
pub(crate) const PLAIN: State = State::DISPLAYED.union(State::ENABLED);

/// Where the next widget goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    left: i32,
    right: i32,
    x: i32,
    y: i32,
    /// The lower edge of the tallest widget so far.
    bottom: i32,
    across: bool,
}

impl Flow {
    fn column(left: i32, top: i32, width: i32) -> Self {
        Flow { left, right: left + width, x: left, y: top, bottom: top, across: false }
    }

    /// Puts a rectangle where the flow is, and moves on. Width 0 is all the width there is.
    pub(crate) fn put(&mut self, width: i32, height: i32) -> Rect {
        let wide = if width > 0 { width } else { (self.right - self.x).max(1) };
        if self.across && self.x > self.left && self.x + wide > self.right {
            self.x = self.left;
            self.y = self.bottom + GAP;
        }
        let rect = Rect::new(self.x, self.y, wide, height);
        self.bottom = self.bottom.max(self.y + height);
        if self.across {
            self.x += wide + GAP;
        } else {
            self.y += height + GAP;
        }
        rect
    }
}

/// What an app draws itself on.
#[derive(Debug)]
pub struct Page<'a> {
    pub(crate) elements: &'a mut Vec<Element>,
    place: &'a mut Str,
    scrolls: &'a mut Scrolls,
    viewport: Size,
    parent: Option<u32>,
    pub(crate) flow: Flow,
    /// The flow before the last widget, so that its size can still be changed.
    pub(crate) before: Flow,
    pub(crate) has_opaque: bool,
}

impl<'a> Page<'a> {
    /// An empty page that is drawn to this screen.
    pub(crate) fn new(screen: &'a mut Screen, scrolls: &'a mut Scrolls) -> Self {
        let viewport = screen.viewport;
        let flow = Flow::column(GAP, GAP, viewport.width - 2 * GAP);
        Page {
            elements: &mut screen.elements,
            place: &mut screen.place,
            scrolls,
            viewport,
            parent: None,
            flow,
            before: flow,
            has_opaque: false,
        }
    }

    /// The size of the screen as it is held now.
    pub fn viewport(&self) -> Size {
        self.viewport
    }

    /// Whether the screen is wider than high.
    pub fn is_landscape(&self) -> bool {
        self.viewport.is_landscape()
    }

    /// Says where the app is, for people: an activity, a window title.
    pub fn place(&mut self, name: impl Into<Str>) {
        *self.place = name.into();
    }

    pub(crate) fn is_across(&self) -> bool {
        self.flow.across
    }

    /// Adds an element of any role; width 0 is all the width there is.
    pub fn add(&mut self, role: Role, size: Size, takes: State) -> Widget<'_, 'a> {
        self.before = self.flow;
        let bounds = self.flow.put(size.width, size.height);
        let parent = self.parent;
        let state = PLAIN | takes;
        self.elements.push(Element { role, bounds, state, parent, ..Element::default() });
        Widget { page: self }
    }

    /// Adds a row: what is drawn in it stands side by side, and wraps where the width ends.
    pub fn row(&mut self, content: impl FnOnce(&mut Self)) {
        let outer = self.flow;
        let width = outer.right - outer.x;
        self.flow = Flow { across: true, ..Flow::column(outer.x, outer.y, width) };
        content(self);
        self.close(outer, outer.y, width);
    }

    /// Adds a column of this width; width 0 is all the width there is.
    pub fn column(&mut self, width: i32, content: impl FnOnce(&mut Self)) {
        let outer = self.flow;
        let at = self.flow.put(width, 0);
        self.flow = Flow::column(at.x, at.y, at.width);
        content(self);
        self.close(outer, at.y, at.width);
    }

    fn close(&mut self, mut outer: Flow, top: i32, width: i32) {
        let height = self.flow.bottom - top;
        outer.put(width, height.max(0));
        self.flow = outer;
    }

    /// Leaves so many pixels free.
    pub fn space(&mut self, pixels: i32) {
        if self.flow.across {
            self.flow.x += pixels;
        } else {
            self.flow.y += pixels;
        }
    }

    /// Adds a group: an element that others are part of.
    pub fn group(&mut self, id: impl Into<Str>, content: impl FnOnce(&mut Self)) {
        self.named_group(id, "", content);
    }

    /// Adds a group with a name.
    pub fn named_group(
        &mut self,
        id: impl Into<Str>,
        name: impl Into<Str>,
        content: impl FnOnce(&mut Self),
    ) {
        let index = self.elements.len();
        let outer = self.flow;
        let width = outer.right - outer.x;
        self.add(Role::Group, Size::new(width, 1), State::empty()).id(id).text(name);
        self.flow = Flow::column(outer.x, outer.y, width);
        self.inside(index, content);
        let height = (self.flow.bottom - outer.y).max(1);
        self.elements[index].bounds.height = height;
        self.close(outer, outer.y, width);
    }

    fn inside(&mut self, index: usize, content: impl FnOnce(&mut Self)) {
        let outer = self.parent.replace(index as u32);
        content(self);
        self.parent = outer;
    }

    /// Adds a list `height` pixels high of `count` rows of `row` pixels each, of which only the
    /// visible ones are on the screen.
    pub fn list(
        &mut self,
        id: impl Into<Str>,
        height: i32,
        row: i32,
        count: usize,
        mut content: impl FnMut(&mut Self, usize),
    ) {
        let id = id.into();
        let index = self.elements.len();
        let row = row.max(1);
        let total = i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(row);
        let offset = self.scrolls.position(&id, (total - height).max(0));
        self.add(Role::List, Size::new(0, height), State::SCROLLABLE).id(id);
        let bounds = self.elements[index].bounds;
        let outer = (self.flow, self.before);
        let first = (offset / row) as usize;
        let last = (((offset + height - 1) / row) as usize + 1).min(count);
        self.inside(index, |page| {
            for number in first..last {
                let top = bounds.y + number as i32 * row - offset;
                page.flow = Flow::column(bounds.x, top, bounds.width);
                content(page, number);
            }
        });
        self.trim(index + 1, bounds);
        (self.flow, self.before) = outer;
    }

    /// Adds a scrolling container `height` pixels high, of which only the visible content is on
    /// the screen.
    pub fn scroll(&mut self, id: impl Into<Str>, height: i32, content: impl FnOnce(&mut Self)) {
        let id = id.into();
        let index = self.elements.len();
        let drawn_at = self.scrolls.last_position(&id);
        self.add(Role::Group, Size::new(0, height), State::SCROLLABLE).id(id.clone());
        let bounds = self.elements[index].bounds;
        let outer = (self.flow, self.before);
        self.flow = Flow::column(bounds.x, bounds.y - drawn_at, bounds.width);
        self.inside(index, content);
        let total = self.flow.bottom + drawn_at - bounds.y;
        let offset = self.scrolls.position(&id, (total - height).max(0));
        if offset != drawn_at {
            for element in &mut self.elements[index + 1..] {
                element.bounds.y += drawn_at - offset;
            }
        }
        self.trim(index + 1, bounds);
        (self.flow, self.before) = outer;
    }

    /// Cuts off what is outside of `clip`, and takes away what is outside altogether.
    fn trim(&mut self, from: usize, clip: Rect) {
        let mut gone = false;
        for element in &mut self.elements[from..] {
            element.bounds = intersection(element.bounds, clip);
            gone |= element.bounds.is_empty();
        }
        if !gone {
            return;
        }
        let renumbering = &mut self.scrolls.renumbering;
        renumbering.clear();
        let container = Some((from - 1) as u32);
        let mut kept = from;
        for old in from..self.elements.len() {
            let parent = self.elements[old].parent.and_then(|parent| {
                match (parent as usize).checked_sub(from) {
                    None => Some(parent),
                    Some(index) => renumbering.get(index).copied().flatten(),
                }
            });
            self.elements[old].parent = parent.or(container);
            if self.elements[old].bounds.is_empty() {
                renumbering.push(parent);
            } else {
                renumbering.push(Some(kept as u32));
                self.elements.swap(kept, old);
                kept += 1;
            }
        }
        self.elements.truncate(kept);
    }

    /// Opens a dialog in front of everything drawn so far: a veil over the whole screen, and on it
    /// a window of at most 300 by 300 pixels.
    pub fn dialog(
        &mut self,
        id: impl Into<Str>,
        title: impl Into<Str>,
        content: impl FnOnce(&mut Self),
    ) {
        let Size { width, height } = self.viewport;
        let wide = (width - 40).min(300);
        let high = (height - 40).min(300);
        self.window(
            id,
            title,
            Rect::new((width - wide) / 2, (height - high) / 2, wide, high),
            content,
        );
    }

    /// Opens a dialog with these bounds in front of everything drawn so far.
    pub fn window(
        &mut self,
        id: impl Into<Str>,
        title: impl Into<Str>,
        bounds: Rect,
        content: impl FnOnce(&mut Self),
    ) {
        let Size { width, height } = self.viewport;
        let veil = Rect::new(0, 0, width, height);
        self.in_front(Role::Dialog, veil, id.into(), title.into(), bounds, content);
    }

    /// Opens a menu with these bounds in front of everything drawn so far. Only what is below its
    /// upper edge is behind it: another menu of a bar of menus can be opened.
    pub fn menu(
        &mut self,
        id: impl Into<Str>,
        title: impl Into<Str>,
        bounds: Rect,
        content: impl FnOnce(&mut Self),
    ) {
        let Size { width, height } = self.viewport;
        let veil = Rect::new(0, bounds.y, width, (height - bounds.y).max(1));
        self.in_front(Role::Menu, veil, id.into(), title.into(), bounds, content);
    }

    fn in_front(
        &mut self,
        role: Role,
        veil: Rect,
        id: Str,
        title: Str,
        bounds: Rect,
        content: impl FnOnce(&mut Self),
    ) {
        let outer = (self.flow, self.before, self.parent.take());
        self.add(Role::Group, Size::new(1, 1), State::empty())
            .at(veil.x, veil.y, veil.width, veil.height)
            .opaque();
        let index = self.elements.len();
        self.add(role, Size::new(1, 1), State::empty())
            .at(bounds.x, bounds.y, bounds.width, bounds.height)
            .id(id)
            .text(title)
            .opaque();
        self.flow = Flow::column(bounds.x + GAP, bounds.y + GAP, bounds.width - 2 * GAP);
        self.inside(index, content);
        (self.flow, self.before, self.parent) = outer;
    }
}

fn intersection(a: Rect, b: Rect) -> Rect {
    let left = a.x.max(b.x);
    let top = a.y.max(b.y);
    let right = (a.x + a.width).min(b.x + b.width);
    let bottom = (a.y + a.height).min(b.y + b.height);
    Rect::new(left, top, (right - left).max(0), (bottom - top).max(0))
}
