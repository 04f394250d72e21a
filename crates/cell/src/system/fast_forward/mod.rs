//! Exact fast-forward: arithmetic replaces the simulation of repeated periods.
//!
//! ```text
//!   marks of the leader  ──m────m────m────m────m┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄m────m──> time
//!                               ├── period ────┼── n periods ──────┤
//!                             anchor       same state            skipped to
//! ```
//! At each mark of one program, the *leader*, the state of the whole machine relative to now (`capture`) is compared
//! with an earlier state, the *anchor* (`search`).  The search is Brent's method: the number of marks between anchors
//! doubles, so any period is found in time proportional to its length.  When the state recurs, all events in between
//! will recur too, as long as every program has iterations left (`progress`).  The clock, the counters, the programs'
//! iterations and the words in the stores are then all advanced by whole periods (`skip`), to exactly the state that
//! the simulation would have reached.
//!
//! The state does not contain the bytes in the stores.  If a period leaves every byte unchanged, the next period will
//! too.  If words changed, one more period is run, and the words must change by the same amounts.  Programs promise
//! with their marks that later periods do so too (see [`crate::door`]).

pub(super) mod anchor;
pub(super) mod capture;
pub(super) mod progress;
pub(super) mod search;
mod skip;
