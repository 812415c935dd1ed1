//! What others write reaches a terminal only as something to read: the command is run in a pseudo
//! terminal, and the bytes that come out are looked at.

use crate::capuchin::{command, run};
use nix::pty::openpty;
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// What moves a cursor, sets a title, turns a text around; and a letter that does not.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\r\u{8}\u{7f}\u{202e}\u{2066}\u{200b}é";

/// Everything that the command writes to a terminal, as the terminal gets it.
fn typed(mut command: Command) -> String {
    let pty = openpty(None, None).unwrap();
    let terminal = || Stdio::from(pty.slave.try_clone().unwrap());
    command.env_remove("NO_COLOR").env("TERM", "xterm-256color");
    command.stdin(terminal()).stdout(terminal()).stderr(terminal());
    let mut child = command.spawn().unwrap();
    drop(command);
    drop(pty.slave);
    let mut bytes = Vec::new();
    // The end of a terminal is an error.
    let _ = File::from(pty.master).read_to_end(&mut bytes);
    child.wait().unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Asserts that there is nothing in it that does something but our colours, the progress line and
/// the ends of lines, as the terminal writes them.
#[track_caller]
fn harmless(typed: &str) {
    let mut rest = typed.replace("\r\u{1b}[2K", "").replace("\r\n", "\n");
    while let Some(start) = rest.find("\u{1b}[") {
        let parameters = rest[start + 2..].find(|c: char| !c.is_ascii_digit() && c != ';');
        let end = start + 2 + parameters.unwrap();
        assert_eq!(&rest[end..=end], "m", "not a colour: {typed:?}");
        rest.replace_range(start..=end, "");
    }
    let active = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = rest.chars().find(active);
    assert_eq!(found, None, "{typed:?}");
}

#[test]
fn a_specification() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("a.capu");
    let out = home.path().join("out");
    let escaped = HOSTILE.chars().map(|c| format!("\\u{{{:x}}}", c as u32)).collect::<String>();
    let plain = HOSTILE.replace(['\r', '"'], "");
    for text in [
        format!("check a = Clik(#a) // {HOSTILE}\nClick(\"{plain}\") {HOSTILE}"),
        HOSTILE.to_owned(),
        format!("val {HOSTILE} = 3\ncheck \"{plain}\" = \"{plain}\""),
        format!("device \"{escaped}\"\ncheck \"{escaped}\" = Rotate"),
        format!("device \"sim:{escaped}\"\ncheck \"{escaped}\" = Rotate"),
        format!("device \"sim:music\"\ncheck \"{escaped}\" = Click(\"{escaped}\")"),
        format!("device \"sim:music\"\nmonitor \"{escaped}\"\ncheck a = Rotate"),
        format!("device \"web:http://a reset-command='{escaped}'\"\ncheck a = Rotate"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let arguments = ["check", file.to_str().unwrap(), "--cases", "3", "--out"];
        let mut check = command(arguments);
        check.arg(&out);
        let typed = typed(check);
        assert!(typed.contains('é') && typed.len() > 20, "{text:?}: {typed:?}");
        harmless(&typed);
    }
}

#[test]
fn arguments() {
    for arguments in [
        ["check", "nowhere.capu", "--device", HOSTILE],
        ["check", HOSTILE, "--device", "sim:music"],
        ["check", "examples/music-signin.capu", "--jobs", HOSTILE],
        ["explore", "sim:music", "--policy", HOSTILE],
        ["run", "--trace", HOSTILE, HOSTILE],
        ["help", HOSTILE, "", ""],
    ] {
        let arguments = arguments.into_iter().filter(|argument| !argument.is_empty());
        harmless(&typed(command(arguments)));
    }
}

#[test]
fn a_log() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    run(["check", "examples/music-signin.capu", "--seed", "1", "--out", out.to_str().unwrap()]);
    let log = std::fs::read_to_string(out.join("log.jsonl")).unwrap();
    let hostile = serde_json::to_string(HOSTILE).unwrap();
    let hostile = hostile.trim_matches('"');
    // Into every text that is written with a blank in it, and into the device and the check.
    let log = log.replace("sim:music", &format!("sim:music{hostile}"));
    let log = log.replace(" ", &format!(" {hostile}"));
    let log = log.replace("signin", &format!("signin{hostile}"));
    std::fs::write(out.join("log.jsonl"), log).unwrap();
    let typed = typed(command(["report", out.to_str().unwrap()]));
    assert!(typed.contains('é') && typed.contains("violated"), "{typed:?}");
    harmless(&typed);
}

#[test]
fn a_page() {
    let home = tempfile::tempdir().unwrap();
    let page = home.path().join("index.html");
    let text = serde_json::to_string(HOSTILE).unwrap();
    let script = format!(
        "const text = {text}, button = document.querySelector('button');
         button.textContent = 'Go ' + text; button.id = text; button.className = 'a' + text;
         document.title = text; console.error(text);
         button.onclick = () => {{ throw new Error('no ' + text); }};"
    );
    let html =
        format!("<meta charset=utf-8><title>a</title><button></button><script>{script}</script>");
    std::fs::write(&page, html).unwrap();
    let device = format!("web:{}", page.display());
    let screen = ["run", "--trace", "Click(button)", "--screen", "--device", &device];
    let seen = typed(command(screen));
    assert!(seen.contains('é') && seen.contains("Crashed"), "{seen:?}");
    harmless(&seen);
    let file = home.path().join("a.capu");
    std::fs::write(&file, "Click(button)").unwrap();
    let out = home.path().join("out");
    let mut check = command(["check", file.to_str().unwrap(), "--cases", "1", "--device", &device]);
    check.arg("--out").arg(&out);
    harmless(&typed(check));
    // The failure runs from its file, in which no text of the page has become code.
    let saved = out.join("failures/1-main.capu");
    let typed = typed(command(["run", saved.to_str().unwrap()]));
    assert!(typed.contains("Crashed"), "{typed:?}");
    harmless(&typed);
}

#[test]
fn a_recording() {
    let place = crate::replay::Place::new();
    let mut recording = crate::replay::recorded("notes", &["Click(#folder-2)", "ClickBack"]);
    recording.origin.app = HOSTILE.into();
    for event in &mut recording.events {
        let mut screen = capuchin::ui::Screen::clone(&event.screen);
        screen.place = HOSTILE.into();
        for element in &mut screen.elements {
            element.text = format!("{HOSTILE} {}", element.text).into();
        }
        event.screen = std::sync::Arc::new(screen);
    }
    let property = format!("hasText(#folder-2, {HOSTILE:?}) {HOSTILE}");
    recording.assertions.push(capuchin_record::Assertion { after: 1, property: property.into() });
    let file = place.write("a.capr", crate::replay::bytes(&recording));
    recording.origin.device = format!("sim:{HOSTILE}").into();
    let device = place.write("b.capr", crate::replay::bytes(&recording));
    let json = serde_json::json!({"steps": [
        {"type": HOSTILE}, {"type": "navigate", "url": HOSTILE},
        {"type": "click", "selectors": [[format!("aria/{HOSTILE}")], [HOSTILE]]},
        {"type": "keyDown", "key": HOSTILE},
    ]});
    let json = place.write("c.json", json.to_string());
    let out = place.path("out");
    for file in [&file, &device, &json] {
        harmless(&typed(command(["show", file])));
        harmless(&typed(command(["replay", file, "-o", &out])));
        harmless(&typed(command(["replay", file, "--device", "sim:notes", "-o", &out])));
    }
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(!page.contains('\u{1b}') && !page.contains('\u{7}'), "the page shows them");
}
