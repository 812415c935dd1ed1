//! A guide to what is nearby, after section 7.2 of the ChimpCheck paper: a login, places around the
//! location that the device reports, and a network that may be gone. The user name is stored: it is
//! there again after the app was left.
//!
//! What is wrong with it: a location that arrives while somebody is half logged in crashes. No
//! order of user events alone shows it, only one interleaved with the app's surroundings.
//!
//! The layout is responsive: wide screens show the places beside the details.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Environment, Str, Value};

/// The guide.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    bugs: bool,
    username: String,
    password: String,
    logged_in: bool,
    message: &'static str,
    location: Option<(i64, i64)>,
    offline: bool,
    open: Option<i64>,
}

const PLACES: usize = 20;
const WIDE: i32 = 600;

impl Nearby {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Nearby { bugs, ..Nearby::default() }
    }

    fn log_in(&mut self, os: &mut Os) {
        if self.password == "1234" {
            self.logged_in = true;
            os.storage.insert("username".into(), Str::from(self.username.as_str()));
        } else {
            self.message = "Wrong password";
        }
    }

    fn happen(&mut self, event: &Environment) -> Result<(), Crash> {
        match (event.name.as_str(), event.args.as_slice()) {
            ("locUpdate", [Value::Number(latitude), Value::Number(longitude)]) => {
                if self.bugs && !self.logged_in && !self.username.is_empty() {
                    return Err(Crash::new(
                        "java.lang.NullPointerException: session is null in onLocationChanged",
                    )
                    .at("NearbyService.onLocationChanged"));
                }
                self.location = Some((latitude.round() as i64, longitude.round() as i64));
            }
            ("network", [Value::Text(state)]) => self.offline = state == "off",
            _ => {}
        }
        Ok(())
    }

    fn view_login(&self, page: &mut Page<'_>) {
        page.heading("title", "Log in");
        page.field("username", "User", &self.username);
        page.field("password", "Password", &self.password);
        page.button("login", "Log in");
        page.label("message", self.message);
    }

    fn view_places(&self, page: &mut Page<'_>, height: i32) {
        if self.location.is_none() {
            page.label("waiting", "Waiting for a location");
            return;
        }
        page.list("places", height, 48, PLACES, |page, index| {
            let number = index as i64 + 1;
            page.item(numbered("place-", number), numbered("Place ", number))
                .selected(self.open == Some(number));
        });
    }

    fn view_details(&self, page: &mut Page<'_>) {
        if let Some(number) = self.open {
            page.label("details", numbered("Details of place ", number));
            page.button("close", "Close");
        }
    }
}

impl App for Nearby {
    const ENVIRONMENT: &'static [&'static str] = &["locUpdate", "network"];

    fn view(&self, page: &mut Page<'_>) {
        let size = page.viewport();
        if !self.logged_in {
            page.place("LoginActivity");
            self.view_login(page);
            return;
        }
        page.place("NearbyActivity");
        page.heading("title", "Nearby");
        page.label("network", if self.offline { "Offline" } else { "Online" });
        if let Some((latitude, longitude)) = self.location {
            page.label("latitude", numbered("Latitude ", latitude));
            page.label("longitude", numbered("Longitude ", longitude));
        }
        let height = (size.height - 160).max(48);
        if size.width >= WIDE {
            page.row(|page| {
                page.column(size.width / 2 - 8, |page| self.view_places(page, height));
                page.column(size.width / 2 - 8, |page| self.view_details(page));
            });
        } else if self.open.is_some() {
            self.view_details(page);
        } else {
            self.view_places(page, height);
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Launch => {
                if let Some(name) = os.storage.get("username") {
                    self.username = name.to_string();
                }
            }
            Input::Clear("username") => self.username.clear(),
            Input::Clear("password") => self.password.clear(),
            Input::Text { id: "username", text } => crate::type_into(&mut self.username, text),
            Input::Text { id: "password", text } => crate::type_into(&mut self.password, text),
            Input::Click("login") => self.log_in(os),
            Input::Click("close") => self.open = None,
            Input::Click(id) => {
                let number = id.strip_prefix("place-").and_then(|number| number.parse().ok());
                self.open = number.or(self.open);
            }
            Input::Environment(event) => self.happen(event)?,
            Input::Back if self.open.is_some() => self.open = None,
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}
