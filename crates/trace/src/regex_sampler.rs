//! Texts drawn from a regular expression: a sampler of our own, so that a seed gives the same text
//! in every release, and no expression takes more than a bounded time and length.
//!
//! The distribution:
//! - An alternative is one of its arms, each as likely as the others.
//! - A repetition is drawn so many times, uniformly, from its least to its greatest number; one
//!   without an upper bound has [`OPEN_REPETITIONS`] more than its least. Once a text has
//!   [`LONG_TEXT`] characters, repetitions end as soon as they may.
//! - A class of at most [`SMALL_CLASS`] characters gives each of them with the same likelihood. A
//!   larger one (such as `.` or `\w`) gives a printable character of ASCII, and one time in
//!   [`ONE_IN_OTHER`] one of [`OTHER`]; if it has none of ASCII, any of its characters.
//!
//! What is in a class such as `\p{Greek}` is what the Unicode version of `regex-syntax` says.
//! Nothing else of a text depends on that crate.

use crate::argument::{BadRegex, Pattern};
use capuchin_ui::Rng;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

/// How many repetitions more than its least number an expression such as `a*` has at most.
const OPEN_REPETITIONS: u32 = 32;
/// How long a text is, in characters, when no more repetitions are added than must be.
const LONG_TEXT: usize = 1000;
/// How many steps a text takes at least that is too long to be drawn: characters and repetitions.
const MOST_STEPS: u64 = 4096;
/// How many characters a class has at most that are all drawn alike.
const SMALL_CLASS: u64 = 256;
/// One in so many characters of a large class is not of ASCII.
const ONE_IN_OTHER: u64 = 8;
/// The characters beyond ASCII that are drawn from large classes: letters of several scripts, of
/// two to four bytes, with and without case.
const OTHER: &str = "éßñøŁœΩλжЯאש中あ한€“…🙂👍";

/// A regular expression, ready to be drawn from.
#[derive(Debug)]
pub(crate) enum RegexSampler {
    Text(String),
    Class(CharClass),
    Sequence(Vec<RegexSampler>),
    OneOf(Vec<RegexSampler>),
    Repeated(Box<RegexSampler>, u32, u32),
}

/// The characters of a class.
#[derive(Debug)]
pub(crate) struct CharClass {
    /// From the first to the last of each range.
    usual: Vec<(char, char)>,
    /// The others of a large class.
    other: Vec<char>,
}

/// A text that is being drawn.
struct Drawn<'r> {
    rng: &'r mut Rng,
    text: String,
    /// Characters and repetitions so far.
    steps: usize,
}

impl RegexSampler {
    /// Reads an expression. An error says why no text can be drawn from it.
    pub(crate) fn new(source: &str) -> Result<Self, BadRegex> {
        let hir = read(source)?;
        let refuse = |reason: String| Err(BadRegex { reason });
        let Some(sampler) = Self::of(&hir)? else {
            return refuse("it describes no text at all".to_owned());
        };
        match sampler.least_steps() {
            0..=MOST_STEPS => Ok(sampler),
            _ => refuse(format!("its repetitions come to more than {MOST_STEPS} characters")),
        }
    }

    /// A part of an expression; nothing if it describes no text.
    fn of(hir: &Hir) -> Result<Option<Self>, BadRegex> {
        let refuse = |reason: &str| Err(BadRegex { reason: reason.to_owned() });
        Ok(match hir.kind() {
            HirKind::Empty => Some(RegexSampler::Text(String::new())),
            HirKind::Literal(literal) => match str::from_utf8(&literal.0) {
                Ok(text) => Some(RegexSampler::Text(text.to_owned())),
                Err(_) => return refuse("it describes bytes that are not text"),
            },
            HirKind::Class(class) => {
                let class = match class {
                    Class::Unicode(class) => Some(class.clone()),
                    Class::Bytes(class) => class.to_unicode_class(),
                };
                let Some(class) = class else {
                    return refuse("it describes bytes that are not text");
                };
                CharClass::of(&class).map(RegexSampler::Class)
            }
            HirKind::Look(_) => {
                return refuse("a text is drawn as a whole: leave out anchors and word boundaries");
            }
            HirKind::Capture(capture) => Self::of(&capture.sub)?,
            HirKind::Repetition(repetition) => match Self::of(&repetition.sub)? {
                Some(part) => {
                    let least = repetition.min;
                    let most = repetition.max.unwrap_or(least.saturating_add(OPEN_REPETITIONS));
                    Some(RegexSampler::Repeated(Box::new(part), least, most))
                }
                None => (repetition.min == 0).then(|| RegexSampler::Text(String::new())),
            },
            HirKind::Concat(parts) => {
                let parts: Result<Option<Vec<Self>>, BadRegex> =
                    parts.iter().map(Self::of).collect();
                parts?.map(RegexSampler::Sequence)
            }
            HirKind::Alternation(arms) => {
                let arms = arms.iter().map(Self::of).collect::<Result<Vec<_>, _>>()?;
                let arms: Vec<Self> = arms.into_iter().flatten().collect();
                (!arms.is_empty()).then_some(RegexSampler::OneOf(arms))
            }
        })
    }

    /// How many characters and repetitions a text takes if no more are drawn than must be.
    fn least_steps(&self) -> u64 {
        match self {
            RegexSampler::Text(text) => text.chars().count() as u64,
            RegexSampler::Class(_) => 1,
            RegexSampler::Sequence(parts) => parts.iter().map(Self::least_steps).sum(),
            RegexSampler::OneOf(arms) => arms.iter().map(Self::least_steps).max().unwrap_or(0),
            RegexSampler::Repeated(part, least, _) => {
                part.least_steps().max(1).saturating_mul(u64::from(*least))
            }
        }
    }

    /// A text, as the numbers say.
    pub(crate) fn draw(&self, rng: &mut Rng) -> String {
        let mut drawn = Drawn { rng, text: String::new(), steps: 0 };
        self.draw_into(&mut drawn);
        drawn.text
    }

    fn draw_into(&self, drawn: &mut Drawn<'_>) {
        match self {
            RegexSampler::Text(text) => {
                drawn.text.push_str(text);
                drawn.steps += text.chars().count();
            }
            RegexSampler::Class(class) => {
                drawn.text.push(class.draw(drawn.rng));
                drawn.steps += 1;
            }
            RegexSampler::Sequence(parts) => parts.iter().for_each(|part| part.draw_into(drawn)),
            RegexSampler::OneOf(arms) => {
                let chosen = drawn.rng.below(arms.len() as u64) as usize;
                arms[chosen].draw_into(drawn);
            }
            RegexSampler::Repeated(part, least, most) => {
                let times = drawn.rng.between(i64::from(*least), i64::from(*most));
                for time in 0..times {
                    if time >= i64::from(*least) && drawn.steps >= LONG_TEXT {
                        break;
                    }
                    drawn.steps += 1;
                    part.draw_into(drawn);
                }
            }
        }
    }
}

/// Reads an expression, unless it is too long.
fn read(source: &str) -> Result<Hir, BadRegex> {
    if source.len() > Pattern::LONGEST {
        let reason = format!("it is longer than {} bytes", Pattern::LONGEST);
        return Err(BadRegex { reason });
    }
    regex_syntax::parse(source).map_err(|error| BadRegex::because(&error))
}

/// About how much memory an expression takes that texts are compared with, in bytes.
pub(crate) fn size_of_regex(source: &str) -> Result<u64, BadRegex> {
    /// What one state of its machine takes.
    const STATE: u64 = 32;
    fn states(hir: &Hir) -> u64 {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => 1,
            HirKind::Literal(literal) => literal.0.len() as u64,
            // A range of characters is one or two of bytes.
            HirKind::Class(Class::Unicode(class)) => 2 * class.ranges().len() as u64,
            HirKind::Class(Class::Bytes(class)) => class.ranges().len() as u64,
            HirKind::Repetition(repetition) => {
                let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
                states(&repetition.sub).saturating_add(1).saturating_mul(times.into())
            }
            HirKind::Capture(capture) => states(&capture.sub).saturating_add(2),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                parts.iter().map(states).fold(1, u64::saturating_add)
            }
        }
    }
    read(source).map(|hir| states(&hir).saturating_mul(STATE))
}

impl CharClass {
    /// The characters of a class; nothing if there are none.
    fn of(class: &ClassUnicode) -> Option<CharClass> {
        let ranges: Vec<(char, char)> =
            class.iter().flat_map(|range| without_surrogates(range.start(), range.end())).collect();
        let contains = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
        let size: u64 = ranges.iter().map(|range| length(*range)).sum();
        let printable: Vec<(char, char)> =
            (' '..='~').filter(|c| contains(*c)).map(|c| (c, c)).collect();
        if size <= SMALL_CLASS || printable.is_empty() {
            return (size > 0).then_some(CharClass { usual: ranges, other: Vec::new() });
        }
        let other = OTHER.chars().filter(|c| contains(*c)).collect();
        Some(CharClass { usual: printable, other })
    }

    fn draw(&self, rng: &mut Rng) -> char {
        if !self.other.is_empty() && rng.below(ONE_IN_OTHER) == 0 {
            return self.other[rng.below(self.other.len() as u64) as usize];
        }
        let mut place = rng.below(self.usual.iter().map(|range| length(*range)).sum());
        for range in &self.usual {
            match place.checked_sub(length(*range)) {
                Some(rest) => place = rest,
                None => return char::from_u32(range.0 as u32 + place as u32).unwrap_or(range.0),
            }
        }
        ' '
    }
}

fn length((from, to): (char, char)) -> u64 {
    u64::from(to as u32 - from as u32) + 1
}

/// A range of characters, in two if it goes across the numbers that are no characters.
fn without_surrogates(from: char, to: char) -> impl Iterator<Item = (char, char)> {
    const GAP: (char, char) = ('\u{d7ff}', '\u{e000}');
    let parts = match from <= GAP.0 && to >= GAP.1 {
        true => [Some((from, GAP.0)), Some((GAP.1, to))],
        false => [Some((from, to)), None],
    };
    parts.into_iter().flatten()
}

#[cfg(test)]
mod tests;
