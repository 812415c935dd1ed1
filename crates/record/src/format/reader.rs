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
use capuchin::ui::Size;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::sync::Arc;

/// The most that a file may hold once it is unpacked: a small file that says more is not ours.
const MOST_BYTES: usize = 1 << 30;

impl Recording {
    /// Reads a recording. One that is cut or damaged is read up to there, and says so in its
    /// [`ending`](Recording::ending); an error is a file of which nothing can be used.
    pub fn read(file: &[u8]) -> Result<Recording, FormatError> {
        let compressed = after_header(file)?;
        let (bytes, is_sound) = decompress(compressed);
        let mut reading = Reading::default();
        let mut input = In(&bytes);
        let ending = loop {
            if input.0.is_empty() {
                break Ending::Cut;
            }
            match record(&mut input) {
                Next::Record(body) => match reading.take(body) {
                    Some(true) => break Ending::Complete,
                    Some(false) => {}
                    None => break Ending::Damaged,
                },
                Next::Cut => break Ending::Cut,
                Next::Damaged => break Ending::Damaged,
            }
        };
        let is_changed = ending == Ending::Cut && !is_sound;
        reading.recording.ending = if is_changed { Ending::Damaged } else { ending };
        if reading.has_origin { Ok(reading.recording) } else { Err(FormatError::Nothing) }
    }
}

/// What follows the line that says what the file is.
fn after_header(file: &[u8]) -> Result<&[u8], FormatError> {
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
        Some(1..=VERSION) => Ok(&rest[end + 1..]),
        Some(version) => Err(FormatError::Version { version }),
        None => Err(FormatError::NotARecording),
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
    recording: Recording,
    has_origin: bool,
    known: Known,
    screen: Vec<Item>,
}

impl Reading {
    /// Takes a record; whether it is the last one.
    fn take(&mut self, mut body: In<'_>) -> Option<bool> {
        let kind = body.byte()?;
        self.known.read_new(&mut body)?;
        match kind {
            ORIGIN => {
                self.recording.origin = self.origin(&mut body)?;
                self.has_origin = true;
            }
            EVENT => {
                let event = read_event(&mut body, &self.known)?;
                let receiver = body.index()?.checked_sub(1);
                let is_key = body.number()? != 0;
                let (screen, items) = screen_code::read(&mut body, &self.screen, &self.known)?;
                self.screen = items;
                let receiver = receiver.filter(|index| *index < screen.elements.len());
                let screen = Arc::new(screen);
                self.recording.events.push(RecordedEvent { event, receiver, screen, is_key });
            }
            KEY => {
                let (index, is_key) = (body.index()?, body.number()? != 0);
                self.recording.events.get_mut(index)?.is_key = is_key;
            }
            ASSERTION => {
                let (after, property) = (body.index()?, self.known.string(&mut body)?);
                self.recording.assertions.push(Assertion { after, property });
            }
            END => {
                if body.number()? != 0 {
                    let (screen, _) = screen_code::read(&mut body, &self.screen, &self.known)?;
                    self.recording.last_screen = Some(Arc::new(screen));
                }
                return Some(true);
            }
            // A kind that is younger than this release: what it says is left out.
            _ => {}
        }
        Some(false)
    }

    fn origin(&self, body: &mut In<'_>) -> Option<Origin> {
        let [app, device, release] =
            [self.known.string(body)?, self.known.string(body)?, self.known.string(body)?];
        let viewport = Size::new(body.signed()?, body.signed()?);
        Some(Origin { app, device, viewport, seed: body.number()?, release })
    }
}
