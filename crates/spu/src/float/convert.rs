//! Conversions between integers and single precision, and between single and double precision.
//!
//! `scale` has the same meaning as in assembly language: the integer is the number times two to the power of `scale`,
//! rounded towards zero. The architecture defines scales from 0 to 127.
//!
//! MODEL: instructions can encode scales that the architecture does not define (-100 to -1, 128 to 173). Here undefined
//! scales behave like any other scale. Silicon may treat them differently.

use super::double::{DEFAULT_NAN, flag_nans, flush, is_infinite, is_zero, split};
use super::fpscr::{DoubleFlags, DoubleSlice, SingleFlags};
use super::round::{DOUBLE, Exact, SINGLE};
use super::single::{finish, widen};

/// The only NaN that results from rounding to single precision.
const SINGLE_DEFAULT_NAN: u32 = 0x7fc0_0000;
/// The number of fraction bits that a double has in addition to those of a single.
const FRACTION_SHIFT: u32 = DOUBLE.fraction_bits - SINGLE.fraction_bits;

/// `csflt`: a signed integer, divided by two to the power of `scale` and truncated to a single.
///
/// MODEL: a result below the range sets the underflow flag, as in arithmetic. Silicon may leave the flags unchanged.
pub fn signed_to_single(a: u32, scale: i32, flags: &mut SingleFlags) -> u32 {
    finish(f64::from(a as i32) * power_of_two(-scale), SingleFlags::NONE, flags)
}

/// `cuflt`: an unsigned integer, divided by two to the power of `scale` and truncated to a single.
pub fn unsigned_to_single(a: u32, scale: i32, flags: &mut SingleFlags) -> u32 {
    finish(f64::from(a) * power_of_two(-scale), SingleFlags::NONE, flags)
}

/// `cflts`: a, multiplied by two to the power of `scale`, truncated to a signed integer and saturated.
pub fn single_to_signed(a: u32, scale: i32) -> u32 {
    (widen(a) * power_of_two(scale)) as i32 as u32
}

/// `cfltu`: a, multiplied by two to the power of `scale`, truncated to an unsigned integer and saturated; zero if a is
/// negative.
pub fn single_to_unsigned(a: u32, scale: i32) -> u32 {
    (widen(a) * power_of_two(scale)) as u32
}

/// `fesd`: converts an IEEE single, without the SPU's extended range, to a double.
pub fn single_to_double(a: u32, slice: &mut DoubleSlice) -> u64 {
    let sign = u64::from(a >> 31) << 63;
    let magnitude = u64::from(a) & !SINGLE.sign();
    let is_special = magnitude >= SINGLE.infinity();
    // All exponent bits of an infinity or a NaN stay set.
    let top = if is_special { DOUBLE.infinity() } else { 0 };
    let rebias = ((DOUBLE.bias() - SINGLE.bias()) as u64) << DOUBLE.fraction_bits;
    if magnitude < 1 << SINGLE.fraction_bits {
        slice.flags |= DoubleFlags::DENORMAL.when(magnitude != 0);
        return sign;
    }
    let double = sign | top | ((magnitude << FRACTION_SHIFT) + rebias);
    if flag_nans(&[double], &mut slice.flags) { DEFAULT_NAN } else { double }
}

/// `frds`: rounds a double to an IEEE single, which may be denormalised, infinite or a NaN.
pub fn double_to_single(a: u64, slice: &mut DoubleSlice) -> u32 {
    if flag_nans(&[a], &mut slice.flags) {
        return SINGLE_DEFAULT_NAN;
    }
    let a = flush(a, &mut slice.flags);
    let sign = (a >> 63 << 31) as u32;
    if is_zero(a) {
        return sign;
    }
    if is_infinite(a) {
        return sign | SINGLE.infinity() as u32;
    }
    let (significand, exponent) = split(a);
    Exact::new(sign != 0, u128::from(significand), exponent).round(SINGLE, slice) as u32
}

/// Two to the power `exponent`, which must be in the range of a normalised `f64`.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((DOUBLE.bias() + exponent) as u64) << DOUBLE.fraction_bits)
}
