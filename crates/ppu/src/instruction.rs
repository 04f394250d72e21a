//! A decoded instruction: its row in the instruction table, and its operands.
//!
//! Names follow the architecture: RT is bits 6 to 10 (the target, the source of a store, or BO), RA is bits 11 to 15,
//! RB is bits 16 to 20 (or SH, NB), and RC is bits 21 to 25 (or MB). These names apply to every kind of register.

use crate::transition::Transition;

/// An instruction with its operands, ready to be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The index of the instruction's row in [`crate::table::ROWS`].
    pub row: u16,
    /// The pipeline transition that the instruction caused when it was last executed.
    pub transition: Transition,
    /// The two-bit counter of a conditional branch: 0 and 1 predict not taken, 2 and 3 predict taken.
    pub history: u8,
    /// Bits 6 to 10.
    pub rt: u8,
    /// Bits 11 to 15.
    pub ra: u8,
    /// Bits 16 to 20.
    pub rb: u8,
    /// Bits 21 to 25.
    pub rc: u8,
    /// The non-register operand. The row determines the operand's kind: a sign-extended immediate or displacement, an
    /// absolute target address, the mask of a rotate, or a field mask. The value is 0 if the row has none of these.
    pub immediate: u32,
    /// The right half of the instruction's address.
    pub pc: u32,
}

const _: () = assert!(size_of::<Instruction>() == 28);

impl Instruction {
    /// The immediate as a displacement, sign-extended to 64 bits.
    #[inline(always)]
    pub fn displacement(&self) -> u64 {
        i64::from(self.immediate as i32) as u64
    }

    /// The right half of the address of the next instruction.
    #[inline(always)]
    pub fn next(&self) -> u32 {
        self.pc.wrapping_add(4)
    }
}
