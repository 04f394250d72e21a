//! Synergistic Processor Unit: instruction set, registers and pipelines.
//!
//! This crate does no input or output, keeps no global state, starts no threads and does not read the time of day. The
//! same program therefore always produces exactly the same run, byte for byte.

mod blocks;
pub mod calls;
mod class;
pub mod core;
pub mod decode;
pub mod disassembly;
pub mod elf;
pub mod execute;
pub mod float;
mod instruction;
pub mod journal;
mod lines;
mod pipeline;
pub mod positions;
mod predecode;
pub mod profile;
pub mod program;
pub mod registers;
pub mod report;
pub mod runner;
pub mod source;
mod stack;
pub mod static_timing;
pub mod table;
mod timing;

pub use class::{Class, Format, Pipe};
pub use decode::decode;
pub use disassembly::disassemble;
pub use execute::{Effect, execute};
pub use instruction::Instruction;
pub use registers::{Quadword, Registers};
pub use table::Opcode;
