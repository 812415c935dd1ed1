//! What a screen looks like to somebody who compares it with another: for each element its name,
//! its words, whom it stands beside and in, and whether it can be reached.
//!
//! On its own because it is computed once for a screen, in time linear in its elements, and then
//! read many times: segmentation, similarity, scores and patterns all live on it.

use crate::address::addresses;
use crate::region::{Region, regions};
use crate::words::{Word, is_generated, normalized, set, word_of, words_of_id, words_of_text};
use capuchin::ui::{Digest, Element, Role, Screen, State};

/// What is known of one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlined {
    /// What a person would call it, normalized; empty if it has no name.
    pub(crate) name: String,
    /// The number of its name, to compare it by.
    pub(crate) name_key: Word,
    /// The words of its name.
    pub(crate) name_words: Vec<Word>,
    /// The words of its id.
    pub(crate) id_words: Vec<Word>,
    /// The digest of its id, if an author chose it.
    pub(crate) id: Option<Word>,
    /// Where it leads, normalized; empty if nowhere.
    pub(crate) leads_to: String,
    /// The same as seen from the place of the screen: the page that a link opens. Empty if it opens
    /// none, if that is the page which is shown, or if so many lead there that it says nothing.
    pub(crate) address: String,
    /// What part of the screen it is in.
    pub(crate) region: Region,
    /// The words of its classes.
    pub(crate) classes: Vec<Word>,
    /// The words of what it is in: names and ids of the elements around it, but for the whole page.
    pub(crate) around: Vec<Word>,
    /// The words of the classes of the elements around it.
    pub(crate) within: Vec<Word>,
    /// The words of what stands beside it in the same element.
    pub(crate) beside: Vec<Word>,
    /// The row that it is in, or is.
    pub(crate) row: Option<usize>,
    /// The words of that row.
    pub(crate) row_words: Vec<Word>,
    /// Which of its siblings that row is, from 0.
    pub(crate) row_number: usize,
    /// How deep it is nested.
    pub(crate) depth: u32,
    /// The nearest element around it that scrolls.
    pub(crate) scroller: Option<u32>,
    /// Whether a finger reaches it, now or after the device brought it into view.
    pub(crate) is_reachable: bool,
    /// Whether it is a part of the screen that can be seen, and holds no other that can.
    pub(crate) is_leaf: bool,
}

/// A screen, and what is known of each of its elements: names, words, surroundings.
#[derive(Clone, Debug)]
pub struct Outline<'s> {
    pub(crate) screen: &'s Screen,
    pub(crate) views: Vec<Outlined>,
    pub(crate) children: Vec<Vec<u32>>,
}

/// How many elements inside of one are looked at for its name.
const MOST_PARTS: usize = 200;
/// The longest text that is a name: beyond that, it is content.
const LONGEST_NAME: usize = 80;

/// How far above an element the control may be that it is part of.
pub(crate) const LEVELS_IN_CONTROL: usize = 3;

/// How many levels up belong to what an element is in.
const LEVELS_AROUND: usize = 6;

impl<'s> Outline<'s> {
    /// Looks at a screen.
    pub fn new(screen: &'s Screen) -> Self {
        let count = screen.elements.len();
        let mut children = vec![Vec::new(); count];
        let mut views = Vec::with_capacity(count);
        for (index, element) in screen.elements.iter().enumerate() {
            let mut view = Outlined::default();
            let parent = element.parent.map(|parent| parent as usize).filter(|p| *p < index);
            if let Some(parent) = parent {
                children[parent].push(index as u32);
                let above: &Outlined = &views[parent];
                let scrolls = screen.elements[parent].is(State::SCROLLABLE);
                view.depth = above.depth + 1;
                view.scroller = if scrolls { Some(parent as u32) } else { above.scroller };
            }
            view.is_reachable = screen.is_reachable(element)
                && !is_aside(screen, element, view.scroller)
                && !is_in_covered(screen, index);
            view.id_words = set(words_of_id(&element.id));
            view.classes = set(words_of_id(&element.classes));
            let is_stable = !element.id.is_empty() && !is_generated(&element.id);
            view.id = is_stable.then(|| Digest::of(&element.id));
            view.leads_to = destination(&element.leads_to);
            views.push(view);
        }
        for ((view, region), address) in
            views.iter_mut().zip(regions(screen)).zip(addresses(screen))
        {
            (view.region, view.address) = (region, address);
        }
        let mut outline = Outline { screen, views, children };
        outline.classify_all();
        outline.name_all();
        outline.surround_all();
        outline
    }

    /// The screen.
    pub fn screen(&self) -> &'s Screen {
        self.screen
    }

    /// What a person would call an element, in lower case; empty if it has no name.
    pub fn name(&self, index: usize) -> &str {
        &self.views[index].name
    }

    pub(crate) fn element(&self, index: usize) -> &'s Element {
        &self.screen.elements[index]
    }

    pub(crate) fn is_displayed(&self, index: usize) -> bool {
        let element = self.element(index);
        element.is(State::DISPLAYED) && !element.bounds.is_empty()
    }

    /// Whether an element holds nearly all of the screen.
    pub(crate) fn is_page(&self, index: usize) -> bool {
        let (element, size) = (self.element(index), self.screen.viewport);
        let area = |width: i32, height: i32| i64::from(width) * i64::from(height);
        let share = area(element.bounds.width, element.bounds.height) * 10;
        element.role == Role::Group && share > area(size.width, size.height) * 9
    }

    /// Whether one is part of the other.
    pub(crate) fn are_nested(&self, one: usize, other: usize) -> bool {
        let (inner, outer) = (one.max(other), one.min(other));
        self.screen.ancestors(inner).any(|above| above == outer)
    }

    /// The elements inside of one, from the front of the list to the back.
    pub(crate) fn descendants(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open: Vec<u32> = self.children[index].iter().rev().copied().collect();
        while let Some(next) = open.pop() {
            found.push(next as usize);
            open.extend(self.children[next as usize].iter().rev());
        }
        found
    }

    /// The classes of what each is in.
    fn classify_all(&mut self) {
        for index in 0..self.views.len() {
            let mut within = Vec::new();
            for above in self.screen.ancestors(index).take(LEVELS_AROUND) {
                if !self.is_page(above) {
                    within.extend(&self.views[above].classes);
                }
            }
            self.views[index].within = set(within);
        }
    }

    /// Names, from the inside out: what has none of its own is called by what is in it.
    fn name_all(&mut self) {
        let screen = self.screen;
        for index in (0..self.views.len()).rev() {
            let element = &screen.elements[index];
            let shown = self.children[index].iter().any(|child| self.is_displayed(*child as usize));
            self.views[index].is_leaf = self.is_displayed(index) && !shown;
            let own = own_name(element);
            let name = if !own.is_empty() {
                normalized(own)
            } else if takes_name_from_content(element) {
                self.content_name(index)
            } else {
                String::new()
            };
            if !name.contains(char::is_alphanumeric) && takes_name_from_content(element) {
                // An icon says by its class what the control around it is.
                let icons = self.children[index].iter().take(4);
                let words = icons.flat_map(|icon| self.views[*icon as usize].classes.clone());
                let own = self.views[index].classes.iter().copied();
                self.views[index].classes = set(own.chain(words).collect());
            }
            self.views[index].name_words = set(words_of_text(&name));
            self.views[index].name_key = word_of(&name);
            self.views[index].name = name;
        }
    }

    fn content_name(&self, index: usize) -> String {
        let mut name = String::new();
        let children = |index: usize| self.children[index].iter().rev().copied();
        // A list of what is open instead of recursion: a file may nest as deep as it likes.
        let mut open: Vec<u32> = children(index).collect();
        for _ in 0..MOST_PARTS {
            let Some(child) = open.pop().map(|child| child as usize) else { break };
            if !self.is_displayed(child) {
                continue;
            }
            let part = &self.views[child].name;
            if part.is_empty() {
                open.extend(children(child));
                continue;
            }
            if name.len() + part.len() > LONGEST_NAME {
                break;
            }
            // A control and its label say the same.
            if name.ends_with(part.as_str()) {
                continue;
            }
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(part);
        }
        name
    }

    /// What each is in and beside.
    fn surround_all(&mut self) {
        let screen = self.screen;
        let ((headings, numbers), holds_rows) = (self.before_each(), self.holding_rows());
        for index in 0..self.views.len() {
            let mut around: Vec<Word> = Vec::new();
            let mut row = None;
            let mut inner = index;
            if is_row(&screen.elements[index]) {
                row = Some(index);
            }
            for above in screen.ancestors(index).take(LEVELS_AROUND) {
                let element = &screen.elements[above];
                if row.is_none() && is_row(element) {
                    row = Some(above);
                }
                if !self.is_page(above) {
                    around.extend(&self.views[above].id_words);
                    if own_name(element).len() <= LONGEST_NAME && !takes_name_from_content(element)
                    {
                        around.extend(&self.views[above].name_words);
                    }
                    let heading = headings[inner].map(|heading| &self.views[heading as usize]);
                    around.extend(heading.map_or(&[][..], |heading| &heading.name_words));
                }
                inner = above;
            }
            let beside = self.beside(index);
            let view = &mut self.views[index];
            view.around = set(around);
            view.beside = set(beside);
            view.row = row;
        }
        for index in 0..self.views.len() {
            let Some(row) = self.views[index].row else { continue };
            if row == index {
                self.views[row].row_words = self.words_of_row(row, holds_rows[row]);
                self.views[row].row_number = numbers[row];
            } else {
                self.views[index].row_words = self.views[row].row_words.clone();
                self.views[index].row_number = self.views[row].row_number;
            }
        }
    }

    /// The words of a row: of what is in it and can be seen, but for the rows in it. A row that
    /// holds a list of its own is called by its heading.
    fn words_of_row(&self, row: usize, holds_rows: bool) -> Vec<Word> {
        let element = self.element(row);
        let mut words = Vec::new();
        if !holds_rows || self.views[row].name.len() <= LONGEST_NAME && element.text.is_empty() {
            words.extend(&self.views[row].name_words);
        }
        let mut open: Vec<u32> = self.children[row].iter().rev().copied().collect();
        let mut looked_at = 0;
        while let (Some(next), true) = (open.pop(), looked_at < 24) {
            let inside = next as usize;
            let element = self.element(inside);
            if is_row(element) || element.role == Role::List || !self.is_displayed(inside) {
                continue;
            }
            looked_at += 1;
            if !holds_rows || !matches!(element.role, Role::Group) {
                words.extend(&self.views[inside].name_words);
            }
            open.extend(self.children[inside].iter().rev());
        }
        set(words)
    }

    /// Of each element, the last heading before it among its siblings, and how many rows are.
    fn before_each(&self) -> (Vec<Option<u32>>, Vec<usize>) {
        let (mut headings, mut rows) = (vec![None; self.views.len()], vec![0; self.views.len()]);
        for siblings in &self.children {
            let (mut heading, mut count) = (None, 0);
            for sibling in siblings {
                let element = self.element(*sibling as usize);
                headings[*sibling as usize] = heading;
                rows[*sibling as usize] = count;
                if element.role == Role::Heading {
                    heading = Some(*sibling);
                }
                count += usize::from(is_row(element));
            }
        }
        (headings, rows)
    }

    /// Of each element, whether a row is in it.
    fn holding_rows(&self) -> Vec<bool> {
        let mut holds = vec![false; self.views.len()];
        for index in (0..self.views.len()).rev() {
            let children = self.children[index].iter().map(|child| *child as usize);
            holds[index] =
                children.into_iter().any(|child| holds[child] || is_row(self.element(child)));
        }
        holds
    }

    /// The words of the four nearest siblings.
    fn beside(&self, index: usize) -> Vec<Word> {
        let Some(parent) = self.screen.elements[index].parent else { return Vec::new() };
        let siblings = &self.children[parent as usize];
        let Ok(at) = siblings.binary_search(&(index as u32)) else { return Vec::new() };
        let near = at.saturating_sub(2)..siblings.len().min(at + 3);
        let others = near.filter(|other| *other != at).map(|other| siblings[other] as usize);
        others.flat_map(|other| self.views[other].name_words.iter().take(6).copied()).collect()
    }
}

/// Whether an element that is out of view stays there, however far anything is scrolled: what it
/// scrolls in is out of view itself, or it is to the left of a page. (A drawer that is closed.)
fn is_aside(screen: &Screen, element: &Element, scroller: Option<u32>) -> bool {
    let size = screen.viewport;
    if size.contains(element.touch_point()) {
        return false;
    }
    match scroller.map(|index| screen.elements[index as usize].bounds) {
        Some(around) if around.width > 0 => around.x >= size.width || around.x + around.width <= 0,
        _ => element.bounds.x + element.bounds.width <= 0,
    }
}

/// Whether an element is part of a control that something covers: a device asks for controls what
/// lies on top of them, and not for every text in them.
fn is_in_covered(screen: &Screen, index: usize) -> bool {
    let takes = State::CLICKABLE | State::EDITABLE | State::LONG_CLICKABLE;
    if screen.elements[index].state.intersects(takes) {
        return false;
    }
    let mut around = screen.ancestors(index).take(LEVELS_IN_CONTROL);
    let control = around.find(|above| screen.elements[*above].state.intersects(takes));
    control.is_some_and(|control| screen.elements[control].is(State::COVERED))
}

/// What an element says that it is called.
fn own_name(element: &Element) -> &str {
    let is_field = element.is(State::EDITABLE);
    if !element.text.is_empty() {
        &element.text
    } else if !element.hint.is_empty() {
        &element.hint
    } else if !is_field && element.role != Role::Slider && element.role != Role::Progress {
        &element.value
    } else {
        ""
    }
}

/// Whether an element without a name is called by what is in it.
fn takes_name_from_content(element: &Element) -> bool {
    let takes = State::CLICKABLE | State::LONG_CLICKABLE;
    element.state.intersects(takes)
        || matches!(
            element.role,
            Role::Button | Role::Link | Role::Tab | Role::Command | Role::Item | Role::Choice
        )
}

fn is_row(element: &Element) -> bool {
    matches!(element.role, Role::Item)
}

/// Where it leads, so that two pages that say it differently say the same: without the origin,
/// `./`, `../` and a slash at either end. A bare `#` leads nowhere.
fn destination(leads_to: &str) -> String {
    let text = leads_to.trim();
    if text == "#" || text.is_empty() || text.starts_with("javascript:") {
        return String::new();
    }
    let text = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("/", |(_, path)| path),
        None => text,
    };
    let mut text = text.trim_matches('/');
    while let Some(rest) = text.strip_prefix("../").or_else(|| text.strip_prefix("./")) {
        text = rest;
    }
    let text = text.strip_suffix("index.html").unwrap_or(text).trim_end_matches('/');
    if text.is_empty() || text == "." || text == ".." { "/".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Rect, Size};

    pub(super) fn element(role: Role, text: &str, parent: Option<u32>) -> Element {
        Element {
            role,
            text: text.into(),
            bounds: Rect::new(0, 0, 10, 10),
            state: State::DISPLAYED | State::ENABLED,
            parent,
            ..Element::default()
        }
    }

    #[test]
    fn what_has_no_name_is_called_by_what_is_in_it() {
        let mut link = element(Role::Link, "", None);
        link.state |= State::CLICKABLE;
        let elements = vec![
            link,
            element(Role::Image, "Logo", Some(0)),
            element(Role::Label, "Home!", Some(0)),
            element(Role::Group, "", None),
        ];
        let screen = Screen { viewport: Size::new(99, 99), elements, ..Screen::default() };
        let outline = Outline::new(&screen);
        assert_eq!(outline.views[0].name, "logo home");
        assert_eq!(outline.views[3].name, "");
        assert!(outline.views[1].is_leaf && !outline.views[0].is_leaf);
    }

    #[test]
    fn an_address_is_the_same_from_every_page() {
        let check = |leads_to: &str, expected: &str| assert_eq!(destination(leads_to), expected);
        check("../Guides/Start/", "Guides/Start");
        check("https://example.org/Guides/Start/index.html", "Guides/Start");
        check("#navbar", "#navbar");
        check("#", "");
        check("./", "/");
        check("/", "/");
    }

    #[test]
    fn what_scrolls_in_a_closed_drawer_is_not_in_reach() {
        let check = |drawer: i32, is_reachable: bool| {
            let mut nav = element(Role::Group, "", None);
            nav.bounds = Rect::new(drawer, 0, 250, 90);
            nav.state |= State::SCROLLABLE;
            let mut link = element(Role::Link, "Inbox", Some(0));
            link.bounds = Rect::new(drawer, 120, 250, 30);
            link.state |= State::CLICKABLE | State::REVEALS;
            let elements = vec![nav, link];
            let screen = Screen { viewport: Size::new(400, 99), elements, ..Screen::default() };
            assert_eq!(Outline::new(&screen).views[1].is_reachable, is_reachable, "{drawer}");
        };
        check(0, true);
        check(-250, false);
        check(400, false);
    }

    #[test]
    fn elements_may_be_nested_as_deep_as_a_file_says() {
        let nested = |index: u32| {
            let state = State::DISPLAYED | State::ENABLED | State::CLICKABLE;
            Element { state, parent: index.checked_sub(1), ..Element::default() }
        };
        let screen = Screen { elements: (0..20_000).map(nested).collect(), ..Screen::default() };
        assert_eq!(Outline::new(&screen).views[0].name, "");
    }

    #[test]
    fn a_row_is_known_by_its_words_and_its_number() {
        let elements = vec![
            element(Role::List, "", None),
            element(Role::Item, "", Some(0)),
            element(Role::Label, "Milk", Some(1)),
            element(Role::Item, "", Some(0)),
            element(Role::Label, "Bread", Some(3)),
            element(Role::Button, "Edit", Some(3)),
        ];
        let screen = Screen { viewport: Size::new(99, 99), elements, ..Screen::default() };
        let outline = Outline::new(&screen);
        let edit = &outline.views[5];
        assert_eq!((edit.row, edit.row_number), (Some(3), 1));
        assert!(edit.row_words.contains(&words_of_text("Bread")[0]));
        assert!(edit.beside.contains(&words_of_text("Bread")[0]));
    }
}
