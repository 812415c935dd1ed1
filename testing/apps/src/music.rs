//! The music service of figures 1 to 4: a welcome screen, a sign-in, a player.
//!
//! What is wrong with it:
//! - Home on the sign-in screen, before the user name was ever touched, crashes on the way back.
//! - A turn of the device there, likewise, leaves a veil that never goes away.
//! - A turn loses the user name until the password field is touched: only then is it saved.
//! - A turn while music plays shows the Play button again, though the player plays on.
//! - At the end of a track the player stops, and the button still says Stop.

use capuchin_sim::{App, Away, EVENT_TAKES, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Value};

/// How long a track lasts: a click on Play, and four seconds of sleep.
const TRACK: u64 = EVENT_TAKES + 4000;
const TRACKS: [&str; 6] = ["Overture", "Canon", "Etude", "Nocturne", "Fugue", "Finale"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Welcome,
    SignIn,
    Player,
}

/// The music service.
#[derive(Clone, Debug, Default)]
pub struct Music {
    bugs: bool,
    at: At,
    username: String,
    password: String,
    /// Whether the user name was ever touched.
    touched: bool,
    /// Whether the user name would survive a turn.
    saved: bool,
    restoring: bool,
    message: &'static str,
    playing: bool,
    shows_stop: bool,
    track: usize,
    volume: i64,
}

impl Music {
    /// The app, with its bugs or without.
    pub fn new(bugs: bool) -> Self {
        Music { bugs, volume: 5, ..Music::default() }
    }

    fn sign_in(&mut self) {
        if self.password != "1234" {
            self.message = "Invalid Password";
        } else if self.username != "test" {
            self.message = "Unknown User";
        } else {
            *self = Music { at: At::Player, ..Music::new(self.bugs) };
        }
    }

    fn play(&mut self, track: usize, os: &mut Os) {
        self.track = track;
        self.playing = true;
        self.shows_stop = true;
        os.cancel("track");
        os.timer(TRACK, "track");
    }

    fn stop(&mut self, os: &mut Os) {
        self.playing = false;
        self.shows_stop = false;
        os.cancel("track");
    }

    fn rotate(&mut self) {
        if !self.bugs {
            return;
        }
        match self.at {
            At::SignIn if !self.touched => self.restoring = true,
            At::SignIn if !self.saved => self.username.clear(),
            At::Player => self.shows_stop = false,
            _ => {}
        }
    }

    fn view_sign_in(&self, page: &mut Page<'_>) {
        page.heading("title", "Sign in to your account");
        page.field("username", "Username", &self.username);
        page.field("password", "Password", &self.password);
        page.button("signin", "Sign in");
        if !self.message.is_empty() {
            page.label("message", self.message);
        }
        if self.restoring {
            let size = page.viewport();
            page.label("restoring", "Restoring…").at(0, 0, size.width, size.height).opaque();
        }
    }

    fn view_player(&self, page: &mut Page<'_>) {
        page.label("welcome", "Welcome");
        page.label("track", TRACKS[self.track]);
        page.row(|page| {
            if self.shows_stop {
                page.button("stop", "Stop");
            } else {
                page.button("play", "Play");
            }
            page.button("softer", "-").size(48, 36);
            page.label("volume", numbered("Volume ", self.volume));
            page.button("louder", "+").size(48, 36);
        });
        page.list("tracks", 160, 40, TRACKS.len(), |page, index| {
            page.item(numbered("track-", index as i64 + 1), TRACKS[index])
                .selected(index == self.track);
        });
        page.button("signout", "Sign out");
    }
}

impl App for Music {
    const PREDICATES: &'static [&'static str] = &["mediaPlayerIsPlaying"];

    fn view(&self, page: &mut Page<'_>) {
        match self.at {
            At::Welcome => {
                page.place("WelcomeActivity");
                page.heading("title", "Music Service");
                page.image("logo", "A note");
                page.button("enter", "Enter");
            }
            At::SignIn => {
                page.place("SignInActivity");
                self.view_sign_in(page);
            }
            At::Player => {
                page.place("PlayerActivity");
                self.view_player(page);
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("enter") => self.at = At::SignIn,
            Input::Click("username") => self.touched = true,
            Input::Clear("username") => {
                self.touched = true;
                self.saved = false;
                self.username.clear();
            }
            Input::Clear("password") => {
                self.saved = true;
                self.password.clear();
            }
            Input::Text { id: "username", text } => {
                self.touched = true;
                self.saved = false;
                crate::type_into(&mut self.username, text);
            }
            Input::Click("password") => self.saved = true,
            Input::Text { id: "password", text } => {
                self.saved = true;
                crate::type_into(&mut self.password, text);
            }
            Input::Click("signin") => self.sign_in(),
            Input::Click("play") => self.play(self.track, os),
            Input::Click("stop") => self.stop(os),
            Input::Click("softer") => self.volume = (self.volume - 1).max(0),
            Input::Click("louder") => self.volume = (self.volume + 1).min(10),
            Input::Click("signout") => {
                self.stop(os);
                *self = Music::new(self.bugs);
            }
            Input::Click(id) => {
                let number = id.strip_prefix("track-").and_then(|n| n.parse::<usize>().ok());
                if let Some(track) = number.filter(|n| (1..=TRACKS.len()).contains(n)) {
                    self.play(track - 1, os);
                }
            }
            Input::Timer("track") if self.bugs => self.playing = false,
            Input::Timer("track") => self.play((self.track + 1) % TRACKS.len(), os),
            Input::Rotate(_) => self.rotate(),
            Input::Resume(Away::Home)
                if self.bugs && self.at == At::SignIn && !self.touched && !self.restoring =>
            {
                return Err(Crash::new("java.lang.RuntimeException: Unable to start activity")
                    .at("SignInActivity.onRestoreInstanceState"));
            }
            Input::Back if self.at == At::SignIn => *self = Music::new(self.bugs),
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }

    fn predicate(&self, name: &str, _: &[Value]) -> Option<bool> {
        (name == "mediaPlayerIsPlaying").then_some(self.playing)
    }
}
