//! Double precision: IEEE arithmetic, except for the SPU's treatment of denormalised operands and NaNs.
//!
//! Denormalised operands are treated as zeros, while results may be denormalised. NaNs are not propagated: every NaN
//! result is the same quiet NaN. Nothing traps. Each slice has its own rounding mode.
//!
//! As in silicon, the only operation is a × b + c with a single rounding. A sum is computed as a × 1 + b, and a product
//! as a × b + 0.
//!
//! MODEL: `dfnma` and `dfnms` round first and then negate, as on the PowerPC. The order of rounding and negation
//! matters only for directed rounding modes and for the sign of a zero.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};
use super::host;
use super::round::{DOUBLE, Exact};

const SIGN: u64 = DOUBLE.sign();
const INFINITY: u64 = DOUBLE.infinity();
const ONE: u64 = (DOUBLE.bias() as u64) << DOUBLE.fraction_bits;
/// The smallest normalised number, which is also the leading bit of a significand.
const LEAST: u64 = 1 << DOUBLE.fraction_bits;
/// The bit that distinguishes quiet NaNs (bit set) from signalling NaNs (bit clear).
const QUIET: u64 = LEAST >> 1;
/// The only NaN that arithmetic produces.
pub(super) const DEFAULT_NAN: u64 = INFINITY | QUIET;

/// `dfa`: a + b.
#[inline]
pub fn add(a: u64, b: u64, slice: &mut DoubleSlice) -> u64 {
    multiply_add(a, ONE, b, slice)
}

/// `dfs`: a - b.
#[inline]
pub fn subtract(a: u64, b: u64, slice: &mut DoubleSlice) -> u64 {
    multiply_add(a, ONE, b ^ SIGN, slice)
}

/// `dfm`: a b.
#[inline]
pub fn multiply(a: u64, b: u64, slice: &mut DoubleSlice) -> u64 {
    // The added zero has the sign of the product, so it changes neither a nonzero product nor the sign of a zero
    // product.
    multiply_add(a, b, (a ^ b) & SIGN, slice)
}

/// `dfma`: a × b + c, rounded once.
#[inline]
pub fn multiply_add(a: u64, b: u64, c: u64, slice: &mut DoubleSlice) -> u64 {
    if [a, b, c].into_iter().all(is_zero_or_normalised) {
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        if let Some(result) = host::multiply_add(x, y, z, slice) {
            return result.to_bits();
        }
    }
    exact_multiply_add(a, b, c, slice)
}

/// Computes a × b + c for any operands and any rounding mode.
fn exact_multiply_add(a: u64, b: u64, c: u64, slice: &mut DoubleSlice) -> u64 {
    let [a, b, c] = [a, b, c].map(|operand| flush(operand, &mut slice.flags));
    let sign = (a ^ b) & SIGN;
    let infinite_product = is_infinite(a) || is_infinite(b);
    let zero_product = is_zero(a) || is_zero(b);
    let opposite_infinities = infinite_product && is_infinite(c) && sign != c & SIGN;
    let nan = flag_nans(&[a, b, c], &mut slice.flags);
    if (infinite_product && zero_product) || (opposite_infinities && !nan) {
        slice.flags |= DoubleFlags::INVALID;
        return DEFAULT_NAN;
    }
    if nan {
        return DEFAULT_NAN;
    }
    if infinite_product {
        return sign | INFINITY;
    }
    if is_infinite(c) || (zero_product && !is_zero(c)) {
        return c;
    }
    if zero_product && sign == c & SIGN {
        return sign;
    }
    let sum = if zero_product { None } else { product_plus(a, b, c) };
    match sum {
        Some(exact) => exact.round(DOUBLE, slice),
        // The product and `c` have opposite signs, and their sum is zero.
        None if slice.rounding == Rounding::Downward => SIGN,
        None => 0,
    }
}

/// `dfms`: a × b - c, rounded once.
#[inline]
pub fn multiply_subtract(a: u64, b: u64, c: u64, slice: &mut DoubleSlice) -> u64 {
    multiply_add(a, b, c ^ SIGN, slice)
}

/// `dfnma`: -(a × b + c), rounded once.
#[inline]
pub fn negative_multiply_add(a: u64, b: u64, c: u64, slice: &mut DoubleSlice) -> u64 {
    negate(multiply_add(a, b, c, slice))
}

/// `dfnms`: -(a × b - c), rounded once.
#[inline]
pub fn negative_multiply_subtract(a: u64, b: u64, c: u64, slice: &mut DoubleSlice) -> u64 {
    negate(multiply_subtract(a, b, c, slice))
}

/// `dfceq`: a = b. A NaN is equal to no number; zeros of both signs are equal.
///
/// MODEL: the comparisons, which only the PowerXCell 8i has, do not replace denormalised operands by zeros, and do not
/// set flags. Silicon may treat denormalised operands as zeros, and set flags for such operands and for NaNs.
pub fn compare_equal(a: u64, b: u64) -> bool {
    f64::from_bits(a) == f64::from_bits(b)
}

/// `dfcgt`: a > b; false if either operand is a NaN.
pub fn compare_greater(a: u64, b: u64) -> bool {
    f64::from_bits(a) > f64::from_bits(b)
}

/// `dfcmeq`: |a| = |b|.
pub fn compare_magnitude_equal(a: u64, b: u64) -> bool {
    compare_equal(a & !SIGN, b & !SIGN)
}

/// `dfcmgt`: |a| > |b|.
pub fn compare_magnitude_greater(a: u64, b: u64) -> bool {
    compare_greater(a & !SIGN, b & !SIGN)
}

/// `dftsv`: whether `a` is one of the special values selected by the seven bits of `selection`.
///
/// From the left, the bits select NaN, +infinity, -infinity, +0, -0, positive denormalised, negative denormalised.
pub fn test_special_value(a: u64, selection: u32) -> bool {
    let positive = u32::from(a & SIGN == 0);
    let class = match a & !SIGN {
        0 => 0x04 << positive,
        magnitude if magnitude < LEAST => 0x01 << positive,
        magnitude if magnitude < INFINITY => 0,
        INFINITY => 0x10 << positive,
        _ => 0x40,
    };
    selection & class != 0
}

/// The exact value of a × b + c, or `None` if that value is zero. `a` and `b` must not be zero; `c` may be zero.
fn product_plus(a: u64, b: u64, c: u64) -> Option<Exact> {
    let (a_significand, a_exponent) = split(a);
    let (b_significand, b_exponent) = split(b);
    let product = u128::from(a_significand) * u128::from(b_significand);
    let product = Exact::new((a ^ b) & SIGN != 0, product, a_exponent + b_exponent);
    if is_zero(c) {
        return Some(product);
    }
    let (c_significand, c_exponent) = split(c);
    product.plus(Exact::new(c & SIGN != 0, u128::from(c_significand), c_exponent))
}

/// The significand and exponent of a normalised number. The number's magnitude is the significand times two to the
/// power of the exponent.
pub(super) fn split(a: u64) -> (u64, i32) {
    let biased = ((a & !SIGN) >> DOUBLE.fraction_bits) as i32;
    (a & (LEAST - 1) | LEAST, biased - DOUBLE.bias() - DOUBLE.fraction_bits as i32)
}

/// Replaces a denormalised number by a zero of the same sign, and sets the flag for denormalised operands.
pub(super) fn flush(a: u64, flags: &mut DoubleFlags) -> u64 {
    let denormal = a & INFINITY == 0 && a & !SIGN != 0;
    *flags |= DoubleFlags::DENORMAL.when(denormal);
    if denormal { a & SIGN } else { a }
}

/// Sets the flags for NaNs. Returns whether any operand is a NaN.
pub(super) fn flag_nans(operands: &[u64], flags: &mut DoubleFlags) -> bool {
    let nan = |a: &&u64| **a & !SIGN > INFINITY;
    let found = operands.iter().any(|a| nan(&a));
    let signalling = operands.iter().filter(nan).any(|a| a & QUIET == 0);
    *flags |= DoubleFlags::NOT_A_NUMBER.when(found);
    *flags |= DoubleFlags::INVALID.when(signalling);
    found
}

pub(super) fn is_infinite(a: u64) -> bool {
    a & !SIGN == INFINITY
}

#[inline]
pub(super) fn is_zero(a: u64) -> bool {
    a & !SIGN == 0
}

#[inline]
fn is_zero_or_normalised(a: u64) -> bool {
    is_zero(a) || (LEAST..INFINITY).contains(&(a & !SIGN))
}

/// The number with its sign flipped. A NaN stays unchanged.
#[inline]
fn negate(a: u64) -> u64 {
    if a == DEFAULT_NAN { a } else { a ^ SIGN }
}
