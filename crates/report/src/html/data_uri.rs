//! A picture as part of the page itself, so that a report is one file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capuchin::ui::PictureFormat;

/// The address that holds the picture, if its name says what kind of picture it is.
pub(super) fn data_uri(name: &str, bytes: &[u8]) -> Option<String> {
    let (_, extension) = name.rsplit_once('.')?;
    let format = PictureFormat::ALL.into_iter().find(|format| format.extension() == extension)?;
    Some(format!("data:{};base64,{}", format.media_type(), STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_are_taken_in() {
        assert_eq!(data_uri("failures/1-a/00.jpg", b"f").unwrap(), "data:image/jpeg;base64,Zg==");
        assert_eq!(data_uri("a.html", b"f"), None);
        assert_eq!(data_uri("jpg", b"f"), None);
    }
}
