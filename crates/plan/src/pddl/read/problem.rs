//! Problem files.

use super::super::diagnostic::{MOST_DIAGNOSTICS, Mistake};
use super::super::model::{Domain, Fact, Formula, FunctionValue, Object, Problem, Term};
use super::super::sexpr::Node;
use super::domain::{declare_objects, names, requirements, unknown_section};
use super::formula::{Names, Scope};
use super::typed_list::TypeNames;
use super::{define, section};

const SECTIONS: [&str; 7] =
    [":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"];

/// What a problem file says beside its objects.
struct Reader<'a> {
    domain: &'a Domain,
    names: Names<'a>,
    init: Vec<Fact>,
    values: Vec<FunctionValue>,
    goal: Option<Formula>,
    minimizes_cost: bool,
    wrong: Vec<Mistake>,
}

pub(super) fn read(node: &Node<'_>, domain: &Domain) -> Result<Problem, Vec<Mistake>> {
    let (name, sections) = define(node, "problem")?;
    let known: TypeNames<'_> =
        domain.types.iter().zip(0..).map(|(typ, id)| (typ.name.as_str(), id)).collect();
    let mut wrong = Vec::new();
    let mut objects = domain.constants.clone();
    for node in sections {
        if let Ok((":objects", words)) = section(node) {
            wrong
                .extend(declare_objects(words, &known, &mut objects, domain.constants.len()).err());
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let objects = objects.split_off(domain.constants.len());
    let mut reader = Reader {
        domain,
        names: names(domain, &objects),
        init: Vec::new(),
        values: Vec::new(),
        goal: None,
        minimizes_cost: false,
        wrong,
    };
    for node in sections {
        reader.section(node);
    }
    if reader.goal.is_none() && reader.wrong.is_empty() {
        reader.wrong.push(node.wrong("the problem has no `(:goal …)`"));
    }
    let Reader { mut init, values, goal, minimizes_cost, wrong, .. } = reader;
    let (Some(goal), true) = (goal, wrong.is_empty()) else { return Err(wrong) };
    dedup(&mut init);
    Ok(Problem { name: name.to_owned(), objects, init, values, goal, minimizes_cost })
}

/// A condition about the objects of a problem.
pub(super) fn read_condition(
    node: &Node<'_>,
    domain: &Domain,
    objects: &[Object],
) -> Result<Formula, Mistake> {
    let names = names(domain, objects);
    Scope { names: &names, domain, variables: Vec::new() }.formula(node)
}

/// Leaves out facts that are there already, and keeps the order.
fn dedup(facts: &mut Vec<Fact>) {
    let mut sorted: Vec<(&Fact, usize)> = facts.iter().zip(0..).collect();
    sorted.sort();
    let mut keep = vec![true; facts.len()];
    for pair in sorted.windows(2) {
        if pair[0].0 == pair[1].0 {
            keep[pair[1].1] = false;
        }
    }
    let mut keep = keep.into_iter();
    facts.retain(|_| keep.next().unwrap_or(true));
}

impl Reader<'_> {
    fn section(&mut self, node: &Node<'_>) {
        match section(node) {
            Ok((":init", facts)) => {
                for fact in facts {
                    if self.wrong.len() > MOST_DIAGNOSTICS {
                        break;
                    }
                    self.initially(fact);
                }
            }
            Ok((":goal", words)) => {
                let goal = match words {
                    [goal] => self.scope().formula(goal),
                    _ => Err(node.wrong("expected `(:goal CONDITION)`")),
                };
                match goal {
                    Ok(_) if self.goal.is_some() => {
                        self.wrong.push(node.wrong("there are two goals"));
                    }
                    Ok(goal) => self.goal = Some(goal),
                    Err(mistake) => self.wrong.push(mistake),
                }
            }
            Ok((":metric", words)) => match words {
                [minimize, what] if minimize.name() == Some("minimize") => match what.head() {
                    Some("total-cost") => self.minimizes_cost = true,
                    Some("total-time") => {}
                    _ => self.wrong.push(what.wrong("expected `(total-cost)`")),
                },
                _ => self.wrong.push(node.wrong("expected `(:metric minimize (total-cost))`")),
            },
            Ok((":requirements", words)) => {
                requirements(&words.iter().collect::<Vec<_>>(), &mut self.wrong);
            }
            Ok((word, _)) if SECTIONS.contains(&word) => {}
            Ok((word, _)) => self.wrong.push(unknown_section(node, word, &SECTIONS)),
            Err(mistake) => self.wrong.push(mistake),
        }
    }

    fn scope(&self) -> Scope<'_> {
        Scope { names: &self.names, domain: self.domain, variables: Vec::new() }
    }

    fn initially(&mut self, node: &Node<'_>) {
        let result = match node.head() {
            Some("=") => self.value(node).map(|value| self.values.push(value)),
            // What is not said to be true is false.
            Some("not") => match node.list() {
                Some([_, atom]) => self.scope().atom(atom).map(drop),
                _ => Err(node.wrong("expected `(not FACT)`")),
            },
            _ => self.scope().atom(node).map(|atom| {
                let arguments = objects(&atom.arguments);
                self.init.push(Fact { predicate: atom.predicate, arguments });
            }),
        };
        self.wrong.extend(result.err());
    }

    fn value(&mut self, node: &Node<'_>) -> Result<FunctionValue, Mistake> {
        let Some([_, function, value]) = node.list() else {
            return Err(node.wrong("expected `(= (FUNCTION OBJECTS) NUMBER)`"));
        };
        let (function, arguments) = self.scope().function(function)?;
        let number = value.name().and_then(|name| name.parse::<f64>().ok());
        match number.filter(|number| number.is_finite()) {
            Some(value) => Ok(FunctionValue { function, arguments: objects(&arguments), value }),
            None => Err(value.wrong(format!("expected a number, found {}", value.describe()))),
        }
    }
}

/// There is no variable outside of every quantifier.
fn objects(terms: &[Term]) -> Vec<u32> {
    let object = |term: &Term| match term {
        Term::Object(object) => Some(*object),
        Term::Variable(_) => None,
    };
    terms.iter().filter_map(object).collect()
}
