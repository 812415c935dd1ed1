//! The names that whoever runs a spec gives the language.
//!
//! On its own because the list is open: the registry of policies is elsewhere, and a crate of the
//! user's adds to it. The parser is handed the names, so that a wrong one has a place and a nearest
//! right one.

use crate::ast::Name;
use crate::diagnostic::{Draft, shorten};
use capuchin_trace::Auto;
use capuchin_ui::{Str, suggest};

/// The names that a spec may use beside those that it declares and those of the language. The
/// default is any name: whoever runs the spec then refuses what is not known there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// `None` if any name is a policy.
    policies: Option<Vec<Str>>,
}

impl Words {
    /// These policies that learn, and those that are drawn ([`Auto::DRAWN`]).
    pub fn new(policies: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        let drawn = Auto::DRAWN.map(Str::from);
        Words { policies: Some(policies.into_iter().map(Into::into).chain(drawn).collect()) }
    }

    pub(crate) fn is_policy(&self, name: &str) -> bool {
        self.policies.as_ref().is_none_or(|known| known.iter().any(|policy| policy == name))
    }

    /// Which policies there are, if that is known.
    pub(crate) fn list_policies(&self) -> Option<String> {
        let known = self.policies.as_ref()?;
        Some(format!("the policies are `{}`", known.join("`, `")))
    }

    /// What is said of a policy that there is not.
    pub(crate) fn unknown_policy(&self, name: &Name) -> Draft {
        let near = suggest(&name.text, self.policies.iter().flatten().map(Str::as_str));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("unknown policy `{}`", shorten(&name.text));
        Draft::error(message, name.span, "not known")
            .maybe_help(help.or_else(|| self.list_policies()))
    }
}
