//! Which directory is served for an app that is files, and which never is.
//!
//! On its own because it is a promise: a page can read everything that is served with it, and so
//! nothing is served that nobody asked for. That is the directory of the page, or what `root=`
//! names.

use capuchin_ui::Lack;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A directory to serve, and the page in it.
#[derive(Debug)]
pub(crate) struct ServedRoot {
    pub(crate) root: PathBuf,
    /// The page's path below the root; a directory's ends with a slash.
    pub(crate) below: PathBuf,
    /// A part of the page that exists and is not served.
    pub(crate) lack: Option<Lack>,
}

impl ServedRoot {
    /// What to serve for this file or directory. The error says what to do.
    pub(crate) fn of(path: &Path, root: Option<&Path>) -> Result<Self, String> {
        Self::with_home(path, root, home().as_deref())
    }

    fn with_home(path: &Path, given: Option<&Path>, home: Option<&Path>) -> Result<Self, String> {
        let file = path.display();
        let page = path.canonicalize().map_err(|error| format!("cannot read {file}: {error}"))?;
        let is_directory = page.is_dir();
        let directory = if is_directory { &page } else { page.parent().unwrap_or(&page) };
        let root = match given {
            Some(given) => named_root(given, &page)?,
            None => directory.to_owned(),
        };
        refuse_ancestors(&root, home)?;
        if given.is_none() && home == Some(&root) {
            return Err(format!(
                "{file} is in the home directory, and a page can read what is served with it; move \
                 it into a directory of its own, or say root={} if that is meant",
                root.display()
            ));
        }
        let mut below = page.strip_prefix(&root).unwrap_or(Path::new("")).to_owned();
        if is_directory && root != page {
            below.push("");
        }
        let index = if is_directory { page.join("index.html") } else { page.clone() };
        let text = beginning(&index).unwrap_or_default();
        let lack = part_outside(&String::from_utf8_lossy(&text), directory, &root, home);
        Ok(ServedRoot { root, below, lack })
    }
}

/// The beginning of a page, in which it names its parts. What is not a file may never end.
fn beginning(page: &Path) -> io::Result<Vec<u8>> {
    const ENOUGH: u64 = 1 << 20;
    let mut text = Vec::new();
    if page.metadata()?.is_file() {
        File::open(page)?.take(ENOUGH).read_to_end(&mut text)?;
    }
    Ok(text)
}

/// The directory that `root=` names; the page must be in it.
fn named_root(given: &Path, page: &Path) -> Result<PathBuf, String> {
    let shown = given.display();
    let root =
        given.canonicalize().map_err(|error| format!("cannot serve root={shown}: {error}"))?;
    if !root.is_dir() {
        return Err(format!("cannot serve root={shown}: it is not a directory"));
    }
    match page.starts_with(&root) {
        true => Ok(root),
        false => Err(format!(
            "{} is not in root={shown}; root= names a directory that the page is in",
            page.display()
        )),
    }
}

/// Refuses what no page may ever read. The path must be canonical.
pub(crate) fn refuse_ancestors_of_home(root: &Path) -> Result<(), String> {
    refuse_ancestors(root, home().as_deref())
}

fn refuse_ancestors(root: &Path, home: Option<&Path>) -> Result<(), String> {
    let is_around_home = home.is_some_and(|home| home != root && home.starts_with(root));
    let inside = match root.parent() {
        None => "everything",
        Some(_) if is_around_home => "the home directory",
        Some(_) => return Ok(()),
    };
    Err(format!(
        "{} is never served: {inside} is in it, and a page can read what is served with it; put the \
         app into a directory of its own",
        root.display()
    ))
}

/// The home directory, as links lead to it.
fn home() -> Option<PathBuf> {
    std::env::home_dir()?.canonicalize().ok()
}

/// The first part of the page that exists outside of the root, and what would serve it. A browser
/// asks for such a part at another place, and does not get it.
fn part_outside(page: &str, directory: &Path, root: &Path, home: Option<&Path>) -> Option<Lack> {
    let depth = directory.strip_prefix(root).ok()?.components().count();
    let part = referenced(page).find(|part| {
        // What leads to another page is no part of this one.
        let is_page = [".html", ".htm"].iter().any(|end| part.ends_with(end));
        climbs(part) > depth && !is_page && directory.join(part).is_file()
    })?;
    let target = directory.join(part).canonicalize().ok()?;
    let around = root.ancestors().find(|around| target.starts_with(around))?;
    let remedy = match refuse_ancestors(around, home) {
        Ok(()) => format!("root={} serves it as well", around.display()),
        Err(_) => "put it into a directory with the page".to_owned(),
    };
    let root = root.display();
    let reason =
        format!("the page needs it, and it is outside of {root}, which is served; {remedy}");
    Some(Lack { what: part.into(), reason: reason.into() })
}

/// The addresses in a page's attributes, without what stands behind the path.
fn referenced(page: &str) -> impl Iterator<Item = &str> {
    let values = ["src=", "href="].into_iter().flat_map(move |name| {
        page.match_indices(name).map(move |(at, _)| &page[at + name.len()..])
    });
    values.map(|value| {
        let value = value.trim_start_matches(['"', '\'']);
        let end = value.find(['"', '\'', '>', '?', '#', ' ', '\n']).unwrap_or(value.len());
        &value[..end]
    })
}

/// How many directories a relative path leads up at most.
fn climbs(path: &str) -> usize {
    let (mut depth, mut highest) = (0_usize, 0_usize);
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if depth == 0 => highest += 1,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            _ => return 0,
        }
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home directory with a private file, an app in it, and links out of that.
    fn home_with_app() -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let home = outer.path().canonicalize().unwrap().join("users/me");
        std::fs::create_dir_all(home.join("work/app/pages")).unwrap();
        for file in ["secret.js", "index.html", "work/lib.js", "work/other.html"] {
            std::fs::write(home.join(file), "").unwrap();
        }
        std::fs::write(home.join("work/app/index.html"), "<script src=../lib.js></script>")
            .unwrap();
        let deep = "<script src=\"../../lib.js?v=1\"></script><a href='../../other.html'>x</a>";
        std::fs::write(home.join("work/app/pages/a.html"), deep).unwrap();
        std::fs::write(home.join("work/app/evil.html"), "<link href='../../secret.js'>").unwrap();
        (outer, home)
    }

    /// What is served for a page below the home directory, both below it as well; or the error.
    fn check(page: &str, root: Option<&str>, expected: Result<(&str, &str), &str>) {
        let (_outer, home) = home_with_app();
        let root = root.map(|root| home.join(root));
        let found = ServedRoot::with_home(&home.join(page), root.as_deref(), Some(&home));
        match (found, expected) {
            (Ok(found), Ok((root, below))) => {
                assert_eq!(found.root, home.join(root).canonicalize().unwrap(), "{page}");
                assert_eq!(found.below.to_string_lossy(), below, "{page}");
            }
            (Err(error), Err(words)) => assert!(error.contains(words), "{page}: {error}"),
            (found, _) => panic!("{page}, {root:?}: {found:?}"),
        }
    }

    #[test]
    fn nothing_is_served_that_nobody_asked_for() {
        check("work/app", None, Ok(("work/app", "")));
        check("work/app/index.html", None, Ok(("work/app", "index.html")));
        check("work/app/pages/a.html", None, Ok(("work/app/pages", "a.html")));
        check("work/app/evil.html", None, Ok(("work/app", "evil.html")));
        check("work/app/pages/a.html", Some("work"), Ok(("work", "app/pages/a.html")));
        check("work/app", Some("work"), Ok(("work", "app/")));
        check("work/app", Some("work/app"), Ok(("work/app", "")));
        check("work/app", Some("work/app/pages"), Err("a directory that the page is in"));
        check("work/app", Some("work/nothing"), Err("cannot serve root="));
        check("work/app", Some("work/lib.js"), Err("not a directory"));
    }

    #[test]
    fn the_home_directory_takes_a_word_and_what_is_around_it_is_never_served() {
        check("index.html", None, Err("say root="));
        check("", None, Err("say root="));
        check("index.html", Some(""), Ok(("", "index.html")));
        check("work/app", Some(""), Ok(("", "work/app/")));
        check("work/app", Some(".."), Err("the home directory is in it"));
        check("work/app", Some("work/../.."), Err("the home directory is in it"));
        check("work/app", Some("../.."), Err("the home directory is in it"));
        check("work/app", Some("/"), Err("everything is in it"));
        check("..", None, Err("the home directory is in it"));
    }

    #[test]
    fn links_are_followed_before_anything_is_decided() {
        let (_outer, home) = home_with_app();
        let link = home.join("work/app/up");
        std::os::unix::fs::symlink(home.parent().unwrap(), &link).unwrap();
        let of = |root: &Path| {
            ServedRoot::with_home(&home.join("work/app/index.html"), Some(root), Some(&home))
        };
        assert!(of(&link).unwrap_err().contains("never served"));
        let page = link.join("me/work/app/index.html");
        let found = ServedRoot::with_home(&page, None, Some(&home)).unwrap();
        assert_eq!(found.root, home.join("work/app"));
    }

    #[test]
    fn a_page_without_its_parts_is_told_how_to_get_them() {
        let (_outer, home) = home_with_app();
        let lack = |page: &str, root: Option<&str>| {
            let root = root.map(|root| home.join(root));
            let found = ServedRoot::with_home(&home.join(page), root.as_deref(), Some(&home));
            found.unwrap().lack.map(|lack| (lack.what.to_string(), lack.reason.to_string()))
        };
        let (what, reason) = lack("work/app/index.html", None).unwrap();
        assert_eq!(what, "../lib.js");
        let root = format!("root={} serves it", home.join("work").display());
        assert!(reason.contains(&root), "{reason}");
        assert_eq!(lack("work/app", None).unwrap().0, "../lib.js");
        assert_eq!(lack("work/app/pages/a.html", None).unwrap().0, "../../lib.js");
        assert_eq!(lack("work/app/pages/a.html", Some("work")), None);
    }
}
