//! Printing and parsing are inverse.

use crate::random_models::Draw;
use capuchin_plan::pddl::{Domain, Problem};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_model_prints_as_what_reads_as_the_same_model(seed in any::<u64>()) {
        let (domain, problem) = Draw::new(seed, false).files();
        let text = domain.to_string();
        let read = Domain::parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&domain), "{}", text);
        let text = problem.print(&domain);
        prop_assert_eq!(Problem::parse(&text, &domain), Ok(problem), "{}", text);
    }

    #[test]
    fn what_was_changed_anywhere_is_read_or_refused(
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
        with in "[()?:a-z =-]{0,3}",
    ) {
        let (domain, problem) = Draw::new(seed, false).files();
        for text in [domain.to_string(), problem.print(&domain)] {
            let at = at.index(text.len());
            let changed = format!("{}{with}{}", &text[..at], &text[(at + 1).min(text.len())..]);
            if let Ok(read) = Domain::parse(&changed) {
                prop_assert_eq!(Domain::parse(&read.to_string()), Ok(read));
            }
            if let Ok(read) = Problem::parse(&changed, &domain) {
                prop_assert_eq!(Problem::parse(&read.print(&domain), &domain), Ok(read));
            }
        }
    }
}

#[test]
fn what_other_planners_accept_is_accepted() {
    let text = "(DEFINE (DOMAIN D) ; a comment
        (:types truck - Vehicle (:either) )
        (:action a))";
    assert!(Domain::parse(text).is_err());
    let text = "(DEFINE (DOMAIN D) ; a comment
        (:types truck - Vehicle ship car - (either vehicle thing) object)
        (:predicates (At ?x ?Y - vehicle) (= ?a ?b))
        (:functions (total-cost) - number (f ?x))
        (:action A :effect (increase (total-cost) 2)))";
    let domain = Domain::parse(text).unwrap();
    let names: Vec<&str> = domain.types.iter().map(|typ| typ.name.as_str()).collect();
    assert_eq!(names, ["object", "truck", "ship", "car", "vehicle", "thing"]);
    assert_eq!(domain.types[3].parents, [4, 5]);
    assert_eq!(domain.predicates.len(), 1);
    assert_eq!(Domain::parse(&domain.to_string()), Ok(domain));
}
