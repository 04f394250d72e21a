//! Synergistic Processor Unit: instruction set, registers and pipelines.
//!
//! Nothing in this crate does input or output, keeps global state, starts a thread or reads the time of day. The same
//! program therefore always produces the same run, to the byte.

pub mod blocks;
pub mod calls;
pub mod class;
pub mod core;
pub mod decode;
pub mod disassembly;
pub mod elf;
pub mod execute;
pub mod float;
pub mod instruction;
pub mod pipeline;
pub mod predecode;
pub mod profile;
pub mod program;
pub mod registers;
pub mod report;
pub mod runner;
pub mod stack;
pub mod table;
pub mod timing;

pub use class::{Class, Format, Pipe};
pub use decode::decode;
pub use disassembly::disassemble;
pub use execute::{Effect, execute};
pub use instruction::Instruction;
pub use registers::{Quadword, Registers};
pub use table::Opcode;
