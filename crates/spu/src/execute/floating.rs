//! Floating-point instructions: which elements meet, and which slice of the FPSCR sees it.
//!
//! The arithmetic itself is in [`mod@crate::float`].

use super::lanes::words_of_both;
use super::operands::Operands;
use crate::float::{DoubleSlice, Fpscr, SingleFlags, convert, double, estimate, single};
use crate::registers::Quadword;
use crate::table::Opcode::*;

/// Puts the result of a floating-point instruction into RT; nothing if it is none.
#[inline(always)]
pub fn compute(o: &mut Operands, fpscr: &mut Fpscr) {
    let (scale, selection) = (o.i.immediate, o.immediate());
    match o.i.opcode {
        Fa => o.set(singles(fpscr, [o.a(), o.b()], |[a, b], flags| single::add(a, b, flags))),
        Fs => o.set(singles(fpscr, [o.a(), o.b()], |[a, b], flags| single::subtract(a, b, flags))),
        Fm => o.set(singles(fpscr, [o.a(), o.b()], |[a, b], flags| single::multiply(a, b, flags))),
        Fma => o.set(singles(fpscr, [o.a(), o.b(), o.c()], |[a, b, c], flags| single::multiply_add(a, b, c, flags))),
        Fms => {
            o.set(singles(fpscr, [o.a(), o.b(), o.c()], |[a, b, c], flags| single::multiply_subtract(a, b, c, flags)))
        }
        Fnms => o.set(singles(fpscr, [o.a(), o.b(), o.c()], |[a, b, c], flags| {
            single::negative_multiply_subtract(a, b, c, flags)
        })),
        Frest => o.set(singles(fpscr, [o.a()], |[a], flags| estimate::reciprocal(a, flags))),
        Frsqest => o.set(singles(fpscr, [o.a()], |[a], flags| estimate::reciprocal_root(a, flags))),
        Fi => o.set(singles(fpscr, [o.a(), o.b()], |[a, b], flags| estimate::interpolate(a, b, flags))),
        Csflt => o.set(singles(fpscr, [o.a()], |[a], flags| convert::signed_to_single(a, scale, flags))),
        Cuflt => o.set(singles(fpscr, [o.a()], |[a], flags| convert::unsigned_to_single(a, scale, flags))),
        Cflts => o.set(singles(fpscr, [o.a()], |[a], _| convert::single_to_signed(a, scale))),
        Cfltu => o.set(singles(fpscr, [o.a()], |[a], _| convert::single_to_unsigned(a, scale))),
        Fceq => o.set(single_masks(o.a(), o.b(), single::compare_equal)),
        Fcmeq => o.set(single_masks(o.a(), o.b(), single::compare_magnitude_equal)),
        Fcgt => o.set(single_masks(o.a(), o.b(), single::compare_greater)),
        Fcmgt => o.set(single_masks(o.a(), o.b(), single::compare_magnitude_greater)),

        Dfa => o.set(doubles(fpscr, [o.a(), o.b()], |[a, b], slice| double::add(a, b, slice))),
        Dfs => o.set(doubles(fpscr, [o.a(), o.b()], |[a, b], slice| double::subtract(a, b, slice))),
        Dfm => o.set(doubles(fpscr, [o.a(), o.b()], |[a, b], slice| double::multiply(a, b, slice))),
        Dfma => o.set(doubles(fpscr, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::multiply_add(a, b, t, slice))),
        Dfms => {
            o.set(doubles(fpscr, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::multiply_subtract(a, b, t, slice)))
        }
        Dfnma => o.set(doubles(fpscr, [o.a(), o.b(), o.t()], |[a, b, t], slice| {
            double::negative_multiply_add(a, b, t, slice)
        })),
        Dfnms => o.set(doubles(fpscr, [o.a(), o.b(), o.t()], |[a, b, t], slice| {
            double::negative_multiply_subtract(a, b, t, slice)
        })),
        // A single lies in the left word of its doubleword.
        Fesd => o.set(doubles(fpscr, [o.a()], |[a], slice| convert::single_to_double((a >> 32) as u32, slice))),
        Frds => o.set(doubles(fpscr, [o.a()], |[a], slice| u64::from(convert::double_to_single(a, slice)) << 32)),
        Dfceq => o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_equal(a, b))),
        Dfcmeq => o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_magnitude_equal(a, b))),
        Dfcgt => o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_greater(a, b))),
        Dfcmgt => o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_magnitude_greater(a, b))),
        Dftsv => o.set(double_masks([o.a()], |[a]| double::test_special_value(a, selection & 0x7f))),
        Fscrrd => o.set(Quadword::from_bits(fpscr.read())),
        _ => {}
    }
}

/// `f` of each word of all operands, with the flags of its slice.
#[inline(always)]
fn singles<const N: usize>(
    fpscr: &mut Fpscr,
    operands: [Quadword; N],
    f: impl Fn([u32; N], &mut SingleFlags) -> u32,
) -> Quadword {
    let operands = operands.map(Quadword::words);
    let mut words = [0; 4];
    for (k, word) in words.iter_mut().enumerate() {
        *word = f(operands.map(|operand| operand[k]), &mut fpscr.single[k]);
    }
    Quadword::from_words(words)
}

/// `f` of each doubleword of all operands, with its slice.
#[inline(always)]
fn doubles<const N: usize>(
    fpscr: &mut Fpscr,
    operands: [Quadword; N],
    f: impl Fn([u64; N], &mut DoubleSlice) -> u64,
) -> Quadword {
    let operands = operands.map(Quadword::doublewords);
    let mut doublewords = [0; 2];
    for (k, doubleword) in doublewords.iter_mut().enumerate() {
        *doubleword = f(operands.map(|operand| operand[k]), &mut fpscr.double[k]);
    }
    Quadword::from_doublewords(doublewords)
}

/// Ones in the words where the condition holds.
#[inline(always)]
fn single_masks(a: Quadword, b: Quadword, condition: impl Fn(u32, u32) -> bool) -> Quadword {
    words_of_both(a, b, |a, b| u32::from(condition(a, b)).wrapping_neg())
}

/// Ones in the doublewords where the condition holds.
#[inline(always)]
fn double_masks<const N: usize>(operands: [Quadword; N], condition: impl Fn([u64; N]) -> bool) -> Quadword {
    let operands = operands.map(Quadword::doublewords);
    let mask = |k: usize| u64::from(condition(operands.map(|operand| operand[k]))).wrapping_neg();
    Quadword::from_doublewords([mask(0), mask(1)])
}
