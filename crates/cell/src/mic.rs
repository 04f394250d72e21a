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
//! turnaround; a write of less than 16 bytes is a read and a write (the performance monitor counts
//! such read-modify-writes).  Banks are refreshed one after the other.
//!
//! A read starts when its command is ordered, before the combined response (the performance monitor:
//! "read dispatched before combined response").  A write is complete for its requester once its data
//! have been handed over here (kistler2006), which is also when other units see them.
//!
//! MODEL: a command that finds its queue full waits here, first come first served, and gets its
//! combined response when there is room.  Silicon answers Retry until there is, and by what order the
//! units then get in is not public.
//!
//! MODEL: row hits are not exploited (closed page); 128-byte lines go round the channels, then round
//! the banks, so that a stride of channels x banks lines stays in one bank.

use crate::machine::Machine;
use crate::request::Request;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER};
use std::collections::VecDeque;

/// Writes smaller than this are read-modify-writes (performance monitor, MIC events).
const MASKED_WRITE_BYTES: u8 = 16;

/// One access in a queue.
#[derive(Clone, Copy, Debug)]
struct Access {
    bank: u8,
    ready_at: BusCycle,
    request: Request,
}

/// One XDR channel.
#[derive(Clone, Debug)]
struct Channel {
    reads: VecDeque<Access>,
    writes: VecDeque<Access>,
    /// Places of the write queue promised to commands whose data are under way.
    writes_coming: u32,
    /// Commands that found their queue full.
    refused_reads: VecDeque<Request>,
    refused_writes: VecDeque<Request>,
    draining: bool,
    last_was_write: bool,
    bus_free_at: BusCycle,
    bank_free_at: Vec<BusCycle>,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Mic {
    channels: Vec<Channel>,
    bank_bits: u32,
    values: crate::machine::Mic,
}

/// A read whose data are about to leave for the bus, or a write that reached its bank.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// The request.
    pub request: Request,
    /// For a read: when its data are at the on-ramp.
    pub data_at: BusCycle,
    /// Whether it was a write.
    pub is_write: bool,
}

impl Mic {
    /// Idle memory.
    pub fn new(machine: &Machine) -> Mic {
        let values = machine.mic.clone();
        let channel = Channel {
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            writes_coming: 0,
            refused_reads: VecDeque::new(),
            refused_writes: VecDeque::new(),
            draining: false,
            last_was_write: false,
            bus_free_at: 0,
            bank_free_at: vec![0; values.banks_per_channel as usize],
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

    fn bank_of(&self, address: u64) -> u8 {
        let line = address / LINE_BYTES / self.channels.len() as u64;
        (line & ((1 << self.bank_bits) - 1)) as u8
    }

    /// Takes a read if its queue has room; otherwise keeps the command until it has.
    pub fn read(&mut self, address: u64, request: Request, now: BusCycle) -> bool {
        let (index, bank) = (self.channel_of(address), self.bank_of(address));
        let channel = &mut self.channels[index];
        let room = channel.reads.len() < self.values.read_queue_entries as usize && channel.refused_reads.is_empty();
        if room {
            channel.reads.push_back(Access { bank, ready_at: now, request });
        } else {
            channel.refused_reads.push_back(request);
        }
        room
    }

    /// Promises a place for a write whose data will follow; if there is none, keeps the command until
    /// there is.
    pub fn reserve_write(&mut self, address: u64, request: Request) -> bool {
        let index = self.channel_of(address);
        let channel = &mut self.channels[index];
        let taken = channel.writes.len() as u32 + channel.writes_coming;
        let room = taken < self.values.write_queue_entries && channel.refused_writes.is_empty();
        if room {
            channel.writes_coming += 1;
        } else {
            channel.refused_writes.push_back(request);
        }
        room
    }

    /// The oldest command that was refused and that now has its place.
    pub fn admit(&mut self, index: usize, now: BusCycle) -> Option<Request> {
        let channel = &mut self.channels[index];
        if channel.reads.len() < self.values.read_queue_entries as usize
            && let Some(request) = channel.refused_reads.pop_front()
        {
            let Some(line) = request.memory_line() else { return Some(request) };
            let bank = self.bank_of(line * LINE_BYTES);
            self.channels[index].reads.push_back(Access { bank, ready_at: now, request });
            return Some(request);
        }
        let taken = channel.writes.len() as u32 + channel.writes_coming;
        if taken < self.values.write_queue_entries
            && let Some(request) = channel.refused_writes.pop_front()
        {
            channel.writes_coming += 1;
            return Some(request);
        }
        None
    }

    /// Takes the data of a write that has a place.
    pub fn write(&mut self, address: u64, request: Request, now: BusCycle) {
        let (channel, bank) = (self.channel_of(address), self.bank_of(address));
        self.channels[channel].writes_coming -= 1;
        self.channels[channel].writes.push_back(Access { bank, ready_at: now, request });
    }

    /// Starts one access of a channel, if one can start now.  Refresh goes by absolute time, so what
    /// fast-forward has left out counts for it.
    pub fn advance(&mut self, index: usize, now: BusCycle, skipped: BusCycle) -> Option<Served> {
        let values = &self.values;
        let channel = &mut self.channels[index];
        if channel.bus_free_at > now {
            return None;
        }
        channel.choose_direction(values.write_high_water_entries);
        let write = channel.draining;
        let (place, start) = channel.next(write, values, now, skipped)?;
        if start > now {
            return None;
        }
        let queue = if write { &mut channel.writes } else { &mut channel.reads };
        let access = queue.remove(place)?;
        let modify = write && access.request.bytes < MASKED_WRITE_BYTES;
        let burst = values.burst(access.request.bytes);
        let turnaround = u64::from(values.turnaround_bus_cycles);
        let mut busy = if modify { 2 * burst + turnaround } else { burst };
        if write != channel.last_was_write {
            busy += turnaround;
        }
        channel.last_was_write = write;
        channel.bus_free_at = now + busy;
        channel.bank_free_at[access.bank as usize] = now + busy.max(u64::from(values.bank_busy_bus_cycles));
        // The pins give a line in one burst, and the line leaves for the bus when it is whole.
        let data_at = now + u64::from(values.read_latency_bus_cycles) + busy;
        Some(Served { request: access.request, data_at, is_write: write })
    }

    /// The earliest time at which [`Mic::advance`] might start something on a channel.
    pub fn next_advance(&mut self, index: usize, now: BusCycle, skipped: BusCycle) -> BusCycle {
        let channel = &mut self.channels[index];
        let from = now.max(channel.bus_free_at);
        channel.choose_direction(self.values.write_high_water_entries);
        channel.next(channel.draining, &self.values, from, skipped).map_or(NEVER, |(_, start)| start)
    }

    /// Where in its round of refreshes the memory is at an absolute time.
    pub fn refresh_phase(&self, bus_cycles: BusCycle) -> u64 {
        bus_cycles % (self.values.refresh_interval_bus_cycles * u64::from(self.values.banks_per_channel))
    }

    /// Adds its state, relative to `now`, but for the phase of the refresh.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        for channel in &self.channels {
            out.word(
                u64::from(channel.writes_coming) << 2
                    | u64::from(channel.draining) << 1
                    | u64::from(channel.last_was_write),
            );
            out.deadline(channel.bus_free_at, now);
            channel.bank_free_at.iter().for_each(|at| out.deadline(*at, now));
            for queue in [&channel.refused_reads, &channel.refused_writes] {
                out.word(queue.len() as u64);
                queue.iter().for_each(|request| request.capture(out));
            }
            for queue in [&channel.reads, &channel.writes] {
                out.word(queue.len() as u64);
                queue.iter().for_each(|access| {
                    out.deadline(access.ready_at, now);
                    access.request.capture(out);
                });
            }
        }
    }
}

impl Channel {
    fn choose_direction(&mut self, high_water: u32) {
        if self.writes.is_empty() {
            self.draining = false;
        } else if self.reads.is_empty() || self.writes.len() as u32 >= high_water {
            self.draining = true;
        }
    }

    /// The request to serve next and when it can start: the oldest whose bank is free first.
    fn next(
        &self,
        write: bool,
        values: &crate::machine::Mic,
        now: BusCycle,
        skipped: BusCycle,
    ) -> Option<(usize, BusCycle)> {
        let queue = if write { &self.writes } else { &self.reads };
        let mut best = None;
        for (place, access) in queue.iter().enumerate() {
            let free_at = self.bank_free_at[access.bank as usize].max(access.ready_at).max(now);
            let start = values.after_refresh(access.bank, free_at + skipped) - skipped;
            if start <= now {
                return Some((place, start));
            }
            if best.is_none_or(|(_, earliest)| start < earliest) {
                best = Some((place, start));
            }
        }
        best
    }
}

impl crate::machine::Mic {
    /// Cycles on the channel's data bus for an access.
    fn burst(&self, bytes: u8) -> u64 {
        let bytes = u64::from(bytes).next_multiple_of(u64::from(self.minimum_burst_bytes)).max(1);
        bytes.div_ceil(u64::from(self.channel_bytes_per_bus_cycle))
    }

    /// The first time from `at` on at which a bank is not being refreshed.  Refresh `k` begins at
    /// `k` intervals and takes bank `k` modulo the number of banks.
    fn after_refresh(&self, bank: u8, at: BusCycle) -> BusCycle {
        let interval = u64::from(self.refresh_interval_bus_cycles);
        if interval == 0 {
            return at;
        }
        let (nth, into) = (at / interval, at % interval);
        let refreshing = nth % u64::from(self.banks_per_channel) == u64::from(bank);
        if refreshing && into < u64::from(self.refresh_bus_cycles) {
            nth * interval + u64::from(self.refresh_bus_cycles)
        } else {
            at
        }
    }
}
