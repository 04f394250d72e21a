//! The end of a run: who has not ended, and the record.

use super::System;
use crate::door::Op;
use crate::processor::State;
use crate::record::{Record, SCHEMA_VERSION, ThreadRecord};

impl System<'_> {
    /// Who has not ended, and what each waits for.
    pub(super) fn waiting(&self) -> Vec<String> {
        let ppe = self.ppe.waiting().map(|what| format!("PPE {what}"));
        let spes = self.spes.iter().enumerate().filter(|(_, spe)| spe.core.is_running()).map(|(n, spe)| {
            let what = match spe.core.state {
                State::Blocked(Op::Read(channel)) => format!("waits to read {channel}"),
                State::Blocked(Op::Write(channel, _)) => format!("waits to write {channel}"),
                _ => "is running".to_string(),
            };
            format!("SPE {n} {what}")
        });
        ppe.into_iter().chain(spes).collect()
    }

    /// What the run leaves behind.
    pub(super) fn record(&mut self) -> Record {
        self.settle_counters();
        self.counters.bus_cycles = self.bus_cycles();
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
            threads: threads.collect(),
            counters: self.counters.clone(),
            transfers: self.transfers.take(),
        }
    }
}
