//! Search with an arbitrary cost function and an ask-and-tell interface.
//!
//! A [`Search`] asks for the costs of several placements at once, as many as the caller can use, and the caller reports
//! the costs in the same order. The caller therefore decides how to compute costs: one by one in a closure
//! ([`minimise`]), or many at a time elsewhere. The search asks for each placement at most once. If several
//! placements have the lowest cost, the best is the one that the search asked for first.

mod all;
mod local;

pub use all::All;
pub use local::{Local, LocalOptions};

use crate::problem::CORES_MAX;

/// Maximum number of placements in one batch.
pub const BATCH_MAX: u64 = 1 << 20;

/// A search with an ask-and-tell interface.
pub trait Search {
    /// Returns the next placements (the core of each thread) whose costs are wanted: at least one and at most
    /// `batch`, or none when the search is over. Further calls return the same placements until their costs are told.
    fn ask(&mut self, batch: usize) -> &[Vec<usize>];

    /// Reports the costs of the placements that the search asked for, in the same order.
    ///
    /// # Errors
    /// A one-line message if the numbers of costs and of placements differ. In that case, no cost is recorded.
    fn tell(&mut self, costs: &[u64]) -> Result<(), String>;

    /// The best placement so far, and its cost.
    fn best(&self) -> Option<(&[usize], u64)>;

    /// Number of placements whose costs have been told.
    fn told(&self) -> u64;
}

/// Runs a search to its end with a cost function, `batch` placements at a time. Returns the best placement and its
/// cost, or `None` if the search asked for no placement, or if `goes_on` returned false between two batches.
pub fn minimise(
    search: &mut (impl Search + ?Sized),
    batch: usize,
    mut cost: impl FnMut(&[usize]) -> u64,
    mut goes_on: impl FnMut() -> bool,
) -> Option<(Vec<usize>, u64)> {
    while goes_on() {
        let costs: Vec<u64> = search.ask(batch).iter().map(|placement| cost(placement)).collect();
        if costs.is_empty() || search.tell(&costs).is_err() {
            return search.best().map(|(placement, cost)| (placement.to_vec(), cost));
        }
    }
    None
}

/// Number of different placements of threads on cores, saturating at `u64::MAX`.
pub fn placements(threads: usize, cores: usize) -> u64 {
    (0..threads).fold(1u64, |count, taken| count.saturating_mul(cores.saturating_sub(taken) as u64))
}

/// The placements that a search has asked for, the number of costs received, and the best placement so far.
#[derive(Clone, Debug, Default)]
struct Ledger {
    asked: Vec<Vec<usize>>,
    told: u64,
    best: Option<(Vec<usize>, u64)>,
}

impl Ledger {
    /// Takes the costs of the placements that the search asked for, and returns the placements.
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
