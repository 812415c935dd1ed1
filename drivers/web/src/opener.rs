//! Opens devices on one app, as many as are wanted, in one browser.

use crate::browser::Browser;
use crate::device::WebDevice;
use crate::options::Options;
use crate::serve::Server;
use crate::urls::{normalized, percent_encoded};
use capuchin_ui::DeviceError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Opens devices on one app. A browser is started for the first and shared by all; when it has
/// gone, the next device starts another.
#[derive(Debug)]
pub struct Opener {
    name: String,
    options: Options,
    shared: Mutex<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    browser: Weak<Browser>,
    server: Option<Arc<Server>>,
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Browser").field("product", &self.product).finish_non_exhaustive()
    }
}

impl Opener {
    /// Devices of this name with these options.
    pub fn new(name: impl Into<String>, options: Options) -> Self {
        Opener { name: name.into(), options, shared: Mutex::default() }
    }

    /// Opens one more device.
    pub fn open(&self) -> Result<WebDevice, DeviceError> {
        let start =
            |reason: String| DeviceError::Start { device: self.name.as_str().into(), reason };
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let url = self.address(&mut shared).map_err(start)?;
        let running = shared.browser.upgrade().filter(|browser| browser.is_alive());
        let browser = match running {
            Some(browser) => browser,
            None => {
                let browser = Browser::open(&self.options).map_err(start)?;
                shared.browser = Arc::downgrade(&browser);
                browser
            }
        };
        let server = shared.server.clone();
        drop(shared);
        WebDevice::new(&self.name, url, self.options.clone(), browser, server)
    }

    /// The URL of the app; files are served from now on.
    fn address(&self, shared: &mut Shared) -> Result<String, String> {
        let address = self.options.url.as_str();
        let has_scheme = ["http://", "https://", "data:", "about:", "chrome://"];
        let begins = address.to_ascii_lowercase();
        if has_scheme.iter().any(|scheme| begins.starts_with(scheme)) {
            return Ok(normalized(address));
        }
        let plain = address.strip_prefix("file://").unwrap_or(address);
        let (file, query) = plain.split_at(plain.find(['?', '#']).unwrap_or(plain.len()));
        let path = Path::new(file);
        if let Some((scheme, _)) = plain.split_once("://").filter(|_| !path.exists()) {
            return Err(format!(
                "`{scheme}://` is no address of a page; one begins with http:// or https://"
            ));
        }
        if !path.exists() {
            // `localhost:3000` is what people type.
            let looks_like_host = file.contains(':') || file.starts_with("localhost");
            if looks_like_host {
                return Ok(normalized(&format!("http://{address}")));
            }
            return Err(format!(
                "there is no file `{file}`; an address begins with http:// or https://"
            ));
        }
        if path.is_dir() && !path.join("index.html").is_file() {
            return Err(format!(
                "there is no index.html in {file}; name the page: web:{file}/PAGE"
            ));
        }
        let unreadable = |error: std::io::Error| format!("cannot read {file}: {error}");
        let (directory, name) = if path.is_dir() {
            (path.canonicalize().map_err(unreadable)?, "index.html".into())
        } else {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let directory = parent.unwrap_or(Path::new(".")).canonicalize().map_err(unreadable)?;
            (directory, path.file_name().unwrap_or_default().to_owned())
        };
        let page = std::fs::read_to_string(directory.join(&name)).unwrap_or_default();
        let root = root_of(&directory, &page);
        let mut below = directory.strip_prefix(root).unwrap_or(Path::new("")).to_owned();
        if !path.is_dir() {
            below.push(name);
        } else if root != directory {
            below.push("");
        }
        let server = match &shared.server {
            Some(server) => Arc::clone(server),
            None => {
                let server = Server::start(root)
                    .map_err(|error| format!("cannot serve {}: {error}", root.display()))?;
                Arc::clone(shared.server.insert(Arc::new(server)))
            }
        };
        Ok(format!("{}/{}{query}", server.origin(), percent_encoded(&below.to_string_lossy())))
    }
}

/// The directory that must be served for the page in this one. A page may consist of files from
/// above its own directory, as in `src="../dist/app.js"`; but one that names files from the root on
/// knows its root.
fn root_of<'a>(directory: &'a Path, page: &str) -> &'a Path {
    let mut most = 0;
    for name in ["src=", "href="] {
        for (at, _) in page.match_indices(name) {
            let value = page[at + name.len()..].trim_start_matches(['"', '\'']);
            let end = value.find(['"', '\'', '>', '?', '#', ' ', '\n']).unwrap_or(value.len());
            let value = &value[..end];
            if value.strip_prefix('/').is_some_and(|path| directory.join(path).is_file()) {
                return directory;
            }
            let levels = value.split('/').take_while(|part| *part == "..").count();
            // What leads to another page is no part of this one.
            let is_part = ![".html", ".htm"].iter().any(|end| value.ends_with(end));
            if levels > most && is_part && directory.join(value).is_file() {
                most = levels;
            }
        }
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let is_private = |root: &Path| root.parent().is_none() || home.as_deref() == Some(root);
    let root = directory.ancestors().nth(most).unwrap_or(directory);
    if is_private(root) { directory } else { root }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_served_with_its_parts() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let below = home.join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        for file in ["app.js", "a/other.html", "a/b/own.js"] {
            std::fs::write(home.join(file), "").unwrap();
        }
        let check = |page: &str, root: &str| {
            assert_eq!(root_of(&below, page), home.join(root), "{page}");
        };
        check("<script src='own.js'></script>", "a/b");
        check("<script src=\"../../app.js?v=1\"></script>", "");
        check("<script src=../../app.js></script>", "");
        check("<script src='../../gone.js'></script>", "a/b");
        check("<a href='../other.html'>Back</a>", "a/b");
        check("<script src='/own.js'></script><script src='../../app.js'></script>", "a/b");
    }
}
