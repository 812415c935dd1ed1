//! What the numbers stand for: the learners compute with small numbers, their users have names.

use std::collections::BTreeMap;

/// Symbols in the order in which they were first met.
#[derive(Clone, Debug)]
pub struct Alphabet<T> {
    symbols: Vec<T>,
    numbers: BTreeMap<T, u32>,
}

impl<T> Default for Alphabet<T> {
    fn default() -> Self {
        Alphabet { symbols: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Alphabet<T> {
    /// The number of a symbol, which is a new one if it was never met.
    pub fn number(&mut self, symbol: &T) -> u32 {
        if let Some(number) = self.numbers.get(symbol) {
            return *number;
        }
        let number = self.symbols.len() as u32;
        self.symbols.push(symbol.clone());
        self.numbers.insert(symbol.clone(), number);
        number
    }

    /// The number of a symbol that was met.
    pub fn find(&self, symbol: &T) -> Option<u32> {
        self.numbers.get(symbol).copied()
    }

    /// The symbol of a number that [`number`](Self::number) gave.
    pub fn symbol(&self, number: u32) -> Option<&T> {
        self.symbols.get(number as usize)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// All of them, in the order of their numbers.
    pub fn symbols(&self) -> &[T] {
        &self.symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_keeps_its_number() {
        let mut alphabet = Alphabet::default();
        assert_eq!(
            [alphabet.number(&"b"), alphabet.number(&"a"), alphabet.number(&"b")],
            [0, 1, 0]
        );
        assert_eq!(
            (alphabet.symbol(1), alphabet.find(&"a"), alphabet.find(&"c")),
            (Some(&"a"), Some(1), None)
        );
        assert_eq!(alphabet.len(), 2);
    }
}
