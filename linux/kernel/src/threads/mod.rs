//! Threads: the scheduler, futexes, and the signals that are sent to threads.

pub mod deliver;
pub mod futex;
pub mod robust;
pub mod scheduler;
pub mod send;
pub mod thread;
