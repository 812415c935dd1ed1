//! How wide and high a picture is, as its first bytes say: so that it is shown in its own shape.
//!
//! On its own because it is all that this crate knows of how pictures are encoded. What cannot be
//! told is left to the caller: a picture in the wrong frame is still a picture.

/// The width and height of a PNG, JPEG, WebP or SVG.
pub(super) fn picture_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = match bytes {
        [0x89, b'P', b'N', b'G', ..] => (big(bytes, 16, 4)?, big(bytes, 20, 4)?),
        [0xff, 0xd8, ..] => jpeg(bytes)?,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp(bytes)?,
        _ => svg(bytes)?,
    };
    let sound = |side: u32| (1..=100_000).contains(&side);
    (sound(size.0) && sound(size.1)).then_some(size)
}

/// A number whose first byte counts most.
fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let digits = bytes.get(at..at.checked_add(length)?)?;
    Some(digits.iter().fold(0, |number, digit| number << 8 | u32::from(*digit)))
}

/// A number whose last byte counts most.
fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let digits = bytes.get(at..at.checked_add(length)?)?;
    Some(digits.iter().rev().fold(0, |number, digit| number << 8 | u32::from(*digit)))
}

/// Goes from segment to segment until the one that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = big(bytes, at, 2)?;
        match marker {
            0xffff => at += 1,
            0xffc4 | 0xffc8 | 0xffcc => at += 2 + big(bytes, at + 2, 2)? as usize,
            0xffc0..=0xffcf => return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?)),
            0xff01 | 0xffd0..=0xffd7 => at += 2,
            0xff00.. => at += 2 + big(bytes, at + 2, 2)? as usize,
            _ => return None,
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff)),
        _ => None,
    }
}

/// The attributes of the first tag.
fn svg(bytes: &[u8]) -> Option<(u32, u32)> {
    let start = std::str::from_utf8(bytes.get(..bytes.len().min(400))?);
    let start = match start {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    let (_, tag) = start.split_once("<svg")?;
    let tag = tag.split('>').next()?;
    let attribute = |name: &str| {
        let (_, value) = tag.split_once(name)?;
        let (digits, _) = value.split_once('"')?;
        digits.trim_end_matches("px").parse::<u32>().ok()
    };
    Some((attribute(" width=\"")?, attribute(" height=\"")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: Option<(u32, u32)>) {
        assert_eq!(picture_size(bytes), expected);
        // Cut anywhere, it is no longer known, or still the same; nothing else happens.
        for length in 0..bytes.len() {
            let cut = picture_size(&bytes[..length]);
            assert!(cut.is_none() || cut == expected, "{length}");
        }
    }

    #[test]
    fn every_kind_of_picture_says_how_large_it_is() {
        let size = Some((360, 640));
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x68\0\0\x02\x80\x08\x02", size);
        check(
            b"\xff\xd8\xff\xe0\0\x04JF\xff\xc4\0\x02\xff\xff\xc2\0\x11\x08\x02\x80\x01\x68\x03",
            size,
        );
        check(b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x67\x01\0\x7f\x02\0", size);
        check(b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x68\x01\x80\x02", size);
        check(b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x67\xc1\x9f\0", size);
        check(b"<svg xmlns=\"a\" width=\"360\" height=\"640\" viewBox=\"0 0 9 9\">", size);
        check(b"<svg viewBox=\"0 0 9 9\">", None);
        check(b"<svg width=\"0\" height=\"640\">", None);
        check(b"GIF89a", None);
        check(b"", None);
    }
}
