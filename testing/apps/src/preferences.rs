//! The settings of a device: menus in menus, with switches at the end of each way.
//!
//! What is hard about it: it is wide and four levels deep, and two menus are there only once a
//! switch somewhere else is on, the second of them inside of the first. What is wrong with it: to
//! keep every trace in flight mode crashes.

use capuchin_sim::{App, Input, Os, Page};
use capuchin_ui::{Crash, Str};
use std::collections::BTreeSet;

/// A menu: how deep it is, its name, its switches, and the switch without which it is not there.
type Menu = (usize, &'static str, &'static [&'static str], &'static str);

/// All menus; each is inside of the nearest one above it that is less deep.
const MENUS: &[Menu] = &[
    (0, "settings", &[], ""),
    (1, "network", &[], ""),
    (2, "wireless", &[], ""),
    (3, "wifi", &["wifi-on", "wifi-notify", "wifi-metered"], ""),
    (3, "bluetooth", &["bluetooth-on", "bluetooth-visible", "bluetooth-audio"], ""),
    (3, "flight", &["flight-mode", "flight-remember", "flight-wifi"], ""),
    (2, "mobile", &[], ""),
    (3, "roaming", &["roaming-data", "roaming-calls", "roaming-warn"], ""),
    (3, "limits", &["limit-warn", "limit-stop", "limit-apps"], ""),
    (3, "sharing", &["share-usb", "share-wifi", "share-bluetooth"], ""),
    (2, "private", &["vpn", "proxy", "private-dns"], ""),
    (1, "display", &[], ""),
    (2, "screen", &[], ""),
    (3, "brightness", &["adaptive", "extra-dim", "sunlight"], ""),
    (3, "colours", &["dark", "warm-at-night", "vivid", "invert"], ""),
    (3, "lock", &["lock-clock", "lock-notes", "lock-media"], ""),
    (2, "fonts", &["large-text", "bold-text", "dyslexic"], ""),
    (2, "motion", &["less-motion", "smooth", "auto-turn"], ""),
    (1, "sound", &[], ""),
    (2, "volume", &["mute-media", "mute-ring", "mute-alarm"], ""),
    (2, "silence", &[], ""),
    (3, "people", &["stars-may-call", "repeated-calls", "messages-too"], ""),
    (3, "schedules", &["at-night", "in-meetings", "while-driving"], ""),
    (3, "apps", &["alarms-ring", "media-plays", "reminders"], ""),
    (2, "touch", &["tap-sound", "tap-shakes", "keyboard-sound"], ""),
    (1, "system", &[], ""),
    (2, "language", &["spelling", "suggestions", "dictation"], ""),
    (2, "backup", &["backup-on", "backup-wifi-only", "backup-photos"], ""),
    (2, "about", &[], ""),
    (3, "version", &["beta", "auto-update", "developer"], ""),
    (3, "legal", &["usage-data", "crash-reports", "ads"], ""),
    (3, "status", &["battery-percent", "uptime", "addresses"], ""),
    (2, "developers", &["stay-awake", "show-taps", "usb-debugging"], "developer"),
    (3, "debugging", &["wait-for-debugger", "verbose", "keep-traces"], "usb-debugging"),
    (3, "drawing", &["show-bounds", "show-updates", "force-gpu"], "developer"),
];

/// The settings.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    bugs: bool,
    /// The number of the menu that is open.
    open: usize,
    on: BTreeSet<&'static str>,
}

impl Preferences {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Preferences { bugs, ..Preferences::default() }
    }

    /// The menu that a menu is inside of.
    fn outer(menu: usize) -> Option<usize> {
        (0..menu).rev().find(|above| MENUS[*above].0 < MENUS[menu].0)
    }

    /// The menus that are inside of the one that is open and can be seen.
    fn inner(&self) -> impl Iterator<Item = usize> + '_ {
        (1..MENUS.len()).filter(|menu| {
            let needs = MENUS[*menu].3;
            Self::outer(*menu) == Some(self.open) && (needs.is_empty() || self.on.contains(needs))
        })
    }

    fn flip(&mut self, switch: &'static str) -> Result<(), Crash> {
        if self.on.remove(switch) {
            return Ok(());
        }
        if self.bugs && switch == "keep-traces" && self.on.contains("flight-mode") {
            let what = "java.lang.SecurityException: the radio is off";
            return Err(Crash::new(what).at("TraceService.register"));
        }
        self.on.insert(switch);
        Ok(())
    }
}

/// A name as people read it.
fn title(name: &str) -> Str {
    let (first, rest) = name.split_at(1);
    format!("{}{}", first.to_uppercase(), rest.replace('-', " ")).into()
}

impl App for Preferences {
    fn view(&self, page: &mut Page<'_>) {
        let (_, name, switches, _) = MENUS[self.open];
        page.place(name);
        page.row(|page| {
            page.button("up", "Up").size(48, 32).enabled(self.open != 0);
            page.heading("title", title(name));
        });
        for menu in self.inner() {
            page.item(MENUS[menu].1, title(MENUS[menu].1));
        }
        for switch in switches {
            page.switch(*switch, title(switch), self.on.contains(switch)).size(0, 36);
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("up") => self.open = Self::outer(self.open).unwrap_or(0),
            Input::Click(id) => {
                let menu = self.inner().find(|menu| MENUS[*menu].1 == id);
                let switch = MENUS[self.open].2.iter().find(|switch| **switch == id);
                self.open = menu.unwrap_or(self.open);
                switch.map_or(Ok(()), |switch| self.flip(switch))?;
            }
            Input::Back => match Self::outer(self.open) {
                Some(outer) => self.open = outer,
                None => os.leave(),
            },
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};

    fn to_the_developers(walk: Walk) -> Walk {
        walk.clicks("system about version developer up up developers").at("developers")
    }

    #[test]
    fn a_switch_brings_a_menu() {
        let system = Walk::on("preferences").clicks("system");
        assert_eq!(system.text("developers"), None);
        let menu = to_the_developers(system.back(1));
        assert_eq!((menu.text("drawing"), menu.text("debugging")), (Some("Drawing"), None));
        menu.clicks("usb-debugging debugging keep-traces").at("debugging").back(3).at("settings");
    }

    #[test]
    fn traces_in_flight_mode_crash() {
        crashes_unless_fixed("preferences", "debugging", |walk| {
            let flying = walk.clicks("network wireless flight flight-mode").at("flight").back(3);
            to_the_developers(flying).clicks("usb-debugging debugging keep-traces")
        });
    }
}
