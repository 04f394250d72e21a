//! The memory of a second chip, behind the I/O interface.
//!
//! ```text
//!                      ┌─ out: writes ──> ─┐
//!   EIB <──> IOIF0 ────┤                   ├──── memory of the other chip
//!                      └─ in: reads  <─── ─┘
//! ```
//! Of every `interleave_pages` pages of main memory the last lies here.  The link moves a line in
//! `line_bus_cycles`, one after the other, each way for itself.  A read asks for its line when its
//! command is ordered; `latency_bus_cycles` later the line begins to cross the link, once those before
//! it have.  A write is complete for its requester when IOIF0 has its data, and then crosses the link.
//!
//! MODEL: a command that finds its queue full waits here, first come first served, as at the memory
//! controller of the own chip.
//!
//! MODEL: the far controller's banks, turnarounds and refreshes are in its latency; the link is so much
//! slower than they are that they never limit it.  Part of a line takes as long as a line.

use crate::machine::{Far, Machine};
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// The link, and what waits for it.
#[derive(Clone, Debug)]
pub struct FarMemory {
    /// IOIF0.
    pub ramp: RampIndex,
    /// Reads, each with the time at which its line has crossed the link and that of its combined
    /// response: the data do not enter the ring before.
    reads: VecDeque<(BusCycle, RequestId, BusCycle)>,
    /// When each write that is here has crossed the link.
    writes: VecDeque<BusCycle>,
    /// Places promised to writes whose data are under way.
    writes_coming: u32,
    in_free_at: BusCycle,
    out_free_at: BusCycle,
    /// Commands that found their queue full.
    refused_reads: VecDeque<RequestId>,
    refused_writes: VecDeque<RequestId>,
    values: Far,
}

/// An access that has crossed the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// A write.
    Write,
    /// A read, and when its data may enter the ring.
    Read(RequestId, BusCycle),
}

impl FarMemory {
    /// An idle link behind `ramp`.
    pub fn new(machine: &Machine, ramp: RampIndex) -> FarMemory {
        FarMemory {
            ramp,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            writes_coming: 0,
            in_free_at: 0,
            out_free_at: 0,
            refused_reads: VecDeque::new(),
            refused_writes: VecDeque::new(),
            values: machine.far.clone(),
        }
    }

    /// Whether an address of main memory lies here.
    pub fn holds(&self, address: u64) -> bool {
        let pages = u64::from(self.values.interleave_pages);
        pages > 0 && address / u64::from(self.values.page_bytes) % pages == pages - 1
    }

    /// Takes a read if there is a place for it; otherwise keeps the command until there is.
    pub fn read(&mut self, request: RequestId, now: BusCycle, response_at: BusCycle) -> bool {
        let room = self.has_room_for_read() && self.refused_reads.is_empty();
        if room {
            self.begin_read(request, now, response_at);
        } else {
            self.refused_reads.push_back(request);
        }
        room
    }

    /// Promises a place to a write whose data will follow; if there is none, keeps the command until
    /// there is.
    pub fn reserve_write(&mut self, request: RequestId) -> bool {
        let room = self.has_room_for_write() && self.refused_writes.is_empty();
        if room {
            self.writes_coming += 1;
        } else {
            self.refused_writes.push_back(request);
        }
        room
    }

    /// Takes the data of a write that has a place.
    pub fn write(&mut self, now: BusCycle) {
        self.writes_coming -= 1;
        self.out_free_at = self.out_free_at.max(now) + self.values.line_bus_cycles;
        self.writes.push_back(self.out_free_at);
    }

    /// An access that has crossed the link by now; it leaves its place.
    pub fn advance(&mut self, now: BusCycle) -> Option<Crossed> {
        if self.writes.front().is_some_and(|at| *at <= now) {
            self.writes.pop_front();
            return Some(Crossed::Write);
        }
        let (.., request, response_at) = *self.reads.front().filter(|(at, ..)| *at <= now)?;
        self.reads.pop_front();
        Some(Crossed::Read(request, now.max(response_at)))
    }

    /// The oldest command that was refused and that now has its place.
    pub fn admit(&mut self, now: BusCycle, response_at: BusCycle) -> Option<RequestId> {
        if self.has_room_for_read()
            && let Some(request) = self.refused_reads.pop_front()
        {
            self.begin_read(request, now, response_at);
            return Some(request);
        }
        let request = if self.has_room_for_write() { self.refused_writes.pop_front()? } else { return None };
        self.writes_coming += 1;
        Some(request)
    }

    /// When [`FarMemory::advance`] has something next.
    pub fn next_advance(&self) -> BusCycle {
        let read = self.reads.front().map_or(NEVER, |(at, ..)| *at);
        read.min(self.writes.front().copied().unwrap_or(NEVER))
    }

    fn has_room_for_read(&self) -> bool {
        self.reads.len() < self.values.read_queue_entries as usize
    }

    fn has_room_for_write(&self) -> bool {
        self.writes.len() + (self.writes_coming as usize) < self.values.write_queue_entries as usize
    }

    fn begin_read(&mut self, request: RequestId, now: BusCycle, response_at: BusCycle) {
        self.in_free_at = self.in_free_at.max(now + self.values.latency_bus_cycles) + self.values.line_bus_cycles;
        self.reads.push_back((self.in_free_at, request, response_at));
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        out.word((self.reads.len() as u64) << 32 | self.writes.len() as u64);
        out.word((self.refused_reads.len() as u64) << 32 | self.refused_writes.len() as u64);
        out.word(u64::from(self.writes_coming));
        // A read that begins now crosses after the latency: what was before makes no difference then.
        out.deadline(self.in_free_at, now + self.values.latency_bus_cycles);
        out.deadline(self.out_free_at, now);
        for (at, request, response_at) in &self.reads {
            out.deadline(*at, now);
            out.deadline(*response_at, now);
            requests.get(*request).capture(out);
        }
        self.writes.iter().for_each(|at| out.deadline(*at, now));
        self.refused_reads.iter().chain(&self.refused_writes).for_each(|id| requests.get(*id).capture(out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A link with 10 cycles a line and 100 before it, and room for two reads and two writes.
    fn link() -> FarMemory {
        let mut machine = Machine::builtin("blade-2100").expect("a machine that comes with the simulator");
        machine.far.line_bus_cycles = 10;
        machine.far.latency_bus_cycles = 100;
        machine.far.read_queue_entries = 2;
        machine.far.write_queue_entries = 2;
        FarMemory::new(&machine, 6)
    }

    #[test]
    fn a_line_has_crossed_the_link_after_latency_and_line_and_not_before() {
        let mut far = link();
        assert!(far.read(RequestId(1), 50, 0));
        assert_eq!((far.next_advance(), far.advance(159)), (160, None));
        assert_eq!(far.advance(160), Some(Crossed::Read(RequestId(1), 160)));
        assert_eq!((far.next_advance(), far.advance(1000)), (NEVER, None));
    }

    #[test]
    fn lines_cross_one_after_the_other_and_wait_for_their_response() {
        let mut far = link();
        assert!(far.read(RequestId(1), 0, 0) && far.read(RequestId(2), 3, 500));
        assert_eq!(far.advance(110), Some(Crossed::Read(RequestId(1), 110)));
        assert_eq!(far.advance(119), None);
        assert_eq!(far.advance(120), Some(Crossed::Read(RequestId(2), 500)));
    }

    #[test]
    fn one_read_more_than_there_is_room_waits_until_one_has_crossed() {
        let mut far = link();
        let taken: Vec<bool> = (1..=4).map(|n| far.read(RequestId(n), 0, 0)).collect();
        assert_eq!(taken, [true, true, false, false]);
        assert_eq!(far.admit(109, 0), None);
        assert!(far.advance(110).is_some());
        // Who comes later does not get ahead.
        assert!(!far.read(RequestId(5), 110, 0));
        assert_eq!((far.admit(110, 300), far.admit(110, 300)), (Some(RequestId(3)), None));
        assert_eq!(far.advance(120), Some(Crossed::Read(RequestId(2), 120)));
        assert_eq!(far.advance(219), None);
        assert_eq!(far.advance(220), Some(Crossed::Read(RequestId(3), 300)));
    }

    #[test]
    fn a_place_is_a_writes_from_its_promise_until_its_data_have_crossed() {
        let mut far = link();
        let taken: Vec<bool> = (1..=3).map(|n| far.reserve_write(RequestId(n))).collect();
        assert_eq!(taken, [true, true, false]);
        far.write(40);
        far.write(41);
        assert_eq!((far.advance(49), far.admit(49, 0)), (None, None));
        assert_eq!((far.advance(50), far.advance(50)), (Some(Crossed::Write), None));
        assert_eq!((far.admit(50, 0), far.admit(50, 0)), (Some(RequestId(3)), None));
        assert_eq!((far.advance(59), far.advance(60)), (None, Some(Crossed::Write)));
    }

    #[test]
    fn of_every_round_of_pages_the_last_is_far() {
        let mut far = link();
        far.values.page_bytes = 256;
        for (pages, expected) in [(0, [false; 6]), (1, [true; 6]), (3, [false, false, true, false, false, true])] {
            far.values.interleave_pages = pages;
            let holds: Vec<bool> = (0..6).map(|page| far.holds(256 * page + 255) && far.holds(256 * page)).collect();
            assert_eq!(holds, expected);
        }
    }
}
