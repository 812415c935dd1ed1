//! Fingers: touches as the browser gets them from a person.
//!
//! A single finger is a mouse that the browser takes for one. Touches that it is given directly
//! wait for frames, which stand still as long as the virtual clock does; these do not. The browser
//! does not say when it has handled one, so the collector does.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::input::DRAG_STEPS;
use crate::pause::{LONG_PRESS, Pause};
use capuchin_ui::{Place, Point};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How far a touch has come, as the collector counts.
const BEGUN: u64 = 1;
const LIFTED: u64 = 2;
const OVER: u64 = 4;
const REFUSED: u64 = 8;

/// How long it may take until a touch that has ended becomes something, if it becomes anything: one
/// on what is switched off never does.
const CLICK_TIMEOUT: Duration = Duration::from_millis(600);
/// How long after a long touch the menu may come.
const MENU_TIMEOUT: Duration = Duration::from_secs(1);
/// A touch that takes longer than this waits for a frame.
const FRAMELESS_TOUCH: Duration = Duration::from_millis(100);

/// The stages of a touch, for the collector.
pub(crate) fn stages() -> Value {
    json!({"BEGUN": BEGUN, "LIFTED": LIFTED, "OVER": OVER, "REFUSED": REFUSED})
}

impl WebDevice {
    fn finger(&mut self, kind: &str, point: Point) -> Result<(), Failure> {
        let point = self.view.head.visual_viewport.point(point);
        let params = json!({
            "type": kind, "x": point.x, "y": point.y, "button": "left", "buttons": 1, "clickCount": 1,
        });
        let params = self.dated(params);
        self.tell("Input.dispatchMouseEvent", params)
    }

    /// A finger comes down. Whether we shall hear of it: not if it is on somebody else's frame.
    fn press_finger(&mut self, point: Point) -> Result<bool, Failure> {
        self.make_touchable()?;
        let is_heard = self.ask_collector(format_args!("touch({}, {})", point.x, point.y))?;
        self.finger("mousePressed", point)?;
        Ok(is_heard)
    }

    /// Draws a new document before it is touched: the browser tells a page of touches only where it
    /// has seen that somebody listens to them, and it sees that when it draws.
    fn make_touchable(&mut self) -> Result<(), Failure> {
        let documents = self.tabs.documents();
        if self.tabs.current().is_some_and(|tab| tab.touchable != documents) {
            // The first has it drawn, the second comes when it is.
            self.frame()?;
            self.frame()?;
            if let Some(tab) = self.tabs.current_mut() {
                tab.touchable = documents;
            }
        }
        Ok(())
    }

    /// Waits until a touch has come so far.
    fn wait_for_touch(
        &mut self,
        stage: u64,
        documents: u64,
        timeout: Duration,
    ) -> Result<(), Failure> {
        let began = Instant::now();
        let mut helped = false;
        loop {
            let state: u64 = self.ask_collector("touched()")?;
            let is_there = state & stage != 0;
            // The touch may have led to another page, where nobody knows of it.
            if is_there || self.tabs.documents() != documents || began.elapsed() > timeout {
                return Ok(());
            }
            if !helped && began.elapsed() > FRAMELESS_TOUCH {
                helped = true;
                self.frame()?;
            }
        }
    }

    /// Short touches at one place, one after the other.
    pub(crate) fn tap(&mut self, point: Point, count: u32) -> Result<(), Failure> {
        let documents = self.tabs.documents();
        for _ in 0..count {
            let heard = self.press_finger(point)?;
            self.finger("mouseReleased", point)?;
            if heard {
                self.wait_for_touch(LIFTED | OVER, documents, self.options.hang)?;
                self.wait_for_touch(OVER, documents, CLICK_TIMEOUT)?;
            }
            if self.tabs.documents() != documents {
                return Ok(());
            }
        }
        if count == 2 {
            let () = self.ask_collector(format_args!("doubleClick({}, {})", point.x, point.y))?;
        }
        Ok(())
    }

    pub(crate) fn long_touch(&mut self, point: Point) -> Result<(), Failure> {
        let documents = self.tabs.documents();
        let heard = self.press_finger(point)?;
        if heard {
            self.wait_for_touch(BEGUN, documents, self.options.hang)?;
        }
        // What a long touch means is decided by the browser, which has its own clock. It opens the
        // menu, whether there is one or not, unless the page has refused the touch.
        self.pause(Pause::LongPress)?;
        if heard {
            self.wait_for_touch(OVER | REFUSED, documents, MENU_TIMEOUT)?;
        }
        if self.is_virtual() {
            self.pass(LONG_PRESS)?;
        }
        self.finger("mouseReleased", point)?;
        if heard { self.wait_for_touch(LIFTED, documents, self.options.hang) } else { Ok(()) }
    }

    /// A finger that goes this way.
    pub(crate) fn drag_finger(&mut self, from: Point, way: &[Point]) -> Result<(), Failure> {
        let documents = self.tabs.documents();
        let heard = self.press_finger(from)?;
        if heard {
            self.wait_for_touch(BEGUN, documents, self.options.hang)?;
        }
        for point in way {
            self.finger("mouseMoved", *point)?;
            // Moves are handled when a frame is drawn, all of them at once.
            self.frame()?;
        }
        self.finger("mouseReleased", way.last().copied().unwrap_or(from))?;
        if heard { self.wait_for_touch(LIFTED, documents, self.options.hang) } else { Ok(()) }
    }

    /// Two fingers that meet, but not quite.
    pub(crate) fn pinch(&mut self, from: Place, to: Place) -> Result<(), Failure> {
        let (Place::At(first), Place::At(second)) = (from, to) else { return Ok(()) };
        let middle = Point::new((first.x + second.x) / 2, (first.y + second.y) / 2);
        let toward = |point: Point, step: i32| {
            let part = |from: i32, to: i32| from + (to - from) * step / (DRAG_STEPS + 1);
            Point::new(part(point.x, middle.x), part(point.y, middle.y))
        };
        self.make_touchable()?;
        self.two_fingers("touchStart", &[first, second])?;
        for step in 1..=DRAG_STEPS {
            self.two_fingers("touchMove", &[toward(first, step), toward(second, step)])?;
        }
        self.two_fingers("touchEnd", &[])?;
        // Touches that it was given directly make the browser forget that its mouse is a finger.
        self.mouse_is_finger()
    }

    fn two_fingers(&mut self, kind: &str, points: &[Point]) -> Result<(), Failure> {
        let visual = self.view.head.visual_viewport;
        let finger = |(id, point): (usize, &Point)| {
            let Point { x, y } = visual.point(*point);
            json!({"x": x, "y": y, "id": id})
        };
        let points: Vec<Value> = points.iter().enumerate().map(finger).collect();
        let params = self.dated(json!({"type": kind, "touchPoints": points}));
        let moved = self.send("Input.dispatchTouchEvent", params)?;
        self.wait_for_frame(moved)
    }
}
