//! A picture as part of the page itself, so that a report is one file.
//!
//! Base64 is written out here: it is shorter than the reasons for a dependency.

use capuchin::ui::PictureFormat;

/// The address that holds the picture, if its name says what kind of picture it is.
pub(super) fn data_uri(name: &str, bytes: &[u8]) -> Option<String> {
    let (_, extension) = name.rsplit_once('.')?;
    let format = PictureFormat::ALL.into_iter().find(|format| format.extension() == extension)?;
    Some(format!("data:{};base64,{}", format.media_type(), base64(bytes)))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * index) & 63) as usize] as char;
            out.push(if index <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The test vectors of RFC 4648.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn only_pictures_are_taken_in() {
        assert_eq!(data_uri("failures/1-a/00.jpg", b"f").unwrap(), "data:image/jpeg;base64,Zg==");
        assert_eq!(data_uri("a.html", b"f"), None);
        assert_eq!(data_uri("jpg", b"f"), None);
    }
}
