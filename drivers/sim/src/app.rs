//! What an app is to the simulator: a value that draws itself and handles inputs.
//!
//! On its own because it is what the author of an app implements, and all that is asked of it.

use crate::{Os, Page};
use capuchin_ui::{Crash, Environment, Size, Value};

/// An app, as a small model of one.
///
/// The value is the app's volatile state. A reset starts again with a clone of the value that the
/// device was made with.
pub trait App: Clone + Send + 'static {
    /// The names of the predicates that [`predicate`](App::predicate) answers.
    const PREDICATES: &'static [&'static str] = &[];

    /// The names of the environment events that the app listens to.
    const ENVIRONMENT: &'static [&'static str] = &[];

    /// Draws the app. It may look at [`Page::viewport`], so an app can be responsive.
    fn view(&self, page: &mut Page<'_>);

    /// Handles one input. An error is a crash of the app; so is a panic in here.
    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash>;

    /// Whether a predicate of the app's own holds now; `None` if it has no such predicate.
    fn predicate(&self, name: &str, args: &[Value]) -> Option<bool> {
        let _ = (name, args);
        None
    }
}

/// Where the user was while the app was suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Away {
    /// On the home screen.
    Home,
    /// In the device's settings.
    Settings,
}

/// Something that happens to an app.
///
/// Clicks, texts and swipes name the element by its id, or by its text if it has no id.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Input<'a> {
    /// The app was started: after a reset, and after it was left.
    Launch,
    /// An enabled, clickable element was clicked.
    Click(&'a str),
    /// An enabled, long-clickable element was pressed for long.
    LongClick(&'a str),
    /// An enabled, clickable element was clicked twice at once. The two clicks came before it.
    DoubleClick(&'a str),
    /// A field was emptied.
    Clear(&'a str),
    /// Text was typed into a field, after what is in it.
    Text {
        /// The field.
        id: &'a str,
        /// What was typed.
        text: &'a str,
    },
    /// An element that is scrollable and no scrolling container was swiped.
    Swipe {
        /// The element.
        id: &'a str,
        /// How far the finger moved to the right.
        dx: i32,
        /// How far the finger moved down.
        dy: i32,
    },
    /// Two fingers moved somewhere.
    Pinch,
    /// A key was pressed.
    Key(&'a str),
    /// The Back button. An app that has nowhere to go back to calls [`Os::leave`].
    Back,
    /// The Menu button.
    Menu,
    /// The app is about to lose the screen.
    Suspend(Away),
    /// The app has the screen again.
    Resume(Away),
    /// The device was turned; its screen now has this size.
    Rotate(Size),
    /// A timer that was set with [`Os::timer`] or [`Os::every`] has run out.
    Timer(&'a str),
    /// Work that was begun with [`Os::background`] is done.
    Background(&'a str),
    /// Something happened in the app's environment.
    Environment(&'a Environment),
}
