//! A recording as a script for Playwright.
//!
//! On its own because it is written for another tool, which finds and waits in ways of its own.

use super::dialogs::{Answer, answers, is_in_dialog};
use super::locator::{aria, frames, nth};
use super::trace::one_line;
use super::with_assertions;
use crate::{RecordedEvent, Recording};
use capuchin::ui::{Direction, Event, Place, Role, Screen, Target, Toward};

/// A script: `node FILE`, with `playwright-core` installed.
pub(super) fn script(recording: &Recording) -> String {
    let origin = &recording.origin;
    let (width, height) = (origin.viewport.width, origin.viewport.height);
    let parts = with_assertions(recording);
    let after = |part: usize| answers(parts[part..].iter().filter_map(|(event, _)| event.as_ref()));
    let has_answers = parts.iter().any(|(event, _)| event.as_ref().is_some_and(is_in_dialog));
    let mut text = format!(
        "// Recorded on {}.\n\
         // npm install playwright-core && CHROMIUM=/usr/bin/chromium node THIS.mjs [ADDRESS]\n\
         import {{ chromium }} from 'playwright-core';\n\n\
         const browser = await chromium.launch({{ executablePath: process.env.CHROMIUM }});\n\
         const page = await browser.newPage({{ viewport: {{ width: {width}, height: {height} }} }});\n\
         {}\n",
        one_line(&origin.app),
        if has_answers { ANSWERING } else { ACCEPTING },
    );
    text.push_str(&answer_lines(&after(0)));
    let address = quoted(&origin.app);
    text.push_str(&format!("await page.goto(process.argv[2] ?? {address});\n"));
    for (part, (event, assertions)) in parts.iter().enumerate() {
        if let Some(event) = event.as_ref().filter(|event| !is_in_dialog(event)) {
            text.push_str(&answer_lines(&after(part + 1)));
            for line in lines(event) {
                text.push_str(&format!("{line}\n"));
            }
        }
        for property in assertions {
            text.push_str(&format!("// assert {}\n", one_line(property)));
        }
    }
    text.push_str("await browser.close();\n");
    text
}

/// Every dialog is accepted.
const ACCEPTING: &str = "page.on('dialog', dialog => dialog.accept());";

/// Each dialog gets the next answer.
const ANSWERING: &str = "const answers = [];\n\
     page.on('dialog', dialog => (answers.shift() ?? (it => it.accept()))(dialog));";

/// The statements that answer the dialogs that the next statement opens.
fn answer_lines(answers: &[Answer]) -> String {
    let line = |answer: &Answer| match answer {
        Answer::Accept(None) => "answers.push(dialog => dialog.accept());\n".to_owned(),
        Answer::Accept(Some(text)) => {
            format!("answers.push(dialog => dialog.accept({}));\n", quoted(text))
        }
        Answer::Dismiss => "answers.push(dialog => dialog.dismiss());\n".to_owned(),
    };
    answers.iter().map(line).collect()
}

/// The statements that do what an event does.
fn lines(recorded: &RecordedEvent) -> Vec<String> {
    let screen = &recorded.screen;
    let it = recorded.receiver.map(|index| locator(screen, index));
    let one = |line: String| vec![line];
    match (&recorded.event, it) {
        (Event::Click(Target::Place(Place::At(point))), _) => {
            one(format!("await page.mouse.click({}, {});", point.x, point.y))
        }
        (Event::Click(_), Some(it)) if is_option(recorded) => {
            let option = recorded.receiver().map(|option| option.text.as_str()).unwrap_or_default();
            let list = recorded.receiver.and_then(|index| {
                let mut around = screen.ancestors(index);
                around.find(|index| screen.elements[*index].native == "select")
            });
            let list = list.map_or(format!("{it}.locator('..')"), |list| locator(screen, list));
            one(format!("await {list}.selectOption({});", quoted(option)))
        }
        (Event::Click(_), Some(it)) => one(format!("await {it}.click();")),
        (Event::DoubleClick(_), Some(it)) => one(format!("await {it}.dblclick();")),
        (Event::LongClick(_), Some(it)) => one(format!("await {it}.click({{ button: 'right' }});")),
        (Event::Hover(_), Some(it)) => one(format!("await {it}.hover();")),
        (Event::Clear(_), Some(it)) => one(format!("await {it}.fill('');")),
        (Event::Type(_, typed), Some(it)) => typed_lines(recorded, &it, typed),
        (Event::Press(key), _) => one(format!("await page.keyboard.press({});", quoted(key))),
        (Event::Swipe(_, toward), it) => swipe_lines(recorded, it.as_deref(), toward),
        (Event::ClickBack, _) => one("await page.goBack();".to_owned()),
        (Event::Sleep(millis), _) => one(format!("await page.waitForTimeout({millis});")),
        (Event::Rotate, _) => {
            let size = screen.viewport.rotated();
            let (width, height) = (size.width, size.height);
            one(format!("await page.setViewportSize({{ width: {width}, height: {height} }});"))
        }
        (event, _) => {
            one(format!("// Playwright has no event for {}", one_line(&event.to_string())))
        }
    }
}

fn is_option(recorded: &RecordedEvent) -> bool {
    recorded.receiver().is_some_and(|element| element.native == "option")
}

fn typed_lines(recorded: &RecordedEvent, it: &str, typed: &str) -> Vec<String> {
    let Some(element) = recorded.receiver() else { return Vec::new() };
    let typed_text = quoted(typed);
    if element.native == "select" {
        return vec![format!("await {it}.selectOption({typed_text});")];
    }
    // A slider is set as a whole.
    if element.value.is_empty() || element.role == Role::Slider {
        return vec![format!("await {it}.fill({typed_text});")];
    }
    vec![
        format!("await {it}.press('End');"),
        format!("await {it}.pressSequentially({typed_text});"),
    ]
}

fn swipe_lines(recorded: &RecordedEvent, it: Option<&str>, toward: &Toward) -> Vec<String> {
    let screen = &recorded.screen;
    let Some(from) = screen.touched_at(&recorded.event, recorded.receiver) else {
        return Vec::new();
    };
    let end = match toward {
        Toward::Element(selector) => {
            let found = screen.find(selector).next().map(|(index, _)| locator(screen, index));
            if let (Some(it), Some(to)) = (it, found) {
                return vec![format!("await {it}.dragTo({to});")];
            }
            from
        }
        Toward::Place(Place::At(point)) => *point,
        Toward::Place(Place::Anywhere) => from,
        Toward::Direction(direction) => {
            let bounds = recorded.receiver().map(|element| element.bounds);
            let size = bounds.map_or(screen.viewport.height, |bounds| bounds.height);
            let far = size.min(screen.viewport.height) * 4 / 5;
            let mut end = from;
            match direction {
                Direction::Up => end.y -= far,
                Direction::Down => end.y += far,
                Direction::Left => end.x -= far,
                Direction::Right => end.x += far,
            }
            end
        }
    };
    let hover = match it {
        Some(it) => format!("await {it}.hover();"),
        None => format!("await page.mouse.move({}, {});", from.x, from.y),
    };
    vec![hover, format!("await page.mouse.wheel({}, {});", from.x - end.x, from.y - end.y)]
}

/// How Playwright finds an element.
fn locator(screen: &Screen, index: usize) -> String {
    let element = &screen.elements[index];
    let mut base = String::from("page");
    for number in frames(screen, index) {
        base.push_str(&format!(".locator('iframe, frame').nth({number}).contentFrame()"));
    }
    let (found, number) = if !element.id.is_empty() {
        let id = element.id.replace('\\', "\\\\").replace('"', "\\\"");
        let css = format!("[id=\"{id}\"], [data-testid=\"{id}\"], [data-test=\"{id}\"]");
        let same = nth(screen, index, |other| other.id == element.id);
        (format!("locator({})", quoted(&css)), same)
    } else if let (Some(role), false) = (aria(element), element.text.is_empty()) {
        let same =
            nth(screen, index, |other| other.role == element.role && other.text == element.text);
        let name = quoted(&element.text);
        (format!("getByRole('{role}', {{ name: {name}, exact: true }})"), same)
    } else if !element.hint.is_empty() {
        let same = nth(screen, index, |other| other.hint == element.hint);
        (format!("getByPlaceholder({}, {{ exact: true }})", quoted(&element.hint)), same)
    } else if !element.text.is_empty() {
        let same = nth(screen, index, |other| other.text == element.text);
        (format!("getByText({}, {{ exact: true }})", quoted(&element.text)), same)
    } else {
        let class = element.classes.split_ascii_whitespace().next();
        let css = match class {
            Some(class) => format!("{}.{}", element.native, class.replace(':', "\\:")),
            None => element.native.to_string(),
        };
        let same = nth(screen, index, |other| {
            other.native == element.native
                && class.is_none_or(|class| {
                    other.classes.split_ascii_whitespace().any(|it| it == class)
                })
        });
        (format!("locator({})", quoted(&css)), same)
    };
    match number {
        Some(number) => format!("{base}.{found}.nth({number})"),
        None => format!("{base}.{found}"),
    }
}

/// A text as JavaScript has it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
