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
        let line = address / LINE_BYTES;
        if self.l1.touch(line) {
            self.replays.follow(thread, line, at);
            return true;
        }
        counters.l1_load_misses += 1;
        self.streams.missed(line);
        self.changed = true;
        if self.l2.touch(line) {
            self.put_into_l1(line);
            let more = if vector { self.values.vector_replay_spu_cycles } else { 0 };
            let begins = self.occupy_l2(walker.ready_at, self.values.l2_line_spu_cycles + more);
            self.replays.miss(thread, line, at, begins);
            return true;
        }
        walker.waits = Wait::Line;
        let step = MissStep::LookUp(walker.ready_at + self.values.l2_load_spu_cycles);
        self.misses.push(Miss { thread, access: Access::Load, line, step });
        false
    }

    /// Begins to fetch a line that a program touches. A line for a load goes into the L1 as well.
    ///
    /// MODEL: a touched line that the L2 has is in the L1 at once. If no read-claim machine is free, the touch has no
    /// effect.
    pub(super) fn touch(
        &mut self,
        walker: &mut Walker,
        address: u64,
        store: bool,
        at: SpuCycles,
        counters: &mut PpeCounters,
    ) -> bool {
        let line = address / LINE_BYTES;
        self.port_free_at = at + self.values.access_spu_cycles;
        walker.ready_at = self.port_free_at;
        self.changed = true;
        if store {
            let claim = self.claim_of(line);
            let begins = claim.is_some_and(|kind| self.fetch(kind, line, at + self.values.l2_load_spu_cycles));
            counters.prefetches += u64::from(begins);
        } else if self.l1.touch(line) {
        } else if self.l2.touch(line) {
            self.occupy_l2(walker.ready_at, self.values.l2_line_spu_cycles);
            self.put_into_l1(line);
        } else {
            let begins = self.fetch(RequestKind::Read, line, at + self.values.l2_load_spu_cycles);
            counters.prefetches += u64::from(begins);
            self.fetches.iter_mut().filter(|fetch| fetch.line == line).for_each(|fetch| fetch.touched = true);
        }
        true
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
        if let crate::door::Access::Copy { from, .. } = walker.walk.access {
            self.replays.follow(thread, (from + walker.offset(walker.done)) / LINE_BYTES, at);
        }
        self.port_free_at = at + self.values.access_spu_cycles;
        self.store_free_at[thread] = at + self.values.store_spu_cycles;
        walker.ready_at = at + self.values.access_spu_cycles;
        true
    }

    /// Assigns free resources to waiting accesses: first to loads, then to stores, then to prefetches.
    pub(super) fn serve(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
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

    /// Writes the oldest entry if it is closed and the L2 owns its line, and claims the lines of other closed entries.
    fn serve_stores(&mut self, now: SpuCycles, counters: &mut PpeCounters) {
        if let Some(line) = self.queue.to_write(now)
            && matches!(self.l2.state(line), Some(LineState::Modified | LineState::Exclusive))
        {
            self.l2.touch(line);
            self.l2.set_state(line, LineState::Modified);
            let takes = self.values.l2_store_spu_cycles;
            let begins = self.occupy_l2(now, takes);
            self.queue.write(begins + takes);
        }
        while self.has_free_machine() {
            let not_fetched = |line: &u64| !self.is_fetching(*line);
            let claim = |line| Some((self.claim_of(line)?, line));
            let wanted = self.queue.closed(now).filter(not_fetched).find_map(claim);
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
            miss.step = MissStep::Replay(now + self.values.replay_spu_cycles);
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
            self.fetches.push(Fetch { line, kind, keep: None, ordered: false, refused: 0, touched: false });
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
            Some(state) => {
                self.put_into_l2(line, state, now, counters);
                if fetch.touched {
                    self.put_into_l1(line);
                }
            }
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

    /// Reserves the L2 for a line to the L1 or a write from the store queue. Returns the time at which it begins.
    fn occupy_l2(&mut self, at: SpuCycles, takes: SpuCycles) -> SpuCycles {
        let begins = at.max(self.l2_free_at);
        self.l2_free_at = begins + takes;
        begins
    }

    fn put_into_l1(&mut self, line: u64) {
        self.generation += u64::from(self.l1.insert(line, LineState::Shared).is_some());
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
            self.put_into_l1(line);
        }
        if let Some(walker) = &mut self.walkers[thread] {
            walker.ready_at = now;
            walker.waits = Wait::Nothing;
            walker.accessed();
        }
        self.serve(now, counters);
    }
}
