//! A recording as a trace: what a user would write.

use super::with_assertions;
use crate::Recording;
use capuchin::ui::Quoted;

/// A `.capu` file.
pub(super) fn capu(recording: &Recording) -> String {
    let origin = &recording.origin;
    let mut parts = Vec::new();
    for (event, assertions) in with_assertions(recording) {
        parts.extend(event.map(|event| event.event.to_string()));
        parts.extend(assertions.iter().map(|property| format!("assert {property}")));
    }
    if parts.is_empty() {
        parts.push("•".to_owned());
    }
    let mut text = format!("// Recorded on {}.\n", one_line(&origin.app));
    if !origin.device.is_empty() {
        text.push_str(&format!("device {}\n", Quoted(&origin.device)));
    }
    text.push_str(&format!("seed {}\n\n{}\n", origin.seed, parts.join(" :>>\n")));
    text
}

/// For a comment: nothing of an app's may end it.
pub(super) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || "\u{2028}\u{2029}".contains(c) { ' ' } else { c })
        .collect()
}
