//! From what the collector says to a [`Screen`].

use capuchin_ui::{Element, Rect, Role, Screen, Size, State, Str};
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
    /// Whether it talks to somebody outside of its clock: workers. (For sockets see `lines.rs`.)
    pub(crate) has_traffic: bool,
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
}

/// What the collector said and what follows from it for the screen that was there before. `None` if
/// it makes no sense: then everything must be asked for again.
pub(crate) fn read(text: &str, before: &Arc<Screen>) -> Option<(Head, Arc<Screen>)> {
    let mut lines = text.split('\n');
    let head = head(lines.next()?)?;
    let patch = lines.next()?;
    let mut words = patch.split('\t');
    let kind = words.next()?;
    let same_place = before.place == head.url && before.viewport == head.viewport;
    let mut rest = lines.peekable();
    if kind == "some" && same_place && rest.peek().is_none() {
        return Some((head, Arc::clone(before)));
    }
    let mut elements = Vec::new();
    match kind {
        "all" => {
            for line in rest.filter(|line| !line.is_empty()) {
                elements.push(row(line)?);
            }
        }
        "some" => {
            elements.clone_from(&before.elements);
            restore_depths(&mut elements);
            for line in rest {
                let (index, line) = line.split_once('\t')?;
                *elements.get_mut(index.parse::<usize>().ok()?)? = row(line)?;
            }
        }
        "splice" => {
            let start: usize = words.next()?.parse().ok()?;
            let end: usize = words.next()?.parse().ok()?;
            elements.reserve(before.elements.len() + 16);
            elements.extend_from_slice(&before.elements);
            restore_depths(&mut elements);
            let middle = rest.map(row).collect::<Option<Vec<Element>>>()?;
            if start > end || end > elements.len() {
                return None;
            }
            elements.splice(start..end, middle);
        }
        _ => return None,
    }
    resolve_depths(&mut elements);
    let place = Str::new(&head.url);
    let viewport = head.viewport;
    Some((head, Arc::new(Screen { viewport, place, elements })))
}

fn head(line: &str) -> Option<Head> {
    let mut words = line.split('\t');
    let mut number = || words.next()?.parse::<i64>().ok();
    let (width, height) = (number()?, number()?);
    let (changed_ago, animating) = (number()?, number()?);
    let (due, talks, _count) = (number()?, number()?, number()?);
    let mut text = || words.next().map(unescape);
    let (url, changed_where, loaded) = (text()?, text()?, text()?);
    Some(Head {
        viewport: Size::new(width as i32, height as i32),
        changed_ago: changed_ago.max(0) as u64,
        animating: animating.max(0) as u64,
        due: due.max(0) as u64,
        has_traffic: talks & 1 != 0,
        has_asked: talks & 2 != 0,
        has_wheels: talks & 4 != 0,
        url,
        changed_where,
        is_loaded: loaded == "2",
        is_parsed: loaded != "0",
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

    const HEAD: &str = "100\t200\t5\t0\t0\t0\t3\thttp://a/\tp#x\t2";

    fn line(depth: u32, id: &str) -> String {
        format!("{depth}\t0\t3\t0\t0\t10\t10\t{id}\tsays\\nthis\t\t\tbutton\t")
    }

    fn ids(screen: &Screen) -> Vec<(&str, Option<u32>)> {
        screen.elements.iter().map(|element| (element.id.as_str(), element.parent)).collect()
    }

    #[test]
    fn a_screen_is_read_and_patched() {
        let all = format!("{HEAD}\nall\n{}\n{}\n{}", line(0, "a"), line(1, "b"), line(1, "c"));
        let (head, first) = read(&all, &Arc::default()).unwrap();
        assert!(head.is_loaded);
        assert_eq!(first.place, "http://a/");
        assert_eq!(first.elements[0].text, "says\nthis");
        assert_eq!(ids(&first), [("a", None), ("b", Some(0)), ("c", Some(0))]);

        let (_, same) = read(&format!("{HEAD}\nsome"), &first).unwrap();
        assert!(Arc::ptr_eq(&first, &same), "what did not change is not built again");

        let some = format!("{HEAD}\nsome\n2\t{}", line(2, "d"));
        let (_, second) = read(&some, &first).unwrap();
        assert_eq!(ids(&second), [("a", None), ("b", Some(0)), ("d", Some(1))]);

        let splice = format!("{HEAD}\nsplice\t1\t1\n{}\n{}", line(1, "x"), line(2, "y"));
        let (_, third) = read(&splice, &second).unwrap();
        assert_eq!(
            ids(&third),
            [("a", None), ("x", Some(0)), ("y", Some(1)), ("b", Some(0)), ("d", Some(3))]
        );
        let (_, fourth) = read(&format!("{HEAD}\nsplice\t1\t5"), &third).unwrap();
        assert_eq!(ids(&fourth), [("a", None)]);
    }

    #[test]
    fn nonsense_is_not_read() {
        for text in ["", "1\t2", &format!("{HEAD}\nother"), &format!("{HEAD}\nsome\n7\tx")] {
            assert!(read(text, &Arc::default()).is_none(), "{text:?}");
        }
    }
}
