//! Value expressions: what is seen on a screen as text and numbers, and what is computed from it.

use capuchin_ui::{Selector, Str};

/// An expression whose value is a text or a number. What reads an element that is not there has no
/// value, and neither has what is computed from it.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number as written.
    Number(f64),
    /// A text as written.
    Text(Str),
    /// A value that is not there, written out: no comparison with it holds.
    Missing,
    /// What was remembered under this name.
    Remembered(Str),
    /// What the element says; the content of a field.
    TextOf(Selector),
    /// What all elements say that the selector fits, each on a line; nothing at all if there is
    /// none.
    TextsOf(Selector),
    /// What has been put into the element.
    ValueOf(Selector),
    /// The first number in what the element says.
    NumberOf(Selector),
    /// How many displayed elements the selector fits.
    Count(Selector),
    /// A value that the device computes, of these arguments. Of a value that is not there, there is
    /// none.
    Ask(Str, Vec<Expr>),
    /// How many characters a text has.
    Length(Box<Expr>),
    /// Two numbers, combined.
    Arithmetic(Box<Expr>, Arithmetic, Box<Expr>),
}

/// How two numbers are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum; of two texts, one after the other.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient; by zero, no value.
    Divide,
    /// What a division leaves over; by zero, no value.
    Remainder,
}

impl Arithmetic {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        }
    }
}

/// How two values are compared. A comparison with something that has no value does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// Smaller; of texts, earlier.
    Less,
    /// Not larger.
    LessOrEqual,
    /// Larger; of texts, later.
    Greater,
    /// Not smaller.
    GreaterOrEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}
