//! Operators that recur in many apps: menus, dialogs, tabs, text fields, lists, undo.
//!
//! On its own because it is data. A library is a domain of PDDL that reads on its own, and the
//! mapping of it. A model that imports one has its types, predicates and actions; a line of the
//! model's own mapping replaces that of the library.

/// A library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LibraryText {
    name: &'static str,
    /// A whole domain.
    pub(crate) domain: &'static str,
    /// Facts and operators.
    pub(crate) mapping: &'static str,
}

macro_rules! library {
    ($name:literal) => {
        LibraryText {
            name: $name,
            domain: include_str!(concat!("../library/", $name, ".pddl")),
            mapping: include_str!(concat!("../library/", $name, ".capu")),
        }
    };
}

const LIBRARIES: [LibraryText; 6] = [
    library!("menus"),
    library!("dialogs"),
    library!("tabs"),
    library!("text-fields"),
    library!("lists"),
    library!("undo"),
];

/// The names of the libraries.
pub fn names() -> Vec<&'static str> {
    LIBRARIES.iter().map(|library| library.name).collect()
}

/// The library of this name.
pub(crate) fn named(name: &str) -> Option<LibraryText> {
    LIBRARIES.into_iter().find(|library| library.name == name)
}

/// The PDDL and the mapping of a library, for whoever wants to read them.
pub fn text(name: &str) -> Option<(&'static str, &'static str)> {
    named(name).map(|library| (library.domain, library.mapping))
}

impl LibraryText {
    /// A domain with the sections of the library at its end, so that what is in it stays where it
    /// is.
    pub(crate) fn added_to(&self, domain: &str) -> String {
        let body = self.domain.find("\n").map_or("", |at| &self.domain[at..]);
        let end = body.rfind(')').unwrap_or(body.len());
        match domain.rfind(')') {
            Some(at) => format!("{}{})\n", &domain[..at], &body[..end]),
            None => domain.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin_plan::pddl::Domain;

    #[test]
    fn every_library_reads_on_its_own_and_can_be_added() {
        for library in LIBRARIES {
            let alone = Domain::parse(library.domain);
            assert!(alone.is_ok(), "{}: {alone:?}", library.name);
            let mine = "(define (domain mine) (:predicates (p))\n (:action a :parameters ()\n \
                        :precondition (p) :effect (not (p))))";
            let both = Domain::parse(&library.added_to(mine)).expect("it is a domain");
            assert_eq!(both.actions.len(), alone.map_or(0, |it| it.actions.len()) + 1);
        }
        let all = LIBRARIES
            .iter()
            .fold("(define (domain mine))".to_owned(), |domain, library| library.added_to(&domain));
        assert!(Domain::parse(&all).is_ok(), "{all}");
    }
}
