//! What comes with frames only comes, although frames are drawn only when something waits for one.

use crate::visit::Visit;
use capuchin_ui::{Camera, Device, Direction, Event, Powers, State, Target, Toward};

const WAITING: &str = r#"
<style>.wide { width: 300px } #turn:checked ~ #panel { height: 90px } #panel { width: 100px; height: 10px }
  #strip { width: 100px; height: 50px; overflow: hidden } #strip div { height: 400px }</style>
<input id="turn" type="checkbox"><div id="panel"></div>
<button id="grow" onclick="$('box').className = 'wide'">Grow</button><div id="box">Box</div>
<button id="show" onclick="$('far').scrollIntoView()">Show</button>
<button id="roll" onclick="$('strip').scrollTop = 40">Roll</button><div id="strip"><div>Strip</div></div>
<button id="cross" onclick="document.startViewTransition(() => say('crossed'))">Cross</button>
<button id="decode" onclick="const i = new Image(); i.src = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='; i.decode().then(() => say('decoded'), () => say('not decoded'))">Decode</button>
<div style="height:3000px"></div><p id="far">Far</p>
<script>
new ResizeObserver(all => all.forEach(one => say(one.target.id + ' ' + one.contentRect.width + 'x' + one.contentRect.height))).observe($('panel'));
new ResizeObserver(() => say('box')).observe($('box'));
new IntersectionObserver(all => say(all.some(one => one.isIntersecting) ? 'in view' : 'out of view')).observe($('far'));
addEventListener('scroll', () => say('scrolled'));
on('strip', 'scroll', () => say('rolled'));
</script>"#;

#[test]
fn who_waits_for_a_frame_gets_one() {
    let mut visit = Visit::to(WAITING, "");
    assert_eq!(visit.said(), "panel 100x10, box, out of view");
    for (id, said) in [
        // Nothing in the document changes but a state, and with it a size.
        ("turn", "panel 100x90"),
        ("grow", "box"),
        ("roll", "rolled"),
        ("decode", "decoded"),
        ("cross", "crossed"),
    ] {
        visit.click(id);
        assert_eq!(visit.said(), said, "{id}");
    }
    visit.click("show");
    let said = visit.said();
    assert!(said.contains("scrolled") && said.contains("in view"), "{said}");
}

#[test]
fn a_wheel_is_heard() {
    let body = r#"<div id="list" style="height:100px;overflow:auto"><div style="height:900px">List</div></div>
        <script>on('list', 'wheel', ran); on('list', 'scroll', () => say('scrolled'))</script>"#;
    let mut visit = Visit::to(body, "");
    visit.does(&Event::Swipe(Target::id("list"), Toward::Direction(Direction::Up)));
    let said = visit.said();
    assert!(said.contains("wheel") && said.contains("scrolled"), "{said}");
}

/// What a wheel moved does not move on with the frames that follow, each of which is one more
/// reason for the next where something follows what moves.
#[test]
fn a_wheel_moves_once() {
    let body = r#"<div id="list" style="height:100px;overflow:auto"><div style="height:90000px">List</div></div>
        <button id="other" onclick="$('at').textContent = $('list').scrollTop">Other</button><p id="at"></p>
        <script>on('list', 'wheel', () => {}); new ResizeObserver(() => {}).observe($('list'))</script>"#;
    let mut visit = Visit::to(body, "");
    let swipe = Event::Swipe(Target::id("list"), Toward::Direction(Direction::Up));
    for times in 1..4 {
        visit.does(&swipe);
        for _ in 0..2 {
            assert_eq!(visit.click("other").text("at"), (80 * times).to_string());
        }
    }
}

#[test]
fn the_first_focus_is_given_before_the_scripts_run() {
    let body = r#"<div id="around"><input id="first" autofocus></div>
        <button id="again" onclick="$('first').focus()">Again</button><script src="/replace.js"></script>"#;
    let script =
        "$('first').focus === undefined || ($('around').innerHTML = $('around').innerHTML);";
    let mut visit = Visit::among(&[("/", body), ("/replace.js", script)], "");
    for seed in 1..4 {
        visit.again(seed);
        assert!(!visit.is("first", State::FOCUSED), "what had it is gone");
        assert!(visit.click("again").is("first", State::FOCUSED), "a script may give it");
    }
    let mut visit = Visit::to(r#"<input id="first" autofocus>"#, "");
    assert!(visit.again(1).is("first", State::FOCUSED));
}

#[test]
fn pictures_show_what_is_there() {
    let mut visit = Visit::to("<button id='more' onclick='say(1)'>More</button>", "");
    let picture = |visit: &mut Visit| {
        let camera: &mut dyn Camera = visit.device.powers().and_then(Powers::camera).unwrap();
        camera.picture().unwrap().bytes
    };
    let before = picture(&mut visit);
    assert!(before.starts_with(&[0xff, 0xd8]), "a JPEG");
    assert_eq!(before, picture(&mut visit));
    visit.click("more");
    assert_ne!(before, picture(&mut visit));
}

/// Smooth scrolling takes as many frames as the machine has time for; so it is at its end at once.
#[test]
fn smooth_scrolling_is_over_at_once() {
    let body = r##"<style>html { scroll-behavior: smooth }</style>
        <button id="script" onclick="window.scrollTo({ top: 700, behavior: 'smooth' })">Script</button> <a id="link" href='#far'>Link</a>
        <button id="view" onclick="$('far').scrollIntoView({ behavior: 'smooth', block: 'end' })">View</button>
        <div style="height: 3000px"></div><p id="far">Far</p><div style="height: 3000px"></div>
        <script>addEventListener('scroll', () => say(Math.round(scrollY / 100)));</script>"##;
    let mut visit = Visit::to(body, "");
    visit.click("script");
    assert_eq!(visit.said(), "7");
    visit.click("link");
    assert_eq!(visit.said(), "30");
    visit.again(1).click("view");
    assert_eq!(visit.said(), "23");
}

/// A browser gives the focus with a frame: to what is there then.
#[test]
fn the_focus_is_for_what_asks_when_a_frame_comes() {
    let field = |id: &str| format!("$('place').innerHTML = '<input id={id} autofocus>'");
    let focused = |body: &str| {
        let visit = Visit::to(&format!("<div id='place'></div><script>{body}</script>"), "");
        let has_focus = |id| visit.element(id).is(State::FOCUSED);
        has_focus("second")
    };
    let (first, second) = (field("first"), field("second"));
    let replaced = |after: u32| {
        focused(&format!(
            "onload = () => setTimeout(() => {{ {first}; setTimeout(() => {second}, {after}); }})"
        ))
    };
    assert!(replaced(0), "the first was never drawn");
    assert!(!replaced(60), "the first had it, and took it along");
}
