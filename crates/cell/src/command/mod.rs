//! MFC commands: their opcodes, their effects, and the rules for their parameters.
//!
//! The module `table` has one row for each command. To add a command, add a row there, and an [`Action`] if no
//! existing action fits. Sources: opcodes from Linux `spu.h` and GCC's `spu_mfcio.h`; rules from CBEA table 7-6 and
//! section 9.1.4.

mod check;
mod fault;
mod table;

pub use check::{Command, check_block, wrapped};
pub use fault::{Alignment, DmaFault, Interrupt, InvalidCommand};
pub use table::{Action, Decoded, Opcode};
