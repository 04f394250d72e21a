//! The skip: advances the whole machine by whole periods.

use super::anchor::{Changes, Period};
use super::capture::Whole;
use super::progress::Runner;
use crate::store::Store;
use std::iter::once;

impl Whole<'_, '_> {
    /// Skips `times` periods, in which the clock, programs, counters and words all change by the same amounts.
    pub(super) fn skip(&mut self, times: u64, period: &Period) {
        let Period { bus_cycles, marks, counters_before, changes } = period;
        let now = self.wires.time.now();
        self.wires.time.skip(times * bus_cycles);
        self.wires.probes.traced(|trace| trace.skipped(now - bus_cycles, times * bus_cycles));
        for (runner, marks) in marks {
            *self.skip_of(*runner) += times * marks;
        }
        self.wires.probes.counters.repeat(counters_before, times);
        for (store, changes) in self.stores_mut().zip(changes) {
            store.repeat(changes, times);
        }
    }

    /// Number of iterations that a program must still skip.
    pub(crate) fn skip_of(&mut self, runner: Runner) -> &mut u64 {
        match runner {
            Runner::Spu(spe) => &mut self.processors.spe(spe).core.skip,
            Runner::Ppe(chip, thread) => &mut self.processors.ppe(chip).threads[thread].core.skip,
        }
    }

    /// Opens the journals of all stores. A journal that is already open is emptied.
    pub(super) fn open_journals(&mut self, of_changes: bool) {
        self.stores_mut().for_each(|store| store.open_journal(of_changes));
    }

    /// The changes of each store since the journals were opened.
    pub(super) fn changes(&self) -> Changes {
        self.stores().map(Store::changes).collect()
    }

    /// Whether any store's journal has a line.
    pub(super) fn has_recorded(&self) -> bool {
        self.stores().any(Store::has_recorded)
    }

    fn stores(&self) -> impl Iterator<Item = &Store> {
        once(&self.memory.store).chain(self.processors.spes.iter().map(|spe| &spe.local_store))
    }

    fn stores_mut(&mut self) -> impl Iterator<Item = &mut Store> {
        once(&mut self.memory.store).chain(self.processors.spes.iter_mut().map(|spe| &mut spe.local_store))
    }
}
