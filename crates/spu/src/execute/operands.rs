//! The operands of an instruction: registers, and its immediate in the width of the elements.

use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use cell::store::LocalStore;

/// Carries out one instruction.
pub type Computation = fn(&mut Operands);

/// An instruction and all that it works on.
pub struct Operands<'a> {
    /// The instruction.
    pub i: &'a Instruction,
    /// Its address.
    pub pc: u32,
    /// The registers.
    pub registers: &'a mut Registers,
    /// The floating-point status and control register.
    pub fpscr: &'a mut Fpscr,
    /// The local store.
    pub ls: &'a mut LocalStore,
}

impl Operands<'_> {
    /// The value of RA.
    #[inline(always)]
    pub fn a(&self) -> Quadword {
        self.registers.get(self.i.ra)
    }

    /// The value of RB.
    #[inline(always)]
    pub fn b(&self) -> Quadword {
        self.registers.get(self.i.rb)
    }

    /// The value of RC.
    #[inline(always)]
    pub fn c(&self) -> Quadword {
        self.registers.get(self.i.rc)
    }

    /// The value of RT before the instruction.
    #[inline(always)]
    pub fn t(&self) -> Quadword {
        self.registers.get(self.i.rt)
    }

    /// Puts the result into RT.
    #[inline(always)]
    pub fn set(&mut self, value: Quadword) {
        self.registers.set(self.i.rt, value);
    }

    /// The immediate.
    #[inline(always)]
    pub fn immediate(&self) -> u32 {
        self.i.immediate as u32
    }

    /// The immediate in each word.
    #[inline(always)]
    pub fn words(&self) -> Quadword {
        Quadword::splat(self.immediate())
    }

    /// The right half of the immediate in each halfword.
    #[inline(always)]
    pub fn halfwords(&self) -> Quadword {
        Quadword::from_halfwords([self.immediate() as u16; 8])
    }

    /// The right byte of the immediate in each byte.
    #[inline(always)]
    pub fn bytes(&self) -> Quadword {
        Quadword::from_bytes([self.immediate() as u8; 16])
    }

    /// The count or index in RB's preferred slot.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.b().preferred()
    }

    /// An address: RA and the immediate.
    #[inline(always)]
    pub fn address_d(&self) -> u32 {
        self.a().preferred().wrapping_add(self.immediate())
    }

    /// An address: that of the instruction and the immediate.
    #[inline(always)]
    pub fn address_r(&self) -> u32 {
        self.pc.wrapping_add(self.immediate())
    }

    /// An address: RA and RB.
    #[inline(always)]
    pub fn address_x(&self) -> u32 {
        self.a().preferred().wrapping_add(self.count())
    }
}
