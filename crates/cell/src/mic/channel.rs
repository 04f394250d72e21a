//! One XDR channel: its queues, its data bus, its banks and their refresh.

use crate::machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// A queued access.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub(super) bank: usize,
    pub(super) bytes: u8,
    pub(super) by: By,
}

/// The unit that reads or writes.
#[derive(Clone, Copy, Debug)]
pub enum By {
    /// The request that waits for the data, and the earliest time at which the data may leave.
    Reader(RequestId, BusCycle),
    /// The ramp of the unit that wrote the data. The write is already complete for this unit.
    Writer(RampIndex),
}

/// A read for which the read queue had no room.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    pub(super) address: u64,
    pub(super) bytes: u8,
    pub(super) request: RequestId,
    /// Whether the data must not leave before the combined response.
    pub(super) after_response: bool,
}

/// One XDR channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Accesses that wait, oldest first.
    reads: VecDeque<Access>,
    writes: VecDeque<Access>,
    /// Number of write-queue entries that are reserved for writes whose data are in flight.
    pub(super) writes_coming: u32,
    /// Commands for which the read or write queue had no room, oldest first.
    pub(super) refused_reads: VecDeque<Refused>,
    pub(super) refused_writes: VecDeque<RequestId>,
    pub(super) draining: bool,
    /// Number of accesses of the current direction that must precede any access of the other direction.
    pub(super) batch: u32,
    pub(super) last_was_write: bool,
    /// Start of the latest access.
    pub(super) accessed_at: BusCycle,
    pub(super) bus_free_at: BusCycle,
    pub(super) bank_free_at: Vec<BusCycle>,
    /// The ramp of the unit that wrote to each bank last.
    pub(super) bank_writer: Vec<RampIndex>,
    /// Earliest time at which an access might start.
    pub(super) try_at: BusCycle,
}

impl Channel {
    /// An idle channel.
    pub fn new(banks: u32) -> Channel {
        Channel {
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            writes_coming: 0,
            refused_reads: VecDeque::new(),
            refused_writes: VecDeque::new(),
            draining: false,
            batch: 0,
            last_was_write: false,
            accessed_at: 0,
            bus_free_at: 0,
            bank_free_at: vec![0; banks as usize],
            bank_writer: vec![0; banks as usize],
            try_at: NEVER,
        }
    }

    /// Adds the channel's state to a snapshot, relative to `now`.
    pub fn capture(&self, values: &machine::Mic, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let Channel {
            reads,
            writes,
            writes_coming,
            refused_reads,
            refused_writes,
            draining,
            batch,
            last_was_write,
            accessed_at,
            bus_free_at,
            bank_free_at,
            bank_writer,
            try_at,
        } = self;
        out.word(u64::from(*batch));
        out.word(u64::from(*writes_coming) << 2 | u64::from(*draining) << 1 | u64::from(*last_was_write));
        out.age(*accessed_at, now, values.refresh_interval_bus_cycles);
        out.deadline(*bus_free_at, now);
        out.deadline(*try_at, now);
        bank_free_at.iter().for_each(|at| out.deadline(*at, now));
        bank_writer.iter().for_each(|ramp| out.word(u64::from(*ramp)));
        out.word((refused_reads.len() as u64) << 32 | refused_writes.len() as u64);
        // The other fields of a refused read are functions of its request.
        let reads_of = |Refused { address: _, bytes: _, request, after_response: _ }| request;
        let refused = refused_reads.iter().copied().map(reads_of).chain(refused_writes.iter().copied());
        refused.for_each(|request| requests.get(request).capture(out));
        for queue in [reads, writes] {
            out.word(queue.len() as u64);
            for Access { bank, bytes, by } in queue {
                out.word((*bank as u64) << 8 | u64::from(*bytes));
                match by {
                    By::Writer(ramp) => out.word(u64::from(*ramp)),
                    By::Reader(reader, response_at) => {
                        out.deadline(*response_at, now);
                        requests.get(*reader).capture(out);
                    }
                }
            }
        }
    }

    /// Number of reads that wait.
    pub fn reads(&self) -> u32 {
        self.reads.len() as u32
    }

    /// Number of writes that wait.
    pub fn writes(&self) -> u32 {
        self.writes.len() as u32
    }

    fn queue(&mut self, write: bool) -> &mut VecDeque<Access> {
        if write { &mut self.writes } else { &mut self.reads }
    }

    /// Removes the `nth` access of the write queue or of the read queue.
    pub fn take(&mut self, write: bool, nth: usize) -> Option<Access> {
        let queue = self.queue(write);
        // Usually the oldest access is next.
        if nth == 0 { queue.pop_front() } else { queue.remove(nth) }
    }

    /// Adds an access.
    pub fn push(&mut self, bank: usize, bytes: u8, by: By) {
        self.queue(matches!(by, By::Writer(_))).push_back(Access { bank, bytes, by });
        // The access might start as soon as its bank and the bus are free. A time in the past means that it might
        // start now.
        self.try_at = self.try_at.min(self.bank_free_at[bank].max(self.bus_free_at));
    }

    /// Decides whether the channel reads or writes next.
    pub fn choose_direction(&mut self, high_water: u32) {
        let (reads, writes) = (self.reads(), self.writes());
        if self.draining {
            if writes == 0 || self.batch == 0 && reads > 0 {
                (self.draining, self.batch) = (false, reads);
            }
        } else if writes > 0 && (reads == 0 || self.batch == 0 && writes >= high_water) {
            (self.draining, self.batch) = (true, writes);
        }
    }

    /// Returns the index of the next access, and its start time. The oldest access whose bank is free now is next or, if
    /// there is none, the oldest access to the bank that is free first.
    pub fn next(
        &self,
        write: bool,
        values: &machine::Mic,
        now: BusCycle,
        skipped: BusCycle,
    ) -> Option<(usize, BusCycle)> {
        let queue = if write { &self.writes } else { &self.reads };
        let mut first: Option<(usize, BusCycle)> = None;
        for (nth, access) in queue.iter().enumerate() {
            let start = self.bank_free_at[access.bank].max(now);
            if first.is_none_or(|(_, at)| start < at) {
                first = Some((nth, start));
            }
            if start == now {
                break;
            }
        }
        let (nth, start) = first?;
        Some((nth, self.after_refresh(start, values, skipped)))
    }

    /// Returns the actual start of an access that could start at `start` if there were no refresh: a refresh that is
    /// due goes first. A refresh is due at the beginning of each interval of absolute time, and waits for the access
    /// in progress.
    fn after_refresh(&self, start: BusCycle, values: &machine::Mic, skipped: BusCycle) -> BusCycle {
        let into_interval = (start + skipped) % values.refresh_interval_bus_cycles;
        let due_at = start + skipped - into_interval;
        if self.accessed_at + skipped >= due_at {
            return start;
        }
        start.max(due_at.max(self.bus_free_at + skipped) + values.refresh_bus_cycles - skipped)
    }
}

impl machine::Mic {
    /// Number of bus cycles that an access occupies the channel's data bus.
    pub(super) fn burst(&self, bytes: u8) -> u64 {
        let bytes = u64::from(bytes).next_multiple_of(u64::from(self.minimum_burst_bytes)).max(1);
        bytes.div_ceil(u64::from(self.channel_bytes_per_bus_cycle))
    }
}
