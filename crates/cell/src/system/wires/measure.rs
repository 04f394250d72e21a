//! Reads the counters: at the end of a run, at both ends of the measured part, and when exact fast-forward compares two
//! moments.

use super::Wires;
use crate::channel::Channel;
use crate::counters::Counters;
use crate::door::Op;
use crate::eib::CommandNetwork;
use crate::system::probes::set::Probes;
use crate::trace::{TRACE_SCHEMA_VERSION, Trace, Trigger};
use crate::units::{BusCycle, SpeId, SpuCycles};

impl Wires {
    /// Brings the counters up to date. Between calls, a queue's counters are updated only when the queue changes.
    pub fn settle_counters(&mut self) {
        let Wires { board, time, bus, probes } = self;
        let (now, topology) = (time.now(), &board.topology);
        let Probes { counters, occupancy, .. } = probes;
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

    /// Brings all counters up to date and returns a copy.
    fn counted(&mut self) -> Counters {
        self.settle_counters();
        Counters { bus_cycles: self.time.bus_cycles(), ..self.probes.counters.clone() }
    }

    /// The program of an SPE is about to receive an answer at SPU cycle `at` of the program's own time. A measurement
    /// begins with a write to the decrementer, and ends with a read of the decrementer.
    #[inline]
    pub fn asked(&mut self, op: Op, spe: SpeId, at: SpuCycles) {
        match op {
            Op::Write(Channel::WR_DEC, _) => self.begins_to_measure(spe, at),
            Op::Read(Channel::RD_DEC) => self.ends_to_measure(spe, at),
            _ => (),
        }
    }

    #[cold]
    fn begins_to_measure(&mut self, spe: SpeId, at: SpuCycles) {
        if let Some(mut part) = self.probes.measured_part.take() {
            part.begins(spe, self.since_start(at), || self.counted());
            self.probes.measured_part = Some(part);
        }
        self.probes.trigger(Trigger::Decrementer, &mut self.time);
    }

    #[cold]
    fn ends_to_measure(&mut self, spe: SpeId, at: SpuCycles) {
        if let Some(mut part) = self.probes.measured_part.take() {
            part.ends(spe, self.since_start(at), || self.counted());
            self.probes.measured_part = Some(part);
        }
    }

    /// Converts an SPU cycle of the calendar to SPU cycles since the start of the run, including skipped cycles.
    pub fn since_start(&self, at: SpuCycles) -> SpuCycles {
        at + self.time.skipped() * self.time.ratio
    }

    /// Returns the longest measurement by a single program in bus cycles, the SPU cycles from the beginning of the
    /// first measurement to the end of the last measurement, and the counters. The counters cover the measured part,
    /// or the whole run if there is no measured part.
    pub fn take_counters(&mut self) -> (BusCycle, SpuCycles, Counters) {
        let all = self.counted();
        match self.probes.measured_part.take() {
            Some(part) => (part.longest().div_ceil(self.time.ratio), part.span(), part.of(all)),
            None => (0, 0, all),
        }
    }

    /// The trace of the window up to now, if the window has begun.
    pub fn trace(&self) -> Option<Trace> {
        let Wires { board, time, bus, probes } = self;
        let trace = probes.trace.as_ref()?.trace(time.now(), time.skipped())?;
        let (machine, eib) = (&board.machine, &board.machine.eib);
        let clockwise = (0..eib.clockwise_rings).map(|_| "clockwise");
        let rings = clockwise.chain((0..eib.counterclockwise_rings).map(|_| "counterclockwise"));
        Some(Trace {
            schema: TRACE_SCHEMA_VERSION,
            machine: machine.name.clone(),
            machine_hash: machine.hash(),
            bus_hz: machine.bus_hz(),
            beats: bus.data[0].beats(),
            hop_bus_cycles: eib.hop_bus_cycles,
            spu_cycles_per_bus_cycle: time.ratio,
            chips: machine.bif.chips,
            memory_channels: machine.bif.chips * machine.mic.channels,
            elements: board.topology.names(),
            rings: (0..board.chips()).flat_map(|_| rings.clone()).collect(),
            ..trace
        })
    }
}
