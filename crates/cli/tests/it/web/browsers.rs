//! Browsers that are not there, that are none, and one that runs already and must go on running.

use super::app::App;
use super::home::{Home, browsers_in, signal};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const PAGE: &str = "web:testing/apps/web/music.html";
const TRACE: &str = "check a = Click(#enter)";

#[test]
fn a_browser_that_is_not_there_or_is_none_says_how_to_get_one() {
    let home = Home::new();
    for (browser, words) in [
        ("/no/such", ["there is no browser at /no/such", "apt-get install chromium"]),
        (
            "http://127.0.0.1:1",
            ["no browser answers at http://127.0.0.1:1", "--remote-debugging-port"],
        ),
        ("/bin/true", ["does not answer", "is /bin/true a Chromium or Chrome?"]),
        ("/bin/cat", ["does not answer", "is /bin/cat a Chromium or Chrome?"]),
    ] {
        let option = format!("browser={browser}");
        let ran = home.done(home.run(TRACE, PAGE, &["--with", &option]));
        ran.expect(3, &["cannot be started"]).expect(3, &words);
    }
    let mut command = home.run(TRACE, PAGE, &[]);
    command.env("PATH", home.path("tmp"));
    home.done(command)
        .expect(3, &["no Chromium or Chrome on the PATH", "apt-get install", "browser="]);
}

#[test]
fn a_place_for_the_profile_that_cannot_be_written_is_named() {
    let home = Home::new();
    let file = home.path("file");
    std::fs::write(&file, "in the way").unwrap();
    for place in [file.clone(), home.path("nowhere")] {
        let mut command = home.run(TRACE, PAGE, &[]);
        command.env("TMPDIR", &place);
        let place = place.display().to_string();
        home.done(command).expect(3, &["cannot make a profile directory", &place, "TMPDIR"]);
    }
}

/// A browser of somebody else's.
struct Running {
    child: Child,
    profile: PathBuf,
    address: String,
}

impl Running {
    fn start(home: &Home) -> Self {
        let profile = home.path("theirs");
        let names =
            ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"];
        let mut child = names
            .iter()
            .find_map(|name| {
                Command::new(name)
                    .args([
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--remote-debugging-port=0",
                    ])
                    .arg(format!("--user-data-dir={}", profile.display()))
                    .arg("about:blank")
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .ok()
            })
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = said
            .find_map(|line| {
                Some(line.ok()?.strip_prefix("DevTools listening on ws://")?.to_owned())
            })
            .unwrap();
        // It would stop if nobody read what it says.
        std::thread::spawn(move || said.for_each(drop));
        let address = address.split('/').next().unwrap().to_owned();
        Running { child, profile, address }
    }

    /// The tabs that it has, by their names.
    fn tabs(&self) -> Vec<String> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "GET /json/list HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            match line.trim_end().split_once(':') {
                Some(("Content-Length", value)) => length = value.trim().parse().unwrap(),
                None if line.trim().is_empty() => break,
                _ => {}
            }
        }
        // It keeps the connection open.
        let mut list = vec![0; length];
        stream.read_exact(&mut list).unwrap();
        let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
        let tabs = list.as_array().unwrap().iter();
        tabs.map(|tab| tab["id"].as_str().unwrap().to_owned()).collect()
    }
}

impl Running {
    fn kill(&mut self) {
        browsers_in(&self.profile).into_iter().for_each(|browser| signal(browser, "-KILL"));
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

#[test]
fn a_browser_that_runs_already_is_used_and_left_as_it_was() {
    let home = Home::new();
    let mut theirs = Running::start(&home);
    let before = theirs.tabs();
    let browser = format!("browser=http://{}", theirs.address);
    let app = App::plain();
    let ran = home.done(home.run(TRACE, &app.page("music.html"), &["--with", &browser]));
    ran.expect(0, &["Succeeded after: Click(#enter)"]);
    let spec = "check wrong = Click(#enter) :>> assert isDisplayed(\"nowhere\")";
    let more = ["--with", &browser, "--jobs", "2", "--cases", "4"];
    let ran = home.done(home.check(spec, &app.page("music.html"), &more));
    ran.expect(1, &["[1] Failed", "4 of 4 traces"]);
    assert!(theirs.child.try_wait().unwrap().is_none(), "it has been ended");
    assert_eq!(theirs.tabs(), before);
    // When it goes, nobody starts another in its place.
    theirs.kill();
    let ran = home.done(home.run(TRACE, &app.page("music.html"), &["--with", &browser]));
    ran.expect(3, &["no browser answers at"]);
}
