//! Fixed-point arithmetic.
//!
//! Sums have 64 bits. In 32-bit mode, carry and overflow are computed from the right 32 bits. Results that the
//! architecture leaves undefined are 0: quotients by zero, quotients that are too large, and the left halves of word
//! results. Only that of `mulhw` contains copies of the sign. Consoles print these results (ps3autotests,
//! ppu_integer_arithmetic).

use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Writes a result into RT, and into condition field 0 if the instruction records.
#[inline(always)]
fn set<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, result: u64) -> Done {
    cpu.set_doubleword(i.rt, result);
    if RC {
        cpu.record::<M>(result);
    }
    Ok(())
}

/// Whether adding three terms, or their right halves in 32-bit mode, produces a carry. The last term is 0 or 1.
#[inline(always)]
fn carries<M: Memory>(x: u64, y: u64, carry: u64) -> bool {
    if M::WIDE {
        return u128::from(x) + u128::from(y) + u128::from(carry) > u128::from(u64::MAX);
    }
    u64::from(x as u32) + u64::from(y as u32) + carry > u64::from(u32::MAX)
}

/// Additions and subtractions. Each row of the macro states whether an instruction sets the carry, and computes the
/// three terms of the sum from RA, RB and the carry.
macro_rules! sums {
    ($($(#[$doc:meta])* $name:ident $sets_carry:literal |$a:pat_param, $b:pat_param, $carry:pat_param| $terms:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const OE: bool, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($a, $b, $carry) = (cpu.doubleword(i.ra), cpu.doubleword(i.rb), u64::from(cpu.carry()));
            let (x, y, one): (u64, u64, u64) = $terms;
            let sum = x.wrapping_add(y).wrapping_add(one);
            if $sets_carry {
                cpu.set_carry(carries::<M>(x, y, one));
            }
            if OE {
                let overflow = (x ^ sum) & (y ^ sum);
                cpu.set_overflow(if M::WIDE { (overflow as i64) < 0 } else { (overflow as i32) < 0 });
            }
            set::<M, RC>(i, cpu, sum)
        }
    )*};
}

sums! {
    /// Add.
    add false |a, b, _| (a, b, 0);
    /// Add Carrying.
    addc true |a, b, _| (a, b, 0);
    /// Add Extended.
    adde true |a, b, carry| (a, b, carry);
    /// Add to Minus One Extended.
    addme true |a, _, carry| (a, u64::MAX, carry);
    /// Add to Zero Extended.
    addze true |a, _, carry| (a, 0, carry);
    /// Subtract From.
    subf false |a, b, _| (!a, b, 1);
    /// Subtract From Carrying.
    subfc true |a, b, _| (!a, b, 1);
    /// Subtract From Extended.
    subfe true |a, b, carry| (!a, b, carry);
    /// Subtract From Minus One Extended.
    subfme true |a, _, carry| (!a, u64::MAX, carry);
    /// Subtract From Zero Extended.
    subfze true |a, _, carry| (!a, 0, carry);
    /// Negate.
    neg false |a, _, _| (!a, 0, 1);
}

/// Products. Each row of the macro computes an instruction's result and overflow from RA and RB.
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const OE: bool, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($a, $b) = (cpu.doubleword(i.ra), cpu.doubleword(i.rb));
            let (result, overflow): (u64, bool) = $result;
            if OE {
                cpu.set_overflow(overflow);
            }
            set::<M, RC>(i, cpu, result)
        }
    )*};
}

products! {
    /// Multiply Low Word.
    mullw |a, b| {
        let product = i64::from(a as i32) * i64::from(b as i32);
        (product as u64, i32::try_from(product).is_err())
    };
    /// Multiply Low Doubleword.
    mulld |a, b| {
        let (product, overflow) = (a as i64).overflowing_mul(b as i64);
        (product as u64, overflow)
    };
}

/// Quotients. Each row of the macro states the type of an instruction's operands, and that of its result.
///
/// MODEL: a division takes a cycle longer for each significant bit of its dividend, whatever the divisor.
macro_rules! quotients {
    ($($(#[$doc:meta])* $name:ident $operand:ident $result:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const OE: bool, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let (a, b) = (cpu.doubleword(i.ra) as $operand, cpu.doubleword(i.rb) as $operand);
            let quotient = a.checked_div(b);
            if OE {
                cpu.set_overflow(quotient.is_none());
            }
            set::<M, RC>(i, cpu, u64::from(quotient.unwrap_or(0) as $result))?;
            let cycles = (i128::BITS - i128::from(a).unsigned_abs().leading_zeros()) as u8;
            if cycles == 0 { Ok(()) } else { Err(End::Late { cycles }) }
        }
    )*};
}

quotients! {
    /// Divide Word.
    divw i32 u32;
    /// Divide Word Unsigned.
    divwu u32 u32;
    /// Divide Doubleword.
    divd i64 u64;
    /// Divide Doubleword Unsigned.
    divdu u64 u64;
}

/// Instructions that return the left half of a product. Each row of the macro computes an instruction's result from RA
/// and RB.
macro_rules! high_products {
    ($($(#[$doc:meta])* $name:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
            let ($a, $b) = (cpu.doubleword(i.ra), cpu.doubleword(i.rb));
            set::<M, RC>(i, cpu, $result)
        }
    )*};
}

high_products! {
    /// Multiply High Word.
    mulhw |a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u64;
    /// Multiply High Word Unsigned.
    mulhwu |a, b| (u64::from(a as u32) * u64::from(b as u32)) >> 32;
    /// Multiply High Doubleword.
    mulhd |a, b| ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64;
    /// Multiply High Doubleword Unsigned.
    mulhdu |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64;
}

/// Add Immediate and Add Immediate Shifted, with the value 0 instead of RA.
pub fn li<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set::<M, false>(i, cpu, i.displacement())
}

/// Add Immediate and Add Immediate Shifted.
pub fn addi<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set::<M, false>(i, cpu, cpu.doubleword(i.ra).wrapping_add(i.displacement()))
}

/// Adds the immediate and sets the carry.
#[inline(always)]
fn add_carrying<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu) -> Done {
    let (a, b) = (cpu.doubleword(i.ra), i.displacement());
    cpu.set_carry(carries::<M>(a, b, 0));
    set::<M, RC>(i, cpu, a.wrapping_add(b))
}

/// Add Immediate Carrying.
pub fn addic<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    add_carrying::<M, false>(i, cpu)
}

/// Add Immediate Carrying and Record.
pub fn addic_record<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    add_carrying::<M, true>(i, cpu)
}

/// Subtract From Immediate Carrying.
pub fn subfic<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let (a, b) = (!cpu.doubleword(i.ra), i.displacement());
    cpu.set_carry(carries::<M>(a, b, 1));
    set::<M, false>(i, cpu, a.wrapping_add(b).wrapping_add(1))
}

/// Multiply Low Immediate.
pub fn mulli<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set::<M, false>(i, cpu, cpu.doubleword(i.ra).wrapping_mul(i.displacement()))
}
