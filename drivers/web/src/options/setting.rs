//! One option as it is written, `key=value`, and the kinds of values that there are.

use super::OptionError;
use capuchin_ui::Size;
use std::time::Duration;

/// One option.
pub(super) struct Setting<'a> {
    word: &'a str,
    pub(super) key: &'a str,
    /// With its environment variables filled in.
    pub(super) value: String,
}

impl<'a> Setting<'a> {
    pub(super) fn parse(word: &'a str) -> Result<Self, OptionError> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match expand(value) {
            Ok(value) => Ok(Setting { word, key, value }),
            Err(name) => {
                let setting = Setting { word, key, value: String::new() };
                Err(setting.wrong(&format!("${name} is not set")))
            }
        }
    }

    /// The error that says what was expected.
    pub(super) fn wrong(&self, expected: &str) -> OptionError {
        OptionError::Value { word: self.word.to_owned(), expected: expected.to_owned() }
    }

    pub(super) fn millis(&self) -> Result<Duration, OptionError> {
        let number = self.value.parse::<u64>().map(Duration::from_millis);
        number.map_err(|_| self.wrong("expected milliseconds, like 500"))
    }

    pub(super) fn pair(&self) -> Result<(String, String), OptionError> {
        let pair = self.value.split_once(':');
        let (name, value) =
            pair.ok_or_else(|| self.wrong("expected a name and a value with a colon between"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    }

    pub(super) fn is_on(&self) -> Result<bool, OptionError> {
        match self.value.as_str() {
            "" | "yes" | "true" | "on" => Ok(true),
            "no" | "false" | "off" => Ok(false),
            _ => Err(self.wrong("expected yes or no")),
        }
    }

    pub(super) fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, OptionError> {
        let chosen = choices.iter().find(|(name, _)| *name == self.value);
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.wrong(&format!("expected {}", names.join(" or ")))
        })
    }
}

/// `412x915`.
pub(super) fn size(text: &str) -> Option<Size> {
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=10_000).contains(side));
    Some(Size::new(side(width)?, side(height)?))
}

/// Replaces `$NAME` by the environment variable; the error is a name that is not set.
fn expand(value: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        let end =
            after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let (name, behind) = after.split_at(end);
        if name.is_empty() {
            expanded.push('$');
        } else {
            expanded.push_str(&std::env::var(name).map_err(|_| name.to_owned())?);
        }
        rest = behind;
    }
    expanded.push_str(rest);
    Ok(expanded)
}
