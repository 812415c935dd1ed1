//! The best pairing of two sets: a maximum-weight matching in a bipartite graph.
//!
//! On its own because it is arithmetic on a table of numbers: the Hungarian algorithm with
//! potentials, cubic in the larger side.

/// Pairs each row of a table with a column of its own so that the sum of the entries is as large as
/// can be: of each row its column, or `None` where there are too few columns, or where only pairs
/// without any weight are left.
pub(crate) fn best_pairs(weights: &[Vec<f64>]) -> Vec<Option<usize>> {
    let rows = weights.len();
    let columns = weights.first().map_or(0, Vec::len);
    if rows == 0 || columns == 0 {
        return vec![None; rows];
    }
    // A square table of costs, from 1: the algorithm uses 0 for "none".
    let size = rows.max(columns);
    let cost = |row: usize, column: usize| -> f64 {
        weights.get(row - 1).and_then(|row| row.get(column - 1)).map_or(0.0, |weight| -weight)
    };
    let (mut of_row, mut of_column) = (vec![0.0; size + 1], vec![0.0; size + 1]);
    // Of each column, its row.
    let mut partner = vec![0_usize; size + 1];
    let mut way = vec![0_usize; size + 1];
    for row in 1..=size {
        partner[0] = row;
        let mut column = 0;
        let mut least = vec![f64::INFINITY; size + 1];
        let mut is_used = vec![false; size + 1];
        loop {
            is_used[column] = true;
            let from = partner[column];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for other in 1..=size {
                if is_used[other] {
                    continue;
                }
                let reduced = cost(from, other) - of_row[from] - of_column[other];
                if reduced < least[other] {
                    (least[other], way[other]) = (reduced, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=size {
                if is_used[other] {
                    of_row[partner[other]] += step;
                    of_column[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
            if partner[column] == 0 {
                break;
            }
        }
        while column != 0 {
            let before = way[column];
            partner[column] = partner[before];
            column = before;
        }
    }
    let mut pairs = vec![None; rows];
    for column in 1..=columns {
        let row = partner[column];
        let has_weight = |row: usize| weights[row - 1][column - 1] > 0.0;
        if (1..=rows).contains(&row) && has_weight(row) {
            pairs[row - 1] = Some(column - 1);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_sum_counts_and_not_the_best_pair() {
        assert_eq!(best_pairs(&[vec![0.9, 0.8], vec![0.8, 0.1]]), [Some(1), Some(0)]);
        assert_eq!(best_pairs(&[vec![0.5], vec![0.6]]), [None, Some(0)]);
        assert_eq!(best_pairs(&[vec![0.0, 0.2]]), [Some(1)]);
        assert_eq!(best_pairs(&[vec![0.0]]), [None]);
        assert_eq!(best_pairs(&[]), []);
    }

    fn best_by_trying(weights: &[Vec<f64>], used: &mut Vec<usize>) -> f64 {
        let Some((row, rest)) = weights.split_first() else { return 0.0 };
        let mut best = best_by_trying(rest, used);
        for (column, weight) in row.iter().enumerate() {
            if !used.contains(&column) {
                used.push(column);
                best = best.max(weight + best_by_trying(rest, used));
                used.pop();
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_other_pairing_has_a_larger_sum(
            (rows, columns) in (1_usize..5, 1_usize..5),
            numbers in prop::collection::vec(0_u32..100, 16),
        ) {
            let weight = |row: usize, column: usize| f64::from(numbers[row * 4 + column]);
            let table: Vec<Vec<f64>> =
                (0..rows).map(|row| (0..columns).map(|column| weight(row, column)).collect()).collect();
            let pairs = best_pairs(&table);
            let chosen = pairs.iter().enumerate().filter_map(|(row, column)| Some((row, (*column)?)));
            let sum: f64 = chosen.map(|(row, column)| table[row][column]).sum();
            prop_assert!((sum - best_by_trying(&table, &mut Vec::new())).abs() < 1e-9);
        }
    }
}
