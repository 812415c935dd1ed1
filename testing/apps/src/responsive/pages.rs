//! The apps that are larger than the screen: a long list, a pager, a calculator whose panel is
//! pulled out.
//!
//! On its own because in each of them the rest is beyond an edge.

use super::{Responsive, id_of};
use capuchin_sim::Page;
use capuchin_ui::{Role, Size, State};

const CITIES: [&str; 20] = [
    "Athens", "Berlin", "Cairo", "Dublin", "Essen", "Faro", "Geneva", "Hanoi", "Izmir", "Jakarta",
    "Kyoto", "Lima", "Madrid", "Nairobi", "Oslo", "Paris", "Quito", "Rome", "Seoul", "Tokyo",
];
const KEYS: [[&str; 2]; 2] = [["One", "Two"], ["Sine", "Cosine"]];

impl Responsive {
    pub(super) fn long_list(page: &mut Page<'_>, is_wide: bool) {
        page.heading("", "Cities");
        let (row, height) = if is_wide { (30, 620) } else { (40, 400) };
        page.list("cities", height, row, CITIES.len(), |page, number| {
            let text = format!("City of {}", CITIES[number]);
            page.item(format!("do-city{number}"), text).size(0, row - 2);
        });
    }

    pub(super) fn pager(&self, page: &mut Page<'_>, is_wide: bool) {
        page.heading("", "Keys");
        page.add(Role::Group, Size::new(0, 60), State::SCROLLABLE).id("pages").text("Pages");
        for (number, keys) in KEYS.iter().enumerate() {
            if is_wide || number == self.page {
                page.row(|page| {
                    for key in keys {
                        page.button(id_of(key), *key);
                    }
                });
            }
        }
    }

    pub(super) fn calculator(&self, page: &mut Page<'_>, is_wide: bool) {
        page.label("display", self.done.join(" "));
        page.row(|page| {
            for key in ["1", "2", "+", "="] {
                page.button(id_of(key), key).size(60, 60);
            }
        });
        if !is_wide && !self.is_open("advanced") {
            // A bar at the edge.
            let x = page.viewport().width - 20;
            page.add(Role::Group, Size::new(20, 200), State::CLICKABLE)
                .id("advanced")
                .text("Advanced pad")
                .at(x, 100, 20, 200);
            return;
        }
        page.named_group("advanced", "Advanced pad", |page| {
            page.row(|page| {
                for key in ["sin", "cos", "ln"] {
                    page.button(id_of(key), key).size(60, 60);
                }
            });
        });
    }
}
