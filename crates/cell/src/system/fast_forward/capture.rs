//! The state of the whole machine.

use super::progress::{Progress, Runner};
use crate::snapshot::Snapshot;
use crate::system::bus::Bus;
use crate::system::memory::Memory;
use crate::system::parts::System;
use crate::system::processors::Processors;

impl System<'_> {
    /// Adds the whole state to `out`, unless it turns out to differ from `like` on the way.
    pub(super) fn capture(&self, out: &mut Snapshot, like: Option<&Snapshot>) -> bool {
        let System {
            // Does not change.
            board: _,
            time,
            bus: Bus { requests, concentrators, data, bif },
            // Stores keep journals.
            memory: Memory { mics, store: _ },
            // An operating system's programs make no marks.
            processors: Processors { spes, ppe, contexts: _, pages: _ },
            // Nothing depends on them, but for what they tell.
            probes,
            // Looks at the state.
            fast_forward: _,
        } = self;
        let (now, ratio, pool) = (time.now(), time.ratio, requests.pool());
        out.clear();
        spes.iter().for_each(|spe| spe.rank_commands(out));
        for spe in spes {
            // A trace, too, tells when a command that is still here was given.
            spe.capture(now, ratio, probes.tell_ages_of_commands(), out);
            requests.capture_visits(spe.id, spe.lookahead, now, out);
            if like.is_some_and(|like| !out.is_prefix_of(like)) {
                return false;
            }
        }
        ppe.capture(now, ratio, out);
        concentrators.iter().for_each(|commands| commands.capture(now, pool, out));
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

    /// Programs that run, each with its marks and what it has left.
    pub(super) fn progress(&self) -> Vec<Progress> {
        let Processors { spes, ppe, contexts: _, pages: _ } = &self.processors;
        let spes = spes.iter().map(|spe| (Runner::Spu(spe.id), spe.core.progress()));
        let ppe = (0..).zip(&ppe.threads).map(|(n, thread)| (Runner::Ppe(n), thread.core.progress()));
        let running = spes.chain(ppe).filter_map(|(runner, progress)| Some((runner, progress?)));
        running.map(|(runner, (marks, remaining))| Progress { runner, marks, remaining }).collect()
    }

    /// Where the memory's refresh stands.
    pub(super) fn refresh_phase(&self) -> u64 {
        self.memory.mics[0].refresh_phase(self.time.bus_cycles())
    }
}
