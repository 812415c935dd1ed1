//! How far each scrolling container has been scrolled.
//!
//! The device keeps it, not the app: scrolling is the platform's business, and no model of an app
//! should have to do the arithmetic.

use capuchin_ui::Str;

/// The positions of the containers that are on the screen, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scrolls {
    all: Vec<Scroll>,
    /// Memory for [`Page`](crate::Page) to renumber elements with.
    pub(crate) renumbering: Vec<Option<u32>>,
}

#[derive(Clone, Debug)]
struct Scroll {
    id: Str,
    offset: i32,
    furthest: i32,
    seen: bool,
}

impl Scrolls {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }

    /// Before a view is drawn.
    pub(crate) fn begin(&mut self) {
        for scroll in &mut self.all {
            scroll.seen = false;
        }
    }

    /// After a view was drawn: a container that has left the screen starts at its top when it
    /// comes back.
    pub(crate) fn end(&mut self) {
        self.all.retain(|scroll| scroll.seen);
    }

    /// The position of a container that can be scrolled so far.
    pub(crate) fn position(&mut self, id: &Str, furthest: i32) -> i32 {
        if let Some(scroll) = self.all.iter_mut().find(|scroll| scroll.id == *id) {
            scroll.seen = true;
            scroll.furthest = furthest;
            scroll.offset = scroll.offset.clamp(0, furthest);
            return scroll.offset;
        }
        self.all.push(Scroll { id: id.clone(), offset: 0, furthest, seen: true });
        0
    }

    /// The position as it was left, for a container whose content is not yet measured.
    pub(crate) fn last_position(&self, id: &Str) -> i32 {
        self.all.iter().find(|scroll| scroll.id == *id).map_or(0, |scroll| scroll.offset)
    }

    /// Scrolls by so many pixels towards the end; `None` if it is no container.
    pub(crate) fn by(&mut self, id: &str, pixels: i32) -> Option<bool> {
        let scroll = self.all.iter_mut().find(|scroll| scroll.id == id)?;
        let before = scroll.offset;
        scroll.offset = before.saturating_add(pixels).clamp(0, scroll.furthest);
        Some(scroll.offset != before)
    }
}
