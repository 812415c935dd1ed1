//! What is no spec at all: it is refused, soon, with a bounded number of words, and never by a
//! panic.

use capuchin_spec::{Parsed, parse, parse_gen};
use capuchin_ui::Rng;

/// The size of the large inputs; smaller where nothing is optimised.
const LARGE: usize = if cfg!(debug_assertions) { 1 << 16 } else { 1 << 20 };

#[track_caller]
fn endure(source: &str) -> Parsed {
    let parsed = parse("noise.capu", source);
    assert!(parsed.diagnostics.len() <= 42, "{} diagnostics", parsed.diagnostics.len());
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.to_string().len() < 500, "{diagnostic}");
        assert!(crate::render::render(diagnostic).len() > 5);
    }
    if let Some(spec) = &parsed.spec {
        let printed = spec.to_string();
        assert_eq!(parse("printed.capu", &printed).spec.as_ref(), Some(spec), "{printed}");
    }
    let _ = parse_gen(source);
    parsed
}

/// A large input of one kind. Something that took quadratic time would be noticed by whoever waits.
#[track_caller]
fn endure_large(unit: &str) -> Parsed {
    let source = unit.repeat(LARGE / unit.len() + 1);
    let parsed = parse("noise.capu", &source);
    assert!(parsed.diagnostics.len() <= 42);
    parsed
}

const TOKENS: [&str; 95] = [
    "Click",
    "LongClick",
    "Type",
    "Swipe",
    "Pinch",
    "Press",
    "Sleep",
    "Skip",
    "Rotate",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":>>",
    "*>>",
    "*>>^3",
    "<+>",
    "||",
    "?",
    "==>",
    "/\\",
    "\\/",
    "!",
    "==",
    "!=",
    "<=",
    "<",
    "+",
    "-",
    "*",
    "/",
    "%",
    "->",
    "=>",
    "..",
    "~",
    ":",
    "=",
    ".",
    "•",
    "unit",
    "val",
    "def",
    "check",
    "forAll",
    "always",
    "device",
    "seed",
    "cases",
    "predicate",
    "environment",
    "assert",
    "let",
    "missing",
    "optional",
    "repeat",
    "times",
    "monkey",
    "gorilla",
    "auto",
    "swifthand",
    "with",
    "offering",
    "preserves",
    "property",
    "eventually",
    "until",
    "leadsTo",
    "next",
    "within",
    "ms",
    "keeps",
    "then",
    "matches",
    "contains",
    "in",
    "oneOf",
    "frequency",
    "choose",
    "string",
    "text",
    "count",
    "button",
    "element",
    "checked",
    "a",
    "b",
    "\"x\"",
    "#x",
    "7",
    "0x1f",
    "\n",
];

#[test]
fn random_tokens() {
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let length = 1 + rng.below(if seed % 100 == 0 { 3000 } else { 40 });
        let mut source = String::new();
        for _ in 0..length {
            source += TOKENS[rng.below(TOKENS.len() as u64) as usize];
            if rng.below(3) > 0 {
                source.push(' ');
            }
        }
        endure(&source);
    }
}

#[test]
fn random_bytes() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let length = [0, 1, 7, 80, 4000][seed as usize % 5];
        let bytes: Vec<u8> = (0..length).map(|_| rng.next() as u8).collect();
        endure(&String::from_utf8_lossy(&bytes));
    }
    let mut rng = Rng::new(1);
    let bytes: Vec<u8> = (0..LARGE).map(|_| rng.next() as u8).collect();
    endure_large(&String::from_utf8_lossy(&bytes));
}

#[test]
fn good_files_with_holes() {
    let source = capuchin_spec::REFERENCE;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut chars: Vec<char> = source.chars().collect();
        let from = rng.below(chars.len() as u64) as usize;
        chars.drain(..from);
        chars.truncate(400);
        for _ in 0..3 {
            if !chars.is_empty() {
                let at = rng.below(chars.len() as u64) as usize;
                chars.remove(at);
            }
        }
        endure(&chars.into_iter().collect::<String>());
    }
}

/// Files that are right, and what becomes of them if a few words are dropped, doubled, exchanged or
/// replaced: now and then something right again, and then it prints as something that reads the
/// same.
#[test]
fn mutants() {
    let blocks = capuchin_spec::REFERENCE.split("```capu\n").skip(1);
    let blocks: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
    let mut survivors = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut below = |bound: usize| rng.below(bound as u64) as usize;
        let mut words = pieces(blocks[below(blocks.len())]);
        for _ in 0..1 + below(3) {
            let (at, other) = (below(words.len()), below(words.len()));
            match below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                2 => words.swap(at, other),
                _ => words[at] = TOKENS[below(TOKENS.len())],
            }
        }
        survivors += usize::from(endure(&words.concat()).spec.is_some());
    }
    assert!(survivors > 300, "{survivors}");
}

/// A source in words, runs of blanks, and single signs.
fn pieces(source: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in source.char_indices().skip(1) {
        let before = source[start..].chars().next().map(class);
        if before != Some(class(c)) || matches!(c, '(' | ')' | '{' | '}' | '"' | ',') {
            pieces.push(&source[start..at]);
            start = at;
        }
    }
    pieces.push(&source[start..]);
    pieces
}

#[test]
fn what_nests_is_refused() {
    let units = [
        "(",
        "{",
        "[",
        "!",
        "-",
        "~",
        "a(",
        "oneOf(",
        "1->",
        "1+",
        "1*(",
        "a==>",
        "a?",
        "optional ",
        "repeat 2 ",
        "auto random 2 with ",
        "assert ",
        "a in ",
        "a[",
        "a||",
        "a then ",
        "a keeps ",
        "a always ",
        "a matches ",
        "{a :>> ",
        "(a, ",
        "forAll(",
        "x = {",
        "?",
        "[1]",
        "a /\\ (",
    ];
    for unit in units {
        for start in ["", "check x = a", "val x = "] {
            let parsed = parse("deep.capu", &format!("{start}{}", unit.repeat(LARGE / 16)));
            assert!(parsed.spec.is_none(), "{unit}");
            endure_large(&unit.repeat(64));
        }
    }
}

#[test]
fn deep_but_not_too_deep() {
    for (open, close) in [("{", "}"), ("(", ")"), ("optional ", ""), ("{ Skip :>> ", "}?")] {
        let source = format!("{}Rotate{}", open.repeat(60), close.repeat(60));
        assert!(endure(&source).spec.is_some(), "{open}");
    }
}

#[test]
fn what_is_long_and_flat_is_read() {
    let many = |unit: &str, last: &str| unit.repeat(5000) + last;
    for source in [
        many("Click(#a) :>>\n", "Rotate"),
        many("Rotate <+> ", "Skip"),
        "assert ".to_owned() + &many("true /\\ ", "false"),
        many("Rotate *>> ", "•"),
    ] {
        assert!(endure(&source).spec.is_some());
    }
}

#[test]
fn large_noise_of_one_kind() {
    for unit in [
        "\"",
        "a",
        "#",
        "#a ",
        "9",
        "9 ",
        "0x",
        "\\",
        "/*",
        "//",
        "*/",
        "é",
        "\u{1f412}",
        "\u{feff}",
        " ",
        "\n",
        ".",
        "a.",
        "&&",
        ";",
        "val ",
        "val a = b\n",
        "check a = a\n",
        "predicate a\n",
        "always p\n",
        "a\n",
        "a ",
        ")",
        "}",
        "a(b)\n",
        "Click(#a)\n",
        "forAll(a)\n",
        ",",
        ":",
        "=>",
        "a <+> ",
        "a :>> ",
        "p /\\ ",
        "unknown(",
        "seed 1\n",
        "string(\"[a-z]\") ",
    ] {
        endure_large(unit);
    }
    endure_large(&format!("Click(\"{}\")", "x".repeat(LARGE)));
}

#[test]
fn expansion_is_bounded() {
    let mut doubling = String::from("val a0 = Rotate :>> Rotate\n");
    for i in 1..40 {
        doubling += &format!("val a{i} = a{} :>> a{}\n", i - 1, i - 1);
    }
    doubling += "check bomb = a39\n";
    assert!(endure(&doubling).spec.is_none());

    let mut by_argument = String::from("val f0(x) = x :>> x\n");
    for i in 1..40 {
        by_argument += &format!("val f{i}(x) = f{}(f{}(x))\n", i - 1, i - 1);
    }
    by_argument += "check bomb = f39(Rotate)\n";
    assert!(endure(&by_argument).spec.is_none());

    let mut values = String::from("val n0 = 1 + 1\n");
    for i in 1..40 {
        values += &format!("val n{i} = n{} + -n{}\n", i - 1, i - 1);
    }
    values += "check bomb = repeat n39 Rotate\n";
    assert!(endure(&values).spec.is_none());
}

#[test]
fn long_rows_of_definitions() {
    for (first, body) in [("Rotate", "X"), ("Rotate", "{ X }?"), ("1", "-X"), ("true", "!X")] {
        let mut row = format!("val a0 = {first}\n");
        for i in 1..3000 {
            row += &format!("val a{i} = {}\n", body.replace('X', &format!("a{}", i - 1)));
        }
        assert!(endure(&format!("{row}check x = a2999\n")).spec.is_none());
        assert!(endure(&format!("{row}check x = a20\n")).diagnostics.len() < 3);
    }
    let mut calls = String::from("val f0(x) = x\n");
    for i in 1..3000 {
        calls += &format!("val f{i}(x) = f{}(x)\n", i - 1);
    }
    endure(&format!("{calls}check x = f2999(Rotate)\n"));
}

#[test]
fn circles_are_refused() {
    for source in [
        "val a = a\ncheck x = a",
        "val a = -b\nval b = -a\ncheck x = repeat a Rotate",
        "val f(x) = g(x) :>> x\nval g(x) = f(x)\ncheck x = g(Rotate)",
        "val a = oneOf(b, a)\nval b = {a}\ncheck x = b :>> a",
    ] {
        let parsed = endure(source);
        assert!(
            parsed.diagnostics.iter().any(|d| d.to_string().contains("defined by itself")),
            "{source}"
        );
    }
}
