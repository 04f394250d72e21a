//! Branches, and the system call instruction.

use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Branch.
pub fn b<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = i.immediate;
    Err(End::Jump)
}

/// Branch and Link.
pub fn bl<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.lr = i.next();
    cpu.pc = i.immediate;
    Err(End::Jump)
}

/// Branch to Link Register.
pub fn blr<M: Memory>(_: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = cpu.lr & !3;
    Err(End::Jump)
}

/// Branch to Count Register.
pub fn bctr<M: Memory>(_: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = cpu.ctr & !3;
    Err(End::Jump)
}

/// Branch to Count Register and Link.
pub fn bctrl<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.lr = i.next();
    cpu.pc = cpu.ctr & !3;
    Err(End::Jump)
}

/// Decrements the count register if BO (in the RT field) requires a decrement. Returns whether the count permits the
/// branch.
#[inline(always)]
fn counts(i: &Instruction, cpu: &mut Cpu) -> bool {
    if i.rt & 4 != 0 {
        return true;
    }
    (count_down(cpu) == 0) == (i.rt & 2 != 0)
}

/// Whether the condition bit BI (in the RA field) permits the branch.
#[inline(always)]
fn condition(i: &Instruction, cpu: &Cpu) -> bool {
    i.rt & 16 != 0 || cpu.cr_bit(i.ra) == (i.rt & 8 != 0)
}

/// Conditional branches. Each row of the macro states whether a branch sets the link register, and defines its
/// condition and its target.
macro_rules! conditional {
    ($($(#[$doc:meta])* $name:ident $links:literal |$i:ident, $cpu:ident| $taken:expr, $target:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory>($i: &Instruction, $cpu: &mut Cpu, _: &mut M) -> Done {
            let taken: bool = $taken;
            $cpu.pc = $target;
            if $links {
                $cpu.lr = $i.next();
            }
            Err(if taken { End::Taken } else { End::NotTaken })
        }
    )*};
}

conditional! {
    /// Branch if a condition bit is set.
    if_set false |i, cpu| cpu.cr_bit(i.ra), i.immediate;
    /// Branch if a condition bit is clear.
    if_clear false |i, cpu| !cpu.cr_bit(i.ra), i.immediate;
    /// Decrement the count register, and branch if the result is not zero.
    if_not_zero false |i, cpu| count_down(cpu) != 0, i.immediate;
    /// Decrement the count register, and branch if the result is zero.
    if_zero false |i, cpu| count_down(cpu) == 0, i.immediate;
    /// Branch Conditional.
    bc false |i, cpu| counts(i, cpu) & condition(i, cpu), i.immediate;
    /// Branch Conditional and Link.
    bcl true |i, cpu| counts(i, cpu) & condition(i, cpu), i.immediate;
    /// Branch Conditional to Link Register.
    bclr false |i, cpu| counts(i, cpu) & condition(i, cpu), cpu.lr & !3;
    /// Branch Conditional to Link Register and Link.
    bclrl true |i, cpu| counts(i, cpu) & condition(i, cpu), cpu.lr & !3;
    /// Branch Conditional to Count Register. The instruction does not decrement the count register.
    bcctr false |i, cpu| condition(i, cpu), cpu.ctr & !3;
    /// Branch Conditional to Count Register and Link.
    bcctrl true |i, cpu| condition(i, cpu), cpu.ctr & !3;
}

/// Decrements the count register.
#[inline(always)]
fn count_down(cpu: &mut Cpu) -> u32 {
    cpu.ctr = cpu.ctr.wrapping_sub(1);
    cpu.ctr
}

/// System Call.
pub fn sc<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::SystemCall)
}
