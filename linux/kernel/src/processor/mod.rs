//! Execution of a process on the PPE's hardware threads. Each hardware thread is a program of the simulated machine.

mod backtrace;
mod fault;
mod floating;
mod hardware_thread;
mod machine;
mod prefetch;
mod process;
mod replay;
pub mod storage;
pub mod translation;
mod turn;
pub mod view;
mod waiting;

pub use hardware_thread::load;
pub use process::Process;
