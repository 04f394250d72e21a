//! The PPE side of the machine.
//!
//! Programs run on the PPE's two `threads`. Accesses to main memory go through the caches (`walks`). Accesses to
//! SPEs' windows go over the bus (`window`), and `arrivals` handles their answers. A system call is a list of steps
//! (`syscall`), which the `kernel` executes. A thread can wait for `events` in a system call. An operating system can
//! access the whole machine during its turn (`supervisor`).

pub(super) mod arrivals;
mod events;
pub(super) mod kernel;
mod rules;
pub(super) mod supervisor;
mod syscall;
pub(super) mod threads;
pub(super) mod walks;
mod window;
