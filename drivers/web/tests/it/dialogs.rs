//! Alert, confirm, prompt and beforeunload: seen, answered, and in nobody's way.

use crate::visit::Visit;
use capuchin_ui::{Blocked, Event, Role, Selector, Target};

const ASKING: &str = r#"
<button id="alert" onclick="alert('Look out'); say('seen')">Alert</button>
<button id="confirm" onclick="say('confirmed ' + confirm('Sure?'))">Confirm</button>
<button id="prompt" onclick="say('called ' + prompt('Your name?', 'nobody'))">Prompt</button>
<button id="twice" onclick="alert('One'); alert('Two'); say('both')">Twice</button>
<button id="later" onclick="setTimeout(() => { alert('Later'); say('later') }, 50)">Later</button>
<button id="ever" onclick="for (;;) alert('Again')">For ever</button>
<button id="framed" onclick="$('frame').contentWindow.eval('alert(`From the frame`)'); say('framed')">Framed</button>
<iframe id="frame" title="Frame" srcdoc="<p>Inside</p>"></iframe>"#;

/// What the dialog says, and what can be clicked on it.
fn dialog(visit: &Visit) -> (String, String) {
    let screen = &visit.seen.screen;
    let inside = |role| screen.texts(&Selector::role(role).inside(Selector::role(Role::Dialog)));
    (inside(Role::Label), inside(Role::Button))
}

fn shows(message: &str, buttons: &str) -> (String, String) {
    (message.to_owned(), buttons.to_owned())
}

#[test]
fn a_dialog_is_on_the_screen_and_is_answered_by_events() {
    let mut visit = Visit::to(ASKING, "");
    visit.click("alert");
    assert_eq!(dialog(&visit), shows("Look out", "OK"));
    // Everything else is behind it.
    assert_eq!(visit.refuses("confirm"), Some(Blocked::Covered));
    assert_eq!(visit.said(), "", "the page waits");
    visit.click_text("OK");
    assert_eq!(visit.said(), "seen");
    assert_eq!(dialog(&visit), shows("", ""));

    visit.click("confirm");
    assert_eq!(dialog(&visit), shows("Sure?", "OK\nCancel"));
    visit.click_text("OK").click("confirm").click_text("Cancel");
    visit.click("confirm").presses("Enter").click("confirm").presses("Escape");
    visit.click("confirm").does(&Event::ClickBack);
    assert_eq!(
        visit.said(),
        "confirmed true, confirmed false, confirmed true, confirmed false, confirmed false"
    );

    visit.click("prompt");
    let field = Selector::role(Role::Field).inside(Selector::role(Role::Dialog));
    assert_eq!(visit.seen.screen.text(&field), Some("nobody"));
    visit.does(&Event::Type(field.clone().into(), " else".into())).click_text("OK");
    assert_eq!(visit.said(), "called nobody else");
    visit.click("prompt").does(&Event::Clear(field.clone().into()));
    assert_eq!(visit.seen.screen.text(&field), Some(""));
    visit.does(&Event::Type(field.into(), "me".into())).click_text("OK");
    visit.click("prompt").click_text("Cancel");
    assert_eq!(visit.said(), "called me, called null");
}

#[test]
fn dialogs_come_in_many_ways() {
    let mut visit = Visit::to(ASKING, "");
    visit.click("twice");
    assert_eq!(dialog(&visit).0, "One");
    visit.click_text("OK");
    assert_eq!(dialog(&visit).0, "Two");
    visit.click_text("OK");
    assert_eq!(visit.said(), "both");
    visit.click("later");
    assert_eq!(dialog(&visit).0, "Later");
    visit.click_text("OK");
    assert_eq!(visit.said(), "later");
    visit.click("framed");
    assert_eq!(dialog(&visit).0, "From the frame");
    visit.click_text("OK");
    assert_eq!(visit.said(), "framed");
    // Time and everything else stand still while a dialog is open, and nothing breaks.
    visit.click("alert");
    for event in [Event::Sleep(1000), Event::Rotate, Event::ClickHome, Event::Press("a".into())] {
        visit.tries(&event);
        assert_eq!(dialog(&visit).0, "Look out", "{event}");
    }
    visit.again(2);
    assert_eq!(dialog(&visit), shows("", ""));
    visit.click("confirm").click_text("OK");
    assert_eq!(visit.said(), "confirmed true");
}

#[test]
fn dialogs_without_end_end_nothing() {
    let mut visit = Visit::to(ASKING, "");
    visit.click("ever");
    for _ in 0..30 {
        assert_eq!(dialog(&visit).0, "Again");
        visit.click_text("OK");
    }
    visit.again(2).click("confirm").click_text("Cancel");
    assert_eq!(visit.said(), "confirmed false");
}

#[test]
fn a_dialog_may_be_the_first_thing_to_be_seen() {
    let body = r#"<script>say(confirm('Cookies?') ? 'cookies' : 'none')</script><button id="on">On</button>"#;
    let mut visit = Visit::to(body, "");
    for seed in 2..4 {
        assert_eq!(dialog(&visit), shows("Cookies?", "OK\nCancel"));
        visit.click_text("OK").click("on");
        assert_eq!(visit.said(), "cookies");
        visit.again(seed);
    }
}

#[test]
fn a_page_may_ask_whether_to_stay() {
    let pages = [
        (
            "/",
            r#"<a id="away" href="/away">Away</a><input id="field" aria-label="Field">
               <script>onbeforeunload = event => event.preventDefault()</script>"#,
        ),
        ("/away", r#"<p id="there">There</p>"#),
    ];
    let mut visit = Visit::among(&pages, "");
    // Browsers ask only if somebody has done something on the page.
    visit.types("field", "x").click("away");
    assert_eq!(dialog(&visit).1, "Leave\nStay");
    visit.click_text("Stay");
    assert_eq!((visit.path(), visit.text("field")), ("", "x"));
    visit.does(&Event::Click(Target::id("away"))).click_text("Leave");
    assert_eq!((visit.path(), visit.text("there")), ("away", "There"));
    // A reset does not ask.
    visit.again(2).types("field", "y").again(3);
    assert_eq!(dialog(&visit).1, "");
    assert_eq!(visit.text("field"), "");
}
