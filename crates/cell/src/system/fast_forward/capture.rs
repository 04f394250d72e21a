//! The state of the whole machine.

use super::progress::{Progress, Runner};
use crate::snapshot::Snapshot;
use crate::system::bus::Bus;
use crate::system::memory::Memory;
use crate::system::processors::Processors;
use crate::system::wires::Wires;

/// The whole machine, at a program's mark.
pub(crate) struct Whole<'a, 'p> {
    pub wires: &'a mut Wires,
    pub memory: &'a mut Memory,
    pub processors: &'a mut Processors<'p>,
}

impl Whole<'_, '_> {
    /// Adds the whole state to `out`.  Stops and returns false as soon as the state differs from `like`.
    pub(super) fn capture(&self, out: &mut Snapshot, like: Option<&Snapshot>) -> bool {
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
        out.clear();
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
        let spes = spes.iter().map(|spe| (Runner::Spu(spe.id), spe.core.progress()));
        let threads = ppes.iter().flat_map(|ppe| (0..).zip(&ppe.threads).map(|(n, thread)| (ppe.chip, n, thread)));
        let ppes = threads.map(|(chip, n, thread)| (Runner::Ppe(chip, n), thread.core.progress()));
        let running = spes.chain(ppes).filter_map(|(runner, progress)| Some((runner, progress?)));
        running.map(|(runner, (marks, remaining))| Progress { runner, marks, remaining }).collect()
    }

    /// The phase of the memory's refresh.
    pub(super) fn refresh_phase(&self) -> u64 {
        self.memory.mics[0].refresh_phase(self.wires.time.bus_cycles())
    }
}
