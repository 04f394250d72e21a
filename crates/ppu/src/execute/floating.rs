//! Floating-point arithmetic, conversions, comparisons and moves.

use super::Done;
use crate::float::compare::select;
use crate::float::number::SIGN;
use crate::float::{Operation, Precision};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// The bits of floating-point register `n`.
#[inline(always)]
pub(super) fn register(cpu: &Cpu, n: u8) -> u64 {
    cpu.fpr[usize::from(n & 31)]
}

/// Writes bits into floating-point register `n`.
#[inline(always)]
pub(super) fn set(cpu: &mut Cpu, n: u8, value: u64) {
    cpu.fpr[usize::from(n & 31)] = value;
}

/// Copies the four summary bits of the FPSCR into condition field 1 if the instruction records.
#[inline(always)]
pub(super) fn record<const RC: bool>(cpu: &mut Cpu) -> Done {
    if RC {
        cpu.set_cr_field(1, cpu.fpscr.record());
    }
    Ok(())
}

/// Computes an operation on registers RA, RB and RC. Writes the result into RT unless an enabled exception prevents the
/// write.
#[inline(always)]
fn compute<const RC: bool>(i: &Instruction, cpu: &mut Cpu, operation: Operation) -> Done {
    let operands = [register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc)];
    if let Some(result) = cpu.fpscr.compute(operation, operands) {
        set(cpu, i.rt, result);
    }
    record::<RC>(cpu)
}

/// Instructions and their operations.
macro_rules! operations {
    ($($name:ident $operation:expr;)*) => {$(
        pub fn $name<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            compute::<RC>(i, cpu, $operation)
        }
    )*};
}

operations! {
    fadd Operation::Add(Precision::Double);
    fadds Operation::Add(Precision::Single);
    fsub Operation::Subtract(Precision::Double);
    fsubs Operation::Subtract(Precision::Single);
    fmul Operation::Multiply(Precision::Double);
    fmuls Operation::Multiply(Precision::Single);
    fdiv Operation::Divide(Precision::Double);
    fdivs Operation::Divide(Precision::Single);
    fsqrt Operation::SquareRoot(Precision::Double);
    fsqrts Operation::SquareRoot(Precision::Single);
    fmadd Operation::MultiplyAdd(Precision::Double);
    fmadds Operation::MultiplyAdd(Precision::Single);
    fmsub Operation::MultiplySubtract(Precision::Double);
    fmsubs Operation::MultiplySubtract(Precision::Single);
    fnmadd Operation::NegativeMultiplyAdd(Precision::Double);
    fnmadds Operation::NegativeMultiplyAdd(Precision::Single);
    fnmsub Operation::NegativeMultiplySubtract(Precision::Double);
    fnmsubs Operation::NegativeMultiplySubtract(Precision::Single);
    frsp Operation::RoundToSingle;
    fctiw Operation::ToWord;
    fctiwz Operation::ToWordTruncated;
    fctid Operation::ToDoubleword;
    fctidz Operation::ToDoublewordTruncated;
    fcfid Operation::FromDoubleword;
    fres Operation::ReciprocalEstimate;
    frsqrte Operation::ReciprocalRootEstimate;
}

/// Moves from RB to RT. These instructions do not change the FPSCR.
macro_rules! moves {
    ($($(#[$doc:meta])* $name:ident |$b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let $b = register(cpu, i.rb);
            set(cpu, i.rt, $result);
            record::<RC>(cpu)
        }
    )*};
}

moves! {
    /// Floating Move Register.
    fmr |b| b;
    /// Floating Negate.
    fneg |b| b ^ SIGN;
    /// Floating Absolute Value.
    fabs |b| b & !SIGN;
    /// Floating Negative Absolute Value.
    fnabs |b| b | SIGN;
}

/// Floating Select.
pub fn fsel<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let chosen = select(register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc));
    set(cpu, i.rt, chosen);
    record::<RC>(cpu)
}

#[inline(always)]
fn compare(i: &Instruction, cpu: &mut Cpu, is_ordered: bool) -> Done {
    let (a, b) = (register(cpu, i.ra), register(cpu, i.rb));
    let comparison = cpu.fpscr.compare(a, b, is_ordered);
    cpu.set_cr_field(i.rt >> 2, comparison);
    Ok(())
}

/// Floating Compare Unordered.
pub fn fcmpu<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    compare(i, cpu, false)
}

/// Floating Compare Ordered.
pub fn fcmpo<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    compare(i, cpu, true)
}
