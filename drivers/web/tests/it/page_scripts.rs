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

/// Checks what the element `'x'` of each of these pages is called.
fn check_names(rules: &[(&str, &str)]) {
    let style = "<style>.marked::before { content: 'before ' } .marked::after { content: url(data:,) / 'after' }</style>";
    let body: String = rules
        .iter()
        .zip(0..)
        .map(|((html, _), n)| {
            let html = html.replace("'x d'", "'x\0 d'").replace("'x'", &format!("'x{n}'"));
            html.replace("'x\0", &format!("'x{n}"))
        })
        .collect();
    let visit = Visit::to(&format!("{style}{body}"), "viewport=800x4000");
    for ((html, expected), n) in rules.iter().zip(0..) {
        let element = visit.seen.screen.first(&Selector::id(format!("x{n}")));
        assert_eq!(element.map(|it| it.text.as_str()), Some(*expected), "{html}");
    }
}

/// Each rule by which an element gets its name, of accname and html-aam.
#[test]
fn names_of_single_elements() {
    let rules = [
        // By reference: in the order of the attribute, hidden or not, and not by a chain of them.
        (
            "<button id='x' aria-labelledby='b a'>no</button><i id=a>one</i><i id=b hidden>two <u hidden>three</u></i>",
            "two three one",
        ),
        ("<button id='x' aria-labelledby='c'>no</button><i id=c aria-labelledby=a>own</i>", "own"),
        (
            "<button id='x' aria-labelledby='x d' aria-label=self>no</button><i id=d>other</i>",
            "self other",
        ),
        ("<button id='x' aria-labelledby=nothing aria-label=label>no</button>", "label"),
        ("<button id='x' aria-label=' '>yes</button>", "yes"),
        // Labels: several, around it, hidden, with controls and pictures in them.
        ("<label for='x'>one</label><label for='x'>two</label><input id='x'>", "one two"),
        ("<label>before <input id='x' value=no> after</label>", "before after"),
        (
            "<label for='x'>every <input value=5> <select><option>no<option selected>days</select></label><input id='x' type=checkbox>",
            "every 5 days",
        ),
        (
            "<label for='x'>at <span role=slider aria-valuenow=3 aria-valuetext=low></span></label><input id='x'>",
            "at low",
        ),
        (
            "<label for='x'>pick <ul role=listbox><li role=option>no<li role=option aria-selected=true>this</ul></label><input id='x'>",
            "pick this",
        ),
        (
            "<label for='x'>with <input type=password value=abc></label><input id='x'>",
            "with \u{2022}\u{2022}\u{2022}",
        ),
        ("<label for='x'><img alt=picture src=''></label><input id='x'>", "picture"),
        // Labels that refer to one another end somewhere.
        (
            "<label for='x' aria-labelledby=round>one</label><button id='x'></button><label for=round aria-labelledby='x'>two</label><button id=round></button>",
            "two",
        ),
        // What else an author says, and in which order.
        ("<input id='x' title=title placeholder=hint>", "title"),
        ("<input id='x' placeholder=hint>", "hint"),
        ("<input id='x' type=reset>", "Reset"),
        ("<input id='x' type=image alt=picture title=title>", "picture"),
        ("<fieldset id='x'><legend>Legend <b>here</b></legend>no</fieldset>", "Legend here"),
        ("<table id='x'><caption>Caption</caption><tr><td>no</table>", "Caption"),
        ("<figure id='x'><figcaption>Caption</figcaption></figure>", "Caption"),
        ("<svg id='x' width=9 height=9><title>Drawing</title></svg>", "Drawing"),
        ("<img id='x' title=title src='' width=9 height=9>", "title"),
        ("<button id='x' title=title></button>", "title"),
        ("<button id='x' title=no>yes</button>", "yes"),
        // Content: what is drawn, as it is read.
        ("<button id='x'>a<b>b</b><i>c</i> <div>d</div>e<br>f</button>", "abc d e f"),
        ("<button id='x'>a<img alt=b src=''>c</button>", "a b c"),
        (
            "<button id='x'>a<i hidden>b</i><i style='visibility:hidden'>c</i><i aria-hidden=true>d</i></button>",
            "a",
        ),
        ("<button id='x'><i aria-label=a>no</i><i title=no>b</i></button>", "a b"),
        ("<button id='x' class=marked>text</button>", "before text after"),
        ("<button id='x' aria-owns=owned>own</button><i id=owned>owned</i>", "own owned"),
        ("<h2 id='x'>Total <input value=5> items</h2>", "Total 5 items"),
        ("<a id='x' href='#'>Open <ul role=menu><li role=menuitem>no</ul></a>", "Open"),
        ("<div role='nonsense link' id='x'>Word</div>", "Word"),
        (
            "<div role=treeitem id='x'>Branch<div role=group><div role=treeitem>no</div></div></div>",
            "Branch",
        ),
        // Who can be read is not called after what is shown under the pointer.
        ("<div id='x' title=no>Words</div>", "Words"),
        ("<li id='x'>One <b>item</b></li>", "One item"),
        // Shadow trees and their slots.
        (
            "<p><span><template shadowrootmode=open><button id='x'>in <slot></slot></button></template>light</span></p>",
            "in light",
        ),
        (
            "<p><span><template shadowrootmode=open><button id='x' aria-labelledby=s></button><i id=s>shade</i></template></span></p>",
            "shade",
        ),
        (
            "<h3 id='x'><x-a><template shadowrootmode=open><slot name=b></slot> then</template>no<i slot=b>first</i></x-a></h3>",
            "first then",
        ),
    ];
    check_names(&rules);
}

/// What a name leaves out, and what it does not.
#[test]
fn names_with_parts_of_other_kinds() {
    let rules = [
        (
            "<button id='x' aria-labelledby='f g'>no</button><i id=f>File <u id=g><b>one</b></u></i>",
            "File one one",
        ),
        (
            "<button id='x' aria-labelledby=h>no</button><i id=h hidden>two<b>lines</b></i>",
            "two lines",
        ),
        (
            "<button id='x' aria-labelledby=p>no</button><i id=p><i role=group>a part</i></i>",
            "a part",
        ),
        // What is empty, or drawn, is no text.
        ("<button id='x'>Down<i></i>load</button>", "Download"),
        (
            "<style>.one::before { content: url(menu.svg) }</style><button id='x' class=one>Menu</button>",
            "Menu",
        ),
        (
            "<style>.two::before { content: url(menu.svg) / 'open' }</style><button id='x' class=two>Menu</button>",
            "open Menu",
        ),
        (
            "<style>.three::before { content: counters(a, '.') }</style><button id='x' class=three>One</button>",
            "One",
        ),
        // Captions and legends have names of their own.
        ("<fieldset id='x'><legend aria-label=label>no</legend></fieldset>", "label"),
        ("<table id='x' title=title><caption hidden>no</caption><tr><td></table>", "title"),
        ("<input id='x' type=checkbox placeholder=no title=title>", "title"),
    ];
    check_names(&rules);
}

/// The glyphs of icon fonts, from each area for private use, are no part of what is said.
#[test]
fn glyphs_of_icon_fonts_are_left_out() {
    check_names(&[
        ("<button id='x'>&#xf013; Settings</button>", "Settings"),
        ("<a id='x' href='#'><i>&#xe5d2;</i>Menu<i>&#xf8ff;</i></a>", "Menu"),
        ("<button id='x'>Save&#xf0001;now&#x10fffd;</button>", "Save now"),
        ("<p id='x'>&#xf111; A <b>sentence&#xf112;</b></p>", "A sentence"),
        ("<p id='x'>Not private: \u{1f600} \u{2605}</p>", "Not private: \u{1f600} \u{2605}"),
        // With nothing else in it, it is called by what comes next.
        ("<button id='x' title=Close>&#xf00d;</button>", "Close"),
        ("<button id='x'>&#xf00d;</button>", ""),
        ("<a id='x' href='#' aria-label='&#xf00d;'>Close</a>", "Close"),
        ("<input id='x' type=submit value='&#xf002;' title=Search>", "Search"),
        ("<input id='x' placeholder='&#xf002; Search'>", "Search"),
        ("<input id='x' title='&#xf002;' placeholder=Search>", "Search"),
        ("<img id='x' alt='&#xf002;' title=Search src='' width=9 height=9>", "Search"),
        (
            "<style>.font::before { content: '\\f013' } .spoken::before { content: '\\f013' / 'gear' }</style><button id='x' class=font>Set</button>",
            "Set",
        ),
        ("<button id='x' class=spoken>Set</button>", "gear Set"),
        ("<button id='x' class=font title=Gear></button>", "Gear"),
    ]);
    check(&[
        (
            "<select id='x'><option>&#xf004; Heart</select>",
            r#"combobox "" "Heart" "" CLICKABLE EDITABLE"#,
        ),
        (
            "<input id='x' placeholder='&#xf002; Find' aria-label=Search>",
            r#"field "Search" "" "Find" CLICKABLE EDITABLE"#,
        ),
        // What somebody typed is what is in the field.
        (
            "<input id='x' value='&#xf002;' aria-label=Any>",
            "field \"Any\" \"\\u{f002}\" \"\" CLICKABLE EDITABLE",
        ),
    ]);
}

#[test]
fn glyphs_that_come_and_go_are_left_out() {
    let mut visit = Visit::to(
        "<button id='more' title='More'>Menu</button><select id='fruit'><option>None<option>&#xf5d1; Apple</select>
         <script>
         on('more', 'click', () => {
           $('more').firstChild.data = $('more').firstChild.data === 'Menu' ? '\\uf013' : '\\uf014 Menu';
         });
         </script>",
        "",
    );
    assert_eq!(visit.click("more").text("more"), "More");
    assert_eq!(visit.click("more").text("more"), "Menu");
    // It is chosen by what is shown.
    visit.types("fruit", "Apple");
    assert_eq!(visit.text("fruit"), "Apple");
}

#[test]
fn what_is_in_a_closed_shadow_tree_is_there() {
    let mut visit = Visit::to(
        "<my-box id=host>light</my-box><script>
         customElements.define('my-box', class extends HTMLElement {
           constructor() {
             super();
             const root = this.attachShadow({ mode: 'closed' });
             say([this.shadowRoot, root.childNodes.length].join());
             root.innerHTML = '<button id=inner>in <slot></slot></button><input id=field>';
             root.firstChild.onclick = ran;
           }
         });
         </script>",
        "",
    );
    assert_eq!(visit.said(), ",0", "the page sees nothing of it");
    assert_eq!(visit.text("inner"), "in light");
    visit.click("inner").types("field", "x");
    assert_eq!((visit.said().as_str(), visit.text("field")), ("click", "x"));
    assert!(visit.is("field", State::FOCUSED));
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
