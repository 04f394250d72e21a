//! System calls for threads.

pub(crate) mod clone;
pub(crate) mod exit;
pub mod futex;
pub(crate) mod pi;
pub mod sched;
