//! Robust tabu search (Taillard 1991): each move is the best swap of two threads that is not tabu.
//!
//! After a swap, neither thread may return to its old core for a random number of moves. The search keeps a matrix
//! with the cost of each thread on each core while the other threads stay. A swap adds two products to each cost in
//! the matrix. Four of these costs and the flow between two threads give the cost of swapping the two. Each spare
//! core has a dummy thread without flow, so that a move to a spare core is also a swap. No move is tabu for a dummy
//! thread.

use crate::problem::{Matrix, Problem};
use crate::random::Random;
use crate::watch::Watch;

/// Aspiration period in moves, divided by the square of the number of cores. A thread that has not been on a core for
/// a whole period moves there at any cost. Taillard found values from 2 to 10 useful.
const RETURN_AFTER: usize = 5;

/// A search in progress.
pub(crate) struct Tabu<'a> {
    problem: &'a Problem,
    /// The core of each thread, including the dummy threads on spare cores.
    placement: Vec<usize>,
    cost: i64,
    best: (i64, Vec<usize>),
    /// Cost of each thread on each core, if all partners of its flow (itself included) are on their current cores.
    costs: Matrix,
    /// For each thread and core, the number of the first move in which the thread may return to the core.
    allowed_from: Matrix,
    /// For each pair of threads, the value `m[i][i] + m[j][j] - m[i][j] - m[j][i]`, where `m` is the flow.
    flow_between: Matrix,
    /// For each pair of cores, the value `m[i][i] + m[j][j] - m[i][j] - m[j][i]`, where `m` is the distance.
    distance_between: Matrix,
    random: Random,
}

impl<'a> Tabu<'a> {
    /// A search from a placement of all threads, dummy threads included.
    pub fn new(problem: &'a Problem, placement: Vec<usize>, random: Random) -> Tabu<'a> {
        let Problem { flow, distance, linear, .. } = problem;
        let cores = problem.cores();
        let matrix = |value: &dyn Fn(usize, usize) -> i64| {
            let mut matrix = Matrix::zero(cores, cores);
            (0..cores).for_each(|i| matrix.row_mut(i).iter_mut().enumerate().for_each(|(j, at)| *at = value(i, j)));
            matrix
        };
        let between = |m: &Matrix| matrix(&|i, j| m.at(i, i) + m.at(j, j) - m.at(i, j) - m.at(j, i));
        let talks = |i, k, core| {
            let at: usize = placement[k];
            flow.at(i, k) * distance.at(core, at) + flow.at(k, i) * distance.at(at, core)
        };
        let threads = problem.threads();
        let cost = problem.cost(&placement) as i64;
        Tabu {
            problem,
            cost,
            best: (cost, placement.clone()),
            costs: matrix(&|i, core| linear.at(i, core) + (0..threads).map(|k| talks(i, k, core)).sum::<i64>()),
            // Initial values are staggered; otherwise all untried moves would be due at the same time.
            allowed_from: matrix(&|i, core| -((cores * i + core) as i64)),
            flow_between: between(flow),
            distance_between: between(distance),
            placement,
            random,
        }
    }

    /// Makes `moves` moves, or fewer if `watch` stops the search. Returns the best placement seen.
    pub fn run(mut self, moves: u64, watch: &mut Watch<'_>) -> Vec<usize> {
        let steps = (self.problem.threads() * self.problem.cores()) as u64;
        for now in 1..=i64::try_from(moves).unwrap_or(i64::MAX) {
            if !watch.goes_on(steps) {
                break;
            }
            if let Some((i, j)) = self.choose(now) {
                self.swap(i, j, now);
            }
        }
        self.best.1.truncate(self.problem.threads());
        self.best.1
    }

    /// The cheapest swap that is not tabu. A swap that leads to a new best cost, or is due by aspiration, has
    /// priority.
    fn choose(&self, now: i64) -> Option<(usize, usize)> {
        let (threads, cores) = (self.problem.threads(), self.problem.cores());
        let due = now - (RETURN_AFTER * cores * cores) as i64;
        let better = self.best.0 - self.cost;
        let mut chosen = None;
        let mut least = (true, i64::MAX);
        for i in 0..threads {
            let at = self.placement[i];
            let allowed_from = self.allowed_from.row(i);
            for j in i + 1..cores {
                let there = allowed_from[self.placement[j]];
                let earlier = if j < threads { there.min(self.allowed_from.at(j, at)) } else { there };
                let delta = self.swap_cost(i, j);
                let aspired = earlier < due || delta < better;
                if (aspired || earlier <= now) && (!aspired, delta) < least {
                    (least, chosen) = ((!aspired, delta), Some((i, j)));
                }
            }
        }
        chosen
    }

    /// Change of the total cost if threads `i` and `j` swap cores.
    fn swap_cost(&self, i: usize, j: usize) -> i64 {
        let (at_i, at_j) = (self.placement[i], self.placement[j]);
        let (of_i, of_j) = (self.costs.row(i), self.costs.row(j));
        of_i[at_j] - of_i[at_i] + of_j[at_i] - of_j[at_j]
            + self.flow_between.at(i, j) * self.distance_between.at(at_i, at_j)
    }

    fn swap(&mut self, r: usize, s: usize, now: i64) {
        let cores = self.problem.cores();
        for thread in [r, s] {
            // The tenure is between 0.9 and 1.1 times the number of cores.
            let shortest = cores * 9 / 10;
            let tenure = shortest + self.random.below(cores * 11 / 10 - shortest + 1);
            *self.allowed_from.at_mut(thread, self.placement[thread]) = now + 1 + tenure as i64;
        }
        self.cost += self.swap_cost(r, s);
        self.placement.swap(r, s);
        if self.cost < self.best.0 {
            self.best = (self.cost, self.placement.clone());
        }
        let Problem { flow, distance, .. } = self.problem;
        let (at_r, at_s) = (self.placement[r], self.placement[s]);
        let nearer_to: Vec<i64> = (0..cores).map(|core| distance.at(core, at_r) - distance.at(core, at_s)).collect();
        let nearer_from: Vec<i64> = (0..cores).map(|core| distance.at(at_r, core) - distance.at(at_s, core)).collect();
        for i in 0..self.problem.threads() {
            let (to, from) = (flow.at(i, r) - flow.at(i, s), flow.at(r, i) - flow.at(s, i));
            // Traffic is often sparse, so most rows are skipped.
            if (to, from) != (0, 0) {
                let nearer = nearer_to.iter().zip(&nearer_from);
                for (cost, (nearer_to, nearer_from)) in self.costs.row_mut(i).iter_mut().zip(nearer) {
                    *cost += to * nearer_to + from * nearer_from;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::tests::problems;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_what_the_swaps_cost(problem in problems(7, 3), seed: u64) {
            let (threads, cores) = (problem.threads(), problem.cores());
            let mut random = Random::new(seed);
            let mut tabu = Tabu::new(&problem, random.permutation(cores), random.clone());
            for now in 1..20 {
                for i in 0..threads {
                    for j in i + 1..cores {
                        let mut after = tabu.placement.clone();
                        after.swap(i, j);
                        let delta = problem.cost(&after) as i64 - problem.cost(&tabu.placement) as i64;
                        prop_assert_eq!(tabu.swap_cost(i, j), delta);
                    }
                }
                prop_assert_eq!(tabu.cost as u64, problem.cost(&tabu.placement));
                if cores > 1 {
                    let i = random.below(threads);
                    let j = (i + 1 + random.below(cores - 1)) % cores;
                    tabu.swap(i.min(j), i.max(j), now);
                }
            }
        }
    }

    #[test]
    fn a_thread_may_return_when_its_time_is_over_and_not_before() {
        // No swap changes the cost, so only the tabu rule decides.
        let zero = vec![vec![0; 10]; 10];
        let problem = Problem::new(&zero, &zero, None).unwrap();
        let mut tabu = Tabu::new(&problem, (0..10).collect(), Random::new(0));
        tabu.swap(0, 1, 100);
        let back = tabu.allowed_from.at(0, 0).min(tabu.allowed_from.at(1, 1));
        assert!((110..=112).contains(&back));
        // All other moves are tabu for ever.
        for i in 0..10 {
            for core in (0..10).filter(|&core| (i, core) != (0, 0) && (i, core) != (1, 1)) {
                *tabu.allowed_from.at_mut(i, core) = i64::MAX;
            }
        }
        assert_eq!(tabu.choose(back - 1), None);
        assert_eq!(tabu.choose(back), Some((0, 1)));
    }
}
