//! Which type is a kind of which: the closure of what a domain declares.

use super::model::{Domain, Type, TypeId};

/// The subtypes of every type, as bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeTree {
    words: usize,
    /// For each type, the types that are a kind of it, itself included.
    below: Vec<u64>,
}

impl TypeTree {
    /// The closure, or a type that is a kind of itself.
    pub(crate) fn new(types: &[Type]) -> Result<Self, TypeId> {
        let words = types.len().div_ceil(64);
        let mut tree = TypeTree { words, below: vec![0; words * types.len()] };
        // Parents before their children: a type is ready when all of its parents were visited.
        let mut waiting: Vec<usize> = types.iter().map(|typ| typ.parents.len()).collect();
        let mut children: Vec<Vec<TypeId>> = vec![Vec::new(); types.len()];
        for (child, typ) in types.iter().enumerate() {
            for parent in &typ.parents {
                children[*parent as usize].push(child as TypeId);
            }
        }
        let mut order: Vec<usize> = (0..types.len()).filter(|typ| waiting[*typ] == 0).collect();
        let mut at = 0;
        while let Some(typ) = order.get(at).copied() {
            for child in &children[typ] {
                waiting[*child as usize] -= 1;
                if waiting[*child as usize] == 0 {
                    order.push(*child as usize);
                }
            }
            at += 1;
        }
        if let Some(cyclic) = waiting.iter().position(|waiting| *waiting > 0) {
            return Err(cyclic as TypeId);
        }
        for typ in order.into_iter().rev() {
            tree.below[typ * words + typ / 64] |= 1 << (typ % 64);
            for parent in &types[typ].parents {
                for word in 0..words {
                    tree.below[*parent as usize * words + word] |= tree.below[typ * words + word];
                }
            }
        }
        Ok(tree)
    }

    /// The closure of a domain that was read: it has no cycle.
    pub(crate) fn of(domain: &Domain) -> Self {
        TypeTree::new(&domain.types).unwrap_or_default()
    }

    fn below(&self, typ: TypeId) -> &[u64] {
        self.below.get(typ as usize * self.words..(typ as usize + 1) * self.words).unwrap_or(&[])
    }

    /// Whether whatever is of one of the first types is of one of the second.
    pub(crate) fn is_subtype(&self, types: &[TypeId], of: &[TypeId]) -> bool {
        let is_below = |typ: TypeId, above: TypeId| {
            let words = self.below(above);
            words.get(typ as usize / 64).is_some_and(|word| word >> (typ % 64) & 1 == 1)
        };
        types.iter().any(|typ| of.iter().any(|above| is_below(*typ, *above)))
    }

    /// Whether something could be of one of the first types and of one of the second.
    pub(crate) fn overlap(&self, one: &[TypeId], other: &[TypeId]) -> bool {
        let both = |a: TypeId, b: TypeId| {
            self.below(a).iter().zip(self.below(b)).any(|(one, other)| one & other != 0)
        };
        one.iter().any(|a| other.iter().any(|b| both(*a, *b)))
    }
}
