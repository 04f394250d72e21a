//! Local search: each descent starts at a random placement and moves to better neighbours until no neighbour is better.
//!
//! In a neighbour, one thread has moved to a free core, or two threads have swapped their cores. As soon as the cost
//! of any better neighbour is known, a descent moves to the best of the known neighbours. With a batch as large as the
//! neighbourhood, the search is a steepest descent; with a batch of one, the search takes the first improvement.
//! Further descents fill the rest of a batch, so a larger batch has more descents in progress.

use super::{Ledger, Search, check, placements};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Start placements and limits of a local search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalOptions {
    /// Seed for the random placements.
    pub seed: u64,
    /// Number of descents.
    pub starts: u64,
    /// Maximum number of placements whose costs the search asks for.
    pub evaluations: u64,
    /// Placements at which the first descents start, the cheapest first. Later descents start at random.
    pub first: Vec<Vec<usize>>,
}

/// Local search with restarts.
#[derive(Clone, Debug)]
pub struct Local {
    threads: usize,
    cores: usize,
    random: Random,
    starts: u64,
    evaluations: u64,
    first: VecDeque<Vec<usize>>,
    /// The descents in progress, the oldest first.
    descents: Vec<Vec<usize>>,
    costs: BTreeMap<Vec<usize>, u64>,
    ledger: Ledger,
}

impl Local {
    /// A search for placements of `threads` threads on `cores` cores.
    ///
    /// # Errors
    /// A one-line message for no threads, more threads than cores, no starts or evaluations, or an invalid first
    /// placement.
    pub fn new(threads: usize, cores: usize, options: LocalOptions) -> Result<Local, String> {
        check(threads, cores)?;
        let LocalOptions { seed, starts, evaluations, first } = options;
        for (what, number) in [("starts", starts), ("evaluations", evaluations)] {
            if number == 0 {
                return Err(format!("{what} 0 finds nothing; give at least 1"));
            }
        }
        for placement in &first {
            let different: BTreeSet<_> = placement.iter().filter(|&&core| core < cores).collect();
            if placement.len() != threads || different.len() != threads {
                return Err(format!(
                    "first: {placement:?} is no placement; give {threads} different cores from 0 to {}",
                    cores - 1
                ));
            }
        }
        Ok(Local {
            threads,
            cores,
            random: Random::new(seed),
            starts,
            evaluations,
            first: first.into(),
            descents: Vec::new(),
            costs: BTreeMap::new(),
            ledger: Ledger::default(),
        })
    }

    /// Advances a descent as far as costs are known; returns false once the descent has ended.
    fn descend(&self, at: &mut Vec<usize>) -> bool {
        while let Some(&cost) = self.costs.get(at) {
            let neighbours: Vec<_> = neighbours(at, self.cores).collect();
            let known =
                neighbours.iter().filter_map(|neighbour| self.costs.get(neighbour).map(|cost| (cost, neighbour)));
            let Some((_, better)) = known.filter(|(known, _)| **known < cost).min_by_key(|(known, _)| **known) else {
                return neighbours.iter().any(|neighbour| !self.costs.contains_key(neighbour));
            };
            at.clone_from(better);
        }
        true
    }

    /// Extends `asked` with the placements whose costs a descent needs, up to `limit` placements in total.
    fn want(&self, at: &[usize], limit: usize, asked: &mut Vec<Vec<usize>>, seen: &mut BTreeSet<Vec<usize>>) {
        for placement in std::iter::once(at.to_vec()).chain(neighbours(at, self.cores)) {
            if asked.len() >= limit {
                break;
            }
            if !self.costs.contains_key(&placement) && seen.insert(placement.clone()) {
                asked.push(placement);
            }
        }
    }

    fn next_start(&mut self) -> Option<Vec<usize>> {
        if self.ledger.told == placements(self.threads, self.cores) {
            return None;
        }
        self.starts = self.starts.checked_sub(1)?;
        let random = |search: &mut Local| {
            let mut cores = search.random.permutation(search.cores);
            cores.truncate(search.threads);
            cores
        };
        Some(self.first.pop_front().unwrap_or_else(|| random(self)))
    }

    /// Returns the first placements whose cost is unknown. Once all costs are known, sorts the placements so that the
    /// first descent starts at the cheapest.
    fn unknown_starts(&mut self, limit: usize) -> Vec<Vec<usize>> {
        let mut seen = BTreeSet::new();
        let unknown = |start: &&Vec<usize>| !self.costs.contains_key(*start) && seen.insert((*start).clone());
        let unknown: Vec<_> = self.first.iter().filter(unknown).take(limit).cloned().collect();
        if unknown.is_empty() && limit > 0 {
            self.first.make_contiguous().sort_by_key(|start| self.costs[start]);
        }
        unknown
    }
}

impl Search for Local {
    fn ask(&mut self, batch: usize) -> &[Vec<usize>] {
        if !self.ledger.asked.is_empty() {
            return &self.ledger.asked;
        }
        let left = usize::try_from(self.evaluations - self.ledger.told).unwrap_or(usize::MAX);
        let limit = batch.max(1).min(left);
        self.ledger.asked = self.unknown_starts(limit);
        if !self.ledger.asked.is_empty() {
            return &self.ledger.asked;
        }
        let (mut asked, mut seen) = (Vec::new(), BTreeSet::new());
        let mut waiting: VecDeque<_> = std::mem::take(&mut self.descents).into();
        while let Some(mut descent) = waiting.pop_front().or_else(|| {
            // Begin a new descent only if the batch has room for it.
            if asked.len() < limit { self.next_start() } else { None }
        }) {
            if self.descend(&mut descent) {
                self.want(&descent, limit, &mut asked, &mut seen);
                self.descents.push(descent);
            }
        }
        self.ledger.asked = asked;
        &self.ledger.asked
    }

    fn tell(&mut self, costs: &[u64]) -> Result<(), String> {
        let told = self.ledger.tell(costs)?;
        self.costs.extend(told.into_iter().zip(costs.iter().copied()));
        Ok(())
    }

    fn best(&self) -> Option<(&[usize], u64)> {
        self.ledger.best()
    }

    fn told(&self) -> u64 {
        self.ledger.told
    }
}

/// The neighbours of a placement: each thread swapped with each later thread, and moved to each free core.
fn neighbours(placement: &[usize], cores: usize) -> impl Iterator<Item = Vec<usize>> {
    let free: Vec<usize> = (0..cores).filter(|core| !placement.contains(core)).collect();
    (0..placement.len()).flat_map(move |i| {
        let swapped = (i + 1..placement.len()).map(|j| {
            let mut neighbour = placement.to_vec();
            neighbour.swap(i, j);
            neighbour
        });
        let moved = free.iter().map(|&core| {
            let mut neighbour = placement.to_vec();
            neighbour[i] = core;
            neighbour
        });
        swapped.chain(moved).collect::<Vec<_>>()
    })
}
