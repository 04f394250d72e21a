//! Descents from random placements: to a better neighbour until there is none.
//!
//! A neighbour differs in one thread that moves to a free core, or in two whose cores are swapped.  As
//! soon as a better neighbour is known, a descent moves to the best one known: with a batch as large as
//! the neighbourhood that is steepest descent, with a batch of one first improvement.  A batch that one
//! descent does not fill is filled with the next descents, so a larger batch has more of them under way.

use super::{Ledger, Search, check, placements};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where to start, and when to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalOptions {
    /// Chooses the random placements.
    pub seed: u64,
    /// Number of descents.
    pub starts: u64,
    /// The most placements to ask for.
    pub evaluations: u64,
    /// Placements for the first descents, the best of them first; random ones follow.
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
    /// The descents under way, the oldest first.
    descents: Vec<Vec<usize>>,
    costs: BTreeMap<Vec<usize>, u64>,
    ledger: Ledger,
}

impl Local {
    /// A search for so many threads on so many cores.
    ///
    /// # Errors
    /// One line: no threads or more than cores, nothing to search, or a first placement that is none.
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

    /// Advances a descent as far as costs are known; false at its end.
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

    /// Asks for the costs that a descent needs, up to `limit` placements in all.
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

    /// Given starts that have no cost yet; once all have, the descents begin with the best of them.
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
            // A new one only where there is room for it.
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

/// The neighbours, thread by thread: the thread on each free core, and swapped with each later thread.
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
