//! Opens devices on one app, as many as are wanted, in one browser.

use crate::browser::Browser;
use crate::device::WebDevice;
use crate::notices::as_browsers_write;
use crate::options::Options;
use crate::serve::Server;
use capuchin_ui::DeviceError;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Opens devices on one app. A browser is started for the first and shared by all; when it has gone, the
/// next device starts another.
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
            return Ok(as_browsers_write(address));
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
                return Ok(as_browsers_write(&format!("http://{address}")));
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
        let whole;
        let (root, page) = if path.is_dir() {
            (path, String::new())
        } else {
            whole = std::path::absolute(path)
                .map_err(|error| format!("cannot read {file}: {error}"))?;
            let text = std::fs::read(&whole).unwrap_or_default();
            let root = whole.ancestors().skip(1).take(1 + levels_above(&text)).last();
            let root = root.unwrap_or(&whole);
            let page = whole.strip_prefix(root).unwrap_or(&whole);
            (root, page.to_string_lossy().into_owned())
        };
        let server = match &shared.server {
            Some(server) => Arc::clone(server),
            None => {
                let server = Server::start(root)
                    .map_err(|error| format!("cannot serve {}: {error}", root.display()))?;
                Arc::clone(shared.server.insert(Arc::new(server)))
            }
        };
        Ok(format!("{}/{}{query}", server.origin(), page.replace(' ', "%20")))
    }
}

/// From how many directories above its own a page fetches what it consists of: `src="../dist/app.js"` is in the one
/// above, and that must be served as well.
fn levels_above(page: &[u8]) -> usize {
    const UP: &[u8] = b"../";
    let mut most = 0;
    for (at, _) in page
        .windows(1 + UP.len())
        .enumerate()
        .filter(|(_, part)| matches!(part[0], b'"' | b'\'' | b'=' | b'(') && part[1..] == *UP)
    {
        let levels = page[at + 1..].chunks(UP.len()).take_while(|part| *part == UP).count();
        most = most.max(levels);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::levels_above;

    #[test]
    fn a_page_says_how_far_up_it_reaches() {
        assert_eq!(levels_above(b"<script src='app.js'></script>"), 0);
        assert_eq!(levels_above(b"<script src=\"../dist/app.js\"></script>"), 1);
        assert_eq!(levels_above(b"<link href=../../a.css><img src='../b.png'>"), 2);
        assert_eq!(levels_above(b"a/../b and ../c are no addresses"), 0);
    }
}
