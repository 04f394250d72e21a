//! The occupancy of the queues over time.
//!
//! ```text
//!   2 ┤    ┌──┐              sum of the lengths = shaded area
//!   1 ┤ ┌──┘░░└──────┐                          = (8 + 15) - (2 + 5)
//!   0 ┼─┘░░░░░░░░░░░░└──>
//!       2  5  8      15
//! ```
//! The sum of a queue's length over all bus cycles is the sum of all departure times less the sum of all arrival times.
//! Therefore, each arrival or departure costs the simulator one addition, and the cycles between them cost nothing.
//! Entries that are still in the queue are accounted for when a counter is read: at the end of the run, at the
//! beginning and end of its measured part, and when exact fast-forward compares two moments. All times are calendar
//! times, which exclude the periods that fast-forward skips. Fast-forward adds these periods to the sums, as it does
//! for every counter.

use crate::counters::{Counters, SpeCounters};
use crate::units::{BusCycle, SpeId};

/// The current length of one queue, and its sum over time.
#[derive(Clone, Default, Debug)]
pub struct Gauge {
    length: u64,
    max: u64,
    /// The sum of departure times less the sum of arrival times, modulo 2^64.
    sum: u64,
}

impl Gauge {
    /// Records that an entry enters the queue at time `at`.
    #[inline]
    pub fn enter(&mut self, at: BusCycle) {
        self.length += 1;
        self.max = self.max.max(self.length);
        self.sum = self.sum.wrapping_sub(at);
    }

    /// Records that an entry leaves the queue at time `at`.
    #[inline]
    pub fn leave(&mut self, at: BusCycle) {
        self.length -= 1;
        self.sum = self.sum.wrapping_add(at);
    }

    /// The length of the queue.
    #[inline]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Updates `counter`: adds the sum of the queue's length over all bus cycles since the previous call. Returns the
    /// maximum length since the start.
    fn settle(&mut self, now: BusCycle, counter: &mut u64) -> u64 {
        let inside = self.length.wrapping_mul(now);
        *counter = counter.wrapping_add(self.sum.wrapping_add(inside));
        self.sum = inside.wrapping_neg();
        self.max
    }
}

/// A queue whose arrivals are known in advance. An entry contributes to the length only from its arrival time onwards.
#[derive(Clone, Default, Debug)]
pub struct Arrivals {
    sum: u64,
    /// Maximum number of entries that were in the queue at the same time.
    max: u64,
}

impl Arrivals {
    /// Records that an entry will arrive at time `at`.
    #[inline]
    pub fn expect(&mut self, at: BusCycle) {
        self.sum = self.sum.wrapping_sub(at);
    }

    /// Records that an entry leaves the queue. The entry must have arrived already.
    #[inline]
    pub fn leave(&mut self, now: BusCycle) {
        self.sum = self.sum.wrapping_add(now);
    }

    /// Records that an entry leaves while other entries stay. `is_there(n)` returns whether the `n`-th of these other
    /// entries, counted from 0, has arrived.
    #[inline]
    pub fn leave_behind(&mut self, now: BusCycle, is_there: impl Fn(usize) -> bool) {
        self.leave(now);
        // The entry that leaves now counts, too.
        self.max = self.max.max(1);
        while is_there(self.max as usize - 1) {
            self.max += 1;
        }
    }

    /// Records the number of entries that are in the queue at the same time. They are counted only if there may be
    /// more than ever before: there are `at_most` entries.
    #[inline]
    pub fn found(&mut self, at_most: u64, together: impl FnOnce() -> u64) {
        if at_most > self.max {
            self.max = self.max.max(together());
        }
    }

    /// Updates `counter`: adds the sum of the queue's length over all bus cycles since the previous call. Returns the
    /// maximum length. `arrivals` yields the arrival times of all entries that have not left, including those that
    /// have yet to arrive.
    pub fn settle(&mut self, arrivals: impl Iterator<Item = BusCycle>, now: BusCycle, counter: &mut u64) -> u64 {
        let inside = arrivals.fold(0u64, |sum, at| sum.wrapping_add(at.max(now)));
        *counter = counter.wrapping_add(self.sum.wrapping_add(inside));
        self.sum = inside.wrapping_neg();
        self.max
    }
}

/// The queues of one SPE's MFC.
#[derive(Clone, Default, Debug)]
pub struct MfcQueues {
    /// Commands in the SPU queue.
    pub spu: Gauge,
    /// Commands in the proxy queue.
    pub proxy: Gauge,
    /// Requests that the bus interface holds.
    pub outstanding: Gauge,
}

impl MfcQueues {
    /// Returns the gauge of the proxy queue or of the SPU queue.
    pub fn of(&mut self, proxy: bool) -> &mut Gauge {
        if proxy { &mut self.proxy } else { &mut self.spu }
    }

    /// Brings the counters up to date.
    fn settle(&mut self, now: BusCycle, spe: &mut SpeCounters) {
        spe.spu_queue_commands_max = self.spu.settle(now, &mut spe.spu_queue_command_bus_cycles);
        spe.proxy_queue_commands_max = self.proxy.settle(now, &mut spe.proxy_queue_command_bus_cycles);
        spe.outstanding_lines_max = self.outstanding.settle(now, &mut spe.outstanding_line_bus_cycles);
    }
}

/// The queues of one memory channel.
#[derive(Clone, Default, Debug)]
pub struct ChannelQueues {
    /// The queue of reads.
    pub reads: Gauge,
    /// The queue of writes, including entries reserved for writes.
    pub writes: Gauge,
}

/// The occupancy of the queues between the units, and the busy time of each ring.
#[derive(Clone, Default, Debug)]
pub struct Occupancy {
    /// Commands that wait at an address concentrator.
    pub commands: Arrivals,
    /// The queues of the MFCs, by SPE.
    mfcs: Vec<MfcQueues>,
    /// The queues of the memory channels, by channel.
    mic_channels: Vec<ChannelQueues>,
    /// Lines that wait at on-ramps, by ramp.
    pub on_ramps: Vec<Arrivals>,
    /// Time at which the last beat on each ring ends.
    rings_busy_until: Vec<BusCycle>,
}

impl Occupancy {
    /// Empty queues and idle rings.
    pub fn new(spes: usize, rings: usize, ramps: usize, mic_channels: usize) -> Self {
        Occupancy {
            commands: Arrivals::default(),
            mfcs: vec![MfcQueues::default(); spes],
            mic_channels: vec![ChannelQueues::default(); mic_channels],
            on_ramps: vec![Arrivals::default(); ramps],
            rings_busy_until: vec![0; rings],
        }
    }

    /// Returns the queues of an SPE's MFC.
    #[inline]
    pub fn mfc(&mut self, spe: SpeId) -> &mut MfcQueues {
        &mut self.mfcs[usize::from(spe.0)]
    }

    /// Returns the write queue or the read queue of a memory channel.
    #[inline]
    pub fn memory_queue(&mut self, channel: u8, writes: bool) -> &mut Gauge {
        let queues = &mut self.mic_channels[usize::from(channel)];
        if writes { &mut queues.writes } else { &mut queues.reads }
    }

    /// Records that a ring carries beats from `from` to `until`. Returns how many of these bus cycles were not already
    /// recorded as busy.
    #[inline]
    pub fn ring_busy(&mut self, ring: usize, from: BusCycle, until: BusCycle) -> u64 {
        let busy_until = &mut self.rings_busy_until[ring];
        let added = until.saturating_sub(from.max(*busy_until));
        *busy_until = until.max(*busy_until);
        added
    }

    /// Updates all counters except those of the on-ramps. `commands` yields the arrival times of all commands.
    pub fn settle(&mut self, now: BusCycle, commands: impl Iterator<Item = BusCycle>, counters: &mut Counters) {
        let command = &mut counters.command;
        let max = self.commands.settle(commands, now, &mut command.command_wait_bus_cycles);
        // The concentrators report only commands that wait at the same time. If no two commands ever waited together,
        // the maximum is 1.
        command.commands_waiting_max = max.max(u64::from(command.ordered > 0));
        for (queues, spe) in self.mfcs.iter_mut().zip(&mut counters.spes) {
            queues.settle(now, spe);
        }
        for (queues, channel) in self.mic_channels.iter_mut().zip(&mut counters.mic_channels) {
            channel.read_queue_entries_max = queues.reads.settle(now, &mut channel.read_queue_entry_bus_cycles);
            channel.write_queue_entries_max = queues.writes.settle(now, &mut channel.write_queue_entry_bus_cycles);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_same_however_often_it_is_settled() {
        for settled in [vec![], vec![3, 4, 10, 11], vec![0, 50]] {
            let (mut gauge, mut sum) = (Gauge::default(), 0);
            for now in 0..100 {
                match now {
                    2 | 5 | 40 => gauge.enter(now),
                    9 | 30 | 47 => gauge.leave(now),
                    _ if settled.contains(&now) => _ = gauge.settle(now, &mut sum),
                    _ => (),
                }
            }
            assert_eq!(gauge.settle(100, &mut sum), 2);
            assert_eq!(sum, (9 - 2) + (30 - 5) + (47 - 40), "settled at {settled:?}");
        }
    }

    #[test]
    fn what_is_still_coming_does_not_wait() {
        let (mut arrivals, mut sum) = (Arrivals::default(), 0);
        [5, 6, 20].into_iter().for_each(|at| arrivals.expect(at));
        arrivals.leave(5);
        let mut settled = |arrivals: &mut Arrivals, coming: &[BusCycle], now| {
            arrivals.settle(coming.iter().copied(), now, &mut sum);
            sum
        };
        assert_eq!(settled(&mut arrivals, &[6, 20], 5), 0);
        assert_eq!(settled(&mut arrivals, &[6, 20], 8), 8 - 6);
        arrivals.leave(10);
        assert_eq!(settled(&mut arrivals, &[20], 12), 10 - 6);
        arrivals.leave(20);
        assert_eq!(settled(&mut arrivals, &[], 20), 10 - 6);
    }

    #[test]
    fn a_ring_with_two_transfers_is_busy_once() {
        let mut rings = Occupancy::new(1, 1, 2, 1);
        assert_eq!(rings.ring_busy(0, 10, 20), 10);
        assert_eq!(rings.ring_busy(0, 12, 18), 0);
        assert_eq!(rings.ring_busy(0, 15, 30), 10);
        assert_eq!(rings.ring_busy(0, 31, 33), 2);
    }
}
