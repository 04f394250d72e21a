//! The search for a period, at each mark of a program.

use super::anchor::{Anchor, Changes, Period, Search};
use super::progress::{Progress, Runner, marks_of_period, times_left};
use crate::snapshot::Snapshot;
use crate::system::parts::System;

/// A program has made a mark; how many of its iterations it is to leave out.
pub(crate) fn marked(runner: Runner, system: &mut System<'_>) -> u64 {
    if !system.time.is_fixed()
        && let Some(mut search) = system.fast_forward.take()
    {
        search.marked(runner, system);
        system.fast_forward = Some(search);
    }
    std::mem::take(system.skip_of(runner))
}

impl Search {
    /// A program has made a mark: perhaps the state has come back.
    fn marked(&mut self, runner: Runner, system: &mut System<'_>) {
        let progress = system.progress();
        let leads = |leader| progress.iter().any(|p| Some(p.runner) == leader && p.marks > 0 && p.remaining > 1);
        if !leads(self.leader) {
            self.restart(Some(runner));
        }
        if self.leader != Some(runner) {
            return;
        }
        let came_back = match &self.anchor {
            Some(anchor) => {
                // Where the refresh stands is of no consequence as long as nobody uses the memory.
                let same_phase = anchor.refresh_phase == system.refresh_phase();
                let memory_idle = || anchor.counters.mics == system.probes.counters.mics;
                (same_phase || memory_idle()) && system.capture(&mut self.scratch, Some(&anchor.snapshot))
            }
            None => false,
        };
        if came_back {
            self.came_back(progress, system);
        } else if self.marks >= self.marks_max {
            self.marks_max = 2 * self.marks_max.max(1);
            self.drop_anchor(progress, None, system);
        } else {
            self.marks += 1;
        }
    }

    fn drop_anchor(&mut self, progress: Vec<Progress>, changes: Option<Changes>, system: &mut System<'_>) {
        let mut snapshot = Snapshot::default();
        system.capture(&mut snapshot, None);
        system.open_journals();
        system.settle_counters();
        self.marks = 1;
        self.anchor = Some(Anchor {
            at: system.time.now(),
            refresh_phase: system.refresh_phase(),
            snapshot,
            progress,
            counters: system.probes.counters.clone(),
            changes,
        });
    }

    fn came_back(&mut self, progress: Vec<Progress>, system: &mut System<'_>) {
        let Some(anchor) = self.anchor.take() else { return };
        let changes = system.changes();
        let nothing_moved = changes.iter().all(Vec::is_empty);
        if !nothing_moved && anchor.changes.as_ref() != Some(&changes) {
            return self.drop_anchor(progress, Some(changes), system);
        }
        let marks = marks_of_period(&anchor.progress, &progress);
        let bus_cycles = system.time.now() - anchor.at;
        let times = marks.as_ref().map_or(0, |marks| times_left(marks, &progress, self.leader));
        let times = times.min(system.time.bus_cycles_left() / bus_cycles.max(1));
        if times > 0 {
            let marks = marks.unwrap_or_default();
            system.settle_counters();
            let period = Period { bus_cycles, marks, counters_before: anchor.counters, changes };
            system.leave_out(times, &period);
        }
        // What is left is less than a period, or belongs to the next loop: look for a new one.
        self.restart(None);
    }
}
