//! The models, and random words of them.

use capuchin_automata::{Dot, Input, Mealy, Output};
use std::path::Path;

/// One line of the index: what a model is said to be.
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) machine: Mealy,
}

/// All models of the index, read.
pub(crate) fn all() -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mealy");
    let index = std::fs::read_to_string(folder.join("INDEX.csv")).unwrap();
    let read = |line: &str| {
        let columns: Vec<&str> = line.split(',').collect();
        let file = columns[0];
        let dot = Dot::parse(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        let size = [dot.states.len(), dot.inputs.len(), dot.outputs.len()];
        assert_eq!(size.map(|size| size.to_string()), columns[1..4], "{file}");
        let name = file.trim_end_matches(".dot").to_owned();
        Model { name, machine: dot.machine }
    };
    index.lines().skip(1).map(read).collect()
}

pub(crate) fn one(name: &str) -> Mealy {
    all().into_iter().find(|model| model.name.contains(name)).unwrap().machine
}

/// Numbers without end, the same every time (xorshift).
pub(crate) fn numbers() -> impl FnMut(usize) -> u32 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) % below as u64) as u32
    }
}

/// A random word, and what the machine answers. It ends where the machine knows no more.
pub(crate) fn trace(
    machine: &Mealy,
    length: usize,
    number: &mut impl FnMut(usize) -> u32,
) -> Vec<(Input, Output)> {
    let mut state = Mealy::INITIAL;
    let step = |_| {
        let input = number(machine.inputs());
        let (next, output) = machine.step(state, input)?;
        state = next;
        Some((input, output))
    };
    (0..length).map_while(step).collect()
}

#[test]
fn every_model_of_the_index_is_read_as_it_is_described() {
    let models = all();
    assert_eq!(models.len(), 11);
    for Model { name, machine } in models {
        let reached = (0..machine.len() as u32)
            .flat_map(|state| machine.edges(state).collect::<Vec<_>>())
            .count();
        assert!(reached <= machine.len() * machine.inputs() && reached > 0, "{name}");
        assert_eq!(machine.difference(&machine), None, "{name}");
    }
}
