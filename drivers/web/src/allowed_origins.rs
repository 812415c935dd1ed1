//! Which origins the app may reach: its own, and those that `allow=` names.
//!
//! On its own because three ask it: navigations and frames, the proxy that everything else meets,
//! and the flags of a browser that we start.

use crate::urls::origin;
use capuchin_ui::Lack;

/// The origins that the app may reach.
#[derive(Clone, Debug)]
pub(crate) enum AllowedOrigins {
    /// All of them: `allow=*`.
    All,
    /// These.
    Only(Vec<Allowed>),
}

/// One of them: a scheme, unless all are meant; a host, and a port, unless all are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    scheme: Option<Scheme>,
    host: String,
    port: Option<u16>,
}

/// A WebSocket is of the origin that it was upgraded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

impl Allowed {
    /// Reads `https://host`, `ws://host:8000/path`, `host` or `host:8000`.
    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = match text.split_once("://") {
            Some(("http" | "ws", rest)) => (Some(Scheme::Http), rest),
            Some(("https" | "wss", rest)) => (Some(Scheme::Https), rest),
            Some(_) => return None,
            None => (None, text.as_str()),
        };
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        let is_host = |c: char| c.is_alphanumeric() || "-._[]:".contains(c);
        (!host.is_empty() && host.chars().all(is_host)).then(|| Allowed {
            scheme,
            host: host.to_owned(),
            port: port.or(scheme.map(Scheme::port)),
        })
    }

    fn covers(&self, other: &Allowed) -> bool {
        let is_scheme =
            self.scheme.is_none() || other.scheme.is_none() || self.scheme == other.scheme;
        is_scheme && self.host == other.host && (self.port.is_none() || self.port == other.port)
    }

    fn is_loopback(&self) -> bool {
        let host = self.host.as_str();
        host == "localhost"
            || host.ends_with(".localhost")
            || host == "[::1]"
            || is_ip4_loopback(host)
    }
}

fn is_ip4_loopback(host: &str) -> bool {
    host.parse().is_ok_and(|address: std::net::Ipv4Addr| address.is_loopback())
}

/// Whether `allow=` can have this value.
pub(crate) fn is_origin(text: &str) -> bool {
    text == "*" || Allowed::parse(text).is_some()
}

impl AllowedOrigins {
    /// The app's own origin, and these.
    pub(crate) fn new(app: &str, allow: &[String]) -> Self {
        if allow.iter().any(|allowed| allowed == "*") {
            return AllowedOrigins::All;
        }
        let own = Some(origin(app)).filter(|own| !own.is_empty());
        let all = own.into_iter().chain(allow.iter().map(String::as_str));
        AllowedOrigins::Only(all.filter_map(Allowed::parse).collect())
    }

    /// Whether an address may be asked. What has no origin (`data:`, `blob:`) asks nobody.
    pub(crate) fn contains(&self, url: &str) -> bool {
        let is_asked = ["http", "ws"].iter().any(|scheme| {
            url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        !is_asked || self.allows(url)
    }

    /// Whether `host:port`, or an address, may be asked.
    pub(crate) fn allows(&self, there: &str) -> bool {
        match self {
            AllowedOrigins::All => true,
            AllowedOrigins::Only(list) => Allowed::parse(there)
                .is_some_and(|there| list.iter().any(|allowed| allowed.covers(&there))),
        }
    }

    /// The hosts that a browser asks without its proxy: those that are allowed, or, if there is a
    /// proxy behind it, those on this machine. In the form of `--proxy-bypass-list`.
    pub(crate) fn bypass_list(&self, has_upstream: bool) -> String {
        let AllowedOrigins::Only(list) = self else { return String::new() };
        // Without this, a browser bypasses its proxy for every port of this machine.
        let mut rules = String::from("<-loopback>");
        for allowed in list.iter().filter(|allowed| !has_upstream || allowed.is_loopback()) {
            rules.push(';');
            rules.push_str(&allowed.host);
            if let Some(port) = allowed.port {
                rules.push_str(&format!(":{port}"));
            }
        }
        rules
    }

    /// The names that a browser may look up, in the form of `--host-resolver-rules`; nothing if it
    /// may look up all.
    pub(crate) fn resolver_rules(&self) -> Option<String> {
        let AllowedOrigins::Only(list) = self else { return None };
        let mut rules = String::from("MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        for allowed in list {
            rules.push_str(&format!(", EXCLUDE {}", allowed.host.trim_matches(['[', ']'])));
        }
        Some(rules)
    }
}

/// What is told of an origin that the app asked for and may not reach.
pub(crate) fn blocked(origin: &str) -> Lack {
    let reason =
        format!("other origins are blocked; if the app needs it, add allow={origin} to the device");
    Lack { what: origin.into(), reason: reason.into() }
}

/// What to say of an origin that is allowed and that nobody answers at.
pub(crate) fn unreachable(origin: &str, reason: &str) -> Lack {
    let reason = format!("it is allowed, but it cannot be reached: {reason}");
    Lack { what: origin.into(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let allow =
            ["https://cdn.example/lib.js", "API.example", "ws://sock.example:81", "[::1]:9"];
        let allowed = AllowedOrigins::new("http://localhost:8000/a", &allow.map(str::to_owned));
        for (url, expected) in [
            ("http://localhost:8000/b", true),
            ("ws://localhost:8000/b", true),
            ("http://localhost:8001/", false),
            ("http://localhost/", false),
            ("http://127.0.0.1:8000/", false),
            ("https://cdn.example/x", true),
            ("HTTPS://CDN.example:443/x", true),
            ("wss://cdn.example/x", true),
            ("http://cdn.example/x", false),
            ("https://cdn.example.attacker.example/", false),
            ("https://cdn.example@attacker.example/", false),
            ("https://attacker.example/https://cdn.example", false),
            ("http://api.example:5/", true),
            ("http://sock.example:81/", true),
            ("http://[::1]:9/", true),
            ("http://[::1]:10/", false),
            ("data:text/html,x", true),
            ("about:blank", true),
        ] {
            assert_eq!(allowed.contains(url), expected, "{url}");
        }
        assert!(allowed.allows("cdn.example:443") && !allowed.allows("cdn.example:80"));
        assert!(AllowedOrigins::new("http://a/", &["*".to_owned()]).contains("http://b/"));
        assert!(!AllowedOrigins::new("data:,x", &[]).contains("http://b/"));
    }

    #[test]
    fn the_browser_is_told_in_its_own_words() {
        let allow = ["https://cdn.example".to_owned(), "[::1]".to_owned()];
        let allowed = AllowedOrigins::new("http://localhost:8000/", &allow);
        assert_eq!(allowed.bypass_list(false), "<-loopback>;localhost:8000;cdn.example:443;[::1]");
        assert_eq!(allowed.bypass_list(true), "<-loopback>;localhost:8000;[::1]");
        let rules = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE cdn.example, \
                     EXCLUDE ::1";
        assert_eq!(allowed.resolver_rules().unwrap(), rules);
        assert_eq!(AllowedOrigins::All.resolver_rules(), None);
    }

    #[test]
    fn what_is_no_origin_is_none() {
        for text in ["*", "https://a", "a", "a:1", "[::1]:2", "ws://a:3/b"] {
            assert!(is_origin(text), "{text}");
        }
        for text in ["", "ftp://a", "a b", "a;b", "a,b", "a:b", "*.a", "https://"] {
            assert!(!is_origin(text), "{text}");
        }
    }
}
