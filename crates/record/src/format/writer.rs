//! Writes a recording as it grows: whatever is killed, all but the last event is on disk.
//!
//! On its own because it runs beside the app that is recorded, and must neither fail for what an
//! app shows nor cost what a person notices.

use super::bytes::{Out, checksum};
use super::event_code::write_event;
use super::pools::Pools;
use super::screen_code::{self, Item};
use super::{ASSERTION, END, EVENT, KEY, MAGIC, ORIGIN, VERSION};
use crate::recording::{Assertion, Ending, Origin, RecordedEvent, Recording};
use capuchin::ui::{Screen, Size};
use miniz_oxide::deflate::core::{CompressorOxide, create_comp_flags_from_zip_params};
use miniz_oxide::deflate::stream::deflate;
use miniz_oxide::{MZError, MZFlush};
use std::io::{self, Write};

/// How hard the compressor tries: the usual compromise.
const LEVEL: i32 = 6;

/// Writes a recording event by event.
pub struct Writer<W: Write> {
    to: W,
    compressor: Box<CompressorOxide>,
    pools: Pools,
    /// The screen of the last event.
    screen: Vec<Item>,
    raw: u64,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a recording.
    pub fn new(mut to: W, origin: &Origin) -> io::Result<Self> {
        let header = format!("{MAGIC}{VERSION}\n");
        to.write_all(header.as_bytes())?;
        // No wrapper: each record has a checksum of its own.
        let flags = create_comp_flags_from_zip_params(LEVEL, 0, 0);
        let mut writer = Writer {
            to,
            compressor: Box::new(CompressorOxide::new(flags)),
            pools: Pools::default(),
            screen: Vec::new(),
            raw: 0,
            written: header.len() as u64,
        };
        let Origin { app, device, viewport: Size { width, height }, seed, release } = origin;
        let mut out = Out::default();
        for text in [app, device, release] {
            out.number(writer.pools.string(text));
        }
        out.signed(*width);
        out.signed(*height);
        out.number(*seed);
        writer.record(ORIGIN, &out)?;
        Ok(writer)
    }

    /// Adds an event.
    pub fn event(&mut self, recorded: &RecordedEvent) -> io::Result<()> {
        let mut out = Out::default();
        let RecordedEvent { event, receiver, screen, is_key } = recorded;
        write_event(&mut out, event, &mut self.pools);
        out.number(receiver.map_or(0, |receiver| receiver as u64 + 1));
        out.number((*is_key).into());
        self.screen = screen_code::write(&mut out, screen, &self.screen, &mut self.pools);
        self.record(EVENT, &out)
    }

    /// Marks an event that was written before as a key event, or takes the mark away.
    pub fn mark_key(&mut self, index: usize, is_key: bool) -> io::Result<()> {
        let mut out = Out::default();
        out.number(index as u64);
        out.number(is_key.into());
        self.record(KEY, &out)
    }

    /// Adds an assertion.
    pub fn assertion(&mut self, assertion: &Assertion) -> io::Result<()> {
        let mut out = Out::default();
        out.number(assertion.after as u64);
        out.number(self.pools.string(&assertion.property));
        self.record(ASSERTION, &out)
    }

    /// Ends the recording with what is displayed now, if that was seen.
    pub fn finish(&mut self, last: Option<&Screen>) -> io::Result<()> {
        let mut out = Out::default();
        out.number(last.is_some().into());
        if let Some(screen) = last {
            self.screen = screen_code::write(&mut out, screen, &self.screen, &mut self.pools);
        }
        self.record(END, &out)
    }

    /// How many bytes were written, and how many these were before they were compressed.
    pub fn size(&self) -> (u64, u64) {
        (self.written, self.raw)
    }

    /// Writes a record: its length, its kind, what is new in the pools, what is in it, a checksum.
    fn record(&mut self, kind: u8, content: &Out) -> io::Result<()> {
        let mut body = Out(vec![kind]);
        self.pools.write_new(&mut body);
        body.0.extend_from_slice(&content.0);
        let mut record = Out::default();
        record.number(body.0.len() as u64);
        record.0.extend_from_slice(&body.0);
        record.0.extend_from_slice(&checksum(&body.0));
        self.raw += record.0.len() as u64;
        let compressed = compress(&mut self.compressor, &record.0)?;
        self.written += compressed.len() as u64;
        self.to.write_all(&compressed)?;
        self.to.flush()
    }
}

/// Compresses so that all of it can be read again before anything more is written.
fn compress(compressor: &mut CompressorOxide, mut input: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let result = deflate(compressor, input, &mut buffer, MZFlush::Sync);
        input = &input[result.bytes_consumed..];
        compressed.extend_from_slice(&buffer[..result.bytes_written]);
        match result.status {
            // Nothing more to write: all of it is flushed.
            Ok(_) | Err(MZError::Buf) if result.bytes_written < buffer.len() => {
                return Ok(compressed);
            }
            Ok(_) => {}
            Err(error) => return Err(io::Error::other(format!("{error:?}"))),
        }
    }
}

impl Recording {
    /// Writes all of it.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut writer = Writer::new(to, &self.origin)?;
        self.events.iter().try_for_each(|event| writer.event(event))?;
        self.assertions.iter().try_for_each(|assertion| writer.assertion(assertion))?;
        match self.ending {
            Ending::Complete => writer.finish(self.last_screen.as_deref()),
            Ending::Cut | Ending::Damaged | Ending::TooLarge => Ok(()),
        }
    }
}
