//! The state of the search for periods.

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
    /// Marks of the leader since the anchor was set.
    pub(super) marks: u64,
    /// The number of marks after which a new anchor is set.
    pub(super) marks_max: u64,
    pub(super) scratch: Snapshot,
}

/// A state that may recur.
pub(super) struct Anchor {
    pub at: BusCycle,
    pub refresh_phase: u64,
    pub snapshot: Snapshot,
    pub progress: Vec<Progress>,
    pub counters: Counters,
    /// The changes of the period that ended at this state, if any.
    pub changes: Option<Changes>,
}

/// One period of a run, to be skipped many times.
pub(super) struct Period {
    /// Length of the period.
    pub bus_cycles: BusCycle,
    /// Iterations of each program.
    pub marks: Vec<(Runner, u64)>,
    /// Counters at the start of the period.
    pub counters_before: Counters,
    /// The changes of words during the period.
    pub changes: Changes,
}

/// The changes of words, store by store: main memory, then the local stores.
pub(super) type Changes = Vec<Vec<LineChange>>;

impl Search {
    /// Starts a new search, with this leader.
    pub(super) fn restart(&mut self, leader: Option<Runner>) {
        *self = Search { leader, scratch: std::mem::take(&mut self.scratch), ..Search::default() };
    }
}
