//! The end of a run: the list of programs that have not ended, and the record.

use super::fast_forward::settling::Settling;
use super::parts::System;
use super::probes::transfer_log::TransferLog;
use super::processors::ppe::Ppe;
use crate::processor::State;
use crate::record::{Record, SCHEMA_VERSION, ThreadRecord};

impl System<'_> {
    /// A text line for each program that has not ended, with the reason for its wait.
    pub(super) fn waiting(&self) -> Vec<String> {
        let running = self.processors.spes.iter().filter(|spe| spe.core.is_running());
        let spes = running.map(|spe| {
            let what = spe.doing();
            let at = spe.program.as_ref().and_then(|program| program.place());
            let at = at.map_or_else(String::new, |at| format!(" at {at}"));
            let dma = if spe.mfc.waits_for_page() { ", and its DMA for a context that is on no SPE" } else { "" };
            format!("SPE {} {what}{at}{dma}", spe.id.0)
        });
        self.processors.ppes.iter().flat_map(Ppe::waiting).chain(spes).collect()
    }

    /// The record of the run. After a run that failed, the record has what was counted until then.
    pub fn record(&mut self) -> Record {
        let System { wires, processors, settling, .. } = self;
        let threads = wires.board.placement.threads().filter_map(|(thread, id)| {
            let spe = processors.spe(id);
            let State::Stopped(stop_code) = spe.core.state else { return None };
            let stopped_at_spu_cycle = spe.stopped_at_spu_cycle;
            Some(ThreadRecord { thread: thread.0, spe: id.0, stop_code, stopped_at_spu_cycle })
        });
        let threads = threads.collect();
        let (measured_bus_cycles, measured_span_spu_cycles, counters) = wires.take_counters();
        Record {
            schema: SCHEMA_VERSION,
            machine: wires.board.machine.name.clone(),
            machine_hash: wires.board.machine.hash(),
            bus_cycles: wires.time.bus_cycles(),
            measured_bus_cycles,
            measured_span_spu_cycles,
            settling: settling.take().map(Settling::into_record),
            threads,
            counters,
            transfers: wires.probes.transfers.take().and_then(TransferLog::into_record),
        }
    }
}
