//! What the cases of a check have come to: for the reports that sum it up themselves, because the run
//! was killed before it could.

use capuchin::VerdictKind;

/// What the cases of a check have come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) check: String,
    pub(crate) held: u32,
    pub(crate) violated: u32,
    pub(crate) steps: u64,
    pub(crate) seen: Vec<(u32, u32)>,
}

impl Standing {
    /// Counts one more case.
    pub(crate) fn add(&mut self, verdict: VerdictKind, steps: u32, failure: Option<u32>) {
        self.steps += u64::from(steps);
        match verdict {
            VerdictKind::Succeeded => self.held += 1,
            _ => self.violated += 1,
        }
        if let Some(number) = failure {
            match self.seen.iter_mut().find(|(known, _)| *known == number) {
                Some((_, count)) => *count += 1,
                None => self.seen.push((number, 1)),
            }
        }
    }

    /// How many cases were run.
    pub(crate) fn traces(&self) -> u32 {
        self.held + self.violated
    }
}

/// So many of something.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
