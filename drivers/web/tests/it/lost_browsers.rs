//! A browser that somebody ends in the middle of a run is a lost device: it says nothing of the
//! app.

use crate::site::Site;
use capuchin_ui::{Device, DeviceError, Event, Target};
use capuchin_web::{Opener, Options};
use std::process::Command;
use std::sync::mpsc::channel;

const PAGE: &str = r#"
<button id="count" onclick="say(1)">Count</button>
<button id="reload" onclick="location.reload()">Reload</button>
<button id="open" onclick="window.open('/')">Open</button>
<button id="fetch" onclick="fetch('/late?5').then(() => say(2))">Fetch</button>"#;

/// How often each browser is ended in each way.
const TIMES: u64 = 5;

/// The processes that were started with this flag, and whether each is a shell around a browser, a
/// browser, or a helper of one.
fn processes(flag: &str) -> Vec<(u32, &'static str)> {
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = process.file_name().to_string_lossy().parse() else { continue };
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words: Vec<String> = line
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into())
            .collect();
        if !words.iter().any(|word| word == flag) {
            continue;
        }
        let kind = match words[0].as_str() {
            "sh" => "wrapper",
            _ if words.iter().any(|word| word.starts_with("--type=")) => "helper",
            _ => "browser",
        };
        found.push((id, kind));
    }
    found
}

/// What ends a browser: the signal, and whom it is sent to.
type Way = (&'static str, &'static [&'static str]);

/// Runs events until the browser, which is ended after so many of them, is lost.
fn lose(program: &str, name: &str, (signal, whom): Way, after: u64) {
    let site = Site::new(&[("/", PAGE)]);
    let flag = format!("--lost-{program}-{name}-{after}");
    let options = format!("{} browser={program} flag={flag}", site.origin());
    let mut device = Opener::new("web:lost", Options::parse(&options).unwrap()).open().unwrap();
    let (performed, heard) = channel();
    let running = std::thread::spawn(move || -> DeviceError {
        let buttons = ["count", "reload", "open", "fetch"];
        for n in 0.. {
            let seen = match n % 7 {
                6 => device.reset(n),
                _ => device.perform(&Event::Click(Target::id(buttons[n as usize % 4]))),
            };
            let _ = performed.send(());
            match seen {
                Ok(seen) => assert_eq!(seen.crash, None, "after {n} events"),
                Err(error) => return error,
            }
        }
        unreachable!("it goes on for ever")
    });
    heard.iter().take(after as usize + 1).for_each(drop);
    let ids = processes(&flag).into_iter().filter(|(_, kind)| whom.contains(kind));
    let ids = ids.map(|(id, _)| id.to_string());
    // Some helper may have gone by itself.
    let _ = Command::new("kill").arg(signal).args(ids).status();
    let error = running.join().unwrap_or_else(|_| panic!("{program} {name}, {after}"));
    assert!(matches!(error, DeviceError::Lost { .. }), "{program} {name}, {after}: {error}");
}

fn lose_often(program: &str, name: &str, way: Way) {
    for after in 0..TIMES {
        lose(program, name, way, after);
    }
}

#[test]
fn a_browser_whose_wrapper_is_killed_goes_on_and_leaves_nothing() {
    let site = Site::new(&[("/", PAGE)]);
    let flag = "--lost-wrapper";
    let options = format!("{} flag={flag}", site.origin());
    let mut device = Opener::new("web:lost", Options::parse(&options).unwrap()).open().unwrap();
    let browser = processes(flag).into_iter().find(|(_, kind)| *kind == "browser").unwrap().0;
    let line = std::fs::read_to_string(format!("/proc/{browser}/cmdline")).unwrap();
    let profile = line.split('\0').find_map(|word| word.strip_prefix("--user-data-dir=")).unwrap();
    assert!(std::fs::exists(profile).unwrap());
    let wrapper = processes(flag).into_iter().find(|(_, kind)| *kind == "wrapper").unwrap().0;
    let _ = Command::new("kill").args(["-KILL", &wrapper.to_string()]).status();
    for _ in 0..20 {
        let seen = device.perform(&Event::Click(Target::id("count"))).unwrap();
        assert_eq!(seen.crash, None);
    }
    drop(device);
    assert!(!std::fs::exists(profile).unwrap());
    assert_eq!(processes(flag), []);
}

const SHELL: &str = "chromium-headless-shell";

#[test]
fn a_browser_without_windows_that_is_told_to_end_is_lost() {
    lose_often(SHELL, "term", ("-TERM", &["browser"]));
}

#[test]
fn a_browser_that_is_told_to_end_is_lost() {
    lose_often("chromium", "term", ("-TERM", &["browser"]));
}

#[test]
fn a_browser_whose_wrapper_and_helpers_are_ended_is_lost() {
    lose_often(SHELL, "group", ("-TERM", &["wrapper", "browser", "helper"]));
    lose_often(SHELL, "helpers-first", ("-KILL", &["helper", "browser"]));
}
