//! How an element is named: by id, text, role, state, place in another, or its number among several.

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
    /// The element says this, or hints at it.
    pub text: Option<TextMatch>,
    /// All of these hold of the element.
    pub is: State,
    /// None of these holds of the element.
    pub is_not: State,
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
        self.id.as_ref().is_none_or(|id| *id == element.id)
            && self.role.is_none_or(|role| role == element.role)
            && element.state.contains(self.is)
            && !element.state.intersects(self.is_not)
            && self.text.as_ref().is_none_or(|text| {
                text.matches(&element.text)
                    || (!element.hint.is_empty() && text.matches(&element.hint))
            })
    }

    /// Displays it as the wildcard that chooses among what it fits.
    pub(crate) fn fmt_any(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everything =
            Selector { within: None, nth: None, ..self.clone() } == Selector::default();
        if everything {
            f.write_str("*")?;
        } else {
            self.fmt_call(f, true)?;
        }
        self.fmt_within(f)
    }

    fn fmt_call(&self, f: &mut fmt::Formatter<'_>, any: bool) -> fmt::Result {
        let mut args: Vec<String> = Vec::new();
        if any {
            args.push("*".into());
        }
        if let Some(id) = &self.id {
            args.push(display_id(id));
        }
        match &self.text {
            Some(TextMatch::Is(text)) => args.push(Quoted(text).to_string()),
            Some(TextMatch::Contains(text)) => args.push(format!("~{}", Quoted(text))),
            None => {}
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
            Some(outer) => write!(f, " in {outer}"),
            None => Ok(()),
        }
    }
}

fn display_id(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !id.is_empty() && id.chars().all(plain) {
        format!("#{id}")
    } else {
        format!("id({})", Quoted(id))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let only_states = self.is.is_empty() && self.is_not.is_empty() && self.role.is_none();
        match (&self.id, &self.text) {
            (Some(id), None) if only_states => f.write_str(&display_id(id))?,
            (None, Some(TextMatch::Is(text))) if only_states => Quoted(text).fmt(f)?,
            (None, Some(TextMatch::Contains(text))) if only_states => {
                write!(f, "~{}", Quoted(text))?;
            }
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
    }
}
