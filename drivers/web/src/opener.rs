//! Opens devices on one app, as many as are wanted, in one browser.

use crate::allowed_origins::AllowedOrigins;
use crate::browser::Browser;
use crate::device::WebDevice;
use crate::options::Options;
use crate::serve::Server;
use crate::served_root::ServedRoot;
use crate::urls::{normalized, percent_encoded};
use crate::waits::{SharedWaits, Waits};
use capuchin_ui::{DeviceError, Lack, Stop};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Opens devices on one app. A browser is started for the first and shared by all; when it has
/// gone, the next device starts another.
#[derive(Debug)]
pub struct Opener {
    name: String,
    options: Options,
    shared: Mutex<Shared>,
    /// `None` if nobody wants to know how long they wait.
    waits: Option<SharedWaits>,
}

/// The app as a device meets it.
pub(crate) struct App {
    pub(crate) url: String,
    pub(crate) allowed: AllowedOrigins,
    /// Serves its files, if it is files.
    pub(crate) server: Option<Arc<Server>>,
    /// A part of the page that is not served.
    pub(crate) lack: Option<Lack>,
}

#[derive(Debug, Default)]
struct Shared {
    browser: Weak<Browser>,
    server: Option<Arc<Server>>,
    /// A part of the page that is not served.
    lack: Option<Lack>,
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Browser").field("product", &self.product).finish_non_exhaustive()
    }
}

impl Opener {
    /// Devices of this name with these options.
    pub fn new(name: impl Into<String>, options: Options) -> Self {
        Opener { name: name.into(), options, shared: Mutex::default(), waits: None }
    }

    /// Opens one more device.
    pub fn open(&self) -> Result<WebDevice, DeviceError> {
        self.open_until(&Stop::default())
    }

    /// Opens one more device, unless it is told to stop before that is done.
    pub fn open_until(&self, stop: &Stop) -> Result<WebDevice, DeviceError> {
        let device = || self.name.as_str().into();
        let start = |reason: String| match stop.is_set() {
            // Whatever went wrong then may have gone wrong because of it.
            true => DeviceError::Stopped { device: device() },
            false => DeviceError::Start { device: device(), reason },
        };
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let url = self.address(&mut shared).map_err(start)?;
        let allowed = AllowedOrigins::new(&url, &self.options.allow);
        let running = shared.browser.upgrade().filter(|browser| browser.is_alive(stop));
        let browser = match running {
            Some(browser) => browser,
            None => {
                let browser = Browser::open(&self.options, &allowed, stop).map_err(start)?;
                shared.browser = Arc::downgrade(&browser);
                browser
            }
        };
        let app = App { url, allowed, server: shared.server.clone(), lack: shared.lack.clone() };
        drop(shared);
        let waits = self.waits.clone();
        WebDevice::new(&self.name, app, self.options.clone(), browser, stop, waits)
    }

    /// From now on, its devices note how long they wait and for what: `take_waits` has it.
    pub fn with_waits(mut self) -> Self {
        self.waits = Some(SharedWaits::default());
        self
    }

    /// How long its devices have waited since this was last asked, and for what. Nothing without
    /// `with_waits`.
    pub fn take_waits(&self) -> Waits {
        let Some(waits) = &self.waits else { return Waits::default() };
        std::mem::take(&mut *waits.lock().unwrap_or_else(PoisonError::into_inner))
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
        let ServedRoot { root, below, lack } = ServedRoot::of(path, self.options.root.as_deref())?;
        let server = match &shared.server {
            Some(server) => Arc::clone(server),
            None => {
                let server = Server::start(&root)
                    .map_err(|error| format!("cannot serve {}: {error}", root.display()))?;
                Arc::clone(shared.server.insert(Arc::new(server)))
            }
        };
        shared.lack = lack;
        Ok(format!("{}/{}{query}", server.origin(), percent_encoded(&below.to_string_lossy())))
    }
}
