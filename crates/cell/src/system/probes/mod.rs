//! Observers of the machine.  The machine does not depend on them.
//!
//! `set` is the set of probes, `measured` the part of a run that counts, `events` reports to a trace, and
//! `transfers` counts lines.  The counters are read in `wires::measure`, because that takes the whole bus.

mod events;
pub(super) mod measured;
pub(super) mod set;
mod transfers;
