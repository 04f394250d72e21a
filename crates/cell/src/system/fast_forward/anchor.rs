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
    /// Number of programs that have made marks.
    pub(super) programs: usize,
    /// Number of marks that the leader has made since the anchor was set.
    pub(super) marks: u64,
    /// Number of marks after which the search sets a new anchor.
    pub(super) marks_max: u64,
    /// Whether the search compares local-store addresses even if all programs make tours.
    pub(super) with_places: bool,
    pub(super) scratch: Snapshot,
}

/// A state that may recur.
pub(super) struct Anchor {
    pub at: BusCycle,
    pub refresh_phase: u64,
    pub snapshot: Snapshot,
    pub progress: Vec<Progress>,
    pub counters: Counters,
    /// The changes in the period that ended at this state; `None` before the first such period.
    pub changes: Option<Changes>,
}

/// One period of a run, which fast-forward skips many times.
pub(super) struct Period {
    /// Length of the period.
    pub bus_cycles: BusCycle,
    /// Iterations of each program.
    pub marks: Vec<(Runner, u64)>,
    /// Counters at the start of the period.
    pub counters_before: Counters,
    /// The changes of memory words during the period.
    pub changes: Changes,
}

/// The changes of memory words for each store: main memory first, then the local stores.
pub(super) type Changes = Vec<Vec<LineChange>>;

impl Search {
    /// Starts a new search with the program of `leader` as the leader.
    pub(super) fn restart(&mut self, leader: Option<Runner>) {
        *self = Search { leader, scratch: std::mem::take(&mut self.scratch), ..Search::default() };
    }
}
