//! How full the queues are, over time.
//!
//! The sum of a queue's length over all bus cycles is the sum of the moments at which something left it,
//! less the sum of the moments at which something entered: one addition for each, and nothing for the
//! cycles between.  What is in the queue now is settled when a counter is looked at: at the end of the
//! run, at both ends of its measured part, and where exact fast-forward compares two moments.  Times are
//! those of the calendar, without what was left out; the periods left out are added as for every counter.

use crate::counters::{Counters, SpeCounters};
use crate::units::{BusCycle, SpeId};

/// The length of one queue.
#[derive(Clone, Default, Debug)]
pub struct Gauge {
    length: u64,
    max: u64,
    /// Moments of leaving less moments of entering, modulo 2^64.
    sum: u64,
}

impl Gauge {
    /// Something enters at `at`.
    #[inline]
    pub fn enter(&mut self, at: BusCycle) {
        self.length += 1;
        self.max = self.max.max(self.length);
        self.sum = self.sum.wrapping_sub(at);
    }

    /// Something leaves at `at`.
    #[inline]
    pub fn leave(&mut self, at: BusCycle) {
        self.length -= 1;
        self.sum = self.sum.wrapping_add(at);
    }

    /// How long the queue is.
    #[inline]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Adds the sum of the length, over the bus cycles since it was settled last, to `counter`; returns the
    /// greatest length so far.
    fn settle(&mut self, now: BusCycle, counter: &mut u64) -> u64 {
        let inside = self.length.wrapping_mul(now);
        *counter = counter.wrapping_add(self.sum.wrapping_add(inside));
        self.sum = inside.wrapping_neg();
        self.max
    }
}

/// A queue that things enter some time after it is known that they will: only then do they count.
#[derive(Clone, Default, Debug)]
pub struct Arrivals {
    sum: u64,
    /// The most that were found there together.
    max: u64,
}

impl Arrivals {
    /// Something will enter at `at`.
    #[inline]
    pub fn expect(&mut self, at: BusCycle) {
        self.sum = self.sum.wrapping_sub(at);
    }

    /// Something that has entered leaves.
    #[inline]
    pub fn leave(&mut self, now: BusCycle) {
        self.sum = self.sum.wrapping_add(now);
    }

    /// Something that has entered leaves others behind; `is_there(n)` tells whether the `n`-th of them has
    /// entered, counted from 0.
    #[inline]
    pub fn leave_behind(&mut self, now: BusCycle, is_there: impl Fn(usize) -> bool) {
        self.leave(now);
        // What leaves now was there too.
        self.max = self.max.max(1);
        while is_there(self.max as usize - 1) {
            self.max += 1;
        }
    }

    /// That many were found there together.
    #[inline]
    pub fn found(&mut self, together: u64) {
        self.max = self.max.max(together);
    }

    /// Adds the sum of the length, over the bus cycles since it was settled last, to `counter`; returns the
    /// greatest length.  `arrivals` are the moments of arrival of those there and of those to come; these
    /// count from then on.
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
    /// One of the command queues.
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
    /// Reads.
    pub reads: Gauge,
    /// Writes, and places promised to them.
    pub writes: Gauge,
}

/// The queues between the units, and how long each ring is busy.
#[derive(Clone, Default, Debug)]
pub struct Occupancy {
    /// Commands that wait for the address concentrator.
    pub commands: Arrivals,
    /// By SPE.
    mfcs: Vec<MfcQueues>,
    /// By memory channel.
    mic_channels: Vec<ChannelQueues>,
    /// By ramp.
    pub on_ramps: Vec<Arrivals>,
    /// Until when each ring carries a beat.
    rings_busy_until: Vec<BusCycle>,
}

impl Occupancy {
    /// Empty queues.
    pub fn new(spes: usize, rings: usize, ramps: usize, mic_channels: usize) -> Self {
        Occupancy {
            commands: Arrivals::default(),
            mfcs: vec![MfcQueues::default(); spes],
            mic_channels: vec![ChannelQueues::default(); mic_channels],
            on_ramps: vec![Arrivals::default(); ramps],
            rings_busy_until: vec![0; rings],
        }
    }

    /// The queues of an SPE's MFC.
    #[inline]
    pub fn mfc(&mut self, spe: SpeId) -> &mut MfcQueues {
        &mut self.mfcs[usize::from(spe.0)]
    }

    /// A queue of a memory channel: of writes, or of reads.
    #[inline]
    pub fn memory_queue(&mut self, channel: u8, writes: bool) -> &mut Gauge {
        let queues = &mut self.mic_channels[usize::from(channel)];
        if writes { &mut queues.writes } else { &mut queues.reads }
    }

    /// A ring carries beats from `from` to `until`; the bus cycles in which it carried none before.
    #[inline]
    pub fn ring_busy(&mut self, ring: usize, from: BusCycle, until: BusCycle) -> u64 {
        let busy_until = &mut self.rings_busy_until[ring];
        let news = until.saturating_sub(from.max(*busy_until));
        *busy_until = until.max(*busy_until);
        news
    }

    /// Brings the counters of all queues but those of lines up to date; commands arrive at these moments.
    pub fn settle(&mut self, now: BusCycle, commands: impl Iterator<Item = BusCycle>, counters: &mut Counters) {
        let command = &mut counters.command;
        let max = self.commands.settle(commands, now, &mut command.command_wait_bus_cycles);
        // The network looks whether there are others only when one is left over.
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
