//! What is known of how a page talks over its lines and with its workers, and how long it is
//! listened to.
//!
//! On its own because it is counted and learned here, and waited for in `lines.rs`.

use std::collections::BTreeMap;
use std::time::Duration;

/// How long nothing must come before a line is quiet.
pub(crate) const QUIET: Duration = Duration::from_millis(40);
/// How long the talk of an event is listened to.
const LONGEST_TALK: Duration = Duration::from_millis(500);
/// How often a line may be quiet for a moment and then talk again in an event. It must be less than
/// an event listens to lines.
const MOST_MOMENTS: u32 = 5;
/// How many places of an app are known at most.
const MOST_PLACES: usize = 1000;
/// How long an answer is waited for: at first, and at least.
const FIRST_ANSWER: Duration = Duration::from_millis(500);
const LEAST_ANSWER: Duration = Duration::from_millis(25);
/// An answer is waited for so many times as long as the slowest one took, and the slowest is
/// forgotten with time.
const SPREAD: u32 = 4;

/// Who a page talks with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// Servers, over lines.
    Lines,
    Workers,
}

/// What was said over the lines of a tab, or between it and its workers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Talk {
    /// How often the page asked, and what it had heard when it did so last.
    pub(crate) asked: u64,
    heard_when_asked: u64,
    /// How often it heard something.
    pub(crate) heard: u64,
    /// The same when it was last listened to.
    asked_before: u64,
    heard_before: u64,
    /// Whether it did not ask anything last, but opened a socket or made a worker.
    pub(crate) is_connecting: bool,
}

impl Talk {
    pub(crate) fn asks(&mut self) {
        self.asked += 1;
        self.heard_when_asked = self.heard;
        self.is_connecting = false;
    }

    pub(crate) fn connects(&mut self) {
        self.asks();
        self.is_connecting = true;
    }

    /// Takes in what the collector counted of the page and its workers.
    pub(crate) fn count(&mut self, text: &str) {
        let mut numbers = text.split(' ').map(|word| word.parse().unwrap_or(0));
        let mut number = || numbers.next().unwrap_or(0);
        (self.asked, self.heard_when_asked, self.heard) = (number(), number(), number());
        self.is_connecting = number() == 1;
    }

    pub(crate) fn hears(&mut self) {
        self.heard += 1;
    }

    pub(crate) fn has_asked(&self) -> bool {
        self.asked != self.asked_before
    }

    pub(crate) fn has_heard(&self) -> bool {
        self.heard != self.heard_before
    }

    pub(crate) fn is_answered(&self) -> bool {
        self.heard > self.heard_when_asked
    }

    pub(crate) fn is_over(&mut self) {
        (self.asked_before, self.heard_before) = (self.asked, self.heard);
    }
}

/// What is known of how the app talks over its lines, or with its workers. It outlives a reset.
#[derive(Debug)]
pub(crate) struct Lines {
    /// How long an answer is waited for, and a word from whom it connects to.
    answer_timeout: AnswerTimeout,
    greeting_timeout: AnswerTimeout,
    pub(crate) talk_timeout: TalkTimeout,
    /// Whether a first screen that offers nothing is one that is still to come.
    pub(crate) brings_first_screen: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        let first = AnswerTimeout(FIRST_ANSWER);
        Lines {
            answer_timeout: first,
            greeting_timeout: first,
            talk_timeout: TalkTimeout::default(),
            brings_first_screen: true,
        }
    }

    pub(crate) fn timeout(&mut self, is_connecting: bool) -> &mut AnswerTimeout {
        if is_connecting { &mut self.greeting_timeout } else { &mut self.answer_timeout }
    }
}

/// How long the talk of an event is listened to, all together. Where it did not end in time, it is
/// listened to for a quarter of that the next time; at least as long as it takes to find a line
/// quiet, which is how it is noticed that it ends again.
#[derive(Debug, Default)]
pub(crate) struct TalkTimeout {
    /// The places of the app where talk did not end, and how long it is listened to there.
    restless: BTreeMap<String, Duration>,
    /// How long was listened in this event, with how many moments of quiet, and whether that was
    /// not enough.
    listened: Duration,
    moments: u32,
    is_over: bool,
}

impl TalkTimeout {
    /// An event or a reset begins at this address.
    pub(crate) fn begin_event(&mut self, url: &str) {
        let place = place(url);
        if !self.is_over
            && let Some(timeout) = self.restless.get_mut(place)
        {
            *timeout += QUIET;
            if *timeout >= LONGEST_TALK {
                self.restless.remove(place);
            }
        }
        (self.listened, self.moments, self.is_over) = (Duration::ZERO, 0, false);
    }

    /// It was listened for so long, and then there was quiet.
    pub(crate) fn note_talk(&mut self, time: Duration) {
        self.listened += time;
        self.moments += 1;
    }

    /// Whether there cannot be quiet in time at this address if the line has talked for so long
    /// since it was last quiet. When the app is opened, it is the patience instead of the longest
    /// talk.
    pub(crate) fn is_up(&mut self, url: &str, time: Duration, patience: Option<Duration>) -> bool {
        let timeout = self.restless.get(place(url)).copied().unwrap_or(LONGEST_TALK);
        let share = timeout.div_duration_f64(LONGEST_TALK);
        let limit = patience.map_or(timeout, |patience| patience.mul_f64(share));
        if self.listened + time + QUIET > limit.max(QUIET) || self.moments >= MOST_MOMENTS {
            self.is_over = true;
            if self.restless.len() < MOST_PLACES {
                self.restless.insert(place(url).to_owned(), (timeout / 4).max(QUIET));
            }
        }
        self.is_over
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}

/// An address without what differs between the states of one page.
fn place(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// How long something is waited for that came, or did not come, the times before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerTimeout(pub(crate) Duration);

impl AnswerTimeout {
    /// An answer came after so long, or did not come.
    pub(crate) fn note(&mut self, took: Option<Duration>) {
        self.0 = match took {
            Some(took) => (took * SPREAD).max(self.0 * 3 / 4).clamp(QUIET * 2, FIRST_ANSWER),
            None => (self.0 / 2).max(LEAST_ANSWER),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_after_a_question_answers_it() {
        let mut talk = Talk::default();
        talk.hears();
        talk.asks();
        assert!(talk.has_asked() && talk.has_heard() && !talk.is_answered());
        talk.hears();
        assert!(talk.is_answered());
        talk.is_over();
        assert!(!talk.has_asked() && !talk.has_heard());
    }

    #[test]
    fn answers_are_waited_for_as_long_as_they_take() {
        let millis = Duration::from_millis;
        let mut timeout = AnswerTimeout(FIRST_ANSWER);
        for _ in 0..9 {
            timeout.note(None);
        }
        assert_eq!(timeout.0, LEAST_ANSWER);
        timeout.note(Some(millis(50)));
        assert_eq!(timeout.0, millis(200));
        timeout.note(Some(millis(1)));
        assert_eq!(timeout.0, millis(150), "the slowest is forgotten with time");
        timeout.note(Some(Duration::from_secs(9)));
        assert_eq!(timeout.0, FIRST_ANSWER);
    }

    #[test]
    fn what_workers_said_is_counted_by_the_page() {
        let mut talk = Talk::default();
        talk.count("2 1 1 0");
        assert!(talk.has_asked() && talk.has_heard() && !talk.is_answered());
        talk.count("2 1 2 0");
        assert!(talk.is_answered());
        talk.is_over();
        talk.count("2 1 2 0");
        assert!(!talk.has_asked() && !talk.has_heard());
    }

    const HERE: &str = "http://localhost/here?a=1#b";
    const THERE: &str = "http://localhost/there";

    #[test]
    fn talk_that_does_not_end_is_listened_to_for_less_and_less_time_until_it_ends() {
        let mut timeout = TalkTimeout::default();
        let mut listened = Vec::new();
        for event in 0..17 {
            timeout.begin_event(HERE);
            // After the first events there is quiet as soon as it is waited for.
            let talks = if event < 4 { LONGEST_TALK } else { Duration::ZERO };
            timeout.is_up(HERE, talks, None);
            listened.push(timeout.restless.get(place(HERE)).map(Duration::as_millis));
        }
        let millis = [Some(125), Some(40), Some(40), Some(40), Some(40), Some(80), Some(120)];
        assert_eq!(listened[..7], millis);
        assert_eq!(listened[15..], [Some(480), None]);
    }

    #[test]
    fn where_talk_ends_it_is_listened_to_whatever_it_is_like_elsewhere() {
        let mut timeout = TalkTimeout::default();
        for _ in 0..3 {
            timeout.begin_event(HERE);
            assert!(timeout.is_up(HERE, Duration::from_millis(461), None));
        }
        timeout.begin_event(HERE);
        assert!(!timeout.is_up(THERE, Duration::from_millis(460), None));
        assert!(timeout.is_up("http://localhost/here", Duration::from_millis(1), None));
    }

    #[test]
    fn talk_with_moments_of_quiet_is_one_talk() {
        let mut timeout = TalkTimeout::default();
        for _ in 0..4 {
            assert!(!timeout.is_up(HERE, Duration::from_millis(50), None));
            timeout.note_talk(Duration::from_millis(90));
        }
        assert!(!timeout.is_up(HERE, Duration::from_millis(100), None));
        assert!(timeout.is_up(HERE, Duration::from_millis(101), None) && timeout.is_over());
        timeout.begin_event(HERE);
        for _ in 0..MOST_MOMENTS {
            assert!(!timeout.is_up(THERE, Duration::ZERO, None));
            timeout.note_talk(QUIET);
        }
        assert!(timeout.is_up(THERE, Duration::ZERO, None) && timeout.is_over());
    }

    #[test]
    fn an_app_that_is_opened_may_talk_as_long_as_the_patience_lasts() {
        let patience = Some(Duration::from_secs(4));
        let mut timeout = TalkTimeout::default();
        assert!(!timeout.is_up(HERE, Duration::from_millis(3960), patience));
        assert!(timeout.is_up(HERE, Duration::from_millis(3961), patience));
        timeout.begin_event(HERE);
        assert!(!timeout.is_up(HERE, Duration::from_millis(960), patience));
        assert!(timeout.is_up(HERE, Duration::from_millis(961), patience));
    }
}
