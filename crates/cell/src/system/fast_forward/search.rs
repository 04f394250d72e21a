//! Searches for a period at each mark of a program.

use super::anchor::{Anchor, Changes, Period, Search};
use super::capture::Whole;
use super::progress::{Progress, Runner, made_tours, marks_of_period, times_left};
use crate::snapshot::Snapshot;

/// A program has made a mark. Skips whole periods if the state has recurred.
pub(crate) fn marked(runner: Runner, search: &mut Option<Search>, machine: &mut Whole<'_, '_>) {
    if let Some(search) = search
        && !machine.wires.time.is_fixed()
    {
        search.marked(runner, machine);
    }
}

impl Search {
    /// A program has made a mark. Checks whether the state has recurred.
    fn marked(&mut self, runner: Runner, machine: &mut Whole<'_, '_>) {
        let progress = machine.progress();
        let leads = |leader| progress.iter().any(|p| Some(p.runner) == leader && p.marks > 0 && p.remaining > 1);
        let programs = progress.iter().filter(|program| program.marks > 0).count();
        if !leads(self.leader) {
            self.restart(Some(runner));
        } else if self.programs != programs {
            // No state from before a program's first mark can recur.
            self.restart(self.leader);
        }
        self.programs = programs;
        if self.leader != Some(runner) {
            return;
        }
        let omitted = if self.with_places { 0 } else { machine.bits_of_tours(&progress) };
        let recurred = match &self.anchor {
            Some(anchor) => {
                let long_enough = omitted == 0 || made_tours(&anchor.progress, &progress);
                // The phase of the memory refresh does not matter while the memory is idle.
                let same_phase = anchor.refresh_phase == machine.refresh_phase();
                let memory_idle = || anchor.counters.mics == machine.wires.probes.counters.mics;
                long_enough
                    && (same_phase || memory_idle())
                    && machine.capture(omitted, &mut self.scratch, Some(&anchor.snapshot))
            }
            None => false,
        };
        if recurred {
            self.recurred(omitted, progress, machine);
        } else if self.marks >= self.marks_max {
            self.marks_max = 2 * self.marks_max.max(1);
            self.drop_anchor(omitted, progress, None, machine);
        } else {
            self.marks += 1;
        }
    }

    fn drop_anchor(
        &mut self,
        omitted: u64,
        progress: Vec<Progress>,
        changes: Option<Changes>,
        machine: &mut Whole<'_, '_>,
    ) {
        let mut snapshot = Snapshot::default();
        machine.capture(omitted, &mut snapshot, None);
        machine.open_journals(omitted != 0);
        machine.wires.settle_counters();
        self.marks = 1;
        self.anchor = Some(Anchor {
            at: machine.wires.time.now(),
            refresh_phase: machine.refresh_phase(),
            snapshot,
            progress,
            counters: machine.wires.probes.counters.clone(),
            changes,
        });
    }

    fn recurred(&mut self, omitted: u64, progress: Vec<Progress>, machine: &mut Whole<'_, '_>) {
        let Some(anchor) = self.anchor.take() else { return };
        let changes = machine.changes();
        let goes_on = if omitted == 0 {
            changes.iter().all(Vec::is_empty) || anchor.changes.as_ref() == Some(&changes)
        } else {
            !machine.has_recorded()
        };
        if !goes_on {
            // The first tours fill the destinations. Programs that change bytes later, too, overwrite one another's.
            self.with_places |= omitted != 0 && anchor.changes.is_some();
            let omitted = if self.with_places { 0 } else { omitted };
            return self.drop_anchor(omitted, progress, Some(changes), machine);
        }
        let marks = marks_of_period(&anchor.progress, &progress);
        let bus_cycles = machine.wires.time.now() - anchor.at;
        let times = marks.as_ref().map_or(0, |marks| times_left(marks, &progress, self.leader));
        let times = times.min(machine.wires.time.bus_cycles_left() / bus_cycles.max(1));
        if times > 0 {
            let marks = marks.unwrap_or_default();
            machine.wires.settle_counters();
            let period = Period { bus_cycles, marks, counters_before: anchor.counters, changes };
            machine.skip(times, &period);
        }
        // The rest of the run is shorter than a period, or belongs to the next loop. Search for a new period.
        self.restart(None);
    }
}
