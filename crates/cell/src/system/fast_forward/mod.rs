//! Exact fast-forward: arithmetic replaces the simulation of repeated periods.
//!
//! ```text
//!   marks of the leader  ──m────m────m────m────m┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄m────m──> time
//!                               ├── period ────┼── n periods ──────┤
//!                             anchor       same state            skipped to
//! ```
//! One of the programs is the *leader*. At each of the leader's marks, the state of the whole machine relative to now
//! (`capture`) is compared with an earlier state, the *anchor* (`search`). The search is Brent's method: the number of
//! marks between anchors doubles, so any period is found in time proportional to its length. Once the state recurs,
//! all events since the anchor will also recur, as long as every program has iterations left (`progress`).
//! Fast-forward then advances the clock, the counters, the programs' iterations and the words in the stores by whole
//! periods (`skip`), to exactly the state that the simulation would have reached.
//!
//! The state does not contain the bytes in the stores. If a period leaves every byte unchanged, the next period will
//! also leave every byte unchanged. If words changed, one more period is simulated, and the words must change by the
//! same amounts. By making marks, programs promise that the words change by these amounts in later periods too (see
//! [`crate::door`]).

pub(super) mod anchor;
pub(super) mod capture;
pub(super) mod progress;
pub(super) mod search;
pub(super) mod settling;
mod skip;
