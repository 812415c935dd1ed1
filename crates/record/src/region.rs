//! What part of a screen an element is in: a dialog, the navigation, the content, the foot.
//!
//! On its own because it is said in several ways: by roles, by the names of elements, and by
//! classes that are in common use.

use crate::words::{Word, set, words_of_id};
use capuchin::ui::{Role, Screen, State};

/// A part of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Region {
    /// Nothing says what it is.
    #[default]
    Unknown,
    /// A dialog in front of the rest.
    Dialog,
    /// Bars, menus, tabs, drawers and sidebars.
    Navigation,
    /// What the app is about.
    Content,
    /// What stands below everything.
    Foot,
}

impl Region {
    /// Whether what was in this part may be in the other on another layout: a drawer may be a
    /// dialog.
    pub(crate) fn may_be(self, other: Region) -> bool {
        self == other || (self == Region::Navigation && other == Region::Dialog)
    }
}

/// Of each element, the innermost part that it is in.
pub(crate) fn regions(screen: &Screen) -> Vec<Region> {
    let words = |text: &str| set(words_of_id(text));
    let navigation = words("nav navbar navigation menu sidebar sidenav drawer tabs toolbar header");
    let foot = words("footer");
    // They have heads, feet, tabs and menus of their own.
    let parts =
        words("card panel box modal dialog section accordion collapsible widget table list");
    let holds_content = holds_content(screen);
    let mut regions: Vec<Region> = Vec::with_capacity(screen.elements.len());
    for (index, element) in screen.elements.iter().enumerate() {
        let parent = element.parent.map(|parent| parent as usize).filter(|up| *up < index);
        let around = parent.map_or(Region::Unknown, |up| regions[up]);
        let is_container = !holds_content[index]
            && !element.is(State::CLICKABLE)
            && !matches!(element.role, Role::Link | Role::Button | Role::Item | Role::Label);
        // The last word says what it is: a `nav-content` is no navigation, a `main-nav` is.
        let has = |some: &[Word]| {
            let mut classes = element.classes.split_whitespace();
            let is_one = |class: &str| {
                let said = words_of_id(class);
                let is_said = |word: &Word| {
                    some.contains(word) && words_of_id(last_part(class)).contains(word)
                };
                said.last().is_some_and(is_said) && !said.iter().any(|word| parts.contains(word))
            };
            is_container && classes.any(is_one)
        };
        regions.push(match (element.role, element.native.as_str()) {
            (Role::Dialog, _) => Region::Dialog,
            (_, "nav") | (Role::Menu, _) => Region::Navigation,
            (_, "footer") => Region::Foot,
            (_, "main" | "article" | "table") => Region::Content,
            _ if around == Region::Unknown && has(&foot) => Region::Foot,
            _ if around == Region::Unknown && has(&navigation) => Region::Navigation,
            _ => around,
        });
    }
    regions
}

/// Of each element, whether content is in it: then it is the page, whatever its classes say.
fn holds_content(screen: &Screen) -> Vec<bool> {
    let mut holds = vec![false; screen.elements.len()];
    for (index, element) in screen.elements.iter().enumerate() {
        if matches!(element.native.as_str(), "main" | "article" | "section") {
            screen.ancestors(index).for_each(|above| holds[above] = true);
        }
    }
    holds
}

/// What follows the last sign in a class.
fn last_part(class: &str) -> &str {
    class.rsplit(['-', '_']).next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::Element;

    fn check(rows: &[(Role, &str, &str, Option<u32>)], expected: &[Region]) {
        let element = |(role, native, classes, parent): &(Role, &str, &str, Option<u32>)| Element {
            role: *role,
            native: (*native).into(),
            classes: (*classes).into(),
            parent: *parent,
            ..Element::default()
        };
        let elements = rows.iter().map(element).collect();
        assert_eq!(regions(&Screen { elements, ..Screen::default() }), expected);
    }

    #[test]
    fn the_innermost_part_counts() {
        check(
            &[
                (Role::Group, "main", "", None),
                (Role::Group, "nav", "", Some(0)),
                (Role::Link, "a", "", Some(1)),
                (Role::Label, "p", "", Some(0)),
                (Role::Dialog, "div", "", Some(0)),
                (Role::Button, "button", "", Some(4)),
            ],
            &[
                Region::Content,
                Region::Navigation,
                Region::Navigation,
                Region::Content,
                Region::Dialog,
                Region::Dialog,
            ],
        );
    }

    #[test]
    fn classes_say_it_where_nothing_else_does() {
        check(
            &[
                (Role::Group, "div", "app-sidebar", None),
                (Role::Link, "a", "", Some(0)),
                (Role::Group, "div", "nav-content", None),
                (Role::Link, "a", "nav-link", Some(2)),
                (Role::Group, "div", "grid-for-nav", None),
                (Role::Group, "section", "", Some(4)),
            ],
            &[
                Region::Navigation,
                Region::Navigation,
                Region::Unknown,
                Region::Unknown,
                Region::Unknown,
                Region::Unknown,
            ],
        );
    }
}
