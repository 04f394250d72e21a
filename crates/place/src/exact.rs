//! Branch and bound, which proves the optimum for few threads and improves the lower bound for more.
//!
//! The search is depth-first. At each node the Gilmore-Lawler bound is a lower bound of the unplaced threads' cost,
//! its matching is a candidate placement, and its regrets show the cores on which each thread may still lower the cost.
//! The thread with the fewest such cores is placed next.
//!
//! Two rules break symmetry: among interchangeable cores, the lowest is taken first; among interchangeable threads, a
//! thread placed later takes a higher core. No optimum is lost: in each group of leaves that differ only by such
//! interchanges, one leaf obeys both rules, namely the leaf that takes the lower core wherever the paths to the leaves
//! diverge.

use crate::bound::{Partial, Relaxed};
use crate::problem::{Assignment, Problem};
use crate::symmetry;
use crate::watch::Watch;

/// Searches at most `nodes` nodes, or fewer if `watch` stops the search, for a placement better than `start`. If the
/// search finishes, the lower bound equals the cost.
pub(crate) fn branch_and_bound(problem: &Problem, start: Vec<usize>, nodes: u64, watch: &mut Watch<'_>) -> Assignment {
    let cost = problem.cost(&start) as i64;
    let mut search = Search {
        problem,
        partial: Partial::new(problem),
        thread_class: symmetry::of_threads(problem),
        core_class: symmetry::of_cores(problem),
        placement: start,
        cost,
        nodes,
        left_open: i64::MAX,
        watch,
    };
    search.node(0);
    let lower_bound = search.left_open.min(search.cost) as u64;
    Assignment { placement: search.placement, cost: search.cost as u64, lower_bound }
}

struct Search<'a, 'w> {
    problem: &'a Problem,
    partial: Partial<'a>,
    thread_class: Vec<usize>,
    core_class: Vec<usize>,
    placement: Vec<usize>,
    cost: i64,
    /// Number of nodes that may still be visited.
    nodes: u64,
    /// Lowest bound of the nodes that were not visited because `nodes` ran out.
    left_open: i64,
    watch: &'a mut Watch<'w>,
}

impl Search<'_, '_> {
    /// Visits the node of the current partial placement, whose cost is at least `bound`, and all nodes below it.
    fn node(&mut self, bound: i64) {
        let (threads, cores) = (self.problem.threads() as u64, self.problem.cores() as u64);
        if self.nodes == 0 || !self.watch.goes_on(threads * threads * cores) {
            self.left_open = self.left_open.min(bound);
            return;
        }
        self.nodes -= 1;
        let relaxed = self.partial.relax();
        self.compare(self.partial.completed(&relaxed));
        let bound = bound.max(self.partial.cost + relaxed.matching.cost);
        if bound >= self.cost {
            return;
        }
        let (thread, branches) = self.branches(&relaxed);
        drop(relaxed);
        for (regret, core) in branches {
            let bound = bound.max(regret);
            if bound < self.cost {
                self.partial.place(thread, core);
                self.node(bound);
                self.partial.remove(thread, core);
            }
        }
    }

    fn compare(&mut self, placement: Vec<usize>) {
        let cost = self.problem.cost(&placement) as i64;
        if cost < self.cost {
            (self.cost, self.placement) = (cost, placement);
        }
    }

    /// Chooses the thread to branch on: the thread that may lower the cost on the fewest cores. In a tie, the thread
    /// with the largest sum of bounds is chosen. Returns the thread, and its cores with their bounds, sorted by
    /// ascending bound.
    fn branches(&self, relaxed: &Relaxed) -> (usize, Vec<(i64, usize)>) {
        let columns = relaxed.cores.len();
        let known = self.partial.cost + relaxed.matching.cost;
        let first = |column: usize| {
            let class = self.core_class[relaxed.cores[column]];
            relaxed.cores[..column].iter().all(|&core| self.core_class[core] != class)
        };
        let first: Vec<usize> = (0..columns).filter(|&column| first(column)).collect();
        let of_thread = |(row, &thread): (usize, &usize)| {
            let above = self.cores_of_class(thread).max();
            let allowed = first.iter().filter(|&&column| Some(relaxed.cores[column]) > above);
            let bound = |&column: &usize| {
                (known + relaxed.matching.regret(row, column, relaxed.costs[row * columns + column]), column)
            };
            let better = allowed.map(bound).filter(|(bound, _)| *bound < self.cost);
            let mut cores: Vec<_> = better.map(|(bound, column)| (bound, relaxed.cores[column])).collect();
            cores.sort_unstable();
            (thread, cores)
        };
        let promise = |cores: &[(i64, usize)]| cores.iter().map(|(bound, _)| *bound as i128).sum::<i128>();
        let all = relaxed.threads.iter().enumerate().map(of_thread);
        all.min_by_key(|(_, cores)| (cores.len(), -promise(cores))).unwrap_or_default()
    }

    /// Cores of the placed threads that are interchangeable with this thread.
    fn cores_of_class(&self, thread: usize) -> impl Iterator<Item = usize> {
        let class = self.thread_class[thread];
        let threads = self.partial.core.iter().enumerate();
        threads.filter(move |(other, _)| self.thread_class[*other] == class).filter_map(|(_, core)| *core)
    }
}
