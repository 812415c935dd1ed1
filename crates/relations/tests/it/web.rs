//! Every relation on a page in a browser that breaks it, and on the same page that does not.

use crate::explored::{finds, finds_nothing};
use capuchin_apps::web_dir;
use capuchin_web::{Opener, Options, Server, WebDevice};

fn open(server: &Server, fault: &str) -> WebDevice {
    let page = format!("{}/memo.html?fault={fault} viewport=360x640", server.origin());
    Opener::new("web:memo", Options::parse(&page).unwrap()).open().unwrap()
}

fn check(fault: &str, minimal: &[&str]) {
    let server = Server::start(web_dir()).unwrap();
    finds(&mut open(&server, fault), fault, minimal, 250);
}

#[test]
fn toggle() {
    check("toggle", &["Click(#wrap) :>> Click(#wrap)"]);
}

#[test]
fn cancel() {
    check("cancel", &["Click(#rename) :>> Type(#name, \"hello\") :>> Click(#cancel)"]);
}

#[test]
fn undo() {
    let minimal = "Type(#new, \"hello\") :>> Click(#add) :>> Click(#remove) :>> Click(#undo)";
    check("undo", &[minimal]);
}

#[test]
fn rotation() {
    check("rotation", &["Type(#new, \"hello\") :>> Rotate"]);
}

#[test]
fn reload() {
    let minimal = "Type(#new, \"hello\") :>> Click(#add) :>> Click(#remove) :>> reload()";
    check("reload", &[minimal]);
}

#[test]
fn back() {
    check("back", &["Click(#about) :>> ClickBack"]);
}

#[test]
fn ways() {
    check(
        "ways",
        &[
            "Click(#about) :>> ClickBack :>> Click(#about)",
            "Click(#about) :>> Click(#home) :>> Click(#about)",
        ],
    );
}

#[test]
fn the_correct_page_gives_no_alarm() {
    let server = Server::start(web_dir()).unwrap();
    let judged = ["toggle", "cancel", "undo", "rotation", "reload", "back", "ways"];
    finds_nothing(&mut open(&server, ""), &judged, 250);
}
