//! Digests: short numbers that tell texts, events and screens apart.
//!
//! On its own because they must be the same on every machine and in every release: FNV-1a.

use crate::Screen;
use std::fmt::{self, Display, Write};

/// A digest of what is written into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// The digest of one value, as it is displayed.
    pub fn of(value: impl Display) -> u64 {
        let mut digest = Digest::default();
        // Taking in a text cannot fail.
        let _ = write!(digest, "{value}");
        digest.0
    }

    /// Takes in a value, as it is displayed, set apart from the next one.
    pub fn add(&mut self, value: impl Display) {
        let _ = write!(self, "{value}");
        self.byte(0xff);
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.byte(byte));
        Ok(())
    }
}

impl Screen {
    /// A digest of what a person sees on it, wherever it is on the screen: two screens of the same
    /// digest count as one.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        for element in self.elements.iter().filter(|element| element.is(crate::State::DISPLAYED)) {
            for text in [element.role.name(), &element.id, &element.text, &element.value] {
                let _ = digest.write_str(text);
                digest.byte(0xff);
            }
            element.state.bits().to_le_bytes().into_iter().for_each(|byte| digest.byte(byte));
        }
        digest.0
    }
}
