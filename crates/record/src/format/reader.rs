//! Reads a recording, or as much of it as is there.
//!
//! On its own because a file comes from anywhere: it may be cut, changed, of a later release or no
//! recording at all, and each of these is told apart.

use super::bytes::{In, checksum};
use super::event_code::read_event;
use super::pools::Known;
use super::screen_code::{self, Item};
use super::{ASSERTION, END, EVENT, FormatError, KEY, MAGIC, ORIGIN, VERSION};
use crate::recording::{Assertion, Ending, Origin, RecordedEvent, Recording};
use capuchin::ui::{Screen, Size};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::sync::Arc;

/// The most that a file may hold once it is unpacked: a small file that says more is not ours.
const MOST_BYTES: usize = 128 << 20;
/// The most elements on all screens together: a record of a few bytes repeats a whole screen.
const MOST_ELEMENTS: usize = 4_000_000;

impl Recording {
    /// Reads a recording. One that is cut or damaged is read up to there, and says so in its
    /// [`ending`](Recording::ending); an error is a file of which nothing can be used.
    pub fn read(file: &[u8]) -> Result<Recording, FormatError> {
        let (version, compressed) = after_header(file)?;
        let (bytes, is_sound) = decompress(compressed);
        let mut reading = Reading { version, ..Reading::default() };
        let mut input = In(&bytes);
        let ending = loop {
            if input.0.is_empty() {
                break Ending::Cut;
            }
            match record(&mut input) {
                Next::Record(body) => match reading.take(body) {
                    Some(true) => break Ending::Complete,
                    Some(false) => {}
                    None if reading.is_too_large() => break Ending::TooLarge,
                    None => break Ending::Damaged,
                },
                Next::Cut => break Ending::Cut,
                Next::Damaged => break Ending::Damaged,
            }
        };
        reading.recording.ending = match ending {
            Ending::Cut if bytes.len() >= MOST_BYTES => Ending::TooLarge,
            Ending::Cut if !is_sound => Ending::Damaged,
            ending => ending,
        };
        if reading.has_origin { Ok(reading.recording) } else { Err(FormatError::Nothing) }
    }
}

/// The version, and what follows the line that says it.
fn after_header(file: &[u8]) -> Result<(u32, &[u8]), FormatError> {
    if file.is_empty() {
        return Err(FormatError::Empty);
    }
    let Some(rest) = file.strip_prefix(MAGIC.as_bytes()) else {
        // The beginning of a header is a recording that was cut very early.
        let is_beginning = MAGIC.as_bytes().starts_with(file);
        return Err(if is_beginning { FormatError::Nothing } else { FormatError::NotARecording });
    };
    let Some(end) = rest.iter().take(12).position(|byte| *byte == b'\n') else {
        let is_number = rest.len() < 12 && rest.iter().all(u8::is_ascii_digit);
        return Err(if is_number { FormatError::Nothing } else { FormatError::NotARecording });
    };
    let version = std::str::from_utf8(&rest[..end]).ok().and_then(|text| text.parse().ok());
    match version {
        Some(version @ 1..=VERSION) => Ok((version, &rest[end + 1..])),
        Some(0) | None => Err(FormatError::NotARecording),
        Some(version) => Err(FormatError::Version { version }),
    }
}

/// Unpacks as much as can be, and whether there was no error on the way.
fn decompress(mut input: &[u8]) -> (Vec<u8>, bool) {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 15]);
    while bytes.len() < MOST_BYTES {
        let result = inflate(&mut state, input, &mut buffer, MZFlush::None);
        input = &input[result.bytes_consumed..];
        bytes.extend_from_slice(&buffer[..result.bytes_written]);
        match result.status {
            Ok(MZStatus::StreamEnd) => return (bytes, input.is_empty()),
            Ok(_) if result.bytes_consumed + result.bytes_written > 0 => {}
            Ok(_) | Err(MZError::Buf) => return (bytes, true),
            Err(_) => return (bytes, false),
        }
    }
    (bytes, false)
}

enum Next<'a> {
    Record(In<'a>),
    Cut,
    Damaged,
}

fn record<'a>(input: &mut In<'a>) -> Next<'a> {
    let mut ahead = *input;
    let Some(length) = ahead.index() else {
        return if input.0.len() < 10 { Next::Cut } else { Next::Damaged };
    };
    let (Some(body), Some(sum)) = (ahead.bytes(length), ahead.bytes(4)) else { return Next::Cut };
    if checksum(body) != sum {
        return Next::Damaged;
    }
    *input = ahead;
    Next::Record(In(body))
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    version: u32,
    recording: Recording,
    has_origin: bool,
    known: Known,
    screen: Vec<Item>,
    /// Those of all screens.
    elements: usize,
}

impl Reading {
    /// Takes a record; whether it is the last one.
    fn take(&mut self, mut body: In<'_>) -> Option<bool> {
        let kind = body.byte()?;
        self.known.read_new(&mut body, self.version)?;
        match kind {
            ORIGIN => {
                self.recording.origin = self.origin(&mut body)?;
                self.has_origin = true;
            }
            EVENT => {
                let event = read_event(&mut body, &self.known)?;
                let receiver = body.index()?.checked_sub(1);
                let is_key = body.number()? != 0;
                let screen = self.screen(&mut body)?;
                let receiver = receiver.filter(|index| *index < screen.elements.len());
                self.recording.events.push(RecordedEvent { event, receiver, screen, is_key });
            }
            KEY => {
                let (index, is_key) = (body.index()?, body.number()? != 0);
                self.recording.events.get_mut(index)?.is_key = is_key;
            }
            ASSERTION => {
                let (after, property) = (body.index()?, self.known.string(&mut body)?);
                let after = after.min(self.recording.events.len());
                self.recording.assertions.push(Assertion { after, property });
            }
            END => {
                if body.number()? != 0 {
                    self.recording.last_screen = Some(self.screen(&mut body)?);
                }
                return Some(true);
            }
            // A kind that is younger than this release: what it says is left out.
            _ => {}
        }
        Some(false)
    }

    /// The screen of a record; nothing if it would be too large.
    fn screen(&mut self, body: &mut In<'_>) -> Option<Arc<Screen>> {
        let head = screen_code::read_head(body, &self.known)?;
        self.elements = self.elements.saturating_add(head.count);
        if self.is_too_large() {
            return None;
        }
        let (screen, items) =
            screen_code::read(body, head, &self.screen, &self.known, self.version)?;
        self.screen = items;
        Some(Arc::new(screen))
    }

    fn is_too_large(&self) -> bool {
        self.elements > MOST_ELEMENTS || self.known.is_full()
    }

    fn origin(&self, body: &mut In<'_>) -> Option<Origin> {
        let [app, device, release] =
            [self.known.string(body)?, self.known.string(body)?, self.known.string(body)?];
        let viewport = Size::new(body.signed()?, body.signed()?);
        Some(Origin { app, device, viewport, seed: body.number()?, release })
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::Out;
    use super::*;
    use crate::{Outline, Recording};
    use capuchin::ui::{Element, Event, Rng, Selector, Target};
    use miniz_oxide::deflate::compress_to_vec;

    /// A file of these records, as whoever wrote them would pack them.
    fn file(records: &[Vec<u8>]) -> Vec<u8> {
        let mut out = Out::default();
        for body in records {
            out.number(body.len() as u64);
            out.0.extend_from_slice(body);
            out.0.extend_from_slice(&checksum(body));
        }
        let mut file = format!("{MAGIC}{VERSION}\n").into_bytes();
        file.extend(compress_to_vec(&out.0, 1));
        file
    }

    /// The records of a recording of three events.
    fn records() -> Vec<Vec<u8>> {
        let element = |index: u32| Element {
            id: format!("row-{index}").as_str().into(),
            text: "Row".into(),
            parent: index.checked_sub(1),
            ..Element::default()
        };
        let elements = (0..9).map(element).collect();
        let screen = Arc::new(Screen { elements, ..Screen::default() });
        let target = Target::One(Selector::id("row-1").inside(Selector::id("row-0")).nth(1));
        let event = RecordedEvent {
            event: Event::Click(target),
            receiver: Some(1),
            screen: Arc::clone(&screen),
            is_key: false,
        };
        let recording = Recording {
            events: vec![event.clone(), event.clone(), event],
            assertions: vec![Assertion { after: 3, property: "isDisplayed(#row-1)".into() }],
            last_screen: Some(screen),
            ..Recording::default()
        };
        let mut file = Vec::new();
        recording.write(&mut file).expect("memory takes it");
        let (bytes, _) = decompress(after_header(&file).expect("a header").1);
        let mut input = In(&bytes);
        let mut records = Vec::new();
        while let Next::Record(body) = record(&mut input) {
            records.push(body.0.to_vec());
        }
        assert!(records.len() > 5, "{}", records.len());
        records
    }

    #[test]
    fn a_screen_that_is_larger_than_all_of_ours_is_not_read() {
        let mut records = records();
        assert_eq!(Recording::read(&file(&records)).unwrap().ending, Ending::Complete);
        // An event without a target, on a screen that says how many elements it will have.
        let mut body = Out(vec![EVENT, 0, 0]);
        crate::format::event_code::write_event(
            &mut body,
            &Event::ClickBack,
            &mut Default::default(),
        );
        for number in [0, 0, 0, 0, 0, MOST_ELEMENTS as u64] {
            body.number(number);
        }
        records.insert(3, body.0);
        let read = Recording::read(&file(&records)).unwrap();
        assert_eq!((read.events.len(), read.ending), (2, Ending::TooLarge));
    }

    #[test]
    fn more_strings_than_all_of_ours_have_are_not_kept() {
        let mut body = Out(vec![99]);
        body.number(3_000_000);
        body.0.resize(3_000_000, 0);
        let mut records = records();
        records.insert(1, body.0);
        assert_eq!(Recording::read(&file(&records)).unwrap().ending, Ending::TooLarge);
    }

    /// Sound checksums around changed bytes: what reads must be bearable for everybody who uses it.
    #[test]
    fn no_record_makes_anything_panic() {
        let (records, mut rng) = (records(), Rng::new(7));
        let mut read_on = 0;
        for _ in 0..1_000 {
            let mut changed = records.clone();
            for _ in 0..=rng.below(3) {
                let which = rng.below(changed.len() as u64) as usize;
                let body = &mut changed[which];
                let at = rng.below(body.len() as u64) as usize;
                body[at] = if rng.below(2) == 0 { rng.below(256) as u8 } else { 0xff };
            }
            let Ok(recording) = Recording::read(&file(&changed)) else { continue };
            read_on += usize::from(recording.events.len() == 3);
            for event in &recording.events {
                let _ = Outline::new(&event.screen);
                event.receiver().map(Element::touch_point);
            }
            let texts = [recording.to_capu(), recording.to_playwright(), recording.to_devtools()];
            assert!(texts.iter().all(|text| !text.is_empty()));
            let _ = recording.to_properties();
        }
        assert!(read_on > 100, "most changes end the reading: {read_on}");
    }
}
