//! Short texts with a number in them, made without allocating.
//!
//! A view is drawn after every event, so `format!` in it is what a simulated run spends its time
//! on.

use capuchin_ui::Str;

/// A text followed by a number: `numbered("item:", 3)` is `item:3`.
pub fn numbered(prefix: &str, number: i64) -> Str {
    let mut buffer = [0_u8; 48];
    let mut start = buffer.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        buffer[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        start -= 1;
        buffer[start] = b'-';
    }
    match start.checked_sub(prefix.len()) {
        Some(begin) => {
            buffer[begin..start].copy_from_slice(prefix.as_bytes());
            std::str::from_utf8(&buffer[begin..]).map(Str::from).unwrap_or_default()
        }
        None => format!("{prefix}{number}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_format_would_have_it() {
        for number in [0, 7, -7, 100, i64::MIN, i64::MAX] {
            for prefix in
                ["", "item:", "Größe ", "a prefix that is longer than the buffer has room"]
            {
                assert_eq!(numbered(prefix, number), format!("{prefix}{number}"));
            }
        }
    }
}
