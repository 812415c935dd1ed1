//! From what the collector says to a [`Screen`].

use capuchin_ui::{Element, Point, Rect, Role, Screen, Size, State, Str};
use std::sync::Arc;

/// What the collector says of the page as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) viewport: Size,
    /// How long ago something last changed, in the page's milliseconds.
    pub(crate) changed_ago: u64,
    /// How long the animations that come to an end still run.
    pub(crate) animating: u64,
    /// The number of the state of which something in the page hears when a frame is drawn; 0 if
    /// nobody does.
    pub(crate) due: u64,
    /// What it and its workers said to one another: `Talk` of lines.rs reads it.
    pub(crate) worker_talk: String,
    /// Whether it has asked the browser for something that is answered in the browser's own time.
    pub(crate) has_asked: bool,
    /// Whether anything in it listens to the wheel of a mouse.
    pub(crate) has_wheels: bool,
    pub(crate) url: String,
    /// What changed last.
    pub(crate) changed_where: String,
    /// Whether all of its text is there, and whether everything is.
    pub(crate) is_parsed: bool,
    pub(crate) is_loaded: bool,
    pub(crate) visual_viewport: VisualViewport,
}

/// What of the page is at the corner of the visual viewport: a phone may show a part of a page that
/// is wider than its screen. (How large the page is shown, the browser knows itself.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VisualViewport {
    x: i32,
    y: i32,
}

impl VisualViewport {
    /// What the collector says: `x y`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (x, y) = text.split_once(' ')?;
        Some(VisualViewport { x: x.parse().ok()?, y: y.parse().ok()? })
    }

    /// Where in the visual viewport a point of the page is.
    pub(crate) fn point(self, point: Point) -> Point {
        Point::new(point.x - self.x, point.y - self.y)
    }
}

/// What the collector said and what follows from it for the screen that was there before: no screen
/// if it has not looked, because the page is in the middle of something. `None` if it makes no
/// sense: then everything must be asked for again.
pub(crate) fn read(text: &str, before: &Arc<Screen>) -> Option<(Head, Option<Arc<Screen>>)> {
    let mut lines = text.split('\n');
    let head = head(lines.next()?)?;
    let mut words = lines.next()?.split('\t');
    let kind = words.next()?;
    if kind == "later" {
        return Some((head, None));
    }
    let splice: Vec<usize> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let same_place = before.place == head.url && before.viewport == head.viewport;
    let mut rest = lines.peekable();
    if kind == "some" && same_place && splice.is_empty() && rest.peek().is_none() {
        return Some((head, Some(Arc::clone(before))));
    }
    let elements = match kind {
        "all" => {
            let rows = rest.filter(|line| !line.is_empty());
            let mut elements = rows.map(row).collect::<Option<Vec<Element>>>()?;
            resolve_depths(&mut elements);
            elements
        }
        "some" => {
            let mut elements = Vec::with_capacity(before.elements.len() + 16);
            elements.extend_from_slice(&before.elements);
            if let [start, end, count] = splice[..] {
                let middle =
                    rest.by_ref().take(count).map(row).collect::<Option<Vec<Element>>>()?;
                if start > end || end > elements.len() || middle.len() != count {
                    return None;
                }
                restore_depths(&mut elements);
                elements.splice(start..end, middle);
                resolve_depths(&mut elements);
            }
            apply(rest, &mut elements)?;
            elements
        }
        _ => return None,
    };
    let place = Str::new(&head.url);
    let viewport = head.viewport;
    Some((head, Some(Arc::new(Screen { viewport, place, elements }))))
}

/// What is different of elements that were there before: `m` moves all from one to before another,
/// `s` changes a state, `b` the bounds, and `r` is another row.
fn apply<'t>(lines: impl Iterator<Item = &'t str>, elements: &mut [Element]) -> Option<()> {
    let mut replaced = Vec::new();
    for line in lines {
        let (kind, rest) = line.split_once('\t')?;
        if kind == "r" {
            let (index, line) = rest.split_once('\t')?;
            replaced.push((index.parse::<usize>().ok()?, row(line)?));
            continue;
        }
        let numbers = rest.split('\t').map(|word| word.parse().ok());
        match (kind, &numbers.collect::<Option<Vec<i32>>>()?[..]) {
            ("m", &[from, to, dx, dy]) => {
                for element in elements.get_mut(from as usize..to as usize)? {
                    element.bounds.x += dx;
                    element.bounds.y += dy;
                }
            }
            ("s", &[index, state]) => {
                elements.get_mut(index as usize)?.state = State::from_bits_truncate(state as u32);
            }
            ("b", &[index, x, y, width, height]) => {
                elements.get_mut(index as usize)?.bounds = Rect::new(x, y, width, height);
            }
            _ => return None,
        }
    }
    if replaced.is_empty() {
        return Some(());
    }
    restore_depths(elements);
    for (index, element) in replaced {
        *elements.get_mut(index)? = element;
    }
    resolve_depths(elements);
    Some(())
}

fn head(line: &str) -> Option<Head> {
    let mut words = line.split('\t');
    let mut number = || words.next()?.parse::<i64>().ok();
    let (width, height) = (number()?, number()?);
    let (changed_ago, animating) = (number()?, number()?);
    let (due, flags, _count) = (number()?, number()?, number()?);
    let mut text = || words.next().map(unescape);
    let (url, changed_where, loaded) = (text()?, text()?, text()?);
    let visual_viewport = VisualViewport::parse(&text()?)?;
    Some(Head {
        viewport: Size::new(width as i32, height as i32),
        changed_ago: changed_ago.max(0) as u64,
        animating: animating.max(0) as u64,
        due: due.max(0) as u64,
        worker_talk: text()?,
        has_asked: flags & 1 != 0,
        has_wheels: flags & 2 != 0,
        url,
        changed_where,
        is_loaded: loaded == "2",
        is_parsed: loaded != "0",
        visual_viewport,
    })
}

/// One element; for now, its depth stands in place of its parent.
fn row(line: &str) -> Option<Element> {
    let mut words = line.split('\t');
    let mut number = || words.next()?.parse::<i64>().ok();
    let (depth, role, state) = (number()?, number()?, number()?);
    let (x, y, width, height) = (number()?, number()?, number()?, number()?);
    let mut text = || words.next().map(|word| Str::new(unescape(word)));
    let element = Element {
        role: *Role::ALL.get(role as usize)?,
        state: State::from_bits_truncate(state as u32),
        bounds: Rect::new(x as i32, y as i32, width as i32, height as i32),
        parent: Some(depth as u32),
        id: text()?,
        text: text()?,
        value: text()?,
        hint: text()?,
        native: text()?,
        classes: text()?,
        leads_to: text().unwrap_or_default(),
    };
    Some(element)
}

/// An element's depth is the same wherever others come and go; the index of its parent is not. So
/// the wire has depths.
fn resolve_depths(elements: &mut [Element]) {
    let mut path: Vec<u32> = Vec::new();
    for (index, element) in elements.iter_mut().enumerate() {
        let depth = element.parent.unwrap_or_default() as usize;
        path.truncate(depth);
        element.parent = path.last().copied();
        path.push(index as u32);
    }
}

fn restore_depths(elements: &mut [Element]) {
    let mut depths: Vec<u32> = Vec::with_capacity(elements.len());
    for element in elements {
        let depth = element.parent.map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        element.parent = Some(depth);
    }
}

fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some(other) => plain.push(other),
                None => {}
            },
            (c, false) => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "100\t200\t5\t0\t0\t0\t3\thttp://a/\tp#x\t2\t0 0\t0 0 0";

    fn line(depth: u32, id: &str) -> String {
        format!("{depth}\t0\t3\t0\t0\t10\t10\t{id}\tsays\\nthis\t\t\tbutton\t")
    }

    fn ids(screen: &Screen) -> Vec<(&str, Option<u32>)> {
        screen.elements.iter().map(|element| (element.id.as_str(), element.parent)).collect()
    }

    /// What is read of a page that was looked at.
    fn seen(text: &str, before: &Arc<Screen>) -> (Head, Arc<Screen>) {
        let (head, screen) = read(text, before).unwrap();
        (head, screen.unwrap())
    }

    #[test]
    fn a_page_that_was_not_looked_at_has_no_screen() {
        let (head, screen) = read(&format!("{HEAD}\nlater"), &Arc::default()).unwrap();
        assert!(head.is_loaded && screen.is_none());
    }

    #[test]
    fn a_screen_is_read_and_patched() {
        let all = format!("{HEAD}\nall\n{}\n{}\n{}", line(0, "a"), line(1, "b"), line(1, "c"));
        let (head, first) = seen(&all, &Arc::default());
        assert!(head.is_loaded);
        assert_eq!(first.place, "http://a/");
        assert_eq!(first.elements[0].text, "says\nthis");
        assert_eq!(ids(&first), [("a", None), ("b", Some(0)), ("c", Some(0))]);

        let (_, same) = seen(&format!("{HEAD}\nsome"), &first);
        assert!(Arc::ptr_eq(&first, &same), "what did not change is not built again");

        let some = format!("{HEAD}\nsome\nr\t2\t{}", line(2, "d"));
        let (_, second) = seen(&some, &first);
        assert_eq!(ids(&second), [("a", None), ("b", Some(0)), ("d", Some(1))]);

        let splice = format!("{HEAD}\nsome\t1\t1\t2\n{}\n{}", line(1, "x"), line(2, "y"));
        let (_, third) = seen(&splice, &second);
        assert_eq!(
            ids(&third),
            [("a", None), ("x", Some(0)), ("y", Some(1)), ("b", Some(0)), ("d", Some(3))]
        );
        let (_, fourth) = seen(&format!("{HEAD}\nsome\t1\t5\t0"), &third);
        assert_eq!(ids(&fourth), [("a", None)]);
    }

    #[test]
    fn what_moved_together_is_moved_together() {
        let all = format!("{HEAD}\nall\n{}\n{}\n{}", line(0, "a"), line(1, "b"), line(1, "c"));
        let (_, first) = seen(&all, &Arc::default());
        let moved = format!("{HEAD}\nsome\nm\t1\t3\t0\t-30\ns\t1\t1\nb\t2\t1\t2\t3\t4");
        let (_, second) = seen(&moved, &first);
        let bounds: Vec<Rect> = second.elements.iter().map(|element| element.bounds).collect();
        assert_eq!(
            bounds,
            [Rect::new(0, 0, 10, 10), Rect::new(0, -30, 10, 10), Rect::new(1, 2, 3, 4)]
        );
        assert_eq!(second.elements[1].state, State::DISPLAYED);
        assert_eq!(ids(&second), ids(&first), "each is still where it was in the tree");
        for wrong in ["m\t1\t4\t0\t0", "m\t2\t1\t0\t0", "s\t3\t0", "b\t0\t1", "x\t0"] {
            assert!(read(&format!("{HEAD}\nsome\n{wrong}"), &first).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_page_that_is_larger_than_the_visual_viewport_is_touched_where_it_is_shown() {
        let on = |corner: &str| VisualViewport::parse(corner).unwrap().point(Point::new(100, 300));
        assert_eq!(on("0 0"), Point::new(100, 300));
        assert_eq!(on("5 18"), Point::new(95, 282));
        assert_eq!(VisualViewport::parse("0"), None);
    }

    #[test]
    fn nonsense_is_not_read() {
        for text in ["", "1\t2", &format!("{HEAD}\nother"), &format!("{HEAD}\nsome\nr\t7\tx")] {
            assert!(read(text, &Arc::default()).is_none(), "{text:?}");
        }
    }
}
