//! Specifications that are right, written from random numbers, and texts that were right before
//! they were changed.
//!
//! On its own because it knows the language as text and not through our printer: what the printer
//! never writes is tried as well.

use capuchin::ui::Rng;

/// How deep what is drawn nests.
const DEPTH: u32 = 4;

/// A specification without a mistake.
pub(super) fn spec(rng: &mut Rng) -> String {
    let mut text = String::from("predicate isPlaying\nenvironment battery\n");
    if rng.below(3) == 0 {
        text += &format!("seed {}\ncases {}\n", rng.below(1 << 40), 1 + rng.below(1_000_000));
    }
    if rng.below(3) == 0 {
        text += &format!("val step = {}\nval twice(a) = a :>> a\n", brace(rng, DEPTH));
    }
    for number in 0..1 + rng.below(3) {
        text += &format!("check c{number} = {}\n", generator(rng, DEPTH));
    }
    if rng.below(4) == 0 {
        text += &format!("always \"named\": {}\n", property(rng, DEPTH));
    }
    text
}

fn pick<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

fn brace(rng: &mut Rng, depth: u32) -> String {
    format!("{{ {} }}", generator(rng, depth))
}

/// A generator.
fn generator(rng: &mut Rng, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return event(rng) };
    let (a, b) = (brace(rng, depth), brace(rng, depth));
    let n = [0, 1, 2, 7][rng.below(4) as usize];
    match rng.below(20) {
        0 | 1 => format!("{a} :>> {b}"),
        2 => format!("{a} *>> {b}"),
        3 | 4 => format!("{a} <+> {b}"),
        5 => format!("repeat {n} {a}"),
        6 => format!("repeat {n}..{} {a}", n + rng.below(3)),
        7 => format!("times {n} {a}"),
        8 => format!("{a}?"),
        9 => format!("optional {a}"),
        10 => format!("{} then {a}", property(rng, depth)),
        11 => format!("assert {}", property(rng, depth)),
        12 => format!("{a} preserves {}", property(rng, depth)),
        13 => format!("{a} keeps {}", value(rng, depth)),
        14 => format!("{{ {a} always {} }}", property(rng, depth)),
        15 => format!("frequency({} -> {a}, 1 -> {b})", rng.below(5)),
        16 => format!("gorilla {n} {a}"),
        17 => format!("auto {} {n} {} {a}", policy(rng), pick(rng, &["with", "offering"])),
        18 => format!("{a} || battery({})", rng.below(100)),
        _ => event(rng),
    }
}

fn policy(rng: &mut Rng) -> &'static str {
    pick(rng, &["random", "swifthand", "capuchin", "monkey", "relevant", "lstar"])
}

fn event(rng: &mut Rng) -> String {
    let (target, other) = (element(rng), element(rng));
    match rng.below(14) {
        0 | 1 => format!("Click({target})"),
        2 => format!("LongClick({target})"),
        3 => format!("Type({target}, {})", texts(rng)),
        4 => format!("Swipe({target}, {other})"),
        5 => {
            format!("Swipe({target}, {})", pick(rng, &["Up", "Down", "Left", "Right", "anywhere"]))
        }
        6 => format!("Pinch(({}, 3), anywhere)", rng.below(999)),
        7 => format!("Sleep(choose(0, {}))", rng.below(100_000)),
        8 => format!("Press(\"{}\")", pick(rng, &["Enter", "Escape", "a", "\\u{1b}"])),
        9 => "Click(*)".to_owned(),
        10 => format!("monkey {}", rng.below(50)),
        11 => "Clear(*)".to_owned(),
        12 => format!("battery({}, \"{}\")", rng.below(9), text(rng)),
        _ => {
            pick(rng, &["Rotate", "ClickBack", "Skip", "unit", "•", "interrupt", "Settings"]).into()
        }
    }
}

fn texts(rng: &mut Rng) -> String {
    let regexes = [
        "[a-z]{1,8}",
        "(a|b)*",
        ".{0,40}",
        "\\\\d+",
        "((a?)*)*",
        "[^a]{3}",
        "\\\\w{1,9}",
        "[ab]{900}",
    ];
    match rng.below(3) {
        0 => format!("\"{}\"", text(rng)),
        _ => format!("string(\"{}\")", pick(rng, &regexes)),
    }
}

/// A text between quotes.
fn text(rng: &mut Rng) -> String {
    let parts =
        ["Save", " ", "é", "\\n", "\\u{202e}", "\\\"", "שלום", "👩‍👧", "\\\\", "//", "#a", "{"];
    (0..rng.below(5)).map(|_| pick(rng, &parts)).collect()
}

fn element(rng: &mut Rng) -> String {
    match rng.below(9) {
        0 | 1 => format!("#{}", pick(rng, &["a", "enter", "x-1", "_"])),
        2 => format!("\"{}\"", text(rng)),
        3 => format!("button(\"{}\", enabled)", text(rng)),
        4 => "element(unchecked)".to_owned(),
        5 => format!("#a | .{} | \"b\"", pick(rng, &["new", "old"])),
        6 => format!("button[{}]", 1 + rng.below(4)),
        7 => format!("~\"{}\" in #list", text(rng)),
        _ => format!("id(\"{}\")", text(rng)),
    }
}

fn value(rng: &mut Rng, depth: u32) -> String {
    let of = element(rng);
    match rng.below(if depth == 0 { 4 } else { 6 }) {
        0 => format!("{}", rng.below(1000)),
        1 => format!("number({of})"),
        2 => format!("count({of})"),
        3 => format!("length(text({of}))"),
        4 => format!("({} + {})", value(rng, depth - 1), value(rng, depth - 1)),
        _ => format!("({} % {})", value(rng, depth - 1), value(rng, depth - 1)),
    }
}

fn property(rng: &mut Rng, depth: u32) -> String {
    let of = element(rng);
    let Some(depth) = depth.checked_sub(1) else { return format!("isDisplayed({of})") };
    match rng.below(9) {
        0 => format!("isClickable({of})"),
        1 => "isPlaying".to_owned(),
        2 => format!("!({})", property(rng, depth)),
        3 => format!("({} /\\ {})", property(rng, depth), property(rng, depth)),
        4 => format!("({} \\/ {})", property(rng, depth), property(rng, depth)),
        5 => format!("({} ==> {})", property(rng, depth), property(rng, depth)),
        6 => format!("({} <= {})", value(rng, depth), value(rng, depth)),
        7 => format!("(text({of}) matches \"[a-z]{{0,9}}\")"),
        _ => format!("isDisplayed({of})"),
    }
}

/// The text with some of its bytes changed, doubled, dropped, or replaced by worse.
pub(super) fn mutated(rng: &mut Rng, text: &str) -> String {
    const WORSE: [&str; 16] = [
        "\u{0}",
        "\u{1b}[2J",
        "\u{202e}",
        "\u{fffe}",
        "((((((((",
        "99999999999999999999",
        "-1",
        "\"",
        "[a&&b]",
        "{1000}",
        "null",
        "\\u{110000}",
        "\r",
        "é",
        "*>>^9",
        "1e999",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let end = (at + rng.below(40) as usize).min(bytes.len());
        match rng.below(5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                for _ in 0..rng.below(200) {
                    bytes.splice(at..at, part.iter().copied());
                }
            }
            3 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, pick(rng, &WORSE).bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
