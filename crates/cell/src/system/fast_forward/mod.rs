//! Exact fast-forward: a run that repeats itself is skipped by arithmetic.
//!
//! ```text
//!   marks of the leader  ──m────m────m────m────m┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄m────m──> time
//!                               ├── period ────┼── n periods ──────┤
//!                             anchor       same state            skipped to
//! ```
//! At each mark of one program, the *leader*, the state of the whole machine relative to now (`capture`) is
//! compared with an earlier one, the *anchor* (`search`: Brent's method; the anchor moves on at powers of two,
//! so any period is found in time proportional to it).  When the state recurs, everything in between will recur too,
//! as long as every program has iterations left (`progress`).  The clock, the counters, the programs'
//! iterations and the words in the stores then all move on by whole periods (`skip`), to exactly where the simulation
//! would have arrived.
//!
//! The state does not contain the bytes in the stores.  If a period leaves every byte as it found it,
//! the next one will too.  If words moved, one more period is run, and they must move by the same
//! amounts.  Programs promise with their marks that later periods do the same (see [`crate::door`]).

pub(super) mod anchor;
pub(super) mod capture;
pub(super) mod progress;
pub(super) mod search;
mod skip;
