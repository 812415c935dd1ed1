//! PDDL, the language of planning models (McDermott et al. 1998; Fox and Long 2003): a reader with
//! located diagnostics, a printer, and the model as values.
//!
//! It is the part of PDDL that the competitions call STRIPS and ADL (Pednault 1989), with action
//! costs. How a GUI's numbers and its objects that come and go are written in it is told in the
//! documentation of the crate.

mod diagnostic;
mod model;
mod print;
mod read;
mod sexpr;
mod types;

pub use diagnostic::{Diagnostic, ReadError};
pub use model::{
    Action, Atom, Domain, Effect, Expression, Fact, Formula, Function, FunctionId, FunctionValue,
    OBJECT, Object, ObjectId, Parameter, Predicate, PredicateId, Problem, Step, Term, Type, TypeId,
};
pub(crate) use read::read_condition;
pub(crate) use types::TypeTree;
