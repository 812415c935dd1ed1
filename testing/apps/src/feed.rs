//! A social network: a stream of posts that goes on as it is scrolled, and who wrote them.
//!
//! What is hard about it: there are more posts than anybody wants to open, each looks like any
//! other, and pages lead to one another in circles, with a way back through all of them. What is
//! wrong with it: to comment once more on a post that one likes crashes if its author is followed
//! and blocked.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Role, Size, State};
use std::collections::{BTreeMap, BTreeSet};

const POSTS: i64 = 500;
/// How many posts come at a time.
const BATCH: i64 = 20;
const AUTHORS: i64 = 7;
const ROW: i32 = 56;
/// How many pages the way back remembers.
const WAY: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Post(i64),
    Comments(i64),
    Profile(i64),
}

/// The social network.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    bugs: bool,
    /// The first post that is in view, from 0.
    first: i64,
    loaded: i64,
    loading: bool,
    /// What is open on top of the stream, the latest at the end.
    way: Vec<At>,
    liked: BTreeSet<i64>,
    followed: BTreeSet<i64>,
    blocked: BTreeSet<i64>,
    comments: BTreeMap<i64, Vec<String>>,
    draft: String,
    sharing: bool,
    /// Whether the app asks if somebody is to be blocked.
    asking: bool,
}

/// Who wrote a post.
fn author_of(post: i64) -> i64 {
    post % AUTHORS + 1
}

impl Feed {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Feed { bugs, loaded: BATCH, ..Feed::default() }
    }

    fn open(&mut self, at: At) {
        if self.way.last() != Some(&at) {
            self.way.push(at);
            self.way.drain(..self.way.len().saturating_sub(WAY));
        }
        self.draft.clear();
    }

    fn view_stream(&self, page: &mut Page<'_>) {
        page.place("Stream");
        page.heading("title", "Stream");
        let Size { width, height } = page.viewport();
        let rows = ((height - 44) / ROW).max(1);
        let size = Size::new(0, rows * ROW);
        let top = page.add(Role::List, size, State::SCROLLABLE).id("stream").bounds().y;
        let shown = (0..POSTS).filter(|post| !self.blocked.contains(&author_of(*post)));
        let row_of = (0..).map(|row: i32| top + row * ROW).take(rows as usize);
        for (y, post) in row_of.zip(shown.skip(self.first as usize)) {
            if post >= self.loaded {
                page.label("loading", "Loading…").at(4, y, width - 8, ROW - 4);
                break;
            }
            let text = numbered("Post ", post);
            page.item(numbered("post-", post), text).at(4, y, width - 8, ROW - 4);
        }
    }

    fn view_post(&self, page: &mut Page<'_>, post: i64) {
        page.place("Post");
        page.heading("title", numbered("Post ", post));
        page.link("author", numbered("Author ", author_of(post)));
        page.row(|page| {
            let liked = self.liked.contains(&post);
            page.button("like", if liked { "Liked" } else { "Like" }).selected(liked);
            page.button("comments", "Comments");
            page.button("share", "Share");
        });
        if self.sharing {
            page.dialog("sharing", "Share with", |page| {
                page.button("mail", "Mail");
                page.button("link", "Copy the link");
                page.button("not-now", "Not now");
            });
        }
    }

    fn view_comments(&self, page: &mut Page<'_>, post: i64) {
        page.place("Comments");
        page.heading("title", numbered("Comments on ", post));
        page.field("draft", "Your comment", &self.draft);
        page.button("send", "Send");
        // Everybody's next post has a comment of theirs.
        page.item("commenter", numbered("Nice, says ", author_of(post + 1)));
        let own = self.comments.get(&post).map_or(&[][..], Vec::as_slice);
        page.list("own", 300, 40, own.len(), |page, index| {
            page.label("", own[index].as_str());
        });
    }

    fn view_profile(&self, page: &mut Page<'_>, author: i64) {
        page.place("Profile");
        page.heading("title", numbered("Author ", author));
        page.row(|page| {
            page.switch("follow", "Follow", self.followed.contains(&author));
            page.button("block", "Block").enabled(!self.blocked.contains(&author));
        });
        page.list("posts", 400, 44, 12, |page, index| {
            let post = index as i64 * AUTHORS + author - 1;
            page.item(numbered("post-", post), numbered("Post ", post));
        });
        if self.asking {
            page.dialog("sure", "Block this author?", |page| {
                page.button("do-block", "Block");
                page.button("not-now", "Not now");
            });
        }
    }

    fn scroll(&mut self, dy: i32, os: &mut Os) {
        self.first = (self.first - i64::from(dy / ROW)).clamp(0, self.loaded - 1);
        if self.first + BATCH / 2 >= self.loaded && self.loaded < POSTS && !self.loading {
            self.loading = true;
            os.background(300, 300, "load");
        }
    }

    fn send(&mut self, post: i64) -> Result<(), Crash> {
        if self.draft.trim().is_empty() {
            return Ok(());
        }
        let author = author_of(post);
        let torn = self.followed.contains(&author) && self.blocked.contains(&author);
        if self.bugs && torn && self.liked.contains(&post) && self.comments.contains_key(&post) {
            let what = "java.lang.NullPointerException: author";
            return Err(Crash::new(what).at("CommentSender.notifyAuthor"));
        }
        self.comments.entry(post).or_default().push(std::mem::take(&mut self.draft));
        Ok(())
    }
}

impl App for Feed {
    fn view(&self, page: &mut Page<'_>) {
        match self.way.last() {
            None => self.view_stream(page),
            Some(At::Post(post)) => self.view_post(page, *post),
            Some(At::Comments(post)) => self.view_comments(page, *post),
            Some(At::Profile(author)) => self.view_profile(page, *author),
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match (self.way.last().copied(), input) {
            (None, Input::Swipe { id: "stream", dy, .. }) => self.scroll(dy, os),
            (_, Input::Background("load")) => {
                self.loading = false;
                self.loaded = (self.loaded + BATCH).min(POSTS);
            }
            (Some(At::Post(post)), Input::Click("like")) => crate::flip(&mut self.liked, post),
            (Some(At::Post(post)), Input::Click("comments")) => self.open(At::Comments(post)),
            (Some(At::Post(post)), Input::Click("author")) => {
                self.open(At::Profile(author_of(post)));
            }
            (Some(At::Post(_)), Input::Click("share")) => self.sharing = true,
            (_, Input::Click("mail" | "link" | "not-now") | Input::Back)
                if self.sharing || self.asking =>
            {
                (self.sharing, self.asking) = (false, false);
            }
            (Some(At::Comments(post)), Input::Click("send") | Input::Key("Enter")) => {
                self.send(post)?;
            }
            (Some(At::Comments(post)), Input::Click("commenter")) => {
                self.open(At::Profile(author_of(post + 1)));
            }
            (_, Input::Text { id: "draft", text }) => crate::type_into(&mut self.draft, text),
            (_, Input::Clear("draft")) => self.draft.clear(),
            (Some(At::Profile(author)), Input::Click("follow")) => {
                crate::flip(&mut self.followed, author);
            }
            (Some(At::Profile(_)), Input::Click("block")) => self.asking = true,
            (Some(At::Profile(author)), Input::Click("do-block")) => {
                self.asking = false;
                self.blocked.insert(author);
            }
            (_, Input::Click(id)) => {
                if let Some(post) = crate::number_of(id, "post-") {
                    self.open(At::Post(post as i64));
                }
            }
            (at, Input::Back) => match at {
                Some(_) => drop(self.way.pop()),
                None => os.leave(),
            },
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};
    use capuchin_ui::{Direction, Event};

    #[test]
    fn the_stream_goes_on_to_the_last_post() {
        let far = Walk::on("feed").swipes("stream", Direction::Up, 120).at("Stream");
        let last = far.clicks("post-499 share mail like").at("Post");
        assert_eq!(last.text("like"), Some("Liked"));
        last.back(1).clicks("post-499").at("Post");
    }

    #[test]
    fn back_leads_through_all_that_was_opened() {
        let circle = Walk::on("feed").clicks("post-3 comments commenter post-4 author follow");
        let comments = circle.at("Profile").back(1).at("Post").back(2).at("Comments");
        comments.back(1).at("Post").back(1).at("Stream");
    }

    #[test]
    fn one_more_comment_for_who_is_followed_and_blocked_crashes() {
        crashes_unless_fixed("feed", "Comments", |walk| {
            let first = walk.clicks("post-3 like comments").types("draft", "a").clicks("send");
            let blocked = first.at("Comments").back(1).clicks("author follow block do-block");
            let again = blocked.at("Profile").back(1).clicks("comments").types("draft", "test");
            again.go(&Event::Press("Enter".into()))
        });
    }
}
