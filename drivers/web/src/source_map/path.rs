//! Addresses of scripts and sources as names of files that a person, or a coverage tool, finds.
//!
//! On its own, because bundlers disagree about how to write down where a file is.

/// The name of a file in reports: a path from the root of the app's origin; for other origins with
/// the host in front. Schemes that bundlers made up (`webpack://…`) are dropped.
pub(crate) fn file_of(url: &str, app: &str) -> String {
    let (scheme, rest) = split_scheme(url);
    let path = match scheme {
        "http" | "https" => {
            let (host, path) = split_host(rest);
            let path = with_index(path);
            if is_elsewhere(url, app) { format!("{host}/{path}") } else { path }
        }
        "file" => return normal(&percent_decoded(cut(rest.trim_start_matches("//"))), true),
        "" => return normal(&percent_decoded(cut(rest)), true),
        // webpack://name/./src/a.js, webpack-internal:///./src/a.js, turbopack://[project]/src/a.js
        _ if rest.starts_with("//") => split_host(rest).1.to_owned(),
        _ => rest.to_owned(),
    };
    normal(&percent_decoded(cut(&path)), false)
}

/// Whether the address is on another origin than the app.
pub(crate) fn is_elsewhere(url: &str, app: &str) -> bool {
    let (scheme, rest) = split_scheme(url);
    matches!(scheme, "http" | "https") && (scheme, split_host(cut(rest)).0) != origin(app)
}

/// The address that `relative` means in a document at `base`.
pub(super) fn resolved(base: &str, relative: &str) -> String {
    if !split_scheme(relative).0.is_empty() {
        return relative.to_owned();
    }
    let (scheme, rest) = split_scheme(base);
    if relative.starts_with("//") {
        return format!("{scheme}:{relative}");
    }
    let (host, path) = split_host(rest);
    let (path, after) = match relative.find(['?', '#']) {
        Some(at) => (join(path, &relative[..at]), &relative[at..]),
        None => (join(path, relative), ""),
    };
    if scheme.is_empty() {
        format!("{path}{after}")
    } else {
        format!("{scheme}://{host}/{path}{after}")
    }
}

/// The address of a source of a map that is at `base`.
pub(super) fn of_source(base: &str, root: &str, source: &str) -> String {
    let (scheme, _) = split_scheme(source);
    if !scheme.is_empty() || root.is_empty() {
        return resolved(base, source);
    }
    resolved(base, &format!("{}/{}", root.trim_end_matches('/'), source.trim_start_matches('/')))
}

/// The text with its `%41` read.
pub(super) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |digit: u8| (digit as char).to_digit(16);
        match (first, after) {
            (b'%', [high, low, after @ ..]) if hex(*high).and(hex(*low)).is_some() => {
                let value = hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0);
                bytes.push(value as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The scheme of an address and what follows the colon. A drive letter is no scheme.
fn split_scheme(url: &str) -> (&str, &str) {
    match url.split_once(':') {
        Some((scheme, rest))
            if scheme.len() > 1
                && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) =>
        {
            (scheme, rest)
        }
        _ => ("", url),
    }
}

/// `//host/path` as host and path, the path without its first slash.
fn split_host(rest: &str) -> (&str, &str) {
    match rest.strip_prefix("//") {
        Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
        None => ("", rest.trim_start_matches('/')),
    }
}

fn origin(app: &str) -> (&str, &str) {
    let (scheme, rest) = split_scheme(app);
    (scheme, split_host(cut(rest)).0)
}

/// Without query and fragment.
fn cut(path: &str) -> &str {
    path.find(['?', '#']).map_or(path, |at| &path[..at])
}

/// The page of a folder is the folder's index.
fn with_index(path: &str) -> String {
    let path = cut(path);
    if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.to_owned()
    }
}

fn join(base: &str, relative: &str) -> String {
    let folder = match relative.strip_prefix('/') {
        Some(_) => "",
        None => cut(base).rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    normal(&format!("{folder}/{relative}"), false)
}

/// Without `.` and `..`. What would lead above the root stays at the root.
fn normal(path: &str, may_be_absolute: bool) -> String {
    let path = path.replace('\\', "/").replace('\0', "");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if may_be_absolute && path.starts_with('/') { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let check = |url: &str, expected: &str| {
            assert_eq!(file_of(url, "http://localhost:8080/app/?a#b"), expected, "{url}");
        };
        check("http://localhost:8080/js/app.js?v=3", "js/app.js");
        check("http://localhost:8080", "index.html");
        check("http://localhost:8080/app/#/active", "app/index.html");
        check("http://localhost:9090/js/app.js", "localhost:9090/js/app.js");
        check("https://cdn.example/lib%20a.js", "cdn.example/lib a.js");
        check("file:///srv/app/main.js", "/srv/app/main.js");
        check("webpack:///./src/x.js", "src/x.js");
        check("webpack://my-app/./src/x.vue?4ab1", "src/x.vue");
        check("webpack-internal:///./src/x.js", "src/x.js");
        check("webpack:///../../lib/x.js", "lib/x.js");
        check("webpack:///webpack/bootstrap", "webpack/bootstrap");
        check("turbopack://[project]/src/x.ts", "src/x.ts");
        check("rollup:src/x.ts", "src/x.ts");
        check("../src/x.ts", "src/x.ts");
    }

    #[test]
    fn addresses_of_sources() {
        let check = |root: &str, source: &str, expected: &str| {
            let found = of_source("http://host/out/js/app.js.map?v=1/2", root, source);
            assert_eq!(found, expected, "{root} {source}");
        };
        check("", "../src/a.ts", "http://host/out/src/a.ts");
        check("", "/src/a.ts", "http://host/src/a.ts");
        check("", "webpack:///./a.ts", "webpack:///./a.ts");
        check("src/", "a.ts", "http://host/out/js/src/a.ts");
        check("/src", "a.ts", "http://host/src/a.ts");
        check("webpack://app", "./a.ts", "webpack://app/./a.ts");
        check("", "//cdn/a.ts", "http://cdn/a.ts");
        check("", "../../../../a.ts", "http://host/a.ts");
    }

    #[test]
    fn escapes() {
        assert_eq!(percent_decoded("a%20b%c3%A4%"), "a bä%");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
