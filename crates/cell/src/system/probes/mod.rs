//! Observers of the machine, on which nothing in it depends: the `set` of probes, counters of queues
//! (`settle`), the part of a run that is `measured`, `transfers`, and `notes` for a trace.

mod measured;
mod notes;
pub(super) mod set;
mod settle;
mod transfers;
