//! Floating-point instructions: which elements an instruction combines, and which FPSCR slices receive the flags.
//!
//! The arithmetic itself is in [`mod@crate::float`].

use super::lanes::{each_word, words_of_both};
use super::operands::{Computation, Operands, computations};
use crate::float::{DoubleSlice, Fpscr, SingleFlags, convert, double, estimate, four, single};
use crate::registers::Quadword;
use crate::table::Opcode;

/// The sign bit of a single.
const SIGN: u32 = 1 << 31;

/// The function that computes a floating-point instruction; `None` for any other instruction.
pub fn computation(opcode: Opcode) -> Option<Computation> {
    computations! { opcode;
        Fa => |o| add(o, 0),
        Fs => |o| add(o, SIGN),
        Fm => |o| multiply(o),
        Fma => |o| multiply_add(o, 0, 0),
        Fms => |o| multiply_add(o, 0, SIGN),
        Fnms => |o| multiply_add(o, SIGN, 0),
        Frest => |o| singles(o, [o.a()], |[a], flags| estimate::reciprocal(a, flags)),
        Frsqest => |o| singles(o, [o.a()], |[a], flags| estimate::reciprocal_root(a, flags)),
        Fi => |o| singles(o, [o.a(), o.b()], |[a, b], flags| estimate::interpolate(a, b, flags)),
        Csflt => |o| {
            let scale = o.i.immediate;
            singles(o, [o.a()], |[a], flags| convert::signed_to_single(a, scale, flags));
        },
        Cuflt => |o| {
            let scale = o.i.immediate;
            singles(o, [o.a()], |[a], flags| convert::unsigned_to_single(a, scale, flags));
        },
        Cflts => |o| o.set(each_word(o.a(), |a| convert::single_to_signed(a, o.i.immediate))),
        Cfltu => |o| o.set(each_word(o.a(), |a| convert::single_to_unsigned(a, o.i.immediate))),
        Fceq => |o| o.set(single_masks(o.a(), o.b(), single::compare_equal)),
        Fcmeq => |o| o.set(single_masks(o.a(), o.b(), single::compare_magnitude_equal)),
        Fcgt => |o| o.set(single_masks(o.a(), o.b(), single::compare_greater)),
        Fcmgt => |o| o.set(single_masks(o.a(), o.b(), single::compare_magnitude_greater)),

        Dfa => |o| doubles(o, [o.a(), o.b()], |[a, b], slice| double::add(a, b, slice)),
        Dfs => |o| doubles(o, [o.a(), o.b()], |[a, b], slice| double::subtract(a, b, slice)),
        Dfm => |o| doubles(o, [o.a(), o.b()], |[a, b], slice| double::multiply(a, b, slice)),
        Dfma => |o| doubles(o, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::multiply_add(a, b, t, slice)),
        Dfms => |o| doubles(o, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::multiply_subtract(a, b, t, slice)),
        Dfnma => |o| {
            doubles(o, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::negative_multiply_add(a, b, t, slice));
        },
        Dfnms => |o| {
            doubles(o, [o.a(), o.b(), o.t()], |[a, b, t], slice| double::negative_multiply_subtract(a, b, t, slice));
        },
        // A single in a doubleword is stored in the left word.
        Fesd => |o| doubles(o, [o.a()], |[a], slice| convert::single_to_double((a >> 32) as u32, slice)),
        Frds => |o| doubles(o, [o.a()], |[a], slice| u64::from(convert::double_to_single(a, slice)) << 32),
        Dfceq => |o| o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_equal(a, b))),
        Dfcmeq => |o| o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_magnitude_equal(a, b))),
        Dfcgt => |o| o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_greater(a, b))),
        Dfcmgt => |o| o.set(double_masks([o.a(), o.b()], |[a, b]| double::compare_magnitude_greater(a, b))),
        Dftsv => |o| {
            let selection = o.immediate() & 0x7f;
            o.set(double_masks([o.a()], |[a]| double::test_special_value(a, selection)));
        },
        Fscrrd => |o| o.set(Quadword::from_bits(o.state.fpscr.read())),
        Fscrwr => |o| *o.state.fpscr = Fpscr::write(o.a().bits()),
    }
}

/// The words, with the sign bit flipped if it is set in `sign`. No flag depends on the sign of an operand.
#[inline(always)]
fn signed(a: Quadword, sign: u32) -> four::Words {
    each_word(a, |word| word ^ sign).words()
}

/// `fa` and `fs`.
#[inline(always)]
fn add(o: &mut Operands, sign: u32) {
    match four::add(o.a().words(), signed(o.b(), sign)) {
        Some(words) => o.set(Quadword::from_words(words)),
        None => add_others(o, sign),
    }
}

/// Handles the rare cases of [`add`]. To keep the usual case fast, this function is not inlined and reads its operands
/// again.
#[inline(never)]
fn add_others(o: &mut Operands, sign: u32) {
    match four::add_any(o.a().words(), signed(o.b(), sign)) {
        Some(words) => o.set(Quadword::from_words(words)),
        None => singles(o, [o.a(), o.b()], |[a, b], flags| single::add(a, b ^ sign, flags)),
    }
}

/// `fm`.
#[inline(always)]
fn multiply(o: &mut Operands) {
    match four::multiply(o.a().words(), o.b().words()) {
        Some(words) => o.set(Quadword::from_words(words)),
        None => multiply_others(o),
    }
}

#[inline(never)]
fn multiply_others(o: &mut Operands) {
    singles(o, [o.a(), o.b()], |[a, b], flags| single::multiply(a, b, flags));
}

/// `fma`, `fms` and `fnms`, which differ only in the signs of product and addend.
#[inline(always)]
fn multiply_add(o: &mut Operands, sign: u32, addend_sign: u32) {
    match four::multiply_add(signed(o.a(), sign), o.b().words(), signed(o.c(), addend_sign)) {
        Some(words) => o.set(Quadword::from_words(words)),
        None => multiply_add_others(o, sign, addend_sign),
    }
}

#[inline(never)]
fn multiply_add_others(o: &mut Operands, sign: u32, addend_sign: u32) {
    match four::multiply_add_any(signed(o.a(), sign), o.b().words(), signed(o.c(), addend_sign)) {
        Some(words) => o.set(Quadword::from_words(words)),
        None => singles(o, [o.a(), o.b(), o.c()], |[a, b, c], flags| {
            single::multiply_add(a ^ sign, b, c ^ addend_sign, flags)
        }),
    }
}

/// Applies `f` to each group of corresponding words of the operands, and to the flags of the group's slice.
#[inline(always)]
fn singles<const N: usize>(o: &mut Operands, operands: [Quadword; N], f: impl Fn([u32; N], &mut SingleFlags) -> u32) {
    let operands = operands.map(Quadword::words);
    let mut words = [0; 4];
    for (k, word) in words.iter_mut().enumerate() {
        *word = f(operands.map(|operand| operand[k]), &mut o.state.fpscr.single[k]);
    }
    o.set(Quadword::from_words(words));
}

/// Applies `f` to each group of corresponding doublewords of the operands, and to the group's slice.
#[inline(always)]
fn doubles<const N: usize>(o: &mut Operands, operands: [Quadword; N], f: impl Fn([u64; N], &mut DoubleSlice) -> u64) {
    let operands = operands.map(Quadword::doublewords);
    let mut doublewords = [0; 2];
    for (k, doubleword) in doublewords.iter_mut().enumerate() {
        *doubleword = f(operands.map(|operand| operand[k]), &mut o.state.fpscr.double[k]);
    }
    o.set(Quadword::from_doublewords(doublewords));
}

/// A mask with all bits set in those words for which the condition holds.
#[inline(always)]
fn single_masks(a: Quadword, b: Quadword, condition: impl Fn(u32, u32) -> bool) -> Quadword {
    words_of_both(a, b, |a, b| u32::from(condition(a, b)).wrapping_neg())
}

/// A mask with all bits set in those doublewords for which the condition holds.
#[inline(always)]
fn double_masks<const N: usize>(operands: [Quadword; N], condition: impl Fn([u64; N]) -> bool) -> Quadword {
    let operands = operands.map(Quadword::doublewords);
    let mask = |k: usize| u64::from(condition(operands.map(|operand| operand[k]))).wrapping_neg();
    Quadword::from_doublewords([mask(0), mask(1)])
}
