//! Moves to and from special registers.
//!
//! Special registers for privileged software are not implemented. An instruction that names one of these registers is
//! illegal.

use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::{Cpu, XER_BITS};

/// The processor version register of a Cell Broadband Engine, DD 3.1. Linux reads this register on behalf of user
/// programs.
const PVR: u32 = 0x0070_0501;

/// Moves from a special register. Each row of the macro computes the value of a special register.
macro_rules! moves_from {
    ($($(#[$doc:meta])* $name:ident |$cpu:pat_param| $value:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let $cpu = &*cpu;
            let value = u64::from($value);
            cpu.set_doubleword(i.rt, value);
            Ok(())
        }
    )*};
}

moves_from! {
    /// Move From Link Register.
    mflr |cpu| cpu.lr;
    /// Move From Count Register.
    mfctr |cpu| cpu.ctr;
    /// Move From Fixed-Point Exception Register.
    mfxer |cpu| cpu.xer;
    /// Move From VRSAVE.
    mfvrsave |cpu| cpu.vrsave;
    /// Move From Processor Version Register.
    mfpvr |_| PVR;
}

/// Moves to a special register.
macro_rules! moves_to {
    ($($(#[$doc:meta])* $name:ident |$cpu:ident, $value:ident| $set:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>(i: &Instruction, $cpu: &mut Cpu, _: &mut M) -> Done {
            let $value = if M::WIDE { $cpu.doubleword(i.rt) } else { u64::from($cpu.word(i.rt)) };
            $set;
            Ok(())
        }
    )*};
}

moves_to! {
    /// Move To Link Register.
    mtlr |cpu, value| cpu.lr = value;
    /// Move To Count Register.
    mtctr |cpu, value| cpu.ctr = value;
    /// Move To Fixed-Point Exception Register.
    mtxer |cpu, value| cpu.xer = value as u32 & XER_BITS;
    /// Move To VRSAVE.
    mtvrsave |cpu, value| cpu.vrsave = value as u32;
}

/// Move From Time Base and Move From Time Base Upper. The RA field, which is part of the special register's number,
/// distinguishes the two instructions.
pub fn mftb<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::TimeBase)
}
