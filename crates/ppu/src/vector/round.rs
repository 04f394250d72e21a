//! Rounding to integers, and conversions between integers and singles.

use super::float::{Mode, first_nan, value};
use spu::Quadword;
use spu::execute::lanes::each_word;

/// All single-precision numbers of at least this magnitude are integers.
const ALL_INTEGERS: f32 = (1 << 23) as f32;

/// Applies `f` to each element that may have a fractional part. Keeps the element's sign.
#[inline(always)]
fn rounded(b: Quadword, mode: Mode, f: impl Fn(f32) -> f32) -> Quadword {
    each_word(b, |element| {
        let x = value(element, mode);
        if x.abs() < ALL_INTEGERS { f(x).copysign(x).to_bits() } else { first_nan(&[element]).unwrap_or(element) }
    })
}

/// Rounds a number below [`ALL_INTEGERS`] towards zero.
#[inline(always)]
fn truncated(x: f32) -> f32 {
    x as i32 as f32
}

/// `vrfin`: rounds to the nearest integer, ties to even.
#[inline]
pub fn vrfin(b: Quadword, mode: Mode) -> Quadword {
    // The unit in the last place of the sum is one, so the addition rounds to an integer.
    rounded(b, mode, |x| (x.abs() + ALL_INTEGERS) - ALL_INTEGERS)
}

/// `vrfiz`: rounds to an integer towards zero.
#[inline]
pub fn vrfiz(b: Quadword, mode: Mode) -> Quadword {
    rounded(b, mode, truncated)
}

/// `vrfip`: rounds to an integer towards plus infinity.
#[inline]
pub fn vrfip(b: Quadword, mode: Mode) -> Quadword {
    rounded(b, mode, |x| truncated(x) + if truncated(x) < x { 1.0 } else { 0.0 })
}

/// `vrfim`: rounds to an integer towards minus infinity.
#[inline]
pub fn vrfim(b: Quadword, mode: Mode) -> Quadword {
    rounded(b, mode, |x| truncated(x) - if truncated(x) > x { 1.0 } else { 0.0 })
}

#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `vcfux`: converts unsigned words, and divides by two to the power of the scale.
#[inline]
pub fn vcfux(b: Quadword, scale: u32) -> Quadword {
    let unit = power_of_two(-((scale & 31) as i32));
    each_word(b, |element| ((f64::from(element) * unit) as f32).to_bits())
}

/// `vcfsx`: converts signed words, and divides by two to the power of the scale.
#[inline]
pub fn vcfsx(b: Quadword, scale: u32) -> Quadword {
    let unit = power_of_two(-((scale & 31) as i32));
    each_word(b, |element| ((f64::from(element as i32) * unit) as f32).to_bits())
}

/// `vctuxs`: multiplies numbers by two to the power of the scale, and truncates to unsigned words. Also returns whether
/// any number saturated. A NaN becomes zero.
#[inline]
pub fn vctuxs(b: Quadword, scale: u32) -> (Quadword, bool) {
    converted(b, scale, -1.0, 4_294_967_296.0, |x| x as u32)
}

/// `vctsxs`: multiplies numbers by two to the power of the scale, and truncates to signed words. Also returns whether
/// any number saturated. A NaN becomes zero.
#[inline]
pub fn vctsxs(b: Quadword, scale: u32) -> (Quadword, bool) {
    converted(b, scale, -2_147_483_649.0, 2_147_483_648.0, |x| x as i32 as u32)
}

/// Multiplies each number by two to the power of the scale, and applies `f`, which saturates. `below` and `above` are
/// the integers just outside the range of the results.
#[inline(always)]
fn converted(b: Quadword, scale: u32, below: f64, above: f64, f: impl Fn(f64) -> u32) -> (Quadword, bool) {
    let unit = power_of_two((scale & 31) as i32);
    let mut saturated = false;
    let mut elements = b.words();
    for element in &mut elements {
        let scaled = f64::from(f32::from_bits(*element)) * unit;
        saturated |= scaled <= below || scaled >= above;
        *element = f(scaled);
    }
    (Quadword::from_words(elements), saturated)
}
