//! A page that wants to see, to fake or to swallow what is recorded, and a browser that is lost.

use crate::somebody::{goes_on, is_nothing, recorded_event, somebody_at};
use crate::visit::Visit;
use capuchin_apps::Wrapped;
use capuchin_conformance::CONTRACT;
use capuchin_ui::{Device, DeviceError, Event, Powers, Recorded};
use capuchin_web::{Opener, Options};
use serde_json::json;
use std::time::Duration;

const RECORD: &str = "record debugging-port=0";

/// It has broken what a script could lean on, listens to everything at once and stops it, makes
/// events of its own, and writes its document anew.
const HOSTILE: &str = r#"<button id="b" onclick="say('b')">Button</button><input id="f">
    <script>
    const names = () => Object.getOwnPropertyNames(window).filter(name => /capuchin/i.test(name)).join();
    const seen = [];
    const types = 'pointerdown pointerup mousedown mouseup click keydown input beforeinput'.split(' ');
    for (const type of types)
      for (const place of [window, document, document.documentElement])
        place.addEventListener(type, event => { if (event.isTrusted) seen.push(type) }, true);
    window.swallow = () => { for (const type of types) window.addEventListener(type, event => event.stopImmediatePropagation(), true) };
    JSON.stringify = () => { throw new Error('broken') };
    Event.prototype.composedPath = () => [];
    Event.prototype.stopImmediatePropagation = function () {};
    Event.prototype.preventDefault = function () {};
    Node.prototype.getRootNode = () => null;
    Object.defineProperty(Event.prototype, 'isTrusted', { get: () => false });
    window.fake = () => {
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        $('b').dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
      $('b').click();
      $('f').value = 'faked';
      $('f').dispatchEvent(new InputEvent('input', { bubbles: true, data: 'faked' }));
      window.__capuchin_gesture?.('{"kind":"back"}');
      window.__capuchin_recorder?.open();
    };
    </script>"#;

#[test]
fn a_page_sees_fakes_and_swallows_nothing() {
    let mut visit = Visit::to(HOSTILE, RECORD);
    let mut somebody = somebody_at(&mut visit);
    assert_eq!(somebody.asks("names()"), "", "there is nothing of ours to be seen");
    somebody.clicks("b");
    let (event, _) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), "Click(#b)");
    assert_eq!(somebody.asks("seen.length"), 0, "nobody has heard of it");
    visit.does(&event);
    assert_eq!(visit.said(), "b");
    somebody.asks("fake()");
    assert!(is_nothing(&mut visit), "a page is not somebody");
    somebody.asks("swallow()");
    somebody.clicks("f");
    assert_eq!(goes_on(&mut visit), "Click(#f)");
}

#[test]
fn a_document_that_is_written_anew_is_recorded_as_well() {
    let page = r#"<button id="b" onclick="document.open(); document.write('<button id=c onclick=&quot;document.title = 1&quot;>C</button>'); document.close()">B</button>"#;
    let mut visit = Visit::to(page, RECORD);
    let mut somebody = somebody_at(&mut visit);
    somebody.clicks("b");
    assert_eq!(goes_on(&mut visit), "Click(#b)");
    somebody.clicks("c");
    let (event, _) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), "Click(#c)");
    assert_eq!(somebody.asks("document.title"), "");
    visit.does(&event);
    assert_eq!(somebody.asks("document.title"), "1");
}

#[test]
fn what_was_begun_before_a_reset_is_dropped() {
    let page = r#"<button id="b" onclick="say('b')">B</button>"#;
    let mut visit = Visit::to(page, RECORD);
    let mut somebody = somebody_at(&mut visit);
    somebody.clicks("b");
    visit.again(2);
    assert!(is_nothing(&mut visit));
    somebody.clicks("b");
    assert_eq!(goes_on(&mut visit), "Click(#b)");
    assert_eq!(visit.said(), "b");
}

/// Somebody clicks `#increment` after every reset, and closes the page when that was performed.
#[test]
fn the_recorder_keeps_the_contract() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/contract.html");
    let options = Options::parse(&format!("{page} viewport=360x640 {RECORD}")).unwrap();
    let mut visit = Visit::with(Opener::new("web:contract", options).open().unwrap());
    let somebody = somebody_at(&mut visit);
    let mut device = Wrapped::new(Box::new(visit.device), somebody, |somebody, inner, call| {
        let seen = call.on(inner);
        match call.event() {
            None => _ = somebody.clicks("increment"),
            Some(Event::Skip) => {}
            Some(_) => somebody.closes_the_page(),
        }
        seen
    });
    let clause = CONTRACT.iter().find(|(name, _)| *name == "what_a_person_does_waits_for_its_turn");
    clause.unwrap().1(&mut device);
}

#[test]
fn a_browser_that_is_lost_is_told_as_that() {
    let mut visit = Visit::to(r#"<button id="b">B</button>"#, RECORD);
    let mut somebody = somebody_at(&mut visit);
    somebody.sends("Browser.crash", &json!({}));
    let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
    let lost = loop {
        match recorder.recorded(Duration::from_secs(1)) {
            Ok(Recorded::Nothing | Recorded::Event(..)) => {}
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
    };
    assert!(matches!(lost, DeviceError::Lost { .. }), "{lost}");
}

#[test]
fn a_device_that_was_not_asked_to_record_has_no_recorder() {
    let mut visit = Visit::to("<p>nothing</p>", "");
    assert!(visit.device.powers().and_then(Powers::recorder).is_none());
}
