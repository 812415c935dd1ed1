//! Sets of tuples with indexes: what is known to be reachable while a task is grounded.

use crate::table::{IdTable, hash_ids};

/// The tuples of one predicate.
#[derive(Debug, Default)]
pub(super) struct Relation {
    arity: usize,
    /// All tuples, one after the other.
    values: Vec<u32>,
    len: usize,
    table: IdTable,
    indexes: Vec<Index>,
    /// How many tuples the indexes know. Joins see no others.
    indexed: u32,
    distinct: Vec<usize>,
}

/// The tuples by the values at some positions.
#[derive(Debug)]
struct Index {
    positions: Vec<usize>,
    /// Finds a group by the values of its first tuple.
    table: IdTable,
    groups: Vec<Vec<u32>>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Relation { arity, ..Relation::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn tuple(&self, number: u32) -> &[u32] {
        let at = number as usize * self.arity;
        &self.values[at..at + self.arity]
    }

    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.table.find(hash_ids(tuple), |number| self.tuple(number) == tuple)
    }

    /// Adds a tuple; its number, if it is new.
    pub(super) fn insert(&mut self, tuple: &[u32]) -> Option<u32> {
        let hash = hash_ids(tuple);
        if self.table.find(hash, |number| self.tuple(number) == tuple).is_some() {
            return None;
        }
        let number = self.len as u32;
        self.values.extend_from_slice(tuple);
        self.len += 1;
        let (values, arity) = (&self.values, self.arity);
        let hash_of = |number: u32| hash_ids(&values[number as usize * arity..][..arity]);
        self.table.insert(hash, number, hash_of);
        Some(number)
    }

    /// The number of the index over these positions, which is made if there is none.
    pub(super) fn index(&mut self, positions: &[usize]) -> usize {
        let known = self.indexes.iter().position(|index| index.positions == positions);
        known.unwrap_or_else(|| {
            let positions = positions.to_vec();
            self.indexes.push(Index { positions, table: IdTable::default(), groups: Vec::new() });
            self.indexes.len() - 1
        })
    }

    /// Lets joins see the tuple. Tuples come in the order of their numbers.
    pub(super) fn publish(&mut self, number: u32) {
        let (values, arity) = (&self.values, self.arity);
        let tuple = |number: u32| &values[number as usize * arity..][..arity];
        for index in &mut self.indexes {
            let key: Vec<u32> = index.positions.iter().map(|at| tuple(number)[*at]).collect();
            let hash = hash_ids(&key);
            let Index { positions, table, groups } = index;
            let group = table.find(hash, |group| {
                let first = tuple(groups[group as usize][0]);
                positions.iter().zip(&key).all(|(at, value)| first[*at] == *value)
            });
            if let Some(group) = group {
                groups[group as usize].push(number);
                continue;
            }
            let group = groups.len() as u32;
            groups.push(vec![number]);
            let hash_of = |group: u32| {
                let first = tuple(groups[group as usize][0]);
                hash_ids(&positions.iter().map(|at| first[*at]).collect::<Vec<_>>())
            };
            table.insert(hash, group, hash_of);
        }
        self.indexed = number + 1;
    }

    /// How many tuples joins can see.
    pub(super) fn published(&self) -> u32 {
        self.indexed
    }

    /// The published tuples that have these values at the positions of the index.
    pub(super) fn matches(&self, index: usize, key: &[u32]) -> &[u32] {
        let Index { positions, table, groups } = &self.indexes[index];
        let group = table.find(hash_ids(key), |group| {
            let first = self.tuple(groups[group as usize][0]);
            positions.iter().zip(key).all(|(at, value)| first[*at] == *value)
        });
        group.map_or(&[], |group| &groups[group as usize])
    }

    /// Counts the different values at each position, for [`Relation::distinct`].
    pub(super) fn measure(&mut self) {
        let count = |position: usize| {
            let mut values: Vec<u32> =
                (0..self.len as u32).map(|number| self.tuple(number)[position]).collect();
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        self.distinct = (0..self.arity).map(count).collect();
    }

    /// How many different values there were at a position when they were counted.
    pub(super) fn distinct(&self, position: usize) -> usize {
        self.distinct[position]
    }
}
