//! The tokens of the language, and how its operators are written.
//!
//! On its own because it is a table: to add an operator, add a line here.

use crate::ast::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    Word,
    Number,
    Text,
    /// What stands between backticks after `js`.
    Raw,
    /// A text whose end is missing. It has been reported.
    OpenText,
    Id,
    Class,
    Seq,
    StarSeq,
    Caret,
    Choice,
    Bars,
    Question,
    Implies,
    And,
    Or,
    Not,
    Equal,
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
    Less,
    Greater,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Arrow,
    FatArrow,
    DotDot,
    Tilde,
    Bar,
    Open(char),
    Close(char),
    Comma,
    Colon,
    Assign,
    Dot,
    Unit,
    /// What no token begins with. It has been reported.
    Unknown,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
    /// Whether it is the first on its line.
    pub(crate) new_line: bool,
}

/// Operators, longer ones before those that they begin with.
pub(crate) const OPERATORS: [(&str, Tok); 51] = [
    ("*>>", Tok::StarSeq),
    (":>>", Tok::Seq),
    ("<+>", Tok::Choice),
    ("==>", Tok::Implies),
    ("||", Tok::Bars),
    ("/\\", Tok::And),
    ("\\/", Tok::Or),
    ("==", Tok::Equal),
    ("!=", Tok::NotEqual),
    ("<=", Tok::LessOrEqual),
    (">=", Tok::GreaterOrEqual),
    ("->", Tok::Arrow),
    ("=>", Tok::FatArrow),
    ("..", Tok::DotDot),
    ("<", Tok::Less),
    (">", Tok::Greater),
    ("?", Tok::Question),
    ("!", Tok::Not),
    ("+", Tok::Plus),
    ("-", Tok::Minus),
    ("*", Tok::Star),
    ("/", Tok::Slash),
    ("%", Tok::Percent),
    ("~", Tok::Tilde),
    ("|", Tok::Bar),
    ("^", Tok::Caret),
    ("(", Tok::Open('(')),
    ("{", Tok::Open('{')),
    ("[", Tok::Open('[')),
    (")", Tok::Close(')')),
    ("}", Tok::Close('}')),
    ("]", Tok::Close(']')),
    (",", Tok::Comma),
    (":", Tok::Colon),
    ("=", Tok::Assign),
    (".", Tok::Dot),
    ("•", Tok::Unit),
    ("●", Tok::Unit),
    ("∧", Tok::And),
    ("∨", Tok::Or),
    ("⇒", Tok::Implies),
    ("⟹", Tok::Implies),
    ("¬", Tok::Not),
    ("→", Tok::Arrow),
    ("≠", Tok::NotEqual),
    ("≤", Tok::LessOrEqual),
    ("≥", Tok::GreaterOrEqual),
    ("×", Tok::Star),
    ("“", Tok::Unknown),
    ("”", Tok::Unknown),
    ("…", Tok::Unknown),
];

/// Operators of other languages, and ours.
pub(crate) const FOREIGN: [(&str, Tok, &str); 5] = [
    ("&&", Tok::And, "write `/\\` for \"and\""),
    ("&", Tok::And, "write `/\\` for \"and\""),
    (">>>", Tok::Seq, "write `:>>` for \"and then\""),
    (">>", Tok::Seq, "write `:>>` for \"and then\", or `*>>` with interrupts between"),
    (";", Tok::Seq, "write `:>>` for \"and then\""),
];
