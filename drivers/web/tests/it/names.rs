//! Names beside those of Chromium's accessibility tree, on several hundred small pages of all the
//! kinds that the standards tell apart; and what no list of pages shows: names that change, and
//! parts of drawings that are used.
//!
//! On its own because its pages were generated. Each line of `testdata/names.txt` is the name of
//! the element `t` and the page that it is on.

use crate::visit::Visit;
use capuchin_ui::{Role, Selector, State};

const PAGES: &str = include_str!("../../testdata/names.txt");

#[test]
fn elements_are_called_what_the_browser_calls_them() {
    let pages: Vec<(&str, &str)> =
        PAGES.lines().map(|line| line.split_once('\t').expect("a name and a page")).collect();
    assert!(pages.len() > 300, "{}", pages.len());
    let body: String = pages
        .iter()
        .enumerate()
        .map(|(number, (_, html))| {
            // Ids and styles of one page are nothing to the others.
            format!("<div id=f{number}><template shadowrootmode=open>{html}</template></div>")
        })
        .collect();
    let visit = Visit::to(&body, "viewport=1280x900");
    let elements = &visit.seen.screen.elements;
    let mut wrong = Vec::new();
    for (number, (expected, html)) in pages.iter().enumerate() {
        let at = |number| elements.iter().position(|it| it.id == format!("f{number}"));
        let inside = at(number).expect("a page")..at(number + 1).unwrap_or(elements.len());
        let called = elements[inside].iter().find(|it| it.id == "t").map(|it| it.text.as_str());
        if called != Some(expected) {
            wrong.push(format!("{html}\n  is called {expected:?}, and we call it {called:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pages.len(), wrong.join("\n"));
}

#[test]
fn an_element_belongs_to_the_one_that_owns_it() {
    let mut visit = Visit::to(
        "<div role=button tabindex=0 id=own>Send <b id=moved>now</b></div><p id=owner>More</p>
         <script>
         on('own', 'click', () => {
           const { owner } = window;
           if (owner.hasAttribute('aria-owns')) owner.removeAttribute('aria-owns');
           else owner.setAttribute('aria-owns', 'moved');
         });
         </script>",
        "",
    );
    assert_eq!(visit.text("own"), "Send now");
    assert_eq!(visit.click("own").text("own"), "Send");
    assert_eq!(visit.click("own").text("own"), "Send now");
}

#[test]
fn styles_of_a_shadow_tree_put_texts_there_at_once() {
    let visit = Visit::to(
        "<button id=outer><x-a></x-a></button><script>
         document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML =
           '<style>b::before { content: \"Pre\" }</style><b>fix</b>';
         </script>",
        "",
    );
    assert_eq!(visit.text("outer"), "Prefix");
}

/// Shapes are no elements; what has a role or a name is one, and so is what can be used.
#[test]
fn parts_of_a_drawing_are_elements_where_they_matter() {
    let mut visit = Visit::to(
        "<svg id=plain width=50 height=50><title>Chart</title><rect id=shape width=9 height=9 /></svg>
         <svg width=200 height=60>
           <a id=link href='#there'><text y=20>Read on</text></a>
           <g id=knob role=button tabindex=0><rect y=30 width=20 height=20 /><title>Turn</title></g>
           <circle id=dot cx=100 cy=20 r=9><title>42 of May</title></circle>
           <rect id=heard x=120 width=20 height=20 />
           <g id=none role=presentation><path id=line d='M0 0h9' /></g>
         </svg>
         <script>
         on('knob', 'click', ran);
         on('heard', 'click', () => { $('dot').firstChild.textContent = '43 of May'; });
         </script>",
        "",
    );
    let role = |visit: &Visit, id: &str| visit.element(id).role;
    assert_eq!((role(&visit, "link"), visit.text("link")), (Role::Link, "Read on"));
    assert_eq!((role(&visit, "knob"), visit.text("knob")), (Role::Button, "Turn"));
    assert_eq!((role(&visit, "dot"), visit.text("dot")), (Role::Image, "42 of May"));
    assert_eq!(visit.text("plain"), "Chart");
    assert!(visit.is("heard", State::CLICKABLE));
    for shape in ["shape", "none", "line"] {
        assert_eq!(visit.seen.screen.first(&Selector::id(shape)), None, "{shape}");
    }
    visit.click("knob");
    assert_eq!(visit.said(), "click");
    assert_eq!(visit.click("heard").text("dot"), "43 of May");
}
