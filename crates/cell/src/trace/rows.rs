//! Rows of a table while the machine runs.

use super::times::Times;
use crate::units::BusCycle;

/// Live rows, and rows that have ended in the window.
pub(super) struct Rows<K, R> {
    live: Vec<(K, R)>,
    pub(super) ended: Vec<R>,
}

impl<K: PartialEq, R> Rows<K, R> {
    /// An empty table.
    pub(super) fn new() -> Self {
        Rows { live: Vec::new(), ended: Vec::new() }
    }

    /// Adds a live row.
    pub(super) fn begin(&mut self, key: K, row: R) {
        self.live.push((key, row));
    }

    /// The latest live row with this key.
    pub(super) fn find(&mut self, key: &K) -> Option<&mut R> {
        self.live.iter_mut().rev().find(|(live, _)| live == key).map(|(_, row)| row)
    }

    /// Ends the oldest live row with this key: completes the row with `finish`, and drops it unless `keep` is set.
    pub(super) fn end(&mut self, key: &K, keep: bool, finish: impl FnOnce(&mut R)) {
        let Some(index) = self.live.iter().position(|(live, _)| live == key) else { return };
        let (_, mut row) = self.live.remove(index);
        finish(&mut row);
        if keep {
            self.ended.push(row);
        }
    }

    /// All rows; the live rows come last.
    pub(super) fn all(&self) -> Vec<R>
    where
        R: Clone,
    {
        let live = self.live.iter().map(|(_, row)| row);
        self.ended.iter().chain(live).cloned().collect()
    }

    /// Subtracts `by` from all times before `since`.
    pub(super) fn move_back(&mut self, since: BusCycle, by: BusCycle)
    where
        R: Times,
    {
        let mut visit = |at: &mut BusCycle| move_back(at, since, by);
        self.live.iter_mut().for_each(|(_, row)| row.for_each_time(&mut visit));
    }
}

/// Subtracts `by` from a time if it is before `since`.
pub(super) fn move_back(at: &mut u64, since: u64, by: u64) {
    // The result wraps modulo 2^64, because it may be before the start of the calendar.
    if (1..=u64::MAX / 2).contains(&since.wrapping_sub(*at)) {
        *at = at.wrapping_sub(by);
    }
}
