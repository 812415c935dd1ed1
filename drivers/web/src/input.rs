//! A mouse and a keyboard: events as the browser gets them from a person. Fingers are in
//! `touch.rs`.

use crate::calls::COLLECTOR;
use crate::clock;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::keys::Key;
use crate::link::Ticket;
use crate::pause::{LONG_PRESS, Pause};
use crate::protocol_types::Evaluated;
use crate::snapshot::VisualViewport;
use capuchin_ui::{Blocked, Direction, Event, Point, Role, State, Target, Toward};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// In how many steps a drag moves.
pub(crate) const DRAG_STEPS: i32 = 5;

/// What input needs to remember.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// What is being dragged, as the browser describes it.
    pub(crate) dragged: Option<Box<RawValue>>,
    /// Files that were made for file fields.
    files: Option<TempDir>,
}

impl Input {
    /// Where files for file fields are made.
    fn files(&mut self) -> io::Result<PathBuf> {
        if self.files.is_none() {
            self.files = Some(tempfile::Builder::new().prefix("capuchin-files-").tempdir()?);
        }
        Ok(self.files.as_ref().map(|directory| directory.path().to_owned()).unwrap_or_default())
    }
}

impl WebDevice {
    /// Does what the event says, to the element that it was located at.
    pub(crate) fn act(
        &mut self,
        event: &Event,
        located: Option<usize>,
    ) -> Result<Option<Blocked>, Failure> {
        match event {
            Event::Sleep(_) | Event::Skip => Ok(None),
            Event::Rotate => self.rotate().map(|()| None),
            Event::Settings => self.change_settings().map(|()| None),
            Event::ClickHome => self.leave_and_return().map(|()| None),
            Event::ClickBack => self.back().map(|()| None),
            Event::ClickMenu => match Key::named("ContextMenu") {
                Some(key) => self.press(&key).map(|()| None),
                None => Ok(None),
            },
            Event::Environment(event) => self.happen(event),
            Event::Press(name) => match Key::named(name) {
                Some(key) => self.press(&key).map(|()| None),
                None => Err(Failure::Device(self.info.unknown(event))),
            },
            Event::Pinch(from, to) => self.pinch(*from, *to).map(|()| None),
            Event::Click(target)
            | Event::DoubleClick(target)
            | Event::LongClick(target)
            | Event::Hover(target)
            | Event::Type(target, _)
            | Event::Clear(target)
            | Event::Swipe(target, _) => {
                let point = match self.reach(event, target, located)? {
                    Ok(point) => point,
                    Err(reason) => return Ok(Some(reason)),
                };
                self.touch(event, located, point)
            }
            _ => Err(Failure::Device(self.info.unknown(event))),
        }
    }

    /// The point where an event on this target goes; brings the element into view first.
    fn reach(
        &mut self,
        event: &Event,
        target: &Target,
        located: Option<usize>,
    ) -> Result<Result<Point, Blocked>, Failure> {
        let Some(point) = self.view.screen.touched_at(event, located) else {
            return Ok(Err(Blocked::Absent));
        };
        let Some(index) = located.filter(|_| !matches!(target, Target::Place(_))) else {
            return Ok(Ok(point));
        };
        let element = &self.view.screen.elements[index];
        // The collector has tried these itself.
        let is_tried = element.is(State::CLICKABLE)
            || element.is(State::EDITABLE)
            || element.is(State::SCROLLABLE)
            || !element.id.is_empty()
            || element.role == Role::Item;
        if is_tried && self.view.screen.viewport.contains(point) && !element.is(State::REVEALS) {
            return Ok(Ok(point));
        }
        let revealed: String = self.ask_collector(format_args!("reveal({index})"))?;
        let mut words = revealed.split('\t');
        if let Some(visual) = words.next_back().and_then(VisualViewport::parse) {
            self.view.head.visual_viewport = visual;
        }
        let mut next = || words.next()?.parse::<i32>().ok();
        let (Some(x), Some(y), Some(reached), Some(inside)) = (next(), next(), next(), next())
        else {
            return Ok(Err(Blocked::Absent));
        };
        Ok(match (inside, reached) {
            (0, _) => Err(Blocked::OutOfReach),
            (_, 0) => Err(Blocked::Covered),
            _ => Ok(Point::new(x, y)),
        })
    }

    fn touch(
        &mut self,
        event: &Event,
        located: Option<usize>,
        point: Point,
    ) -> Result<Option<Blocked>, Failure> {
        match event {
            Event::Click(_) => {
                match located.filter(|index| self.view.screen.elements[*index].native == "option") {
                    Some(index) => self.put(index, ""),
                    None => self.click(point, 1).map(|()| None),
                }
            }
            Event::DoubleClick(_) => self.click(point, 2).map(|()| None),
            Event::LongClick(_) => self.long_click(point, located).map(|()| None),
            // A finger touches or is not there.
            Event::Hover(_) if self.options.touch => Ok(None),
            Event::Hover(_) => {
                let moved =
                    self.mouse("mouseMoved", point, &json!({"button": "none", "buttons": 0}))?;
                self.wait_for_frame(moved).map(|()| None)
            }
            Event::Type(_, text) => self.type_text(located, point, text, false),
            Event::Clear(_) => self.type_text(located, point, "", true),
            Event::Swipe(_, toward) => match self.view.screen.swiped_to(event) {
                Ok(end) => self.swipe(located, point, end, toward).map(|()| None),
                Err(reason) => Ok(Some(reason)),
            },
            _ => Ok(None),
        }
    }

    pub(crate) fn mouse(
        &mut self,
        kind: &str,
        point: Point,
        extra: &Value,
    ) -> Result<Ticket, Failure> {
        let point = self.view.head.visual_viewport.point(point);
        let mut params = json!({
            "type": kind, "x": point.x, "y": point.y, "button": "left", "buttons": 1, "clickCount": 1,
        });
        if let (Some(params), Some(extra)) = (params.as_object_mut(), extra.as_object()) {
            params.extend(extra.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        let params = self.dated(params);
        self.send("Input.dispatchMouseEvent", params)
    }

    /// An input, dated by the page's own clock, or so that the recorder knows it.
    pub(crate) fn dated(&self, mut params: Value) -> Value {
        if self.is_virtual() {
            params["timestamp"] = self.clock.seconds().into();
        } else if self.options.record {
            params["timestamp"] = clock::stamp().into();
        }
        params
    }

    /// Waits until all of these have been handled.
    fn handled(&mut self, tickets: &[Ticket]) -> Result<(), Failure> {
        let mut result = Ok(());
        for (index, ticket) in tickets.iter().enumerate() {
            match self.done(*ticket) {
                Ok(()) => {}
                Err(failure) => {
                    for later in &tickets[index + 1..] {
                        self.link.forget(*later);
                    }
                    result = Err(failure);
                    break;
                }
            }
        }
        result
    }

    pub(crate) fn click(&mut self, point: Point, count: u32) -> Result<(), Failure> {
        if self.options.touch {
            return self.tap(point, count);
        }
        let mut tickets = Vec::new();
        for click in 1..=count {
            let extra = json!({"clickCount": click});
            tickets.push(self.mouse("mousePressed", point, &extra)?);
            tickets.push(self.mouse("mouseReleased", point, &extra)?);
        }
        self.handled(&tickets)
    }

    fn long_click(&mut self, point: Point, located: Option<usize>) -> Result<(), Failure> {
        if self.options.touch {
            return self.long_touch(point);
        }
        // With a mouse, what a long touch does is behind the other button.
        let has_menu = match located {
            Some(index) => self.ask_collector(format_args!("hasMenu({index})"))?,
            None => false,
        };
        let button = if has_menu { json!({"button": "right", "buttons": 2}) } else { json!({}) };
        let down = self.mouse("mousePressed", point, &button)?;
        self.handled(&[down])?;
        if !has_menu {
            if self.is_virtual() {
                self.pass(LONG_PRESS)?;
            } else {
                self.pause(Pause::LongPress)?;
            }
        }
        let up = self.mouse("mouseReleased", point, &button)?;
        self.handled(&[up])
    }

    /// Types a text into a field, behind what is in it or instead of it.
    fn type_text(
        &mut self,
        located: Option<usize>,
        point: Point,
        text: &str,
        instead: bool,
    ) -> Result<Option<Blocked>, Failure> {
        let Some(index) = located else { return Ok(Some(Blocked::NotEditable)) };
        let kind: String = self.ask_collector(format_args!("kind({index})"))?;
        match kind.as_str() {
            "text" => {}
            "file" => return self.choose_file(index, text),
            "gone" => return Ok(Some(Blocked::Absent)),
            _ => return self.put(index, text),
        }
        if !self.view.screen.elements[index].is(State::FOCUSED) {
            self.click(point, 1)?;
        }
        // The click has done what a click does; where in the text it went is no matter of ours.
        let () = self.ask_collector(format_args!("focus({index}, {instead})"))?;
        if instead && !self.view.screen.elements[index].value.is_empty() {
            let Some(key) = Key::named("Delete") else { return Ok(None) };
            self.press(&key)?;
        }
        self.write(text)?;
        Ok(None)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let mut tickets = Vec::new();
        for c in text.chars() {
            match Key::writing(c) {
                Some(key) => {
                    let (down, up) = (self.dated(key.down()), self.dated(key.up()));
                    tickets.push(self.send("Input.dispatchKeyEvent", down)?);
                    tickets.push(self.send("Input.dispatchKeyEvent", up)?);
                }
                None => {
                    let params = json!({"text": c.to_string()});
                    tickets.push(self.send("Input.insertText", params)?);
                }
            }
        }
        self.handled(&tickets)
    }

    pub(crate) fn press(&mut self, key: &Key) -> Result<(), Failure> {
        let (down, up) = (self.dated(key.down()), self.dated(key.up()));
        let down = self.send("Input.dispatchKeyEvent", down)?;
        let up = self.send("Input.dispatchKeyEvent", up)?;
        self.handled(&[down, up])
    }

    /// Sets what has no caret.
    fn put(&mut self, index: usize, text: &str) -> Result<Option<Blocked>, Failure> {
        let text = Value::from(text);
        let said: String = self.ask_collector(format_args!("put({index}, {text})"))?;
        Ok(match said.as_str() {
            "gone" => Some(Blocked::Absent),
            "no" => Some(Blocked::Other(format!("it does not take the value {text}").into())),
            _ => None,
        })
    }

    /// A file for a file field: one of the directory that the option `files` names, or a small one
    /// of this name. A spec is not trusted with the files of whoever runs it.
    fn choose_file(&mut self, index: usize, text: &str) -> Result<Option<Blocked>, Failure> {
        let given = self.options.files.as_deref().and_then(|directory| given(directory, text));
        let mut path = given.clone().unwrap_or_default();
        if given.is_none() {
            let safe = |c: char| if c.is_alphanumeric() || ".-_ ".contains(c) { c } else { '_' };
            let name: String = text.chars().take(100).map(safe).collect();
            let name =
                if name.trim_matches(['.', ' ']).is_empty() { "file.txt".to_owned() } else { name };
            let written = self.input.files().and_then(|directory| {
                path = directory.join(name);
                std::fs::write(&path, text)
            });
            if let Err(error) = written {
                return Ok(Some(Blocked::Other(format!("cannot make the file: {error}").into())));
            }
        }
        let path = std::path::absolute(&path).unwrap_or(path);
        let Some(world) = self.tabs.world() else { return Ok(Some(Blocked::Absent)) };
        let params =
            json!({"expression": format!("{COLLECTOR}.node({index})"), "uniqueContextId": world});
        let node = self.ask::<Evaluated>("Runtime.evaluate", params)?.object_id();
        self.call("DOM.setFileInputFiles", json!({"files": [path], "objectId": node}))?;
        Ok(None)
    }

    fn swipe(
        &mut self,
        located: Option<usize>,
        from: Point,
        end: Option<Point>,
        toward: &Toward,
    ) -> Result<(), Failure> {
        let (dx, dy) = match (end, toward) {
            (Some(end), _) => (end.x - from.x, end.y - from.y),
            (None, Toward::Direction(direction)) => self.swipe_distance(located, *direction),
            (None, _) => (0, 0),
        };
        let index = located.map_or(-1, |index| index as i64);
        let finger = self.options.touch;
        let (x, y) = (from.x, from.y);
        let scrolls = (located.is_some() || finger)
            && self.ask_collector(format_args!("scrolls({index}, {x}, {y}, {finger})"))?;
        if scrolls {
            // A finger would make it glide on in the browser's own time, and a browser that draws
            // on command gets stuck between a wheel and its frames.
            if finger || (self.draws_on_command() && !self.view.head.has_wheels) {
                let scroll = format_args!("scroll({index}, {x}, {y}, {}, {})", -dx, -dy);
                let () = self.ask_collector(scroll)?;
            } else {
                // A wheel moves the content by whole pixels, and at once.
                let wheel = json!({"button": "none", "buttons": 0, "deltaX": -dx, "deltaY": -dy});
                let turned = self.mouse("mouseWheel", from, &wheel)?;
                self.wait_for_frame(turned)?;
                self.show_scrolled()?;
            }
            // The page hears of it when the next frame is drawn.
            return self.frame();
        }
        self.drag(from, Point::new(from.x + dx, from.y + dy))
    }

    /// How far a finger goes within an element, or within the page: four fifths of it.
    fn swipe_distance(&self, located: Option<usize>, direction: Direction) -> (i32, i32) {
        let size = self.view.screen.viewport;
        let bounds = located.map(|index| self.view.screen.elements[index].bounds);
        let width = bounds.map_or(size.width, |bounds| bounds.width.min(size.width));
        let height = bounds.map_or(size.height, |bounds| bounds.height.min(size.height));
        let (across, down) = (width * 4 / 5, height * 4 / 5);
        match direction {
            Direction::Up => (0, -down),
            Direction::Down => (0, down),
            Direction::Left => (-across, 0),
            Direction::Right => (across, 0),
        }
    }

    /// A press that moves. What the page declares as draggable is dropped where it ends.
    fn drag(&mut self, from: Point, to: Point) -> Result<(), Failure> {
        let way = |step: i32| {
            Point::new(
                from.x + (to.x - from.x) * step / DRAG_STEPS,
                from.y + (to.y - from.y) * step / DRAG_STEPS,
            )
        };
        if self.options.touch {
            let way: Vec<Point> = (1..=DRAG_STEPS).map(way).collect();
            return self.drag_finger(from, &way);
        }
        self.tell("Input.setInterceptDrags", json!({"enabled": true}))?;
        self.input.dragged = None;
        let down = self.mouse("mousePressed", from, &json!({}))?;
        self.handled(&[down])?;
        for step in 1..=DRAG_STEPS {
            let moved = self.mouse("mouseMoved", way(step), &json!({}))?;
            self.wait_for_frame(moved)?;
            if let Some(data) = self.input.dragged.take() {
                return self.drop_at(to, &data);
            }
        }
        let up = self.mouse("mouseReleased", to, &json!({}))?;
        self.handled(&[up])?;
        self.tell("Input.setInterceptDrags", json!({"enabled": false}))
    }

    fn drop_at(&mut self, to: Point, data: &RawValue) -> Result<(), Failure> {
        let Point { x, y } = self.view.head.visual_viewport.point(to);
        for kind in ["dragEnter", "dragOver", "drop"] {
            let params = json!({"type": kind, "x": x, "y": y, "data": data});
            self.call("Input.dispatchDragEvent", params)?;
        }
        let up = self.mouse("mouseReleased", to, &json!({}))?;
        self.handled(&[up])?;
        self.tell("Input.setInterceptDrags", json!({"enabled": false}))
    }
}

/// The file of this name in a directory, wherever links lead.
fn given(directory: &Path, name: &str) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok()?;
    let file = directory.join(name).canonicalize().ok()?;
    (file.starts_with(&directory) && file.is_file()).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_files_of_the_directory_are_given() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("files");
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(directory.join("a.txt"), "a").unwrap();
        std::fs::write(place.path().join("secret"), "b").unwrap();
        std::os::unix::fs::symlink(place.path().join("secret"), directory.join("link")).unwrap();
        assert!(given(&directory, "a.txt").is_some());
        for other in ["b.txt", "../secret", "link", "", ".", "/etc/hostname"] {
            assert_eq!(given(&directory, other), None, "{other}");
        }
    }
}
