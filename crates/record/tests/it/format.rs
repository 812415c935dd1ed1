//! Recordings on disk: whatever is written is read, whatever is cut is read up to there, and what
//! is no recording is told apart.

use capuchin::ui::{
    Direction, Element, Environment, Event, Place, Point, Rect, Role, Screen, Selector, Size,
    State, Str, Target, Toward,
};
use capuchin_record::{Assertion, Ending, FormatError, Origin, RecordedEvent, Recording};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::sync::Arc;

/// Farther from the origin than a browser lays anything out.
const FARTHEST: i32 = 1 << 26;

fn text() -> impl Strategy<Value = Str> {
    prop_oneof![
        Just(Str::default()),
        "[a-c]{1,3}".prop_map(Str::from),
        ".{0,9}".prop_map(Str::from)
    ]
}

fn selector() -> impl Strategy<Value = Selector> {
    let one = (text(), text(), 0..4_u32, any::<bool>()).prop_map(|(id, text, nth, part)| {
        let selector = match (id.is_empty(), part) {
            (true, true) => Selector::role(Role::Tab).containing(text).checked(),
            (true, false) => Selector::class("row").saying(text).unchecked(),
            (false, _) => Selector::id(id),
        };
        if nth > 0 { selector.nth(nth) } else { selector }
    });
    one.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner, any::<bool>())
            .prop_map(|(a, b, either)| if either { a.or(b) } else { a.inside(b) })
    })
}

fn event() -> impl Strategy<Value = Event> {
    let point = (any::<i32>(), -9..9).prop_map(|(x, y)| Place::At(Point::new(x, y)));
    let target = prop_oneof![
        selector().prop_map(Target::One),
        selector().prop_map(Target::Any),
        point.clone().prop_map(Target::Place),
    ];
    prop_oneof![
        target.clone().prop_map(Event::Click),
        target.clone().prop_map(Event::LongClick),
        target.clone().prop_map(Event::DoubleClick),
        target.clone().prop_map(Event::Hover),
        target.clone().prop_map(Event::Clear),
        (target.clone(), text()).prop_map(|(target, text)| Event::Type(target, text)),
        (target.clone(), selector()).prop_map(|(from, to)| Event::Swipe(from, Toward::Element(to))),
        (target.clone(), point.clone())
            .prop_map(|(from, to)| Event::Swipe(from, Toward::Place(to))),
        target.prop_map(|from| Event::Swipe(from, Toward::Direction(Direction::Left))),
        (point.clone(), point).prop_map(|(from, to)| Event::Pinch(from, to)),
        text().prop_map(Event::Press),
        any::<u64>().prop_map(Event::Sleep),
        (text(), -9.0..9.0_f64, text()).prop_map(|(name, number, text)| {
            let args = vec![number.into(), text.as_str().into()];
            Event::Environment(Environment { name, args })
        }),
        prop::sample::select(Event::BARE.map(|(_, event)| event).to_vec()),
    ]
}

fn element() -> impl Strategy<Value = Element> {
    let texts = (text(), text(), text(), text());
    let bounds = (-99..999, -FARTHEST..FARTHEST, 0..999, 0..999);
    let role = prop::sample::select(Role::ALL.to_vec());
    (role, texts, bounds, any::<u32>(), any::<prop::sample::Index>()).prop_map(
        |(role, (id, text, value, leads_to), (x, y, width, height), bits, parent)| Element {
            role,
            id,
            text,
            value,
            leads_to,
            bounds: Rect::new(x, y, width, height),
            state: State::from_bits_truncate(bits),
            parent: Some(parent.index(9) as u32),
            ..Element::default()
        },
    )
}

fn screen() -> impl Strategy<Value = Screen> {
    (vec(element(), 0..9), text()).prop_map(|(mut elements, place)| {
        for (index, element) in elements.iter_mut().enumerate() {
            // Some at the root; parents before their children, in pre-order or not.
            let parent = element.parent.filter(|parent| (*parent as usize) < index);
            element.parent = parent;
        }
        Screen { viewport: Size::new(411, 731), place, elements }
    })
}

fn recording() -> impl Strategy<Value = Recording> {
    let recorded = (event(), screen(), 0..9_usize, any::<bool>()).prop_map(
        |(event, screen, receiver, is_key)| {
            let receiver = (receiver < screen.elements.len()).then_some(receiver);
            RecordedEvent { event, receiver, screen: Arc::new(screen), is_key }
        },
    );
    (vec(recorded, 0..5), prop::option::of(screen()), text(), any::<u64>()).prop_map(
        |(events, last, property, seed)| Recording {
            origin: Origin { app: "app".into(), seed, ..Origin::default() },
            assertions: vec![Assertion { after: events.len(), property }],
            events,
            last_screen: last.map(Arc::new),
            ending: Ending::Complete,
        },
    )
}

fn bytes(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    recording.write(&mut bytes).expect("memory takes it");
    bytes
}

fn config(cases: u32) -> ProptestConfig {
    let failure_persistence = Some(Box::new(FileFailurePersistence::Off) as Box<_>);
    ProptestConfig { failure_persistence, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn what_is_written_is_read(recording in recording()) {
        prop_assert_eq!(Recording::read(&bytes(&recording)), Ok(recording));
    }

    #[test]
    fn no_file_makes_it_panic(mut file in vec(any::<u8>(), 0..200), has_header in any::<bool>()) {
        if has_header {
            file.splice(0..0, *b"capuchin recording 1\n");
        }
        let _ = Recording::read(&file);
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn a_file_that_is_cut_anywhere_reads_up_to_there(recording in recording()) {
        let bytes = bytes(&recording);
        let mut most = 0;
        for length in 0..bytes.len() {
            let Ok(read) = Recording::read(&bytes[..length]) else {
                prop_assert!(most == 0, "it read before");
                continue;
            };
            // The last bytes of a flush say nothing.
            let is_all = length + 8 > bytes.len();
            prop_assert!(read.ending == Ending::Cut || is_all, "{:?} {length}", read.ending);
            prop_assert!(read.events.len() >= most);
            most = read.events.len();
            prop_assert_eq!(&read.events[..], &recording.events[..most]);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_or_harmless(
        recording in recording(),
        at in any::<prop::sample::Index>(),
        change in 1..=255_u8,
    ) {
        let mut bytes = bytes(&recording);
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        if let Ok(read) = Recording::read(&bytes) {
            for (read, written) in read.events.iter().zip(&recording.events) {
                prop_assert_eq!(&read.event, &written.event);
            }
        }
    }
}

#[test]
fn what_is_no_recording_is_told_apart() {
    let check = |file: &[u8], expected: FormatError| {
        assert_eq!(Recording::read(file), Err(expected), "{}", String::from_utf8_lossy(file));
    };
    check(b"", FormatError::Empty);
    check(b"{\"title\": \"Recording\"}", FormatError::NotARecording);
    check(b"capuchin rec", FormatError::Nothing);
    check(b"capuchin recording 1", FormatError::Nothing);
    check(b"capuchin recording 1\n", FormatError::Nothing);
    check(b"capuchin recording x\n", FormatError::NotARecording);
    check(b"capuchin recording 7\nwhatever", FormatError::Version { version: 7 });
    assert_eq!(
        FormatError::Version { version: 7 }.to_string(),
        "the recording is of version 7, this release reads up to 1; update"
    );
}

#[test]
fn the_sample_of_version_1_reads() {
    let recording = Recording::read(include_bytes!("../samples/version-1.recording")).unwrap();
    let events: Vec<String> = recording.events.iter().map(|one| one.event.to_string()).collect();
    assert_eq!(
        events,
        [
            "Click(#row-Invoice)",
            "Click(#do-reply)",
            "ClickBack",
            "Click(#row-Minutes)",
            "Click(#do-forward)"
        ]
    );
    assert_eq!(recording.ending, Ending::Complete);
    assert_eq!(recording.origin.viewport, Size::new(411, 731));
    assert_eq!(recording.events[1].receiver().unwrap().text, "Reply");
    assert!(recording.events[1].is_key && recording.last_screen.is_some());
    assert_eq!(recording.assertions[0].property, "isDisplayed(\"Reply\")");
}
