//! Observers, which do not influence the machine.
//!
//! `set` is the set of probes, `measured` handles the measured part of a run, `events` reports to a trace, and
//! `transfers` counts lines, and `transfer_log` has rows of them. The counters are read in `wires::measure`, because a reading needs the whole bus.

mod events;
pub(super) mod measured;
pub(super) mod set;
pub(super) mod transfer_log;
mod transfers;
