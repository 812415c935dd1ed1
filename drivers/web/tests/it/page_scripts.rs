//! The page scripts on their own: what the collector makes of single elements, and what the page's
//! own world sees of chance, time and listeners. Each snippet stands beside the row that is
//! expected of it.

use crate::visit::Visit;
use capuchin_ui::{Element, Selector, State};

/// The role, the text, the value, the hint and the states of the element `x`, as one line.
fn row(element: &Element) -> String {
    let Element { role, text, value, hint, state, .. } = element;
    let own = *state - (State::DISPLAYED | State::ENABLED);
    let mut states: Vec<&str> = own.iter_names().map(|(name, _)| name).collect();
    for (is, name) in [(State::DISPLAYED, "HIDDEN"), (State::ENABLED, "DISABLED")] {
        if !state.contains(is) {
            states.push(name);
        }
    }
    format!("{} {text:?} {value:?} {hint:?} {}", role.name(), states.join(" "))
        .trim_end()
        .to_owned()
}

/// Puts all snippets on one page, and compares the row of the element `x` of each.
fn check(snippets: &[(&str, &str)]) {
    let body: String = snippets
        .iter()
        .zip(0..)
        .map(|((html, _), n)| html.replace("'x'", &format!("'x{n}'")))
        .collect();
    let visit = Visit::to(&body, "viewport=800x4000");
    for ((html, expected), n) in snippets.iter().zip(0..) {
        let element = visit.seen.screen.first(&Selector::id(format!("x{n}")));
        let hidden = || visit.seen.screen.elements.iter().find(|it| it.id == format!("x{n}"));
        let element = element.or_else(hidden).unwrap_or_else(|| panic!("no row for {html}"));
        assert_eq!(row(element), *expected, "{html}");
    }
}

#[test]
fn roles_states_and_texts_of_single_elements() {
    check(&[
        ("<button id='x'>Save <b>now</b></button>", r#"button "Save now" "" "" CLICKABLE"#),
        ("<button id='x' disabled>Save</button>", r#"button "Save" "" "" CLICKABLE DISABLED"#),
        ("<a id='x' href='#'>There</a>", r#"link "There" "" "" CLICKABLE"#),
        ("<p><a id='x'>Not a link</a></p>", r#"label "Not a link" "" """#),
        ("<p id='x'>One <i>sentence</i>.</p>", r#"label "One sentence." "" """#),
        ("<h2 id='x'>Title</h2>", r#"heading "Title" "" """#),
        (
            "<label>Name <input id='x' value='Ada' placeholder='whose'></label>",
            r#"field "Name" "Ada" "whose" CLICKABLE EDITABLE"#,
        ),
        ("<input id='x' readonly value='1'>", r#"field "" "1" "" CLICKABLE"#),
        (
            "<input type=checkbox id='x' checked aria-label='Agree'>",
            r#"checkbox "Agree" "" "" CLICKABLE CHECKABLE CHECKED"#,
        ),
        ("<input type=submit id='x'>", r#"button "Submit" "" "" CLICKABLE"#),
        (
            "<select id='x'><option>One<option selected>Two</select>",
            r#"combobox "" "Two" "" CLICKABLE EDITABLE"#,
        ),
        (
            "<div role=switch id='x' aria-checked=true>Light</div>",
            r#"switch "Light" "" "" CLICKABLE CHECKABLE CHECKED"#,
        ),
        (
            "<div role=tab id='x' aria-selected=true aria-description='first'>A</div>",
            r#"tab "A" "" "first" CLICKABLE SELECTED"#,
        ),
        ("<img id='x' alt='A cat' width=9 height=9>", r#"image "A cat" "" """#),
        ("<progress id='x' value=3 max=9></progress>", r#"progress "" "3" """#),
        (
            "<div id='x' style='cursor: pointer'>Pointed at</div>",
            r#"label "Pointed at" "" "" CLICKABLE"#,
        ),
        ("<div id='x' hidden>Gone</div>", r#"group "" "" "" HIDDEN"#),
        (
            "<div id='x' style='height: 30px; overflow: auto' class='list'><p style='height: 90px'></p></div>",
            r#"group "" "" "" SCROLLABLE"#,
        ),
        (
            "<div inert><button id='x'>Off</button></div>",
            r#"button "Off" "" "" COVERED CLICKABLE DISABLED"#,
        ),
        (
            "<div id='x' contenteditable data-placeholder='Write'>Text</div>",
            r#"field "Text" "Text" "Write" CLICKABLE EDITABLE"#,
        ),
    ]);
}

#[test]
fn listeners_of_the_page_are_known() {
    let mut visit = Visit::to(
        "<p id='plain'>Plain</p><p id='clicks'>Clicks</p><p id='presses'>Presses</p><p id='drags'>Drags</p>
         <script>
         $('clicks').addEventListener('click', () => {});
         $('presses').oncontextmenu = () => {};
         $('drags').addEventListener('dragstart', () => {});
         </script>",
        "",
    );
    let states = [State::CLICKABLE, State::LONG_CLICKABLE, State::SCROLLABLE];
    for (id, expected) in [
        ("plain", [false, false, false]),
        ("clicks", [true, false, false]),
        ("presses", [false, true, false]),
        ("drags", [false, false, true]),
    ] {
        assert_eq!(states.map(|state| visit.is(id, state)), expected, "{id}");
    }
    // They are the document's: the next one has its own.
    visit.changed("<p id='clicks'>Clicks</p>");
    assert!(!visit.is("clicks", State::CLICKABLE));
}

#[test]
fn what_the_scripts_put_in_place_looks_like_the_browsers_own() {
    let visit = Visit::to(
        "<p id='names'></p><script>
         const own = [[Math, 'random'], [window, 'requestAnimationFrame'], [window, 'fetch'], [performance, 'now'],
           [EventTarget.prototype, 'addEventListener'], [Crypto.prototype, 'randomUUID']];
         const wrong = own.filter(([object, name]) => object[name].name !== name).map(([, name]) => name);
         const shared = Object.getOwnPropertyNames(window).filter(name => name.includes('capuchin'));
         $('names').textContent = JSON.stringify([wrong, shared, new Date().constructor === Date]);
         </script>",
        "",
    );
    assert_eq!(visit.text("names"), "[[],[],true]");
}
