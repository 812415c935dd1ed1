//! What somebody else does is handed over before the page hears of it, gesture by gesture.

use crate::somebody::{
    Somebody, goes_on, is_nothing, recorded, recorded_event, recorded_lack, somebody_at,
};
use crate::visit::Visit;
use capuchin_ui::{Recorded, Role, Selector};
use serde_json::json;

const RECORD: &str = "record debugging-port=0";

fn visited(body: &str) -> (Visit, Somebody) {
    visited_with(body, "")
}

fn visited_with(body: &str, options: &str) -> (Visit, Somebody) {
    let mut visit = Visit::to(body, &format!("{RECORD} {options}"));
    let somebody = somebody_at(&mut visit);
    (visit, somebody)
}

const ALL: &str =
    "pointerdown mousedown pointerup mouseup click keydown keyup beforeinput input change";

#[test]
fn a_click_is_handed_over_before_the_page_hears_of_it() {
    let page = format!(
        r#"<button id="save"><b class="icon">+</b> Save</button>
        <script>
        for (const type of '{ALL}'.split(' ')) window.addEventListener(type, ran, true);
        </script>"#
    );
    let (mut visit, mut somebody) = visited(&page);
    somebody.clicks("save");
    let (event, screen) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), "Click(#save)");
    assert!(screen.first(&Selector::id("save")).is_some());
    assert_eq!(somebody.asks("$('said').textContent"), "", "the page has heard nothing");
    visit.does(&event);
    assert_eq!(visit.said(), "pointerdown, mousedown, pointerup, mouseup, click");
    assert!(is_nothing(&mut visit));
}

#[test]
fn the_screen_is_the_one_that_is_displayed_now() {
    let page = r#"<button id="go" onclick="say('go')">Go</button><p id="time">early</p>
        <script>setTimeout(() => { $('time').textContent = 'late'; $('go').id = 'went' }, 400)</script>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.asks("new Promise(done => setTimeout(done, 600))");
    somebody.clicks("went");
    let (event, screen) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), "Click(#went)");
    assert_eq!(screen.text(&Selector::id("time")), Some("late"));
    visit.does(&event);
    assert_eq!(visit.said(), "go");
}

#[test]
fn texts_are_typed_pasted_and_inserted() {
    let page = r#"<input id="name"><textarea id="notes">old</textarea>
        <script>for (const id of ['name', 'notes']) on(id, 'input', () => say($(id).value));</script>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.clicks("name");
    assert_eq!(goes_on(&mut visit), "Click(#name)");
    somebody.types("ab").inserts("é語");
    assert_eq!(goes_on(&mut visit), r#"Type(#name, "abé語")"#);
    assert_eq!(visit.said(), "a, ab, abé, abé語", "performed once, with keys where there are any");
    somebody.presses("Backspace", 8, 0);
    assert_eq!(goes_on(&mut visit), "Clear(#name)");
    assert_eq!(goes_on(&mut visit), r#"Type(#name, "abé")"#);
    // As tools fill a field: by a script that selects everything, and a text.
    somebody.asks("$('notes').focus(); $('notes').select()");
    somebody.inserts("new");
    assert_eq!(goes_on(&mut visit), "Clear(#notes)");
    assert_eq!(goes_on(&mut visit), r#"Type(#notes, "new")"#);
    assert_eq!(visit.element("notes").value, "new");
}

#[test]
fn presses_are_told_apart() {
    let page = r#"<button id="save">Save</button> <div id="twice" style="width:80px;height:30px">Twice</div>
        <div id="menu" style="width:80px;height:30px">Menu</div>
        <label>Remember me <input type="checkbox" id="remember"></label>
        <label for="hidden" id="opens">Open</label><input type="checkbox" id="hidden" style="display:none">
        <script>
        on('twice', 'dblclick', ran); on('menu', 'contextmenu', event => { event.preventDefault(); ran(event) });
        on('remember', 'change', () => say('remember ' + $('remember').checked));
        on('hidden', 'change', () => say('hidden ' + $('hidden').checked));
        on('save', 'click', ran);
        </script>"#;
    let (mut visit, mut somebody) = visited(page);
    let at = somebody.middle("twice");
    somebody.clicks_at(at, &json!({})).clicks_at(at, &json!({"clickCount": 2}));
    assert_eq!(goes_on(&mut visit), "DoubleClick(#twice)");
    assert_eq!(visit.said(), "dblclick");
    somebody.clicks("twice");
    assert_eq!(goes_on(&mut visit), "Click(#twice)", "a single click is not held for ever");
    somebody.clicks("save");
    assert_eq!(goes_on(&mut visit), "Click(#save)");
    somebody.clicks("save");
    assert_eq!(
        goes_on(&mut visit),
        "Click(#save)",
        "two clicks are two, where nobody hears double ones"
    );
    assert_eq!(visit.said(), "click, click");
    let at = somebody.middle("menu");
    somebody.clicks_at(at, &json!({"button": "right"}));
    assert_eq!(goes_on(&mut visit), "LongClick(#menu)");
    assert_eq!(visit.said(), "contextmenu");
    let at = somebody.middle("remember");
    somebody.clicks_at((at.0 - 40.0, at.1), &json!({}));
    assert_eq!(goes_on(&mut visit), "Click(#remember)", "what the label is for");
    somebody.clicks("opens");
    assert_eq!(goes_on(&mut visit), "Click(#opens)", "the label, if that is all that is displayed");
    assert_eq!(visit.said(), "remember true, hidden true");
    let at = somebody.middle("save");
    somebody.mouse("mousePressed", at, &json!({}));
    somebody.asks("new Promise(done => setTimeout(done, 700))");
    somebody.mouse("mouseReleased", at, &json!({}));
    assert_eq!(goes_on(&mut visit), "LongClick(#save)");
    somebody.clicks_at(at, &json!({"button": "middle"}));
    assert_eq!(recorded_lack(&mut visit).what, r#"the middle button: button "Save""#);
    somebody.clicks_at(at, &json!({"button": "middle"}));
    assert!(is_nothing(&mut visit), "it is told once");
}

#[test]
fn keys_go_where_the_focus_is() {
    let page = r#"<form onsubmit="say('sent ' + $('q').value); return false"><input id="q"><button id="b">Go</button></form>
        <script>document.addEventListener('keydown', event => { if (event.key !== 'a') say(event.key) });</script>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.clicks("q");
    assert_eq!(goes_on(&mut visit), "Click(#q)");
    somebody.types("aa");
    somebody.presses("Enter", 13, 0);
    assert_eq!(goes_on(&mut visit), r#"Type(#q, "aa")"#);
    assert_eq!(goes_on(&mut visit), r#"Press("Enter")"#);
    somebody.presses("Tab", 9, 0);
    assert_eq!(goes_on(&mut visit), r#"Press("Tab")"#);
    somebody.presses("Escape", 27, 0).presses("ArrowDown", 40, 0).presses("Tab", 9, 8);
    assert_eq!(goes_on(&mut visit), r#"Press("Escape")"#);
    assert_eq!(goes_on(&mut visit), r#"Press("ArrowDown")"#);
    assert_eq!(goes_on(&mut visit), r#"Press("Shift+Tab")"#);
    assert_eq!(visit.said(), "Enter, sent aa, Tab, Escape, ArrowDown, Tab");
    assert!(visit.is("q", capuchin_ui::State::FOCUSED));
    somebody.presses("s", 83, 2);
    assert_eq!(goes_on(&mut visit), r#"Press("Control+s")"#);
    somebody.presses("F5", 116, 0);
    assert_eq!(recorded_lack(&mut visit).what, "a key of the browser: F5");
}

#[test]
fn values_are_chosen() {
    let page = r#"<select id="size"><option>Small</option><option>Large</option></select>
        <input type="range" id="loud" min="0" max="10" value="2">
        <input type="date" id="day"><input type="file" id="file">
        <script>for (const id of ['size', 'loud', 'day', 'file']) on(id, 'change', () => say(id + ' ' + $(id).value.replace(/.*\\/, '')));</script>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.asks("$('size').focus()");
    somebody.presses("ArrowDown", 40, 0);
    assert_eq!(goes_on(&mut visit), r#"Press("ArrowDown")"#);
    assert_eq!(visit.said(), "size Large");
    let (x, y) = somebody.middle("loud");
    somebody.clicks_at((x, y), &json!({}));
    assert_eq!(goes_on(&mut visit), r#"Type(#loud, "5")"#);
    assert_eq!(visit.said(), "loud 5");
    somebody.calls("DOM.enable", json!({}));
    let root = somebody.calls("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
    let node = somebody.calls("DOM.querySelector", json!({"nodeId": root, "selector": "#file"}));
    let file = tempfile::Builder::new().prefix("photo").suffix(".txt").tempfile().unwrap();
    let files = json!({"files": [file.path()], "nodeId": node["nodeId"]});
    somebody.calls("DOM.setFileInputFiles", files);
    let name = file.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(goes_on(&mut visit), format!("Type(#file, \"{name}\")"));
    assert_eq!(visit.said(), format!("file {name}"));
}

#[test]
fn what_is_dragged_and_scrolled_is_a_swipe() {
    let page = r#"<div id="card" draggable="true" style="width:80px;height:40px;background:red">Card</div>
        <div id="done" style="width:200px;height:100px;margin-left:200px;background:green">Done</div>
        <div id="box" style="width:200px;height:200px;overflow:auto"><div style="height:2000px">tall</div></div>
        <script>
        on('card', 'dragstart', event => event.dataTransfer.setData('text/plain', 'x'));
        on('done', 'dragover', event => event.preventDefault());
        on('done', 'drop', event => { event.preventDefault(); say('dropped') });
        </script>"#;
    let (mut visit, mut somebody) = visited(page);
    let (card, done) = (somebody.middle("card"), somebody.middle("done"));
    somebody.mouse("mouseMoved", card, &json!({}));
    somebody.mouse("mousePressed", card, &json!({}));
    for step in 1..=4 {
        let part = |from: f64, to: f64| from + (to - from) * f64::from(step) / 4.0;
        somebody.mouse(
            "mouseMoved",
            (part(card.0, done.0), part(card.1, done.1)),
            &json!({"button": "left", "buttons": 1}),
        );
    }
    somebody.mouse("mouseReleased", done, &json!({}));
    assert_eq!(goes_on(&mut visit), "Swipe(#card, #done)");
    assert_eq!(visit.said(), "dropped");
    let at = somebody.middle("box");
    for _ in 0..4 {
        somebody.mouse("mouseWheel", at, &json!({"deltaX": 0, "deltaY": 40, "button": "none"}));
    }
    assert_eq!(goes_on(&mut visit), "Swipe(#box, Up)");
    assert_eq!(somebody.asks("$('box').scrollTop"), 160);
    somebody.mouse("mouseWheel", at, &json!({"deltaX": 0, "deltaY": 50, "button": "none"}));
    assert!(goes_on(&mut visit).starts_with("Swipe(#box, ("));
    assert_eq!(somebody.asks("$('box').scrollTop"), 210);
}

#[test]
fn what_listens_in_a_link_is_clicked_and_not_the_link() {
    let page = r#"<a href="/away" style="display:block;width:300px"><span id="cross"
          onclick="event.preventDefault(); say('removed')">×</span> <b id="mail">Mail</b></a>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.clicks("cross");
    assert_eq!(goes_on(&mut visit), "Click(#cross)");
    assert_eq!(visit.said(), "removed");
    somebody.clicks("mail");
    let (event, _) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), r#"Click("× Mail")"#);
}

#[test]
fn a_wheel_is_turned_no_further_than_there_is_to_scroll() {
    let page = r#"<div id="box" style="width:200px;height:200px;overflow:auto"><div style="height:1000px">tall</div></div>"#;
    let (mut visit, mut somebody) = visited(page);
    let at = somebody.middle("box");
    for (by, end) in [(1e6, 800), (-1e6, 0)] {
        somebody.mouse("mouseWheel", at, &json!({"deltaX": 0, "deltaY": by, "button": "none"}));
        // Each swipe moves by 160.
        for _ in 0..5 {
            assert!(goes_on(&mut visit).starts_with("Swipe(#box, "));
        }
        assert_eq!(somebody.asks("$('box').scrollTop"), end);
        assert!(is_nothing(&mut visit), "it is at its end");
    }
}

#[test]
fn more_than_can_wait_is_told_each_time_and_not_clicked_somewhere() {
    let (mut visit, mut somebody) = visited(r#"<button id="b">B</button>"#);
    for _ in 0..202 {
        somebody.clicks("b");
    }
    for _ in 0..2 {
        let lack = recorded_lack(&mut visit);
        assert_eq!(lack.what, r#"something done to button "B" that had gone"#);
    }
    let (event, _) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), "Click(#b)");
}

#[test]
fn frames_shadow_trees_and_editors_are_no_hiding_places() {
    let page = r#"<iframe id="frame" srcdoc="<button id=inner onclick='parent.say(1)'>Inner</button>"></iframe>
        <div id="host"></div><div id="editor" contenteditable style="width:200px;height:40px"></div>
        <script>
        const root = $('host').attachShadow({ mode: 'open' });
        root.innerHTML = '<button id="deep">Deep</button><input id="field">';
        root.getElementById('deep').onclick = () => say('deep');
        on('editor', 'input', () => say($('editor').textContent));
        </script>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.clicks("frame/inner");
    assert_eq!(goes_on(&mut visit), "Click(#inner)");
    assert_eq!(visit.said(), "1");
    somebody.clicks("host/deep");
    assert_eq!(goes_on(&mut visit), "Click(#deep)");
    assert_eq!(visit.said(), "deep");
    somebody.clicks("host/field");
    assert_eq!(goes_on(&mut visit), "Click(#field)");
    somebody.types("xy");
    assert_eq!(goes_on(&mut visit), r#"Type(#field, "xy")"#);
    somebody.clicks("editor");
    assert_eq!(goes_on(&mut visit), "Click(#editor)");
    somebody.types("hi").inserts("語");
    assert_eq!(goes_on(&mut visit), r#"Type(#editor, "hi語")"#);
    assert_eq!(visit.said(), "h, hi, hi語");
}

#[test]
fn a_menu_that_hovering_shows_is_hovered_first() {
    let page = r#"<div id="bar" style="width:100px;height:30px">Bar
          <div id="list" style="display:none;position:absolute;top:38px"><button id="entry" onclick="say('entry')">Entry</button></div></div>
        <button id="other" style="position:absolute;top:300px" onclick="say('other')">Other</button>
        <script>on('bar', 'mouseenter', () => $('list').style.display = 'block'); on('bar', 'mouseleave', () => $('list').style.display = 'none');</script>"#;
    let (mut visit, mut somebody) = visited(page);
    let at = somebody.middle("bar");
    somebody.mouse("mouseMoved", at, &json!({}));
    somebody.mouse("mouseMoved", (at.0 + 2.0, at.1 + 2.0), &json!({}));
    somebody.asks("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))");
    somebody.clicks("entry");
    assert_eq!(goes_on(&mut visit), "Hover(#bar)");
    assert_eq!(goes_on(&mut visit), "Click(#entry)");
    assert_eq!(visit.said(), "entry");
    somebody.clicks("other");
    assert_eq!(goes_on(&mut visit), "Click(#other)", "what is there anyway needs no hovering");
}

#[test]
fn fingers_tap_and_swipe() {
    let page = r#"<button id="tap" onclick="say('tap')">Tap</button>
        <div id="box" style="width:300px;height:300px;overflow:auto"><div style="height:3000px">tall</div></div>"#;
    let (mut visit, mut somebody) = visited_with(page, "phone");
    let (x, y) = somebody.middle("tap");
    let touch = |somebody: &mut Somebody, kind: &str, points: serde_json::Value| {
        somebody.calls("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    };
    touch(&mut somebody, "touchStart", json!([{"x": x, "y": y}]));
    touch(&mut somebody, "touchEnd", json!([]));
    assert_eq!(goes_on(&mut visit), "Click(#tap)");
    assert_eq!(visit.said(), "tap");
    let (x, y) = somebody.middle("box");
    touch(&mut somebody, "touchStart", json!([{"x": x, "y": y + 120.0}]));
    for step in 1..=4 {
        touch(
            &mut somebody,
            "touchMove",
            json!([{"x": x, "y": y + 120.0 - 60.0 * f64::from(step)}]),
        );
    }
    touch(&mut somebody, "touchEnd", json!([]));
    assert_eq!(goes_on(&mut visit), "Swipe(#box, Up)");
    assert_eq!(somebody.asks("$('box').scrollTop"), 240);
    // A thumb rests while the other finger comes near, or does not.
    for (to, is_pinch) in [(150.0, true), (250.0, false), (200.0, false)] {
        let (thumb, finger) =
            (json!({"x": 100, "y": 100, "id": 0}), |x: f64| json!({"x": x, "y": 100, "id": 1}));
        touch(&mut somebody, "touchStart", json!([thumb]));
        touch(&mut somebody, "touchStart", json!([thumb, finger(200.0)]));
        touch(&mut somebody, "touchMove", json!([thumb, finger(to)]));
        touch(&mut somebody, "touchEnd", json!([]));
        match recorded(&mut visit) {
            Recorded::Event(event, _) if is_pinch => {
                assert_eq!(event.to_string(), "Pinch((100, 100), (200, 100))");
                visit.does(&event);
            }
            Recorded::Lack(lack) if !is_pinch => assert!(lack.what.contains("two fingers")),
            other => panic!("{other:?} at {to}"),
        }
    }
}

#[test]
fn back_dialogs_and_the_end() {
    let mut visit = Visit::among(
        &[
            (
                "/",
                r#"<a id="next" href="/two">Next</a><button id="ask" onclick="say(confirm('Sure?'))">Ask</button><button id="name" onclick="say(prompt('Name?', 'Ada'))">Name</button>"#,
            ),
            ("/two", "<p id=two>Two</p>"),
        ],
        RECORD,
    );
    let mut somebody = somebody_at(&mut visit);
    somebody.clicks("next");
    assert_eq!(goes_on(&mut visit), "Click(#next)");
    assert_eq!(visit.path(), "two");
    let history = somebody.calls("Page.getNavigationHistory", json!({}));
    let entry =
        history["entries"][history["currentIndex"].as_u64().unwrap() as usize - 1]["id"].clone();
    somebody.calls("Page.navigateToHistoryEntry", json!({"entryId": entry}));
    assert_eq!(goes_on(&mut visit), "ClickBack");
    assert_eq!(visit.path(), "", "once, and not twice");
    assert!(is_nothing(&mut visit));
    somebody.calls("Page.enable", json!({}));
    somebody.clicks("ask");
    assert_eq!(goes_on(&mut visit), "Click(#ask)");
    somebody.calls("Page.handleJavaScriptDialog", json!({"accept": false}));
    let (event, screen) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), r#"Click("Cancel")"#);
    assert!(screen.first(&Selector::text("Sure?")).is_some());
    visit.does(&event);
    assert_eq!(visit.said(), "false");
    somebody.clicks("name");
    assert_eq!(goes_on(&mut visit), "Click(#name)");
    let answer = json!({"accept": true, "promptText": "Bob"});
    somebody.calls("Page.handleJavaScriptDialog", answer);
    for (expected, value) in
        [("Clear(field)", "Ada"), (r#"Type(field, "Bob")"#, ""), (r#"Click("OK")"#, "Bob")]
    {
        let (event, screen) = recorded_event(&mut visit);
        assert_eq!(event.to_string(), expected);
        let field = screen.first(&Selector::role(Role::Field)).unwrap();
        assert_eq!(field.value, value);
        visit.does(&event);
    }
    assert_eq!(visit.said(), "Bob");
    somebody.closes_the_page();
    assert_eq!(recorded(&mut visit), Recorded::End);
}

#[test]
fn an_address_that_somebody_types_is_told() {
    let mut visit = Visit::among(&[("/", "<p id=one>One</p>"), ("/two", "<p>Two</p>")], RECORD);
    let mut somebody = somebody_at(&mut visit);
    assert!(is_nothing(&mut visit), "where it began was typed by nobody");
    let url = somebody.asks("new URL('/two', location).href");
    let params = json!({"url": url});
    // It is answered when the device has let the request go.
    somebody.sends("Page.navigate", &params);
    let lack = recorded_lack(&mut visit);
    assert!(lack.what.contains("going to the address") && lack.what.contains("/two"), "{lack:?}");
    assert!(lack.reason.contains("record from that address"), "{lack:?}");
}

#[test]
fn what_is_typed_on_is_not_on_the_screen_of_what_was_typed_before() {
    let (mut visit, mut somebody) = visited(r#"<input id="name" value="x">"#);
    somebody.clicks("name");
    assert_eq!(goes_on(&mut visit), "Click(#name)");
    somebody.types("a");
    somebody.asks("new Promise(done => setTimeout(done, 120))");
    // It is handed over by now, and performed later: this is in the field meanwhile.
    somebody.types("b");
    let (event, screen) = recorded_event(&mut visit);
    assert!(event.to_string().starts_with("Type(#name, \"a"), "{event}");
    assert_eq!(screen.first(&Selector::id("name")).map(|it| it.value.as_str()), Some("x"));
}

#[test]
fn key_events_are_marked_and_texts_expected() {
    let (mut visit, mut somebody) = visited(r#"<p id="total">12 items</p>"#);
    somebody.presses("K", 75, 10);
    assert_eq!(recorded(&mut visit), Recorded::KeyEvent);
    let at = somebody.middle("total");
    somebody.clicks_at(at, &json!({"modifiers": 1}));
    let Recorded::Expected(element, text, _) = recorded(&mut visit) else { panic!("another") };
    assert_eq!((element.to_string().as_str(), text.as_str()), ("#total", "12 items"));
}

/// As tools set what has no caret: a script in a world of their own changes it, and tells the page.
#[test]
fn what_the_scripts_of_a_tool_do_is_recorded_and_what_those_of_the_page_do_is_not() {
    let page = r#"<select id="size"><option>Small</option><option>Large</option></select><input type="date" id="day">
        <button id="add" onclick="say('added')">Add</button>
        <script>
        for (const id of ['size', 'day']) on(id, 'change', () => say(id + ' ' + $(id).value));
        window.change = () => { $('size').value = 'Large'; $('size').dispatchEvent(new Event('change', { bubbles: true })) };
        </script>"#;
    let (mut visit, mut somebody) = visited(page);
    assert!(is_nothing(&mut visit));
    somebody.asks_in_a_world("const it = document.getElementById('size'); it.value = 'Large'; for (const type of ['input', 'change']) it.dispatchEvent(new Event(type, { bubbles: true }))");
    let (event, screen) = recorded_event(&mut visit);
    assert_eq!(event.to_string(), r#"Type(#size, "Large")"#);
    assert_eq!(screen.first(&Selector::id("size")).unwrap().value, "Small", "as it was before");
    visit.does(&event);
    somebody.asks_in_a_world("const it = document.getElementById('day'); it.value = '2024-05-06'; for (const type of ['input', 'change']) it.dispatchEvent(new Event(type, { bubbles: true }))");
    assert_eq!(goes_on(&mut visit), r#"Type(#day, "2024-05-06")"#);
    somebody.asks_in_a_world("document.getElementById('add').click()");
    assert_eq!(goes_on(&mut visit), "Click(#add)");
    assert_eq!(visit.said(), "size Large, day 2024-05-06, added");
    somebody.asks("$('size').value = 'Small'; setTimeout(change)");
    assert!(is_nothing(&mut visit), "a page is not somebody");
}

/// Somebody who does not wait for the device is recorded all the same: what they do while it
/// performs neither passes nor gets lost.
#[test]
fn nothing_is_lost_while_the_device_performs() {
    let page = r#"<input id="name"><button id="add" onclick="say('add')">Add</button>"#;
    let (mut visit, mut somebody) = visited(page);
    somebody.clicks("name");
    assert_eq!(goes_on(&mut visit), "Click(#name)");
    let text = "The quick brown fox jumps over the lazy dog";
    let typing = std::thread::spawn(move || {
        somebody.types(text);
        somebody.clicks("add");
        somebody
    });
    let mut typed = String::new();
    while visit.said().is_empty() {
        let (event, _) = recorded_event(&mut visit);
        if let capuchin_ui::Event::Type(_, part) = &event {
            typed.push_str(part);
        }
        visit.does(&event);
    }
    typing.join().unwrap();
    assert_eq!((typed.as_str(), visit.element("name").value.as_str()), (text, text));
}
