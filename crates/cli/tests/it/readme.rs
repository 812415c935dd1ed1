//! What the README shows is what happens: every `console` block of it, and of the book, is run.

use crate::capuchin::{root, run};

/// The commands of a text with the output that stands below each.
fn sessions(text: &str) -> Vec<(String, String)> {
    let mut sessions = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => sessions.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = sessions.last_mut().expect("output without a command");
                    output.push_str(line);
                    output.push('\n');
                }
            },
        }
    }
    sessions
}

/// An output without the line that says how long an exploration took.
fn untimed(output: &str) -> String {
    let lines = output.lines().map(|line| if line.starts_with("in      ") { "in" } else { line });
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

#[test]
fn the_commands_of_the_readme_print_what_it_says() {
    let mut how_many = 0;
    for file in ["README.md"] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        for (line, expected) in sessions(&text) {
            let Some(arguments) = line.strip_prefix("cargo run -- ") else {
                assert_eq!(line, "cargo xtask test", "a command that no test runs");
                continue;
            };
            let ran = run(words(arguments));
            let shown = format!("{}{}", ran.stderr, ran.stdout);
            assert_eq!(untimed(&shown), untimed(&expected), "{file}: {line}");
            how_many += 1;
        }
    }
    assert!(how_many >= 2, "the README shows {how_many} commands");
}

#[test]
fn the_rust_test_of_the_readme_is_one_of_the_tests() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let test = std::fs::read_to_string(root().join("crates/capuchin/tests/todo.rs")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 1);
    assert!(test.ends_with(blocks[0]), "{}", blocks[0]);
}

#[test]
fn the_spec_of_the_readme_is_one_of_the_examples() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let example = std::fs::read_to_string(root().join("examples/music-signin.capu")).unwrap();
    let block = readme.split("```capu\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(example.contains(block), "{block}");
}
