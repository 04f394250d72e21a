//! Rows in the making.

use super::times::Times;
use crate::units::BusCycle;

/// Rows of what is under way, and of what has ended in the window.
pub(super) struct Rows<K, R> {
    live: Vec<(K, R)>,
    pub(super) ended: Vec<R>,
}

impl<K: PartialEq, R> Rows<K, R> {
    /// None yet.
    pub(super) fn new() -> Self {
        Rows { live: Vec::new(), ended: Vec::new() }
    }

    /// One more is under way.
    pub(super) fn begin(&mut self, key: K, row: R) {
        self.live.push((key, row));
    }

    /// The latest that is under way with this key.
    pub(super) fn find(&mut self, key: &K) -> Option<&mut R> {
        self.live.iter_mut().rev().find(|(live, _)| live == key).map(|(_, row)| row)
    }

    /// It is over; the row stays if it is to be kept.
    pub(super) fn end(&mut self, key: &K, keep: bool, note: impl FnOnce(&mut R)) {
        let Some(place) = self.live.iter().position(|(live, _)| live == key) else { return };
        let (_, mut row) = self.live.remove(place);
        note(&mut row);
        if keep {
            self.ended.push(row);
        }
    }

    /// All rows.
    pub(super) fn all(&self) -> Vec<R>
    where
        R: Clone,
    {
        let live = self.live.iter().map(|(_, row)| row);
        self.ended.iter().chain(live).cloned().collect()
    }

    /// Moves times before `since` back.
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
    // Modulo 2^64: moved back, a time may come to lie before the beginning of the calendar.
    if (1..=u64::MAX / 2).contains(&since.wrapping_sub(*at)) {
        *at = at.wrapping_sub(by);
    }
}
