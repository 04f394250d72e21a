//! Rows of the instruction table, each of which describes one instruction.

use super::encoding::Encoding;
use crate::class::Class;

/// One row of the instruction table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The assembler's name.
    pub mnemonic: &'static str,
    /// The instruction words that match the row.
    pub encoding: Encoding,
    /// The operands, as letters that the `table` module defines.
    pub operands: &'static str,
    /// The class, which determines the instruction's timing.
    pub class: Class,
}
