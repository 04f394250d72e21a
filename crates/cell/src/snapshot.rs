//! The whole state of the machine as a row of words, with every time taken relative to now.
//!
//! Two snapshots are equal exactly when the machine will behave the same from both on.  The bytes in
//! the stores are not part of it: [`crate::store`] keeps track of those.

use crate::units::{BusCycle, NEVER};

/// State of the machine, relative to the moment it was taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Snapshot {
    words: Vec<u64>,
}

impl Snapshot {
    /// Adds a plain value.
    pub fn word(&mut self, value: u64) {
        self.words.push(value);
    }

    /// Adds a time after which something is free: all times in the past mean the same.
    pub fn deadline(&mut self, at: BusCycle, now: BusCycle) {
        self.words.push(if at == NEVER { NEVER } else { at.saturating_sub(now) });
    }

    /// Adds a time since when something waits: it differs for ever, so it saturates at `limit`,
    /// from which on it makes no difference.
    pub fn age(&mut self, since: BusCycle, now: BusCycle, limit: BusCycle) {
        self.words.push(now.saturating_sub(since).min(limit));
    }

    /// Whether another snapshot begins like this one.
    pub fn is_prefix_of(&self, other: &Snapshot) -> bool {
        other.words.starts_with(&self.words)
    }

    /// Forgets everything, but keeps its memory for the next one.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}
