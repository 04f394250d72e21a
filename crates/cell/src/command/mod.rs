//! MFC commands: what there is, what each does, and the rules that its parameters must keep.
//!
//! `table` has one row for each command; a new one is a row, and an [`Action`] if it does what no other
//! does.  Sources: opcodes from Linux `spu.h` and GCC's `spu_mfcio.h`; the rules from CBEA table 7-6 and
//! section 9.1.4.

mod check;
mod fault;
mod table;

pub use check::{Command, check_block, wrapped};
pub use fault::{Alignment, DmaFault, Interrupt, InvalidCommand};
pub use table::{Action, Decoded, Opcode};
