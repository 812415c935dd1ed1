//! Arithmetic on addresses: origins, the form in which browsers write them, and how the app's own
//! are shown to people.
//!
//! On its own because it needs nothing of a browser.

/// The address at which the app is opened, and its origin.
#[derive(Clone, Debug)]
pub(crate) struct AppUrl {
    url: String,
}

impl AppUrl {
    pub(crate) fn new(url: String) -> Self {
        AppUrl { url }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.url
    }

    /// The origin of the app; empty if its address has none (`data:`, `about:`).
    pub(crate) fn origin(&self) -> &str {
        origin(&self.url)
    }

    /// Whether the address is of the app's origin.
    pub(crate) fn is_own(&self, url: &str) -> bool {
        origin(url) == self.origin()
    }

    /// Whether the address names a place within a document. From one such place to another, no
    /// document is loaded.
    pub(crate) fn has_fragment(&self) -> bool {
        self.url.contains('#')
    }

    /// The address without the app's own origin.
    pub(crate) fn shorten<'a>(&self, url: &'a str) -> &'a str {
        let path = url.strip_prefix(self.origin()).filter(|_| !self.origin().is_empty());
        path.map_or(url, |path| path.trim_start_matches('/'))
    }
}

/// An address as browsers write it: the host in small letters, and no port where it is the usual
/// one.
pub(crate) fn normalized(url: &str) -> String {
    let there = origin(url);
    let written = there.to_ascii_lowercase();
    let usual = match written.starts_with("https:") {
        true => written.strip_suffix(":443"),
        false => written.strip_suffix(":80"),
    };
    format!("{}{}", usual.unwrap_or(&written), &url[there.len()..])
}

/// The scheme, host and port of an address; empty if it has none.
pub(crate) fn origin(url: &str) -> &str {
    let Some(start) = url.find("://") else { return "" };
    let host = start + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end);
    let is_web = url.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    if is_web { &url[..end] } else { "" }
}

/// A path as it is written in a URL.
pub(crate) fn percent_encoded(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'@' => url.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => url.push(byte.into()),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, expected) in [
            ("http://localhost:8000/a/b?c", "http://localhost:8000"),
            ("https://example.com", "https://example.com"),
            ("http://a?x", "http://a"),
            ("about:blank", ""),
            ("data:text/html,x://y", ""),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
    }

    #[test]
    fn addresses_are_written_as_browsers_do() {
        for (url, expected) in [
            ("HTTP://LocalHost:80/A/b?C#D", "http://localhost/A/b?C#D"),
            ("https://Example.com:443", "https://example.com"),
            ("http://example.com:443/", "http://example.com:443/"),
            ("http://a:8080/", "http://a:8080/"),
            ("data:text/html,A", "data:text/html,A"),
        ] {
            assert_eq!(normalized(url), expected);
        }
    }

    #[test]
    fn only_the_apps_own_origin_is_left_out() {
        let app = AppUrl::new("http://a:80/app".into());
        assert_eq!(app.shorten("http://a:80/b?c"), "b?c");
        assert_eq!(app.shorten("http://other/b"), "http://other/b");
        assert_eq!(AppUrl::new("data:,x".into()).shorten("data:,y"), "data:,y");
    }

    #[test]
    fn a_path_is_encoded() {
        assert_eq!(percent_encoded("a b/c#1?.html"), "a%20b/c%231%3F.html");
    }
}
