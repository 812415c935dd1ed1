//! A learning app after OppiaMobile (section 5.4, figure 16): courses behind a login on demand, and
//! a page that random testers get stuck on.
//!
//! The list of courses is open to everybody. To download one, the app wants a login, then a place
//! to store it, which is explained on a page whose only way forward is at the end of a long scroll.
//! What is wrong with it: a turn of the device while a course is being downloaded crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Rect};

const COURSES: usize = 24;
const PARAGRAPHS: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Courses,
    About,
    /// The page that says that one must log in.
    Login,
    /// The form to log in with.
    Account,
    /// The page about storage.
    Storage,
    /// The course that was downloaded.
    Course,
}

/// The learning app.
#[derive(Clone, Debug, Default)]
pub struct Courses {
    bugs: bool,
    at: At,
    user: String,
    password: String,
    message: &'static str,
    logged_in: bool,
    has_storage: bool,
    /// The number of the course that the user wants, from 1.
    wanted: i64,
    downloading: bool,
    downloaded: Vec<i64>,
}

impl Courses {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Courses { bugs, ..Courses::default() }
    }

    /// Goes on with the course that the user wants, as far as it goes.
    fn go_on(&mut self, os: &mut Os) {
        self.message = "";
        if self.downloaded.contains(&self.wanted) {
            self.at = At::Course;
        } else if !self.logged_in {
            self.at = At::Login;
        } else if !self.has_storage {
            self.at = At::Storage;
        } else {
            self.at = At::Courses;
            if !self.downloading {
                self.downloading = true;
                os.background(3000, 6000, "download");
            }
        }
    }

    fn sign_in(&mut self, os: &mut Os) {
        let known = self.user == "test" && self.password == "1234";
        self.user.clear();
        self.password.clear();
        if known {
            self.logged_in = true;
            self.go_on(os);
        } else {
            self.message = "Wrong user or password";
        }
    }

    fn view_courses(&self, page: &mut Page<'_>) {
        page.place("CoursesActivity");
        page.heading("title", "Courses");
        page.row(|page| {
            page.button("about", "About");
            if self.logged_in {
                page.button("logout", "Log out");
            }
            if self.downloading {
                page.label("downloading", "Downloading…");
            }
        });
        let height = page.viewport().height - 90;
        page.list("courses", height, 48, COURSES, |page, index| {
            let number = index as i64 + 1;
            page.item(numbered("course-", number), numbered("Course ", number)).size(0, 48);
        });
    }

    fn view_storage(page: &mut Page<'_>) {
        let size = page.viewport();
        let bounds = Rect::new(0, 0, size.width, size.height);
        page.window("storage", "", bounds, |page| {
            page.heading("title", "SD Card Access Framework");
            page.scroll("content", size.height - 60, |page| {
                for number in 1..=PARAGRAPHS {
                    page.label("", numbered("Paragraph ", number as i64)).size(0, 150);
                }
                page.button("select", "Select SD Card").size(160, 36);
            });
        });
    }
}

impl App for Courses {
    fn view(&self, page: &mut Page<'_>) {
        match self.at {
            At::Courses => self.view_courses(page),
            At::About => {
                page.place("AboutActivity");
                page.heading("title", "About");
                page.label("version", "Version 5.2");
                page.button("close", "Close");
            }
            At::Login => {
                page.place("WelcomeActivity");
                page.heading("title", "This course is for members");
                page.button("login", "Login");
                page.button("cancel", "Cancel");
            }
            At::Account => {
                page.place("LoginActivity");
                page.heading("title", "Your account");
                page.field("user", "User", &self.user);
                page.field("password", "Password", &self.password);
                page.row(|page| {
                    page.button("signin", "Sign-in");
                    page.button("cancel", "Cancel");
                });
                page.label("message", self.message);
            }
            At::Storage => {
                page.place("StorageActivity");
                Self::view_storage(page);
            }
            At::Course => {
                page.place("CourseActivity");
                page.heading("title", numbered("Course ", self.wanted));
                page.label("text", "All there is to know");
                page.button("close", "Close");
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("about") => self.at = At::About,
            Input::Click("close" | "cancel") => self.at = At::Courses,
            Input::Click("logout") => self.logged_in = false,
            Input::Click("login") => {
                self.user.clear();
                self.password.clear();
                self.message = "";
                self.at = At::Account;
            }
            Input::Clear("user") => self.user.clear(),
            Input::Clear("password") => self.password.clear(),
            Input::Text { id: "user", text } => crate::type_into(&mut self.user, text),
            Input::Text { id: "password", text } => crate::type_into(&mut self.password, text),
            Input::Click("signin") => self.sign_in(os),
            Input::Click("select") => {
                self.has_storage = true;
                self.go_on(os);
            }
            Input::Click(id) => {
                if let Some(number) = id.strip_prefix("course-").and_then(|n| n.parse().ok()) {
                    self.wanted = number;
                    self.go_on(os);
                }
            }
            Input::Background("download") => {
                self.downloading = false;
                self.downloaded.push(self.wanted);
            }
            Input::Rotate(_) if self.bugs && self.downloading => {
                return Err(Crash::new(
                    "java.lang.IllegalStateException: Fragment not attached to a context",
                )
                .at("DownloadFragment.onProgress"));
            }
            Input::Back if self.at != At::Courses => self.at = At::Courses,
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}
