//! Exact fast-forward: what a repeating run would do again is arithmetic.
//!
//! At each mark of one program, the *leader*, the state of the whole machine relative to now (`capture`) is
//! compared with an earlier one, the *anchor* (`search`: Brent's method; the anchor moves on at powers of two,
//! so any period is found in time proportional to it).  When the state comes back, so will everything
//! between, as long as every program has iterations left (`progress`): the clock, the counters, the programs'
//! iterations and the words in the stores all move on by whole periods, to the very same place (`skip`).
//!
//! The state does not contain the bytes in the stores.  If a period leaves every byte as it found it,
//! the next one will too.  If words moved, one more period is run, and they must move by the same
//! amounts: that programs keep to this is what they promise with their marks (see [`crate::door`]).

pub(super) mod anchor;
mod capture;
pub(super) mod progress;
pub(super) mod search;
mod skip;
