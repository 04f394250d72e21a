//! The PPE side of the machine: its `threads`, the system calls that they make (`syscall`, `kernel`; `events` that
//! they wait for), `walks`
//! over main memory through the caches, loads and stores to SPEs' windows (`window`), and what comes back
//! over the bus (`arrivals`).

pub(super) mod arrivals;
mod events;
pub(super) mod kernel;
mod rules;
pub(super) mod supervisor;
mod syscall;
pub(super) mod threads;
pub(super) mod unit;
pub(super) mod walks;
mod window;
