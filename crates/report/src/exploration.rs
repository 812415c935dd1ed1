//! An exploration as far as it has got: the points of its curve and the map that it has drawn.
//!
//! On its own because the page, the terminal and `explore.json` tell the same figures, and must not
//! disagree about them.

use crate::standing::thousands;
use capuchin::log::{Explored, Map, RunEvent};

/// The version of the format of `explore.json`.
const VERSION: u32 = 1;

/// What an exploration has told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exploration {
    pub(crate) curve: Vec<Explored>,
    pub(crate) map: Option<Map>,
}

impl Exploration {
    /// Takes the next event, if it is one of an exploration.
    pub(crate) fn observe(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Explored(point) => self.curve.push(*point),
            RunEvent::Learned(map) => self.map = Some(map.clone()),
            _ => {}
        }
    }

    /// Whether there was one at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.curve.is_empty() && self.map.is_none()
    }

    /// How far it got.
    pub(crate) fn last(&self) -> Option<&Explored> {
        self.curve.last()
    }
}

/// An exploration as JSON, for other programs: the final figures, the curve and the map. `None` if
/// the run was no exploration.
pub fn exploration_json<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Option<String> {
    let mut told = Exploration::default();
    let (mut run, mut policy) = ((String::new(), String::new(), 0), String::new());
    for event in events {
        told.observe(event);
        match event {
            RunEvent::RunStarted { spec, device, seed, .. } => {
                run = (spec.clone(), device.clone(), *seed);
            }
            RunEvent::ExplorationStarted(asked) => policy.clone_from(&asked.policy),
            _ => {}
        }
    }
    if told.is_empty() {
        return None;
    }
    let (spec, device, seed) = run;
    let value = serde_json::json!({
        "version": VERSION,
        "spec": spec,
        "device": device,
        "seed": seed,
        "policy": policy,
        "figures": told.last(),
        "curve": told.curve,
        "map": told.map,
    });
    let mut text = serde_json::to_string_pretty(&value).ok()?;
    text.push('\n');
    Some(text)
}

/// So many of so many, in percent; of nothing it is nothing.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    format!("{share:.1}%")
}

/// A time as a person says it.
pub(crate) fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => format!("{millis} ms"),
        (0, 0, s) => format!("{s}.{} s", millis % 1000 / 100),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{} h {m:02} min", thousands(h)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_said_in_two_units_at_most() {
        for (millis, expected) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1.0 s"),
            (12_345, "12.3 s"),
            (60_000, "1 min 00 s"),
            (3_599_999, "59 min 59 s"),
            (3_600_000, "1 h 00 min"),
            (9_000_000_000, "2,500 h 00 min"),
        ] {
            assert_eq!(duration(millis), expected);
        }
    }

    #[test]
    fn a_share_of_nothing_is_none() {
        assert_eq!(percent(0, 0), "0.0%");
        assert_eq!(percent(1, 3), "33.3%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0%");
    }

    #[test]
    fn json_has_the_figures_the_curve_and_the_map() {
        let log = include_str!("../../mission/tests/log-v1-explored.jsonl");
        let events: Vec<RunEvent> =
            log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let text = exploration_json(&events).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["version"], 1);
        assert_eq!(value["device"], "sim:music");
        assert_eq!(value["policy"], "swifthand");
        assert_eq!(value["figures"]["events"], 1204);
        assert_eq!(value["figures"], value["curve"].as_array().unwrap().last().unwrap().clone());
        assert_eq!(value["map"]["states"][0]["name"], "Start");
        assert!(text.starts_with("{\n") && text.ends_with("}\n"));
    }

    #[test]
    fn a_check_is_no_exploration() {
        let log = include_str!("../../mission/tests/log-v1.jsonl");
        let events: Vec<RunEvent> =
            log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(exploration_json(&events), None);
    }
}
