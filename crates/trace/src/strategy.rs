//! A generator as a proptest strategy, so that it works inside `proptest!` and with its
//! combinators.

use crate::{Gen, Shrinker, Trace};
use capuchin_ui::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

impl Strategy for Gen {
    type Tree = TraceTree;
    type Value = Trace;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let sample = self.sample(Rng::new(runner.rng().next_u64()));
        Ok(TraceTree { shrinker: Shrinker::new(sample), candidate: None })
    }
}

/// A drawn trace that proptest can make smaller.
#[derive(Clone, Debug)]
pub struct TraceTree {
    shrinker: Shrinker,
    candidate: Option<Trace>,
}

impl ValueTree for TraceTree {
    type Value = Trace;

    fn current(&self) -> Trace {
        self.candidate.clone().unwrap_or_else(|| self.shrinker.best().to_trace())
    }

    fn simplify(&mut self) -> bool {
        // Asked again after a simplification: that one still failed.
        if self.candidate.take().is_some() {
            self.shrinker.accept(&[]);
        }
        self.candidate = self.shrinker.propose().map(crate::Sample::to_trace);
        self.candidate.is_some()
    }

    fn complicate(&mut self) -> bool {
        if self.candidate.take().is_none() {
            return false;
        }
        self.shrinker.reject();
        self.candidate = self.shrinker.propose().map(crate::Sample::to_trace);
        self.candidate.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::test_runner::{Config, TestError};

    #[test]
    fn proptest_draws_traces_and_makes_them_smaller() {
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
        let monkey = Gen::Monkey(30);
        let failed = runner.run(&monkey, |trace| {
            let turns = trace.to_string().matches("Rotate").count();
            if turns < 2 { Ok(()) } else { Err(proptest::test_runner::TestCaseError::fail("two")) }
        });
        let Err(TestError::Fail(_, smallest)) = failed else { panic!("{failed:?}") };
        assert_eq!(smallest.to_string(), "Rotate :>> Rotate");
    }
}
