//! A score tracker for a crate-stacking game after Kistenstapeln, issue #1 (table 1).
//!
//! Four pages reached by a navigation drawer; on the first, small buttons count crates and start a
//! game of two minutes with a clock of tenths of a second. What is wrong with it: the clock ticks
//! on while another page is open, and its tick wants to write to a page that is gone.
//!
//! The sizes matter: they decide how long a monkey takes that touches random points. See the test
//! `quality` of this crate.

use capuchin_sim::{App, Away, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Rect};

/// How long a game lasts, in milliseconds.
const GAME: u64 = 120_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Game,
    Scores,
    Settings,
    About,
}

/// The score tracker.
#[derive(Clone, Debug, Default)]
pub struct Score {
    bugs: bool,
    at: At,
    drawer: bool,
    team: String,
    crates: i64,
    running: bool,
    tenths: i64,
    scores: Vec<i64>,
    sound: bool,
    dark: bool,
    large: bool,
}

impl Score {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Score { bugs, ..Score::default() }
    }

    fn view_game(&self, page: &mut Page<'_>) {
        page.field("team", "Team", &self.team).size(200, 36);
        page.row(|page| {
            page.label("crates", numbered("Crates ", self.crates));
            page.button("plus", "+1").size(40, 36).long_clickable();
        });
        page.row(|page| {
            page.button("clock", "Start").size(40, 36).enabled(!self.running);
            page.label("tenths", numbered("Tenths ", self.tenths));
        });
    }

    fn view_page(&self, page: &mut Page<'_>) {
        match self.at {
            At::Game => self.view_game(page),
            At::Scores => {
                page.button("clear", "Clear").size(40, 36);
                page.list("scores", 200, 32, self.scores.len(), |page, index| {
                    let text = numbered("Crates ", self.scores[index]);
                    page.label(numbered("score-", index as i64 + 1), text);
                });
            }
            At::Settings => {
                page.switch("sound", "Sound", self.sound);
                page.switch("dark", "Dark", self.dark);
                page.switch("large", "Large", self.large);
            }
            At::About => {
                page.label("version", "Version 1.0");
                page.link("source", "Source code");
            }
        }
    }

    fn tick(&mut self) -> Result<(), Crash> {
        if self.bugs && self.at != At::Game {
            return Err(Crash::new(
                "java.lang.NullPointerException: a timer event on a fragment that is gone",
            )
            .at("GameFragment.onTick"));
        }
        self.tenths += 1;
        Ok(())
    }

    fn go(&mut self, at: At) {
        self.at = at;
        self.drawer = false;
    }

    fn end(&mut self, os: &mut Os) {
        self.running = false;
        os.cancel("tick");
        if self.scores.len() < 20 {
            self.scores.push(self.crates);
        }
    }
}

impl App for Score {
    fn view(&self, page: &mut Page<'_>) {
        let (place, title) = match self.at {
            At::Game => ("GameFragment", "Crate stacking"),
            At::Scores => ("ScoresFragment", "High scores"),
            At::Settings => ("SettingsFragment", "Settings"),
            At::About => ("AboutFragment", "About"),
        };
        page.place(place);
        page.row(|page| {
            page.button("drawer", "Menu").size(40, 36);
            page.heading("title", title);
        });
        self.view_page(page);
        if self.drawer {
            let height = page.viewport().height;
            page.window("navigation", "Navigation", Rect::new(0, 0, 200, height), |page| {
                page.command("nav-game", "Game");
                page.command("nav-scores", "High scores");
                page.command("nav-settings", "Settings");
                page.command("nav-about", "About");
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("drawer") => self.drawer = true,
            Input::Click("nav-game") => self.go(At::Game),
            Input::Click("nav-scores") => self.go(At::Scores),
            Input::Click("nav-settings") => self.go(At::Settings),
            Input::Click("nav-about") => self.go(At::About),
            Input::Clear("team") => self.team.clear(),
            Input::Text { id: "team", text } => crate::type_into(&mut self.team, text),
            Input::Click("plus") => self.crates += 1,
            // A long press takes one off again.
            Input::LongClick("plus") => self.crates = (self.crates - 1).max(0),
            Input::Click("clock") => {
                self.running = true;
                self.tenths = 0;
                os.every(100, "tick");
                os.timer(GAME, "end");
            }
            Input::Timer("end") => self.end(os),
            Input::Click("clear") => self.scores.clear(),
            Input::Click("sound") => self.sound = !self.sound,
            Input::Click("dark") => self.dark = !self.dark,
            Input::Click("large") => self.large = !self.large,
            Input::Timer("tick") => self.tick()?,
            // Who comes back to the app comes back to the game.
            Input::Resume(Away::Home) => self.at = At::Game,
            Input::Back if self.drawer => self.drawer = false,
            Input::Back if self.at != At::Game => self.go(At::Game),
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}
