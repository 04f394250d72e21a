//! The PPE's path to main memory.
//!
//! ```text
//!   thread 0 ─┐            ┌─ loads ───> L1 ─┬─> replays ───────┐
//!             ├─ L1 port ──┤                 └─> prefetch streams ┼> L2 ─┬─> read-claim machines ──> bus
//!   thread 1 ─┘            └─ stores ──> store queue ───────────┘       └─> castouts ─────────────> bus
//! ```
//! The port of the L1 serves one access at a time. Loads that miss are replayed in order (`replays`). A load that also
//! misses the L2 stalls its thread until the line arrives. Stores write through the L1 into the store queue, without
//! allocating lines in the L1. The store queue writes into the L2, which must own the written lines. The L2 fetches a
//! missing line (`Read`), fetches and claims a missing line (`ClaimWithData`), or claims a Shared line (`Claim`). The L2
//! writes an evicted line back if the line was changed (`Write`). The L2 is inclusive: it contains all lines of the L1.
//!
//! Loads with reservation and conditional stores go to the L2 directly. A conditional store waits until the L2 owns
//! the line. If the store's reservation is lost before the L2's claim is ordered on the bus, the claim is dropped.
//!
//! Time in this module is counted in processor cycles. [`MemoryPath::advance`] runs up to a limit before which no
//! other part of the machine has an event. `advance` stops early at every event that concerns other units.
//!
//! MODEL: main memory always holds the current bytes, and the caches hold only states, as in `atomic`. The
//! bytes of a walk move when the walk leaves a line.
//!
//! MODEL: a thread stalls on a load that misses the L2. On silicon, the thread may do other work meanwhile.

mod cache;
mod lines;
mod misses;
mod path;
mod replays;
mod snoop;
mod store_queue;
mod streams;
mod walker;

pub use path::{Happening, MemoryPath};

use crate::counters::PpeCounters;
use crate::door::Access;
use crate::units::{NEVER, SpuCycles, THREADS_PER_PPE};
use misses::Miss;
use walker::Wait;

/// The source of the next event.
enum Turn {
    Arrival,
    Queue,
    Miss(usize),
    Thread(usize),
}

impl MemoryPath {
    /// Runs until an event concerns other units, or until there are no more events before `limit`.
    pub fn advance(&mut self, limit: SpuCycles, counters: &mut PpeCounters) -> Happening {
        loop {
            if let Some(send) = self.sends.pop_front() {
                return send;
            }
            if let Some(thread) = (0..THREADS_PER_PPE).find(|thread| self.has_ended(*thread)) {
                let ended = self.walkers[thread].take();
                self.misses.retain(|miss| miss.thread != thread);
                return Happening::Ended(thread, ended.map_or(0, |walker| walker.ready_at));
            }
            let (at, turn) = self.next_turn();
            if at >= limit {
                return Happening::Nothing(at);
            }
            self.time = at;
            match turn {
                Turn::Arrival => self.arrive(at, counters),
                Turn::Queue => self.advance_queue(at, counters),
                Turn::Miss(index) => self.advance_miss(index, at, counters),
                Turn::Thread(thread) => {
                    if let Some(happening) = self.run_thread(thread, limit, counters) {
                        return happening;
                    }
                }
            }
        }
    }

    fn has_ended(&self, thread: usize) -> bool {
        self.walkers[thread].is_some_and(|walker| walker.has_ended())
    }

    fn next_turn(&self) -> (SpuCycles, Turn) {
        let mut next = (self.own_time(), Turn::Queue);
        if let Some((at, _)) = self.arrivals.front()
            && *at <= next.0
        {
            next = (*at, Turn::Arrival);
        }
        for (index, miss) in self.misses.iter().enumerate() {
            if miss.step_ends_at() < next.0 {
                next = (miss.step_ends_at(), Turn::Miss(index));
            }
        }
        let mut first = NEVER;
        for thread in 0..THREADS_PER_PPE {
            let ready_at = self.ready_at(thread);
            let at = ready_at.max(self.port_free_at);
            // The thread that has waited longer for the port goes first. If both threads have waited equally long, the
            // thread that was not served last goes first.
            let ahead = ready_at < first || ready_at == first && thread != self.last_served;
            if ready_at != NEVER && (at < next.0 || matches!(next.1, Turn::Thread(_)) && at == next.0 && ahead) {
                next = (at, Turn::Thread(thread));
                first = ready_at;
            }
        }
        next
    }

    /// Time of the store queue's next internal event.
    fn own_time(&self) -> SpuCycles {
        self.queue.write_ends_at().min(self.queue.closes_at(self.time))
    }

    /// Time of a thread's next access, if the port is free.
    fn ready_at(&self, thread: usize) -> SpuCycles {
        match &self.walkers[thread] {
            Some(walker) if walker.waits == Wait::Nothing => {
                let ready_at = walker.ready_at.max(self.replays.accept_at(thread));
                if walker.access().0 { ready_at.max(self.store_free_at[thread]) } else { ready_at }
            }
            _ => NEVER,
        }
    }

    /// Performs one access of a thread, and further accesses until another event comes first.
    fn run_thread(&mut self, thread: usize, limit: SpuCycles, counters: &mut PpeCounters) -> Option<Happening> {
        let arrival = self.arrivals.front().map_or(NEVER, |(at, _)| *at);
        let misses = self.misses.iter().map(Miss::step_ends_at).min().unwrap_or(NEVER);
        let others = self.ready_at(1 - thread).min(arrival).min(misses).min(limit).min(self.own_time());
        self.last_served = thread;
        loop {
            let mut walker = self.walkers[thread]?;
            let (stores, address) = walker.access();
            let at = self.ready_at(thread).max(self.port_free_at);
            self.time = at;
            let done = match walker.walk.access {
                Access::Touch { store, .. } => self.touch(&mut walker, address, store, at, counters),
                _ if stores => self.store(thread, &mut walker, address, at),
                _ => self.load(thread, &mut walker, address, at, counters),
            };
            let moves = done && walker.accessed();
            let first = walker.moved;
            if moves {
                walker.moved = walker.done;
            }
            let (waits, ended, walk, last) = (walker.waits, walker.has_ended(), walker.walk, walker.done);
            self.walkers[thread] = Some(walker);
            let changed = std::mem::take(&mut self.changed) || waits != Wait::Nothing;
            if changed {
                self.serve(at, counters);
            }
            if moves {
                return Some(Happening::Stored(walk, first, last));
            }
            if changed || ended || self.ready_at(thread).max(self.port_free_at) >= others {
                return None;
            }
        }
    }
}
