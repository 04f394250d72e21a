//! Exact fast-forward: what a repeating run would do again is arithmetic.
//!
//! At each mark of one program, the *leader*, the state of the whole machine relative to now is
//! compared with an earlier one, the *anchor* (Brent's method: the anchor moves on at powers of two,
//! so any period is found in time proportional to it).  When the state comes back, so will everything
//! between, as long as every program has iterations left: the clock, the counters, the programs'
//! iterations and the words in the stores all move on by whole periods, to the very same place.
//!
//! The state does not contain the bytes in the stores.  If a period leaves every byte as it found it,
//! the next one will too.  If words moved, one more period is run, and they must move by the same
//! amounts: that programs keep to this is what they promise with their marks (see [`crate::door`]).

use super::System;
use crate::counters::Counters;
use crate::snapshot::Snapshot;
use crate::store::LineChange;
use crate::units::{BusCycle, SpeId};

/// Who makes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runner {
    /// The program on an SPU.
    Spu(SpeId),
    /// The program on a thread of the PPE.
    Ppe(u8),
}

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    /// Whose.
    pub runner: Runner,
    /// Marks made.
    pub marks: u64,
    /// Iterations left at the last mark, the one that began there included.
    pub remaining: u64,
}

/// One period of a run, to be left out many times.
pub(crate) struct Period {
    /// Its length.
    pub bus_cycles: BusCycle,
    /// Iterations of each program.
    pub marks: Vec<(Runner, u64)>,
    /// Counters at its start.
    pub counters_before: Counters,
    /// How far words moved, store by store.
    pub changes: Vec<Vec<LineChange>>,
}

/// A state to come back to.
struct Anchor {
    at: BusCycle,
    refresh_phase: u64,
    snapshot: Snapshot,
    progress: Vec<Progress>,
    counters: Counters,
    /// What the period that ended here changed, if one did.
    changes: Option<Vec<Vec<LineChange>>>,
}

/// The search for periods.
#[derive(Default)]
pub(crate) struct FastForward {
    leader: Option<Runner>,
    anchor: Option<Anchor>,
    /// Marks of the leader since the anchor, and after how many it moves on.
    marks: u64,
    marks_max: u64,
    scratch: Snapshot,
}

impl FastForward {
    /// A program has made a mark: perhaps the state has come back.
    pub fn marked(&mut self, runner: Runner, system: &mut System<'_>) {
        let progress = system.progress();
        let leads = |leader| progress.iter().any(|p| Some(p.runner) == leader && p.marks > 0 && p.remaining > 1);
        if !leads(self.leader) {
            *self = FastForward { leader: Some(runner), scratch: std::mem::take(&mut self.scratch), ..Self::default() };
        }
        if self.leader != Some(runner) {
            return;
        }
        let came_back = match &self.anchor {
            Some(anchor) => {
                // Where the refresh stands is of no consequence as long as nobody uses the memory.
                let same_phase = anchor.refresh_phase == system.refresh_phase();
                let memory_idle = || anchor.counters.mics == system.counters().mics;
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

    fn drop_anchor(&mut self, progress: Vec<Progress>, changes: Option<Vec<Vec<LineChange>>>, system: &mut System<'_>) {
        let mut snapshot = Snapshot::default();
        system.capture(&mut snapshot, None);
        system.open_journals();
        system.settle_counters();
        let (at, counters, refresh_phase) = (system.calendar_time(), system.counters().clone(), system.refresh_phase());
        self.marks = 1;
        self.anchor = Some(Anchor { at, refresh_phase, snapshot, progress, counters, changes });
    }

    fn came_back(&mut self, progress: Vec<Progress>, system: &mut System<'_>) {
        let Some(anchor) = self.anchor.take() else { return };
        let changes = system.changes();
        let nothing_moved = changes.iter().all(Vec::is_empty);
        if !nothing_moved && anchor.changes.as_ref() != Some(&changes) {
            return self.drop_anchor(progress, Some(changes), system);
        }
        let marks = marks_of_period(&anchor.progress, &progress);
        let bus_cycles = system.calendar_time() - anchor.at;
        let times = marks.as_ref().map_or(0, |marks| times_left(marks, &progress, self.leader));
        let times = times.min(system.bus_cycles_left() / bus_cycles.max(1));
        if times > 0 {
            let marks = marks.unwrap_or_default();
            system.settle_counters();
            let period = Period { bus_cycles, marks, counters_before: anchor.counters, changes };
            system.leave_out(times, &period);
        }
        // What is left is less than a period, or belongs to the next loop: look for a new one.
        *self = FastForward { scratch: std::mem::take(&mut self.scratch), ..Self::default() };
    }
}

/// Iterations of each program between two states; `None` unless both lie in the same loops.
fn marks_of_period(before: &[Progress], after: &[Progress]) -> Option<Vec<(Runner, u64)>> {
    if before.len() != after.len() {
        return None;
    }
    let pairs = before.iter().zip(after);
    pairs
        .map(|(b, a)| {
            let marks = a.marks - b.marks;
            (a.runner == b.runner && a.remaining + marks == b.remaining).then_some((a.runner, marks))
        })
        .collect()
}

/// How many periods every program can leave out and still have an iteration to run.
///
/// The leader stands at its mark and can be told now; the others will be at their next mark, by then
/// with one iteration fewer.
fn times_left(marks: &[(Runner, u64)], progress: &[Progress], leader: Option<Runner>) -> u64 {
    let each = marks.iter().zip(progress).filter(|((_, marks), _)| *marks > 0).map(|((runner, marks), progress)| {
        let reserved = if Some(*runner) == leader { 1 } else { 2 };
        progress.remaining.saturating_sub(reserved).min(u64::from(u32::MAX)) / marks
    });
    each.min().unwrap_or(0)
}
