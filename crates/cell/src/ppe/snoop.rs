//! Effects of bus commands on the PPE's caches, and the snapshot of the caches' state for exact fast-forward.

use super::path::MemoryPath;
use crate::atomic::LineState;
use crate::request::RequestKind;
use crate::snapshot::Snapshot;
use crate::units::SpuCycles;

impl MemoryPath {
    /// Snoops the L2's own command, by which the L2 acquires the line. `shared` is true if other units also have the
    /// line.
    pub fn ordered(&mut self, line: u64, shared: bool) {
        for fetch in self.fetches.iter_mut().filter(|fetch| fetch.line == line) {
            let only_here = !shared || fetch.kind != RequestKind::Read;
            fetch.ordered = true;
            fetch.keep = Some(if only_here { LineState::Exclusive } else { LineState::Shared });
        }
    }

    /// Refuses the L2's own claim of a line that an SPE has reserved. Returns false if the claim has already been
    /// refused `most` times.
    pub fn refuse_claim(&mut self, line: u64, most: u32) -> bool {
        let fetch = self.fetches.iter_mut().find(|fetch| fetch.line == line && fetch.refused < most);
        fetch.map(|fetch| fetch.refused += 1).is_some()
    }

    /// Snoops a command by which another unit takes ownership of the line.
    pub fn take_line(&mut self, line: u64) {
        if self.l2.remove(line) {
            self.generation += 1;
            self.l1.remove(line);
        }
        for fetch in self.fetches.iter_mut().filter(|fetch| fetch.line == line && fetch.ordered) {
            fetch.keep = None;
        }
    }

    /// Snoops a read by another unit: the line becomes Shared.
    pub fn snoop_read(&mut self, line: u64) {
        self.generation += u64::from(self.l2.state(line).is_some());
        self.l2.set_state(line, LineState::Shared);
        for fetch in self.fetches.iter_mut().filter(|fetch| fetch.line == line && fetch.keep.is_some()) {
            fetch.keep = Some(LineState::Shared);
        }
    }

    /// The state of a line in the L2, or the state that the line will have there when it arrives.
    pub fn state(&self, line: u64) -> Option<LineState> {
        self.l2.state(line).or_else(|| self.fetches.iter().find(|fetch| fetch.line == line)?.keep)
    }

    /// Whether the store queue is empty.
    pub fn stores_are_done(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether the path is idle: no walk, miss, fetch or store is in progress.
    pub fn is_idle(&self) -> bool {
        let none_under_way = self.misses.is_empty() && self.fetches.is_empty() && self.arrivals.is_empty();
        none_under_way && self.walkers.iter().all(Option::is_none) && self.queue.is_empty()
    }

    /// Adds the path's state to a snapshot, relative to `now`. The state of an idle path takes only a few words.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        let MemoryPath {
            l1,
            l2,
            streams,
            queue,
            walkers,
            store_free_at,
            port_free_at,
            l2_free_at,
            last_served,
            replays,
            misses,
            fetches,
            arrivals,
            // `values` is a constant of the machine.
            values: _,
            // `sends` is empty and `changed` is false after every call of `advance`.
            sends: _,
            changed: _,
            // `time` only distinguishes store-queue entries whose closing has been handled; handling a closing twice
            // has no effect.
            time: _,
            // `generation` only informs other modules that their copies of the caches' contents are out of date.
            generation: _,
        } = self;
        out.word(l1.digest());
        out.word(l2.digest());
        out.word(u64::from(self.is_idle()) << 1 | *last_served as u64);
        out.deadline(*port_free_at, now);
        out.deadline(*l2_free_at, now);
        store_free_at.iter().for_each(|at| out.deadline(*at, now));
        replays.capture(now, out);
        streams.capture(out);
        if self.is_idle() {
            return;
        }
        queue.capture(now, out);
        for walker in walkers {
            out.word(u64::from(walker.is_some()));
            if let Some(walker) = walker {
                walker.capture(now, out);
            }
        }
        out.word((misses.len() as u64) << 32 | fetches.len() as u64);
        misses.iter().for_each(|miss| miss.capture(now, out));
        fetches.iter().for_each(|fetch| fetch.capture(out));
        for (at, line) in arrivals {
            out.word(*line);
            out.word(at.wrapping_sub(now));
        }
    }
}
