//! A screen as a drawing, for devices that cannot take pictures: boxes and texts where the elements
//! are, as SVG.
//!
//! A pure function of the screen, so that the film of a simulated app is as repeatable as its run.

use capuchin_ui::{Element, Picture, PictureFormat, Rect, Role, Screen, State};
use std::fmt::{self, Write};

/// The most elements that are drawn: a page of thousands would make a file that nobody can open.
const MOST_ELEMENTS: usize = 1500;

const STYLE: &str = "\
svg{--paper:#fff;--ink:#26221e;--soft:#8b857d;--line:#d9d4cc;--fill:#f1eee9;--accent:#35618e;\
--tint:#e3ecf5;--veil:#26221e80;\
font:14px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
@media(prefers-color-scheme:dark){svg{--paper:#201d1a;--ink:#ece7e0;--soft:#98918a;--line:#48423c;\
--fill:#2b2723;--accent:#9cc3ea;--tint:#2b3a49;--veil:#000a}}\
text{fill:var(--ink);dominant-baseline:central}.p{fill:var(--paper)}.s{fill:var(--soft)}\
.a{fill:var(--accent)}.b{fill:var(--tint);stroke:var(--accent)}.f{fill:var(--paper);stroke:var(--soft)}\
.g{fill:var(--fill);stroke:var(--line)}.l{fill:none;stroke:var(--line)}.v{fill:var(--veil)}\
.w{fill:#fff}.d{opacity:.4}.t{stroke:var(--accent);stroke-width:2;fill:none}.u{text-decoration:underline}";

/// Draws a screen.
pub fn wireframe(screen: &Screen) -> Picture {
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = draw(&mut svg, screen);
    Picture { format: PictureFormat::Svg, bytes: svg.into_bytes() }
}

fn draw(svg: &mut String, screen: &Screen) -> fmt::Result {
    let (width, height) = (screen.viewport.width.max(1), screen.viewport.height.max(1));
    write!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><style>{STYLE}</style><rect class="p" width="{width}" height="{height}"/>"#
    )?;
    let visible = |element: &&Element| {
        let Rect { x, y, width: wide, height: high } = element.bounds;
        let on_screen = x < width && y < height && x + wide > 0 && y + high > 0;
        element.is(State::DISPLAYED) && !element.bounds.is_empty() && on_screen
    };
    for element in screen.elements.iter().filter(visible).take(MOST_ELEMENTS) {
        let parent = element.parent.and_then(|parent| screen.elements.get(parent as usize));
        // A button and the label in it say the same thing, in the same place.
        let said = parent.is_some_and(|parent| {
            parent.text == element.text && parent.role != Role::Group && !element.text.is_empty()
        });
        if !said {
            draw_element(svg, element)?;
        }
    }
    svg.write_str("</svg>")
}

fn draw_element(svg: &mut String, element: &Element) -> fmt::Result {
    let Rect { x, y, width, height } = element.bounds;
    let disabled = if element.is(State::ENABLED) { "" } else { r#" class="d""# };
    // A picture in the picture: what does not fit into the element is cut off at its edge.
    write!(svg, r#"<svg x="{x}" y="{y}" width="{width}" height="{height}"><g{disabled}>"#)?;
    let text = element.shown().as_str();
    let (middle, right) = (height / 2, width - 1);
    match element.role {
        Role::Button | Role::Tab | Role::Menu | Role::Command => {
            let class = if element.is(State::SELECTED) { "g" } else { "b" };
            boxed(svg, element, class, 6)?;
            words(svg, element, text, "a", MIDDLE)?;
        }
        Role::Field | Role::Combobox => {
            boxed(svg, element, "f", 3)?;
            let empty = text.is_empty();
            let shown = if empty { element.hint.as_str() } else { text };
            let class = if empty { "s" } else { "" };
            words(svg, element, shown, class, Some(10))?;
            if element.role == Role::Combobox {
                let x = right - 16;
                write!(svg, r#"<path class="t" d="M{x} {}l5 5 5-5"/>"#, middle - 2)?;
            }
        }
        Role::Checkbox | Role::Radio | Role::Switch => {
            let (top, round) = (middle - 8, if element.role == Role::Checkbox { 3 } else { 8 });
            let wide = if element.role == Role::Switch { 28 } else { 16 };
            write!(
                svg,
                r#"<rect class="f" x="1" y="{top}" width="{wide}" height="16" rx="{round}"/>"#
            )?;
            let set = element.is(State::CHECKED) || element.is(State::SELECTED);
            match element.role {
                Role::Checkbox if set => {
                    write!(svg, r#"<path class="t" d="M5 {middle}l3 4 6-8"/>"#)?;
                }
                Role::Switch => {
                    let (class, x) = if set { ("a", wide - 7) } else { ("s", 9) };
                    write!(svg, r#"<circle class="{class}" cx="{x}" cy="{middle}" r="5"/>"#)?;
                }
                _ if set => write!(svg, r#"<circle class="a" cx="9" cy="{middle}" r="4"/>"#)?,
                _ => {}
            }
            words(svg, element, text, "", Some(wide + 8))?;
        }
        Role::Heading => words(svg, element, text, "h", LEFT)?,
        Role::Link => words(svg, element, text, "a u", LEFT)?,
        Role::Image => {
            boxed(svg, element, "g", 2)?;
            write!(svg, r#"<path class="l" d="M1 1L{right} {0}M1 {0}L{right} 1"/>"#, height - 1)?;
            words(svg, element, text, "s", MIDDLE)?;
        }
        Role::Slider | Role::Progress => {
            let top = middle - 3;
            write!(svg, r#"<rect class="g" x="1" y="{top}" width="{right}" height="6" rx="3"/>"#)?;
            words(svg, element, text, "a", MIDDLE)?;
        }
        Role::Item | Role::Choice => {
            let chosen = element.is(State::SELECTED) || element.is(State::CHECKED);
            boxed(svg, element, if chosen { "b" } else { "f" }, 0)?;
            words(svg, element, text, "", Some(10))?;
        }
        Role::List => boxed(svg, element, "l", 2)?,
        Role::Dialog => boxed(svg, element, "f", 8)?,
        // A veil: it takes all clicks, and what is behind it shines through.
        _ if element.is(State::OPAQUE) => {
            write!(svg, r#"<rect class="v" width="{width}" height="{height}"/>"#)?;
            words(svg, element, text, "w", MIDDLE)?;
        }
        Role::Label => words(svg, element, text, "", LEFT)?,
        _ => {}
    }
    svg.write_str("</g></svg>")
}

/// A rectangle just inside the element's bounds, so that its line is not cut in half.
fn boxed(svg: &mut String, element: &Element, class: &str, round: i32) -> fmt::Result {
    let (width, height) = ((element.bounds.width - 1).max(1), (element.bounds.height - 1).max(1));
    let focused = if element.is(State::FOCUSED) { r#" stroke-width="3""# } else { "" };
    write!(
        svg,
        r#"<rect class="{class}" x=".5" y=".5" width="{width}" height="{height}" rx="{round}"{focused}/>"#
    )
}

/// Where a line of text begins: so far from the left; `None` if it stands in the middle.
type Start = Option<i32>;
const LEFT: Start = Some(0);
const MIDDLE: Start = None;

/// A line of text, as large as the element allows, cut where it certainly does not fit.
fn words(svg: &mut String, element: &Element, text: &str, class: &str, from: Start) -> fmt::Result {
    let Rect { width, height, .. } = element.bounds;
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else { return Ok(()) };
    let (largest, weight) = if class == "h" { (20, r#" font-weight="600""#) } else { (14, "") };
    let size = (height * 2 / 3).clamp(6, largest);
    let (x, anchor) = match from {
        Some(from) => (from, ""),
        None => (width / 2, r#" text-anchor="middle""#),
    };
    // A letter is about half as wide as high.
    let room = ((width - from.unwrap_or(0)).max(0) * 2 / size) as usize;
    // A text of several lines, or a tall one, begins at the top.
    let tall = height > 5 * size && from.is_some();
    let y = if tall { size } else { height / 2 };
    write!(svg, r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}"{weight}{anchor}>"#)?;
    for (index, c) in line.trim().chars().enumerate() {
        if index >= room {
            svg.push('…');
            break;
        }
        match c {
            '<' => svg.push_str("&lt;"),
            '&' => svg.push_str("&amp;"),
            '>' => svg.push_str("&gt;"),
            // XML has no way to write these.
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => svg.push('\u{fffd}'),
            c => svg.push(c),
        }
    }
    svg.write_str("</text>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin_ui::Size;

    fn drawn(role: Role, text: &str, bounds: Rect) -> String {
        let mut screen = Screen { viewport: Size::new(200, 100), ..Screen::default() };
        let state = State::DISPLAYED | State::ENABLED;
        screen.elements.push(Element {
            role,
            text: text.into(),
            bounds,
            state,
            ..Element::default()
        });
        String::from_utf8(wireframe(&screen).bytes).unwrap()
    }

    #[test]
    fn texts_of_the_app_cannot_leave_their_place() {
        for role in Role::ALL {
            let svg = drawn(*role, "</text><script>&\u{0}\u{1b}", Rect::new(10, 10, 190, 40));
            assert!(!svg.contains("<script"), "{svg}");
            assert!(!svg.contains('\u{0}') && !svg.contains('\u{1b}'), "{svg}");
            assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        }
        assert!(
            drawn(Role::Label, "a < b & c", Rect::new(0, 0, 200, 40)).contains("a &lt; b &amp; c")
        );
    }

    #[test]
    fn what_is_not_on_the_screen_is_not_drawn() {
        assert!(drawn(Role::Label, "here", Rect::new(0, 0, 100, 20)).contains("here"));
        for bounds in [
            Rect::new(0, 100, 100, 20),
            Rect::new(200, 0, 100, 20),
            Rect::new(0, -20, 100, 20),
            Rect::new(0, 0, 0, 20),
        ] {
            assert!(!drawn(Role::Label, "here", bounds).contains("here"), "{bounds:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        let svg = drawn(Role::Label, &"x".repeat(5000), Rect::new(0, 0, 100, 20));
        assert!(svg.contains("x…</text>") && svg.len() < 3000, "{svg}");
    }
}
