//! The app's server stops to answer in the middle of a run: the device is lost, and neither a click
//! nor a navigation that waits for it is called a hang of the page.

use capuchin_ui::{Device, DeviceError, Event, Target};
use capuchin_web::{Opener, Options};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PAGE: &str = "<!doctype html><title>a</title><button id=ask onclick=\"\
    fetch('answer').then(it => it.text()).then(() => this.textContent += '!')\">Ask</button>\
    <a id=next href=next>Next</a>";

/// A server that answers everything with the page, until it is silent.
fn server(silent: &Arc<AtomicBool>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let silent = Arc::clone(silent);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let silent = Arc::clone(&silent);
            std::thread::spawn(move || answer(&stream, &silent));
        }
    });
    format!("http://{address}/")
}

fn answer(mut stream: &TcpStream, silent: &AtomicBool) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    if silent.load(Ordering::SeqCst) {
        // Until nobody waits for it any more.
        lines.next();
        return None;
    }
    let length = PAGE.len();
    let head = format!("Content-Type: text/html\r\nContent-Length: {length}\r\nConnection: close");
    stream.write_all(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{PAGE}").as_bytes()).ok()
}

#[test]
fn a_server_that_hangs_is_a_lost_device_and_no_hang_of_the_page() {
    for (id, options) in [("ask", ""), ("next", ""), ("ask", "time=real"), ("next", "time=real")] {
        let silent = Arc::new(AtomicBool::new(false));
        let options = format!("{} patience=800 hang=3000 {options}", server(&silent));
        let mut device = Opener::new("web:app", Options::parse(&options).unwrap()).open().unwrap();
        let click = Event::Click(Target::id(id));
        for seed in 1..3 {
            device.reset(seed).unwrap();
            let seen = device.perform(&click).unwrap();
            assert_eq!((seen.crash, seen.unsettled), (None, None), "{id} {options}");
        }
        silent.store(true, Ordering::SeqCst);
        match device.perform(&click) {
            Err(DeviceError::Lost { reason, .. }) => {
                assert!(reason.contains("does not answer any more: no answer for"), "{reason}");
            }
            other => panic!("{id} {options}: {other:?}"),
        }
    }
}
