//! The words of names, ids and texts: what two screens are compared by.
//!
//! On its own because it is the one place that knows how people write names: `saveFile`,
//! `save_file`, `save-file` and "Save file" are the same two words.

use capuchin::ui::Digest;
use std::fmt::Write;

/// A word, as a number: equal words have equal numbers.
pub(crate) type Word = u64;

/// Words that stand everywhere and tell nothing apart, in order.
const STOP_WORDS: [&str; 36] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "here", "in", "is",
    "it", "its", "my", "not", "of", "on", "or", "our", "out", "please", "that", "the", "this",
    "to", "up", "was", "we", "were", "will", "with", "you", "your",
];

/// Words of ids and classes that say what kind of element it is, which its role says already,
/// in order.
const KIND_WORDS: [&str; 28] = [
    "android",
    "app",
    "box",
    "btn",
    "button",
    "com",
    "component",
    "container",
    "content",
    "div",
    "element",
    "field",
    "id",
    "image",
    "img",
    "inner",
    "input",
    "item",
    "label",
    "layout",
    "link",
    "main",
    "outer",
    "span",
    "text",
    "view",
    "widget",
    "wrapper",
];

/// What a control says that closes something, in words and in signs.
pub(crate) const CLOSING_WORDS: &str = "close dismiss hide cancel";
pub(crate) const CLOSING_SIGNS: [&str; 5] = ["×", "✕", "✖", "⨯", "x"];

/// The words of a text that a person reads.
pub(crate) fn words_of_text(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    each_word(text, |word| {
        if STOP_WORDS.binary_search(&word).is_err() || is_short(text) {
            words.push(word_of(word));
        }
    });
    words
}

/// The words of an id or of classes, which an author wrote for machines.
pub(crate) fn words_of_id(id: &str) -> Vec<Word> {
    let mut words = Vec::new();
    each_word(id, |word| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && word.len() > 1 && KIND_WORDS.binary_search(&word).is_err() {
            words.push(word_of(word));
        }
    });
    words
}

/// The number of a word.
pub(crate) fn word_of(word: &str) -> Word {
    let mut digest = Digest::default();
    // Taking in a text cannot fail.
    let _ = digest.write_str(word);
    digest.0
}

/// Whether a stop word is all that there is: a button called "Up" is called that.
fn is_short(text: &str) -> bool {
    text.len() <= 8 && !text.trim().contains(' ')
}

/// Calls for each word, in lower case. A word ends where the kind of letter changes from small to
/// large, between letters and digits, and at everything that is neither.
fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before = ' ';
    let mut finish = |word: &mut String| {
        if !word.is_empty() {
            take(word);
            word.clear();
        }
    };
    for letter in text.chars() {
        if !letter.is_alphanumeric() {
            finish(&mut word);
        } else {
            let is_hump = before.is_lowercase() && letter.is_uppercase();
            let is_number = before.is_alphanumeric() && before.is_numeric() != letter.is_numeric();
            if is_hump || is_number {
                finish(&mut word);
            }
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    finish(&mut word);
}

/// A name as it is compared: in lower case, one space between words, without punctuation; a name of
/// nothing but signs (`+`, `÷`) is those.
pub(crate) fn normalized(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    for part in name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty())
    {
        if !result.is_empty() {
            result.push(' ');
        }
        result.extend(part.chars().flat_map(char::to_lowercase));
    }
    if result.is_empty() { name.trim().to_owned() } else { result }
}

/// Whether an id looks like one that a program numbered: it may be another one next time.
pub(crate) fn is_generated(id: &str) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let letters = id.bytes().filter(u8::is_ascii_alphabetic).count();
    let longest_number = id.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    let is_hex = |part: &str| {
        part.len() >= 6
            && part.bytes().all(|byte| byte.is_ascii_hexdigit())
            && part.bytes().any(|byte| byte.is_ascii_digit())
    };
    let mixes = |part: &str| {
        // Letters and digits change places again and again: `x7f3k9`.
        let kinds: Vec<bool> = part.bytes().map(|byte| byte.is_ascii_digit()).collect();
        kinds.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 3
    };
    digits > 0
        && (longest_number >= 3
            || digits >= letters
            || id.starts_with(':')
            || id.split(['-', '_', ':', '.']).any(|part| is_hex(part) || mixes(part)))
}

/// How much two sorted sets of words have in common: 1 if they are the same, 0 if nothing.
pub(crate) fn overlap(one: &[Word], other: &[Word]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    2.0 * common(one, other) as f64 / (one.len() + other.len()) as f64
}

/// How many words two sorted sets have in common.
pub(crate) fn common(one: &[Word], other: &[Word]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].cmp(&other[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, count) = (i + 1, j + 1, count + 1),
        }
    }
    count
}

/// The words as a sorted set.
pub(crate) fn set(mut words: Vec<Word>) -> Vec<Word> {
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_a_name_is_written_its_words_are_the_same() {
        let save_file = words_of_text("Save file");
        for id in ["saveFile", "save_file", "save-file", "SaveFile", "btn-save-file"] {
            assert_eq!(words_of_id(id), save_file, "{id}");
        }
        assert_eq!(words_of_text("the state of the art").len(), 2);
        assert_eq!(words_of_text("Up").len(), 1, "it is all that there is");
        assert_eq!(words_of_id("com.app:id/row12_title").len(), 2);
    }

    #[test]
    fn the_lists_of_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted() && KIND_WORDS.is_sorted());
    }

    #[test]
    fn names_are_compared_without_case_and_punctuation() {
        let check = |name: &str, expected: &str| assert_eq!(normalized(name), expected);
        check("  Sign   In… ", "sign in");
        check("Größe (cm)", "größe cm");
        check("÷", "÷");
        check("7", "7");
    }

    #[test]
    fn ids_that_a_program_numbered_are_told_from_those_of_an_author() {
        for id in ["ember1234", ":r1:", "mui-48211", "a3f9c2d1", "x7f3k9", "id-5f1e2a9b"] {
            assert!(is_generated(id), "{id}");
        }
        for id in ["save", "row1", "dataTable_next", "h1-title", "__nav_2", "col2"] {
            assert!(!is_generated(id), "{id}");
        }
    }

    #[test]
    fn the_overlap_of_two_sets_is_their_common_part() {
        assert_eq!(overlap(&[1, 2, 3], &[2, 3, 4]), 2.0 / 3.0);
        assert_eq!(overlap(&[], &[1]), 0.0);
    }
}
