//! The queue of stores between the PPU and the L2.
//!
//! Every store goes through this queue, because the L1 writes through. Consecutive stores of one thread within
//! `store_gather_bytes` share an entry. An entry *closes* when it is full, when its thread stores outside the entry's
//! block, or `store_gather_spu_cycles` after the last store into the entry. Closed entries are written into the L2 in
//! the order in which they were opened.
//!
//! MODEL: these rules for closing an entry of the store queue are our own; silicon's rules are not public.

use crate::machine::PpeMemory;
use crate::snapshot::Snapshot;
use crate::units::{LINE_BYTES, NEVER, SpuCycles, THREADS_PER_PPE};
use std::collections::VecDeque;

/// An entry of the queue, which collects stores that are written into the L2 together.
#[derive(Clone, Copy, Debug)]
struct Entry {
    thread: usize,
    /// Block number: the address divided by the number of bytes that one entry can collect.
    block: u64,
    bytes: u64,
    /// Latest time at which the entry closes.
    closes_at: SpuCycles,
}

/// Outcome of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pushed {
    /// The store is in an entry that is open for further stores.
    Open,
    /// The store is in an entry, and this or another entry may have closed.
    Closed,
    /// No entry is free.
    NoRoom,
}

#[derive(Clone, Debug)]
pub struct StoreQueue {
    entries: VecDeque<Entry>,
    /// Time at which the youngest entry of each thread closes. All its other entries are closed.
    youngest_closes_at: [SpuCycles; THREADS_PER_PPE],
    /// Time at which the write of the oldest entry ends; `None` if no write is in progress.
    writing_until: Option<SpuCycles>,
    capacity: usize,
    gather_bytes: u64,
    gather_for: SpuCycles,
}

impl StoreQueue {
    /// An empty queue.
    pub fn new(values: &PpeMemory) -> StoreQueue {
        StoreQueue {
            entries: VecDeque::new(),
            youngest_closes_at: [0; THREADS_PER_PPE],
            writing_until: None,
            capacity: values.store_queue_entries as usize,
            gather_bytes: u64::from(values.store_gather_bytes),
            gather_for: values.store_gather_spu_cycles,
        }
    }

    /// Adds a store.
    #[inline]
    pub fn push(&mut self, thread: usize, address: u64, bytes: u64, now: SpuCycles) -> Pushed {
        let block = address / self.gather_bytes;
        let closes_at = now + self.gather_for;
        // An open entry is the thread's youngest.
        if self.youngest_closes_at[thread] > now
            && let Some(youngest) = self.entries.iter_mut().rev().find(|entry| entry.thread == thread)
        {
            let gathers = youngest.block == block;
            youngest.bytes += if gathers { bytes } else { 0 };
            // A store outside the youngest entry closes that entry even if the queue is full.
            let stays_open = gathers && youngest.bytes < self.gather_bytes;
            youngest.closes_at = if stays_open { closes_at } else { now };
            self.youngest_closes_at[thread] = youngest.closes_at;
            if gathers {
                return if stays_open { Pushed::Open } else { Pushed::Closed };
            }
        }
        if self.entries.len() == self.capacity {
            return Pushed::NoRoom;
        }
        let closes_at = if bytes >= self.gather_bytes { now } else { closes_at };
        self.entries.push_back(Entry { thread, block, bytes, closes_at });
        self.youngest_closes_at[thread] = closes_at;
        Pushed::Closed
    }

    /// Returns the line of the oldest entry, or `None` if the entry cannot be written now.
    pub fn to_write(&self, now: SpuCycles) -> Option<u64> {
        let oldest = self.entries.front().filter(|entry| entry.closes_at <= now && self.writing_until.is_none())?;
        Some(self.line(oldest))
    }

    /// Begins to write the oldest entry into the L2.
    pub fn write(&mut self, until: SpuCycles) {
        self.writing_until = Some(until);
    }

    /// Removes the oldest entry, which has been written.
    pub fn written(&mut self) {
        self.writing_until = None;
        self.entries.pop_front();
    }

    /// Drops the oldest entries as long as they are closed and belong to this line. The caller counts these entries as
    /// written.
    pub fn forget(&mut self, line: u64, now: SpuCycles) {
        while self.to_write(now) == Some(line) {
            self.entries.pop_front();
        }
    }

    /// Whether an entry belongs to this line.
    pub fn has_line(&self, line: u64) -> bool {
        self.entries.iter().any(|entry| self.line(entry) == line)
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the lines of the closed entries, oldest first, up to the first open entry.
    pub fn closed(&self, now: SpuCycles) -> impl Iterator<Item = u64> {
        self.entries.iter().take_while(move |entry| entry.closes_at <= now).map(|entry| self.line(entry))
    }

    /// Time at which the write in progress ends; [`NEVER`] if no write is in progress.
    pub fn write_ends_at(&self) -> SpuCycles {
        self.writing_until.unwrap_or(NEVER)
    }

    /// Time at which the next entry closes if no further store comes.
    #[inline]
    pub fn closes_at(&self, after: SpuCycles) -> SpuCycles {
        self.youngest_closes_at.into_iter().filter(|at| *at > after).min().unwrap_or(NEVER)
    }

    fn line(&self, entry: &Entry) -> u64 {
        entry.block * self.gather_bytes / LINE_BYTES
    }

    /// Adds the queue's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        // Constants of the machine: `capacity` and `gather_for`. `entries` contain `youngest_closes_at`.
        let StoreQueue { entries, youngest_closes_at: _, writing_until, capacity: _, gather_bytes, gather_for: _ } =
            self;
        out.word(entries.len() as u64);
        for Entry { thread, block, bytes, closes_at } in entries {
            out.word(block << 16 | bytes.min(gather_bytes) << 1 | *thread as u64);
            out.deadline(*closes_at, now);
        }
        out.deadline(writing_until.unwrap_or(NEVER), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use proptest::prelude::*;

    proptest! {
        /// Time passes between the stores of both threads, and closed entries are written.
        #[test]
        fn the_next_entry_closes_at_the_earliest_of_their_times(
            stores in prop::collection::vec((0..THREADS_PER_PPE, 0u64..4, 0u64..8, 0u64..12), 1..200),
        ) {
            let values = Machine::builtin("ps3").expect("a machine that comes with the simulator").ppe_memory;
            let (mut queue, mut now) = (StoreQueue::new(&values), 0);
            for (thread, block, bytes, pause) in stores {
                now += pause;
                queue.push(thread, block * queue.gather_bytes, 1 << bytes.min(4), now);
                let all = queue.entries.iter().map(|entry| entry.closes_at);
                prop_assert_eq!(queue.closes_at(now), all.filter(|at| *at > now).min().unwrap_or(NEVER));
                if pause > 8 && queue.to_write(now).is_some() {
                    queue.write(now);
                    queue.written();
                }
            }
        }
    }
}
