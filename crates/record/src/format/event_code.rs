//! Events and selectors as bytes.
//!
//! On its own because it is the part of the format that grows with the language: a new event is one
//! number here, in both directions. Numbers are never used again for something else.

use super::bytes::{In, Out};
use super::pools::{Known, Pools};
use capuchin::ui::{
    Direction, Environment, Event, Place, Point, Role, Selector, State, Target, TextMatch, Toward,
    Value,
};

/// Writes an event. One that is younger than this format is written as nothing at all.
pub(super) fn write_event(out: &mut Out, event: &Event, pools: &mut Pools) {
    let number = number_of(event);
    out.number(number);
    if let Some(target) = event.target() {
        write_target(out, target, pools);
    }
    match event {
        Event::Type(_, text) | Event::Press(text) => out.number(pools.string(text)),
        Event::Swipe(_, toward) => write_toward(out, toward, pools),
        Event::Pinch(from, to) => [from, to].into_iter().for_each(|place| write_place(out, place)),
        Event::Sleep(millis) => out.number(*millis),
        Event::Environment(event) => {
            out.number(pools.string(&event.name));
            out.number(event.args.len() as u64);
            event.args.iter().for_each(|arg| write_value(out, arg, pools));
        }
        _ => {}
    }
}

fn number_of(event: &Event) -> u64 {
    match event {
        Event::Click(_) => 1,
        Event::LongClick(_) => 2,
        Event::DoubleClick(_) => 3,
        Event::Hover(_) => 4,
        Event::Type(..) => 5,
        Event::Clear(_) => 6,
        Event::Swipe(..) => 7,
        Event::Pinch(..) => 8,
        Event::Press(_) => 9,
        Event::Sleep(_) => 10,
        Event::ClickBack => 11,
        Event::ClickHome => 12,
        Event::ClickMenu => 13,
        Event::Settings => 14,
        Event::Rotate => 15,
        Event::Environment(_) => 16,
        _ => 0,
    }
}

pub(super) fn read_event(input: &mut In<'_>, pools: &Known) -> Option<Event> {
    Some(match input.number()? {
        0 => Event::Skip,
        1 => Event::Click(read_target(input, pools)?),
        2 => Event::LongClick(read_target(input, pools)?),
        3 => Event::DoubleClick(read_target(input, pools)?),
        4 => Event::Hover(read_target(input, pools)?),
        5 => Event::Type(read_target(input, pools)?, pools.string(input)?),
        6 => Event::Clear(read_target(input, pools)?),
        7 => Event::Swipe(read_target(input, pools)?, read_toward(input, pools)?),
        8 => Event::Pinch(read_place(input)?, read_place(input)?),
        9 => Event::Press(pools.string(input)?),
        10 => Event::Sleep(input.number()?),
        11 => Event::ClickBack,
        12 => Event::ClickHome,
        13 => Event::ClickMenu,
        14 => Event::Settings,
        15 => Event::Rotate,
        16 => {
            let name = pools.string(input)?;
            let count = input.index()?;
            let args = (0..count).map(|_| read_value(input, pools)).collect::<Option<_>>()?;
            Event::Environment(Environment { name, args })
        }
        _ => return None,
    })
}

fn write_target(out: &mut Out, target: &Target, pools: &mut Pools) {
    match target {
        Target::One(selector) => {
            out.number(0);
            write_selector(out, selector, pools);
        }
        Target::Any(selector) => {
            out.number(1);
            write_selector(out, selector, pools);
        }
        Target::Place(place) => {
            out.number(2);
            write_place(out, place);
        }
    }
}

fn read_target(input: &mut In<'_>, pools: &Known) -> Option<Target> {
    Some(match input.number()? {
        0 => Target::One(read_selector(input, pools, 0)?),
        1 => Target::Any(read_selector(input, pools, 0)?),
        2 => Target::Place(read_place(input)?),
        _ => return None,
    })
}

fn write_place(out: &mut Out, place: &Place) {
    match place {
        Place::At(point) => {
            out.number(1);
            out.signed(point.x);
            out.signed(point.y);
        }
        Place::Anywhere => out.number(0),
    }
}

fn read_place(input: &mut In<'_>) -> Option<Place> {
    Some(match input.number()? {
        0 => Place::Anywhere,
        1 => Place::At(Point::new(input.signed()?, input.signed()?)),
        _ => return None,
    })
}

fn write_toward(out: &mut Out, toward: &Toward, pools: &mut Pools) {
    match toward {
        Toward::Place(place) => {
            out.number(0);
            write_place(out, place);
        }
        Toward::Direction(direction) => {
            out.number(1);
            out.number(pools.string(direction.name()));
        }
        Toward::Element(selector) => {
            out.number(2);
            write_selector(out, selector, pools);
        }
    }
}

fn read_toward(input: &mut In<'_>, pools: &Known) -> Option<Toward> {
    Some(match input.number()? {
        0 => Toward::Place(read_place(input)?),
        1 => {
            let name = pools.string(input)?;
            Toward::Direction(*Direction::ALL.iter().find(|one| one.name() == name)?)
        }
        2 => Toward::Element(read_selector(input, pools, 0)?),
        _ => return None,
    })
}

fn write_value(out: &mut Out, value: &Value, pools: &mut Pools) {
    match value {
        Value::Number(number) => {
            out.number(0);
            out.number(number.to_bits());
        }
        Value::Text(text) => {
            out.number(1);
            out.number(pools.string(text));
        }
    }
}

fn read_value(input: &mut In<'_>, pools: &Known) -> Option<Value> {
    Some(match input.number()? {
        0 => Value::Number(f64::from_bits(input.number()?)),
        1 => Value::Text(pools.string(input)?),
        _ => return None,
    })
}

// Which parts of a selector follow.
const ROLE: u64 = 1;
const ID: u64 = 1 << 1;
const CLASS: u64 = 1 << 2;
const TEXT: u64 = 1 << 3;
const PART: u64 = 1 << 4;
const STATES: u64 = 1 << 5;
const ANY_OF: u64 = 1 << 6;
const WITHIN: u64 = 1 << 7;
const NTH: u64 = 1 << 8;

/// How deep selectors may be nested in a file: deeper is not one of ours.
const DEEPEST: usize = 32;

fn write_selector(out: &mut Out, selector: &Selector, pools: &mut Pools) {
    let Selector { role, id, class, text, is, is_not, any_of, within, nth } = selector;
    let given = |bit, is_given| if is_given { bit } else { 0 };
    let text_bit = match text {
        Some(TextMatch::Is(_)) => TEXT,
        Some(TextMatch::Contains(_)) => PART,
        None => 0,
    };
    out.number(
        given(ROLE, role.is_some())
            | given(ID, id.is_some())
            | given(CLASS, class.is_some())
            | text_bit
            | given(STATES, !(*is | *is_not).is_empty())
            | given(ANY_OF, !any_of.is_empty())
            | given(WITHIN, within.is_some())
            | given(NTH, nth.is_some()),
    );
    let texts = [role.map(Role::name), id.as_deref(), class.as_deref()];
    texts.into_iter().flatten().for_each(|text| out.number(pools.string(text)));
    if let Some(TextMatch::Is(text) | TextMatch::Contains(text)) = text {
        out.number(pools.string(text));
    }
    if !(*is | *is_not).is_empty() {
        out.number(is.bits().into());
        out.number(is_not.bits().into());
    }
    if !any_of.is_empty() {
        out.number(any_of.len() as u64);
        any_of.iter().for_each(|one| write_selector(out, one, pools));
    }
    if let Some(outer) = within {
        write_selector(out, outer, pools);
    }
    if let Some(nth) = nth {
        out.number((*nth).into());
    }
}

fn read_selector(input: &mut In<'_>, pools: &Known, depth: usize) -> Option<Selector> {
    if depth > DEEPEST {
        return None;
    }
    let given = input.number()?;
    let mut selector = Selector::default();
    if given & ROLE != 0 {
        // One that is younger than this release is left out.
        selector.role = Role::named(&pools.string(input)?);
    }
    if given & ID != 0 {
        selector.id = Some(pools.string(input)?);
    }
    if given & CLASS != 0 {
        selector.class = Some(pools.string(input)?);
    }
    if given & TEXT != 0 {
        selector.text = Some(TextMatch::Is(pools.string(input)?));
    } else if given & PART != 0 {
        selector.text = Some(TextMatch::Contains(pools.string(input)?));
    }
    if given & STATES != 0 {
        selector.is = State::from_bits_truncate(input.number()? as u32);
        selector.is_not = State::from_bits_truncate(input.number()? as u32);
    }
    if given & ANY_OF != 0 {
        let count = input.index()?;
        let read = |_| read_selector(input, pools, depth + 1);
        selector.any_of = (0..count).map(read).collect::<Option<_>>()?;
    }
    if given & WITHIN != 0 {
        selector.within = Some(Box::new(read_selector(input, pools, depth + 1)?));
    }
    if given & NTH != 0 {
        selector.nth = Some(u32::try_from(input.number()?).ok()?);
    }
    Some(selector)
}
