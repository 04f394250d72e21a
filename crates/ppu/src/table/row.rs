//! A row of the table, which describes one instruction.

use super::encoding::Encoding;
use crate::class::Class;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The assembler's name.
    pub mnemonic: &'static str,
    /// The words that match the row.
    pub encoding: Encoding,
    /// The operands, in the letters that the module `table` lists.
    pub operands: &'static str,
    /// The class, which determines the instruction's time.
    pub class: Class,
}
