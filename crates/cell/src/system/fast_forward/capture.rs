//! The state of the whole machine.

use super::progress::{Progress, Runner};
use crate::snapshot::Snapshot;
use crate::system::bus::Bus;
use crate::system::memory::Memory;
use crate::system::processors::Processors;
use crate::system::wires::Wires;
use crate::units::LINE_BYTES;

/// The whole machine, at a program's mark.
pub(crate) struct Whole<'a, 'p> {
    pub wires: &'a mut Wires,
    pub memory: &'a mut Memory,
    pub processors: &'a mut Processors<'p>,
}

impl Whole<'_, '_> {
    /// Adds the whole state to `out`, but not the `omitted` bits of local-store addresses. Stops and returns false as
    /// soon as the state differs from `like`.
    pub(super) fn capture(&self, omitted: u64, out: &mut Snapshot, like: Option<&Snapshot>) -> bool {
        let Whole { wires, memory, processors } = self;
        let Wires {
            // Does not change.
            board: _,
            time,
            // `snooping_spes` only saves look-ups.
            bus: Bus { requests, concentrators, credits, data, bif, snooping_spes: _ },
            // The machine does not depend on the probes, but the probes report ages of commands.
            probes,
        } = &**wires;
        // The bytes in memory are compared through journals, not in the snapshot.
        let Memory { mics, store: _ } = &**memory;
        // An operating system's programs make no marks.
        let Processors { spes, ppes, contexts: _, pages: _ } = &**processors;
        let (now, ratio, pool) = (time.now(), time.ratio, requests.pool());
        out.begin(omitted);
        spes.iter().for_each(|spe| spe.rank_commands(out));
        for spe in spes {
            spe.capture(now, ratio, probes.report_ages_of_commands(), out);
            requests.capture_visits(spe.id, spe.lookahead, now, out);
            if like.is_some_and(|like| !out.is_prefix_of(like)) {
                return false;
            }
        }
        ppes.iter().for_each(|ppe| ppe.capture(now, ratio, out));
        concentrators.iter().for_each(|commands| commands.capture(now, pool, out));
        credits.capture(out);
        for (data, mic) in data.iter().zip(mics) {
            data.capture(now, pool, out);
            mic.capture(now, pool, out);
        }
        if mics.len() > 1 {
            bif.capture(now, pool, out);
        }
        time.capture(requests, out);
        like.is_none_or(|like| out == like)
    }

    /// The progress of each running program.
    pub(super) fn progress(&self) -> Vec<Progress> {
        let Processors { spes, ppes, contexts: _, pages: _ } = &*self.processors;
        let spes = spes.iter().filter_map(|spe| Progress::of(Runner::Spu(spe.id), &spe.core, spe.tour()));
        let threads = ppes.iter().flat_map(|ppe| (0..).zip(&ppe.threads).map(|(n, thread)| (ppe.chip, n, thread)));
        let ppes = threads.filter_map(|(chip, n, thread)| Progress::of(Runner::Ppe(chip, n), &thread.core, 1));
        spes.chain(ppes).collect()
    }

    /// The bits that distinguish the local-store addresses of a tour's iterations. The value is 0 unless all programs
    /// with marks make tours.
    pub(super) fn bits_of_tours(&self, progress: &[Progress]) -> u64 {
        let tours = progress.iter().all(|program| program.marks == 0 || program.tour > 1);
        // A trace shows the addresses.
        if !tours || self.wires.probes.trace.is_some() {
            return 0;
        }
        let machine = &self.wires.board.machine;
        let bytes = machine.translation.function_page_bytes.min(machine.mfc.local_store_bytes);
        (u64::from(bytes) - 1) & !(LINE_BYTES - 1)
    }

    /// The phase of the memory's refresh.
    pub(super) fn refresh_phase(&self) -> u64 {
        self.memory.mics[0].refresh_phase(self.wires.time.bus_cycles())
    }
}
