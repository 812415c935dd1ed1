//! Numbers and texts as bytes: small numbers take one byte.
//!
//! On its own because writer and reader must agree on it, and on nothing else of each other's.

/// Bytes that grow.
#[derive(Debug, Default)]
pub(super) struct Out(pub(super) Vec<u8>);

impl Out {
    /// A number: seven bits in each byte, the lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that may be negative; those near zero are short.
    pub(super) fn signed(&mut self, number: i32) {
        self.number(u64::from(((number << 1) ^ (number >> 31)) as u32));
    }
}

/// Bytes that are read from the front. Everything is `None` that is not there or makes no sense.
#[derive(Clone, Copy, Debug)]
pub(super) struct In<'a>(pub(super) &'a [u8]);

impl<'a> In<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number that counts or points at something.
    pub(super) fn index(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        let number = u32::try_from(self.number()?).ok()?;
        Some((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    pub(super) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(first)
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.index()?;
        std::str::from_utf8(self.bytes(length)?).ok()
    }
}

/// A short sum over bytes that tells that some of them were changed: FNV-1a.
pub(super) fn checksum(bytes: &[u8]) -> [u8; 4] {
    let sum = bytes
        .iter()
        .fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    sum.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut out = Out::default();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, -64, 64, i32::MIN, i32::MAX];
        numbers.iter().for_each(|number| out.number(*number));
        signed.iter().for_each(|number| out.signed(*number));
        out.number("größer".len() as u64);
        out.0.extend_from_slice("größer".as_bytes());
        let mut input = In(&out.0);
        numbers.iter().for_each(|number| assert_eq!(input.number(), Some(*number)));
        signed.iter().for_each(|number| assert_eq!(input.signed(), Some(*number)));
        assert_eq!(input.text(), Some("größer"));
        assert_eq!(input.byte(), None);
        assert_eq!(In(&[0xff; 12]).number(), None, "longer than any number");
        assert_eq!(In(&[9, b'a']).text(), None, "shorter than it says");
    }
}
