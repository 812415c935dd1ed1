//! The widgets of a page, and what can be said about each.
//!
//! On its own because a page places widgets, and a widget is then described without the page.

use crate::Page;
use capuchin_ui::{Element, Rect, Role, Size, State, Str};

/// The widget that was just added to a page, to be described further.
#[derive(Debug)]
pub struct Widget<'w, 'a> {
    pub(crate) page: &'w mut Page<'a>,
}

const CLICK: State = State::CLICKABLE;

impl<'a> Page<'a> {
    /// Adds a title.
    pub fn heading(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Heading, Size::new(0, 32), State::empty()).id(id).text(text)
    }

    /// Adds a text that cannot be edited.
    pub fn label(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        let width = if self.is_across() { 96 } else { 0 };
        self.add(Role::Label, Size::new(width, 24), State::empty()).id(id).text(text)
    }

    /// Adds a button.
    pub fn button(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Button, Size::new(96, 36), CLICK).id(id).text(text)
    }

    /// Adds a field: what it says while it is empty, and what is in it.
    pub fn field(
        &mut self,
        id: impl Into<Str>,
        hint: impl Into<Str>,
        value: impl Into<Str>,
    ) -> Widget<'_, 'a> {
        let width = if self.is_across() { 160 } else { 0 };
        self.add(Role::Field, Size::new(width, 36), CLICK | State::EDITABLE)
            .id(id)
            .hint(hint)
            .value(value)
    }

    /// Adds a checkbox, ticked or not.
    pub fn checkbox(
        &mut self,
        id: impl Into<Str>,
        text: impl Into<Str>,
        checked: bool,
    ) -> Widget<'_, 'a> {
        self.two_state(Role::Checkbox, checked).id(id).text(text)
    }

    /// Adds a switch, on or off.
    pub fn switch(&mut self, id: impl Into<Str>, text: impl Into<Str>, on: bool) -> Widget<'_, 'a> {
        self.two_state(Role::Switch, on).id(id).text(text)
    }

    fn two_state(&mut self, role: Role, set: bool) -> Widget<'_, 'a> {
        let mut takes = CLICK | State::CHECKABLE;
        takes.set(State::CHECKED, set);
        self.add(role, Size::new(160, 32), takes)
    }

    /// Adds an entry of a list.
    pub fn item(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Item, Size::new(0, 40), CLICK).id(id).text(text)
    }

    /// Adds an entry of a menu.
    pub fn command(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Command, Size::new(0, 36), CLICK).id(id).text(text)
    }

    /// Adds a tab.
    pub fn tab(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Tab, Size::new(80, 36), CLICK).id(id).text(text)
    }

    /// Adds a link.
    pub fn link(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Link, Size::new(120, 24), CLICK).id(id).text(text)
    }

    /// Adds a picture and what it is described as.
    pub fn image(&mut self, id: impl Into<Str>, text: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Image, Size::new(64, 64), State::empty()).id(id).text(text)
    }

    /// Adds a bar that says how far something has got.
    pub fn progress(&mut self, id: impl Into<Str>, value: impl Into<Str>) -> Widget<'_, 'a> {
        self.add(Role::Progress, Size::new(0, 8), State::empty()).id(id).value(value)
    }
}

impl Widget<'_, '_> {
    /// The page adds an element before it hands out a widget, so there is one.
    fn with(self, change: impl FnOnce(&mut Element)) -> Self {
        if let Some(element) = self.page.elements.last_mut() {
            change(element);
        }
        self
    }

    /// Where it is.
    pub fn bounds(&self) -> Rect {
        self.page.elements.last().map(|element| element.bounds).unwrap_or_default()
    }

    /// Says what its id is.
    pub fn id(self, id: impl Into<Str>) -> Self {
        self.with(|element| element.id = id.into())
    }

    /// Says which classes it has, with a space between each two.
    pub fn classes(self, classes: impl Into<Str>) -> Self {
        self.with(|element| element.classes = classes.into())
    }

    /// Says what it says.
    pub fn text(self, text: impl Into<Str>) -> Self {
        self.with(|element| element.text = text.into())
    }

    /// Says what is in it.
    pub fn value(self, value: impl Into<Str>) -> Self {
        self.with(|element| element.value = value.into())
    }

    /// Says what it is described as.
    pub fn hint(self, hint: impl Into<Str>) -> Self {
        self.with(|element| element.hint = hint.into())
    }

    /// Gives it another size; width 0 is all the width there is.
    pub fn size(self, width: i32, height: i32) -> Self {
        self.page.flow = self.page.before;
        let bounds = self.page.flow.put(width, height);
        self.with(|element| element.bounds = bounds)
    }

    /// Puts it at a place of its own, outside of the flow.
    pub fn at(self, x: i32, y: i32, width: i32, height: i32) -> Self {
        self.page.flow = self.page.before;
        self.with(|element| element.bounds = Rect::new(x, y, width, height))
    }

    /// Says what more it takes or is.
    pub fn also(self, state: State) -> Self {
        self.with(|element| element.state |= state)
    }

    /// Greys it out.
    pub fn disabled(self) -> Self {
        self.enabled(false)
    }

    /// Greys it out or not.
    pub fn enabled(self, enabled: bool) -> Self {
        self.with(|element| element.state.set(State::ENABLED, enabled))
    }

    /// Hides it; it keeps its place.
    pub fn hidden(self) -> Self {
        self.with(|element| element.state.remove(State::DISPLAYED))
    }

    /// Makes it take clicks.
    pub fn clickable(self) -> Self {
        self.also(State::CLICKABLE)
    }

    /// Makes it take long clicks.
    pub fn long_clickable(self) -> Self {
        self.also(State::LONG_CLICKABLE)
    }

    /// Makes it take swipes, which the app is told of.
    pub fn swipeable(self) -> Self {
        self.also(State::SCROLLABLE)
    }

    /// Says whether it is the chosen one of several.
    pub fn selected(self, selected: bool) -> Self {
        self.with(|element| element.state.set(State::SELECTED, selected))
    }

    /// Makes it take all clicks at its place, so that what is behind it is covered.
    pub fn opaque(self) -> Self {
        self.page.has_opaque = true;
        self.also(State::OPAQUE)
    }
}
