//! The device contract in Chromium. One device runs all of it: opening one takes longer than a clause.

use capuchin_conformance::CONTRACT;
use capuchin_web::{Opener, Options};

#[test]
fn the_contract_holds_in_chromium() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/contract.html");
    let options = Options::parse(&format!("{page} viewport=360x640")).unwrap();
    let mut device = Opener::new("web:contract", options).open().unwrap();
    let mut failed = Vec::new();
    for (name, clause) in CONTRACT {
        let began = std::time::Instant::now();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| clause(&mut device)));
        eprintln!("{name}: {} in {:?}", if result.is_ok() {"ok"} else {"FAILED"}, began.elapsed());
        if result.is_err() { failed.push(name); }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
