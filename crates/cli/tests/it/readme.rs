//! What the README and the book show is what happens: every `console` block of them is run, every
//! specification is parsed, every Rust block is the end of a test.

use crate::capuchin::{Ran, command, root};
use capuchin_spec::{Words, parse_with};
use std::collections::BTreeSet;
use std::path::Path;

const BOOK: &str = "docs/book/src";

/// The README and the chapters of the book, by their paths from the root, with their texts.
/// Chapters come in the order of the book.
fn pages() -> Vec<(String, String)> {
    let summary = read(&format!("{BOOK}/SUMMARY.md"));
    let chapters = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let paths = chapters.map(|chapter| format!("{BOOK}/{chapter}"));
    ["README.md".to_owned()]
        .into_iter()
        .chain(paths)
        .map(|path| (path.clone(), read(&path)))
        .collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The code blocks of a text in this language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    text.split(&*opening).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The commands of a text with the output that stands below each.
fn sessions(text: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for line in blocks(text, "console").into_iter().flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => sessions.push((command.to_owned(), String::new())),
            None => {
                let (_, output) = sessions.last_mut().expect("output without a command");
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    sessions
}

/// An output without the line that says how long an exploration took.
fn untimed(output: &str) -> String {
    let lines = output.lines().map(|line| if line.starts_with("time    ") { "time" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits a command line at spaces outside of single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(i, part)| {
            if i % 2 == 1 {
                vec![part.to_owned()]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            }
        })
        .collect()
}

/// A directory with the files that the commands name, in which nothing has been run before.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        for name in ["docs", "examples", "testing"] {
            std::os::unix::fs::symlink(root().join(name), home.path().join(name)).unwrap();
        }
        Home(home)
    }

    fn run(&self, arguments: Vec<String>) -> Ran {
        Ran::from(command(arguments).current_dir(self.0.path()).output().unwrap())
    }
}

#[test]
fn the_commands_of_readme_and_book_print_what_they_say() {
    let mut how_many = 0;
    for (page, text) in pages() {
        let home = Home::new();
        for (line, expected) in sessions(&text) {
            let Some(arguments) = line.strip_prefix("cargo run -- ") else {
                assert_eq!(line, "cargo xtask test", "a command that no test runs");
                continue;
            };
            let ran = home.run(words(arguments));
            let shown = format!("{}{}", ran.stderr, ran.stdout);
            assert_eq!(untimed(&shown), untimed(&expected), "{page}: {line}");
            how_many += 1;
        }
    }
    assert!(how_many >= 15, "README and book show {how_many} commands");
}

#[test]
fn the_rust_blocks_of_readme_and_book_are_tests() {
    let library = read("crates/cli/src/lib.rs").replace("//! ", "").replace("//!", "");
    let files =
        ["crates/capuchin/tests/todo.rs", "examples/monitor.rs", "crates/record/tests/it/book.rs"];
    let [todo, monitor, replay] = files.map(read);
    let tests = [todo, monitor, replay, library];
    let mut how_many = 0;
    for (page, text) in pages() {
        for block in blocks(&text, "rust") {
            let is_run = tests.iter().any(|test| test.contains(block));
            assert!(is_run, "{page}: {block}");
            how_many += 1;
        }
    }
    assert!(how_many >= 2, "README and book show {how_many} blocks of Rust");
}

#[test]
fn the_specifications_of_readme_and_book_parse() {
    let figure_2 = read("examples/music-signin.capu");
    let policies = capuchin_explore::Policies::default();
    let policies = policies.all().iter().map(|policy| policy.name.clone());
    let words = Words::new(policies.chain([capuchin_spec::PLAN.into()]));
    for (page, text) in pages() {
        for block in blocks(&text, "capu") {
            // A part of an example, or a file by itself.
            let parsed = parse_with(&page, block, &words);
            let is_read = figure_2.contains(block) || parsed.diagnostics.is_empty();
            assert!(is_read, "{page}: {block}\n{:?}", parsed.diagnostics);
        }
    }
}

#[test]
fn the_summary_lists_every_chapter_of_the_book() {
    let listed: BTreeSet<String> = pages().into_iter().skip(1).map(|(path, _)| path).collect();
    let chapters = std::fs::read_dir(root().join(BOOK)).unwrap();
    let names = chapters.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let present: BTreeSet<String> = names
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
        .filter(|name| name != "SUMMARY.md")
        .map(|name| format!("{BOOK}/{name}"))
        .collect();
    assert_eq!(listed, present);
}
