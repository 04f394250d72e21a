//! PowerPC Processor Unit: the PPE's instructions in user mode, 32-bit and 64-bit and big-endian.
//!
//! Nothing in this crate keeps global state, starts a thread or reads the time of day. Equal programs therefore produce
//! byte-identical results.

pub mod accesses;
pub mod class;
mod code_lines;
pub mod core;
pub mod decode;
pub mod disassembly;
mod execute;
pub mod float;
mod instruction;
pub mod memory;
pub mod pipeline;
pub mod predecode;
mod recent_stores;
pub mod registers;
pub mod table;
mod transition;
pub mod vector;

pub use class::{Class, Costs};
pub use core::Exit;
pub use decode::decode;
pub use disassembly::disassemble;
pub use instruction::Instruction;
pub use memory::{Memory, Stop};
pub use predecode::Code;
pub use registers::Cpu;
