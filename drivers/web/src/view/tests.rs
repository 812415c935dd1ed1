//! Tests of the view. The largest of them is why they are in a file of their own: whatever a page
//! does to itself, a look that asks only for what changed sees what a look at everything sees.

mod mutations;

use super::*;
use crate::{Opener, Options, Server};
use capuchin_ui::{Device, Event, Rng, Target};
use std::fmt::Write;

#[test]
fn a_frame_is_needed_once_for_each_state() {
    let mut view = View::new();
    assert!(!view.needs_frame(), "nothing in the page waits for one");
    view.head.due = 4;
    assert!(view.needs_frame());
    view.note_frame();
    assert!(!view.needs_frame());
    view.expect_frame();
    assert!(view.needs_frame());
    view.note_frame();
    view.restart();
    assert!(view.needs_frame() && view.is_stale);
}

#[test]
fn looking_is_not_the_pages_time() {
    let hang = Duration::from_secs(5);
    let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds));
    let mut clock = LookClock::default();
    assert!(!clock.hear("a snapshot"));
    assert_eq!(clock.spent(hang), Duration::ZERO);
    assert!(clock.hear(LOOK_BEGINS));
    clock.heard = ago(3);
    assert_eq!(clock.spent(hang).as_secs(), 3);
    assert!(clock.hear(LOOK_GOES_ON));
    clock.heard = ago(60);
    assert_eq!(clock.spent(hang).as_secs(), 8, "nobody waits for one that is not going on");
    // The look before it has come to nothing.
    assert!(clock.hear(LOOK_BEGINS));
    clock.end();
    assert_eq!(clock.spent(hang).as_secs(), 3);
}

#[test]
fn the_first_reason_for_unrest_stays() {
    let mut view = View::new();
    view.note_unsettled("first".to_owned());
    view.note_unsettled("second".to_owned());
    assert_eq!(view.unsettled.as_deref(), Some("first"));
}

/// What stands in the pages that change: what depends on other elements, on styles, on the pointer.
const PIECES: &[&str] = &[
    "<div class=K>INSIDE</div>",
    "<p id=N class=K>INSIDE</p>",
    "<span class=K>INSIDE</span>",
    "<button class=K aria-labelledby='N N'>INSIDE</button>",
    "<a href='#' id=N class=K>INSIDE</a>",
    "<ul class=K><li>INSIDE<li class=K>INSIDE</ul>",
    "<label for=N class=K>INSIDE</label>",
    "<input id=N value=V placeholder=P class=K>",
    "<input type=checkbox id=N><label class=K>INSIDE</label>",
    "<select id=N><option>one<option>two</select>",
    "<h2 aria-label=L class=K>INSIDE</h2>",
    "<fieldset id=N><legend class=K>INSIDE</legend>INSIDE</fieldset>",
    "<table class=K><caption>INSIDE</caption><tr><td>INSIDE<td class=K>INSIDE</table>",
    "<details id=N><summary>INSIDE</summary>INSIDE</details>",
    "<div role=listbox class=K><i role=option aria-selected=true>INSIDE</i></div>",
    "<b aria-owns=N title=T class=K></b>",
    "<x-a class=K><template shadowrootmode=open><button><slot></slot> in</button></template>INSIDE</x-a>",
    "<div class=o><p>one<p>two<p>INSIDE</div>",
    "<svg width=9 height=9 id=N><title>S</title></svg><img alt=A width=9 height=9>",
    "<iframe height=50 srcdoc='<button>in a frame</button>'></iframe>",
];
const CLASSES: &[&str] = &[
    "h", "v", "p", "a", "b", "o", "f", "abs", "fix", "st", "fl", "g", "t", "blk", "row", "x", "cv",
    "c", "pe", "",
];
const STYLES: &str = "
    .h { display: none } .v { visibility: hidden } .p { cursor: pointer } .a::after { content: 'aft' }
    .b::before { content: 'bef' / 'alt' } button:hover::after { content: 'tip' }
    .row:hover .x::before { content: 'deep' } .o { overflow: auto; height: 40px } .f { float: left }
    .abs { position: absolute; left: 30px; top: 30px } .fix { position: fixed; right: 0; top: 0 }
    .st { position: sticky; top: 0 } .fl { display: flex } .g { display: grid; grid-template-columns: 1fr 1fr }
    .t { transform: translate(5px, 9px) } .blk { display: block } :checked + label::after { content: 'on' }
    input:focus ~ span { font-size: 30px } .row:focus-within { padding: 5px }
    .cv { content-visibility: auto } .c { display: contents } .pe { pointer-events: none }
    #change { position: fixed; left: 0; bottom: 0; z-index: 9 }";
/// What such a page does to one of its elements when it is told to: all that a document has, and
/// nothing that an observer would tell.
const CHANGES: &str = r##"
    el => el.textContent = 'text' + r(), el => el.append(' more' + r()), el => el.classList.toggle(k()),
    el => el.remove(), el => el.hidden = !el.hidden, el => el.parentNode.prepend(el),
    el => el.setAttribute('aria-label', 'label' + r()), el => el.removeAttribute('aria-label'),
    el => el.id = 'n' + r(12), el => el.value = 'v' + r(), el => el.checked = !el.checked,
    el => el.scrollTop += 15, el => scrollTo(0, r(400)), el => el.style.width = 50 + r(200) + 'px',
    el => document.styleSheets[0].insertRule(`.${k()} { display: ${['none', 'block', 'inline'][r(3)]} }`, 0),
    el => document.styleSheets[0].deleteRule(0), el => el.firstChild.data = 'data' + r(),
    el => el.attachShadow({ mode: ['open', 'closed'][r(2)] }).innerHTML = '<b>shade</b><slot></slot>',
    el => el.shadowRoot.innerHTML = '<p>again</p><slot></slot>', el => el.replaceWith(...el.childNodes),
    el => el.style.transform = `translateX(${r(50)}px)`, el => el.focus(),
    el => document.documentElement.classList.toggle('z'), el => el.slot = 'n', el => el.after(el.cloneNode(true)),
    el => document.querySelector('iframe').contentDocument.body.append('framed'), el => el.open = !el.open,
    el => el.toggleAttribute('inert'), el => el.role = ['button', 'none', 'heading', 'group'][r(4)],
    el => { const { parentNode, nextSibling } = el; el.remove(); el.append('away'); parentNode.insertBefore(el, nextSibling) },
    el => { el.popover = 'auto'; el.togglePopover() }, el => el.selectedIndex = r(2), el => el.type = ['text', 'submit'][r(2)],
    el => { const sheet = new CSSStyleSheet(); sheet.replaceSync(`.${k()}::after { content: 'sheet' }`);
            document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet] },
    el => el.setAttribute('aria-hidden', !r(2)), el => el.insertAdjacentHTML('beforeend', `<i id=n${r(12)}>new</i>`)"##;

fn piece(rng: &mut Rng, depth: u32) -> String {
    let piece = PIECES[rng.below(PIECES.len() as u64) as usize];
    let mut html = String::new();
    let mut rest = piece;
    while let Some((before, after)) = rest.split_once("INSIDE") {
        html.push_str(before);
        match rng.below(3) {
            0 | 1 if depth < 4 => html.push_str(&self::piece(rng, depth + 1)),
            _ => write!(html, " w{} ", rng.below(90)).unwrap(),
        }
        rest = after;
    }
    html.push_str(rest);
    let class = CLASSES[rng.below(CLASSES.len() as u64) as usize];
    let html = html.replace("class=K", &format!("class='{class}'"));
    html.replace("=N", &format!("=n{}", rng.below(12))).replace("N N", "n1 n2")
}

fn page(rng: &mut Rng) -> String {
    let body: String = (0..9).map(|_| piece(rng, 0)).collect();
    let (seed, classes) = (rng.below(1 << 30), CLASSES.join(" "));
    format!(
        "<!doctype html><title>Changing</title><style>{STYLES}</style><body>{body}<button id=change>Change</button><script>
        let seed = {seed};
        const r = (n = 100) => (seed = (seed * 16807 + 7) % 2147483647) % n;
        const k = () => {{ const all = '{classes}'.split(' ').filter(Boolean); return all[r(all.length)] }};
        const changes = [{CHANGES}];
        document.getElementById('change').onclick = () => {{
          const all = [...document.body.querySelectorAll(':not(script, style, #change)')];
          for (let n = r(3); n >= 0 && all.length; n--) {{
            const el = all[r(all.length)];
            try {{ changes[r(changes.length)](el) }} catch {{}}
          }}
        }};
        </script>"
    )
}

/// An event somewhere on the page.
fn event(rng: &mut Rng, screen: &Screen) -> Event {
    let names = screen.names();
    let any = rng.below(screen.elements.len().max(1) as u64) as usize;
    let target = Target::from(names.of(any));
    match rng.below(9) {
        0 => Event::Hover(target),
        1 => Event::Click(target),
        2 => Event::Type(target, "x".into()),
        3 => Event::Press("Tab".into()),
        _ => Event::Click(Target::id("change")),
    }
}

#[test]
fn a_look_for_changes_sees_what_a_look_at_everything_sees() {
    let directory = tempfile::tempdir().unwrap();
    let show = |html: &str| std::fs::write(directory.path().join("index.html"), html).unwrap();
    let mut rng = Rng::new(7);
    show(&page(&mut rng));
    let server = Server::start(directory.path()).unwrap();
    let options =
        Options::parse(&format!("{}/ crash=-exceptions,-hangs", server.origin())).unwrap();
    let mut device = Opener::new("web:page", options).open().unwrap();
    for number in 0..12 {
        show(&page(&mut rng));
        device.reset(number).unwrap();
        let mut events = Vec::new();
        for step in 0..45 {
            let event = event(&mut rng, &device.view.screen);
            device.perform(&event).unwrap();
            events.push(event.to_string());
            // What is known is lost by a look at everything: so not after each event.
            if step % 3 < 2 {
                continue;
            }
            let text: String = device.ask_collector("collect(true)").unwrap();
            let (_, whole) = snapshot::read(&text, &Arc::default()).unwrap();
            let whole = whole.unwrap();
            let seen = &device.view.screen;
            let differs = |(one, other): &(_, _)| one != other;
            let wrong = seen.elements.iter().zip(&whole.elements).find(differs);
            assert!(wrong.is_none(), "page {number}: {wrong:#?}\n{}", events.join(", "));
            assert_eq!(seen.elements.len(), whole.elements.len(), "page {number}: {events:?}");
        }
    }
}
