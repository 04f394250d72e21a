//! The whole state of the machine as a sequence of words. All times in it are relative to the time of the snapshot.
//!
//! Two snapshots are equal if and only if the machine will behave the same after both. A snapshot does not contain the
//! bytes in the stores: [`crate::store`] tracks their changes.

use crate::units::{BusCycle, EntryId, NEVER, SpeId};

/// The state of the machine, relative to the moment at which it was taken.
#[derive(Clone, Default, Debug)]
pub struct Snapshot {
    words: Vec<u64>,
    /// The bits of local-store addresses that the snapshot omits.
    omitted: u64,
    /// Age rank of the command in each MFC queue entry, by SPE, queue and entry.
    ranks: Vec<u8>,
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Snapshot) -> bool {
        // Ranks only identify the commands, and are not part of the machine's state.
        let Snapshot { words, omitted, ranks: _ } = self;
        *words == other.words && *omitted == other.omitted
    }
}

impl Snapshot {
    /// Adds a plain value.
    pub fn word(&mut self, value: u64) {
        self.words.push(value);
    }

    /// A local-store or effective address without the bits that the snapshot omits.
    pub fn address<A: Into<u64>>(&self, address: A) -> u64 {
        address.into() & !self.omitted
    }

    /// Adds the place of an iteration in its program's tour, unless the snapshot omits the addresses of places.
    pub fn place_in_tour(&mut self, place: u64) {
        self.words.push(if self.omitted == 0 { place } else { 0 });
    }

    /// Adds the time at which a resource becomes free. All times in the past are equivalent.
    pub fn deadline(&mut self, at: BusCycle, now: BusCycle) {
        self.words.push(if at == NEVER { NEVER } else { at.saturating_sub(now) });
    }

    /// Adds the age of a wait that began at `since`. The age saturates at `limit`, beyond which it has no effect on
    /// the machine. Without saturation, the states of two periods would never be equal.
    pub fn age(&mut self, since: BusCycle, now: BusCycle, limit: BusCycle) {
        self.words.push(now.saturating_sub(since).min(limit));
    }

    /// Sets the age rank of the command in a queue entry; the oldest command of a queue has rank 0. A snapshot
    /// identifies commands by rank instead of by entry, because commands that end out of order would permute the
    /// entries endlessly.
    pub fn set_rank(&mut self, spe: SpeId, entry: EntryId, rank: u8) {
        let index = index_of(spe, entry);
        if self.ranks.len() <= index {
            self.ranks.resize(index + 1, 0);
        }
        self.ranks[index] = rank;
    }

    /// Returns the age rank of the command in a queue entry.
    pub fn rank(&self, spe: SpeId, entry: EntryId) -> u64 {
        self.ranks.get(index_of(spe, entry)).copied().unwrap_or(0).into()
    }

    /// Whether the words of this snapshot are a prefix of another snapshot's words.
    pub fn is_prefix_of(&self, other: &Snapshot) -> bool {
        self.omitted == other.omitted && other.words.starts_with(&self.words)
    }

    /// Begins a snapshot that omits these bits of local-store addresses. Removes all words but keeps the allocated
    /// memory.
    pub fn begin(&mut self, omitted: u64) {
        self.words.clear();
        self.omitted = omitted;
    }
}

fn index_of(spe: SpeId, entry: EntryId) -> usize {
    const ENTRIES_MAX: usize = 32;
    (2 * usize::from(spe.0) + usize::from(entry.proxy)) * ENTRIES_MAX + usize::from(entry.index)
}
