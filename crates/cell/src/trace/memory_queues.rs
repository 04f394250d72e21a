//! The lengths of the memory's queues over a window.

use super::tables::MemoryQueueRow;
use crate::units::BusCycle;

/// The queues of all channels; each channel has a read queue, then a write queue.
pub(super) struct MemoryQueues {
    /// Queue lengths at the start of the window, or current lengths if the window has not begun.
    begin: Vec<[u64; 2]>,
    /// The lengths now.
    entries: Vec<[u64; 2]>,
    changes: Vec<MemoryQueueRow>,
}

impl MemoryQueues {
    /// Empty queues.
    pub(super) fn new(channels: usize) -> MemoryQueues {
        MemoryQueues { begin: vec![[0; 2]; channels], entries: vec![[0; 2]; channels], changes: Vec::new() }
    }

    /// A queue has a new length. `keep` must be true if the change is in the window.
    pub(super) fn change(&mut self, channel: u8, write: bool, entries: u64, at: BusCycle, keep: bool) {
        self.entries[usize::from(channel)][usize::from(write)] = entries;
        if keep {
            self.changes.push(MemoryQueueRow { channel, write, at, entries });
        } else {
            self.begin[usize::from(channel)][usize::from(write)] = entries;
        }
    }

    /// The number of recorded changes.
    pub(super) fn kept(&self) -> usize {
        self.changes.len()
    }

    /// Rows with the lengths of all queues at the start of the window, followed by rows for each change.
    pub(super) fn rows(&self, from: BusCycle) -> Vec<MemoryQueueRow> {
        let begin = (0..).zip(&self.begin).flat_map(|(channel, queues)| {
            let row =
                move |(write, entries): (bool, &u64)| MemoryQueueRow { channel, write, at: from, entries: *entries };
            [false, true].into_iter().zip(queues).map(row)
        });
        begin.chain(self.changes.iter().copied()).collect()
    }

    /// Starts another window now.
    pub(super) fn forget(&mut self) {
        self.begin.clone_from(&self.entries);
        self.changes.clear();
    }
}
