//! The names that whoever runs a spec gives the language.
//!
//! On its own because the list is open: the registry of policies is elsewhere, and a crate of the
//! user's adds to it. The parser is handed the names, so that a wrong one has a place and a nearest
//! right one.

use crate::ast::Name;
use crate::diagnostic::{Draft, shorten};
use capuchin_trace::Auto;
use capuchin_ui::{Str, suggest};

/// The names that a spec may use beside those that it declares and those of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    policies: Vec<Str>,
}

impl Default for Words {
    /// Our own policies.
    fn default() -> Self {
        Words::new(["capuchin", "swifthand", "lstar", "random"])
    }
}

impl Words {
    /// These policies that learn, and those that are drawn ([`Auto::DRAWN`]).
    pub fn new(policies: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        let drawn = Auto::DRAWN.map(Str::from);
        Words { policies: policies.into_iter().map(Into::into).chain(drawn).collect() }
    }

    /// The policies of `auto`.
    pub fn policies(&self) -> &[Str] {
        &self.policies
    }

    pub(crate) fn is_policy(&self, name: &str) -> bool {
        self.policies.iter().any(|policy| policy == name)
    }

    pub(crate) fn list_policies(&self) -> String {
        format!("the policies are `{}`", self.policies.join("`, `"))
    }

    /// What is said of a policy that there is not.
    pub(crate) fn unknown_policy(&self, name: &Name) -> Draft {
        let help = match suggest(&name.text, self.policies.iter().map(Str::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => self.list_policies(),
        };
        let message = format!("unknown policy `{}`", shorten(&name.text));
        Draft::error(message, name.span, "not known").help(help)
    }
}
