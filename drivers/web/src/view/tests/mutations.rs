//! One mutation of a document after the other, each followed by a look that asks only for what
//! changed: it must see what a look at everything sees.
//!
//! On its own because it goes without a mouse and without waiting, which makes it quick enough for
//! many mutations of every kind that a name depends on. What a pointer does is in `tests.rs`.

use super::super::snapshot;
use crate::device::WebDevice;
use crate::protocol_types::Evaluated;
use crate::{Opener, Options, Server};
use capuchin_ui::{Device, Rng, Screen};
use serde_json::json;
use std::sync::Arc;

/// What stands in the pages: in each, names depend on something that is elsewhere. `N` is the
/// number of the piece, so that each has ids of its own, and `M` that of another one.
const PIECES: &[&str] = &[
    "<button id=bN aria-labelledby='xN yN'>own</button><p><span id=xN>first</span></p>\
     <div><i id=yN>second <b>deep</b></i></div>",
    "<label for=fN>Field <span>of <i>N</i></span></label><input id=fN placeholder=hint>",
    "<label>Around <b>it</b> <input type=checkbox> <span class=k1>after</span></label>",
    "<x-a id=hN>light <b slot=s>named</b><template shadowrootmode=open>\
     <button>in <slot></slot> <slot name=s>none</slot></button></template></x-a>",
    "<div class=closed id=hN>light <b slot=s>named</b></div>",
    "<button id=bN class=k1>icon <span class=k2></span></button>",
    "<a href='#N' class=k3 data-x=datum>link <img alt=picture width=9 height=9></a>",
    "<input type=checkbox id=cN><label for=cN class=k4>ticked</label> <span class=k4>sibling</span>",
    "<details id=dN><summary>Sum <b class=k1>mary</b></summary>inside <button>hid</button></details>",
    "<fieldset><legend>Legend <b>N</b></legend><input aria-label=within></fieldset>",
    "<table><caption>Caption <i>N</i></caption><tr><td>cell <b>one</b><td class=k2>two</table>",
    "<h2 title=tip>Head <span aria-hidden=true>unheard</span><span hidden>hidden</span></h2>",
    "<button id=bN aria-owns=oN>owner</button><p id=oN>owned <b>text</b></p>",
    "<button>holds <input value=typed size=4> <select><option>one<option>two</select></button>",
    "<svg width=9 height=9 role=img id=gN><title>drawn</title></svg><figure><figcaption>fig\
     </figcaption><img alt='' width=9 height=9></figure>",
    "<p id=pN>A phrase with <b>bold</b> and <a href='#M'>linked</a> words</p>",
    "<ul class=k5><li>item <b>N</b><li><span class=k2>styled</span></ul>",
    "<button aria-labelledby='bM xM'>of another</button><span aria-describedby=pM>x</span>",
    "<div role=button tabindex=0 id=rN><span class=k1>made <b>of</b></span> parts</div>",
    "<label for=bM>Label of another</label><output id=uN for=fM>out</output>",
];

/// Styles that hide something, or change what is one sentence.
const STYLES: &str = "
    .n { display: none } .i { visibility: hidden } .b { display: block } .c { display: contents }
    .s { visibility: visible } .k4 { display: block }";
/// Styles that say something: of the element alone, of what is beside it, and of what is in it. A
/// page has some of them, because each makes more of the page unknown after a mutation.
const SAYING: [&str; 3] = [
    ".k1::before { content: 'before ' } .k2::after { content: 'after' / 'said' }
     .k3::before { content: attr(data-x) } .z .k1::before { content: 'other ' }
     details[open] .k1::after { content: ' open' }",
    ":checked ~ .k4::after { content: ' on' } .k5 > :first-child::before { content: '1st ' }
     :disabled + .k2::before { content: 'off' } .k1 + *::before { content: 'next ' }",
    "p:has(> .k1)::after { content: 'has' } button:has(b)::before { content: 'bold ' }",
];

/// Mutations of an element `e`; `o` is another one. `r(n)` is a random number, `w()` a word.
const MUTATIONS: &str = r##"
    e => e.textContent = w(), e => e.append(' ' + w()), e => e.prepend(w() + ' '),
    e => text(e).data = w(), e => text(e).remove(), e => e.normalize(),
    e => e.remove(), e => o().append(e), e => o().before(e), e => e.replaceWith(...e.childNodes),
    e => e.after(e.cloneNode(true)), e => e.insertAdjacentHTML('beforeend', `<i>${w()}</i>`),
    e => e.innerHTML = `<b>${w()}</b> ${w()}`, e => e.replaceChildren(...[...e.childNodes].reverse()),
    e => e.hidden = !e.hidden, e => e.classList.toggle(k()), e => e.className = k(),
    e => e.style.display = ['', 'none', 'block', 'inline', 'contents'][r(5)],
    e => e.style.visibility = ['', 'hidden', 'visible'][r(3)],
    e => e.setAttribute('aria-label', w()), e => e.removeAttribute('aria-label'),
    e => e.setAttribute('aria-labelledby', id() + ' ' + id()), e => e.removeAttribute('aria-labelledby'),
    e => e.setAttribute('aria-owns', id()), e => e.removeAttribute('aria-owns'),
    e => e.setAttribute('aria-hidden', ['true', 'false'][r(2)]), e => e.removeAttribute('aria-hidden'),
    e => e.id = id(), e => e.removeAttribute('id'), e => e.setAttribute('for', id()),
    e => e.title = w(), e => e.removeAttribute('title'), e => e.setAttribute('alt', w()),
    e => e.removeAttribute('alt'), e => e.setAttribute('placeholder', w()),
    e => e.setAttribute('data-x', w()), e => e.setAttribute('value', w()),
    e => e.role = ['button', 'none', 'heading', 'group', 'img', 'textbox'][r(6)],
    e => e.removeAttribute('role'), e => e.slot = ['', 's', 't'][r(3)], e => e.setAttribute('name', 's'),
    e => e.open = !e.open, e => e.toggleAttribute('open'), e => e.toggleAttribute('disabled'),
    e => e.value = w(), e => e.checked = !e.checked, e => e.selectedIndex = r(2),
    e => e.type = ['text', 'submit', 'checkbox', 'search'][r(4)],
    e => shadow(e).innerHTML = `<p>${w()}</p><slot></slot><button><slot name=s></slot></button>`,
    e => shadow(e).append(w()), e => shadow(e).querySelector('slot').remove(),
    e => shadow(e).querySelector('slot').name = ['', 's', 't'][r(3)],
    e => shadow(e).querySelector('*').setAttribute('aria-label', w()),
    e => shadow(e).append(Object.assign(document.createElement('style'),
         { textContent: `slot::after { content: '${w()}' } button::before { content: '${w()}' }` })),
    e => document.body.classList.toggle('z'),
    e => document.styleSheets[0].insertRule(`.${k()}::${['before', 'after'][r(2)]} { content: '${w()}' }`, 0),
    e => document.styleSheets[0].deleteRule(0),
    e => document.querySelector('style').append(`.${k()} { display: ${['none', 'block'][r(2)]} }`),
    e => { e.remove(); e.append(w()); o().append(e) }, e => { const t = text(e); o().append(t) },
    e => { e.id = id(); e.textContent = w() }, e => { e.hidden = !e.hidden; o().append(w()) }"##;

/// How many pages are tried, and how often each is mutated.
const PAGES: u64 = 60;
const MUTATED: u32 = 50;

fn page(rng: &mut Rng) -> String {
    let mut body = String::new();
    for number in 0..6 {
        let piece = PIECES[rng.below(PIECES.len() as u64) as usize];
        let other = rng.below(6).to_string();
        body += &piece.replace('N', &number.to_string()).replace('M', &other);
    }
    let saying = SAYING[..rng.below(SAYING.len() as u64 + 1) as usize].concat();
    let seed = 1 + rng.below(1 << 30);
    format!(
        "<!doctype html><title>Mutations</title><style>{STYLES}{saying}</style><body>{body}<script>
        let seed = {seed};
        const r = n => (seed = (seed * 16807) % 2147483647) % n;
        const w = () => ['red', 'green', 'blue', 'grey'][r(4)] + r(90);
        const k = () => 'k1 k2 k3 k4 k5 n i b c s'.split(' ')[r(10)];
        const id = () => 'bxyfhcdoprug'[r(12)] + r(6);
        const roots = new Map();
        for (const e of document.querySelectorAll('.closed')) {{
          roots.set(e, e.attachShadow({{ mode: 'closed' }}));
          roots.get(e).innerHTML = '<button><slot></slot> shut <slot name=s></slot></button>';
        }}
        const all = () => [...document.body.querySelectorAll(':not(script, style)')];
        const o = () => {{ const list = [document.body, ...all()]; return list[r(list.length)] }};
        const shadow = e => {{
          const hosts = all().filter(it => it.shadowRoot || roots.has(it));
          const host = hosts[r(hosts.length)] ?? e;
          return host.shadowRoot ?? roots.get(host) ?? host.attachShadow({{ mode: 'open' }});
        }};
        const text = e => {{
          const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
          const list = [];
          while (walker.nextNode()) list.push(walker.currentNode);
          return list[r(list.length)];
        }};
        const mutations = [{MUTATIONS}];
        window.mutate = () => {{
          const list = all();
          const e = list[r(list.length)], number = r(mutations.length);
          const before = e.outerHTML.slice(0, 200);
          try {{ mutations[number](e) }} catch {{}}
          return `${{mutations[number]}} on ${{before}}`;
        }};
        </script>"
    )
}

/// One mutation, and what it was.
fn mutate(device: &mut WebDevice) -> String {
    run(device, "mutate()")
}

/// What a script of the page comes to.
fn run(device: &mut WebDevice, script: &str) -> String {
    let params = json!({"expression": script, "returnByValue": true});
    let evaluated: Evaluated = device.ask("Runtime.evaluate", params).unwrap();
    evaluated.value().unwrap()
}

fn look(device: &mut WebDevice, is_whole: bool, before: &Arc<Screen>) -> Arc<Screen> {
    let text: String = device.ask_collector(format_args!("collect({is_whole})")).unwrap();
    snapshot::read(&text, before).unwrap().1.unwrap()
}

#[test]
fn after_each_mutation_a_look_for_changes_sees_what_a_look_at_everything_sees() {
    let directory = tempfile::tempdir().unwrap();
    let show = |html: &str| std::fs::write(directory.path().join("index.html"), html).unwrap();
    show(&page(&mut Rng::new(1)));
    let server = Server::start(directory.path()).unwrap();
    let options = Options::parse(&format!("{}/ crash=-exceptions", server.origin())).unwrap();
    let mut device = Opener::new("web:page", options).open().unwrap();
    for number in 1..=PAGES {
        let mut rng = Rng::new(number);
        show(&page(&mut rng));
        device.reset(number).unwrap();
        let mut seen = look(&mut device, true, &Arc::default());
        let mut since = Vec::new();
        for _ in 0..MUTATED {
            since.push(mutate(&mut device));
            seen = look(&mut device, false, &seen);
            // A look at everything forgets what is known: what several looks know is tried as well.
            if rng.below(3) > 0 {
                continue;
            }
            let whole = look(&mut device, true, &Arc::default());
            let differs = |(one, other): &(_, _)| one != other;
            let wrong = seen.elements.iter().zip(&whole.elements).find(differs);
            assert!(wrong.is_none(), "page {number}: {wrong:#?}\n{}", since.join("\n"));
            assert_eq!(seen.elements.len(), whole.elements.len(), "page {number}: {since:?}");
            seen = whole;
            since.clear();
        }
    }
}

/// What chance seldom finds: a body, and scripts with a look after each. Each needs one rule of
/// known.js, elements.js or walk.js.
const CASES: &[(&str, &[&str])] = &[
    // The place among siblings, and what a sibling is.
    (
        "<style>.f > :first-child::before { content: '1st ' }</style><ul class=f><li>a<li>b</ul>",
        &["document.querySelector('li').remove()"],
    ),
    (
        "<style>.on + p::before { content: 'on ' }</style><b id=b></b><p>text</p>",
        &["b.className = 'on'", "b.className = ''"],
    ),
    (
        "<style>:checked + p::after { content: ' on' }</style><input type=checkbox id=b><p>text</p>",
        &["b.checked = true", "b.checked = false"],
    ),
    (
        "<style>p:has(b)::after { content: ' has' }</style><p>text</p>",
        &["document.querySelector('p').innerHTML = '<b>x</b>'"],
    ),
    // What is referred to and not drawn any more.
    (
        "<button aria-labelledby=y>x</button><div id=d><i id=y>second <b>deep</b>end</i></div>",
        &["d.attachShadow({ mode: 'open' })"],
    ),
    // A shadow tree where nobody looks.
    (
        "<div role=button id=r hidden><span id=s>made <b>of</b></span> parts</div>",
        &["s.attachShadow({ mode: 'open' })"],
    ),
    // What changes while it is nowhere.
    (
        "<p id=p><button id=b>one <b>two</b></button></p>",
        &[
            "window.kept = b; kept.remove()",
            "kept.lastChild.textContent = 'three'",
            "p.append(kept)",
        ],
    ),
    // What is shown without a mutation.
    (
        "<h2 id=h>Head <span popover=manual id=q>tip</span></h2>",
        &["q.showPopover()", "q.hidePopover()"],
    ),
    // What is in slots.
    (
        "<div id=d>light</div>",
        &[
            "d.attachShadow({ mode: 'open' }).innerHTML = '<button>in <slot></slot></button>'",
            "d.firstChild.data = 'dark'",
            "d.append(' more')",
            "d.shadowRoot.querySelector('slot').name = 'x'",
        ],
    ),
    // What a control holds in a part that is not drawn.
    ("<h2 id=h hidden>Total <input id=i value=5> items</h2>", &["i.value = 6"]),
];

#[test]
fn each_way_to_change_a_name_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("index.html"), "<!doctype html><title>Cases</title>")
        .unwrap();
    let server = Server::start(directory.path()).unwrap();
    let options = Options::parse(&format!("{}/", server.origin())).unwrap();
    let mut device = Opener::new("web:page", options).open().unwrap();
    let mut wrong = Vec::new();
    for (body, scripts) in CASES {
        run(&mut device, &format!("document.body.innerHTML = {}", json!(body)));
        let mut seen = look(&mut device, true, &Arc::default());
        for script in *scripts {
            run(&mut device, script);
            seen = look(&mut device, false, &seen);
        }
        let whole = look(&mut device, true, &Arc::default());
        if seen.elements != whole.elements {
            wrong.push((body, scripts));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
