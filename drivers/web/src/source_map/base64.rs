//! Base64: of maps that are within a script, and of the numbers in every map's mappings.
//!
//! On its own, because it is the only arithmetic on bits here.

/// The value of a digit.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The bytes that a text stands for. White space is passed over; escapes of an address as well.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = super::path::percent_decoded(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        bits = bits << 6 | u32::from(digit(byte)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

/// The numbers of one segment of the mappings: digits of five bits, the lowest first, the sixth bit
/// says that there are more; the lowest bit of all is the sign. `None` if it is damaged or empty.
pub(super) fn read_numbers(segment: &str, numbers: &mut Vec<i64>) -> Option<()> {
    let (mut value, mut shift) = (0i64, 0);
    for byte in segment.bytes() {
        let digit = digit(byte)?;
        if shift > 30 {
            return None;
        }
        value |= i64::from(digit & 31) << shift;
        if digit & 32 != 0 {
            shift += 5;
            continue;
        }
        numbers.push(if value & 1 == 0 { value >> 1 } else { -(value >> 1) });
        (value, shift) = (0, 0);
    }
    (shift == 0 && !numbers.is_empty()).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let check = |text: &str, expected: Option<&[u8]>| {
            assert_eq!(decode(text).as_deref(), expected, "{text}");
        };
        check("", Some(b""));
        check("YQ==", Some(b"a"));
        check("YWI%3D", Some(b"ab"));
        check("YWJj\nZA", Some(b"abcd"));
        check("w6TwLA", Some(b"\xc3\xa4\xf0\x2c"));
        check("a!", None);
    }

    #[test]
    fn numbers() {
        let check = |text: &str, expected: Option<&[i64]>| {
            let mut numbers = Vec::new();
            let read = read_numbers(text, &mut numbers).map(|()| numbers);
            assert_eq!(read.as_deref(), expected, "{text}");
        };
        check("A", Some(&[0]));
        check("CDEF", Some(&[1, -1, 2, -2]));
        check("gBhB", Some(&[16, -16]));
        check("w9wK", Some(&[172_504]));
        check("", None);
        check("g", None);
        check("?", None);
    }
}
