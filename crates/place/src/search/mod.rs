//! Search where a cost is only a function: ask for placements, tell what they cost.
//!
//! A [`Search`] says which placements it wants to know about next, as many at once as the caller can
//! use, and is told their costs in the same order.  So the caller decides how costs are found: one by one
//! in a closure ([`minimise`]), or many at a time somewhere else.  No placement is asked for twice.  Of
//! placements of equal cost the one asked for first is the best.

mod all;
mod local;

pub use all::All;
pub use local::{Local, LocalOptions};

use crate::problem::CORES_MAX;

/// A search that asks for costs and is told them.
pub trait Search {
    /// The next placements whose costs are wanted, each the core of each thread: at least one and at most
    /// `batch`, or none when the search is over.  The same again until their costs are told.
    fn ask(&mut self, batch: usize) -> &[Vec<usize>];

    /// Tells the costs of the placements that were asked for, in their order.
    ///
    /// # Errors
    /// One line: there are not as many costs as placements; none is taken.
    fn tell(&mut self, costs: &[u64]) -> Result<(), String>;

    /// The best placement so far, and its cost.
    fn best(&self) -> Option<(&[usize], u64)>;

    /// Number of placements whose costs were told.
    fn told(&self) -> u64;
}

/// Runs a search to its end with the costs that a function gives; the best placement and its cost, if any
/// was asked for.
pub fn minimise(search: &mut impl Search, mut cost: impl FnMut(&[usize]) -> u64) -> Option<(Vec<usize>, u64)> {
    loop {
        let costs: Vec<u64> = search.ask(1).iter().map(|placement| cost(placement)).collect();
        if costs.is_empty() || search.tell(&costs).is_err() {
            return search.best().map(|(placement, cost)| (placement.to_vec(), cost));
        }
    }
}

/// Number of placements of threads on cores; `u64::MAX` if there are more.
pub fn placements(threads: usize, cores: usize) -> u64 {
    (0..threads).fold(1u64, |count, taken| count.saturating_mul(cores.saturating_sub(taken) as u64))
}

/// What was asked for, how much was told, and the best so far.
#[derive(Clone, Debug, Default)]
struct Ledger {
    asked: Vec<Vec<usize>>,
    told: u64,
    best: Option<(Vec<usize>, u64)>,
}

impl Ledger {
    /// Takes the costs of what was asked for, and gives it back.
    fn tell(&mut self, costs: &[u64]) -> Result<Vec<Vec<usize>>, String> {
        if costs.len() != self.asked.len() {
            let (told, asked) = (costs.len(), self.asked.len());
            return Err(format!("{told} costs were told for {asked} placements; tell one for each, in their order"));
        }
        self.told += costs.len() as u64;
        for (placement, &cost) in self.asked.iter().zip(costs) {
            if self.best.as_ref().is_none_or(|(_, best)| cost < *best) {
                self.best = Some((placement.clone(), cost));
            }
        }
        Ok(std::mem::take(&mut self.asked))
    }

    fn best(&self) -> Option<(&[usize], u64)> {
        self.best.as_ref().map(|(placement, cost)| (placement.as_slice(), *cost))
    }
}

fn check(threads: usize, cores: usize) -> Result<(), String> {
    match () {
        () if threads == 0 => Err("0 threads cannot be placed; give at least 1".to_string()),
        () if cores > CORES_MAX => Err(format!("{cores} cores are too many; {CORES_MAX} are the limit")),
        () if threads > cores => {
            Err(format!("{threads} threads do not fit on {cores} cores; give each thread a core of its own"))
        }
        () => Ok(()),
    }
}
