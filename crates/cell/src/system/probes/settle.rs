//! Counters looked at: at the end of a run, at both ends of its measured part, and where exact fast-forward
//! compares two moments.

use super::set::Probes;
use crate::channel::Channel;
use crate::counters::Counters;
use crate::door::Op;
use crate::eib::CommandNetwork;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::spe::unit::Spe;
use crate::system::time::Time;
use crate::trace::Trigger;
use crate::units::{BusCycle, SpeId, SpuCycles};

impl Probes {
    /// Brings the counters up to date: those of queues stand still while the queues do.
    pub fn settle(&mut self, board: &Board, time: &Time, bus: &Bus) {
        let (now, topology) = (time.now(), &board.topology);
        let Probes { counters, occupancy, .. } = self;
        let commands = bus.concentrators.iter().flat_map(CommandNetwork::arrivals);
        occupancy.settle(now, commands, counters);
        let mut settle = |ramp, wait: &mut u64| {
            let lines = bus.data[usize::from(topology.chip_of(ramp))].ready_times(topology.place(ramp));
            occupancy.on_ramps[usize::from(ramp)].settle(lines, now, wait)
        };
        for (spe, counters) in (0..).map(SpeId).zip(&mut counters.spes) {
            counters.data_waiting_max = settle(topology.spe_ramp(spe), &mut counters.data_wait_bus_cycles);
        }
        for (chip, mic) in counters.mics.iter_mut().enumerate() {
            mic.data_waiting_max = settle(board.mic_ramp(chip), &mut mic.data_wait_bus_cycles);
        }
        for (chip, end) in counters.bif.iter_mut().enumerate() {
            end.data_waiting_max = settle(board.ioif0_ramp(chip), &mut end.data_wait_bus_cycles);
        }
    }

    /// All that was counted until now.
    fn counted(&mut self, board: &Board, time: &Time, bus: &Bus) -> Counters {
        self.settle(board, time, bus);
        Counters { bus_cycles: time.bus_cycles(), ..self.counters.clone() }
    }

    /// A program is about to be answered: with writes and reads of the decrementer a measurement begins and
    /// ends.
    #[inline]
    pub fn asked(&mut self, op: Op, spe: &Spe<'_>, board: &Board, time: &mut Time, bus: &Bus) {
        match op {
            Op::Write(Channel::WR_DEC, _) => self.begins_to_measure(spe, board, time, bus),
            Op::Read(Channel::RD_DEC) => self.ends_to_measure(spe, board, time, bus),
            _ => (),
        }
    }

    #[cold]
    fn begins_to_measure(&mut self, spe: &Spe<'_>, board: &Board, time: &mut Time, bus: &Bus) {
        if let Some(mut part) = self.measured_part.take() {
            part.begins(spe.id, own_time(spe, time), || self.counted(board, time, bus));
            self.measured_part = Some(part);
        }
        self.trigger(Trigger::Decrementer, time);
    }

    #[cold]
    fn ends_to_measure(&mut self, spe: &Spe<'_>, board: &Board, time: &Time, bus: &Bus) {
        if let Some(mut part) = self.measured_part.take() {
            part.ends(spe.id, own_time(spe, time), || self.counted(board, time, bus));
            self.measured_part = Some(part);
        }
    }

    /// The longest, in bus cycles, that a program took for what it measures; the SPU cycles from the first beginning to
    /// the last end; and all counters: of the measured part, if there is one.
    pub fn take_counters(&mut self, board: &Board, time: &Time, bus: &Bus) -> (BusCycle, SpuCycles, Counters) {
        let all = self.counted(board, time, bus);
        match self.measured_part.take() {
            Some(part) => (part.longest().div_ceil(time.ratio), part.span(), part.of(all)),
            None => (0, 0, all),
        }
    }
}

/// A program's own time, what was left out included.
fn own_time(spe: &Spe<'_>, time: &Time) -> SpuCycles {
    spe.core.time + time.skipped() * time.ratio
}
