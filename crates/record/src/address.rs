//! The page that a link opens, as seen from the page that it is on.
//!
//! On its own because the same link is written in different ways on different pages, and because a
//! link that leads nowhere in particular must not count as one that leads to a place.

use capuchin::ui::{Role, Screen};
use std::collections::BTreeMap;

/// An address that more links than this lead to is a placeholder.
const MOST_LINKS: usize = 4;

/// Of each element, the path of the page that it opens; empty if it opens none, if that is the page
/// which is shown, or if the address is a placeholder.
pub(crate) fn addresses(screen: &Screen) -> Vec<String> {
    let mut addresses: Vec<String> = vec![String::new(); screen.elements.len()];
    let Some(here) = path_of(&screen.place) else { return addresses };
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (index, element) in screen.elements.iter().enumerate() {
        if element.role != Role::Link || element.leads_to.is_empty() {
            continue;
        }
        let Some(address) = resolved(&here, &element.leads_to) else { continue };
        if address == tidied(&here) {
            continue;
        }
        let known = names.entry(address.clone()).or_default();
        if !known.contains(&element.text.as_str()) {
            known.push(&element.text);
        }
        addresses[index] = address;
    }
    for address in &mut addresses {
        if names.get(address).is_some_and(|names| names.len() > MOST_LINKS) {
            address.clear();
        }
    }
    addresses
}

/// The path of a place that is an address.
fn path_of(place: &str) -> Option<String> {
    let (_, rest) = place.split_once("://")?;
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    let end = path.find(['?', '#']).unwrap_or(path.len());
    Some(format!("/{}", &path[..end]))
}

/// Where a link of the page at this path leads, with its query and without its fragment.
fn resolved(here: &str, leads_to: &str) -> Option<String> {
    let text = leads_to.trim();
    let text = text.split('#').next().unwrap_or_default();
    if text.is_empty() {
        return None;
    }
    if let Some((scheme, rest)) = text.split_once("://") {
        let is_web = scheme == "http" || scheme == "https";
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        return is_web.then(|| tidied(&format!("/{path}")));
    }
    if text.split(['/', '?']).next().is_some_and(|first| first.contains(':')) {
        return None;
    }
    let joined = match text.strip_prefix('/') {
        Some(_) => text.to_owned(),
        None => format!("{}/{text}", here.rsplit_once('/').map_or("", |(above, _)| above)),
    };
    Some(tidied(&joined))
}

/// A path without `.`, `..`, the name of the file that stands for a directory, and a slash at its
/// end.
fn tidied(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
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
    if parts.last() == Some(&"index.html") {
        parts.pop();
    }
    let path = format!("/{}", parts.join("/"));
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::Element;

    fn link(leads_to: &str, text: &str) -> Element {
        let (role, leads_to, text) = (Role::Link, leads_to.into(), text.into());
        Element { role, leads_to, text, ..Element::default() }
    }

    #[test]
    fn a_link_is_the_same_from_every_page() {
        let check = |place: &str, leads_to: &str, expected: &str| {
            let elements = vec![link(leads_to, "x")];
            let screen = Screen { place: place.into(), elements, ..Screen::default() };
            assert_eq!(addresses(&screen), [expected], "{leads_to} on {place}");
        };
        check("http://a.test/Guides/One/", "../Two/", "/Guides/Two");
        check("http://a.test/Guides/One/?x=1#y", "/Guides/Two/index.html", "/Guides/Two");
        check("http://a.test:81/", "http://a.test:80/Guides/Two", "/Guides/Two");
        check("http://a.test/list", "list?page=2", "/list?page=2");
        check("http://a.test/list", "mailto:me@a.test", "");
        check("http://a.test/list", "#top", "");
        check("http://a.test/list", "list", "");
        check("Notes", "list", "");
    }

    #[test]
    fn where_everything_leads_is_nowhere() {
        let elements = ["a", "b", "c", "d", "e"].map(|text| link("soon.html", text)).to_vec();
        let screen = Screen { place: "http://a.test/".into(), elements, ..Screen::default() };
        assert!(addresses(&screen).iter().all(String::is_empty));
    }
}
