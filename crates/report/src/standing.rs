//! What the cases of a check have come to: for the reports that sum it up themselves, because the
//! run was killed before it could.

use capuchin::log::VerdictKind;

/// What the cases of a check have come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) check: String,
    /// Whether nobody knew beforehand how many cases there would be: an exploration's are the runs
    /// between two restarts.
    pub(crate) open: bool,
    pub(crate) held: u32,
    pub(crate) violated: u32,
    pub(crate) steps: u64,
    pub(crate) seen: Vec<(u32, u32)>,
    /// How many of those that were violated never came again.
    pub(crate) not_reproduced: u32,
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

    /// So many cases, by the word for them.
    pub(crate) fn cases(&self, count: u32) -> String {
        match (self.open, count) {
            (false, _) => plural(count as usize, "trace"),
            (true, 1) => "1 run".to_owned(),
            (true, _) => format!("{} runs", thousands(count.into())),
        }
    }

    /// How many events were performed.
    pub(crate) fn events(&self) -> String {
        match (self.open, self.steps) {
            (true, 2..) => format!("{} events", thousands(self.steps)),
            (_, steps) => plural(steps as usize, "event"),
        }
    }

    /// Where something held: on the traces that were drawn, or in the runs that came about.
    pub(crate) fn place(&self) -> &'static str {
        if self.open { "in" } else { "on" }
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

/// A number that can be read when it is large.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1_204, "1,204"), (12_345, "12,345"), (1_000_000, "1,000,000")]
        {
            assert_eq!(thousands(number), expected);
        }
    }
}
