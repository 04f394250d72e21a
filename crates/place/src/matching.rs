//! Linear assignment: a matching of rows onto columns with the lowest sum of costs, and a lower bound for every other
//! choice.
//!
//! The algorithm is shortest augmenting paths with dual values (Kuhn 1955, Jonker and Volgenant 1987). The number of
//! rows must not exceed the number of columns. The running time is O(rows² × columns).

/// The lowest sum, the column of each row, and the dual values that prove optimality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matching {
    /// The sum of the chosen costs.
    pub cost: i64,
    /// The column of each row.
    pub columns: Vec<usize>,
    of_row: Vec<i64>,
    of_column: Vec<i64>,
}

const NOBODY: usize = usize::MAX;

impl Matching {
    /// The best matching of `rows` rows onto at least as many columns; `costs` is in row-major order.
    pub fn of(costs: &[i64], rows: usize, columns: usize) -> Matching {
        let mut of_row = vec![0; rows];
        let mut of_column = vec![0; columns];
        let mut owner = vec![NOBODY; columns];
        let mut nearest = vec![i64::MAX; columns];
        let mut before = vec![NOBODY; columns];
        let mut seen = vec![false; columns];
        for new in 0..rows {
            nearest.fill(i64::MAX);
            seen.fill(false);
            let (mut row, mut last) = (new, NOBODY);
            // Visit columns in order of their distance from the new row, until a free column is found.
            let free = loop {
                let line = &costs[row * columns..(row + 1) * columns];
                let (mut step, mut next) = (i64::MAX, NOBODY);
                for column in (0..columns).filter(|&column| !seen[column]) {
                    let reduced = line[column] - of_row[row] - of_column[column];
                    if reduced < nearest[column] {
                        nearest[column] = reduced;
                        before[column] = last;
                    }
                    if nearest[column] < step {
                        step = nearest[column];
                        next = column;
                    }
                }
                of_row[new] += step;
                for column in 0..columns {
                    if seen[column] {
                        of_row[owner[column]] += step;
                        of_column[column] -= step;
                    } else {
                        nearest[column] -= step;
                    }
                }
                seen[next] = true;
                last = next;
                if owner[next] == NOBODY {
                    break next;
                }
                row = owner[next];
            };
            let mut column = free;
            while before[column] != NOBODY {
                owner[column] = owner[before[column]];
                column = before[column];
            }
            owner[column] = new;
        }
        let mut chosen = vec![NOBODY; rows];
        for (column, &row) in owner.iter().enumerate().filter(|(_, row)| **row != NOBODY) {
            chosen[row] = column;
        }
        let cost = chosen.iter().enumerate().map(|(row, column)| costs[row * columns + column]).sum();
        Matching { cost, columns: chosen, of_row, of_column }
    }

    /// Regret: a lower bound on the increase in the sum if `row` is forced onto `column` at the price of `cost`.
    pub fn regret(&self, row: usize, column: usize, cost: i64) -> i64 {
        cost - self.of_row[row] - self.of_column[column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The lowest sum with `row` and all later rows on free columns, found by trying every choice.
    fn plainly(costs: &[i64], rows: usize, columns: usize, row: usize, taken: &mut Vec<usize>) -> i64 {
        if row == rows {
            return 0;
        }
        let mut least = i64::MAX;
        for column in 0..columns {
            if !taken.contains(&column) {
                taken.push(column);
                let rest = plainly(costs, rows, columns, row + 1, taken);
                least = least.min(costs[row * columns + column] + rest);
                taken.pop();
            }
        }
        least
    }

    proptest! {
        #[test]
        fn a_matching_is_the_best_and_its_regrets_are_bounds(
            (rows, columns, costs) in (1..5usize, 0..3usize).prop_flat_map(|(rows, more)| {
                let columns = rows + more;
                (Just(rows), Just(columns), proptest::collection::vec(0..50i64, rows * columns))
            })
        ) {
            let matching = Matching::of(&costs, rows, columns);
            prop_assert_eq!(matching.cost, plainly(&costs, rows, columns, 0, &mut Vec::new()));
            for row in 0..rows {
                for column in 0..columns {
                    let cost = costs[row * columns + column];
                    let regret = matching.regret(row, column, cost);
                    prop_assert!(regret >= 0 && (regret == 0 || matching.columns[row] != column));
                    let mut forced = costs.clone();
                    for other in (0..columns).filter(|&other| other != column) {
                        forced[row * columns + other] = 1000;
                    }
                    prop_assert!(Matching::of(&forced, rows, columns).cost >= matching.cost + regret);
                }
            }
        }
    }
}
