//! A recording as a trace: what a user would write.
//!
//! On its own because it is the one form that is run: what it takes from a file it must not trust.

use super::with_assertions;
use crate::Recording;
use capuchin::ui::Quoted;

/// A `.capu` file.
pub(super) fn capu(recording: &Recording) -> String {
    let origin = &recording.origin;
    let (mut parts, mut left_out) = (Vec::new(), Vec::new());
    for (event, assertions) in with_assertions(recording) {
        parts.extend(event.map(|event| event.event.to_string()));
        for property in &assertions {
            match is_one_property(property) {
                true => parts.push(format!("assert {property}")),
                false => left_out.push(one_line(property)),
            }
        }
    }
    if parts.is_empty() {
        parts.push("•".to_owned());
    }
    let mut text = format!("// Recorded on {}.\n", one_line(&origin.app));
    for property in left_out {
        text.push_str(&format!("// Left out, since it is not one property: {property}\n"));
    }
    if !origin.device.is_empty() {
        text.push_str(&format!("device {}\n", Quoted(&origin.device)));
    }
    text.push_str(&format!("seed {}\n\n{}\n", origin.seed, parts.join(" :>>\n")));
    text
}

/// Whether a text can only be a property where it is written into a trace: a recording may come
/// from anybody, and what its assertions say must add no events to the trace.
fn is_one_property(text: &str) -> bool {
    const SEQUENCE: [&str; 8] = [":>>", "*>>", "<+>", "||", "//", "/*", "{", "}"];
    const WORDS: [&str; 4] = ["then", "preserves", "keeps", "always"];
    let Some(code) = without_texts(text) else { return false };
    let mut words = code.split(|c: char| !c.is_alphanumeric() && !"_-#.".contains(c));
    let has_words = words.any(|word| WORDS.contains(&word));
    let is_line = one_line(&code) == code && !code.trim().is_empty();
    is_line && !has_words && !SEQUENCE.iter().any(|one| code.contains(one))
}

/// A property without its texts and scripts; `None` if one of them does not end, or a bracket.
fn without_texts(text: &str) -> Option<String> {
    let (mut code, mut open) = (String::new(), Vec::new());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' | '`' => {
                loop {
                    match chars.next()? {
                        '\\' if c == '"' => _ = chars.next()?,
                        end if end == c => break,
                        _ => {}
                    }
                }
                code.push(' ');
                continue;
            }
            '(' | '[' => open.push(c),
            ')' if open.pop() != Some('(') => return None,
            ']' if open.pop() != Some('[') => return None,
            _ => {}
        }
        code.push(c);
    }
    open.is_empty().then_some(code)
}

/// For a comment: nothing of an app's may end it.
pub(super) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || "\u{2028}\u{2029}".contains(c) { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_property_is_asserted() {
        for property in [
            "isDisplayed(#a)",
            r#"hasText(#a, "x :>> y // \" {")"#,
            r#"!isDisplayed(button("a`b")[2]) /\ count(#then) <= 3"#,
            "js `a ||\nb`",
            "value(#a) == 1 ==> isDisplayed(.always-there)",
        ] {
            assert!(is_one_property(property), "{property}");
        }
        for text in [
            "",
            "true :>> Click(#delete)",
            "true <+> true",
            "true || Click(#a)",
            "true // and",
            "true /* and",
            "true then Click(#a)",
            "{ true }",
            "true\ndevice \"web:https://example.org\"",
            r#"hasText(#a, "x"#,
            "js `x",
            "isDisplayed(#a",
            "isDisplayed(#a))",
        ] {
            assert!(!is_one_property(text), "{text}");
        }
    }
}
