//! The pointer: where a click goes and where it cannot go, and what else a pointer does than to
//! click.

use crate::visit::Visit;
use capuchin_ui::{Blocked, Direction, Event, Point, Selector, State, Target, Toward};

const PLACES: &str = r#"
<style>body { margin: 0 } button { width: 100px; height: 30px } .box { height: 100px; width: 200px }</style>
<div style="position:relative"><button id="under">Under</button><div style="position:absolute;inset:0" id="veil"></div></div>
<div style="pointer-events:none"><button id="through">Through</button></div>
<div id="scroller" class="box" style="overflow:auto"><div style="height:500px">Much</div><button id="in-scroller">In scroller</button></div>
<div class="box" style="overflow:hidden"><div style="height:100px"></div><button id="clipped" style="margin-top:60px">Clipped</button></div>
<button id="outside" style="position:absolute;left:-500px">Outside</button>
<button id="off" disabled>Off</button>
<button id="hidden" style="visibility:hidden">Hidden</button>
<div style="height:3000px"></div>
<button id="far">Far</button>
<button id="behind-bar">Behind</button>
<div style="height:2000px"></div>
<div id="bar" style="position:fixed;bottom:0;height:60px;width:100%;background:white">Bar</div>
<script>
for (const button of document.querySelectorAll('button')) on(button, 'click', event => say(button.id + (event.isTrusted ? '' : '!')));
on('bar', 'click', () => say('bar'));
</script>"#;

#[test]
fn a_click_goes_where_it_can_be_seen_to_go() {
    let mut visit = Visit::to(PLACES, "");
    for (id, reason) in [
        ("under", Blocked::Covered),
        ("through", Blocked::Covered),
        ("outside", Blocked::OutOfReach),
        ("off", Blocked::Disabled),
        ("hidden", Blocked::Hidden),
        ("nothing", Blocked::Absent),
    ] {
        assert_eq!(visit.refuses(id), Some(reason), "{id}");
    }
    assert_eq!(visit.said(), "");
    // What is out of view is brought into view first, within what scrolls and on the page.
    visit.click("in-scroller").click("far").click("behind-bar").click("in-scroller");
    assert_eq!(visit.said(), "in-scroller, far, behind-bar, in-scroller");
}

#[test]
fn a_finger_goes_there_as_well() {
    let mut visit = Visit::to(PLACES, "touch=yes viewport=400x700");
    assert_eq!(visit.refuses("under"), Some(Blocked::Covered));
    visit.click("in-scroller").click("far").click("behind-bar");
    assert_eq!(visit.said(), "in-scroller, far, behind-bar");
}

const POINTER: &str = r#"
<style>.box { width: 120px; height: 60px; margin: 5px } #menu:not(:hover) > button { display: none }
  #list { height: 100px; width: 200px; overflow: auto } #list p { height: 50px }</style>
<div id="double" class="box">Double</div>
<div id="menu" class="box">Menu <button id="entry">Entry</button></div>
<div id="context" class="box">Context</div>
<div id="pressed" class="box">Pressed</div>
<div id="list"><p>one<p>two<p>three<p>four<p>five</div>
<div id="pinch" class="box" style="width:300px;height:200px">Pinch</div>
<script>
on('double', 'click dblclick', ran);
on('entry', 'click', ran);
on('menu', 'mouseenter mouseleave', ran);
on('context', 'contextmenu', event => { event.preventDefault(); ran(event); });
let began;
on('pressed', 'pointerdown', () => began = performance.now());
on('pressed', 'pointerup', event => say((performance.now() - began >= 500 ? 'long' : 'short') + (event.isTrusted ? '' : '!')));
on('list', 'scroll', () => say('scrolled ' + ($('list').scrollTop > 0 ? 'down' : 'up')));
const fingers = {};
on('pinch', 'pointerdown', event => { fingers[event.pointerId] = event; if (Object.keys(fingers).length === 2) say('two fingers'); });
</script>"#;

#[test]
fn a_pointer_does_more_than_click() {
    let mut visit = Visit::to(POINTER, "");
    visit.does(&Event::DoubleClick(Target::id("double")));
    assert_eq!(visit.said(), "click, click, dblclick");
    // What is only there under the pointer.
    assert_eq!(visit.refuses("entry"), Some(Blocked::Hidden));
    visit.does(&Event::Hover(Target::id("menu")));
    assert_eq!(visit.said(), "mouseenter");
    visit.click("entry");
    assert_eq!(visit.said(), "click");
    visit.does(&Event::Hover(Target::id("double")));
    assert_eq!(visit.said(), "mouseleave");
    assert!(visit.seen.screen.first(&Selector::id("entry")).is_none());
    visit.does(&Event::LongClick(Target::id("context")));
    assert_eq!(visit.said(), "contextmenu");
    visit.click("pressed").does(&Event::LongClick(Target::id("pressed")));
    assert_eq!(visit.said(), "short, long");
    // The content follows the finger: to see what is below, it goes up.
    visit.does(&Event::Swipe(Target::id("list"), Toward::Direction(Direction::Up)));
    assert_eq!(visit.said(), "scrolled down");
    visit.does(&Event::Swipe(Target::id("list"), Toward::Direction(Direction::Down)));
    assert_eq!(visit.said(), "scrolled up");
}

#[test]
fn two_fingers_are_two_fingers() {
    let mut visit = Visit::to(POINTER, "touch=yes");
    let middle = visit.element("pinch").bounds.center();
    let at = |dx| capuchin_ui::Place::At(Point::new(middle.x + dx, middle.y));
    visit.does(&Event::Pinch(at(-20), at(60)));
    assert_eq!(visit.said(), "two fingers");
    visit.does(&Event::DoubleClick(Target::id("double")));
    assert!(visit.said().starts_with("click, click, dblclick"));
    visit.does(&Event::LongClick(Target::id("context")));
    assert_eq!(visit.said(), "contextmenu");
}

const DRAGGING: &str = r#"
<style>.box { width: 120px; height: 60px; margin: 5px; touch-action: none }</style>
<div id="card" class="box" draggable="true">Card</div><div id="bin" class="box">Bin</div>
<div id="knob" class="box">Knob</div><div id="far" class="box" style="margin-left:300px">Far</div>
<div id="plain" class="box">Plain</div>
<script>
on('card', 'dragstart', event => { event.dataTransfer.setData('text/plain', 'the card'); ran(event); });
on('card', 'dragend', ran);
on('bin', 'dragover', event => event.preventDefault());
on('bin', 'drop', event => { event.preventDefault(); ran(event); say('got ' + event.dataTransfer.getData('text/plain')); });
let held;
on('knob', 'pointerdown', event => { $('knob').setPointerCapture(event.pointerId); held = event.clientX; });
on('knob', 'pointerup', event => say('moved ' + (event.clientX - held > 200 ? 'far' : 'little') + (event.isTrusted ? '' : '!')));
on('plain', 'click', ran);
</script>"#;

#[test]
fn things_are_dragged_and_dropped() {
    let mut visit = Visit::to(DRAGGING, "");
    for _ in 0..2 {
        visit.drags("card", "bin");
        assert_eq!(visit.said(), "dragstart, drop, got the card, dragend");
        // Nothing is held any more.
        visit.click("plain");
        assert_eq!(visit.said(), "click");
    }
    // And by pages that do it themselves.
    visit.drags("knob", "far").click("plain");
    assert_eq!(visit.said(), "moved far, click");
    // Where it is not taken, it stays.
    visit.drags("card", "far");
    assert_eq!(visit.said(), "dragstart, dragend");
    assert!(visit.is("card", State::SCROLLABLE));
    visit.click("plain");
    assert_eq!(visit.said(), "click");
}

/// What stands in front of a frame stands in front of what is in the frame.
#[test]
fn what_is_around_a_frame_covers_what_is_in_it() {
    let body = r#"
        <button id="open" onclick="$('veil').hidden = false">Open</button>
        <iframe style="position: absolute; left: 40px; top: 60px; border: 5px solid" srcdoc="<button id='inner' onclick='parent.say(1)'>Inner</button>"></iframe>
        <div id="veil" hidden onclick="this.hidden = true" style="position: fixed; inset: 0; background: #0008">A veil</div>"#;
    let mut visit = Visit::to(body, "");
    visit.click("inner");
    assert_eq!(visit.said(), "1");
    visit.click("open");
    let blocked = visit.tries(&Event::Click(Target::id("inner"))).blocked.clone();
    assert_eq!(blocked, Some(Blocked::Covered));
    visit.click("veil").click("inner");
    assert_eq!(visit.said(), "1");
}

/// A page that is wider than a phone is shown in part, or smaller. Its elements are clicked where
/// they are in the visual viewport.
#[test]
fn a_page_that_is_wider_than_the_phone_is_clicked_where_it_is_shown() {
    for (wide, limits) in [(412, ""), (600, ""), (600, ", minimum-scale=1")] {
        let body = format!(
            r#"<meta name="viewport" content="width=device-width, initial-scale=1{limits}">
            <div id="wide" style="width: 10px; height: 10px"></div>
            <div id="rows" style="width: {wide}px"></div>
            <button id="widen" onclick="$('wide').style.width = '{wide}px'; $('rows').style.width = 'auto'">Widen</button>
            <script>
              for (let i = 0; i < 60; i++) {{
                const row = document.createElement('button');
                row.id = 'row' + i;
                row.style.cssText = 'display: block; width: 90%; height: 20px';
                row.textContent = 'row ' + i;
                row.onclick = () => say('row ' + i);
                $('rows').append(row);
              }}
            </script>"#
        );
        let mut visit = Visit::to(&body, "touch=yes viewport=400x700");
        for row in [0, 30, 59, 29, 10, 45, 1] {
            visit.said();
            visit.click(&format!("row{row}"));
            assert_eq!(visit.said(), format!("row {row}"), "{wide} {limits}");
        }
        visit.click("widen");
        for row in [59, 28, 0, 31, 12] {
            visit.said();
            visit.click(&format!("row{row}"));
            assert_eq!(visit.said(), format!("row {row}"), "{wide} {limits}, widened");
        }
    }
}
