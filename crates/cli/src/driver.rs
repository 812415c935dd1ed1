//! Where devices come from: a driver for each scheme, such as `sim` of `sim:music`.
//!
//! On its own because the list is open: a crate of the user's adds a driver with [`Drivers::add`],
//! and every command knows its devices. Nothing else in the command knows one driver from another.

mod sim;
mod web;

use crate::exit::Problem;
use capuchin::ui::{Device, Script, Size, Stop};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Opens one more device each time. Opening one that takes long ends with
/// [`DeviceError::Stopped`](capuchin::ui::DeviceError::Stopped) when the stop is set.
pub type OpenDevice = Box<dyn Fn(&Stop) -> Result<Box<dyn Device>, Problem> + Send + Sync>;

/// Devices of one scheme.
pub trait Driver: Send + Sync {
    /// What the names of its devices begin with, before a colon.
    fn scheme(&self) -> &str;

    /// What `capuchin devices` prints of them, in lines.
    fn devices(&self) -> String;

    /// What `capuchin help SCHEME` prints, if there is more to say.
    fn manual(&self) -> Option<String> {
        None
    }

    /// Whether a name without the scheme of a driver is one of its: an address, a file. The error
    /// is what to say of the name if no driver takes it.
    fn takes(&self, name: &str) -> Result<bool, Problem> {
        let _ = name;
        Ok(false)
    }

    /// The name of the same device with these options, so that what is found on it is found on it
    /// again.
    fn name_with(&self, name: &str, options: &NameOptions<'_>) -> Result<String, Problem> {
        options.only_viewport(name)?;
        match options.viewport {
            Some(_) => Err(Problem::request(format!("`{name}` has no other viewport"))),
            None => Ok(name.to_owned()),
        }
    }

    /// The name of the same device where somebody is to be recorded, and the name under which the
    /// recording is replayed.
    fn names_to_record(&self, name: &str) -> Result<(String, String), Problem> {
        Ok((name.to_owned(), name.to_owned()))
    }

    /// What a device of this address would do beyond showing an app to us: start a program, read
    /// files or the environment; each as what it would do. A name from a file or from the log of a
    /// run is opened only if there is none, or if the user trusts it. A driver that does not say is
    /// not trusted: nobody knows what it would do.
    fn needs_trust(&self, address: &str) -> Vec<String> {
        vec![format!(
            "open {}:{address}, and its driver does not say what that does",
            self.scheme()
        )]
    }

    /// The part of a name that says which app it is, without the options.
    fn app<'n>(&self, name: &'n str) -> &'n str {
        name
    }

    /// How to open the devices of a run.
    fn opener(&self, request: &OpenRequest<'_>) -> Result<OpenDevice, Problem>;
}

/// What the command line says of a device beside its name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NameOptions<'a> {
    /// The size of its screen.
    pub viewport: Option<Size>,
    /// What is given with `--with`.
    pub with: &'a [String],
}

impl NameOptions<'_> {
    /// Refuses whatever is given with `--with`.
    fn only_viewport(&self, name: &str) -> Result<(), Problem> {
        match self.with.first() {
            Some(option) => Err(Problem::request(format!("`{name}` has no option `{option}`"))
                .help("--with is for web devices")),
            None => Ok(()),
        }
    }
}

/// The devices that a run wants.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OpenRequest<'a> {
    /// Their name.
    pub name: &'a str,
    /// Their name without the scheme and the colon.
    pub address: &'a str,
    /// The predicates and values that the specification defines, for a device that evaluates them.
    pub scripts: &'a [Script],
    /// Where to put what the app offers for download.
    pub downloads: Option<&'a Path>,
}

/// The drivers that there are.
#[derive(Clone)]
pub struct Drivers {
    drivers: Vec<Arc<dyn Driver>>,
}

impl Default for Drivers {
    /// Ours.
    fn default() -> Self {
        Drivers { drivers: vec![Arc::new(sim::Sim), Arc::new(web::Web)] }
    }
}

impl fmt::Debug for Drivers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.drivers.iter().map(|driver| driver.scheme())).finish()
    }
}

impl Drivers {
    /// Adds a driver, in the place of one of the same scheme if there is one.
    pub fn add(&mut self, driver: impl Driver + 'static) {
        let driver: Arc<dyn Driver> = Arc::new(driver);
        match self.drivers.iter_mut().find(|known| known.scheme() == driver.scheme()) {
            Some(known) => *known = driver,
            None => self.drivers.push(driver),
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Arc<dyn Driver>] {
        &self.drivers
    }

    /// The driver of the device of this name, and the name without the scheme.
    pub fn of<'n>(&self, name: &'n str) -> Option<(&dyn Driver, &'n str)> {
        let (scheme, address) = name.split_once(':')?;
        let driver = self.drivers.iter().find(|driver| driver.scheme() == scheme)?;
        Some((&**driver, address))
    }

    /// What the device of this name would do that only a user may ask for: see
    /// [`Driver::needs_trust`].
    pub fn needs_trust(&self, name: &str) -> Vec<String> {
        self.of(name).map(|(driver, address)| driver.needs_trust(address)).unwrap_or_default()
    }

    /// Refuses a name that a file gave if its device would do what only a user may ask for.
    pub fn refuse_untrusted(&self, name: &str) -> Result<(), Problem> {
        let named = self.resolve(name).map_or_else(|_| name.to_owned(), |(_, name)| name);
        let wants = self.needs_trust(&named);
        if wants.is_empty() {
            return Ok(());
        }
        let lines: Vec<&str> = wants.iter().map(String::as_str).collect();
        Err(Problem::request(format!("the file's device would\n{}", lines.join("\n")))
            .help("if you trust the file, add --trust; or name the device yourself with --device"))
    }

    /// The name with its scheme, and its driver.
    pub(crate) fn resolve(&self, name: &str) -> Result<(&dyn Driver, String), Problem> {
        if let Some((driver, _)) = self.of(name) {
            return Ok((driver, name.to_owned()));
        }
        let mut problem = None;
        for driver in &self.drivers {
            match driver.takes(name) {
                Ok(true) => return Ok((&**driver, format!("{}:{name}", driver.scheme()))),
                Ok(false) => {}
                Err(wrong) => problem = Some(wrong),
            }
        }
        Err(problem.unwrap_or_else(|| {
            Problem::request(format!("unknown device `{name}`")).help(HOW_NAMED)
        }))
    }
}

/// What is said of a name that is none.
const HOW_NAMED: &str =
    "a device is named like sim:music or web:http://localhost:8000; `capuchin devices` lists them";
