//! The PPE side of the machine: its `threads`, the system calls that they make (`syscall`, `kernel`), `walks`
//! over main memory through the caches, loads and stores to SPEs' windows (`window`), and what comes back
//! over the bus (`arrivals`).

pub(super) mod arrivals;
pub(super) mod kernel;
mod rules;
pub(super) mod supervisor;
mod syscall;
pub(super) mod threads;
pub(super) mod unit;
pub(super) mod walks;
mod window;
