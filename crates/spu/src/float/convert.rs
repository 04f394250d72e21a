//! Conversions: integers and single precision, single and double.
//!
//! `scale` is the assembler's: an integer is the number times two to the scale, rounded towards zero.
//! The architecture defines 0 to 127; beyond that the same arithmetic goes on.
//!
//! MODEL: a scale that the encoding has and the architecture has not (-100 to -1, 128 to 173) is one
//! like any other. Silicon may do anything.

use super::double::{DEFAULT_NAN, flush, is_infinite, is_zero, note_nans, split};
use super::fpscr::{DoubleFlags, DoubleSlice, SingleFlags};
use super::round::{DOUBLE, Exact, SINGLE};
use super::single::{finish, widen};

/// The only NaN that rounding to single precision gives.
const SINGLE_DEFAULT_NAN: u32 = 0x7fc0_0000;
/// Bits by which the fractions of the two formats differ.
const FRACTION_SHIFT: u32 = DOUBLE.fraction_bits - SINGLE.fraction_bits;

/// `csflt`: a signed integer over two to the scale, truncated.
///
/// MODEL: below the range is an underflow, as in arithmetic; silicon may leave the flags alone.
pub fn signed_to_single(a: u32, scale: i32, flags: &mut SingleFlags) -> u32 {
    finish(f64::from(a as i32) * power_of_two(-scale), SingleFlags::NONE, flags)
}

/// `cuflt`: an unsigned integer over two to the scale, truncated.
pub fn unsigned_to_single(a: u32, scale: i32, flags: &mut SingleFlags) -> u32 {
    finish(f64::from(a) * power_of_two(-scale), SingleFlags::NONE, flags)
}

/// `cflts`: a times two to the scale, truncated to a signed integer; saturated at the ends of the range.
pub fn single_to_signed(a: u32, scale: i32) -> u32 {
    (widen(a) * power_of_two(scale)) as i32 as u32
}

/// `cfltu`: likewise to an unsigned integer; zero if a is negative.
pub fn single_to_unsigned(a: u32, scale: i32) -> u32 {
    (widen(a) * power_of_two(scale)) as u32
}

/// `fesd`: an IEEE single (not one of the extended range) as a double.
pub fn single_to_double(a: u32, slice: &mut DoubleSlice) -> u64 {
    let sign = u64::from(a >> 31) << 63;
    let magnitude = u64::from(a) & !SINGLE.sign();
    let is_special = magnitude >= SINGLE.infinity();
    // An infinity or a NaN keeps all its exponent's bits set.
    let top = if is_special { DOUBLE.infinity() } else { 0 };
    let rebias = ((DOUBLE.bias() - SINGLE.bias()) as u64) << DOUBLE.fraction_bits;
    if magnitude < 1 << SINGLE.fraction_bits {
        slice.flags |= DoubleFlags::DENORMAL.when(magnitude != 0);
        return sign;
    }
    let double = sign | top | ((magnitude << FRACTION_SHIFT) + rebias);
    if note_nans(&[double], &mut slice.flags) { DEFAULT_NAN } else { double }
}

/// `frds`: a double rounded to an IEEE single, which can be denormalised, infinite or a NaN.
pub fn double_to_single(a: u64, slice: &mut DoubleSlice) -> u32 {
    if note_nans(&[a], &mut slice.flags) {
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

/// Two to a power within the range of a normalised `f64`.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((DOUBLE.bias() + exponent) as u64) << DOUBLE.fraction_bits)
}
