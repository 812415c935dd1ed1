//! A planning model as values: what a domain file and a problem file say, with every name resolved.
//!
//! Types, predicates, functions, actions and objects are numbers into the lists that declare them,
//! and a variable is its position among the variables in scope: the parameters of the action
//! first, then those of each quantifier around it, outermost first. So nothing here is looked up by
//! name, and two models are equal if they say the same.

/// The number of a type in [`Domain::types`].
pub type TypeId = u32;
/// The number of a predicate in [`Domain::predicates`].
pub type PredicateId = u32;
/// The number of a function in [`Domain::functions`].
pub type FunctionId = u32;
/// The number of an object: the constants of the domain first, then the objects of the problem.
pub type ObjectId = u32;

/// The type that every object has: the first of [`Domain::types`].
pub const OBJECT: TypeId = 0;

/// What a domain file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// The keywords of `:requirements`, with their colons. They forbid nothing here.
    pub requirements: Vec<String>,
    /// The types. The first is [`OBJECT`].
    pub types: Vec<Type>,
    /// The objects that every problem has.
    pub constants: Vec<Object>,
    /// What can be said about objects.
    pub predicates: Vec<Predicate>,
    /// The numbers that costs are made of.
    pub functions: Vec<Function>,
    /// What can be done.
    pub actions: Vec<Action>,
}

/// A type and the types that it is a kind of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// What it is declared to be: one type, or several with `either`. None for [`OBJECT`].
    pub parents: Vec<TypeId>,
}

/// An object and the types that it is declared with: one, or several with `either`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// What it is.
    pub types: Vec<TypeId>,
}

/// A variable with the types that its value may have: one, or several with `either`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, without the question mark.
    pub name: String,
    /// What it ranges over.
    pub types: Vec<TypeId>,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub parameters: Vec<Parameter>,
}

/// A number that depends on objects and never changes, or `total-cost`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it depends on.
    pub parameters: Vec<Parameter>,
}

/// An operator of the model: when it can be applied, and what it does then.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What must hold before.
    pub precondition: Formula,
    /// What it does.
    pub effect: Effect,
}

/// A variable or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// The variable at this place among those in scope.
    Variable(u32),
    /// An object.
    Object(ObjectId),
}

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// All of these hold. Of none, it is true.
    And(Vec<Formula>),
    /// One of these holds. Of none, it is false.
    Or(Vec<Formula>),
    /// This does not hold.
    Not(Box<Formula>),
    /// The second holds if the first does.
    Imply(Box<Formula>, Box<Formula>),
    /// It holds for some values of the variables.
    Exists(Vec<Parameter>, Box<Formula>),
    /// It holds for all values of the variables.
    Forall(Vec<Parameter>, Box<Formula>),
    /// A fact.
    Atom(Atom),
    /// Both are the same object.
    Equal(Term, Term),
}

/// What an action does. Conditions are about the state before. What one action both deletes and
/// adds is true afterwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// All of these.
    And(Vec<Effect>),
    /// This, for all values of the variables.
    Forall(Vec<Parameter>, Box<Effect>),
    /// This, if the condition held before.
    When(Formula, Box<Effect>),
    /// The fact becomes true.
    Add(Atom),
    /// The fact becomes false.
    Delete(Atom),
    /// The plan becomes more expensive.
    Cost(Expression),
}

/// By how much a plan becomes more expensive.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// By this.
    Number(f64),
    /// By what the problem says that this is.
    Function(FunctionId, Vec<Term>),
}

/// What a problem file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its name.
    pub name: String,
    /// The objects beside the constants of the domain.
    pub objects: Vec<Object>,
    /// The facts that are true at the beginning. All others are false.
    pub init: Vec<Fact>,
    /// What the functions are.
    pub values: Vec<FunctionValue>,
    /// What must hold at the end.
    pub goal: Formula,
    /// Whether `total-cost` is to be minimized, rather than the number of steps.
    pub minimizes_cost: bool,
}

/// A predicate with objects: true or false in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The predicate.
    pub predicate: PredicateId,
    /// What it is about.
    pub arguments: Vec<ObjectId>,
}

/// What a function is for some objects.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionValue {
    /// The function.
    pub function: FunctionId,
    /// What it depends on.
    pub arguments: Vec<ObjectId>,
    /// What it is.
    pub value: f64,
}

/// An action with objects for its parameters: a step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The number of the action in [`Domain::actions`].
    pub action: u32,
    /// Its parameters.
    pub arguments: Vec<ObjectId>,
}
