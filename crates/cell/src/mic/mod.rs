//! The memory interface controller and its XDR DRAM.
//!
//! ```text
//!   EIB ──> read queue  ──┐                        ┌── bank 0 … 7
//!                         ├─> channel 0 data bus ──┤
//!   EIB ──> write queue ──┘   (lines of even number)
//!           the same again for channel 1 (odd lines)
//! ```
//! Each channel serves the oldest request whose bank is free. The channel serves reads until the write queue reaches
//! its high-water mark, and then writes until the write queue is empty. An access occupies its bank for a row cycle,
//! and the channel's data bus for its burst. A change between reading and writing costs a turnaround. A write costs a
//! gap if another unit wrote to its bank last. A write of fewer than `masked_write_minimum_bytes` bytes becomes a read
//! and a write (the performance monitor counts such read-modify-writes). All banks are refreshed together, after the
//! access in progress; no other access starts during a refresh.
//!
//! A read starts when its command is ordered, before the combined response (the performance monitor: "read dispatched
//! before combined response"). Data for the memory controller's own chip wait for the combined response before they
//! leave for the ring. Data for the other chip leave at once, and wait on that chip for the combined response. A write
//! is complete for its requester once its data have arrived at the memory controller (kistler2006); the unit learns of
//! the last write of a `put` `write_complete_bus_cycles` later. From the arrival on, other units see the data.
//!
//! MODEL: reads and writes do not starve each other. A change of direction begins a batch, which consists of the
//! accesses that wait at that time. No access of the other direction interrupts the batch. After the batch, the
//! channel switches from writes to reads if a read waits, and from reads to writes if the write queue is at its
//! high-water mark. Without batches, six SPEs that put blocks of 16 KB kept the write queue above its high-water mark,
//! and the reads of two other SPEs waited for 280 us. It is not public how silicon prevents such waits.
//!
//! MODEL: commands that find their memory queue full wait at the controller, in order of arrival, and each receives its
//! combined response when there is room for it. Silicon responds with Retry until there is room; the order in which
//! the units then succeed is not public.
//!
//! MODEL: no access starts while a channel is refreshed. The reason is that silicon reaches only a fraction of the
//! pins' bandwidth, and this fraction does not depend on transfer sizes. XDR memory can refresh one bank while other banks
//! work; it is not public whether this controller does so.
//!
//! MODEL: a write takes `write_gap_bus_cycles` longer if the last write to its bank was another unit's. One unit's
//! writes reach the pins' bandwidth, and those of several units do not. Why a bank needs this time is not public.
//!
//! MODEL: a hit in an open DRAM row is not faster (closed-page policy). 128-byte lines are interleaved over the
//! channels, then over the banks, so a stride of channels x banks lines stays in one bank.

mod channel;

use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex};
use channel::{By, Channel, Refused};

#[derive(Clone, Debug)]
pub struct Mic {
    channels: Vec<Channel>,
    channel_bits: u32,
    bank_bits: u32,
    values: crate::machine::Mic,
}

/// An access that has started.
#[derive(Clone, Copy, Debug)]
pub enum Served {
    Write,
    /// A read, and the time at which its data reach the on-ramp.
    Read(RequestId, BusCycle),
}

impl Mic {
    /// Idle memory.
    pub fn new(machine: &Machine) -> Mic {
        let values = machine.mic.clone();
        let channel = Channel::new(values.banks_per_channel);
        let channels = vec![channel; values.channels as usize];
        let (channel_bits, bank_bits) = (values.channels.trailing_zeros(), values.banks_per_channel.trailing_zeros());
        Mic { channels, channel_bits, bank_bits, values }
    }

    /// Returns the memory channel of an address.
    pub fn channel_of(&self, address: u64) -> usize {
        ((address / LINE_BYTES) & ((1 << self.channel_bits) - 1)) as usize
    }

    fn bank_of(&self, address: u64) -> usize {
        let line = (address / LINE_BYTES) >> self.channel_bits;
        (line & ((1 << self.bank_bits) - 1)) as usize
    }

    /// Queues a read. Returns false if the queue is full; the command then waits for room at the controller. The data
    /// leave as soon as they are read, but not before `response_at` if it is given.
    pub fn read(&mut self, address: u64, bytes: u8, request: RequestId, response_at: Option<BusCycle>) -> bool {
        let (index, bank) = (self.channel_of(address), self.bank_of(address));
        let channel = &mut self.channels[index];
        let room = channel.reads() < self.values.read_queue_entries && channel.refused_reads.is_empty();
        if room {
            channel.push(bank, bytes, By::Reader(request, response_at.unwrap_or(0)));
        } else {
            let after_response = response_at.is_some();
            channel.refused_reads.push_back(Refused { address, bytes, request, after_response });
        }
        room
    }

    /// Reserves a queue entry for a write whose data will follow. Returns false if no entry is free; the command then
    /// waits for an entry at the controller.
    pub fn reserve_write(&mut self, address: u64, request: RequestId) -> bool {
        let index = self.channel_of(address);
        let channel = &mut self.channels[index];
        let taken = channel.writes() + channel.writes_coming;
        let room = taken < self.values.write_queue_entries && channel.refused_writes.is_empty();
        if room {
            channel.writes_coming += 1;
        } else {
            channel.refused_writes.push_back(request);
        }
        room
    }

    /// Admits the oldest refused command for which there is now room.
    pub fn admit(&mut self, index: usize, response_at: BusCycle) -> Option<RequestId> {
        let bank = self.channels[index].refused_reads.front().map(|read| self.bank_of(read.address));
        let channel = &mut self.channels[index];
        if let Some(bank) = bank.filter(|_| channel.reads() < self.values.read_queue_entries) {
            let read = channel.refused_reads.pop_front()?;
            let not_before = if read.after_response { response_at } else { 0 };
            channel.push(bank, read.bytes, By::Reader(read.request, not_before));
            return Some(read.request);
        }
        if channel.writes() + channel.writes_coming >= self.values.write_queue_entries {
            return None;
        }
        let request = channel.refused_writes.pop_front()?;
        channel.writes_coming += 1;
        Some(request)
    }

    /// Queues a unit's write in its reserved entry after its data have arrived.
    pub fn write(&mut self, address: u64, bytes: u8, writer: RampIndex) {
        let (index, bank) = (self.channel_of(address), self.bank_of(address));
        let channel = &mut self.channels[index];
        channel.writes_coming -= 1;
        channel.push(bank, bytes, By::Writer(writer));
    }

    /// Starts one access of a channel if any access can start now. Refresh depends on absolute time, which includes
    /// the `skipped` bus cycles of fast-forward.
    pub fn advance(&mut self, index: usize, now: BusCycle, skipped: BusCycle) -> Option<Served> {
        let values = &self.values;
        let channel = &mut self.channels[index];
        if channel.bus_free_at > now {
            channel.try_at = channel.bus_free_at;
            return None;
        }
        channel.choose_direction(values.write_high_water_entries);
        let write = channel.draining;
        let Some((nth, start)) = channel.next(write, values, now, skipped) else {
            channel.try_at = NEVER;
            return None;
        };
        if start > now {
            channel.try_at = start;
            return None;
        }
        let access = channel.take(write, nth)?;
        let modify = write && u32::from(access.bytes) < values.masked_write_minimum_bytes;
        let burst = values.burst(access.bytes);
        let turnaround = values.turnaround_bus_cycles;
        let mut busy = if modify { 2 * burst + turnaround } else { burst };
        if write != channel.last_was_write {
            busy += turnaround;
        }
        if let By::Writer(writer) = access.by {
            if writer != channel.bank_writer[access.bank] {
                busy += values.write_gap_bus_cycles;
            }
            channel.bank_writer[access.bank] = writer;
        }
        channel.batch = channel.batch.saturating_sub(1);
        channel.last_was_write = write;
        channel.accessed_at = now;
        channel.bus_free_at = now + busy;
        channel.bank_free_at[access.bank] = now + busy.max(values.bank_busy_bus_cycles);
        channel.try_at = if channel.reads() + channel.writes() > 0 { channel.bus_free_at } else { NEVER };
        // The pins transfer a line in one burst, and the line leaves for the bus only when it is complete.
        let data_at = now + values.read_latency_bus_cycles + busy;
        Some(match access.by {
            By::Writer(_) => Served::Write,
            By::Reader(reader, response_at) => Served::Read(reader, data_at.max(response_at)),
        })
    }

    /// Earliest time at which [`Mic::advance`] might start an access of a channel.
    pub fn next_advance(&self, index: usize) -> BusCycle {
        self.channels[index].try_at
    }

    /// Time at which a channel's data bus is free.
    pub fn busy_until(&self, index: usize) -> BusCycle {
        self.channels[index].bus_free_at
    }

    /// Time between the last moment when a refresh was due and the given absolute time.
    pub fn refresh_phase(&self, bus_cycles: BusCycle) -> u64 {
        // A refresh of zero cycles delays nothing.
        if self.values.refresh_bus_cycles == 0 { 0 } else { bus_cycles % self.values.refresh_interval_bus_cycles }
    }

    /// Adds the controller's state to a snapshot, relative to `now`, without the phase of the refresh.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        // Constants of the machine: `channel_bits`, `bank_bits` and `values`.
        let Mic { channels, channel_bits: _, bank_bits: _, values } = self;
        channels.iter().for_each(|channel| channel.capture(values, now, requests, out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line takes 16 cycles on a channel; a refresh takes 30 cycles in every 700.
    fn mic() -> Mic {
        let mut machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        (machine.mic.refresh_interval_bus_cycles, machine.mic.refresh_bus_cycles) = (700, 30);
        machine.mic.write_gap_bus_cycles = 3;
        Mic::new(&machine)
    }

    /// Queues reads of lines of the first channel, each line in a different bank.
    fn queue_reads(mic: &mut Mic, n: u32) {
        (0..n).for_each(|nth| assert!(mic.read(u64::from(nth) * 2 * LINE_BYTES, 128, RequestId(nth), None)));
    }

    /// Start of the first channel's next access, at or after `now`.
    fn next_start(mic: &mut Mic, now: BusCycle) -> BusCycle {
        (now..).find(|at| mic.advance(0, *at, 0).is_some()).expect("an access")
    }

    #[test]
    fn an_access_waits_for_the_end_of_a_refresh() {
        for (asked_at, starts_at) in [(699, 699), (700, 730), (729, 730), (730, 730), (731, 731)] {
            let mut mic = mic();
            queue_reads(&mut mic, 1);
            assert_eq!(next_start(&mut mic, asked_at), starts_at);
        }
    }

    #[test]
    fn a_refresh_waits_for_the_access_under_way_and_takes_its_full_time() {
        let mut mic = mic();
        queue_reads(&mut mic, 3);
        assert_eq!(next_start(&mut mic, 695), 695);
        assert_eq!(next_start(&mut mic, 696), 695 + 16 + 30);
        assert_eq!(next_start(&mut mic, 742), 695 + 16 + 30 + 16, "there is one refresh in an interval");
    }

    #[test]
    fn refresh_follows_absolute_time() {
        for (skipped, starts_at) in [(0, 10), (690, 40), (735, 10), (1390, 40)] {
            let mut mic = mic();
            mic.channels[0].accessed_at = 5;
            queue_reads(&mut mic, 1);
            let start = (10..).find(|at| mic.advance(0, *at, skipped).is_some());
            assert_eq!(start, Some(starts_at), "{skipped} bus cycles left out");
        }
    }

    #[test]
    fn a_write_costs_a_gap_if_another_unit_wrote_to_its_bank_last_and_a_read_costs_none() {
        let mut mic = mic();
        mic.channels[0].last_was_write = true;
        mic.channels[0].bank_writer = vec![4, 4, 5, 4, 4, 4, 4, 4];
        // Banks 0 to 3, and bank 0 again once its row cycle is over.
        for (line, writer) in [(0, 4), (2, 5), (4, 5), (6, 5), (16, 4), (24, 4)] {
            assert!(mic.reserve_write(line * LINE_BYTES, RequestId(9)));
            mic.write(line * LINE_BYTES, 128, writer);
        }
        let mut now = 99;
        let mut start = || {
            now = next_start(&mut mic, now + 1);
            now
        };
        let starts = [start(), start(), start(), start(), start(), start()];
        let times: Vec<BusCycle> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(times, [16, 16 + 3, 16, 16 + 3, 16]);
        let mut mic = self::mic();
        queue_reads(&mut mic, 2);
        let first = next_start(&mut mic, 100);
        assert_eq!(next_start(&mut mic, first + 1) - first, 16);
    }

    /// The directions of the first channel's accesses while its write queue is kept full and `reads` wait.
    fn directions(reads: u32, accesses: usize) -> Vec<bool> {
        let (mut mic, mut line, mut now) = (mic(), 0, 0);
        queue_reads(&mut mic, reads);
        (0..accesses)
            .map(|_| {
                while mic.channels[0].writes() < mic.values.write_queue_entries {
                    assert!(mic.reserve_write(2 * line * LINE_BYTES, RequestId(9)));
                    mic.write(2 * line * LINE_BYTES, 128, 1);
                    line += 1;
                }
                now = next_start(&mut mic, now) + 1;
                mic.channels[0].last_was_write
            })
            .collect()
    }

    #[test]
    fn reads_wait_for_no_more_writes_than_were_queued_before_them() {
        let entries = mic().values.write_queue_entries as usize;
        let directions = directions(3, entries + 5);
        assert_eq!(directions[..entries], vec![true; entries]);
        assert_eq!(directions[entries..], [false, false, false, true, true]);
    }
}
