//! Fingers: touches as the browser gets them from a person.
//!
//! A single finger is a mouse that the browser takes for one. Touches that it is given directly wait for
//! frames, which stand still as long as the virtual clock does; these do not. The browser does not say when it
//! has handled one, so the collector does.

use crate::device::{COLLECTOR, Trouble, WebDevice};
use crate::input::STEPS;
use capuchin_ui::{Place, Point};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How far a touch has come, as the collector counts.
const BEGUN: u64 = 1;
const LIFTED: u64 = 2;
const OVER: u64 = 4;
const REFUSED: u64 = 8;

/// How long it may take until a touch that has ended becomes something, if it becomes anything: one on what
/// is switched off never does.
const BECOMES: Duration = Duration::from_millis(600);
/// How long after a long touch the menu may come.
const LATE_MENU: Duration = Duration::from_secs(1);
/// A touch that takes longer than this waits for a frame.
const SHORT: Duration = Duration::from_millis(100);

impl WebDevice {
    fn finger(&mut self, kind: &str, point: Point) -> Result<(), Trouble> {
        let params = json!({
            "type": kind, "x": point.x, "y": point.y, "button": "left", "buttons": 1, "clickCount": 1,
        });
        let params = self.dated(params);
        self.tell("Input.dispatchMouseEvent", params)
    }

    /// A finger comes down. Whether we shall hear of it: not if it is on somebody else's frame.
    fn press_finger(&mut self, point: Point) -> Result<bool, Trouble> {
        self.make_touchable()?;
        let heard = self.evaluate(&format!("{COLLECTOR}.touch({}, {})", point.x, point.y))?;
        self.finger("mousePressed", point)?;
        Ok(heard == Value::Bool(true))
    }

    /// Draws a new document before it is touched: the browser tells a page of touches only where it has seen
    /// that somebody listens to them, and it sees that when it draws.
    fn make_touchable(&mut self) -> Result<(), Trouble> {
        let documents = self.documents();
        if self.tabs.last().is_some_and(|tab| tab.touchable != documents) {
            // The first has it drawn, the second comes when it is.
            self.frame()?;
            self.frame()?;
            if let Some(tab) = self.tab() {
                tab.touchable = documents;
            }
        }
        Ok(())
    }

    /// Waits until a touch has come so far.
    fn felt(&mut self, stage: u64, documents: u64, limit: Duration) -> Result<(), Trouble> {
        let began = Instant::now();
        let mut helped = false;
        loop {
            let state = self.evaluate(&format!("{COLLECTOR}.touched()"))?;
            let is_there = state.as_u64().unwrap_or_default() & stage != 0;
            // The touch may have led to another page, where nobody knows of it.
            if is_there || self.documents() != documents || began.elapsed() > limit {
                return Ok(());
            }
            if !helped && began.elapsed() > SHORT {
                helped = true;
                self.frame()?;
            }
        }
    }

    fn documents(&self) -> u64 {
        self.tabs.last().map(|tab| tab.documents).unwrap_or_default()
    }

    /// Short touches at one place, one after the other.
    pub(crate) fn tap(&mut self, point: Point, count: u32) -> Result<(), Trouble> {
        let documents = self.documents();
        for _ in 0..count {
            let heard = self.press_finger(point)?;
            self.finger("mouseReleased", point)?;
            if heard {
                self.felt(LIFTED | OVER, documents, self.options.hang)?;
                self.felt(OVER, documents, BECOMES)?;
            }
            if self.documents() != documents {
                return Ok(());
            }
        }
        if count == 2 {
            self.evaluate(&format!("{COLLECTOR}.doubleClick({}, {})", point.x, point.y))?;
        }
        Ok(())
    }

    pub(crate) fn long_touch(&mut self, point: Point, long: Duration) -> Result<(), Trouble> {
        let documents = self.documents();
        let heard = self.press_finger(point)?;
        if heard {
            self.felt(BEGUN, documents, self.options.hang)?;
        }
        // What a long touch means is decided by the browser, which has its own clock. It opens the menu, whether
        // there is one or not, unless the page has refused the touch.
        self.wait(long, |_| false)?;
        if heard {
            self.felt(OVER | REFUSED, documents, LATE_MENU)?;
        }
        if self.is_virtual() {
            self.pass(long)?;
        }
        self.finger("mouseReleased", point)?;
        if heard { self.felt(LIFTED, documents, self.options.hang) } else { Ok(()) }
    }

    /// A finger that goes this way.
    pub(crate) fn drag_finger(&mut self, from: Point, way: &[Point]) -> Result<(), Trouble> {
        let documents = self.documents();
        let heard = self.press_finger(from)?;
        if heard {
            self.felt(BEGUN, documents, self.options.hang)?;
        }
        for point in way {
            self.finger("mouseMoved", *point)?;
            // Moves are handled when a frame is drawn, all of them at once.
            self.frame()?;
        }
        self.finger("mouseReleased", way.last().copied().unwrap_or(from))?;
        if heard { self.felt(LIFTED, documents, self.options.hang) } else { Ok(()) }
    }

    /// Two fingers that meet, but not quite.
    pub(crate) fn pinch(&mut self, from: Place, to: Place) -> Result<(), Trouble> {
        let (Place::At(first), Place::At(second)) = (from, to) else { return Ok(()) };
        let middle = Point::new((first.x + second.x) / 2, (first.y + second.y) / 2);
        let toward = |point: Point, step: i32| {
            let part = |from: i32, to: i32| from + (to - from) * step / (STEPS + 1);
            Point::new(part(point.x, middle.x), part(point.y, middle.y))
        };
        self.make_touchable()?;
        self.two_fingers("touchStart", &[first, second])?;
        for step in 1..=STEPS {
            self.two_fingers("touchMove", &[toward(first, step), toward(second, step)])?;
        }
        self.two_fingers("touchEnd", &[])?;
        // Touches that it was given directly make the browser forget that its mouse is a finger.
        self.mouse_is_finger()
    }

    fn two_fingers(&mut self, kind: &str, points: &[Point]) -> Result<(), Trouble> {
        let finger = |(id, point): (usize, &Point)| json!({"x": point.x, "y": point.y, "id": id});
        let points: Vec<Value> = points.iter().enumerate().map(finger).collect();
        let params = self.dated(json!({"type": kind, "touchPoints": points}));
        let moved = self.send("Input.dispatchTouchEvent", params)?;
        self.drawn(moved)
    }
}
