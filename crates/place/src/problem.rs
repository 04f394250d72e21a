//! The quadratic assignment problem: flow between threads times distance between their cores.
//!
//! ```
//! use place::Problem;
//! // On three cores in a row, A and C exchange the most data: they should be neighbours.
//! let flow = [vec![0, 1, 9], vec![1, 0, 0], vec![9, 0, 0]];
//! let distance = [vec![0, 1, 2], vec![1, 0, 1], vec![2, 1, 0]];
//! let problem = Problem::new(&flow, &distance, None).unwrap();
//! assert_eq!(problem.cost(&[0, 1, 2]), 2 * 1 + 2 * 9 * 2);
//! assert_eq!(problem.cost(&[1, 0, 2]), 2 * 1 + 2 * 9);
//! ```

/// Maximum number of cores of a problem. Matrices of this size take some megabytes each.
pub const CORES_MAX: usize = 1024;

/// Maximum cost of any placement. Differences and dual values are at most a small multiple of this maximum per thread,
/// and therefore fit in 64 bits.
pub const COST_MAX: u64 = 1 << 50;

/// A matrix in row-major order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Matrix {
    columns: usize,
    values: Vec<i64>,
}

impl Matrix {
    pub fn zero(rows: usize, columns: usize) -> Matrix {
        Matrix { columns, values: vec![0; rows * columns] }
    }

    pub fn at(&self, row: usize, column: usize) -> i64 {
        self.values[row * self.columns + column]
    }

    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut i64 {
        &mut self.values[row * self.columns + column]
    }

    pub fn row(&self, row: usize) -> &[i64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [i64] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    fn largest(&self) -> u128 {
        self.values.iter().max().map_or(0, |most| *most as u128)
    }
}

/// A quadratic assignment problem: flow between threads, distance between cores, and linear costs.
///
/// The cost of a placement is the sum of flow times distance over all ordered pairs of threads, plus the linear costs.
/// A thread's flow to itself is multiplied by the distance from its core to the same core. Matrices need not be
/// symmetric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    threads: usize,
    /// Flow, padded with zeros to the number of cores: a spare core has a dummy thread without flow.
    pub(crate) flow: Matrix,
    pub(crate) distance: Matrix,
    pub(crate) linear: Matrix,
}

impl Problem {
    /// A problem with flow `flow[i][j]` from thread `i` to thread `j`, distance `distance[k][l]` from core `k` to core
    /// `l`, and linear cost `linear[i][k]` of thread `i` on core `k`, which does not depend on other threads.
    ///
    /// # Errors
    /// A one-line message for no threads, more threads than cores, a matrix of the wrong shape, or costs above
    /// [`COST_MAX`].
    pub fn new(flow: &[Vec<u64>], distance: &[Vec<u64>], linear: Option<&[Vec<u64>]>) -> Result<Problem, String> {
        let (threads, cores) = (flow.len(), distance.len());
        if threads == 0 {
            return Err("flow has no rows; give one for each thread".to_string());
        }
        if cores > CORES_MAX {
            return Err(format!("distance has {cores} rows; {CORES_MAX} cores are the limit"));
        }
        if threads > cores {
            return Err(format!("{threads} threads do not fit on {cores} cores; give each thread a core of its own"));
        }
        let flow = matrix(flow, "flow", threads, threads, cores)?;
        let distance = matrix(distance, "distance", cores, cores, cores)?;
        let linear = linear.map(|linear| matrix(linear, "linear", threads, cores, cores)).transpose()?;
        let linear = linear.unwrap_or_else(|| Matrix::zero(cores, cores));
        let sum: u128 = flow.values.iter().map(|flow| *flow as u128).sum();
        let of_core = |thread| linear.row(thread).iter().max().map_or(0, |most| *most as u128);
        let most = sum.max(1) * distance.largest().max(1) + (0..threads).map(of_core).sum::<u128>();
        if most > u128::from(COST_MAX) {
            return Err(format!("a placement could cost up to {most}; scale the numbers down until it is {COST_MAX}"));
        }
        Ok(Problem { threads, flow, distance, linear })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Number of cores.
    pub fn cores(&self) -> usize {
        self.distance.columns
    }

    /// Cost of the placement with each thread `i` on core `placement[i]`.
    pub fn cost(&self, placement: &[usize]) -> u64 {
        let mut sum = 0;
        for (i, &core) in placement[..self.threads].iter().enumerate() {
            sum += self.linear.at(i, core);
            for (j, &other) in placement[..self.threads].iter().enumerate() {
                sum += self.flow.at(i, j) * self.distance.at(core, other);
            }
        }
        sum as u64
    }
}

/// The best placement that was found, and a lower bound of the cost of any placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The core of each thread.
    pub placement: Vec<usize>,
    /// Cost of this placement.
    pub cost: u64,
    /// Proven lower bound of the cost of every placement.
    pub lower_bound: u64,
}

impl Assignment {
    /// Whether the placement is proven to be optimal.
    pub fn is_optimal(&self) -> bool {
        self.cost == self.lower_bound
    }
}

/// A matrix of `rows` by `columns`, padded with zeros to `size` by `size`.
fn matrix(given: &[Vec<u64>], what: &str, rows: usize, columns: usize, size: usize) -> Result<Matrix, String> {
    if given.len() != rows {
        return Err(format!("{what} has {} rows; give {rows}", given.len()));
    }
    let mut matrix = Matrix::zero(size, size);
    for (nth, row) in given.iter().enumerate() {
        if row.len() != columns {
            return Err(format!("{what}: row {nth} has {} columns; give {columns}", row.len()));
        }
        for (entry, &value) in matrix.row_mut(nth).iter_mut().zip(row) {
            if value > COST_MAX {
                return Err(format!("{what}: {value} in row {nth} is too large; give 0 to {COST_MAX}"));
            }
            *entry = value as i64;
        }
    }
    Ok(matrix)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Random problems with at most `threads_max` threads and `spare_max` spare cores.
    pub fn problems(threads_max: usize, spare_max: usize) -> impl Strategy<Value = Problem> {
        let sizes = (1..=threads_max, 0..=spare_max);
        sizes.prop_flat_map(|(threads, spare)| {
            let cores = threads + spare;
            let flow = vec(vec(prop_oneof![Just(0), 0..10u64], threads), threads);
            let distance = vec(vec(0..10u64, cores), cores);
            let linear = proptest::option::of(vec(vec(0..30u64, cores), threads));
            (flow, distance, linear).prop_map(|(flow, distance, linear)| {
                Problem::new(&flow, &distance, linear.as_deref()).expect("small numbers in the right places")
            })
        })
    }

    fn refused(flow: &[Vec<u64>], distance: &[Vec<u64>], linear: Option<&[Vec<u64>]>) -> String {
        Problem::new(flow, distance, linear).unwrap_err()
    }

    #[test]
    fn what_cannot_be_is_refused_in_one_line() {
        let two = [vec![0, 1], vec![1, 0]];
        let one = [vec![0]];
        assert_eq!(refused(&[], &two, None), "flow has no rows; give one for each thread");
        assert!(refused(&two, &one, None).starts_with("2 threads do not fit on 1 cores"));
        assert_eq!(refused(&[vec![0], vec![0]], &two, None), "flow: row 0 has 1 columns; give 2");
        assert_eq!(refused(&two, &[vec![0, 1], vec![1]], None), "distance: row 1 has 1 columns; give 2");
        assert_eq!(refused(&two, &two, Some(&one)), "linear has 1 rows; give 2");
        assert!(refused(&vec![vec![0]; CORES_MAX + 1], &vec![vec![0]; CORES_MAX + 1], None).contains("1024 cores"));
        assert!(refused(&[vec![COST_MAX + 1]], &one, None).contains("too large"));
    }

    #[test]
    fn costs_stay_within_their_limit() {
        let pair = |flow| [vec![0, flow], vec![0, 0]];
        assert!(Problem::new(&pair(COST_MAX / 2), &pair(2), None).is_ok());
        assert!(refused(&pair(COST_MAX / 2), &pair(3), None).contains("scale the numbers down"));
        assert!(refused(&pair(1), &pair(1), Some(&[vec![0, COST_MAX], vec![0, 0]])).contains("scale the numbers down"));
    }

    #[test]
    fn a_thread_with_itself_and_linear_costs_count() {
        let problem = Problem::new(&[vec![3]], &[vec![5, 1], vec![1, 7]], Some(&[vec![10, 0]])).unwrap();
        assert_eq!(problem.cost(&[0]), 3 * 5 + 10);
        assert_eq!(problem.cost(&[1]), 3 * 7);
    }
}
