//! The whole state of the machine as a row of words, with every time taken relative to now.
//!
//! Two snapshots are equal exactly when the machine will behave the same from both on.  The bytes in
//! the stores are not part of it: [`crate::store`] keeps track of those.

use crate::units::{BusCycle, EntryId, NEVER, SpeId};

/// State of the machine, relative to the moment it was taken.
#[derive(Clone, Default, Debug)]
pub struct Snapshot {
    words: Vec<u64>,
    /// Age rank of the command in each entry: by SPE, queue and entry.
    ranks: Vec<u8>,
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Snapshot) -> bool {
        // Ranks only say how to write commands down.
        let Snapshot { words, ranks: _ } = self;
        *words == other.words
    }
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

    /// Sets the age rank of the command in an entry: 0 is the oldest of its queue.  Commands are written down by
    /// rank, because those that end in another order than they came would shuffle the entries for ever.
    pub fn set_rank(&mut self, spe: SpeId, entry: EntryId, rank: u8) {
        let place = place(spe, entry);
        if self.ranks.len() <= place {
            self.ranks.resize(place + 1, 0);
        }
        self.ranks[place] = rank;
    }

    /// The age rank of the command in an entry.
    pub fn rank(&self, spe: SpeId, entry: EntryId) -> u64 {
        self.ranks.get(place(spe, entry)).copied().unwrap_or(0).into()
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

fn place(spe: SpeId, entry: EntryId) -> usize {
    const ENTRIES_MAX: usize = 32;
    (2 * usize::from(spe.0) + usize::from(entry.proxy)) * ENTRIES_MAX + usize::from(entry.index)
}
