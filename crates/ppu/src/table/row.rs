//! One instruction's row.

use super::encoding::Encoding;
use crate::class::Class;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The assembler's name.
    pub mnemonic: &'static str,
    /// The words that it is.
    pub encoding: Encoding,
    /// The operands, in the letters above.
    pub operands: &'static str,
    /// What decides on its time.
    pub class: Class,
}
