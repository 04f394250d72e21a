//! The operands of an instruction: registers, and the immediate at the width of the elements.

use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use cell::store::LocalStore;

/// A function that carries out one instruction. A relative address in the instruction must already have been made
/// absolute (see [`Instruction::at`]).
pub type Computation = fn(&Instruction, &mut State);

/// The state that computations work on.
pub struct State<'a> {
    /// The registers.
    pub registers: &'a mut Registers,
    /// The floating-point status and control register.
    pub fpscr: &'a mut Fpscr,
    /// The local store.
    pub ls: &'a mut LocalStore,
}

/// An instruction and the state that it works on.
pub struct Operands<'a, 's> {
    /// The instruction.
    pub i: &'a Instruction,
    /// The state that the instruction works on.
    pub state: &'a mut State<'s>,
}

/// Expands to the computation of an opcode, given a table of opcodes and expressions that use [`Operands`].
macro_rules! computations {
    ($opcode:expr; $($($name:ident)|+ => |$o:pat_param| $work:expr,)*) => {
        match $opcode {
            $($(Opcode::$name)|+ => {
                let computation: Computation = |i, state| {
                    let $o = &mut Operands { i, state };
                    $work;
                };
                Some(computation)
            })*
            _ => None,
        }
    };
}
pub(super) use computations;

impl Operands<'_, '_> {
    /// The value of RA.
    #[inline(always)]
    pub fn a(&self) -> Quadword {
        self.state.registers.get(self.i.ra)
    }

    /// The value of RB.
    #[inline(always)]
    pub fn b(&self) -> Quadword {
        self.state.registers.get(self.i.rb)
    }

    /// The value of RC.
    #[inline(always)]
    pub fn c(&self) -> Quadword {
        self.state.registers.get(self.i.rc)
    }

    /// The value of RT before the instruction.
    #[inline(always)]
    pub fn t(&self) -> Quadword {
        self.state.registers.get(self.i.rt)
    }

    /// Sets RT to the result.
    #[inline(always)]
    pub fn set(&mut self, value: Quadword) {
        self.state.registers.set(self.i.rt, value);
    }

    /// The immediate.
    #[inline(always)]
    pub fn immediate(&self) -> u32 {
        self.i.immediate as u32
    }

    /// The immediate, repeated in each word.
    #[inline(always)]
    pub fn words(&self) -> Quadword {
        Quadword::splat(self.immediate())
    }

    /// The least significant halfword of the immediate, repeated in each halfword.
    #[inline(always)]
    pub fn halfwords(&self) -> Quadword {
        Quadword::from_halfwords([self.immediate() as u16; 8])
    }

    /// The least significant byte of the immediate, repeated in each byte.
    #[inline(always)]
    pub fn bytes(&self) -> Quadword {
        Quadword::from_bytes([self.immediate() as u8; 16])
    }

    /// The shift count or index in RB's preferred slot.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.b().preferred()
    }

    /// The address RA + immediate.
    #[inline(always)]
    pub fn address_d(&self) -> u32 {
        self.a().preferred().wrapping_add(self.immediate())
    }

    /// The address RA + RB.
    #[inline(always)]
    pub fn address_x(&self) -> u32 {
        self.a().preferred().wrapping_add(self.count())
    }
}
