//! Keys by their names, as the DevTools protocol wants them.

use serde_json::{Value, json};

/// A key that is pressed: what the browser is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    key: String,
    code: String,
    /// The number that Windows has for it, which `keyCode` in a page still is.
    number: u32,
    /// What it writes.
    text: String,
    modifiers: u32,
}

const CONTROL: u32 = 2;
const SHIFT: u32 = 8;
const REDO: u32 = CONTROL | SHIFT;

/// Keys with names: the name, its code, its number, what it writes.
const NAMED: &[(&str, &str, u32, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, "\t"),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
    ("CapsLock", "CapsLock", 20, ""),
    ("Space", "Space", 32, " "),
    (" ", "Space", 32, " "),
    ("F1", "F1", 112, ""),
    ("F2", "F2", 113, ""),
    ("F3", "F3", 114, ""),
    ("F4", "F4", 115, ""),
    ("F5", "F5", 116, ""),
    ("F6", "F6", 117, ""),
    ("F7", "F7", 118, ""),
    ("F8", "F8", 119, ""),
    ("F9", "F9", 120, ""),
    ("F10", "F10", 121, ""),
    ("F11", "F11", 122, ""),
    ("F12", "F12", 123, ""),
];

impl Key {
    /// A key by its name, perhaps with others held: `Enter`, `a`, `Control+a`, `Shift+Tab`.
    pub(crate) fn named(name: &str) -> Option<Key> {
        let mut modifiers = 0;
        let mut rest = name;
        while let Some((held, after)) = rest.split_once('+') {
            if after.is_empty() {
                break;
            }
            modifiers |= match held {
                "Alt" => 1,
                "Control" | "Ctrl" => CONTROL,
                "Meta" => 4,
                "Shift" => SHIFT,
                _ => return None,
            };
            rest = after;
        }
        let mut key = match NAMED.iter().find(|(named, ..)| *named == rest) {
            Some((named, code, number, text)) => Key {
                key: if *named == "Space" { " ".to_owned() } else { (*named).to_owned() },
                code: (*code).to_owned(),
                number: *number,
                text: (*text).to_owned(),
                modifiers: 0,
            },
            None => {
                let mut chars = rest.chars();
                let key = Key::writing(chars.next()?)?;
                chars.next().is_none().then_some(key)?
            }
        };
        key.modifiers |= modifiers;
        if key.modifiers & !SHIFT != 0 {
            // Nothing is written while Control or Alt is held.
            key.text.clear();
        }
        Some(key)
    }

    /// The key that writes this character; `None` if no key of a plain keyboard does.
    pub(crate) fn writing(c: char) -> Option<Key> {
        if c == '\n' {
            return Key::named("Enter");
        }
        if !(' '..='~').contains(&c) {
            return None;
        }
        let (code, number) = match c {
            'a'..='z' | 'A'..='Z' => {
                (format!("Key{}", c.to_ascii_uppercase()), c.to_ascii_uppercase() as u32)
            }
            '0'..='9' => (format!("Digit{c}"), c as u32),
            ' ' => ("Space".to_owned(), 32),
            _ => {
                let (code, number) = punctuation(c);
                (code.to_owned(), number)
            }
        };
        let shifted = c.is_ascii_uppercase() || "~!@#$%^&*()_+{}|:\"<>?".contains(c);
        let modifiers = if shifted { SHIFT } else { 0 };
        Some(Key { key: c.to_string(), code, number, text: c.to_string(), modifiers })
    }

    /// What an event of it says that it is.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// What tells the browser that it goes down.
    pub(crate) fn down(&self) -> Value {
        // What the browser does with it where the page does not: on its own it knows no shortcuts.
        let commands: &[&str] = match (self.key.as_str(), self.modifiers) {
            ("a", CONTROL) => &["selectAll"],
            ("z", CONTROL) => &["undo"],
            ("y", CONTROL) | ("z" | "Z", REDO) => &["redo"],
            _ => &[],
        };
        json!({
            "type": if self.text.is_empty() { "rawKeyDown" } else { "keyDown" },
            "key": self.key, "code": self.code, "windowsVirtualKeyCode": self.number,
            "text": self.text, "unmodifiedText": self.text, "modifiers": self.modifiers,
            "commands": commands,
        })
    }

    /// And that it goes up.
    pub(crate) fn up(&self) -> Value {
        json!({
            "type": "keyUp", "key": self.key, "code": self.code,
            "windowsVirtualKeyCode": self.number, "modifiers": self.modifiers,
        })
    }
}

fn punctuation(c: char) -> (&'static str, u32) {
    match c {
        '-' | '_' => ("Minus", 189),
        '=' | '+' => ("Equal", 187),
        '[' | '{' => ("BracketLeft", 219),
        ']' | '}' => ("BracketRight", 221),
        '\\' | '|' => ("Backslash", 220),
        ';' | ':' => ("Semicolon", 186),
        '\'' | '"' => ("Quote", 222),
        ',' | '<' => ("Comma", 188),
        '.' | '>' => ("Period", 190),
        '/' | '?' => ("Slash", 191),
        '`' | '~' => ("Backquote", 192),
        '!' => ("Digit1", 49),
        '@' => ("Digit2", 50),
        '#' => ("Digit3", 51),
        '$' => ("Digit4", 52),
        '%' => ("Digit5", 53),
        '^' => ("Digit6", 54),
        '&' => ("Digit7", 55),
        '*' => ("Digit8", 56),
        '(' => ("Digit9", 57),
        _ => ("Digit0", 48),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names() {
        let enter = Key::named("Enter").unwrap();
        assert_eq!((enter.number, enter.text.as_str()), (13, "\r"));
        let all = Key::named("Control+a").unwrap();
        assert_eq!((all.modifiers, all.text.as_str()), (CONTROL, ""));
        assert_eq!(Key::named("Shift+Tab").unwrap().modifiers, SHIFT);
        assert_eq!(Key::named("+").unwrap().text, "+");
        assert_eq!(Key::named("Shift++").map(|key| key.text), Some("+".to_owned()));
        assert_eq!(Key::named("NoSuchKey"), None);
        assert_eq!(Key::named(""), None);
    }

    #[test]
    fn every_printable_character_has_a_key() {
        for c in ' '..='~' {
            assert_eq!(Key::writing(c).unwrap().text, c.to_string());
        }
        assert_eq!(Key::writing('é'), None);
    }
}
