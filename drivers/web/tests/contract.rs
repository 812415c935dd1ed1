//! The device contract in Chromium. One device runs all of it: opening one takes longer than a
//! clause.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin_conformance::CONTRACT;
use capuchin_web::{Opener, Options};

fn the_contract_holds(options: &str) {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/contract.html");
    let options = Options::parse(&format!("{page} viewport=360x640 {options}")).unwrap();
    let mut device = Opener::new("web:contract", options).open().unwrap();
    for (_, clause) in CONTRACT {
        clause(&mut device);
    }
}

#[test]
fn the_contract_holds_in_a_browser_without_windows() {
    the_contract_holds("browser=chromium-headless-shell");
}

#[test]
fn the_contract_holds_in_chromium() {
    the_contract_holds("browser=chromium");
}

#[test]
fn the_contract_holds_in_real_time() {
    the_contract_holds("time=real");
}

#[test]
fn the_contract_holds_while_code_is_counted() {
    the_contract_holds("coverage");
}

#[test]
fn the_contract_holds_with_fingers() {
    the_contract_holds("touch=yes");
}
