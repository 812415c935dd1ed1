//! A page that has broken whatever a script could lean on: we see it as it is, and it works as it
//! would without us.

use crate::visit::Visit;
use capuchin_ui::{Event, Selector, State, Target};

fn open(query: &str, options: &str) -> Visit {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web");
    Visit::at(&format!("{root}/driver/hostile.html{query}"), &format!("root={root} {options}"))
}

#[test]
fn a_hostile_page_is_seen_as_it_is() {
    let mut visit = open("", "");
    for id in ["harmless", "styles", "same-id", "leak", "missing", "refused", "reload", "harmless"]
    {
        visit.click(id);
        assert_eq!(visit.text("title"), "Hostile", "{id}");
        assert!(visit.is("harmless", State::CLICKABLE), "{id}");
    }
    assert_eq!(visit.text("log"), "harmless");
    visit.click("huge");
    // Nobody reads more than a few lines of a label.
    assert!(visit.text("log").len() <= 400 && visit.text("log").starts_with("a huge text"));
    visit.click("remove");
    assert!(visit.seen.screen.first(&Selector::id("remove")).is_none());
    visit.click("leave").click("harmless");
    for (id, message) in [
        ("throw", "RangeError: thrown on purpose"),
        ("throw-text", "a text, and no error"),
        ("deep", "RangeError: Maximum call stack size exceeded"),
    ] {
        visit.again(2).tries(&Event::Click(Target::id(id)));
        assert_eq!(visit.crash(), message);
    }
}

#[test]
fn a_page_that_loads_itself_for_ever_is_no_end() {
    let mut visit = open("?tame", "patience=1000");
    visit.tries(&Event::Click(Target::id("reloads")));
    for _ in 0..3 {
        visit.tries(&Event::Click(Target::id("harmless")));
        assert_eq!(visit.seen.crash, None);
    }
    visit.again(2).click("harmless");
    assert_eq!((visit.text("log"), visit.seen.unsettled.as_deref()), ("harmless", None));
}

#[test]
fn a_page_of_thousands_is_seen_whole() {
    let mut visit = open("?tame&big", "");
    let buttons = visit.seen.screen.elements.iter().filter(|one| one.id.starts_with("b-")).count();
    assert_eq!(buttons, 5000);
    // The last of them is scrolled to.
    visit.click("b-5000");
    assert_eq!(visit.text("log"), "b-5000");
}

/// It is slow, and that is no hang: nothing that we do for each element looks at all others.
#[test]
fn a_page_of_tens_of_thousands_does_not_hang() {
    let page = r#"
        <div id="rows"></div>
        <script>
        $('rows').innerHTML = Array.from({ length: 20000 }, (_, i) => `<button id="b${i}">Press ${i}</button>`).join('');
        $('rows').onclick = event => say(event.target.id);
        </script>"#;
    let mut visit = Visit::to(page, "");
    assert_eq!((visit.seen.crash.as_ref(), visit.seen.unsettled.as_deref()), (None, None));
    assert_eq!(visit.click("b19999").said(), "b19999");
}

/// The page answers at once; it is we who need long to see what covers what.
#[test]
fn a_page_that_takes_us_long_to_look_at_does_not_hang() {
    let blocks = "<div>block</div>".repeat(40_000);
    let buttons: String = (0..800)
        .map(|n| {
            let (x, y) = (n % 40 * 20, n / 40 * 20);
            format!("<button id=b{n} style='position:absolute;left:{x}px;top:{y}px;width:18px;height:18px'></button>")
        })
        .collect();
    let script = "<script>onclick = event => say(event.target.id)</script>";
    let mut visit = Visit::to(&format!("{blocks}{buttons}{script}"), "hang=1500");
    assert_eq!((visit.seen.crash.as_ref(), visit.seen.unsettled.as_deref()), (None, None));
    assert_eq!(visit.click("b799").said(), "b799");
}

/// Nothing of it can be seen, and it is not the end of anything.
#[test]
fn a_page_that_loads_itself_for_ever_is_left_behind() {
    let page = r#"
        <button id="loop" onclick="sessionStorage.loop = 1; location.reload()">Loop</button>
        <button id="here" onclick="say('here')">Here</button>
        <script>if (sessionStorage.loop) location.reload()</script>"#;
    let mut visit = Visit::to(page, "patience=500");
    for seed in 2..4 {
        visit.click("loop");
        assert!(visit.seen.unsettled.is_some());
        visit.does(&Event::ClickBack).does(&Event::ClickMenu);
        visit.again(seed).click("here");
        assert_eq!(visit.said(), "here");
    }
}

/// If anything of it can be seen at all, it is not at rest.
#[test]
fn an_app_that_never_shows_anything_is_not_well() {
    let mut visit = Visit::to("<script>location.reload()</script>", "patience=500");
    for seed in 2..4 {
        let message = visit.seen.crash.as_ref().map(|crash| crash.message.as_str());
        let is_known = message == Some("the page loads itself again and again");
        assert!(is_known || visit.seen.unsettled.is_some(), "{:?}", visit.seen);
        visit.again(seed);
    }
}

/// A field of a form and an image of a document are properties of these, by their names: in a form
/// with a field of the name `parentNode`, `form.parentNode` is the field.
#[test]
fn names_that_hide_what_the_browser_says_hide_nothing_from_us() {
    let of_elements = "parentNode parentElement childNodes children firstChild firstElementChild \
        nextSibling nextElementSibling nodeType nodeName tagName localName namespaceURI ownerDocument \
        isConnected getRootNode contains textContent innerText shadowRoot assignedSlot host id title \
        name className classList style attributes dataset hasAttributes getAttributeNames getAttribute \
        hasAttribute checkVisibility getBoundingClientRect getClientRects closest matches \
        querySelector querySelectorAll clientLeft clientTop clientWidth clientHeight scrollLeft \
        scrollTop scrollWidth scrollHeight scrollIntoView scrollBy dispatchEvent addEventListener \
        focus blur draggable isContentEditable hidden inert ariaOwnsElements ariaLabelledByElements \
        getAnimations open type value labels control";
    let of_documents = "documentElement scrollingElement body head activeElement styleSheets \
        adoptedStyleSheets readyState defaultView querySelector querySelectorAll getElementById \
        getElementsByTagName createElement createRange getSelection elementFromPoint getAnimations \
        dispatchEvent addEventListener nodeType cookie title hidden visibilityState hasFocus \
        fullscreenElement timeline fonts createEvent";
    let form = |name: &str| {
        format!(
            "<form class=c aria-label='about {name}' onsubmit='return false'>
             <input id='in-{name}' name='{name}'>
             <button id='go-{name}' onclick=\"say('{name}')\">Go {name}</button></form>"
        )
    };
    let image = |name: &str| format!("<img name='{name}' alt='{name}'>");
    let forms: String = of_elements.split_whitespace().map(form).collect();
    let images: String = of_documents.split_whitespace().map(image).collect();
    let mut visit = Visit::to(&forms, "");
    for name in of_elements.split_whitespace() {
        let field = format!("in-{name}");
        visit.types(&field, "hello").click(&format!("go-{name}"));
        assert_eq!((visit.said().as_str(), visit.element(&field).value.as_str()), (name, "hello"));
        assert_eq!(visit.seen.lacked, [], "{name}");
    }
    let here = "<input id=in><button id=here onclick=\"this.textContent = 'went'\">Here</button>";
    let mut visit = Visit::to(&format!("{images}{here}"), "");
    visit.types("in", "hello").click("here");
    assert_eq!((visit.text("here"), visit.element("in").value.as_str()), ("went", "hello"));
    assert_eq!(visit.seen.lacked, []);
}
