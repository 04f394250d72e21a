//! Threads: their beginning, their end, and what they use to wait for each other.

pub mod clone;
pub mod exit;
pub mod futex;
pub mod futex_calls;
mod pi;
mod robust;
pub mod sched;
