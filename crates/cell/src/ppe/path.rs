//! The state of the PPE's path to main memory: caches, queues, misses and walks.

use super::cache::Cache;
use super::misses::{Access, Fetch, Miss, MissStep};
use super::replays::Replays;
use super::store_queue::StoreQueue;
use super::streams::Streams;
use super::walker::{Wait, Walker};
use crate::atomic::LineState;
use crate::door::{self, Walk};
use crate::machine::{Machine, PpeMemory};
use crate::request::RequestKind;
use crate::units::{LINE_BYTES, SpuCycles, THREADS_PER_PPE};
use std::collections::VecDeque;

/// An event that concerns other units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// The L2 sends a bus command for a line of memory at this time.
    Send(RequestKind, u64, SpuCycles),
    /// Elements of a walk have been stored, from the first index up to, but excluding, the second index.
    Stored(Walk, u64, u64),
    /// A thread's walk has ended at this time.
    Ended(usize, SpuCycles),
    /// There is no event before this time.
    Nothing(SpuCycles),
}

/// Caches, queues and the threads' walks.
#[derive(Clone, Debug)]
pub struct MemoryPath {
    pub(super) values: PpeMemory,
    pub(super) l1: Cache,
    pub(super) l2: Cache,
    pub(super) streams: Streams,
    pub(super) queue: StoreQueue,
    pub(super) walkers: [Option<Walker>; THREADS_PER_PPE],
    /// Earliest time of the next store, by thread.
    pub(super) store_free_at: [SpuCycles; THREADS_PER_PPE],
    pub(super) port_free_at: SpuCycles,
    /// Time at which the L2 can supply another line to the L1, or take another write from the store queue.
    pub(super) l2_free_at: SpuCycles,
    pub(super) last_served: usize,
    pub(super) replays: Replays,
    /// Misses in progress, except loads that the L2 has served.
    pub(super) misses: Vec<Miss>,
    /// Busy read-claim machines.
    pub(super) fetches: Vec<Fetch>,
    /// Arrival times and line numbers of lines from the bus.
    pub(super) arrivals: VecDeque<(SpuCycles, u64)>,
    pub(super) sends: VecDeque<Happening>,
    /// Whether a store-queue entry was opened or closed since the last call of `serve`.
    pub(super) changed: bool,
    pub(super) time: SpuCycles,
    /// Number of times that a line left a cache or the L2 lost ownership of a line.
    pub(super) generation: u64,
}

impl MemoryPath {
    /// Creates a path with empty caches.
    pub fn new(machine: &Machine) -> MemoryPath {
        let values = machine.ppe_memory.clone();
        let lines = machine.chip.main_memory_bytes / LINE_BYTES;
        MemoryPath {
            l1: Cache::new(values.l1_bytes, values.l1_ways),
            l2: Cache::new(values.l2_bytes, values.l2_ways),
            streams: Streams::new(values.prefetch_streams, values.prefetch_lines, lines),
            queue: StoreQueue::new(&values),
            walkers: [None; THREADS_PER_PPE],
            store_free_at: [0; THREADS_PER_PPE],
            port_free_at: 0,
            l2_free_at: 0,
            last_served: THREADS_PER_PPE - 1,
            replays: Replays::new(&values),
            misses: Vec::new(),
            fetches: Vec::new(),
            arrivals: VecDeque::new(),
            sends: VecDeque::new(),
            changed: false,
            time: 0,
            generation: 0,
            values,
        }
    }

    /// Starts a thread's walk. All addresses of the walk are main-memory addresses.
    pub fn begin(&mut self, thread: usize, walk: Walk, at: SpuCycles) {
        self.walkers[thread] = Some(Walker::new(walk, at));
    }

    /// Starts the stream of a thread.
    pub fn start_stream(&mut self, thread: usize, number: u8, line: u64, lines: u64) {
        self.streams.start((thread as u8) << 4 | number, line, lines);
    }

    /// Stops the streams of a thread whose bits are set.
    pub fn stop_streams(&mut self, thread: usize, numbers: u16) {
        self.streams.stop(|name| usize::from(name >> 4) == thread && numbers >> (name & 15) & 1 != 0);
    }

    /// Starts a thread's load with reservation, its conditional store, or its fetch of instructions. The L2 serves such
    /// an access: the L2 holds the reservations (performance monitor, events 3207 and 3214).
    ///
    /// MODEL: a load with reservation or a conditional store takes as long as a load that misses the L1 and hits the
    /// L2. No public source states these durations.
    pub fn begin_in_l2(&mut self, thread: usize, line: u64, stores: bool, at: SpuCycles) {
        let walk = Walk { access: door::Access::Load { from: line * LINE_BYTES }, bytes: 4, stride_bytes: 4, count: 1 };
        self.walkers[thread] = Some(Walker { waits: Wait::Line, ..Walker::new(walk, at) });
        let access = if stores { Access::StoreConditional } else { Access::LoadReserved };
        let step = MissStep::LookUp(at + self.values.l2_load_spu_cycles);
        self.misses.push(Miss { thread, access, line, step });
    }

    /// Records that a conditional store has changed a line.
    pub fn changed_line(&mut self, line: u64) {
        self.l2.set_state(line, LineState::Modified);
    }

    /// Whether an access needs a line that the L2 is claiming. `is_reserved` says whether a thread's reservation of the
    /// line is valid: without it, the thread's conditional store fails and needs no line. A load of the other thread
    /// that waits for the same line needs it: otherwise, two threads could fail in turn for ever.
    pub fn needs_ownership(&self, line: u64, is_reserved: impl Fn(usize) -> bool) -> bool {
        let needs = |miss: &Miss| miss.access != Access::StoreConditional || is_reserved(miss.thread);
        let mut waiting = self.misses.iter().filter(|miss| miss.line == line).peekable();
        waiting.peek().is_none() || waiting.any(needs) || self.queue.has_line(line)
    }

    /// Whether a load of the line hits the L1. A hit makes the line the most recently used one.
    #[inline]
    pub fn load_hits(&mut self, line: u64) -> bool {
        self.l1.touch(line)
    }

    /// Whether the L2 owns a line.
    #[inline]
    pub fn store_hits(&mut self, line: u64) -> bool {
        matches!(self.l2.state(line), Some(LineState::Modified | LineState::Exclusive))
    }

    /// Number of times that a line left a cache or the L2 lost ownership of a line.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Time at which a thread's latest replayed access has its value.
    pub fn replayed_at(&self, thread: usize) -> SpuCycles {
        self.replays.done_at(thread)
    }

    /// Whether a thread has a walk in progress.
    pub fn walks(&self, thread: usize) -> bool {
        self.walkers[thread].is_some()
    }
}
