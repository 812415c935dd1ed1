//! A log of what cars consume, with five tabs after the app Mileage of the paper on SwiftHand.
//!
//! What is hard about it: each tab keeps its page and what is unfolded on it while others are open,
//! so that the states of the tabs multiply, and some functions are only on pages inside of tabs.
//! What is wrong with it: a backup while a trip is running and the chart is open crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;
use std::collections::BTreeSet;

const VEHICLES: [&str; 3] = ["Van", "Estate", "Scooter"];
const SECTIONS: [&str; 4] = ["distance", "fuel", "cost", "carbon"];
/// What is ticked, on or unfolded by one click and not so any more by the next.
const TOGGLES: [&str; 11] = [
    "service", "serviced", "advanced", "partial", "business", "bars", "metric", "distance", "fuel",
    "cost", "carbon",
];
const TABS: [(&str, &str); 5] = [
    ("tab-vehicles", "Cars"),
    ("tab-fillups", "Fuel"),
    ("tab-trips", "Trips"),
    ("tab-statistics", "Charts"),
    ("tab-more", "More"),
];

/// The page that is open inside of the last tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum More {
    #[default]
    Menu,
    Settings,
    Units,
    Backup,
}

/// The log.
#[derive(Clone, Debug, Default)]
pub struct Mileage {
    bugs: bool,
    tab: usize,
    on: BTreeSet<&'static str>,
    vehicle: Option<usize>,
    form: bool,
    amount: String,
    message: &'static str,
    fillups: i64,
    trip: bool,
    running: bool,
    chart: bool,
    more: More,
    backups: i64,
}

impl Mileage {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Mileage { bugs, ..Mileage::default() }
    }

    fn is_on(&self, id: &str) -> bool {
        self.on.contains(id)
    }

    fn view_vehicles(&self, page: &mut Page<'_>) {
        let Some(vehicle) = self.vehicle else {
            page.place("Vehicles");
            for (index, name) in VEHICLES.iter().enumerate() {
                page.item(numbered("vehicle-", index as i64 + 1), *name);
            }
            return;
        };
        page.place("Vehicle");
        page.label("name", VEHICLES[vehicle]);
        page.item("service", "Service").selected(self.is_on("service"));
        if self.is_on("service") {
            page.checkbox("serviced", "Serviced this year", self.is_on("serviced"));
        }
        page.button("close", "Close");
    }

    fn view_fillups(&self, page: &mut Page<'_>) {
        if !self.form {
            page.place("FillUps");
            page.button("new", "Fill up");
            page.label("fillups", numbered("Fill-ups: ", self.fillups));
            return;
        }
        page.place("FillUp");
        page.field("amount", "Litres", &self.amount);
        page.item("advanced", "More").selected(self.is_on("advanced"));
        if self.is_on("advanced") {
            page.checkbox("partial", "Not full", self.is_on("partial"));
        }
        page.label("message", self.message);
        page.button("save", "Save");
        page.button("close", "Close");
    }

    fn view_trips(&self, page: &mut Page<'_>) {
        page.place(if self.trip { "Trip" } else { "Trips" });
        page.label("state", if self.running { "On the way" } else { "At rest" });
        if !self.trip {
            page.button("open", "Trip");
            return;
        }
        page.checkbox("business", "For business", self.is_on("business"));
        page.button("start", "Start").enabled(!self.running);
        page.button("arrive", "Arrive").enabled(self.running);
        page.button("close", "Close");
    }

    fn view_statistics(&self, page: &mut Page<'_>) {
        if self.chart {
            page.place("Chart");
            page.switch("bars", "As bars", self.is_on("bars"));
            page.button("close", "Close");
            return;
        }
        page.place("Statistics");
        for section in SECTIONS {
            page.item(section, section).selected(self.is_on(section));
        }
        if self.is_on("fuel") {
            page.button("chart", "Chart").enabled(self.fillups > 0);
        }
    }

    fn view_more(&self, page: &mut Page<'_>) {
        match self.more {
            More::Menu => {
                page.place("More");
                page.item("settings", "Settings");
                page.item("backup", "Backup");
            }
            More::Settings => {
                page.place("Settings");
                page.item("units", "Units");
                page.button("close", "Close");
            }
            More::Units => {
                page.place("Units");
                page.switch("metric", "Metric", self.is_on("metric"));
                page.button("close", "Close");
            }
            More::Backup => {
                page.place("Backup");
                page.label("backups", numbered("Backups: ", self.backups));
                page.button("export", "Back up");
                page.button("close", "Close");
            }
        }
    }

    /// Closes the page inside of the tab; false if none is open.
    fn close(&mut self) -> bool {
        match self.tab {
            0 => self.vehicle.take().is_some(),
            1 => std::mem::take(&mut self.form),
            2 => std::mem::take(&mut self.trip),
            3 => std::mem::take(&mut self.chart),
            _ => {
                let up = if self.more == More::Units { More::Settings } else { More::Menu };
                std::mem::replace(&mut self.more, up) != More::Menu
            }
        }
    }

    fn save(&mut self) {
        if (1..=100).contains(&self.amount.parse().unwrap_or(0)) {
            self.fillups += 1;
            self.form = false;
        } else {
            self.message = "Between 1 and 100";
        }
        self.amount.clear();
    }

    fn export(&mut self) -> Result<(), Crash> {
        if self.bugs && self.running && self.chart {
            let what = "java.lang.IllegalStateException: database is locked";
            return Err(Crash::new(what).at("Backup.export"));
        }
        self.backups += 1;
        Ok(())
    }
}

impl App for Mileage {
    fn view(&self, page: &mut Page<'_>) {
        page.row(|page| {
            for (index, (id, text)) in TABS.iter().enumerate() {
                page.tab(*id, *text).size(66, 36).selected(index == self.tab);
            }
        });
        match self.tab {
            0 => self.view_vehicles(page),
            1 => self.view_fillups(page),
            2 => self.view_trips(page),
            3 => self.view_statistics(page),
            _ => self.view_more(page),
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("close") => {
                self.close();
            }
            Input::Click("new") => (self.form, self.message) = (true, ""),
            Input::Clear("amount") => self.amount.clear(),
            Input::Text { id: "amount", text } => crate::type_into(&mut self.amount, text),
            Input::Click("save") => self.save(),
            Input::Click("open") => self.trip = true,
            Input::Click("start") => self.running = true,
            Input::Click("arrive") => self.running = false,
            Input::Click("chart") => self.chart = true,
            Input::Click("settings") => self.more = More::Settings,
            Input::Click("units") => self.more = More::Units,
            Input::Click("backup") => self.more = More::Backup,
            Input::Click("export") => self.export()?,
            Input::Click(id) => {
                if let Some(tab) = TABS.iter().position(|(tab, _)| *tab == id) {
                    self.tab = tab;
                } else if let Some(toggle) = TOGGLES.iter().find(|toggle| **toggle == id) {
                    crate::flip(&mut self.on, *toggle);
                } else if let Some(vehicle) = crate::number_of(id, "vehicle-") {
                    self.vehicle = vehicle.checked_sub(1).filter(|one| *one < VEHICLES.len());
                }
            }
            Input::Back => {
                let was_open = self.close();
                if !was_open {
                    os.leave();
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};

    #[test]
    fn tabs_keep_their_pages() {
        let car = Walk::on("mileage").clicks("vehicle-2 service serviced tab-more settings units");
        let back = car.at("Units").clicks("tab-vehicles").at("Vehicle");
        assert_eq!(back.text("name"), Some("Estate"));
        back.back(1).at("Vehicles").clicks("tab-more").at("Units").back(2).at("More");
    }

    #[test]
    fn a_fill_up_is_a_sensible_number() {
        let form = Walk::on("mileage").clicks("tab-fillups new").types("amount", "1234");
        let wrong = form.clicks("save").at("FillUp").types("amount", "a").clicks("save");
        assert_eq!(wrong.text("message"), Some("Between 1 and 100"));
        wrong.types("amount", "7").clicks("save").at("FillUps");
    }

    #[test]
    fn no_backup_on_the_way_while_the_chart_is_open() {
        crashes_unless_fixed("mileage", "Backup", |walk| {
            let filled = walk.clicks("tab-fillups new").types("amount", "7").clicks("save");
            let chart = filled.clicks("tab-statistics fuel chart").at("Chart");
            chart.clicks("tab-trips open start tab-more backup export")
        });
    }
}
