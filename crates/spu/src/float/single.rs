//! Single precision in the SPU's extended range.
//!
//! The format is that of IEEE 754, but some bit patterns have other meanings. The greatest exponent encodes ordinary
//! numbers, so the SPU has no infinities and no NaNs. A number whose exponent field is zero is zero, whatever its
//! fraction. Results are truncated. Results that are too great become the greatest number. Results that are too small
//! become zero. A zero result is always positive.
//!
//! Every nonzero number of the extended range, and every product of two such numbers, is exactly a normalised `f64`.
//! The rounding error of a sum of two `f64` is itself an `f64` (Knuth's two-sum). The sign of that error shows whether
//! the exact sum is above or below a 24-bit number. Every host with IEEE arithmetic therefore computes the same bits.

use super::fpscr::SingleFlags;

const SIGN: u32 = 1 << 31;
/// The mask of the exponent field. The same bits also encode the smallest number with the greatest exponent.
const EXPONENT: u32 = 0xff << 23;
/// The smallest normalised number.
const LEAST: u32 = 1 << 23;
/// The greatest number: (2 - 2^-23) 2^128.
pub(super) const GREATEST: u32 = !SIGN;
/// The number of fraction bits that an `f64` has in addition to those of a single.
const FRACTION_SHIFT: u32 = 52 - 23;
/// The difference between the biased exponents of an `f64` and a single of the same value, shifted into position.
const REBIAS: u64 = (1023 - 127) << 52;

/// `fa`: a + b.
#[inline]
pub fn add(a: u32, b: u32, flags: &mut SingleFlags) -> u32 {
    finish(sum(widen(a), widen(b)), different(a).and(different(b)), flags)
}

/// `fs`: a - b.
#[inline]
pub fn subtract(a: u32, b: u32, flags: &mut SingleFlags) -> u32 {
    add(a, b ^ SIGN, flags)
}

/// `fm`: a b.
#[inline]
pub fn multiply(a: u32, b: u32, flags: &mut SingleFlags) -> u32 {
    finish(widen(a) * widen(b), different(a).and(different(b)), flags)
}

/// `fma`: a × b + c, rounded once.
#[inline]
pub fn multiply_add(a: u32, b: u32, c: u32, flags: &mut SingleFlags) -> u32 {
    let exact = sum(widen(a) * widen(b), widen(c));
    finish(exact, different(a).and(different(b)).and(different(c)), flags)
}

/// `fms`: a × b - c, rounded once.
#[inline]
pub fn multiply_subtract(a: u32, b: u32, c: u32, flags: &mut SingleFlags) -> u32 {
    multiply_add(a, b, c ^ SIGN, flags)
}

/// `fnms`: c - a × b, rounded once.
#[inline]
pub fn negative_multiply_subtract(a: u32, b: u32, c: u32, flags: &mut SingleFlags) -> u32 {
    multiply_add(a ^ SIGN, b, c, flags)
}

/// `fceq`: a = b; all zeros are equal. Comparisons leave the flags unchanged.
#[inline]
pub fn compare_equal(a: u32, b: u32) -> bool {
    widen(a) == widen(b)
}

/// `fcgt`: a > b.
#[inline]
pub fn compare_greater(a: u32, b: u32) -> bool {
    widen(a) > widen(b)
}

/// `fcmeq`: |a| = |b|.
#[inline]
pub fn compare_magnitude_equal(a: u32, b: u32) -> bool {
    compare_equal(a & !SIGN, b & !SIGN)
}

/// `fcmgt`: |a| > |b|.
#[inline]
pub fn compare_magnitude_greater(a: u32, b: u32) -> bool {
    compare_greater(a & !SIGN, b & !SIGN)
}

/// The number that these bits represent on the SPU.
#[inline]
pub(super) fn widen(bits: u32) -> f64 {
    let magnitude = bits & !SIGN;
    let wide = if magnitude < LEAST { 0 } else { (u64::from(magnitude) << FRACTION_SHIFT) + REBIAS };
    f64::from_bits(wide | u64::from(bits & SIGN) << 32)
}

/// Returns [`SingleFlags::DIFFERENT`] if IEEE gives these bits another meaning: a NaN, an infinity or a denormalised
/// number.
#[inline]
pub(super) fn different(bits: u32) -> SingleFlags {
    let magnitude = bits & !SIGN;
    SingleFlags::DIFFERENT.when(magnitude >= EXPONENT || (magnitude < LEAST && magnitude != 0))
}

/// x + y, precise enough for truncation to 24 bits and for checks of the range.
///
/// The nearest `f64` suffices if it has more than 24 bits. Otherwise, the exact sum may be slightly below the nearest
/// `f64`, so the sum is rounded to odd: it is truncated, and its last bit is set if any bit was lost.
#[inline]
fn sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    if sum.to_bits() & ((1 << FRACTION_SHIFT) - 1) != 0 {
        return sum;
    }
    let y_virtual = sum - x;
    let error = (x - (sum - y_virtual)) + (y - y_virtual);
    if error == 0.0 {
        return sum;
    }
    let beyond = (error < 0.0) != (sum < 0.0);
    f64::from_bits((sum.to_bits() - u64::from(beyond)) | 1)
}

/// Truncates a result to 24 bits, limits it to the extended range, and sets the flags.
///
/// The flags depend on the result *before* rounding: a result above the greatest number overflows, even if truncation
/// would bring it back into the range.
#[inline]
pub(super) fn finish(exact: f64, operands: SingleFlags, flags: &mut SingleFlags) -> u32 {
    const TINY: u64 = ((LEAST as u64) << FRACTION_SHIFT) + REBIAS;
    const HUGE: u64 = ((GREATEST as u64) << FRACTION_SHIFT) + REBIAS;
    let sign = (exact.to_bits() >> 32) as u32 & SIGN;
    let magnitude = exact.to_bits() & !(1 << 63);
    *flags |= operands;
    if magnitude < TINY {
        *flags |= SingleFlags::UNDERFLOW.and(SingleFlags::DIFFERENT).when(magnitude != 0);
        return 0;
    }
    if magnitude > HUGE {
        *flags |= SingleFlags::OVERFLOW.and(SingleFlags::DIFFERENT);
        return sign | GREATEST;
    }
    let truncated = ((magnitude - REBIAS) >> FRACTION_SHIFT) as u32;
    *flags |= SingleFlags::DIFFERENT.when(truncated >= EXPONENT);
    sign | truncated
}
