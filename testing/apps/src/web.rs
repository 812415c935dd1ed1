//! Sample apps as web pages, and the pages on which a browser's driver is tested.
//!
//! On its own because nothing here needs the simulated device: only where the files are, and what
//! they are called. A test serves the directory or opens the files.

use crate::Variant;
use std::path::Path;

/// The directory with the pages. `README.md` in it says what they are.
pub fn web_dir() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web"))
}

/// The page of a sample app, as an address relative to [`web_dir`].
pub fn web_page(app: &str, variant: Variant) -> String {
    match variant {
        Variant::Buggy => format!("{app}.html"),
        Variant::Fixed => format!("{app}.html?fixed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_app_that_is_not_for_exploration_has_its_page() {
        for sample in crate::all() {
            let page = web_page(sample.name, Variant::Buggy);
            assert_eq!(web_dir().join(&page).is_file(), !sample.for_exploration, "{page}");
        }
    }

    #[test]
    fn what_a_page_refers_to_is_there() {
        for directory in [web_dir().to_owned(), web_dir().join("driver")] {
            for entry in std::fs::read_dir(&directory).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "html") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    for name in references(&text) {
                        assert!(directory.join(name).is_file(), "{}: {name}", path.display());
                    }
                }
            }
        }
    }

    /// The scripts, style sheets and pages beside it that a page names.
    fn references(text: &str) -> impl Iterator<Item = &str> {
        text.split(['"', '\'']).filter(|part| {
            let is_name = part.chars().all(|c| c.is_ascii_alphanumeric() || "./-".contains(c));
            is_name
                && [".js", ".css", ".html", ".json"].iter().any(|end| part.ends_with(end))
                && *part != "no-such-file.json"
        })
    }
}
