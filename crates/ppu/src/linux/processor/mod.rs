//! The process on the PPE's hardware threads, which are programs of the simulated machine.

mod fault;
mod floating;
mod hardware_thread;
mod machine;
mod replay;
pub mod storage;
pub mod view;

pub use hardware_thread::{HardwareThread, Process, load};
