//! The PPE side of the machine.
//!
//! Programs on the PPE's two `threads` ask questions.  Accesses to main memory go through the caches (`walks`).
//! Accesses to SPEs' windows go over the bus (`window`), and their answers come back in `arrivals`.  A system call is a
//! list of steps (`syscall`), which the `kernel` takes; a thread can wait in it for `events`.  An operating system has
//! the whole machine for the length of its turn (`supervisor`).

pub(super) mod arrivals;
mod events;
pub(super) mod kernel;
mod rules;
pub(super) mod supervisor;
mod syscall;
pub(super) mod threads;
pub(super) mod walks;
mod window;
