//! Exhaustive search: every placement, in lexical order.

use super::{Ledger, Search, check};

/// Asks for every placement once. [`super::placements`] returns the number of placements in advance.
#[derive(Clone, Debug)]
pub struct All {
    cores: usize,
    /// The next placement to ask for.
    next: Option<Vec<usize>>,
    ledger: Ledger,
}

impl All {
    /// All placements of `threads` threads on `cores` cores.
    ///
    /// # Errors
    /// A one-line message for no threads, or more threads than cores.
    pub fn new(threads: usize, cores: usize) -> Result<All, String> {
        check(threads, cores)?;
        Ok(All { cores, next: Some((0..threads).collect()), ledger: Ledger::default() })
    }
}

impl Search for All {
    fn ask(&mut self, batch: usize) -> &[Vec<usize>] {
        if self.ledger.asked.is_empty() {
            while let Some(placement) = self.next.take_if(|_| self.ledger.asked.len() < batch.max(1)) {
                self.next = successor(&placement, self.cores);
                self.ledger.asked.push(placement);
            }
        }
        &self.ledger.asked
    }

    fn tell(&mut self, costs: &[u64]) -> Result<(), String> {
        self.ledger.tell(costs).map(|_| ())
    }

    fn best(&self) -> Option<(&[usize], u64)> {
        self.ledger.best()
    }

    fn told(&self) -> u64 {
        self.ledger.told
    }
}

/// The next placement in lexical order: the last thread that can move goes to its next free core, and all later threads
/// go to the first free cores.
fn successor(placement: &[usize], cores: usize) -> Option<Vec<usize>> {
    for thread in (0..placement.len()).rev() {
        let mut next = placement[..thread].to_vec();
        if let Some(core) = (placement[thread] + 1..cores).find(|core| !next.contains(core)) {
            next.push(core);
            while next.len() < placement.len() {
                next.extend((0..cores).find(|core| !next.contains(core)));
            }
            return Some(next);
        }
    }
    None
}
