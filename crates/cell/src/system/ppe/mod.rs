//! The PPE side of the machine.
//!
//! The PPE's two `threads` ask.  Accesses to main memory go through the caches (`walks`), those to SPEs' windows go over
//! the bus (`window`), and what comes back is in `arrivals`.  A system call is a list of steps (`syscall`), which the
//! `kernel` takes; `events` are what a thread can wait for in it.  An operating system has the whole machine for the
//! length of its turn (`supervisor`).

pub(super) mod arrivals;
mod events;
pub(super) mod kernel;
mod rules;
pub(super) mod supervisor;
mod syscall;
pub(super) mod threads;
pub(super) mod walks;
mod window;
