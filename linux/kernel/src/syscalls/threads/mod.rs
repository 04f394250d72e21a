//! System calls for threads.

pub mod clone;
pub mod exit;
pub mod futex;
pub mod pi;
pub mod sched;
