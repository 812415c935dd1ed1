//! Every relation on a page in a browser that breaks it, and on the same page that does not.
//!
//! Two are found by an exploration and shrunk; of the others, the trace is given: an exploration of
//! a page takes minutes on a busy machine.

use crate::explored::finds;
use capuchin::ui::Rng;
use capuchin::{Rules, execute};
use capuchin_apps::web_dir;
use capuchin_relations::Relation;
use capuchin_web::{Opener, Options, Server, WebDevice};

fn open(server: &Server, fault: &str) -> WebDevice {
    let page = format!("{}/memo.html?fault={fault} viewport=360x640", server.origin());
    Opener::new("web:memo", Options::parse(&page).unwrap()).open().unwrap()
}

/// What becomes of a trace that all relations watch.
fn verdict(server: &Server, fault: &str, trace: &str) -> String {
    let text = format!("environment reload\ncheck one = {trace}");
    let spec = capuchin_spec::parse("one", &text).spec.unwrap();
    let monitors = Relation::monitors();
    let mut rules = Rules::seed(1);
    rules.monitors = &monitors;
    let trace = spec.checks[0].generator.sample(Rng::new(0)).to_trace();
    execute(&trace, &mut open(server, fault), &rules).unwrap().verdict.to_string()
}

#[test]
fn the_bug_of_each_relation_is_found_and_the_correct_page_gives_no_alarm() {
    let server = Server::start(web_dir()).unwrap();
    let removed = "Type(#new, \"hello\") :>> Click(#add) :>> Click(#remove)";
    for (name, trace) in [
        ("toggle", "Click(#wrap) :>> Click(#wrap)".to_owned()),
        ("cancel", "Click(#rename) :>> Type(#name, \"hello\") :>> Click(#cancel)".to_owned()),
        ("undo", format!("{removed} :>> Click(#undo)")),
        ("rotation", "Type(#new, \"hello\") :>> Rotate".to_owned()),
        ("reload", format!("{removed} :>> reload()")),
        ("back", "Click(#about) :>> ClickBack".to_owned()),
        ("ways", "Click(#about) :>> ClickBack :>> Click(#about)".to_owned()),
    ] {
        let found = verdict(&server, name, &trace);
        assert!(found.starts_with(&format!("Failed monitor {name}: ")), "{name}: {found}");
        assert_eq!(verdict(&server, "", &trace), "Succeeded", "{name}");
    }
}

#[test]
fn back_is_found_by_an_exploration() {
    let server = Server::start(web_dir()).unwrap();
    finds(&mut open(&server, "back"), "back", &["Click(#about) :>> ClickBack"], 250);
}

#[test]
fn cancel_is_found_by_an_exploration() {
    let server = Server::start(web_dir()).unwrap();
    let minimal = "Click(#rename) :>> Type(#name, \"hello\") :>> Click(#cancel)";
    finds(&mut open(&server, "cancel"), "cancel", &[minimal], 250);
}
