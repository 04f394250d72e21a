//! Symmetry: threads and cores that are interchangeable without changing any cost.

use crate::problem::{Matrix, Problem};

/// The class of each thread, represented by the first thread in the class.
pub(crate) fn of_threads(problem: &Problem) -> Vec<usize> {
    classes(problem.threads(), |a, b| {
        alike(&problem.flow, a, b, problem.threads()) && problem.linear.row(a) == problem.linear.row(b)
    })
}

/// The class of each core, represented by the first core in the class. For example, cores that share a cache form a
/// class.
pub(crate) fn of_cores(problem: &Problem) -> Vec<usize> {
    let same_linear = |a, b| (0..problem.threads()).all(|i| problem.linear.at(i, a) == problem.linear.at(i, b));
    classes(problem.cores(), |a, b| alike(&problem.distance, a, b, problem.cores()) && same_linear(a, b))
}

/// The class of each item. Interchangeability is transitive, so the first item of a class represents it.
fn classes(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut first: Vec<usize> = Vec::with_capacity(count);
    for this in 0..count {
        let same = (0..this).find(|&other| first[other] == other && alike(other, this));
        first.push(same.unwrap_or(this));
    }
    first
}

fn alike(matrix: &Matrix, a: usize, b: usize, count: usize) -> bool {
    let others = || (0..count).filter(|&other| other != a && other != b);
    matrix.at(a, a) == matrix.at(b, b)
        && matrix.at(a, b) == matrix.at(b, a)
        && others()
            .all(|other| matrix.at(a, other) == matrix.at(b, other) && matrix.at(other, a) == matrix.at(other, b))
}
