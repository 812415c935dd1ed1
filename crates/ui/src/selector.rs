//! How an element is named: by id, class, text, role, state, place in another, its number among
//! several, or by any of several such names.
//!
//! On its own because it describes an element without a screen: a trace holds it, and `screen`
//! finds what it fits.

use crate::{Element, Quoted, Role, State, Str};
use std::fmt;

/// How a text is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextMatch {
    /// The whole text.
    Is(Str),
    /// A part of the text.
    Contains(Str),
}

impl TextMatch {
    fn matches(&self, text: &str) -> bool {
        match self {
            TextMatch::Is(wanted) => wanted == text,
            TextMatch::Contains(wanted) => text.contains(wanted.as_str()),
        }
    }
}

/// A description of elements. Everything that it says must hold; an empty one fits every element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// The element has this role.
    pub role: Option<Role>,
    /// The element has this id.
    pub id: Option<Str>,
    /// The element has this class.
    pub class: Option<Str>,
    /// The element says this, or hints at it.
    pub text: Option<TextMatch>,
    /// All of these hold of the element.
    pub is: State,
    /// None of these holds of the element.
    pub is_not: State,
    /// At least one of these fits the element, if there are any. Those that fit an earlier one come
    /// first. The constructors never leave just one, or one that is such a choice and nothing else.
    pub any_of: Vec<Selector>,
    /// The element is somewhere inside one that this fits.
    pub within: Option<Box<Selector>>,
    /// It is the n-th such element on the screen, counted from 1.
    pub nth: Option<u32>,
}

impl Selector {
    /// The words for states in the trace language: the word, the state, and whether it holds.
    pub const STATE_WORDS: [(&'static str, State, bool); 20] = [
        ("checked", State::CHECKED, true),
        ("unchecked", State::CHECKED, false),
        ("selected", State::SELECTED, true),
        ("unselected", State::SELECTED, false),
        ("enabled", State::ENABLED, true),
        ("disabled", State::ENABLED, false),
        ("focused", State::FOCUSED, true),
        ("unfocused", State::FOCUSED, false),
        ("clickable", State::CLICKABLE, true),
        ("unclickable", State::CLICKABLE, false),
        ("longClickable", State::LONG_CLICKABLE, true),
        ("unlongClickable", State::LONG_CLICKABLE, false),
        ("editable", State::EDITABLE, true),
        ("uneditable", State::EDITABLE, false),
        ("scrollable", State::SCROLLABLE, true),
        ("unscrollable", State::SCROLLABLE, false),
        ("checkable", State::CHECKABLE, true),
        ("uncheckable", State::CHECKABLE, false),
        ("covered", State::COVERED, true),
        ("uncovered", State::COVERED, false),
    ];

    /// The element with this id.
    pub fn id(id: impl Into<Str>) -> Self {
        Selector { id: Some(id.into()), ..Selector::default() }
    }

    /// The elements with this class.
    pub fn class(class: impl Into<Str>) -> Self {
        Selector { class: Some(class.into()), ..Selector::default() }
    }

    /// The elements that the one or the other fits, those of the first before those of the second.
    #[must_use]
    pub fn or(self, other: Selector) -> Self {
        Selector::one_of([self, other])
    }

    /// The elements that any of these fits, those of an earlier one before those of a later one; of
    /// none at all, every element.
    pub fn one_of(selectors: impl IntoIterator<Item = Selector>) -> Self {
        let mut any_of = Vec::new();
        for part in selectors {
            if part.is_only_a_choice() && part.nth.is_none() && part.within.is_none() {
                any_of.extend(part.any_of);
            } else {
                any_of.push(part);
            }
        }
        match any_of.len() {
            1 => any_of.swap_remove(0),
            _ => Selector { any_of, ..Selector::default() },
        }
    }

    /// The element that says this.
    pub fn text(text: impl Into<Str>) -> Self {
        Selector::default().saying(text)
    }

    /// The elements of this role.
    pub fn role(role: Role) -> Self {
        Selector { role: Some(role), ..Selector::default() }
    }

    /// Of these, those that say this.
    #[must_use]
    pub fn saying(mut self, text: impl Into<Str>) -> Self {
        self.text = Some(TextMatch::Is(text.into()));
        self
    }

    /// Of these, those whose text has this part.
    #[must_use]
    pub fn containing(mut self, part: impl Into<Str>) -> Self {
        self.text = Some(TextMatch::Contains(part.into()));
        self
    }

    /// Of these, those of which this holds.
    #[must_use]
    pub fn that_is(mut self, state: State) -> Self {
        self.is |= state;
        self
    }

    /// Of these, those of which this does not hold.
    #[must_use]
    pub fn that_is_not(mut self, state: State) -> Self {
        self.is_not |= state;
        self
    }

    /// Of these, those whose tick is set.
    #[must_use]
    pub fn checked(self) -> Self {
        self.that_is(State::CHECKED)
    }

    /// Of these, those whose tick is not set.
    #[must_use]
    pub fn unchecked(self) -> Self {
        self.that_is_not(State::CHECKED)
    }

    /// Of these, those inside an element that `outer` fits.
    #[must_use]
    pub fn inside(mut self, outer: Selector) -> Self {
        self.within = Some(Box::new(outer));
        self
    }

    /// The n-th of these, counted from 1.
    #[must_use]
    pub fn nth(mut self, n: u32) -> Self {
        self.nth = Some(n);
        self
    }

    /// Whether it fits the element, leaving aside `within` and `nth`, which need the screen.
    pub fn fits(&self, element: &Element) -> bool {
        self.fits_but_for_choice(element)
            && (self.any_of.is_empty() || self.any_of.iter().any(|one| one.fits(element)))
    }

    /// The same, leaving aside `any_of` too.
    pub(crate) fn fits_but_for_choice(&self, element: &Element) -> bool {
        self.id.as_ref().is_none_or(|id| *id == element.id)
            && self.class.as_ref().is_none_or(|class| element.has_class(class))
            && self.role.is_none_or(|role| role == element.role)
            && element.state.contains(self.is)
            && !element.state.intersects(self.is_not)
            && self.text.as_ref().is_none_or(|text| {
                text.matches(&element.text)
                    || (!element.hint.is_empty() && text.matches(&element.hint))
            })
    }

    /// Whether it says nothing of the element itself but that one of several fits it.
    fn is_only_a_choice(&self) -> bool {
        let Selector { role, id, class, text, is, is_not, any_of, within: _, nth: _ } = self;
        role.is_none()
            && id.is_none()
            && class.is_none()
            && text.is_none()
            && (*is | *is_not).is_empty()
            && !any_of.is_empty()
    }

    /// Displays it as the wildcard that chooses among what it fits.
    pub(crate) fn fmt_any(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everything =
            Selector { within: None, nth: None, ..self.clone() } == Selector::default();
        if everything {
            f.write_str("*")?;
        } else if self.is_only_a_choice() {
            self.fmt_choice(f, true)?;
        } else {
            self.fmt_call(f, true)?;
        }
        self.fmt_within(f)
    }

    /// `a | b`, in parentheses if something follows that is about all of them.
    fn fmt_choice(&self, f: &mut fmt::Formatter<'_>, any: bool) -> fmt::Result {
        let brackets = self.within.is_some() || (!any && self.nth.is_some());
        f.write_str(if brackets { "(" } else { "" })?;
        for (i, one) in self.any_of.iter().enumerate() {
            f.write_str(if i > 0 { " | " } else { "" })?;
            if any { one.fmt_any(f)? } else { write!(f, "{one}")? }
        }
        f.write_str(if brackets { ")" } else { "" })
    }

    fn fmt_call(&self, f: &mut fmt::Formatter<'_>, any: bool) -> fmt::Result {
        let mut args: Vec<String> = Vec::new();
        if any {
            args.push("*".into());
        }
        args.extend(self.id.as_deref().map(display_id));
        args.extend(self.class.as_deref().map(display_class));
        args.extend(self.text.as_ref().map(TextMatch::to_string));
        if !self.any_of.is_empty() {
            let any_of: Vec<String> = self.any_of.iter().map(Selector::to_string).collect();
            args.push(any_of.join(" | "));
        }
        for (word, state, holds) in Selector::STATE_WORDS {
            if (if holds { self.is } else { self.is_not }).contains(state) {
                args.push(word.into());
            }
        }
        f.write_str(self.role.map_or("element", Role::name))?;
        if args.is_empty() { Ok(()) } else { write!(f, "({})", args.join(", ")) }
    }

    fn fmt_within(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.within {
            Some(outer)
                if outer.is_only_a_choice() && outer.within.is_none() && outer.nth.is_none() =>
            {
                write!(f, " in ({outer})")
            }
            Some(outer) => write!(f, " in {outer}"),
            None => Ok(()),
        }
    }
}

/// Whether it can be written after a `#` or a `.` as it is.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.chars().all(plain)
}

fn display_id(id: &str) -> String {
    if is_plain(id) { format!("#{id}") } else { format!("id({})", Quoted(id)) }
}

fn display_class(class: &str) -> String {
    // A dot before a digit would be part of a number.
    if is_plain(class) && class.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        format!(".{class}")
    } else {
        format!("class({})", Quoted(class))
    }
}

impl fmt::Display for TextMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextMatch::Is(text) => Quoted(text).fmt(f),
            TextMatch::Contains(text) => write!(f, "~{}", Quoted(text)),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.role.is_none() && (self.is | self.is_not).is_empty();
        match (&self.id, &self.class, &self.text) {
            _ if self.is_only_a_choice() => self.fmt_choice(f, false)?,
            _ if !plain || !self.any_of.is_empty() => self.fmt_call(f, false)?,
            (Some(id), None, None) => f.write_str(&display_id(id))?,
            (None, Some(class), None) => f.write_str(&display_class(class))?,
            (None, None, Some(text)) => text.fmt(f)?,
            _ => self.fmt_call(f, false)?,
        }
        if let Some(n) = self.nth {
            write!(f, "[{n}]")?;
        }
        self.fmt_within(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_print_as_they_are_written() {
        let check = |selector: Selector, expected: &str| assert_eq!(selector.to_string(), expected);
        check(Selector::id("enter"), "#enter");
        check(Selector::id("com.app:id/x"), r#"id("com.app:id/x")"#);
        check(Selector::text("Save"), r#""Save""#);
        check(Selector::default().containing("av"), r#"~"av""#);
        check(Selector::role(Role::Button), "button");
        check(Selector::role(Role::Button).saying("Save").nth(2), r#"button("Save")[2]"#);
        check(
            Selector::role(Role::Checkbox).unchecked().inside(Selector::id("list")),
            "checkbox(unchecked) in #list",
        );
        check(Selector::default().checked(), "element(checked)");
        check(Selector::default(), "element");
        check(Selector::class("new-todo"), ".new-todo");
        check(Selector::class("5x"), r#"class("5x")"#);
        check(
            Selector { class: Some("big".into()), ..Selector::role(Role::Button).saying("Save") },
            r#"button(.big, "Save")"#,
        );
        let either = || Selector::id("list").or(Selector::class("list"));
        check(either().or(Selector::text("List")), r#"#list | .list | "List""#);
        check(Selector::role(Role::Item).inside(either()), "item in (#list | .list)");
        check(either().nth(2).inside(Selector::id("x")), "(#list | .list)[2] in #x");
        check(either().nth(2).or(Selector::id("x")), "(#list | .list)[2] | #x");
        check(either().checked(), "element(#list | .list, checked)");
    }
}
