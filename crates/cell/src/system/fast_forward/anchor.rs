//! What the search for periods remembers.

use super::progress::{Progress, Runner};
use crate::counters::Counters;
use crate::snapshot::Snapshot;
use crate::store::LineChange;
use crate::units::BusCycle;

/// The search for periods.
#[derive(Default)]
pub(crate) struct Search {
    pub(super) leader: Option<Runner>,
    pub(super) anchor: Option<Anchor>,
    /// Marks of the leader since the anchor, and after how many it moves on.
    pub(super) marks: u64,
    pub(super) marks_max: u64,
    pub(super) scratch: Snapshot,
}

/// A state to come back to.
pub(super) struct Anchor {
    pub at: BusCycle,
    pub refresh_phase: u64,
    pub snapshot: Snapshot,
    pub progress: Vec<Progress>,
    pub counters: Counters,
    /// What the period that ended here changed, if one did.
    pub changes: Option<Changes>,
}

/// One period of a run, to be left out many times.
pub(super) struct Period {
    /// Its length.
    pub bus_cycles: BusCycle,
    /// Iterations of each program.
    pub marks: Vec<(Runner, u64)>,
    /// Counters at its start.
    pub counters_before: Counters,
    /// How far words moved.
    pub changes: Changes,
}

/// How far words moved, store by store: main memory, then the local stores.
pub(super) type Changes = Vec<Vec<LineChange>>;

impl Search {
    /// Begins anew.
    pub(super) fn restart(&mut self, leader: Option<Runner>) {
        *self = Search { leader, scratch: std::mem::take(&mut self.scratch), ..Search::default() };
    }
}
