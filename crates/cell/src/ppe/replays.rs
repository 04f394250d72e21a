//! Loads that miss the L1, and the accesses behind them, which the L1 replays in program order.
//!
//! A load that misses does not stall its thread. Until the load has its value, the thread's later loads of the same line
//! wait behind the load, and so do stores of such values. The L1 replays them one by one. A thread may run ahead by
//! `replay_entries` replays.
//!
//! MODEL: a line is in the L1 as soon as the L2 has found it, although the load has to wait. The limit of
//! `replay_entries` is a time, so a miss counts as several replays. If accesses of both threads wait, the threads take
//! turns, whichever thread has more accesses.

use crate::machine::PpeMemory;
use crate::snapshot::Snapshot;
use crate::units::{SpuCycles, THREADS_PER_PPE};

/// The waiting accesses of both threads.
#[derive(Clone, Debug)]
pub struct Replays {
    /// Time at which the latest access of each thread has its value, if it waits.
    done_at: [SpuCycles; THREADS_PER_PPE],
    /// The line that each thread missed last.
    lines: [u64; THREADS_PER_PPE],
    alone: SpuCycles,
    beside: SpuCycles,
    lead: SpuCycles,
    l2_load: SpuCycles,
}

impl Replays {
    /// No access waits.
    pub fn new(values: &PpeMemory) -> Replays {
        Replays {
            done_at: [0; THREADS_PER_PPE],
            lines: [0; THREADS_PER_PPE],
            alone: values.replay_spu_cycles,
            beside: values.replay_beside_spu_cycles,
            lead: values.replay_spu_cycles * u64::from(values.replay_entries),
            l2_load: values.l2_load_spu_cycles,
        }
    }

    /// Earliest time of a thread's next access.
    #[inline]
    pub fn accept_at(&self, thread: usize) -> SpuCycles {
        self.done_at[thread].saturating_sub(self.lead)
    }

    /// Time at which a thread's latest access has its value, if it waits.
    pub fn done_at(&self, thread: usize) -> SpuCycles {
        self.done_at[thread]
    }

    /// Adds a load that misses the L1 at `at`, and whose line the L2 begins to supply at `begins`.
    pub fn miss(&mut self, thread: usize, line: u64, at: SpuCycles, begins: SpuCycles) {
        self.lines[thread] = line;
        self.follow(thread, line, at);
        self.done_at[thread] = self.done_at[thread].max(begins + self.l2_load + self.alone);
    }

    /// Adds a load of `line` that hits, or a store of data from `line`, if it has to wait.
    #[inline]
    pub fn follow(&mut self, thread: usize, line: u64, at: SpuCycles) {
        if self.done_at[thread] > at && self.lines[thread] == line {
            self.done_at[thread] += if self.done_at[1 - thread] > at { self.beside } else { self.alone };
        }
    }

    /// Adds the waiting accesses to a snapshot, relative to `now`.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        // Constants of the machine: the other fields.
        let Replays { done_at, lines, alone: _, beside: _, lead: _, l2_load: _ } = self;
        for (at, line) in done_at.iter().zip(lines) {
            out.deadline(*at, now);
            out.word(*line);
        }
    }
}
