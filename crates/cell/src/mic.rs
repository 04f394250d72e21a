//! The memory interface controller and its XDR DRAM.
//!
//! ```text
//!   EIB ──> read queue  ──┐                        ┌── bank 0 … 7
//!                         ├─> channel 0 data bus ──┤
//!   EIB ──> write queue ──┘   (lines of even number)
//!           the same again for channel 1 (odd lines)
//! ```
//! Each channel serves the oldest request whose bank is free: reads first, until the write queue
//! reaches its high-water mark; then writes until it is empty.  An access keeps its bank busy for a
//! row cycle and the channel's data bus for its burst; changing between reading and writing costs a
//! turnaround; a write of less than `masked_write_minimum_bytes` is a read and a write (the performance monitor counts
//! such read-modify-writes).  Banks are refreshed one after the other.
//!
//! A read starts when its command is ordered, before the combined response (the performance monitor:
//! "read dispatched before combined response"); its data leave for the ring of its own chip after that, and for the
//! other chip at once: they wait there.  A write is complete for its requester once its data have been
//! handed over here (kistler2006), which is also when other units see them.
//!
//! MODEL: a command that finds its queue full waits here, first come first served, and gets its
//! combined response when there is room.  Silicon answers Retry until there is, and by what order the
//! units then get in is not public.
//!
//! MODEL: row hits are not exploited (closed page); 128-byte lines go round the channels, then round
//! the banks, so that a stride of channels x banks lines stays in one bank.

use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER};
use std::collections::VecDeque;

/// One access in a queue.
#[derive(Clone, Copy, Debug)]
struct Access {
    /// Order of arrival at the channel.
    order: u64,
    bytes: u8,
    /// The request that waits for the data of a read, and the earliest time at which they leave; `None` for
    /// a write, which is complete for its requester already.
    reader: Option<(RequestId, BusCycle)>,
}

/// A read that found its queue full.
#[derive(Clone, Copy, Debug)]
struct Refused {
    address: u64,
    bytes: u8,
    request: RequestId,
    /// Its data do not leave before its combined response comes back.
    after_response: bool,
}

/// Accesses that wait for a channel, in a first-in first-out row for each bank.
#[derive(Clone, Debug)]
struct Queue {
    banks: Vec<VecDeque<Access>>,
    len: u32,
}

/// One XDR channel.
#[derive(Clone, Debug)]
struct Channel {
    reads: Queue,
    writes: Queue,
    orders: u64,
    /// Entries of the write queue reserved for commands whose data are under way.
    writes_coming: u32,
    /// Commands that found their queue full.
    refused_reads: VecDeque<Refused>,
    refused_writes: VecDeque<RequestId>,
    draining: bool,
    last_was_write: bool,
    bus_free_at: BusCycle,
    bank_free_at: Vec<BusCycle>,
    /// Earliest time at which an access might start.
    try_at: BusCycle,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Mic {
    channels: Vec<Channel>,
    bank_bits: u32,
    values: crate::machine::Mic,
}

/// An access that has begun.
#[derive(Clone, Copy, Debug)]
pub enum Served {
    /// A write.
    Write,
    /// A read, and when its data are at the on-ramp.
    Read(RequestId, BusCycle),
}

impl Mic {
    /// Idle memory.
    pub fn new(machine: &Machine) -> Mic {
        let values = machine.mic.clone();
        let channel = Channel {
            reads: Queue::new(values.banks_per_channel),
            writes: Queue::new(values.banks_per_channel),
            orders: 0,
            writes_coming: 0,
            refused_reads: VecDeque::new(),
            refused_writes: VecDeque::new(),
            draining: false,
            last_was_write: false,
            bus_free_at: 0,
            bank_free_at: vec![0; values.banks_per_channel as usize],
            try_at: NEVER,
        };
        let channels = vec![channel; values.channels as usize];
        Mic { channels, bank_bits: values.banks_per_channel.trailing_zeros(), values }
    }

    /// Number of channels.
    pub fn channel_count(&self) -> usize {
        self.channels.len()
    }

    /// The channel of an address.
    pub fn channel_of(&self, address: u64) -> usize {
        (address / LINE_BYTES) as usize % self.channels.len()
    }

    fn bank_of(&self, address: u64) -> usize {
        let line = address / LINE_BYTES / self.channels.len() as u64;
        (line & ((1 << self.bank_bits) - 1)) as usize
    }

    /// Queues a read; false if its queue is full, and the command waits here for room.  Its data leave as
    /// soon as they are read, but not before the combined response, if its time is given.
    pub fn read(&mut self, address: u64, bytes: u8, request: RequestId, response_at: Option<BusCycle>) -> bool {
        let (index, bank) = (self.channel_of(address), self.bank_of(address));
        let channel = &mut self.channels[index];
        let room = channel.reads.len < self.values.read_queue_entries && channel.refused_reads.is_empty();
        if room {
            channel.push(false, bank, bytes, Some((request, response_at.unwrap_or(0))));
        } else {
            let after_response = response_at.is_some();
            channel.refused_reads.push_back(Refused { address, bytes, request, after_response });
        }
        room
    }

    /// Reserves an entry for a write whose data will follow; false if none is free, and the command waits
    /// here for one.
    pub fn reserve_write(&mut self, address: u64, request: RequestId) -> bool {
        let index = self.channel_of(address);
        let channel = &mut self.channels[index];
        let taken = channel.writes.len + channel.writes_coming;
        let room = taken < self.values.write_queue_entries && channel.refused_writes.is_empty();
        if room {
            channel.writes_coming += 1;
        } else {
            channel.refused_writes.push_back(request);
        }
        room
    }

    /// Admits the oldest refused command for which there is room now.
    pub fn admit(&mut self, index: usize, response_at: BusCycle) -> Option<RequestId> {
        let bank = self.channels[index].refused_reads.front().map(|read| self.bank_of(read.address));
        let channel = &mut self.channels[index];
        if let Some(bank) = bank.filter(|_| channel.reads.len < self.values.read_queue_entries) {
            let read = channel.refused_reads.pop_front()?;
            let not_before = if read.after_response { response_at } else { 0 };
            channel.push(false, bank, read.bytes, Some((read.request, not_before)));
            return Some(read.request);
        }
        if channel.writes.len + channel.writes_coming >= self.values.write_queue_entries {
            return None;
        }
        let request = channel.refused_writes.pop_front()?;
        channel.writes_coming += 1;
        Some(request)
    }

    /// Queues a write whose entry was reserved: its data have come.
    pub fn write(&mut self, address: u64, bytes: u8) {
        let (index, bank) = (self.channel_of(address), self.bank_of(address));
        let channel = &mut self.channels[index];
        channel.writes_coming -= 1;
        channel.push(true, bank, bytes, None);
    }

    /// Starts one access of a channel, if one can start now.  Refresh goes by absolute time, which includes
    /// the bus cycles that fast-forward has `skipped`.
    pub fn advance(&mut self, index: usize, now: BusCycle, skipped: BusCycle) -> Option<Served> {
        let values = &self.values;
        let channel = &mut self.channels[index];
        if channel.bus_free_at > now {
            channel.try_at = channel.bus_free_at;
            return None;
        }
        channel.choose_direction(values.write_high_water_entries);
        let write = channel.draining;
        let Some((bank, start)) = channel.next(write, values, now, skipped) else {
            channel.try_at = NEVER;
            return None;
        };
        if start > now {
            channel.try_at = start;
            return None;
        }
        let access = channel.queue(write).pop(bank)?;
        let modify = write && u32::from(access.bytes) < values.masked_write_minimum_bytes;
        let burst = values.burst(access.bytes);
        let turnaround = values.turnaround_bus_cycles;
        let mut busy = if modify { 2 * burst + turnaround } else { burst };
        if write != channel.last_was_write {
            busy += turnaround;
        }
        channel.last_was_write = write;
        channel.bus_free_at = now + busy;
        channel.bank_free_at[bank] = now + busy.max(values.bank_busy_bus_cycles);
        channel.try_at = if channel.reads.len + channel.writes.len > 0 { channel.bus_free_at } else { NEVER };
        // The pins give a line in one burst, and the line leaves for the bus when it is whole.
        let data_at = now + values.read_latency_bus_cycles + busy;
        Some(
            access.reader.map_or(Served::Write, |(reader, response_at)| Served::Read(reader, data_at.max(response_at))),
        )
    }

    /// Earliest time at which [`Mic::advance`] might start an access of a channel.
    pub fn next_advance(&self, index: usize) -> BusCycle {
        self.channels[index].try_at
    }

    /// Time at which a channel's data bus is free.
    pub fn busy_until(&self, index: usize) -> BusCycle {
        self.channels[index].bus_free_at
    }

    /// Position in the round of refreshes at an absolute time.
    pub fn refresh_phase(&self, bus_cycles: BusCycle) -> u64 {
        // A refresh that takes no time delays nothing.
        let round = self.values.refresh_interval_bus_cycles * u64::from(self.values.banks_per_channel);
        if self.values.refresh_bus_cycles == 0 { 0 } else { bus_cycles % round }
    }

    /// Adds its state, relative to `now`, but for the phase of the refresh.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        // Constants of the machine: `bank_bits` and `values`.
        let Mic { channels, bank_bits: _, values: _ } = self;
        channels.iter().for_each(|channel| channel.capture(now, requests, out));
    }
}

impl Queue {
    fn new(banks: u32) -> Queue {
        Queue { banks: vec![VecDeque::new(); banks as usize], len: 0 }
    }

    fn pop(&mut self, bank: usize) -> Option<Access> {
        self.len -= 1;
        self.banks[bank].pop_front()
    }

    /// Adds the accesses in order of arrival, without the numbers of that order, which grow for ever.
    fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        // The sum of the rows' lengths: `len`.
        let Queue { banks, len: _ } = self;
        let rows = banks.iter().enumerate();
        let mut all: Vec<_> =
            rows.flat_map(|(bank, row)| row.iter().map(move |access| (access.order, bank, access))).collect();
        all.sort_by_key(|(order, ..)| *order);
        out.word(all.len() as u64);
        for (_, bank, Access { order: _, bytes, reader }) in all {
            out.word((bank as u64) << 8 | u64::from(*bytes));
            if let Some((reader, response_at)) = reader {
                out.deadline(*response_at, now);
                requests.get(*reader).capture(out);
            }
        }
    }
}

impl Channel {
    fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let Channel {
            reads,
            writes,
            // Numbers accesses in their order, which is what counts.
            orders: _,
            writes_coming,
            refused_reads,
            refused_writes,
            draining,
            last_was_write,
            bus_free_at,
            bank_free_at,
            try_at,
        } = self;
        out.word(u64::from(*writes_coming) << 2 | u64::from(*draining) << 1 | u64::from(*last_was_write));
        out.deadline(*bus_free_at, now);
        out.deadline(*try_at, now);
        bank_free_at.iter().for_each(|at| out.deadline(*at, now));
        out.word((refused_reads.len() as u64) << 32 | refused_writes.len() as u64);
        // What else is known of a refused read follows from its request.
        let reads_of = |Refused { address: _, bytes: _, request, after_response: _ }| request;
        let refused = refused_reads.iter().copied().map(reads_of).chain(refused_writes.iter().copied());
        refused.for_each(|request| requests.get(request).capture(out));
        reads.capture(now, requests, out);
        writes.capture(now, requests, out);
    }

    fn queue(&mut self, write: bool) -> &mut Queue {
        if write { &mut self.writes } else { &mut self.reads }
    }

    fn push(&mut self, write: bool, bank: usize, bytes: u8, reader: Option<(RequestId, BusCycle)>) {
        self.orders += 1;
        let access = Access { order: self.orders, bytes, reader };
        let queue = self.queue(write);
        queue.banks[bank].push_back(access);
        queue.len += 1;
        // It might start as soon as its bank and the bus are free; a moment in the past means now.
        self.try_at = self.try_at.min(self.bank_free_at[bank].max(self.bus_free_at));
    }

    fn choose_direction(&mut self, high_water: u32) {
        if self.writes.len == 0 {
            self.draining = false;
        } else if self.reads.len == 0 || self.writes.len >= high_water {
            self.draining = true;
        }
    }

    /// The bank to serve next and when it can start: of those that can start now the one with the
    /// oldest request, otherwise the one that can start first.
    fn next(
        &self,
        write: bool,
        values: &crate::machine::Mic,
        now: BusCycle,
        skipped: BusCycle,
    ) -> Option<(usize, BusCycle)> {
        let queue = if write { &self.writes } else { &self.reads };
        let heads = queue.banks.iter().enumerate().filter_map(|(bank, row)| Some((bank, row.front()?)));
        let refreshing = values.refreshing(now + skipped);
        let starts = heads.map(|(bank, head)| {
            let free_at = self.bank_free_at[bank];
            let start = if free_at > now {
                values.after_refresh(bank, free_at + skipped) - skipped
            } else if refreshing.is_some_and(|(refreshing, _)| refreshing == bank) {
                now + refreshing.map_or(0, |(_, left)| left)
            } else {
                now
            };
            (start, head.order, bank)
        });
        starts.min().map(|(start, _, bank)| (bank, start))
    }
}

impl crate::machine::Mic {
    /// Cycles on the channel's data bus for an access.
    fn burst(&self, bytes: u8) -> u64 {
        let bytes = u64::from(bytes).next_multiple_of(u64::from(self.minimum_burst_bytes)).max(1);
        bytes.div_ceil(u64::from(self.channel_bytes_per_bus_cycle))
    }

    /// The bank that is being refreshed at `at`, and for how much longer.  Refresh `k` begins at `k`
    /// intervals and takes bank `k` modulo the number of banks.
    fn refreshing(&self, at: BusCycle) -> Option<(usize, BusCycle)> {
        let (nth, into) = (at / self.refresh_interval_bus_cycles, at % self.refresh_interval_bus_cycles);
        let left = self.refresh_bus_cycles.checked_sub(into)?;
        (left > 0).then_some(((nth % u64::from(self.banks_per_channel)) as usize, left))
    }

    /// The first time from `at` on at which a bank is not being refreshed.
    fn after_refresh(&self, bank: usize, at: BusCycle) -> BusCycle {
        match self.refreshing(at) {
            Some((refreshing, left)) if refreshing == bank => at + left,
            _ => at,
        }
    }
}
