//! A recording as what other programs read: the texts themselves, and back from them.

use capuchin::ui::{Element, Event, Point, Rect, Role, Screen, Selector, Size, State, Target};
use capuchin_record::{Assertion, Ending, Origin, RecordedEvent, Recording, from_devtools, merged};
use std::sync::Arc;

fn element(role: Role, native: &str, id: &str, text: &str, y: i32) -> Element {
    Element {
        role,
        native: native.into(),
        id: id.into(),
        text: text.into(),
        bounds: Rect::new(0, y, 100, 20),
        state: State::DISPLAYED | State::ENABLED | State::CLICKABLE,
        ..Element::default()
    }
}

/// A page with two buttons of one name, a field and a list.
fn screen() -> Screen {
    let mut field = element(Role::Field, "input", "name", "Name", 0);
    field.state |= State::EDITABLE;
    let mut list = element(Role::Combobox, "select", "size", "Size", 20);
    list.state |= State::EDITABLE;
    let mut option = element(Role::Choice, "option", "", "Large", 20);
    (option.parent, option.value) = (Some(1), "l".into());
    let elements = vec![
        field,
        list,
        option,
        element(Role::Button, "button", "", "Save \"it\"", 40),
        element(Role::Button, "button", "", "Save \"it\"", 60),
    ];
    let (viewport, place) = (Size::new(800, 600), "http://localhost/a".into());
    Screen { viewport, place, elements }
}

fn recording() -> Recording {
    let screen = Arc::new(screen());
    let to = |index: usize| Target::One(screen.name_of(index));
    let events = [
        Event::Type(to(0), "A".into()),
        Event::Type(to(0), "da".into()),
        Event::Click(to(2)),
        Event::Click(to(4)),
        Event::DoubleClick(to(3)),
        Event::Hover(to(3)),
        Event::LongClick(to(3)),
        Event::Press("Control+a".into()),
        Event::ClickBack,
    ];
    let origin = Origin {
        app: "http://localhost/a".into(),
        device: "web:http://localhost/a".into(),
        viewport: screen.viewport,
        seed: 3,
        ..Origin::default()
    };
    let mut recording = Recording::new(origin);
    recording.events =
        events.into_iter().map(|event| RecordedEvent::new(event, Arc::clone(&screen))).collect();
    recording.assertions.push(Assertion { after: 2, property: "isDisplayed(#name)".into() });
    recording.ending = Ending::Complete;
    recording
}

#[test]
fn a_trace() {
    assert_eq!(
        recording().to_capu(),
        r#"// Recorded on http://localhost/a.
device "web:http://localhost/a"
seed 3

Type(#name, "Ada") :>>
assert isDisplayed(#name) :>>
Click("Large") :>>
Click(button("Save \"it\"")[2]) :>>
DoubleClick(button("Save \"it\"")[1]) :>>
Hover(button("Save \"it\"")[1]) :>>
LongClick(button("Save \"it\"")[1]) :>>
Press("Control+a") :>>
ClickBack
"#
    );
}

#[test]
fn what_an_assertion_says_adds_nothing_else_to_a_trace() {
    let mut recording = recording();
    recording.events.truncate(1);
    let assertion = |property: &str| Assertion { after: 1, property: property.into() };
    recording.assertions = vec![
        assertion("isDisplayed(#a)\ndevice \"web:https://example.org\""),
        assertion("true :>>\nClick(#delete)"),
        assertion("isDisplayed(#b)"),
    ];
    assert_eq!(
        recording.to_capu(),
        r#"// Recorded on http://localhost/a.
// Left out, since it is not one property: isDisplayed(#a) device "web:https://example.org"
// Left out, since it is not one property: true :>> Click(#delete)
device "web:http://localhost/a"
seed 3

Type(#name, "A") :>>
assert isDisplayed(#b)
"#
    );
}

#[test]
fn a_script_for_playwright() {
    let script = recording().to_playwright();
    let lines: Vec<&str> = script.lines().skip(8).collect();
    assert_eq!(
        lines,
        [
            r#"await page.locator("[id=\"name\"], [data-testid=\"name\"], [data-test=\"name\"]").fill("Ada");"#,
            "// assert isDisplayed(#name)",
            r#"await page.locator("[id=\"size\"], [data-testid=\"size\"], [data-test=\"size\"]").selectOption("Large");"#,
            r#"await page.getByRole('button', { name: "Save \"it\"", exact: true }).nth(1).click();"#,
            r#"await page.getByRole('button', { name: "Save \"it\"", exact: true }).nth(0).dblclick();"#,
            r#"await page.getByRole('button', { name: "Save \"it\"", exact: true }).nth(0).hover();"#,
            r#"await page.getByRole('button', { name: "Save \"it\"", exact: true }).nth(0).click({ button: 'right' });"#,
            r#"await page.keyboard.press("Control+a");"#,
            "await page.goBack();",
            "await browser.close();",
        ]
    );
}

/// The page while it asks, as a driver shows it.
fn asking(kind: &str, value: &str) -> Arc<Screen> {
    let mut screen = screen();
    let first = screen.elements.len() as u32;
    let mut field = element(Role::Field, kind, "", "", 0);
    field.state |= State::EDITABLE;
    field.value = value.into();
    screen.elements.push(element(Role::Dialog, kind, "", "", 0));
    screen.elements.extend((kind == "prompt").then_some(field));
    screen.elements.push(element(Role::Button, kind, "", "OK", 20));
    screen.elements.push(element(Role::Button, kind, "", "Cancel", 40));
    screen.elements.iter_mut().skip(first as usize + 1).for_each(|it| it.parent = Some(first));
    Arc::new(screen)
}

#[test]
fn dialogs_are_answered_for_playwright_before_they_open() {
    let mut recording = recording();
    recording.events.truncate(1);
    recording.assertions.clear();
    let mut add = |screen: &Arc<Screen>, event: Event| {
        recording.events.push(RecordedEvent::new(event, Arc::clone(screen)));
    };
    let (confirm, prompt, page) =
        (asking("confirm", ""), asking("prompt", "x"), Arc::new(screen()));
    let click = |text: &str| Event::Click(Target::One(Selector::text(text)));
    add(&confirm, click("Cancel"));
    add(&prompt, Event::Type(Target::One(prompt.name_of(6)), "y".into()));
    add(&prompt, click("OK"));
    add(&page, Event::Press("a".into()));
    add(&prompt, Event::Clear(Target::One(prompt.name_of(6))));
    add(&prompt, Event::Press("Enter".into()));
    let script = recording.to_playwright();
    let lines: Vec<&str> = script.lines().skip(6).collect();
    assert_eq!(
        lines,
        [
            "const answers = [];",
            "page.on('dialog', dialog => (answers.shift() ?? (it => it.accept()))(dialog));",
            r#"await page.goto(process.argv[2] ?? "http://localhost/a");"#,
            "answers.push(dialog => dialog.dismiss());",
            r#"answers.push(dialog => dialog.accept("xy"));"#,
            r#"await page.locator("[id=\"name\"], [data-testid=\"name\"], [data-test=\"name\"]").fill("A");"#,
            r#"answers.push(dialog => dialog.accept(""));"#,
            r#"await page.keyboard.press("a");"#,
            "await browser.close();",
        ]
    );
}

#[test]
fn what_is_written_for_the_recorder_panel_reads_back_to_the_same_events() {
    let recording = recording();
    let (read, left_out) = from_devtools(&recording.to_devtools()).expect("it is ours");
    assert_eq!(left_out, [""; 0]);
    let told = |events: &[RecordedEvent]| -> Vec<String> {
        let name = |event: &RecordedEvent| {
            let text = event.receiver().map(|element| element.text.to_string());
            format!("{} {}", event.event.name(), text.unwrap_or_default())
        };
        events.iter().map(name).collect()
    };
    let mut expected = told(&merged(&recording.events));
    // An option is chosen in its list, and the panel has no way back.
    expected[1] = "Type Size".to_owned();
    expected.pop();
    // The panel does not say that a field was empty.
    expected.insert(0, "Clear Name".to_owned());
    assert_eq!(told(&read.events), expected);
    assert_eq!(read.origin.app, "http://localhost/a");
    assert_eq!(read.origin.viewport, Size::new(800, 600));
    let without = recording.left_out_of_devtools();
    assert_eq!(without.len(), 2, "Back and the assertion: {without:?}");
    assert!(without[0].contains("(ClickBack) is left out"), "{without:?}");
}

#[test]
fn what_was_in_a_field_is_not_doubled_by_the_recorder_panel() {
    let mut recording = recording();
    let mut screen = screen();
    screen.elements[0].value = "old".into();
    let screen = Arc::new(screen);
    let event = |event: Event| RecordedEvent::new(event, Arc::clone(&screen));
    let typed = Event::Type(Target::One(screen.name_of(0)), "er".into());
    recording.events = vec![event(typed), event(Event::Click(Target::from(Point::new(700, 500))))];
    recording.assertions.clear();
    let (read, _) = from_devtools(&recording.to_devtools()).expect("it is ours");
    let events: Vec<String> = read.events.iter().map(|it| it.event.to_string()).collect();
    assert_eq!(events, ["Clear(#name)", r#"Type(#name, "older")"#]);
    let without = recording.left_out_of_devtools();
    assert_eq!(without.len(), 1, "no selector finds an empty place: {without:?}");
}

#[test]
fn a_field_that_is_changed_twice_is_typed_on_or_emptied_first() {
    let steps_at = |selector: &str, values: &[&str]| {
        let step = |value: &&str| {
            let selectors = format!(r##"[["#a"], ["{selector}"]]"##);
            format!(r##"{{"type": "change", "selectors": {selectors}, "value": "{value}"}}"##)
        };
        let steps: Vec<String> = values.iter().map(step).collect();
        let text = format!(r#"{{"steps": [{}]}}"#, steps.join(","));
        let (recording, _) = from_devtools(&text).expect("it has steps");
        recording.events.iter().map(|it| it.event.to_string()).collect::<Vec<_>>()
    };
    let steps = |values: &[&str]| steps_at("aria/A", values);
    // What a field for texts holds at first is not known.
    let in_textarea = steps_at("textarea", &["ab", "abc"]);
    assert_eq!(in_textarea, ["Clear(#a)", r#"Type(#a, "ab")"#, r#"Type(#a, "c")"#]);
    assert_eq!(steps(&["ab", "abc"]), [r#"Type(#a, "ab")"#, r#"Type(#a, "c")"#]);
    assert_eq!(steps(&["ab", "x"]), [r#"Type(#a, "ab")"#, "Clear(#a)", r#"Type(#a, "x")"#]);
    assert_eq!(steps(&["ab", ""]), [r#"Type(#a, "ab")"#, "Clear(#a)"]);
    assert_eq!(steps(&["", "ab", "ab"]), ["Clear(#a)", r#"Type(#a, "ab")"#]);
}

#[test]
fn waiting_for_elements_becomes_assertions() {
    for (more, expected) in [
        ("", "isDisplayed(#a)"),
        (r#", "count": 0, "operator": "==""#, "!isDisplayed(#a)"),
        (r#", "visible": false"#, "!isDisplayed(#a)"),
        (r#", "count": 3, "operator": "<=""#, "count(#a) <= 3"),
        (r#", "operator": "==""#, "count(#a) == 1"),
    ] {
        let text =
            format!(r##"{{"steps": [{{"type": "waitForElement", "selectors": ["#a"]{more}}}]}}"##);
        let (recording, left_out) = from_devtools(&text).expect("it has steps");
        let properties: Vec<_> =
            recording.assertions.iter().map(|it| it.property.as_str()).collect();
        assert_eq!((properties, left_out), (vec![expected], Vec::new()), "{more}");
    }
}
