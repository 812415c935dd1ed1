//! Alert, confirm, prompt and beforeunload: they stop the page, so what is on the screen then is
//! drawn by us, and events on it are answers.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::tab::Dialog;
use capuchin_ui::{Blocked, Element, Event, Rect, Role, Screen, State, Str};
use serde_json::json;

const SHOWN: State = State::DISPLAYED.union(State::ENABLED);

/// The screen with the dialog on it: everything else is covered.
pub(crate) fn overlay(screen: &Screen, dialog: &Dialog) -> Screen {
    let mut screen = screen.clone();
    for element in &mut screen.elements {
        element.state |= State::COVERED;
    }
    let size = screen.viewport;
    let width = size.width.min(400);
    let (x, y) = ((size.width - width) / 2, size.height / 4);
    let top = screen.elements.len() as u32;
    let part = |role, text: &str, state, bounds| Element {
        role,
        text: text.into(),
        native: dialog.kind.as_str().into(),
        state: SHOWN | state,
        bounds,
        parent: Some(top),
        ..Element::default()
    };
    let frame = Rect::new(x, y, width, 120);
    let mut window = part(Role::Dialog, "", State::OPAQUE, frame);
    window.parent = None;
    screen.elements.push(window);
    let message = Rect::new(x, y, width, 40);
    screen.elements.push(part(Role::Label, &dialog.message, State::empty(), message));
    if dialog.kind == "prompt" {
        let mut field = part(
            Role::Field,
            "",
            State::EDITABLE | State::CLICKABLE | State::FOCUSED,
            Rect::new(x, y + 40, width, 40),
        );
        field.value = dialog.answer.clone();
        screen.elements.push(field);
    }
    let (accept, refuse) = buttons(dialog);
    let half = width / 2;
    let place = Rect::new(x, y + 80, half, 40);
    screen.elements.push(part(Role::Button, accept, State::CLICKABLE, place));
    if let Some(refuse) = refuse {
        let place = Rect::new(x + half, y + 80, half, 40);
        screen.elements.push(part(Role::Button, refuse, State::CLICKABLE, place));
    }
    screen
}

pub(crate) fn buttons(dialog: &Dialog) -> (&'static str, Option<&'static str>) {
    match dialog.kind.as_str() {
        "alert" => ("OK", None),
        "beforeunload" => ("Leave", Some("Stay")),
        _ => ("OK", Some("Cancel")),
    }
}

impl WebDevice {
    /// An event while a dialog is open.
    pub(crate) fn answer_dialog(&mut self, event: &Event) -> Result<Option<Blocked>, Failure> {
        let Some(dialog) = self.tabs.current().and_then(|tab| tab.dialog.clone()) else {
            return Ok(None);
        };
        let screen = overlay(&self.view.screen, &dialog);
        let located = match screen.locate(event) {
            Ok(located) => located,
            Err(reason) => return Ok(Some(reason)),
        };
        let on = located.map(|index| &screen.elements[index]);
        let (accept, refuse) = buttons(&dialog);
        let text: Option<&str> = on.filter(|on| on.role == Role::Button).map(|on| on.text.as_str());
        let answer = match event {
            Event::Click(_) if text == Some(accept) => Some(true),
            Event::Click(_) if text.is_some() && text == refuse => Some(false),
            Event::Press(key) if key == "Enter" => Some(true),
            Event::Press(key) if key == "Escape" => Some(false),
            Event::ClickBack => Some(false),
            Event::Type(_, typed) => {
                self.fill_in(format!("{}{typed}", dialog.answer).into());
                None
            }
            Event::Clear(_) => {
                self.fill_in(Str::default());
                None
            }
            _ => None,
        };
        let Some(accept) = answer else { return Ok(None) };
        self.close_dialog(accept)?;
        self.settle(self.options.event_takes)?;
        Ok(None)
    }

    /// Puts an answer into the field of a prompt.
    fn fill_in(&mut self, answer: Str) {
        if let Some(shown) = self.tabs.current_mut().and_then(|tab| tab.dialog.as_mut()) {
            shown.answer = answer;
        }
    }

    /// Answers the dialog that is open.
    pub(crate) fn close_dialog(&mut self, accept: bool) -> Result<(), Failure> {
        let Some(dialog) = self.tabs.current_mut().and_then(|tab| tab.dialog.take()) else {
            return Ok(());
        };
        let params = json!({"accept": accept, "promptText": dialog.answer.as_str()});
        match self.call("Page.handleJavaScriptDialog", params) {
            // It closed by itself meanwhile, or the next one is already there.
            Err(Failure::Refused(_) | Failure::Dialog) | Ok(()) => Ok(()),
            Err(failure) => Err(failure),
        }
    }
}
