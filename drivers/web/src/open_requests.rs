//! Requests that stay open: which kinds of them are not answered soon, as far as is known by now.
//!
//! On its own because a long poll is another request each time (`events?since=4`,
//! `events?since=5`): what is learned of one must fit the next, and nothing else.

/// How many kinds are kept. A page that has more of them is waited for.
const MOST_KINDS: usize = 100;
/// A kind of which so many ended for each that stayed open is waited for again: its server was slow
/// once. (A poll ends when there is news, however often that is; but then the next one follows.)
const ENDED_FOR_EACH: u32 = 3;

/// What is asked for, with nothing in the place of what differs from one request to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestKind {
    method: String,
    path: Vec<Option<String>>,
    query: Vec<(String, Option<String>)>,
}

impl RequestKind {
    /// The kind that a request begins with: values of its query that have a number in them are
    /// those of a counter or an id.
    pub(crate) fn new(method: &str, url: &str) -> Self {
        let url = url.split('#').next().unwrap_or_default();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let value = |text: &str| (!has_digit(text)).then(|| text.to_owned());
        let pair = |pair: &str| match pair.split_once('=') {
            Some((name, text)) => (name.to_owned(), value(text)),
            // A query without a name is often a time or a random number.
            None if has_digit(pair) => (String::new(), None),
            None => (pair.to_owned(), None),
        };
        RequestKind {
            method: method.to_owned(),
            path: path.split('/').map(|part| Some(part.to_owned())).collect(),
            query: query.split('&').filter(|it| !it.is_empty()).map(pair).collect(),
        }
    }

    fn is_comparable(&self, other: &Self) -> bool {
        let names = |kind: &Self| kind.query.iter().map(|(name, _)| name.clone()).collect();
        let (own, others): (Vec<String>, Vec<String>) = (names(self), names(other));
        self.method == other.method && self.path.len() == other.path.len() && own == others
    }

    /// Whether a request is of this kind.
    fn fits(&self, request: &Self) -> bool {
        let fits = |(own, other): (&Option<String>, &Option<String>)| own.is_none() || own == other;
        self.is_comparable(request)
            && self.path.iter().zip(&request.path).all(fits)
            && self.query.iter().zip(&request.query).all(|(own, other)| fits((&own.1, &other.1)))
    }

    /// The kind that both are of, if they differ in ids and in values only.
    fn generalized(&self, other: &Self) -> Option<Self> {
        if !self.is_comparable(other) {
            return None;
        }
        let mut kind = self.clone();
        let mut differing = 0;
        for (own, other) in
            kind.path.iter_mut().zip(&other.path).filter(|(own, other)| own != other)
        {
            let is_id = |part: &Option<String>| part.as_deref().is_none_or(has_digit);
            if !is_id(own) && !is_id(other) {
                return None;
            }
            *own = None;
            differing += 1;
        }
        for (own, other) in kind.query.iter_mut().zip(&other.query) {
            own.1.take_if(|value| other.1.as_ref() != Some(value));
        }
        (differing * 2 <= kind.path.len()).then_some(kind)
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[derive(Debug)]
struct Known {
    kind: RequestKind,
    stayed_open: u32,
    /// How many of them ended that the page did not follow with another at once.
    ended: u32,
    /// How many ended in this event and were not followed by another so far.
    unfollowed: u32,
}

/// The kinds that are known to stay open. They outlive a reset: the app is the same.
#[derive(Debug, Default)]
pub(crate) struct OpenRequests(Vec<Known>);

impl OpenRequests {
    /// Whether a request is expected to stay open.
    pub(crate) fn knows(&self, request: &RequestKind) -> bool {
        let stays = |known: &&Known| known.ended <= ENDED_FOR_EACH * known.stayed_open;
        self.0.iter().filter(stays).any(|known| known.kind.fits(request))
    }

    /// A request was waited for in vain.
    pub(crate) fn note_open(&mut self, request: &RequestKind) {
        for known in &mut self.0 {
            let kind = match known.kind.fits(request) {
                true => Some(known.kind.clone()),
                false => known.kind.generalized(request),
            };
            if let Some(kind) = kind {
                known.kind = kind;
                known.stayed_open += 1;
                return;
            }
        }
        if self.0.len() < MOST_KINDS {
            let kind = request.clone();
            self.0.push(Known { kind, stayed_open: 1, ended: 0, unfollowed: 0 });
        }
    }

    /// A request was answered that was to stay open, and within the time that others are waited
    /// for.
    pub(crate) fn note_ended(&mut self, request: &RequestKind) {
        for known in self.0.iter_mut().filter(|known| known.kind.fits(request)) {
            known.unfollowed += 1;
        }
    }

    /// A request is sent.
    pub(crate) fn note_sent(&mut self, request: &RequestKind) {
        for known in self.0.iter_mut().filter(|known| known.kind.fits(request)) {
            known.unfollowed = known.unfollowed.saturating_sub(1);
        }
    }

    /// An event begins: what is sent from now on follows from that.
    pub(crate) fn begin_event(&mut self) {
        for known in &mut self.0 {
            known.ended += std::mem::take(&mut known.unfollowed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After these have stayed open, is this one expected to?
    fn check(stayed: &[&str], request: &str, expected: bool) {
        let kind = |text: &str| {
            let (method, url) = text.split_once(' ').unwrap();
            RequestKind::new(method, &format!("http://localhost:80{url}"))
        };
        let mut open = OpenRequests::default();
        stayed.iter().for_each(|text| open.note_open(&kind(text)));
        assert_eq!(open.knows(&kind(request)), expected, "{request} after {stayed:?}");
    }

    #[test]
    fn a_poll_is_known_by_what_does_not_change_of_it() {
        check(&[], "GET /events?since=4", false);
        check(&["GET /events?since=4"], "GET /events?since=5", true);
        check(&["GET /events?since=4"], "POST /events?since=5", false);
        check(&["GET /events?since=4"], "GET /events", false);
        check(&["GET /api?do=poll&at=1"], "GET /api?do=poll&at=2", true);
        check(&["GET /api?do=poll&at=1"], "GET /api?do=save&at=2", false);
        check(&["GET /io?t=Ab1"], "GET /io?t=Abc", true);
        check(&["GET /io?t=a", "GET /io?t=b"], "GET /io?t=c", true);
        check(&["GET /items/1"], "GET /items/2", false);
        check(&["POST /s/000/ab1/xhr", "POST /s/123/cd2/xhr"], "POST /s/4/e5/xhr", true);
        check(&["GET /api/users", "GET /api/news"], "GET /api/items", false);
    }

    #[test]
    fn a_server_that_was_slow_once_is_waited_for_again() {
        let kind = RequestKind::new("GET", "http://localhost/items?page=1");
        let mut open = OpenRequests::default();
        open.note_open(&kind);
        let ask = |open: &mut OpenRequests| {
            open.begin_event();
            open.note_sent(&kind);
            open.note_ended(&kind);
        };
        for _ in 0..4 {
            ask(&mut open);
            assert!(open.knows(&kind));
        }
        open.begin_event();
        assert!(!open.knows(&kind));
        open.note_open(&kind);
        assert!(open.knows(&kind));
    }

    #[test]
    fn a_poll_that_ends_and_is_sent_again_is_still_a_poll() {
        let poll =
            |since: u32| RequestKind::new("GET", &format!("http://localhost/?since={since}"));
        let mut open = OpenRequests::default();
        open.note_open(&poll(0));
        for event in 1..50 {
            open.begin_event();
            open.note_ended(&poll(event));
            open.note_sent(&poll(event + 1));
        }
        open.begin_event();
        assert!(open.knows(&poll(50)));
    }
}
