//! One element of a screen: what it is, what it says, where it is and what it takes.
//!
//! On its own because it is what a driver makes of a platform's widget: the roles and states that
//! all platforms share are here, each in one line.

use crate::{Point, Rect, Str};
use bitflags::bitflags;

/// Makes [`Role`] of a table: a new role is one line of it, and is known everywhere by its name.
macro_rules! roles {
    ($($(#[$meta:meta])* $role:ident = $name:literal,)*) => {
        /// What an element is, in words that mean the same on every platform.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Role {
            $($(#[$meta])* $role,)*
        }

        impl Role {
            /// Every role, in the order in which the reference lists them.
            pub const ALL: &'static [Role] = &[$(Role::$role),*];

            /// The role's name in the trace language.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Role::$role => $name,)*
                }
            }

            /// The role of this name.
            pub fn named(name: &str) -> Option<Role> {
                match name {
                    $($name => Some(Role::$role),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    /// Something that is pressed.
    Button = "button",
    /// Something with two states, ticked or not.
    Checkbox = "checkbox",
    /// Text that can be edited.
    Field = "field",
    /// Text that cannot be edited.
    Label = "label",
    /// A title of a part of the screen.
    Heading = "heading",
    /// A link to somewhere else.
    Link = "link",
    /// A picture.
    Image = "image",
    /// A list, a table or a grid.
    List = "list",
    /// One entry of a list, a table or a grid.
    Item = "item",
    /// One of several of which one is chosen.
    Radio = "radio",
    /// Something that is on or off.
    Switch = "switch",
    /// A value chosen by dragging.
    Slider = "slider",
    /// A choice that opens.
    Combobox = "combobox",
    /// One choice of a combobox.
    Choice = "choice",
    /// A tab of a tab bar.
    Tab = "tab",
    /// A menu or a navigation drawer.
    Menu = "menu",
    /// An entry of a menu.
    Command = "command",
    /// A window on top of the others that wants an answer.
    Dialog = "dialog",
    /// How far something has got.
    Progress = "progress",
    /// A part of a screen that groups others.
    #[default]
    Group = "group",
}

bitflags! {
    /// What state an element is in and what it takes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct State: u32 {
        /// It is on the screen, at least in part, or the device can bring it there.
        const DISPLAYED = 1;
        /// It is not greyed out.
        const ENABLED = 1 << 1;
        /// Something else is on top of it at the point where a click would go.
        const COVERED = 1 << 2;
        /// It does something when clicked.
        const CLICKABLE = 1 << 3;
        /// It does something when pressed for long.
        const LONG_CLICKABLE = 1 << 4;
        /// Text can be typed into it.
        const EDITABLE = 1 << 5;
        /// It can be scrolled or swiped.
        const SCROLLABLE = 1 << 6;
        /// It has a tick, set or not.
        const CHECKABLE = 1 << 7;
        /// Its tick is set.
        const CHECKED = 1 << 8;
        /// It is the chosen one of several.
        const SELECTED = 1 << 9;
        /// What is typed goes to it.
        const FOCUSED = 1 << 10;
        /// It takes all clicks at its place, also where it shows nothing: a dialog, a veil.
        const OPAQUE = 1 << 11;
        /// It is not in view, and the device brings it there before an event that goes to it.
        const REVEALS = 1 << 12;
        /// It opens and closes something else: a menu, a drawer, a part of the screen.
        const EXPANDABLE = 1 << 13;
        /// What it opens is open.
        const EXPANDED = 1 << 14;
    }
}

/// One element of a screen.
///
/// Ids, texts and the native class are the platform's own; the role is ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// What it is.
    pub role: Role,
    /// The identifier that the app's author gave it, or empty.
    pub id: Str,
    /// The classes that it has, with a space between each two; empty where the platform has none.
    pub classes: Str,
    /// What it says, or its accessible name.
    pub text: Str,
    /// What a user has put into it: the content of a field, the position of a slider.
    pub value: Str,
    /// What it says while it is empty (a placeholder), or what it is described as.
    pub hint: Str,
    /// What the platform calls it.
    pub native: Str,
    /// Where a click on it leads, as the app's author wrote it: the address of a link, or `#` and
    /// the id of what it opens, closes or labels. Empty where the platform does not say.
    pub leads_to: Str,
    /// Where it is.
    pub bounds: Rect,
    /// What state it is in and what it takes.
    pub state: State,
    /// The index of the element that it is part of; `None` at the root.
    pub parent: Option<u32>,
}

impl Element {
    /// Whether all of these hold.
    pub fn is(&self, state: State) -> bool {
        self.state.contains(state)
    }

    /// The point at which it is touched, pointed at or clicked: its middle.
    ///
    /// Everybody who needs that point asks here: what is covered or in view is decided for it, and
    /// drivers send input to it.
    pub fn touch_point(&self) -> Point {
        self.bounds.center()
    }

    /// Whether it has this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.classes.split_ascii_whitespace().any(|one| one == class)
    }

    /// What a person reads on it: what is in it if it is a field, else what it says.
    pub fn shown(&self) -> &Str {
        if self.is(State::EDITABLE) || self.text.is_empty() { &self.value } else { &self.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_is_found_by_its_name() {
        for role in Role::ALL {
            assert_eq!(Role::named(role.name()), Some(*role));
        }
        assert_eq!(Role::named("widget"), None);
    }
}
