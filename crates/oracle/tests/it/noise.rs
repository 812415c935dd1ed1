//! Files that were damaged: binding them says what is wrong, and never panics.

use crate::{examples, in_memory};
use capuchin::ui::Rng;

/// What is put somewhere: pieces of both languages.
const PIECES: [&str; 16] = [
    "(",
    ")",
    "))",
    "?f",
    " - file",
    "forall",
    "(:action",
    "\"",
    "fact ",
    "operator ",
    " = ",
    "unseen",
    "when",
    "when (menu)",
    "(not (menu))",
    "\u{1F600}",
];

/// A text with a piece of it left out, doubled, or another put in.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let chars: Vec<char> = text.chars().collect();
    let place = |rng: &mut Rng| (rng.next() % (chars.len() as u64 + 1)) as usize;
    let (a, b) = (place(rng), place(rng));
    let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 40));
    let (before, piece, after) = (&chars[..start], &chars[start..end], &chars[end..]);
    let put = match rng.next() % 3 {
        0 => String::new(),
        1 => piece.iter().chain(piece).collect(),
        _ => PIECES[(rng.next() % PIECES.len() as u64) as usize].to_owned(),
    };
    before.iter().copied().chain(put.chars()).chain(after.iter().copied()).collect()
}

#[test]
fn damaged_files_are_told_and_do_no_harm() {
    let read = |name: &str| std::fs::read_to_string(examples().join(name)).unwrap();
    let mapping = read("editor.capu").replace("editor.pddl", "d.pddl");
    let mapping = mapping.replace("two-files.pddl", "p.pddl");
    let (domain, problem) = (read("editor.pddl"), read("two-files.pddl"));
    let mut rng = Rng::stream(16, 1);
    let (mut bound, mut told) = (0, 0);
    for round in 0..300 {
        let mut texts = [mapping.clone(), domain.clone(), problem.clone()];
        let which = round % 3;
        texts[which] = damaged(&texts[which], &mut rng);
        match in_memory(&texts[0], &texts[1], &texts[2]) {
            Ok(_) => bound += 1,
            Err(wrong) => {
                assert!(!wrong.is_empty());
                told += 1;
            }
        }
    }
    assert!(bound > 10 && told > 100, "{bound} bound, {told} told");
}
