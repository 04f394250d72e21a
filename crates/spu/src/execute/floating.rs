//! Floating-point instructions: which elements meet, and which slice of the FPSCR sees it.
//!
//! The arithmetic itself is in [`mod@crate::float`].

use std::array::from_fn;

use super::lanes::words_of_both;
use crate::float::{DoubleSlice, Fpscr, SingleFlags, convert, double, estimate, single};
use crate::instruction::Instruction;
use crate::registers::{Quadword, Registers};
use crate::table::Opcode::*;

/// What `i` puts into RT, if it is a floating-point instruction.
#[inline(always)]
pub fn compute(i: &Instruction, registers: &Registers, fpscr: &mut Fpscr) -> Option<Quadword> {
    let (a, b, c) = (|| registers.get(i.ra), || registers.get(i.rb), || registers.get(i.rc));
    let t = || registers.get(i.rt);
    let scale = i.immediate;
    Some(match i.opcode {
        Fa => singles(fpscr, [a(), b()], |[a, b], flags| single::add(a, b, flags)),
        Fs => singles(fpscr, [a(), b()], |[a, b], flags| single::subtract(a, b, flags)),
        Fm => singles(fpscr, [a(), b()], |[a, b], flags| single::multiply(a, b, flags)),
        Fma => singles(fpscr, [a(), b(), c()], |[a, b, c], flags| single::multiply_add(a, b, c, flags)),
        Fms => singles(fpscr, [a(), b(), c()], |[a, b, c], flags| single::multiply_subtract(a, b, c, flags)),
        Fnms => singles(fpscr, [a(), b(), c()], |[a, b, c], flags| single::negative_multiply_subtract(a, b, c, flags)),
        Frest => singles(fpscr, [a()], |[a], flags| estimate::reciprocal(a, flags)),
        Frsqest => singles(fpscr, [a()], |[a], flags| estimate::reciprocal_root(a, flags)),
        Fi => singles(fpscr, [a(), b()], |[a, b], flags| estimate::interpolate(a, b, flags)),
        Csflt => singles(fpscr, [a()], |[a], flags| convert::signed_to_single(a, scale, flags)),
        Cuflt => singles(fpscr, [a()], |[a], flags| convert::unsigned_to_single(a, scale, flags)),
        Cflts => singles(fpscr, [a()], |[a], _| convert::single_to_signed(a, scale)),
        Cfltu => singles(fpscr, [a()], |[a], _| convert::single_to_unsigned(a, scale)),
        Fceq => single_masks(a(), b(), single::compare_equal),
        Fcmeq => single_masks(a(), b(), single::compare_magnitude_equal),
        Fcgt => single_masks(a(), b(), single::compare_greater),
        Fcmgt => single_masks(a(), b(), single::compare_magnitude_greater),

        Dfa => doubles(fpscr, [a(), b()], |[a, b], slice| double::add(a, b, slice)),
        Dfs => doubles(fpscr, [a(), b()], |[a, b], slice| double::subtract(a, b, slice)),
        Dfm => doubles(fpscr, [a(), b()], |[a, b], slice| double::multiply(a, b, slice)),
        Dfma => doubles(fpscr, [a(), b(), t()], |[a, b, t], slice| double::multiply_add(a, b, t, slice)),
        Dfms => doubles(fpscr, [a(), b(), t()], |[a, b, t], slice| double::multiply_subtract(a, b, t, slice)),
        Dfnma => doubles(fpscr, [a(), b(), t()], |[a, b, t], slice| double::negative_multiply_add(a, b, t, slice)),
        Dfnms => doubles(fpscr, [a(), b(), t()], |[a, b, t], slice| double::negative_multiply_subtract(a, b, t, slice)),
        // A single lies in the left word of its doubleword.
        Fesd => doubles(fpscr, [a()], |[a], slice| convert::single_to_double((a >> 32) as u32, slice)),
        Frds => doubles(fpscr, [a()], |[a], slice| u64::from(convert::double_to_single(a, slice)) << 32),
        Dfceq => double_masks([a(), b()], |[a, b]| double::compare_equal(a, b)),
        Dfcmeq => double_masks([a(), b()], |[a, b]| double::compare_magnitude_equal(a, b)),
        Dfcgt => double_masks([a(), b()], |[a, b]| double::compare_greater(a, b)),
        Dfcmgt => double_masks([a(), b()], |[a, b]| double::compare_magnitude_greater(a, b)),
        Dftsv => double_masks([a()], |[a]| double::test_special_value(a, i.immediate as u32 & 0x7f)),
        Fscrrd => Quadword::from_bits(fpscr.read()),
        _ => return None,
    })
}

/// `f` of each word of all operands, with the flags of its slice.
#[inline(always)]
fn singles<const N: usize>(
    fpscr: &mut Fpscr,
    operands: [Quadword; N],
    f: impl Fn([u32; N], &mut SingleFlags) -> u32,
) -> Quadword {
    let words = operands.map(Quadword::words);
    Quadword::from_words(from_fn(|k| f(from_fn(|n| words[n][k]), &mut fpscr.single[k])))
}

/// `f` of each doubleword of all operands, with its slice.
#[inline(always)]
fn doubles<const N: usize>(
    fpscr: &mut Fpscr,
    operands: [Quadword; N],
    f: impl Fn([u64; N], &mut DoubleSlice) -> u64,
) -> Quadword {
    let doublewords = operands.map(Quadword::doublewords);
    Quadword::from_doublewords(from_fn(|k| f(from_fn(|n| doublewords[n][k]), &mut fpscr.double[k])))
}

/// Ones in the words where the condition holds.
#[inline(always)]
fn single_masks(a: Quadword, b: Quadword, condition: impl Fn(u32, u32) -> bool) -> Quadword {
    words_of_both(a, b, |a, b| u32::from(condition(a, b)).wrapping_neg())
}

/// Ones in the doublewords where the condition holds.
#[inline(always)]
fn double_masks<const N: usize>(operands: [Quadword; N], condition: impl Fn([u64; N]) -> bool) -> Quadword {
    let doublewords = operands.map(Quadword::doublewords);
    Quadword::from_doublewords(from_fn(|k| u64::from(condition(from_fn(|n| doublewords[n][k]))).wrapping_neg()))
}
