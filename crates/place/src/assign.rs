//! Solves an assignment: tabu search, then branch and bound.

use crate::exact::branch_and_bound;
use crate::problem::{Assignment, Problem};
use crate::random::Random;
use crate::tabu::Tabu;
use crate::watch::Watch;

/// The effort of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Seed for the start placements and the tabu tenures.
    pub seed: u64,
    /// Number of tabu searches, each from a random placement.
    pub starts: u32,
    /// Number of moves of each tabu search.
    pub moves: u64,
    /// Number of nodes of branch and bound. The root is always visited; its bound is the Gilmore-Lawler bound.
    pub nodes: u64,
}

impl Effort {
    /// Total number of inner-loop steps of all tabu searches: a few seconds of work. Branch and bound may take twice
    /// as many steps.
    const STEPS: u64 = 1 << 30;
    /// Maximum number of moves per (thread, core) pair. Beyond this number, additional starts help more than
    /// additional moves.
    const MOVES_PER_PAIR: u64 = 200;
    const STARTS: u64 = 8;

    /// An effort that takes at most some seconds for a problem of any size.
    pub fn of(problem: &Problem, seed: u64) -> Effort {
        let (threads, cores) = (problem.threads() as u64, problem.cores() as u64);
        let pairs = threads * cores;
        let moves = (Effort::STEPS / Effort::STARTS / pairs).min(Effort::MOVES_PER_PAIR * pairs);
        Effort { seed, starts: Effort::STARTS as u32, moves, nodes: 2 * Effort::STEPS / (threads * pairs) }
    }
}

/// Searches for the cheapest placement by a tabu search from one start, then by branch and bound. If branch and bound
/// does not finish, tabu searches from the other starts follow. `go_on` is called about every millisecond; once
/// `go_on` returns false, the best placement found so far is returned.
pub fn assign(problem: &Problem, effort: &Effort, mut go_on: impl FnMut() -> bool) -> Assignment {
    let mut watch = Watch::new(&mut go_on);
    let mut random = Random::new(effort.seed);
    let mut start = || {
        let placement = random.permutation(problem.cores());
        Tabu::new(problem, placement, Random::new(random.next()))
    };
    let first = start().run(if effort.starts == 0 { 0 } else { effort.moves }, &mut watch);
    let mut best = branch_and_bound(problem, first, effort.nodes.max(1), &mut watch);
    for _ in 1..effort.starts {
        if best.is_optimal() || !watch.goes_on(0) {
            break;
        }
        let placement = start().run(effort.moves, &mut watch);
        let cost = problem.cost(&placement);
        if cost < best.cost {
            (best.cost, best.placement) = (cost, placement);
        }
    }
    best
}
