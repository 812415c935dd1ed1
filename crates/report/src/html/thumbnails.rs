//! The pictures of a map's states, each in the page once however often it is shown.
//!
//! A picture is kept as a symbol that the graph and the table refer to. There is no decoder here
//! that could make it smaller, so what is too much for one page is left out: it is in the run
//! directory.

use super::Pictures;
use super::data_uri::data_uri;
use super::markup::Markup;
use super::picture_size::picture_size;
use std::collections::BTreeMap;

/// The most that the pictures of a map may add to a page, in bytes.
const MOST_BYTES: usize = 12 << 20;
/// The shape of a picture that does not say which it has.
const SHAPE: (u32, u32) = (54, 58);

/// A picture that is in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thumbnail {
    id: String,
    size: (u32, u32),
}

impl Thumbnail {
    /// How wide and high it is where there is so much room.
    pub(super) fn fitted(&self, room: (f64, f64)) -> (f64, f64) {
        let (wide, high) = (f64::from(self.size.0), f64::from(self.size.1));
        let scale = (room.0 / wide).min(room.1 / high);
        (wide * scale, high * scale)
    }

    /// Shows it: to be written into an SVG.
    pub(super) fn show(&self, page: &mut Markup, at: (f64, f64), room: (f64, f64)) {
        let (wide, high) = self.fitted(room);
        page.raw("<use").attr("href", &format!("#{}", self.id));
        for (name, value) in [("x", at.0), ("y", at.1), ("width", wide), ("height", high)] {
            page.attr(name, &format!("{value:.1}"));
        }
        page.raw("/>");
    }
}

/// Pictures that have been read.
#[derive(Debug, Default)]
pub(super) struct Thumbnails {
    /// From a name in the log to the symbol.
    by_name: BTreeMap<String, Thumbnail>,
    /// How many pictures were left out.
    pub(super) left_out: usize,
}

impl Thumbnails {
    /// Reads the pictures of these names and writes them as symbols.
    pub(super) fn write<'a>(
        page: &mut Markup,
        anchor: &str,
        names: impl Iterator<Item = &'a str>,
        pictures: &Pictures<'_>,
    ) -> Self {
        Thumbnails::write_within(MOST_BYTES, page, anchor, names, pictures)
    }

    fn write_within<'a>(
        most: usize,
        page: &mut Markup,
        anchor: &str,
        names: impl Iterator<Item = &'a str>,
        pictures: &Pictures<'_>,
    ) -> Self {
        let mut written = Thumbnails::default();
        // Two states may look the same, under two names.
        let mut by_content: BTreeMap<String, Thumbnail> = BTreeMap::new();
        let mut total = 0;
        page.raw("<svg class=\"hidden\" width=\"0\" height=\"0\" aria-hidden=\"true\">");
        for name in names {
            if written.by_name.contains_key(name) {
                continue;
            }
            let Some(bytes) = pictures(name) else { continue };
            let Some(address) = data_uri(name, &bytes) else { continue };
            let thumbnail = match by_content.get(&address) {
                Some(thumbnail) => thumbnail.clone(),
                None if total + address.len() > most => {
                    written.left_out += 1;
                    continue;
                }
                None => {
                    let id = format!("{anchor}-picture-{}", by_content.len() + 1);
                    let thumbnail = Thumbnail { id, size: picture_size(&bytes).unwrap_or(SHAPE) };
                    symbol(page, &thumbnail, &address);
                    total += address.len();
                    by_content.insert(address, thumbnail.clone());
                    thumbnail
                }
            };
            written.by_name.insert(name.to_owned(), thumbnail);
        }
        page.raw("</svg>\n");
        written
    }

    /// A picture, if it could be read.
    pub(super) fn get(&self, name: Option<&str>) -> Option<&Thumbnail> {
        self.by_name.get(name?)
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

fn symbol(page: &mut Markup, thumbnail: &Thumbnail, address: &str) {
    let (wide, high) = (thumbnail.size.0.to_string(), thumbnail.size.1.to_string());
    page.raw("<symbol")
        .attr("id", &thumbnail.id)
        .attr("viewBox", &format!("0 0 {wide} {high}"))
        .raw("><image")
        .attr("width", &wide)
        .attr("height", &high)
        .attr("href", address)
        .raw("/></symbol>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(names: &[&str], pictures: &Pictures<'_>) -> (String, Thumbnails) {
        let mut page = Markup::default();
        let thumbnails =
            Thumbnails::write_within(1000, &mut page, "map", names.iter().copied(), pictures);
        (page.finish(), thumbnails)
    }

    #[test]
    fn the_same_picture_is_written_once() {
        let pictures = |name: &str| (name != "gone.png").then(|| name.as_bytes()[..1].to_vec());
        let names = ["a.png", "a.png", "also-a.png", "b.png", "gone.png", "a.exe"];
        let (page, thumbnails) = written(&names, &pictures);
        assert_eq!(page.matches("<image").count(), 2);
        assert_eq!(thumbnails.get(Some("a.png")), thumbnails.get(Some("also-a.png")));
        assert_ne!(thumbnails.get(Some("a.png")), thumbnails.get(Some("b.png")));
        for none in [None, Some("gone.png"), Some("a.exe")] {
            assert_eq!(thumbnails.get(none), None);
        }
        assert_eq!(thumbnails.left_out, 0);
    }

    #[test]
    fn a_page_can_still_be_opened() {
        let pictures = |name: &str| Some(vec![name.as_bytes()[0]; 400]);
        let (page, thumbnails) = written(&["a.png", "b.png", "c.png", "a.png"], &pictures);
        assert!(page.len() < 1400);
        assert_eq!(thumbnails.left_out, 2);
        assert!(thumbnails.get(Some("a.png")).is_some());
    }
}
