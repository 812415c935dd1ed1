//! What an option would start or read outside of the browser.
//!
//! On its own because whoever opens a device by a name that somebody else wrote wants to know it
//! before anything is read or started: nothing is expanded here.

use super::words;
use crate::urls::origin;

/// What opening a device by this text would do beyond showing the app: each as what it would do,
/// with the option as it is written. A text that cannot be read does nothing.
///
/// ```
/// let wants = capuchin_web::needs_trust("http://localhost:8000 phone reset-command='make reset'");
/// assert_eq!(wants, ["run the command `make reset` at every reset"]);
/// assert!(capuchin_web::needs_trust("http://localhost:8000 phone").is_empty());
/// ```
pub fn needs_trust(text: &str) -> Vec<String> {
    let words = words::split(text).unwrap_or_default();
    let Some((address, options)) = words.split_first() else { return Vec::new() };
    let mut wants = Vec::new();
    for word in options {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        wants.extend(match key {
            "reset-command" => Some(format!("run the command `{value}` at every reset")),
            "browser" => Some(format!("start or use the browser `{value}`")),
            "debugging-port" => {
                Some(format!("let other programs drive the browser at port `{value}`"))
            }
            "flag" => Some(format!("start the browser with `{value}`")),
            "proxy" => Some(format!("send everything through the proxy `{value}`")),
            "downloads" => Some(format!("write downloads into `{value}`")),
            "files" => Some(format!("give the app files of `{value}`")),
            // What is served is yours, and a script of the spec can read it.
            "allow" if origin(address).is_empty() => {
                Some(format!("let the app send the files that are served to `{value}`"))
            }
            "root" => Some(format!("let the app read the files in `{value}`")),
            "reset-request" if origin(value).is_empty() || origin(value) != origin(address) => {
                Some(format!("post to `{value}` at every reset"))
            }
            _ => None,
        });
        // A dollar that no name follows is one.
        let names = value.split('$').skip(1).filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
        });
        wants.extend(names.map(|name| format!("read the environment variable `{name}`")));
    }
    wants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_outside_is_told() {
        for (text, wants) in [
            ("http://a phone locale=de-DE cookie=a:b", &[][..]),
            ("http://a header=X:$TOKEN", &["read the environment variable `TOKEN`"]),
            ("http://a header=X:5$", &[]),
            ("http://a 'flag=--no-sandbox'", &["start the browser with `--no-sandbox`"]),
            ("http://a browser=bin/x", &["start or use the browser `bin/x`"]),
            ("http://a allow=http://b", &[]),
            ("dist allow=*", &["let the app send the files that are served to `*`"]),
            ("http://a:1/x reset-request=http://a:1/reset", &[]),
            ("http://a reset-request=http://b/", &["post to `http://b/` at every reset"]),
        ] {
            assert_eq!(needs_trust(text), wants, "{text}");
        }
    }
}
