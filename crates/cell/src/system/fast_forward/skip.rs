//! The skip: everything moves on by whole periods.

use super::anchor::{Changes, Period};
use super::progress::Runner;
use crate::store::Store;
use crate::system::parts::System;
use std::iter::once;

impl System<'_> {
    /// Leaves out `times` periods of `period`, in which programs, counters and words moved as given.
    pub(super) fn leave_out(&mut self, times: u64, period: &Period) {
        let Period { bus_cycles, marks, counters_before, changes } = period;
        let now = self.time.now();
        self.time.skip(times * bus_cycles);
        self.probes.traced(|trace| trace.left_out(now - bus_cycles, times * bus_cycles));
        for (runner, marks) in marks {
            *self.skip_of(*runner) += times * marks;
        }
        self.probes.counters.repeat(counters_before, times);
        for (store, changes) in self.stores_mut().zip(changes) {
            store.repeat(changes, times);
        }
    }

    /// Iterations that a program has yet to be told to leave out.
    pub(super) fn skip_of(&mut self, runner: Runner) -> &mut u64 {
        match runner {
            Runner::Spu(spe) => &mut self.processors.spe(spe).core.skip,
            Runner::Ppe(thread) => &mut self.processors.ppe.threads[usize::from(thread)].core.skip,
        }
    }

    /// Brings the counters up to date.
    pub(super) fn settle_counters(&mut self) {
        self.probes.settle(&self.board, &self.time, &self.bus);
    }

    /// Opens, or opens again, the journals of all stores.
    pub(super) fn open_journals(&mut self) {
        self.stores_mut().for_each(Store::open_journal);
    }

    /// What changed in each store since the journals were opened.
    pub(super) fn changes(&self) -> Changes {
        let local_stores = self.processors.spes.iter().map(|spe| &spe.local_store);
        once(&self.memory.store).chain(local_stores).map(Store::changes).collect()
    }

    fn stores_mut(&mut self) -> impl Iterator<Item = &mut Store> {
        once(&mut self.memory.store).chain(self.processors.spes.iter_mut().map(|spe| &mut spe.local_store))
    }
}
