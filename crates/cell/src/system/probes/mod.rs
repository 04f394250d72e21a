//! Observers of the machine, on which nothing in it depends.
//!
//! `set` is the set of probes, `measured` the part of a run that counts, `events` reports to a trace, and
//! `transfers` counts lines.  Reading the counters takes the whole bus: see `wires::measure`.

mod events;
pub(super) mod measured;
pub(super) mod set;
mod transfers;
