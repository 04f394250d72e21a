//! Solves an assignment: tabu search, then branch and bound.

use crate::exact::branch_and_bound;
use crate::problem::{Assignment, Problem};
use crate::random::Random;
use crate::tabu::Tabu;
use crate::watch::Watch;

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Chooses the placements to start from, and how long moves are forbidden.
    pub seed: u64,
    /// How many tabu searches, each from a random placement.
    pub starts: u32,
    /// Moves of each.
    pub moves: u64,
    /// Nodes of branch and bound; the root, whose bound is that of Gilmore and Lawler, is always visited.
    pub nodes: u64,
}

impl Effort {
    /// Steps of the inner loops of all tabu searches together, which take some seconds; branch and bound has
    /// twice as many.
    const STEPS: u64 = 1 << 30;
    /// Moves for each pair of a thread and a core; beyond that, more starts are better than more moves.
    const MOVES_PER_PAIR: u64 = 200;
    const STARTS: u64 = 8;

    /// An effort of some seconds at most, whatever the size.
    pub fn of(problem: &Problem, seed: u64) -> Effort {
        let (threads, cores) = (problem.threads() as u64, problem.cores() as u64);
        let pairs = threads * cores;
        let moves = (Effort::STEPS / Effort::STARTS / pairs).min(Effort::MOVES_PER_PAIR * pairs);
        Effort { seed, starts: Effort::STARTS as u32, moves, nodes: 2 * Effort::STEPS / (threads * pairs) }
    }
}

/// Searches for the cheapest placement: a tabu search from one start, branch and bound, and if that did
/// not come to its end, tabu searches from the other starts.  `go_on` is asked every millisecond or so; once
/// it says no, the best placement so far is returned.
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
