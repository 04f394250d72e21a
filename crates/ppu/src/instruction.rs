//! A decoded instruction: its row of the table, and its operands.
//!
//! Names are the architecture's: RT is bits 6 to 10 (the target, or what a store stores, or BO), RA 11 to 15, RB
//! 16 to 20 (or SH, NB), RC 21 to 25 (or MB), whatever registers they number.

/// An instruction with its operands, ready to be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its number in [`crate::table::ROWS`].
    pub row: u16,
    /// Cycles that it takes if nothing holds it up.
    pub cycles: u8,
    /// How often a conditional branch went which way lately: 0 and 1 speak for going on, 2 and 3 for branching.
    pub history: u8,
    /// Bits 6 to 10.
    pub rt: u8,
    /// Bits 11 to 15.
    pub ra: u8,
    /// Bits 16 to 20.
    pub rb: u8,
    /// Bits 21 to 25.
    pub rc: u8,
    /// By the operands of its row: a sign-extended immediate or displacement, an absolute target address, the
    /// mask of a rotate, or a field mask.  0 if it has none of them.
    pub immediate: u32,
    /// Its own address.
    pub pc: u32,
}

const _: () = assert!(size_of::<Instruction>() == 16);

impl Instruction {
    /// The address behind it.
    #[inline(always)]
    pub fn next(&self) -> u32 {
        self.pc.wrapping_add(4)
    }
}
