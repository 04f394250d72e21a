//! PowerPC Processor Unit: the PPE's instructions in user mode, 32-bit and big-endian, and a small Linux
//! with spufs around them.
//!
//! Equal programs give equal runs, to the byte: no global state, no thread, no time of day.

pub mod linux;
pub mod memory;
