//! The path of a cache line through the PPE's caches: misses, the L2's read-claim machines, castouts.

use super::misses::{Access, Fetch, Miss, MissStep};
use super::path::{Happening, MemoryPath};
use super::store_queue::Pushed;
use super::walker::{Wait, Walker};
use crate::atomic::LineState;
use crate::counters::PpeCounters;
use crate::request::RequestKind;
use crate::units::{LINE_BYTES, SpuCycles, VECTOR_BYTES};

impl MemoryPath {
    /// Performs a load's access to the L1 port. Returns whether the load hits the L1.
    #[inline]
    pub(super) fn load(
        &mut self,
        thread: usize,
        walker: &mut Walker,
        address: u64,
        at: SpuCycles,
        counters: &mut PpeCounters,
    ) -> bool {
        let vector = walker.walk.bytes == VECTOR_BYTES;
        let takes = if vector { self.values.vector_load_spu_cycles } else { self.values.access_spu_cycles };
        self.port_free_at = at + takes;
        walker.ready_at = at + takes;
        let hits = self.l1.touch(address / LINE_BYTES);
        if !hits {
            counters.l1_load_misses += 1;
            walker.waits = Wait::Line;
            self.waiting.push_back(thread);
        }
        hits
    }

    /// Performs a store's access to the L1 port and adds the store to the queue. Returns whether the queue had room.
    #[inline]
    pub(super) fn store(&mut self, thread: usize, walker: &mut Walker, address: u64, at: SpuCycles) -> bool {
        let pushed = self.queue.push(thread, address, u64::from(walker.walk.bytes), at);
        self.changed |= pushed != Pushed::Open;
        if pushed == Pushed::NoRoom {
            walker.ready_at = at;
            walker.waits = Wait::Entry;
            return false;
        }
        self.l1.touch(address / LINE_BYTES);
        self.port_free_at = at + self.values.access_spu_cycles;
        self.store_free_at[thread] = at + self.values.store_spu_cycles;
        walker.ready_at = at + self.values.access_spu_cycles;
        true
    }

    /// Assigns free resources to waiting accesses: first to loads, then to stores, then to prefetches.
    pub(super) fn serve(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
        self.begin_misses(now);
        for index in 0..self.misses.len() {
            let Miss { access, line, step, .. } = self.misses[index];
            if step != MissStep::Line {
                continue;
            }
            let claims = if access == Access::StoreConditional { self.claim_of(line) } else { None };
            if let Some(kind) = claims {
                counters.claims += u64::from(self.fetch(kind, line, now));
            } else if self.l2.touch(line) {
                self.found(index, now);
            } else if self.fetch(RequestKind::Read, line, now) {
                counters.l2_load_misses += 1;
            }
        }
        self.serve_stores(now, counters);
        while self.has_free_machine() {
            let (l2, fetches) = (&self.l2, &self.fetches);
            let there = |line| l2.state(line).is_some() || fetches.iter().any(|fetch| fetch.line == line);
            let Some(line) = self.streams.next(there) else { break };
            self.fetch(RequestKind::Read, line, now);
            counters.prefetches += 1;
        }
    }

    fn begin_misses(&mut self, now: SpuCycles) {
        let loads = |miss: &&Miss| miss.access == Access::Load;
        while self.misses.iter().filter(loads).count() < self.values.load_misses as usize {
            let Some(thread) = self.waiting.pop_front() else { break };
            let Some(walker) = &mut self.walkers[thread] else { continue };
            let line = walker.access().1 / LINE_BYTES;
            walker.ready_at = walker.ready_at.max(now);
            if self.l1.touch(line) {
                // The other thread has fetched the line while this thread waited.
                walker.waits = Wait::Nothing;
                continue;
            }
            let step = MissStep::LookUp(walker.ready_at + self.values.l2_load_spu_cycles);
            self.misses.push(Miss { thread, access: Access::Load, line, step });
            self.streams.missed(line);
        }
    }

    /// Writes the oldest entry if it is closed and the L2 owns its line, and claims the lines of other closed entries.
    fn serve_stores(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
        if let Some(line) = self.queue.to_write(now)
            && matches!(self.l2.state(line), Some(LineState::Modified | LineState::Exclusive))
        {
            self.l2.touch(line);
            self.l2.set_state(line, LineState::Modified);
            self.queue.write(now + self.values.l2_store_spu_cycles);
        }
        while self.has_free_machine() {
            let wanted = self.queue.closed(now).find_map(|line| {
                let kind = self.claim_of(line)?;
                (!self.is_fetching(line)).then_some((kind, line))
            });
            let Some((kind, line)) = wanted else { break };
            self.fetch(kind, line, now);
            counters.claims += 1;
        }
    }

    /// The command by which the L2 acquires ownership of a line; `None` if the L2 owns the line.
    fn claim_of(&self, line: u64) -> Option<RequestKind> {
        match self.l2.state(line) {
            Some(LineState::Modified | LineState::Exclusive) => None,
            Some(LineState::Shared) => Some(RequestKind::Claim),
            None => Some(RequestKind::ClaimWithData),
        }
    }

    /// Continues an access that waited for a line of the L2.
    fn found(&mut self, index: usize, now: SpuCycles) {
        let miss = &mut self.misses[index];
        if miss.access == Access::Load {
            let walker = self.walkers[miss.thread].as_ref();
            let vector = walker.is_some_and(|walker| walker.walk.bytes == VECTOR_BYTES);
            let more = if vector { self.values.vector_replay_spu_cycles } else { 0 };
            miss.step = MissStep::Replay(now + self.values.replay_spu_cycles + more);
            return;
        }
        miss.step = MissStep::Served;
        if let Some(walker) = &mut self.walkers[miss.thread] {
            walker.ready_at = now;
            walker.waits = Wait::Nothing;
            walker.accessed();
        }
    }

    fn has_free_machine(&self) -> bool {
        self.fetches.len() < self.values.read_claim_machines as usize
    }

    fn is_fetching(&self, line: u64) -> bool {
        self.fetches.iter().any(|fetch| fetch.line == line)
    }

    /// Starts a read-claim machine for a line. Returns false if no machine is free, or if another machine is already
    /// fetching the line.
    fn fetch(&mut self, kind: RequestKind, line: u64, now: SpuCycles) -> bool {
        let begins = self.has_free_machine() && !self.is_fetching(line);
        if begins {
            self.fetches.push(Fetch { line, kind, keep: None, ordered: false, refused: 0 });
            self.sends.push_back(Happening::Send(kind, line, now));
        }
        begins
    }

    /// Records that a line has arrived over the bus, or that the claim of a line has been granted.
    pub fn arrived(&mut self, line: u64, at: SpuCycles) {
        self.arrivals.push_back((at, line));
    }

    pub(super) fn arrive(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
        let Some((_, line)) = self.arrivals.pop_front() else { return };
        let Some(index) = self.fetches.iter().position(|fetch| fetch.line == line) else { return };
        let fetch = self.fetches.remove(index);
        match fetch.keep {
            Some(state) => self.put_into_l2(line, state, now, counters),
            None => {
                counters.lines_lost += 1;
                if fetch.kind != RequestKind::Read {
                    // The L2 owned the line for a moment, which is enough to complete the stores.
                    self.queue.forget(line, now);
                    self.entry_freed(now);
                }
            }
        }
        // Accesses that wait for the line receive the line, even if the L2 does not keep it.
        for index in 0..self.misses.len() {
            let miss = &self.misses[index];
            let enough = fetch.kind != RequestKind::Read || miss.access != Access::StoreConditional;
            if miss.line == line && miss.step == MissStep::Line && enough {
                self.found(index, now);
            }
        }
        self.serve(now, counters);
    }

    fn put_into_l2(&mut self, line: u64, state: LineState, now: SpuCycles, counters: &mut PpeCounters) {
        if let Some((victim, state)) = self.l2.insert(line, state) {
            self.generation += 1;
            self.l1.remove(victim);
            if state == LineState::Modified {
                counters.castouts += 1;
                self.sends.push_back(Happening::Send(RequestKind::Write, victim, now));
            }
        }
    }

    /// Handles the end of a write from the store queue, or the closing of an entry.
    pub(super) fn advance_queue(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
        if self.queue.write_ends_at() == now {
            self.queue.written();
            self.entry_freed(now);
        }
        self.serve(now, counters);
    }

    /// Wakes the threads that wait for an entry of the store queue.
    fn entry_freed(&mut self, now: SpuCycles) {
        for walker in self.walkers.iter_mut().flatten().filter(|walker| walker.waits == Wait::Entry) {
            walker.waits = Wait::Nothing;
            walker.ready_at = walker.ready_at.max(now);
        }
    }

    /// Ends the current step of a miss.
    pub(super) fn advance_miss(&mut self, index: usize, now: SpuCycles, counters: &mut PpeCounters) {
        let Miss { thread, line, step, .. } = self.misses[index];
        if let MissStep::LookUp(_) = step {
            self.misses[index].step = MissStep::Line;
            return self.serve(now, counters);
        }
        self.misses.remove(index);
        if self.l2.state(line).is_some() {
            self.generation += u64::from(self.l1.insert(line, LineState::Shared).is_some());
        }
        if let Some(walker) = &mut self.walkers[thread] {
            walker.ready_at = now;
            walker.waits = Wait::Nothing;
            walker.accessed();
        }
        self.serve(now, counters);
    }
}
