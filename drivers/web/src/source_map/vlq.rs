//! The numbers in a map's mappings (variable-length quantities, in digits of base64).
//!
//! On its own, because it is the only arithmetic on bits here.

/// The value of a digit.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
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
