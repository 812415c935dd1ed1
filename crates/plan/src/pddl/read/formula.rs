//! Conditions and effects, read in the scope of the variables around them.

use super::super::diagnostic::Mistake;
use super::super::model::{
    Atom, Domain, Effect, Expression, Formula, FunctionId, ObjectId, Parameter, PredicateId, Term,
    TypeId,
};
use super::super::sexpr::{Node, shortened};
use super::super::types::TypeTree;
use super::MOST_PARAMETERS;
use super::typed_list::{TypeNames, parameters};
use std::collections::BTreeMap;

/// What names mean in a file.
pub(super) struct Names<'a> {
    pub(super) types: TypeNames<'a>,
    pub(super) tree: TypeTree,
    pub(super) predicates: BTreeMap<&'a str, PredicateId>,
    pub(super) functions: BTreeMap<&'a str, FunctionId>,
    pub(super) objects: BTreeMap<&'a str, (ObjectId, Vec<TypeId>)>,
}

/// Names, and the variables that are in scope.
pub(super) struct Scope<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) domain: &'a Domain,
    pub(super) variables: Vec<Parameter>,
}

impl Scope<'_> {
    pub(super) fn formula(&mut self, node: &Node<'_>) -> Result<Formula, Mistake> {
        let list = list(node, "a condition")?;
        let Some(head) = list.first() else { return Ok(Formula::And(Vec::new())) };
        let rest = &list[1..];
        Ok(match head.name() {
            Some("and") => Formula::And(self.all(rest, Self::formula)?),
            Some("or") => Formula::Or(self.all(rest, Self::formula)?),
            Some("not") => {
                let [part] = exactly(node, rest, "`(not CONDITION)`")?;
                Formula::Not(Box::new(self.formula(part)?))
            }
            Some("imply") => {
                let [first, second] = exactly(node, rest, "`(imply CONDITION CONDITION)`")?;
                let first = Box::new(self.formula(first)?);
                Formula::Imply(first, Box::new(self.formula(second)?))
            }
            Some(word @ ("exists" | "forall")) => {
                let form = format!("`({word} (VARIABLES) CONDITION)`");
                let [variables, body] = exactly(node, rest, &form)?;
                let (variables, body) = self.quantified(variables, body, Self::formula)?;
                match word {
                    "exists" => Formula::Exists(variables, Box::new(body)),
                    _ => Formula::Forall(variables, Box::new(body)),
                }
            }
            Some("=") => {
                let [first, second] = exactly(node, rest, "`(= TERM TERM)`")?;
                Formula::Equal(self.term(first)?.0, self.term(second)?.0)
            }
            _ => Formula::Atom(self.atom(node)?),
        })
    }

    pub(super) fn effect(&mut self, node: &Node<'_>) -> Result<Effect, Mistake> {
        let list = list(node, "an effect")?;
        let Some(head) = list.first() else { return Ok(Effect::And(Vec::new())) };
        let rest = &list[1..];
        Ok(match head.name() {
            Some("and") => Effect::And(self.all(rest, Self::effect)?),
            Some("forall") => {
                let [variables, body] = exactly(node, rest, "`(forall (VARIABLES) EFFECT)`")?;
                let (variables, body) = self.quantified(variables, body, Self::effect)?;
                Effect::Forall(variables, Box::new(body))
            }
            Some("when") => {
                let [condition, body] = exactly(node, rest, "`(when CONDITION EFFECT)`")?;
                let condition = self.formula(condition)?;
                Effect::When(condition, Box::new(self.effect(body)?))
            }
            Some("not") => {
                let [atom] = exactly(node, rest, "`(not FACT)`")?;
                Effect::Delete(self.atom(atom)?)
            }
            Some("increase") => Effect::Cost(self.cost(node, rest)?),
            Some(word @ ("decrease" | "assign" | "scale-up" | "scale-down")) => {
                let message = format!("`{word}`: numbers can only be added up to `(total-cost)`");
                return Err(head.wrong(message).help("use objects with a successor predicate"));
            }
            Some(word @ ("or" | "imply" | "exists" | "oneof" | "probabilistic")) => {
                return Err(head.wrong(format!("`{word}` cannot be an effect")));
            }
            _ => Effect::Add(self.atom(node)?),
        })
    }

    fn cost(&mut self, node: &Node<'_>, rest: &[Node<'_>]) -> Result<Expression, Mistake> {
        let [what, by] = exactly(node, rest, "`(increase (total-cost) NUMBER)`")?;
        let is_cost = what.name() == Some("total-cost")
            || (what.head() == Some("total-cost") && what.list().is_some_and(|it| it.len() == 1));
        if !is_cost {
            let message = format!("only `(total-cost)` can be increased, not {}", what.describe());
            return Err(what.wrong(message));
        }
        match by.name().map(str::parse::<f64>) {
            Some(Ok(number)) if number.is_finite() && number >= 0.0 => {
                Ok(Expression::Number(number))
            }
            Some(_) => Err(by
                .wrong(format!("expected a number that is not negative, found {}", by.describe()))),
            None => {
                let (function, arguments) = self.function(by)?;
                Ok(Expression::Function(function, arguments))
            }
        }
    }

    /// A function with its arguments.
    pub(super) fn function(&mut self, node: &Node<'_>) -> Result<(FunctionId, Vec<Term>), Mistake> {
        let Some(name) = node.head() else {
            return Err(
                node.wrong(format!("expected `(FUNCTION TERMS)`, found {}", node.describe()))
            );
        };
        let Some(function) = self.names.functions.get(name).copied() else {
            let wrong = node.wrong(format!("there is no function `{}`", shortened(name)));
            return Err(wrong.nearest(name, self.names.functions.keys().copied()));
        };
        let domain = self.domain;
        let arguments = self.arguments(node, &domain.functions[function as usize].parameters)?;
        Ok((function, arguments))
    }

    pub(super) fn atom(&mut self, node: &Node<'_>) -> Result<Atom, Mistake> {
        let Some(name) = node.head() else {
            let found = node.describe();
            return Err(node.wrong(format!("expected `(PREDICATE TERMS)`, found {found}")));
        };
        let Some(predicate) = self.names.predicates.get(name).copied() else {
            let wrong = node.wrong(format!("there is no predicate `{}`", shortened(name)));
            return Err(wrong.nearest(name, self.names.predicates.keys().copied()));
        };
        let domain = self.domain;
        let arguments = self.arguments(node, &domain.predicates[predicate as usize].parameters)?;
        Ok(Atom { predicate, arguments })
    }

    fn arguments(
        &mut self,
        node: &Node<'_>,
        parameters: &[Parameter],
    ) -> Result<Vec<Term>, Mistake> {
        let list = node.list().unwrap_or_default();
        let given = list.len().saturating_sub(1);
        if given != parameters.len() {
            let (wanted, names) =
                (parameters.len(), parameters.iter().map(|one| format!(" ?{}", one.name)));
            let form =
                format!("({}{})", node.head().unwrap_or_default(), names.collect::<String>());
            let message = format!("{} takes {wanted} arguments and has {given}", node.describe());
            return Err(node.wrong(message).help(format!("it is declared as `{form}`")));
        }
        let mut arguments = Vec::with_capacity(given);
        for (node, parameter) in list[1..].iter().zip(parameters) {
            let (term, types) = self.term(node)?;
            if !self.names.tree.overlap(&types, &parameter.types) {
                let is = self.type_list(&types);
                let wanted = self.type_list(&parameter.types);
                let message = format!("{} is of type {is}, expected {wanted}", node.describe());
                return Err(node.wrong(message));
            }
            arguments.push(term);
        }
        Ok(arguments)
    }

    fn type_list(&self, types: &[TypeId]) -> String {
        let name = |typ: &TypeId| format!("`{}`", self.domain.types[*typ as usize].name);
        types.iter().map(name).collect::<Vec<_>>().join(" or ")
    }

    /// A variable or an object, and its types.
    fn term(&mut self, node: &Node<'_>) -> Result<(Term, Vec<TypeId>), Mistake> {
        let Some(name) = node.name() else {
            return Err(
                node.wrong(format!("expected a variable or an object, found {}", node.describe()))
            );
        };
        if let Some(variable) = name.strip_prefix('?') {
            // The innermost of that name.
            let place = self.variables.iter().rposition(|known| known.name == variable);
            let Some(place) = place else {
                let wrong = node.wrong(format!("there is no variable `{}` here", shortened(name)));
                let known = self.variables.iter().map(|known| known.name.as_str());
                return Err(wrong.nearest(variable, known));
            };
            return Ok((Term::Variable(place as u32), self.variables[place].types.clone()));
        }
        match self.names.objects.get(name) {
            Some((object, types)) => Ok((Term::Object(*object), types.clone())),
            None => {
                let wrong = node.wrong(format!("there is no object `{}`", shortened(name)));
                Err(wrong.nearest(name, self.names.objects.keys().copied()))
            }
        }
    }

    fn quantified<T>(
        &mut self,
        variables: &Node<'_>,
        body: &Node<'_>,
        read: impl FnOnce(&mut Self, &Node<'_>) -> Result<T, Mistake>,
    ) -> Result<(Vec<Parameter>, T), Mistake> {
        let declared = parameters(list(variables, "a list of variables")?, &self.names.types)?;
        let outside = self.variables.len();
        if outside + declared.len() > MOST_PARAMETERS {
            let message = format!("there are more than {MOST_PARAMETERS} variables in scope");
            return Err(variables.wrong(message));
        }
        self.variables.extend(declared.iter().cloned());
        let read = read(self, body);
        self.variables.truncate(outside);
        Ok((declared, read?))
    }

    fn all<T>(
        &mut self,
        nodes: &[Node<'_>],
        read: impl Fn(&mut Self, &Node<'_>) -> Result<T, Mistake>,
    ) -> Result<Vec<T>, Mistake> {
        nodes.iter().map(|node| read(self, node)).collect()
    }
}

pub(super) fn list<'a, 'b>(node: &'b Node<'a>, what: &str) -> Result<&'b [Node<'a>], Mistake> {
    node.list().ok_or_else(|| {
        node.wrong(format!("expected {what} in brackets, found {}", node.describe()))
    })
}

fn exactly<'a, 'b, const N: usize>(
    node: &Node<'_>,
    rest: &'b [Node<'a>],
    form: &str,
) -> Result<&'b [Node<'a>; N], Mistake> {
    rest.try_into().map_err(|_| node.wrong(format!("expected {form}")))
}
