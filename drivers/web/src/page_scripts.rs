//! The scripts that run in every document, put together from the files in `page/`.
//!
//! Each file is a part of one function's body, in the order of the lists below: what one declares,
//! those after it use. What the scripts must agree upon with Rust comes with their configuration.

use crate::touch;
use capuchin_ui::{Role, State};
use serde_json::{Map, Value};

/// What the addresses of our own scripts begin with: neither stack traces nor counts show them.
pub(crate) const OUR_SCRIPTS: &str = "capuchin:";

/// Runs in a world of its own in every document: sees the same nodes as the page, and nothing that
/// the page did to its globals.
const COLLECTOR: &[&str] = &[
    // A window that gets its process late is given the script twice.
    "if (config.name in window) return;\n",
    include_str!("page/shared.js"),
    include_str!("page/collector/nodes.js"),
    include_str!("page/collector/roles.js"),
    include_str!("page/collector/aria.js"),
    include_str!("page/collector/drawings.js"),
    include_str!("page/collector/listeners.js"),
    include_str!("page/collector/changes.js"),
    include_str!("page/collector/known.js"),
    include_str!("page/collector/text.js"),
    include_str!("page/collector/names.js"),
    include_str!("page/collector/hits.js"),
    include_str!("page/collector/elements.js"),
    include_str!("page/collector/activity.js"),
    include_str!("page/collector/walk.js"),
    include_str!("page/collector/animations.js"),
    include_str!("page/collector/checks.js"),
    include_str!("page/collector/snapshot.js"),
    include_str!("page/collector/actions.js"),
    include_str!("page/collector/gestures.js"),
    include_str!("page/collector/api.js"),
];
/// Runs in the collector's world before the collector, where somebody else's events are recorded.
const RECORDER: &[&str] = &[
    // See the collector.
    "if (config.name in window) return;\n",
    include_str!("page/shared.js"),
    include_str!("page/recorder/state.js"),
    include_str!("page/recorder/pointer.js"),
    include_str!("page/recorder/editing.js"),
    include_str!("page/recorder/api.js"),
];
/// Runs in the page's own world before anything of the page does, and before `INJECT`.
const ANIMATIONS: &[&str] = &[include_str!("page/shared.js"), include_str!("page/animations.js")];
/// Runs in the page's own world before anything of the page does.
const INJECT: &[&str] = &[
    include_str!("page/shared.js"),
    include_str!("page/inject/chance.js"),
    include_str!("page/inject/uneven_requests.js"),
    include_str!("page/inject/time.js"),
    include_str!("page/inject/listeners.js"),
    include_str!("page/inject/answers.js"),
    include_str!("page/inject/platform.js"),
];

/// The script of the collector's world.
pub(crate) fn collector(mut config: Value) -> String {
    config["roles"] = Role::ALL.iter().map(|role| role.name()).collect();
    let bits = |(name, state): (&str, State)| (name.to_owned(), state.bits().into());
    config["states"] = State::all().iter_names().map(bits).collect::<Map<_, _>>().into();
    config["touchStages"] = touch::stages();
    script("collector", &[COLLECTOR], &config)
}

/// The script that hands over what somebody else does.
pub(crate) fn recorder(config: &Value) -> String {
    script("recorder", &[RECORDER], config)
}

/// The scripts of the page's own world.
pub(crate) fn inject(config: &Value) -> String {
    script("inject", &[ANIMATIONS, INJECT], config)
}

/// A script that calls functions with these bodies with the configuration.
fn script(name: &str, functions: &[&[&str]], config: &Value) -> String {
    let mut script = String::new();
    for body in functions {
        let body = body.concat();
        script.push_str(&format!("(config => {{\n'use strict';\n{body}}})({config});\n"));
    }
    script.push_str(&format!("//# sourceURL={OUR_SCRIPTS}{name}"));
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words after each `before` in the collector's files.
    fn words_after(before: &str) -> Vec<&'static str> {
        let word = |rest: &'static str| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        };
        let files = COLLECTOR.iter().flat_map(|file| file.split(before).skip(1));
        files.map(word).collect()
    }

    #[test]
    fn the_collector_knows_no_role_that_is_none() {
        let roles = words_after("role.");
        assert!(roles.len() > 100, "{roles:?}");
        for role in roles {
            assert!(Role::ALL.iter().any(|known| known.name() == role), "role.{role}");
        }
    }

    #[test]
    fn the_collector_knows_no_state_that_is_none() {
        let file = COLLECTOR.iter().find(|file| file.contains("} = config.states")).unwrap();
        let (before, _) = file.split_once("} = config.states").unwrap();
        let (_, names) = before.rsplit_once('{').unwrap();
        let names: Vec<&str> =
            names.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        assert!(names.contains(&"DISPLAYED"), "{names:?}");
        for name in names {
            assert!(State::from_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_configuration_has_the_roles_in_their_order_and_the_bits_of_the_states() {
        let script = collector(Value::Object(Map::new()));
        assert!(script.contains(r#""roles":["button","checkbox","#), "{script:.200}");
        assert!(script.contains(r#""REVEALS":4096"#));
        assert!(script.contains(r#""touchStages":{"BEGUN":1"#));
    }
}
