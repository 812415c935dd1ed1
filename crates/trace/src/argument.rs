//! Generators of the arguments of events: texts and numbers.
//!
//! They print themselves and know what else they admit, so that a failing argument can be made
//! simpler without leaving the set that it was drawn from.

use crate::regex_sampler::{RegexSampler, size_of_regex};
use capuchin_ui::{DeviceEvents, Rng, Str};
use regex::RegexBuilder;
use std::fmt;
use std::sync::Arc;

/// A regular expression that does not read, or that strings cannot be drawn from.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("this regular expression cannot be used: {reason}")]
pub struct BadRegex {
    /// What is wrong with it.
    pub reason: String,
}

impl BadRegex {
    pub(crate) fn because(error: &dyn std::error::Error) -> Self {
        let message = error.to_string();
        let line = message.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        BadRegex { reason: line.trim().trim_start_matches("error: ").to_owned() }
    }
}

/// How much memory comparing with an expression may take, in bytes.
const MATCHING_MEMORY: usize = 512 << 10;

/// A regular expression that texts are compared with. Two are equal if they read the same.
#[derive(Clone)]
pub struct Pattern {
    source: Str,
    whole: regex::Regex,
    bytes: u64,
}

impl Pattern {
    /// The longest expression, in bytes: reading one takes a thousand times its size.
    pub const LONGEST: usize = 10_000;

    /// Reads a regular expression.
    pub fn new(source: &str) -> Result<Self, BadRegex> {
        let bytes = size_of_regex(source)?;
        let read = |source: &str| {
            let read = RegexBuilder::new(source).dfa_size_limit(MATCHING_MEMORY).build();
            read.map_err(|error| BadRegex::because(&error))
        };
        // What is no expression by itself, which is known by now, may become one inside of another.
        // The line ends before the bracket, for expressions that end in a comment.
        let whole =
            read(&format!("^(?:{source})$")).or_else(|_| read(&format!("^(?:{source}\n)$")))?;
        Ok(Pattern { source: source.into(), whole, bytes })
    }

    /// About how much memory it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the text as a whole is described by it.
    pub fn describes(&self, text: &str) -> bool {
        self.whole.is_match(text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.source)
    }
}

/// The texts that a regular expression describes, to draw from. That asks more of an expression
/// than comparing does: one with a word boundary describes texts and cannot be drawn from.
#[derive(Clone)]
pub struct Strings(Arc<(Pattern, RegexSampler)>);

impl Strings {
    /// Reads a regular expression.
    pub fn new(source: &str) -> Result<Self, BadRegex> {
        let sampler = RegexSampler::new(source)?;
        Ok(Strings(Arc::new((Pattern::new(source)?, sampler))))
    }

    /// The expression that describes them.
    pub fn pattern(&self) -> &Pattern {
        &self.0.0
    }
}

impl PartialEq for Strings {
    fn eq(&self, other: &Self) -> bool {
        self.pattern() == other.pattern()
    }
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pattern().fmt(f)
    }
}

/// Draws what a generator leaves open. One lives for one case.
pub(crate) struct Sampler {
    pub(crate) rng: Rng,
    /// What the device performs for which it draws.
    pub(crate) events: DeviceEvents,
}

impl Sampler {
    pub(crate) fn new(rng: Rng) -> Self {
        Sampler { rng, events: DeviceEvents::all() }
    }
}

/// A set of texts to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Texts {
    /// Just this one.
    Just(Str),
    /// Any that the regular expression describes.
    Matching(Strings),
    /// One of these sets, by weight.
    OneOf(Vec<(u32, Texts)>),
}

impl Texts {
    /// The texts that a regular expression describes.
    pub fn matching(regex: &str) -> Result<Self, BadRegex> {
        Strings::new(regex).map(Texts::Matching)
    }

    pub(crate) fn sample(&self, sampler: &mut Sampler) -> Str {
        match self {
            Texts::Just(text) => text.clone(),
            // Each text takes one number, whatever it is made of: what is drawn later does not
            // depend on it.
            Texts::Matching(strings) => strings.0.1.draw(&mut Rng::new(sampler.rng.next())).into(),
            Texts::OneOf(arms) => {
                pick_arm(arms, &mut sampler.rng).map(|arm| arm.sample(sampler)).unwrap_or_default()
            }
        }
    }

    /// Whether this text could have been drawn.
    pub fn admits(&self, text: &str) -> bool {
        match self {
            Texts::Just(only) => only == text,
            Texts::Matching(strings) => strings.pattern().describes(text),
            Texts::OneOf(arms) => drawn(arms).any(|arm| arm.admits(text)),
        }
    }

    /// Simpler texts that could have been drawn instead, the simplest first.
    pub(crate) fn simpler(&self, text: &str) -> Vec<Str> {
        if matches!(self, Texts::Just(_)) {
            return Vec::new();
        }
        let chars: Vec<char> = text.chars().collect();
        let length = chars.len();
        let mut candidates: Vec<String> = vec![String::new()];
        // All of it plain at once, before letter by letter.
        for plain in PLAIN {
            candidates.push(chars.iter().map(|c| if plain < *c { plain } else { *c }).collect());
        }
        // Shorter by ever smaller pieces, then plainer piece by piece. A long text is cut into so
        // many pieces at most: each candidate is as long as the text.
        let least = (length / MOST_PIECES).max(1);
        let mut piece = length / 2;
        while piece >= least {
            candidates.extend((0..length).step_by(piece).map(|from| {
                let to = (from + piece).min(length);
                chars[..from].iter().chain(&chars[to..]).collect::<String>()
            }));
            piece /= 2;
        }
        for from in (0..length).step_by(least) {
            let to = (from + least).min(length);
            for plain in PLAIN.into_iter().filter(|plain| chars[from..to].iter().any(|c| plain < c))
            {
                let mut simpler = chars.clone();
                simpler[from..to].iter_mut().for_each(|c| *c = plain.min(*c));
                candidates.push(simpler.into_iter().collect());
            }
        }
        if let Texts::OneOf(arms) = self {
            candidates.extend(drawn(arms).filter_map(|arm| match arm {
                Texts::Just(only) => Some(only.to_string()),
                _ => None,
            }));
        }
        let simpler = |candidate: &String| {
            (candidate.chars().count(), candidate.as_str()) < (length, text)
                && self.admits(candidate)
        };
        candidates.retain(simpler);
        candidates.into_iter().map(Str::from).collect()
    }
}

/// How many pieces of a text are left out or made plain, one at a time, to make it simpler.
const MOST_PIECES: usize = 256;
/// What a letter is replaced by to make a text simpler.
const PLAIN: [char; 2] = ['a', '0'];

/// The number of one of several, by weight. All weights zero counts as all equal; of nothing, 0.
pub(crate) fn pick(weights: impl Iterator<Item = u32> + Clone, rng: &mut Rng) -> usize {
    let total: u64 = weights.clone().map(u64::from).sum();
    if total == 0 {
        return rng.below(weights.count() as u64) as usize;
    }
    let mut ticket = rng.below(total);
    for (index, weight) in weights.enumerate() {
        match ticket.checked_sub(u64::from(weight)) {
            Some(rest) => ticket = rest,
            None => return index,
        }
    }
    0
}

/// The arms that can be drawn: those of some weight, or all if none has any.
fn drawn<T>(arms: &[(u32, T)]) -> impl Iterator<Item = &T> {
    let all_zero = arms.iter().all(|(weight, _)| *weight == 0);
    arms.iter().filter(move |(weight, _)| *weight > 0 || all_zero).map(|(_, arm)| arm)
}

/// One of several by weight, if there is any.
pub(crate) fn pick_arm<'a, T>(arms: &'a [(u32, T)], rng: &mut Rng) -> Option<&'a T> {
    arms.get(pick(arms.iter().map(|(weight, _)| *weight), rng)).map(|(_, arm)| arm)
}

/// A set of numbers to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Just this one.
    Just(f64),
    /// Any from the first to the second; whole ones if both are whole.
    Between(f64, f64),
    /// One of these sets, by weight.
    OneOf(Vec<(u32, Numbers)>),
}

impl Numbers {
    pub(crate) fn sample(&self, sampler: &mut Sampler) -> f64 {
        match self {
            Numbers::Just(number) => *number,
            Numbers::Between(low, high) if is_whole(*low) && is_whole(*high) => {
                sampler.rng.between(*low as i64, *high as i64) as f64
            }
            Numbers::Between(low, high) => low + (high - low) * sampler.rng.unit(),
            Numbers::OneOf(arms) => {
                pick_arm(arms, &mut sampler.rng).map(|arm| arm.sample(sampler)).unwrap_or_default()
            }
        }
    }

    /// The largest number in it.
    pub fn largest(&self) -> f64 {
        match self {
            Numbers::Just(number) => *number,
            Numbers::Between(low, high) => low.max(*high),
            Numbers::OneOf(arms) => {
                drawn(arms).map(Numbers::largest).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Simpler numbers that could have been drawn instead, the simplest first.
    pub(crate) fn simpler(&self, number: f64) -> Vec<f64> {
        match self {
            Numbers::Just(_) => Vec::new(),
            Numbers::Between(low, high) => {
                // Nearest to zero within the bounds is simplest.
                let goal = 0f64.clamp(low.min(*high), high.max(*low));
                // The goal, then halfway to it, a quarter of the way, and so on: a binary search.
                let mut simpler = vec![goal];
                let mut back = ((number - goal) / 2.0).trunc();
                while back.abs() >= 1.0 {
                    simpler.push((number - back).trunc());
                    back = (back / 2.0).trunc();
                }
                simpler.retain(|n| (n - goal).abs() < (number - goal).abs());
                simpler.dedup();
                simpler
            }
            Numbers::OneOf(arms) => drawn(arms)
                .flat_map(|arm| match arm {
                    Numbers::Just(only) => vec![*only],
                    Numbers::Between(low, high) if (*low..=*high).contains(&number) => {
                        arm.simpler(number)
                    }
                    _ => Vec::new(),
                })
                .filter(|simpler| simpler.abs() < number.abs())
                .collect(),
        }
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < 9e15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_texts_match_and_simpler_ones_too() {
        let texts = Texts::matching("[b-z]{2,6}!").unwrap();
        let mut sampler = Sampler::new(Rng::new(3));
        for _ in 0..50 {
            let text = texts.sample(&mut sampler);
            assert!(texts.admits(&text), "{text}");
            assert!(texts.simpler(&text).iter().all(|s| texts.admits(s) && s.len() <= text.len()));
        }
    }

    #[test]
    fn a_long_text_has_a_bounded_number_of_simpler_ones() {
        let texts = Texts::matching("[a-z]{4000}").unwrap();
        let text = texts.sample(&mut Sampler::new(Rng::new(3)));
        let simpler = texts.simpler(&text);
        assert!(!simpler.is_empty() && simpler.len() < 4 * MOST_PIECES, "{}", simpler.len());
        assert!(simpler.iter().all(|simpler| texts.admits(simpler)));
    }

    #[test]
    fn a_bad_regex_is_an_error() {
        assert!(Pattern::new("[a-").is_err());
        assert!(Texts::matching("a\\b").is_err(), "word boundaries cannot be drawn from");
        assert!(Pattern::new("a)|(b").is_err());
        assert!(Pattern::new("(?x)a # c").is_ok_and(|pattern| pattern.describes("a")));
        assert!(Pattern::new("^a.*\\b$").is_ok_and(|pattern| pattern.describes("abc")));
    }

    #[test]
    fn an_expression_has_a_bounded_size() {
        let long = "a".repeat(Pattern::LONGEST + 1);
        assert_eq!(Pattern::new(&long).unwrap_err().reason, "it is longer than 10000 bytes");
        assert!(Pattern::new("((a{0,1000}){0,1000}b){0,4}").is_err());
        let bytes = |regex| Pattern::new(regex).unwrap().bytes();
        assert!(bytes("\\w{100}") > 50 * bytes("\\w") && bytes("abc") < 1000);
    }

    #[test]
    fn weights_are_kept() {
        let arms = [(3, 'a'), (1, 'b'), (0, 'c')];
        let mut rng = Rng::new(5);
        let drawn: Vec<char> = (0..4000).map(|_| *pick_arm(&arms, &mut rng).unwrap()).collect();
        let share = drawn.iter().filter(|c| **c == 'a').count();
        assert!((2850..3150).contains(&share), "{share}");
        assert!(!drawn.contains(&'c'));
        let none = [(0, 'a'), (0, 'b')];
        let drawn: Vec<char> = (0..100).map(|_| *pick_arm(&none, &mut rng).unwrap()).collect();
        assert!(drawn.contains(&'a') && drawn.contains(&'b'), "all zero is all equal");
        assert_eq!(pick_arm::<char>(&[], &mut rng), None);
    }
}
