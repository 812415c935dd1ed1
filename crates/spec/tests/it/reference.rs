//! The manual tells no lies: every block of it that is marked as our language is read.

use capuchin_spec::{REFERENCE, parse};

fn blocks() -> impl Iterator<Item = (usize, &'static str)> {
    REFERENCE.match_indices("```capu\n").map(|(start, fence)| {
        let line = REFERENCE[..start].lines().count() + 1;
        let block = &REFERENCE[start + fence.len()..];
        (line, &block[..block.find("```").unwrap()])
    })
}

#[test]
fn every_block_is_read_without_a_word() {
    assert!(blocks().count() >= 8);
    for (line, block) in blocks() {
        let parsed = parse("reference.md", block);
        let said: Vec<String> = parsed.diagnostics.iter().map(crate::render::render).collect();
        assert!(said.is_empty(), "line {line} of the reference:\n{}", said.join("\n"));
        let spec = parsed.spec.unwrap();
        assert_eq!(parse("printed", &spec.to_string()).spec, Some(spec), "line {line}");
    }
}

#[test]
fn every_word_is_in_the_reference() {
    use capuchin_trace::{Auto, ElementTest};
    use capuchin_ui::{Role, Selector};
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    let states = Selector::STATE_WORDS.map(|(word, ..)| word);
    let tests = ElementTest::ALL.map(ElementTest::name);
    let others =
        ["locUpdate", "network", "clock", "relevantMonkey", "gorilla", "interrupt", "auto"];
    for word in roles.iter().chain(&states).chain(&tests).chain(&Auto::DRAWN).chain(&others) {
        assert!(REFERENCE.contains(&format!("`{word}")), "`{word}` is not in the reference");
    }
}
