//! The end of a run: who has not ended, and the record.

use super::System;
use crate::counters::Counters;
use crate::door::Op;
use crate::processor::State;
use crate::record::{Record, SCHEMA_VERSION, ThreadRecord};
use crate::units::{BusCycle, SpeId, SpuCycles};

/// The part of a run in which all programs measure, and what was counted by its two ends.
pub(crate) struct MeasuredPart {
    /// Programs that are yet to begin.
    missing: usize,
    from: Option<Counters>,
    to: Option<Counters>,
    /// One has ended before all had begun.
    missed: bool,
    /// When each SPE's program began, and the longest that one took.
    began: Vec<SpuCycles>,
    longest: SpuCycles,
}

impl System<'_> {
    /// Lets the record count only what happens while all of so many programs measure: from the last of
    /// their first writes to the decrementer until the first of them reads it.  If there is no such time,
    /// everything counts.
    pub fn count_measured_part(&mut self, programs: usize) {
        let began = vec![0; self.spes.len()];
        self.measured_part =
            Some(MeasuredPart { missing: programs, from: None, to: None, missed: false, began, longest: 0 });
    }

    /// A program has written its decrementer.
    pub(super) fn begins_to_measure(&mut self, id: SpeId) {
        if let Some(mut part) = self.measured_part.take() {
            part.began[usize::from(id.0)] = self.spu_time(id);
            part.missing = part.missing.saturating_sub(1);
            if part.missing == 0 && part.from.is_none() {
                part.from = Some(self.counted());
            }
            self.measured_part = Some(part);
        }
    }

    /// A program has read its decrementer.
    pub(super) fn ends_to_measure(&mut self, id: SpeId) {
        if let Some(mut part) = self.measured_part.take() {
            part.longest = part.longest.max(self.spu_time(id) - part.began[usize::from(id.0)]);
            part.missed |= part.from.is_none();
            if part.to.is_none() {
                part.to = Some(self.counted());
            }
            self.measured_part = Some(part);
        }
    }

    /// A program's own time, what was left out included.
    fn spu_time(&self, id: SpeId) -> SpuCycles {
        self.spes[usize::from(id.0)].core.time + self.skipped * self.ratio
    }

    /// The longest that a program took between its write to the decrementer and its read, if these were looked at.
    fn longest_measured(&self) -> BusCycle {
        self.measured_part.as_ref().map_or(0, |part| part.longest.div_ceil(self.ratio))
    }

    /// All that was counted until now.
    fn counted(&mut self) -> Counters {
        self.settle_counters();
        Counters { bus_cycles: self.bus_cycles(), ..self.counters.clone() }
    }

    fn record_counters(&mut self) -> Counters {
        let all = self.counted();
        match self.measured_part.take() {
            Some(MeasuredPart { from: Some(from), to: Some(to), missed: false, .. }) => {
                // Maxima and latencies have gone on meanwhile.
                Counters { latencies: all.latencies, ..to.since(&from) }
            }
            _ => all,
        }
    }

    /// Who has not ended, and what each waits for.
    pub(super) fn waiting(&self) -> Vec<String> {
        let spes = self.spes.iter().enumerate().filter(|(_, spe)| spe.core.is_running()).map(|(n, spe)| {
            let what = match spe.core.state {
                State::Blocked(Op::Read(channel)) => format!("waits to read {channel}"),
                State::Blocked(Op::Write(channel, _)) => format!("waits to write {channel}"),
                _ => "is running".to_string(),
            };
            let place = spe.program.as_ref().and_then(|program| program.place());
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            format!("SPE {n} {what}{place}")
        });
        self.ppe.waiting().chain(spes).collect()
    }

    /// What the run leaves behind.
    pub(super) fn record(&mut self) -> Record {
        let measured_bus_cycles = self.longest_measured();
        let counters = self.record_counters();
        let placement = &self.placement;
        let threads = placement.threads().filter_map(|(thread, spe)| {
            let unit = &self.spes[spe.0 as usize];
            let State::Stopped(stop_code) = unit.core.state else { return None };
            let stopped_at_spu_cycle = unit.stopped_at_spu_cycle;
            Some(ThreadRecord { thread: thread.0, spe: spe.0, stop_code, stopped_at_spu_cycle })
        });
        Record {
            schema: SCHEMA_VERSION,
            machine: self.machine.name.clone(),
            machine_hash: self.machine.hash(),
            bus_cycles: self.bus_cycles(),
            measured_bus_cycles,
            threads: threads.collect(),
            counters,
            transfers: self.transfers.take(),
        }
    }
}
