//! What is drawn matches, is bounded, has the distribution that is documented, and is the same in
//! every release.

use super::*;
use std::collections::BTreeMap;

fn refused(regex: &str) -> String {
    RegexSampler::new(regex).unwrap_err().reason
}

const REGEXES: [&str; 24] = [
    "",
    "abc",
    "a|b|cd",
    "[a-z]{1,8}",
    "[a-zA-Z]*",
    "[^a]+",
    ".*",
    r"\w+ \d{2,3}",
    r"\PC",
    r"(?i)hello",
    r"(?s).",
    "(a|[a&&b])x",
    "([a&&b])*y",
    r"\p{Greek}{4}",
    r"[[:alpha:]--[aeiou]]{3}",
    "((((a*)*)*)*)*",
    "((((((a?)*)*)*)*)*)*",
    "(((){4000}){4000}){4000}",
    "a{0,50000}",
    "([ab]{0,9}){20}",
    r"[\x00-\x{10FFFF}]{9}",
    r"[\x{D000}-\x{F000}]",
    r"(?-u:\w)",
    r"([a-z]+ ){2,}[.!?]",
];

#[test]
fn what_is_drawn_matches_and_is_not_too_long() {
    for regex in REGEXES {
        let pattern = Pattern::new(regex).ok();
        let sampler = RegexSampler::new(regex).unwrap();
        let mut rng = Rng::new(9);
        for _ in 0..50 {
            let text = sampler.draw(&mut rng);
            let matches = pattern.as_ref().is_none_or(|pattern| pattern.describes(&text));
            assert!(matches, "{regex}: {text:?}");
            assert!(text.chars().count() as u64 <= LONG_TEXT as u64 + MOST_STEPS, "{regex}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_from_is_refused() {
    let none = "it describes no text at all";
    for regex in ["[a&&b]", "x[a&&b]", "[a&&b]|[^\\x00-\\x{10FFFF}]", "[a&&b]{2}"] {
        assert_eq!(refused(regex), none, "{regex}");
    }
    let long = "its repetitions come to more than 4096 characters";
    for regex in
        ["[ab]{50000}", "(a{70}){70}", "((a?){5000}){5000}", "(a|b{5000})", "a{4294967295}"]
    {
        assert_eq!(refused(regex), long, "{regex}");
    }
    for regex in ["^a", "a$", r"\ba"] {
        assert!(refused(regex).starts_with("a text is drawn as a whole"), "{regex}");
    }
    assert_eq!(refused("[a-"), "unclosed character class");
    assert!(!refused(&"(".repeat(5000)).is_empty());
}

/// How often each text was drawn, of many.
fn shares(regex: &str, of: u32) -> BTreeMap<String, u32> {
    let sampler = RegexSampler::new(regex).unwrap();
    let (mut rng, mut shares) = (Rng::new(1), BTreeMap::new());
    (0..of).for_each(|_| *shares.entry(sampler.draw(&mut rng)).or_default() += 1);
    shares
}

#[test]
fn the_distribution_is_the_documented_one() {
    let even = |regex: &str, count: usize| {
        let shares = shares(regex, 1000 * count as u32);
        assert_eq!(shares.len(), count, "{regex}");
        assert!(shares.values().all(|share| (850..1150).contains(share)), "{regex}: {shares:?}");
    };
    even("[a-c]", 3);
    even("ab|cde|f", 3);
    even("x{2,5}", 4);
    even("x*", 33);
    even("x+", 33);
    even("[a-p]", 16);
    // A large class: seven in eight are printable ASCII, the others of other scripts.
    let shares = shares(".", 16_000);
    let other: u32 = shares.iter().filter(|(c, _)| !c.is_ascii()).map(|(_, share)| share).sum();
    assert!((1850..2150).contains(&other), "{other}");
    assert_eq!(shares.len(), 95 + OTHER.chars().count());
    assert!(!shares.keys().any(|c| c.contains(char::is_control)));
}

/// The promise of the seed: an update of the parser that changes one of these breaks it.
#[test]
fn a_seed_gives_the_same_text_in_every_release() {
    let expected = [
        ("abc", "abc"),
        ("a|b|cd", "b"),
        ("[a-z]{1,8}", "axpl"),
        ("[a-zA-Z]*", "AueXMYRGVFxv"),
        ("[^a]+", "🙂JK,)wrsZ_Ωu'"),
        (".*", "🙂JL,)wrsZ`Ωu"),
        (r"\w+ \d{2,3}", "あST86urscfœt4 94"),
        (r"(?i)hello", "HEllO"),
        (r"[[:alpha:]--[aeiou]]{3}", "SAv"),
        (r"[\x00-\x{10FFFF}]{9}", "!W7?G👍rT?"),
        (r"[\x{D000}-\x{F000}]", "\u{e15b}"),
        ("(a|b(c|d)*){3}", "aabcccccccddddddcdddcc"),
    ];
    for (regex, text) in expected {
        let drawn = RegexSampler::new(regex).unwrap().draw(&mut Rng::new(7));
        assert_eq!(drawn, text, "{regex}");
    }
}
