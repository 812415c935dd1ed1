//! What the cases of a check have come to: for the reports that sum it up themselves, because the
//! run was killed before it could.

use capuchin::log::{PropertyTally, RunEvent, VerdictKind, Wasted};

/// What the cases of a check have come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) check: String,
    /// Whether nobody knew beforehand how many cases there would be: an exploration's are the runs
    /// between two restarts.
    pub(crate) open: bool,
    pub(crate) held: u32,
    pub(crate) violated: u32,
    /// How many ended before a property of the run was decided.
    pub(crate) undecided: u32,
    pub(crate) steps: u64,
    pub(crate) seen: Vec<(u32, u32)>,
    /// How many of those that were violated never came again.
    pub(crate) not_reproduced: u32,
    /// How much of each property was judged.
    pub(crate) properties: Vec<PropertyTally>,
    pub(crate) wasted: Wasted,
}

impl Standing {
    /// What a check came to, as its end tells; `open` as for [`Standing::open`].
    pub(crate) fn finished(event: &RunEvent, open: bool) -> Option<Self> {
        let RunEvent::CheckFinished {
            check,
            held,
            violated,
            undecided,
            steps,
            seen,
            not_reproduced,
            properties,
            wasted,
        } = event
        else {
            return None;
        };
        Some(Standing {
            check: check.clone(),
            open,
            held: *held,
            violated: *violated,
            undecided: *undecided,
            steps: *steps,
            seen: seen.clone(),
            not_reproduced: *not_reproduced,
            properties: properties.clone(),
            wasted: wasted.clone(),
        })
    }

    /// The properties that were never alive: they have not held.
    pub(crate) fn never_alive(&self) -> Vec<&PropertyTally> {
        self.properties.iter().filter(|tally| tally.never_alive).collect()
    }

    /// The properties of whole runs that have not held because no case decided them, or, if there
    /// is none and no case has held, those that were not decided in some.
    pub(crate) fn never_decided(&self) -> Vec<&PropertyTally> {
        let never: Vec<_> = self.properties.iter().filter(|tally| tally.never_decided).collect();
        if !never.is_empty() || self.held > 0 {
            return never;
        }
        self.properties.iter().filter(|tally| tally.undecided > 0).collect()
    }

    /// How many cases did not decide a property, if any did not.
    pub(crate) fn not_decided(&self) -> Option<String> {
        (self.undecided > 0)
            .then(|| format!("not decided {} {}", self.place(), self.cases(self.undecided)))
    }

    /// What is to be said of cases that say little: nothing, unless most of them do.
    pub(crate) fn waste(&self) -> Vec<String> {
        let Wasted { blocked, blocked_at, equal, cut, .. } = &self.wasted;
        let all = self.traces() + cut;
        let most = |count: u32| 2 * count > all && all > 1;
        let cases = self.cases(all);
        let mut said = Vec::new();
        if most(*equal) {
            said.push(format!(
                "{equal} of {cases} did the same as another one: fewer would say as much"
            ));
        }
        if most(*blocked) {
            said.push(format!("in {blocked} of {cases} most events were blocked, as {blocked_at}"));
        }
        if most(*cut) {
            said.push(format!("{cut} of {cases} were cut off by the end of the budget"));
        }
        said
    }

    /// Counts one more case.
    pub(crate) fn add(&mut self, verdict: VerdictKind, steps: u32, failure: Option<u32>) {
        self.steps += u64::from(steps);
        match verdict {
            VerdictKind::Succeeded => self.held += 1,
            VerdictKind::Undecided => self.undecided += 1,
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
        self.held + self.violated + self.undecided
    }
}

/// What an event says that decides nothing, and that whoever reads a result should know.
pub(crate) fn note(event: &RunEvent) -> Option<String> {
    match event {
        RunEvent::ResetDiffers { how } => {
            Some(format!("the first screen after a reset is not the one before it: {how}"))
        }
        RunEvent::DeviceLacked { what, reason, cases } => {
            let cases = plural(*cases as usize, "case");
            Some(format!("the device lacked {what} in {cases}: {reason}"))
        }
        _ => None,
    }
}

/// How much of a property was judged.
pub(crate) fn liveness(tally: &PropertyTally) -> String {
    let PropertyTally { judged, alive, screens, undecided, .. } = tally;
    let screens = match screens {
        0 => String::new(),
        1 => " on 1 screen".to_owned(),
        screens => format!(" on {} different screens", thousands(*screens)),
    };
    let undecided = match undecided {
        0 => String::new(),
        undecided => format!(", not decided in {}", plural(*undecided as usize, "case")),
    };
    let (judged, alive) = (thousands(*judged), thousands(*alive));
    if tally.skipped.is_empty() {
        return format!("judged {judged}×, alive {alive}×{screens}{undecided}");
    }
    let reasons = tally.skipped.iter().map(|(reason, times)| format!("{times}× {reason}"));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    format!("judged {alive}×{screens}{undecided}, skipped {reasons}")
}

/// How often each of what nobody asked for was judged, in a line; nothing if there is none.
pub(crate) fn unasked(tallies: &[PropertyTally]) -> Option<String> {
    let unasked = || tallies.iter().filter(|tally| tally.unasked);
    let name = |tally: &PropertyTally| {
        let property = tally.property.as_str();
        property.strip_prefix("monitor ").unwrap_or(property).to_owned()
    };
    let judged = unasked().filter(|tally| tally.alive > 0);
    let judged = judged.map(|tally| format!("{} {}×", name(tally), thousands(tally.alive)));
    let judged = judged.collect::<Vec<_>>().join(", ");
    let never: Vec<String> = unasked().filter(|tally| tally.alive == 0).map(name).collect();
    let never = match never.as_slice() {
        [] => String::new(),
        never => format!("not judged: {}", never.join(", ")),
    };
    let parts = [judged, never].into_iter().filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join("; ")).filter(|line| !line.is_empty())
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
