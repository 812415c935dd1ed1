//! Points, sizes and rectangles in device-independent pixels.
//!
//! On its own because it is arithmetic that knows nothing of screens. Whole pixels, because a trace
//! that names a point must print and parse without loss.

use std::fmt;

/// A point on the screen, from its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: i32,
    /// Pixels from the top edge.
    pub y: i32,
}

impl Point {
    /// The point `x` pixels from the left and `y` from the top.
    pub const fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// The size of a viewport or an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl Size {
    /// A size of `width` by `height` pixels.
    pub const fn new(width: i32, height: i32) -> Self {
        Size { width, height }
    }

    /// The same screen after a quarter turn.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Size { width: self.height, height: self.width }
    }

    /// Whether it is wider than high.
    pub const fn is_landscape(self) -> bool {
        self.width > self.height
    }

    /// Whether the point lies on a screen of this size.
    pub const fn contains(self, point: Point) -> bool {
        point.x >= 0 && point.y >= 0 && point.x < self.width && point.y < self.height
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// Where an element is on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The left edge.
    pub x: i32,
    /// The top edge.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl Rect {
    /// A rectangle by its top left corner and its size.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Rect { x, y, width, height }
    }

    /// The middle: where a click goes.
    pub const fn center(self) -> Point {
        Point { x: self.x + self.width / 2, y: self.y + self.height / 2 }
    }

    /// Whether the point lies inside.
    pub const fn contains(self, point: Point) -> bool {
        point.x >= self.x
            && point.y >= self.y
            && point.x < self.x + self.width
            && point.y < self.y + self.height
    }

    /// Whether it covers no pixel at all.
    pub const fn is_empty(self) -> bool {
        self.width <= 0 || self.height <= 0
    }
}

/// A way to swipe: the direction in which the finger moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The finger moves up; a list shows what is further down.
    Up,
    /// The finger moves down; a list shows what is further up.
    Down,
    /// The finger moves to the left.
    Left,
    /// The finger moves to the right.
    Right,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The direction's name in the trace language.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Up => "Up",
            Direction::Down => "Down",
            Direction::Left => "Left",
            Direction::Right => "Right",
        }
    }
}
