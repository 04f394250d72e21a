//! Rows of a table while the machine runs.

use super::times::Times;
use crate::units::BusCycle;

/// Rows that are under way, and rows that have ended in the window.
pub(super) struct Rows<K, R> {
    live: Vec<(K, R)>,
    pub(super) ended: Vec<R>,
}

impl<K: PartialEq, R> Rows<K, R> {
    /// An empty table.
    pub(super) fn new() -> Self {
        Rows { live: Vec::new(), ended: Vec::new() }
    }

    /// Adds a row that is under way.
    pub(super) fn begin(&mut self, key: K, row: R) {
        self.live.push((key, row));
    }

    /// The latest row under way with this key.
    pub(super) fn find(&mut self, key: &K) -> Option<&mut R> {
        self.live.iter_mut().rev().find(|(live, _)| live == key).map(|(_, row)| row)
    }

    /// Ends the oldest row under way with this key: completes it with `finish`, and drops it unless `keep`.
    pub(super) fn end(&mut self, key: &K, keep: bool, finish: impl FnOnce(&mut R)) {
        let Some(index) = self.live.iter().position(|(live, _)| live == key) else { return };
        let (_, mut row) = self.live.remove(index);
        finish(&mut row);
        if keep {
            self.ended.push(row);
        }
    }

    /// All rows, those under way last.
    pub(super) fn all(&self) -> Vec<R>
    where
        R: Clone,
    {
        let live = self.live.iter().map(|(_, row)| row);
        self.ended.iter().chain(live).cloned().collect()
    }

    /// Moves all times before `since` back.
    pub(super) fn move_back(&mut self, since: BusCycle, by: BusCycle)
    where
        R: Times,
    {
        let mut visit = |at: &mut BusCycle| move_back(at, since, by);
        self.live.iter_mut().for_each(|(_, row)| row.for_each_time(&mut visit));
    }
}

/// Moves a time back if it is before `since`.
pub(super) fn move_back(at: &mut u64, since: u64, by: u64) {
    // Modulo 2^64, because the result may lie before the beginning of the calendar.
    if (1..=u64::MAX / 2).contains(&since.wrapping_sub(*at)) {
        *at = at.wrapping_sub(by);
    }
}
