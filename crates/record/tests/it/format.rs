//! Recordings on disk: whatever is written is read, whatever is cut is read up to there, and what
//! is no recording is told apart.

use capuchin::ui::{
    Direction, Element, Environment, Event, Place, Point, Rect, Role, Screen, Selector, Size,
    State, Str, Target, Toward,
};
use capuchin_record::{
    Assertion, Ending, FormatError, Origin, Outline, RecordedEvent, Recording, ReplayOptions,
};
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
    fn bytes_that_are_no_records_are_refused(
        mut file in vec(any::<u8>(), 0..200),
        has_header in any::<bool>(),
    ) {
        if has_header {
            file.splice(0..0, *b"capuchin recording 2\n");
        }
        if let Ok(read) = Recording::read(&file) {
            use_all(&read);
        }
    }

    #[test]
    fn no_record_makes_it_panic(
        recording in recording(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..4),
    ) {
        let mut bodies = bodies(&bytes(&recording));
        prop_assert_eq!(&Recording::read(&wrapped(&bodies)), &Ok(recording));
        for (at, byte, is_inserted) in changes {
            let all: usize = bodies.iter().map(Vec::len).sum();
            let mut at = at.index(all);
            let body = bodies.iter_mut().find(|body| {
                let is_here = at < body.len();
                at -= if is_here { 0 } else { body.len() };
                is_here
            });
            let body = body.expect("it is in one of them");
            if is_inserted {
                body.insert(at, byte);
            } else {
                body[at] = byte;
            }
        }
        // The checksums fit, so each byte reaches whoever reads records.
        if let Ok(read) = Recording::read(&wrapped(&bodies)) {
            use_all(&read);
        }
    }

    #[test]
    fn no_numbers_in_a_record_make_it_panic(
        numbers in vec(prop_oneof![8 => 0..12_u64, 1 => any::<u64>()], 0..60),
        kind in 0..7_u8,
        recording in recording(),
    ) {
        let mut bodies = bodies(&bytes(&recording));
        // Before the end, after whatever the pools hold by then; nothing is added to these.
        let mut body = vec![kind, 0, 0];
        for mut number in numbers {
            while number >= 0x80 {
                body.push(number as u8 | 0x80);
                number >>= 7;
            }
            body.push(number as u8);
        }
        bodies.insert(bodies.len() - 1, body);
        use_all(&Recording::read(&wrapped(&bodies)).expect("it begins like a recording"));
    }
}

/// The bodies of the records of a file.
fn bodies(file: &[u8]) -> Vec<Vec<u8>> {
    let mut compressed = file[b"capuchin recording 2\n".len()..].to_vec();
    // The stream of a recording has no end, so that it can grow: this is an empty last block.
    compressed.extend([3, 0]);
    let bytes = miniz_oxide::inflate::decompress_to_vec(&compressed).expect("it is whole");
    let (mut bodies, mut rest) = (Vec::new(), &bytes[..]);
    while !rest.is_empty() {
        let mut length = 0_usize;
        for shift in (0..).step_by(7) {
            length |= usize::from(rest[0] & 0x7f) << shift;
            let is_last = rest[0] < 0x80;
            rest = &rest[1..];
            if is_last {
                break;
            }
        }
        bodies.push(rest[..length].to_vec());
        rest = &rest[length + 4..];
    }
    bodies
}

/// A file of records with these bodies, their lengths and checksums.
fn wrapped(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for body in bodies {
        let mut length = body.len();
        while length >= 0x80 {
            bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend_from_slice(body);
        let add = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        bytes.extend_from_slice(&body.iter().fold(0x811c_9dc5, add).to_le_bytes());
    }
    let mut file = b"capuchin recording 2\n".to_vec();
    file.extend_from_slice(&miniz_oxide::deflate::compress_to_vec(&bytes, 6));
    file
}

/// Does with a recording what commands do with it, whatever is in it.
fn use_all(recording: &Recording) {
    let recording = within_reach(recording.clone());
    let options = ReplayOptions::default();
    let screens = recording.events.iter().map(|event| &event.screen);
    for screen in screens.chain(&recording.last_screen) {
        let segments = options.segmenter.segments(&Outline::new(screen));
        let mut views = segments.iter().flat_map(|segment| &segment.views);
        assert!(views.all(|view| *view < screen.elements.len()));
    }
    let _ = recording.to_capu();
    let _ = recording.to_properties();
    let _ = recording.to_playwright();
    let _ = recording.to_devtools();
}

/// The same with all pixels near the screen. Those at the end of all numbers overflow in
/// `Rect::center` and in the wheel of Playwright, where a build checks for it.
fn within_reach(mut recording: Recording) -> Recording {
    let near = |pixels: &mut i32| *pixels %= 1 << 20;
    let near_point = |Point { x, y }: &mut Point| [x, y].into_iter().for_each(near);
    let near_screen = |screen: &mut Arc<Screen>| {
        let screen = Arc::make_mut(screen);
        let Size { width, height } = &mut screen.viewport;
        [width, height].into_iter().for_each(near);
        for element in &mut screen.elements {
            let Rect { x, y, width, height } = &mut element.bounds;
            [x, y, width, height].into_iter().for_each(near);
        }
    };
    recording.last_screen.iter_mut().for_each(near_screen);
    for recorded in &mut recording.events {
        near_screen(&mut recorded.screen);
        if let Event::Swipe(target, toward) = &mut recorded.event {
            if let Target::Place(Place::At(point)) = target {
                near_point(point);
            }
            if let Toward::Place(Place::At(point)) = toward {
                near_point(point);
            }
        }
    }
    recording
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
    check(b"capuchin recording 2\n", FormatError::Nothing);
    check(b"capuchin recording x\n", FormatError::NotARecording);
    check(b"capuchin recording 7\nwhatever", FormatError::Version { version: 7 });
    assert_eq!(
        FormatError::Version { version: 7 }.to_string(),
        "the recording is of version 7, this release reads up to 2; update"
    );
}

/// It holds what that of version 1 holds.
#[test]
fn the_sample_of_version_2_reads() {
    let file = include_bytes!("../samples/version-2.recording");
    assert!(file.starts_with(b"capuchin recording 2\n"));
    let older = Recording::read(include_bytes!("../samples/version-1.recording"));
    assert_eq!(Recording::read(file), older);
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
