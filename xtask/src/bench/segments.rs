//! `bench segments`: how often a segment of a real screen is found again when one of its views is
//! gone, and how long segmenting and matching take on a screen of 500 elements.
//!
//! On its own because it reads dumps of uiautomator, a format that nothing else here knows yet.

use anyhow::{Context, Result, bail};
use capuchin::ui::{Element, Event, Rect, Role, Screen, Size, State, Str, Target};
use capuchin_record::{Matched, Outline, RecordedEvent, ReplayOptions, counterpart, leave_one_out};
use nix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

pub(super) const USAGE: &str = "cargo xtask bench segments [DIR]: DIR has dumps of uiautomator";

/// How often the matching is repeated.
const ROUNDS: u32 = 200;

pub(super) fn run(args: &[&str]) -> Result<()> {
    let options = ReplayOptions::default();
    let (mut right, mut of) = (0, 0);
    match args {
        [] => {}
        [directory] => {
            let mut files: Vec<_> = std::fs::read_dir(directory)
                .with_context(|| format!("{directory} cannot be read"))?
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
                .collect();
            files.sort();
            for file in &files {
                let screen = read_dump(&std::fs::read_to_string(file)?);
                let (found, views) = leave_one_out(&screen, &options);
                let segments = options.segmenter.segments(&Outline::new(&screen)).len();
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                println!("{found:>4} of {views:<4} {segments:>3} segments  {name}");
                (right, of) = (right + found, of + views);
            }
        }
        _ => bail!("{USAGE}"),
    }
    let match_ms = match_ms_500()?;
    let share = if of > 0 { 100.0 * right as f64 / of as f64 } else { 0.0 };
    println!("found again: {right} of {of} ({share:.1} %); the proposal: 97 % of 60");
    println!("segmenting and matching 500 elements: {match_ms:.2} ms an event, both screens");
    println!("{}", json!({ "right": right, "of": of, "match_ms_500": match_ms }));
    Ok(())
}

/// How many milliseconds of processor time it takes to segment two screens of 500 elements and to
/// find the counterpart of a receiver.
pub(super) fn match_ms_500() -> Result<f64> {
    let options = ReplayOptions::default();
    let (phone, desk) = (screen_500(Size::new(411, 731)), screen_500(Size::new(1280, 900)));
    let event = Event::Click(Target::id("row-77-open"));
    let recorded = RecordedEvent::new(event, Arc::new(desk));
    let begun = processor_time()?;
    let mut found = 0;
    for _ in 0..ROUNDS {
        let matched = counterpart(&recorded, &phone, &options);
        found += u32::from(matches!(matched, Some(Matched::Found { .. })));
    }
    assert_eq!(found, ROUNDS, "the receiver is there");
    Ok((processor_time()? - begun).as_secs_f64() * 1000.0 / f64::from(ROUNDS))
}

/// How long the processor has worked for us: a busy machine does not change it.
fn processor_time() -> Result<Duration> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(Duration::from(time))
}

/// A screen of 500 elements: a bar, and rows of four in a list.
fn screen_500(viewport: Size) -> Screen {
    let plain = State::DISPLAYED | State::ENABLED;
    let mut screen = Screen { viewport, place: "app".into(), ..Screen::default() };
    let mut add = |role, text: String, id: String, bounds, state: State, parent| {
        let element = Element {
            role,
            text: text.into(),
            id: id.into(),
            bounds,
            state: plain | state,
            native: Str::new_static("div"),
            parent,
            ..Element::default()
        };
        screen.elements.push(element);
        screen.elements.len() as u32 - 1
    };
    let Size { width, .. } = viewport;
    let root = add(
        Role::Group,
        String::new(),
        "root".into(),
        Rect::new(0, 0, width, 5000),
        State::empty(),
        None,
    );
    let list = add(
        Role::List,
        "Orders".into(),
        "orders".into(),
        Rect::new(0, 60, width, 4900),
        State::SCROLLABLE,
        Some(root),
    );
    let reveals = |y: i32| if y < 600 { State::empty() } else { State::REVEALS };
    for row in 0..124_i32 {
        let y = 60 + row * 38;
        let item = add(
            Role::Item,
            String::new(),
            String::new(),
            Rect::new(0, y, width, 36),
            reveals(y),
            Some(list),
        );
        let label = |part: &str| format!("{part} {}", row * 7919 % 1000);
        add(
            Role::Label,
            label("Order"),
            String::new(),
            Rect::new(4, y, 120, 36),
            reveals(y),
            Some(item),
        );
        add(
            Role::Label,
            label("Customer"),
            String::new(),
            Rect::new(130, y, 120, 36),
            reveals(y),
            Some(item),
        );
        add(
            Role::Button,
            "Open".into(),
            format!("row-{row}-open"),
            Rect::new(260, y, 80, 36),
            State::CLICKABLE | reveals(y),
            Some(item),
        );
    }
    screen
}

/// The screen of a dump. Pixels are those of the device: only their proportions matter here.
fn read_dump(xml: &str) -> Screen {
    let mut screen = Screen::default();
    let mut open: Vec<u32> = Vec::new();
    for tag in xml.split('<').skip(1) {
        if tag.starts_with("/node") {
            open.pop();
        } else if tag.starts_with("node") {
            let parent = open.last().copied();
            screen.elements.push(read_node(tag, parent));
            if !tag.trim_end().trim_end_matches('>').ends_with('/') {
                open.push(screen.elements.len() as u32 - 1);
            }
        }
    }
    let root = screen.elements.first().map(|root| root.bounds).unwrap_or_default();
    screen.viewport = Size::new(root.x + root.width, root.y + root.height);
    screen
}

fn read_node(tag: &str, parent: Option<u32>) -> Element {
    let attribute = |name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        let text = rest.split('"').next().unwrap_or_default();
        Some(
            text.replace("&#10;", " ")
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&amp;", "&"),
        )
    };
    let text = |name| Str::from(attribute(name).unwrap_or_default());
    let is = |name: &str| attribute(name).as_deref() == Some("true");
    let native = text("class");
    let mut state = State::DISPLAYED;
    for (name, bit) in [
        ("enabled", State::ENABLED),
        ("clickable", State::CLICKABLE),
        ("long-clickable", State::LONG_CLICKABLE),
        ("scrollable", State::SCROLLABLE),
        ("checkable", State::CHECKABLE),
        ("checked", State::CHECKED),
        ("selected", State::SELECTED),
        ("focused", State::FOCUSED),
    ] {
        state.set(bit, is(name));
    }
    let role = match native.rsplit('.').next().unwrap_or_default() {
        "Button" | "ImageButton" => Role::Button,
        "EditText" => Role::Field,
        "TextView" => Role::Label,
        "ImageView" => Role::Image,
        "CheckBox" => Role::Checkbox,
        "RadioButton" => Role::Radio,
        "Switch" | "ToggleButton" => Role::Switch,
        "SeekBar" => Role::Slider,
        "Spinner" => Role::Combobox,
        "ListView" | "RecyclerView" | "GridView" => Role::List,
        _ => Role::Group,
    };
    state.set(State::EDITABLE, role == Role::Field);
    let id = text("resource-id");
    let id = id.rsplit('/').next().map(Str::new).unwrap_or_default();
    let name = text("text");
    let (text, hint) = if name.is_empty() {
        (text("content-desc"), Str::default())
    } else {
        (name, text("content-desc"))
    };
    let bounds = attribute("bounds").and_then(|bounds| read_bounds(&bounds)).unwrap_or_default();
    Element { role, id, text, hint, native, bounds, state, parent, ..Element::default() }
}

/// `[left,top][right,bottom]`
fn read_bounds(text: &str) -> Option<Rect> {
    let mut numbers = text.split(['[', ']', ',']).filter_map(|part| part.parse::<i32>().ok());
    let (left, top, right, bottom) =
        (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?);
    Some(Rect::new(left, top, right - left, bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_read_as_a_tree() {
        let screen = read_dump(
            "<hierarchy><node class=\"a.FrameLayout\" bounds=\"[0,0][100,200]\">\
             <node class=\"a.Button\" text=\"A &amp; B\" clickable=\"true\" \
             bounds=\"[10,20][30,40]\" /></node></hierarchy>",
        );
        assert_eq!(screen.viewport, Size::new(100, 200));
        let button = &screen.elements[1];
        assert_eq!((button.parent, button.role, &*button.text), (Some(0), Role::Button, "A & B"));
        assert_eq!(button.bounds, Rect::new(10, 20, 20, 20));
        assert!(button.is(State::CLICKABLE));
    }
}
