//! Properties of a screen: predicates, comparisons, and the propositions made of them.

use crate::{BadRegex, Comparison, Expr, argument::Pattern};
use capuchin_ui::{Screen, Selector, State, Str};
use std::fmt;
use std::sync::Arc;

/// A property of what a device shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Prop {
    /// Always or never.
    Constant(bool),
    /// An element passes a built-in test.
    Element(ElementTest, Selector),
    /// An element says exactly this.
    HasText(Selector, Str),
    /// Two values compare so.
    Compare(Expr, Comparison, Expr),
    /// A text as a whole matches a regular expression.
    Matches(Expr, Pattern),
    /// A text has this part.
    Contains(Expr, Expr),
    /// A predicate that the device answers, of these values. Of a value that is not there, no
    /// predicate holds.
    User(Str, Vec<Expr>),
    /// A test written in Rust.
    Screen(ScreenTest),
    /// Not.
    Not(Box<Prop>),
    /// All of them.
    And(Vec<Prop>),
    /// At least one of them.
    Or(Vec<Prop>),
    /// The second if the first.
    Implies(Box<Prop>, Box<Prop>),
}

impl Prop {
    /// A property tested by Rust code. `name` is how it is printed.
    pub fn screen(
        name: impl Into<Str>,
        test: impl Fn(&Screen) -> bool + Send + Sync + 'static,
    ) -> Self {
        Prop::Screen(ScreenTest { name: name.into(), test: Arc::new(test) })
    }

    /// The value, as text, matches this regular expression as a whole.
    pub fn matches(value: Expr, regex: &str) -> Result<Self, BadRegex> {
        Pattern::new(regex).map(|pattern| Prop::Matches(value, pattern))
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Prop) -> Prop {
        let mut all = Vec::new();
        for part in [self, other] {
            match part {
                Prop::And(parts) => all.extend(parts),
                part => all.push(part),
            }
        }
        Prop::And(all)
    }

    /// One or both.
    #[must_use]
    pub fn or(self, other: Prop) -> Prop {
        let mut all = Vec::new();
        for part in [self, other] {
            match part {
                Prop::Or(parts) => all.extend(parts),
                part => all.push(part),
            }
        }
        Prop::Or(all)
    }

    /// `other`, wherever this holds.
    #[must_use]
    pub fn implies(self, other: Prop) -> Prop {
        Prop::Implies(Box::new(self), Box::new(other))
    }
}

impl Prop {
    /// Adds the names of the predicates and values in it that only the app can tell.
    pub(crate) fn add_names(&self, names: &mut Vec<Str>) {
        match self {
            Prop::User(name, _) => names.push(name.clone()),
            Prop::Not(inner) => inner.add_names(names),
            Prop::And(all) | Prop::Or(all) => all.iter().for_each(|prop| prop.add_names(names)),
            Prop::Implies(condition, consequence) => {
                condition.add_names(names);
                consequence.add_names(names);
                return;
            }
            _ => {}
        }
        if !matches!(self, Prop::Not(_) | Prop::And(_) | Prop::Or(_)) {
            self.visit_values(&mut |value| {
                if let Expr::Ask(name, _) = value {
                    names.push(name.clone());
                }
            });
        }
    }
}

impl std::ops::Not for Prop {
    type Output = Prop;

    fn not(self) -> Prop {
        Prop::Not(Box::new(self))
    }
}

/// The built-in tests of one element. Each wants the element to be displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementTest {
    /// It is on the screen.
    Displayed,
    /// It is there for a finger to click, and does something then.
    Clickable,
    /// It is not greyed out.
    Enabled,
    /// It is greyed out.
    Disabled,
    /// Its tick is set.
    Checked,
    /// It is the chosen one of several.
    Selected,
    /// What is typed goes to it.
    Focused,
    /// It takes text.
    Editable,
}

impl ElementTest {
    /// All of them.
    pub const ALL: [ElementTest; 8] = [
        ElementTest::Displayed,
        ElementTest::Clickable,
        ElementTest::Enabled,
        ElementTest::Disabled,
        ElementTest::Checked,
        ElementTest::Selected,
        ElementTest::Focused,
        ElementTest::Editable,
    ];

    /// The test's name in the trace language.
    pub const fn name(self) -> &'static str {
        match self {
            ElementTest::Displayed => "isDisplayed",
            ElementTest::Clickable => "isClickable",
            ElementTest::Enabled => "isEnabled",
            ElementTest::Disabled => "isDisabled",
            ElementTest::Checked => "isChecked",
            ElementTest::Selected => "isSelected",
            ElementTest::Focused => "isFocused",
            ElementTest::Editable => "isEditable",
        }
    }

    /// Whether some displayed element that the selector fits passes.
    pub fn passes(self, screen: &Screen, selector: &Selector) -> bool {
        screen.find(selector).any(|(_, element)| match self {
            ElementTest::Displayed => true,
            ElementTest::Clickable => {
                element.is(State::CLICKABLE | State::ENABLED) && screen.is_reachable(element)
            }
            ElementTest::Enabled => element.is(State::ENABLED),
            ElementTest::Disabled => !element.is(State::ENABLED),
            ElementTest::Checked => element.is(State::CHECKED),
            ElementTest::Selected => element.is(State::SELECTED),
            ElementTest::Focused => element.is(State::FOCUSED),
            ElementTest::Editable => element.is(State::EDITABLE | State::ENABLED),
        })
    }
}

/// A test of a screen written in Rust. Two of them are equal if they have the same name.
#[derive(Clone)]
pub struct ScreenTest {
    /// How it is printed.
    pub name: Str,
    test: Arc<dyn Fn(&Screen) -> bool + Send + Sync>,
}

impl ScreenTest {
    /// Whether it passes.
    pub fn passes(&self, screen: &Screen) -> bool {
        (self.test)(screen)
    }
}

impl PartialEq for ScreenTest {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for ScreenTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScreenTest({})", self.name)
    }
}
