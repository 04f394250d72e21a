//! Branches, and the system call instruction.

use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// The target of a relative branch.
#[inline(always)]
fn relative<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64 {
    cpu.near::<M>(i.immediate)
}

/// The target of an absolute branch.
#[inline(always)]
fn absolute<M: Memory>(i: &Instruction) -> u64 {
    if M::WIDE { i.displacement() } else { i.immediate.into() }
}

/// An address in a register, as the target of a branch.
#[inline(always)]
fn target<M: Memory>(register: u64) -> u64 {
    if M::WIDE { register & !3 } else { u64::from(register as u32 & !3) }
}

/// Branch.
pub fn b<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = relative::<M>(i, cpu);
    Err(End::Jump)
}

/// Branch Absolute.
pub fn ba<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = absolute::<M>(i);
    Err(End::Jump)
}

/// Branch and Link.
pub fn bl<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.lr = cpu.near::<M>(i.next());
    cpu.pc = relative::<M>(i, cpu);
    Err(End::Jump)
}

/// Branch and Link Absolute.
pub fn bla<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.lr = cpu.near::<M>(i.next());
    cpu.pc = absolute::<M>(i);
    Err(End::Jump)
}

/// Branch to Link Register.
pub fn blr<M: Memory>(_: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = target::<M>(cpu.lr);
    Err(End::Jump)
}

/// Branch to Count Register.
pub fn bctr<M: Memory>(_: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.pc = target::<M>(cpu.ctr);
    Err(End::Jump)
}

/// Branch to Count Register and Link.
pub fn bctrl<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.lr = cpu.near::<M>(i.next());
    cpu.pc = target::<M>(cpu.ctr);
    Err(End::Jump)
}

/// Decrements the count register if BO (in the RT field) requires a decrement. Returns whether the count permits the
/// branch.
#[inline(always)]
fn counts<M: Memory>(i: &Instruction, cpu: &mut Cpu) -> bool {
    if i.rt & 4 != 0 {
        return true;
    }
    (count_down::<M>(cpu) == 0) == (i.rt & 2 != 0)
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
            let (target, next) = ($target, $cpu.near::<M>($i.next()));
            // In 64-bit mode, the left half of the program counter must stay that of this instruction.
            if !M::WIDE || taken {
                $cpu.pc = target;
            }
            if $links {
                $cpu.lr = next;
            }
            Err(if taken { End::Taken } else { End::NotTaken })
        }
    )*};
}

conditional! {
    /// Branch if a condition bit is set.
    if_set false |i, cpu| cpu.cr_bit(i.ra), relative::<M>(i, cpu);
    /// Branch if a condition bit is clear.
    if_clear false |i, cpu| !cpu.cr_bit(i.ra), relative::<M>(i, cpu);
    /// Decrement the count register, and branch if the result is not zero.
    if_not_zero false |i, cpu| count_down::<M>(cpu) != 0, relative::<M>(i, cpu);
    /// Decrement the count register, and branch if the result is zero.
    if_zero false |i, cpu| count_down::<M>(cpu) == 0, relative::<M>(i, cpu);
    /// Branch Conditional.
    bc false |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), relative::<M>(i, cpu);
    /// Branch Conditional and Link.
    bcl true |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), relative::<M>(i, cpu);
    /// Branch Conditional Absolute.
    bca false |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), absolute::<M>(i);
    /// Branch Conditional and Link Absolute.
    bcla true |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), absolute::<M>(i);
    /// Branch Conditional to Link Register.
    bclr false |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), target::<M>(cpu.lr);
    /// Branch Conditional to Link Register and Link.
    bclrl true |i, cpu| counts::<M>(i, cpu) & condition(i, cpu), target::<M>(cpu.lr);
    /// Branch Conditional to Count Register. The instruction does not decrement the count register.
    bcctr false |i, cpu| condition(i, cpu), target::<M>(cpu.ctr);
    /// Branch Conditional to Count Register and Link.
    bcctrl true |i, cpu| condition(i, cpu), target::<M>(cpu.ctr);
}

/// Decrements the count register.
#[inline(always)]
fn count_down<M: Memory>(cpu: &mut Cpu) -> u64 {
    cpu.ctr = if M::WIDE { cpu.ctr.wrapping_sub(1) } else { u64::from((cpu.ctr as u32).wrapping_sub(1)) };
    cpu.ctr
}

/// System Call.
pub fn sc<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Err(End::SystemCall)
}
