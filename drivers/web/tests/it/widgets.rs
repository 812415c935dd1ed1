//! Controls: whatever a person can put into a page is put there, and the page hears of it as from a
//! person.

use crate::visit::Visit;
use capuchin_ui::{Blocked, Device, Event, Role, Selector, State, Target};

const CHOICES: &str = r#"
<select id="fruit" aria-label="Fruit"><option value="">None</option><option value="apple">Apple</option>
  <option disabled>Pear</option><optgroup label="Berries"><option value="fig">Fig</option></optgroup></select>
<select id="tags" aria-label="Tags" multiple size="3"><option>red</option><option>green</option><option>blue</option></select>
<label><input type="checkbox" id="check">Check</label>
<label><input type="radio" name="size" id="small" value="small">Small</label>
<label><input type="radio" name="size" id="large" value="large">Large</label>
<details id="more"><summary id="summary">More</summary><button id="inside">Inside</button></details>
<script>
on('fruit', 'input change', () => say(event.type + ' ' + $('fruit').value));
on('tags', 'change', () => say([...$('tags').selectedOptions].map(option => option.value).join('+') || 'none'));
for (const id of ['check', 'small', 'large']) on(id, 'click change', ran);
on('inside', 'click', ran);
</script>"#;

#[test]
fn something_is_chosen() {
    let mut visit = Visit::to(CHOICES, "");
    // By its name, as a person would; the page hears of it once, and not again for the same.
    visit.click_text("Apple");
    assert_eq!(visit.said(), "input apple, change apple");
    assert_eq!(visit.element("fruit").value, "Apple");
    visit.click_text("Apple");
    assert_eq!(visit.said(), "");
    visit.types("fruit", "Fig");
    assert_eq!(visit.said(), "input fig, change fig");
    let pear = Event::Click(Selector::text("Pear").into());
    assert_eq!(visit.tries(&pear).blocked, Some(Blocked::Disabled));
    let unknown = Event::Type(Target::id("fruit"), "Melon".into());
    assert!(matches!(visit.tries(&unknown).blocked, Some(Blocked::Other(_))));
    assert_eq!(visit.element("fruit").value, "Fig");
    // Several of several.
    visit.click_text("red").click_text("blue").click_text("red");
    assert_eq!(visit.said(), "red, red+blue, blue");

    visit.click("check");
    assert_eq!(visit.said(), "click, change");
    assert!(visit.is("check", State::CHECKED));
    // Its label is as good.
    visit.click_text("Check");
    assert_eq!(visit.said(), "click, change");
    assert!(!visit.is("check", State::CHECKED));
    visit.click("small").click("large");
    assert!(!visit.is("small", State::CHECKED) && visit.is("large", State::CHECKED));
    visit.said();

    assert_eq!(visit.refuses("inside"), Some(Blocked::Hidden));
    visit.click("summary").click("inside");
    assert_eq!(visit.said(), "click");
}

const VALUES: &str = r##"
<label>Volume <input type="range" id="volume" min="0" max="10" value="5"></label>
<label>Day <input type="date" id="day" min="2024-01-01"></label>
<label>Hour <input type="time" id="hour"></label>
<label>Colour <input type="color" id="colour" value="#112233"></label>
<label>Number <input type="number" id="number"></label>
<label>File <input type="file" id="file"></label>
<input id="fixed" value="fixed" readonly aria-label="Fixed">
<script>
for (const id of ['volume', 'day', 'hour', 'colour', 'number']) on(id, 'change', () => say(id + ' ' + $(id).value));
on('file', 'change', async () => say($('file').files[0].name + ': ' + await $('file').files[0].text()));
</script>"##;

#[test]
fn values_are_put_into_what_has_no_caret() {
    let mut visit = Visit::to(VALUES, "");
    visit.types("volume", "7");
    assert_eq!(visit.said(), "volume 7");
    assert_eq!((visit.element("volume").role, visit.text("volume")), (Role::Slider, "7"));
    visit.types("day", "2024-02-29").types("hour", "13:05").types("colour", "#00ff00");
    assert_eq!(visit.said(), "day 2024-02-29, hour 13:05, colour #00ff00");
    // The field does not take what is no day.
    let event = Event::Type(Target::id("day"), "2024-02-30".into());
    assert!(matches!(visit.tries(&event).blocked, Some(Blocked::Other(_))));
    assert_eq!(visit.text("day"), "2024-02-29");
    visit.does(&Event::Clear(Target::id("day")));
    assert_eq!(visit.text("day"), "");
    visit.types("number", "4").types("number", "2").presses("Enter");
    assert_eq!(visit.text("number"), "42");
    // A file that is not there is made.
    visit.said();
    visit.types("file", "notes.txt");
    assert_eq!(visit.said(), "notes.txt: notes.txt");
    assert_eq!(visit.element("file").value, "notes.txt");
    let event = Event::Type(Target::id("fixed"), "x".into());
    assert_eq!(visit.tries(&event).blocked, Some(Blocked::NotEditable));
}

/// A slider is dragged, too: it has a knob.
#[test]
fn a_slider_is_dragged() {
    let body = r#"<input type="range" id="volume" aria-label="Volume" min="0" max="100" value="50" style="width:400px">
        <div id="end" style="position:absolute;left:380px;top:0;width:20px;height:20px">End</div>
        <script>on('volume', 'input change', ran)</script>"#;
    let mut visit = Visit::to(body, "");
    visit.drags("volume", "end");
    let value: i32 = visit.text("volume").parse().unwrap();
    assert!(value > 80, "{value}");
    let said = visit.said();
    assert!(
        said.contains("input") && said.contains("change") && !said.contains("script"),
        "{said}"
    );
}

const TEXTS: &str = r#"
<input id="field" aria-label="Field"><textarea id="notes" aria-label="Notes"></textarea>
<div id="rich" contenteditable role="textbox" aria-label="Rich">old</div>
<input id="four" maxlength="4" aria-label="Four">
<input id="upper" aria-label="Upper" value="kept">
<form id="form"><input id="inform" aria-label="In a form"><button>Send</button></form>
<script>
on('field', 'focus keydown keypress beforeinput input keyup change', event => say(event.type + (event.key ?? '') + (event.isTrusted ? '' : '!')));
on('upper', 'input', () => $('upper').value = $('upper').value.toUpperCase());
on('form', 'submit', event => { event.preventDefault(); say('sent ' + $('inform').value); });
on('rich', 'input', ran);
</script>"#;

#[test]
fn text_is_typed_with_real_keys() {
    let mut visit = Visit::to(TEXTS, "");
    visit.types("field", "aB");
    assert_eq!(
        visit.said(),
        "focus, keydowna, keypressa, beforeinput, input, keyupa, keydownB, keypressB, beforeinput, input, keyupB"
    );
    assert!(visit.is("field", State::FOCUSED));
    // Behind what is there; what no key writes comes as from a dictation.
    visit.types("field", "é😀");
    assert_eq!(visit.text("field"), "aBé😀");
    assert_eq!(visit.said(), "beforeinput, input, beforeinput, input");
    visit.presses("Backspace");
    assert_eq!(visit.text("field"), "aBé");
    visit.said();
    visit.does(&Event::Clear(Target::id("field")));
    assert_eq!(visit.text("field"), "");
    assert_eq!(visit.said(), "keydownDelete, beforeinput, input, keyupDelete");
    visit.presses("Tab");
    assert!(visit.is("notes", State::FOCUSED), "{}", visit.seen.screen);

    visit.types("notes", "one\ntwo");
    assert_eq!(visit.text("notes"), "one\ntwo");
    visit.types("rich", " and new");
    assert_eq!(visit.text("rich"), "old and new");
    visit.does(&Event::Clear(Target::id("rich")));
    assert_eq!(visit.text("rich"), "");
    visit.types("four", "12345");
    assert_eq!(visit.text("four"), "1234");
    visit.types("upper", " too");
    assert_eq!(visit.text("upper"), "KEPT TOO");
    visit.said();
    visit.types("inform", "me\n");
    assert_eq!(visit.said(), "sent me");
    // A key that does not exist is a wrong request, and nothing was pressed.
    let unknown = visit.device.perform(&Event::Press("Any".into())).unwrap_err();
    assert_eq!(unknown.to_string(), "web:page has no key Any");
    assert!(unknown.is_request());
}

const INSIDE: &str = r#"
<my-box id="box"></my-box><my-box><button id="slotted">Slotted</button></my-box>
<iframe id="frame" title="Frame" style="margin:30px;border:5px solid" srcdoc="
  <input id='inner' aria-label='Inner' oninput='parent.say(`inner ${value}`)'>
  <div style='height:600px'></div><button id='low' onclick='parent.say(`low`)'>Low</button>"></iframe>
<script>
customElements.define('my-box', class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<p>Before</p><button id="shadowed">Shadowed</button><input id="field" aria-label="Field"><slot></slot>';
    root.querySelector('button').addEventListener('click', event => say('shadowed' + (event.isTrusted ? '' : '!')));
  }
});
on('slotted', 'click', () => say('slotted'));
</script>"#;

#[test]
fn what_is_inside_of_shadows_and_frames_is_there() {
    let mut visit = Visit::to(INSIDE, "");
    visit.click("shadowed").click("slotted").types("field", "x");
    assert_eq!(visit.said(), "shadowed, slotted");
    assert_eq!(visit.text("field"), "x");
    visit.types("inner", "ab");
    assert_eq!(visit.said(), "inner a, inner ab");
    assert!(visit.is("inner", State::FOCUSED));
    // The frame is scrolled, not the page.
    visit.click("low");
    assert_eq!(visit.said(), "low");
}

/// Where a click leads is what the author wrote, and no more.
#[test]
fn an_element_says_where_it_leads() {
    let body = r##"
        <a id="link" href="charts.html?x=1">Charts</a> <a id="nowhere" href="#">Nowhere</a>
        <a id="opens" href="#" data-target="#part" aria-controls="part">Open</a>
        <button id="controls" aria-controls="part other">Toggle</button>
        <label id="label" for="box">Box</label> <input id="box" type="checkbox">
        <button id="plain">Plain</button><div id="part">Part</div>"##;
    let visit = Visit::to(body, "");
    for (id, expected) in [
        ("link", "charts.html?x=1"),
        ("nowhere", ""),
        ("opens", "#part"),
        ("controls", "#part"),
        ("label", "#box"),
        ("plain", ""),
    ] {
        let element = visit.seen.screen.first(&Selector::id(id)).unwrap();
        assert_eq!(element.leads_to, expected, "{id}");
    }
}

#[test]
fn what_opens_says_whether_it_is_open() {
    let body = r#"
        <button id="menu" aria-expanded="false" onclick="
          this.setAttribute('aria-expanded', this.getAttribute('aria-expanded') === 'false')">Menu</button>
        <details id="more"><summary id="summary">More</summary>Text</details><button id="plain">Plain</button>"#;
    let mut visit = Visit::to(body, "");
    let state = |visit: &Visit, id: &str| {
        let element = visit.seen.screen.first(&Selector::id(id)).unwrap();
        element.state & (State::EXPANDABLE | State::EXPANDED)
    };
    let open = State::EXPANDABLE | State::EXPANDED;
    assert_eq!(state(&visit, "plain"), State::empty());
    for id in ["menu", "summary"] {
        assert_eq!(state(&visit, id), State::EXPANDABLE, "{id}");
        visit.click(id);
        assert_eq!(state(&visit, id), open, "{id}");
        visit.click(id);
        assert_eq!(state(&visit, id), State::EXPANDABLE, "{id}");
    }
}

/// A mouse that comes near may show it, a finger does not. A transparent control is the real one
/// under its picture.
#[test]
fn what_is_transparent_is_not_there_for_a_finger() {
    let body = r#"<meta name="viewport" content="width=device-width">
        <nav style="opacity: 0"><button id="pane">Pane</button><input id="inner"></nav>
        <a id="hover" href="x" style="opacity: 0">Hover</a>
        <label>Tick <input id="tick" type="checkbox" style="opacity: 0"></label>"#;
    for (options, expected) in [("", [true; 4]), ("touch=yes", [false, false, false, true])] {
        let visit = Visit::to(body, options);
        let is_there = |id| visit.seen.screen.first(&Selector::id(id)).is_some();
        assert_eq!(["pane", "inner", "hover", "tick"].map(is_there), expected, "{options}");
    }
}
