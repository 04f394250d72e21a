//! Computes results with the host's arithmetic where they equal the PPE's results and raise no new exception.
//!
//! The host rounds to nearest and does not report whether a result is exact. The module therefore handles only rounding
//! to nearest, and returns inexact results only if the inexact exception is already set. The module returns exact
//! zeros, and finite numbers above the smallest normalised number. The smallest normalised number is excluded because
//! tiny numbers may have been rounded up to it. Operations on NaNs or infinities are left to the exact computation.
//!
//! For single precision, the operands must be singles. Rounding a sum, product, quotient or root to 53 bits first and
//! to 24 bits afterwards then gives the correct result, since 53 is at least 2 x 24 + 2. Rounding the result of a fused
//! multiply-add twice is also correct, unless the first result is half-way between two singles.

use super::operation::{Operation, Precision};
use super::status::{RN, XX};

/// The low fraction bits of a double, which have no counterpart in a single.
const BEYOND_SINGLE: u64 = (1 << 29) - 1;
/// The value of the [`BEYOND_SINGLE`] bits in a number half-way between two singles.
const HALF_WAY: u64 = 1 << 28;
/// The rounding error of any result above this magnitude is a normalised number.
const SMALL: f64 = 1e-270;

/// Returns the result if the operation raises no new exception and the host's result is correct.
#[inline(always)]
pub(super) fn result(operation: Operation, operands: [u64; 3], fpscr: u32) -> Option<u64> {
    use Operation::*;
    if fpscr & RN != 0 {
        return None;
    }
    let may_round = fpscr & XX != 0;
    let [a, b, c] = operands.map(f64::from_bits);
    let result = match operation {
        Add(precision) => sum(a, b, precision, may_round),
        Subtract(precision) => sum(a, -b, precision, may_round),
        Multiply(precision) => product(a, c, precision, may_round),
        Divide(precision) => quotient(a, b, precision, may_round),
        SquareRoot(precision) => square_root(b, precision, may_round),
        MultiplyAdd(precision) => fused(a, b, c, precision, may_round),
        MultiplySubtract(precision) => fused(a, -b, c, precision, may_round),
        NegativeMultiplyAdd(precision) => fused(a, b, c, precision, may_round).map(|sum| -sum),
        NegativeMultiplySubtract(precision) => fused(a, -b, c, precision, may_round).map(|sum| -sum),
        RoundToSingle if b == 0.0 => Some(b),
        RoundToSingle => narrow(b, may_round, || true),
        ToWord => return to_word(nearest_integer(b)?, b, may_round),
        ToWordTruncated => return to_word(integer_towards_zero(b)?, b, may_round),
        FromDoubleword => from_doubleword(operands[1] as i64, may_round),
        ToDoubleword | ToDoublewordTruncated | ReciprocalEstimate | ReciprocalRootEstimate => None,
    };
    result.map(f64::to_bits)
}

#[inline(always)]
fn sum(a: f64, b: f64, precision: Precision, may_round: bool) -> Option<f64> {
    let sum = a + b;
    let is_exact = || sum_error(a, b, sum) == 0.0;
    match precision {
        // If a sum is zero, the zero is exact.
        _ if sum == 0.0 => Some(sum),
        Precision::Double => keep(sum, may_round, is_exact),
        Precision::Single if are_singles([a, b]) => narrow(sum, may_round, is_exact),
        Precision::Single => None,
    }
}

#[inline(always)]
fn product(a: f64, c: f64, precision: Precision, may_round: bool) -> Option<f64> {
    let product = a * c;
    match precision {
        _ if product == 0.0 => (a == 0.0 || c == 0.0).then_some(product),
        Precision::Double => keep(product, may_round, || product.abs() > SMALL && a.mul_add(c, -product) == 0.0),
        Precision::Single if are_singles([a, c]) => narrow(product, may_round, || true),
        Precision::Single => None,
    }
}

#[inline(always)]
fn quotient(a: f64, b: f64, precision: Precision, may_round: bool) -> Option<f64> {
    let quotient = a / b;
    match precision {
        _ if quotient == 0.0 => (a == 0.0).then_some(quotient),
        Precision::Double => keep(quotient, may_round, || a.abs() > SMALL && quotient.mul_add(b, -a) == 0.0),
        Precision::Single if are_singles([a, b]) => narrow(quotient, may_round, || quotient * b == a),
        Precision::Single => None,
    }
}

#[inline(always)]
fn square_root(b: f64, precision: Precision, may_round: bool) -> Option<f64> {
    let root = b.sqrt();
    match precision {
        _ if b == 0.0 => Some(b),
        Precision::Double => keep(root, may_round, || b > SMALL && root.mul_add(root, -b) == 0.0),
        Precision::Single if are_singles([b, b]) => narrow(root, may_round, || root * root == b),
        Precision::Single => None,
    }
}

#[inline(always)]
fn fused(a: f64, b: f64, c: f64, precision: Precision, may_round: bool) -> Option<f64> {
    let product = a * c;
    let product_is_precise = || product.abs() > SMALL || a == 0.0 || c == 0.0;
    match precision {
        Precision::Double => {
            let sum = a.mul_add(c, b);
            if sum == 0.0 {
                // A zero may be the result of underflow, unless the product is far above the smallest number.
                return product_is_precise().then_some(sum);
            }
            keep(sum, may_round, || {
                product_is_precise() && a.mul_add(c, -product) == 0.0 && sum_error(product, b, sum) == 0.0
            })
        }
        Precision::Single => {
            let sum = product + b;
            if !are_singles([a, b]) || !are_singles([b, c]) || sum.to_bits() & BEYOND_SINGLE == HALF_WAY {
                return None;
            }
            if sum == 0.0 {
                return product_is_precise().then_some(sum);
            }
            narrow(sum, may_round, || product_is_precise() && sum_error(product, b, sum) == 0.0)
        }
    }
}

#[inline(always)]
fn from_doubleword(number: i64, may_round: bool) -> Option<f64> {
    (may_round || number.unsigned_abs() < 1 << 53).then_some(number as f64)
}

/// Returns the register bits of `integer`, the result of rounding `b`.
#[inline(always)]
fn to_word(integer: f64, b: f64, may_round: bool) -> Option<u64> {
    (may_round || integer == b).then_some(integer as i32 as u64)
}

/// The integer nearest to `b`, if the integer fits into a word.
#[inline(always)]
fn nearest_integer(b: f64) -> Option<f64> {
    /// A double whose unit in the last place (ulp) is 1.
    const ALIGN: f64 = (3u64 << 51) as f64;
    (b.abs() < f64::from(i32::MAX)).then_some((b + ALIGN) - ALIGN)
}

/// The integer part of `b`, if it fits into a word.
#[inline(always)]
fn integer_towards_zero(b: f64) -> Option<f64> {
    (b.abs() < f64::from(i32::MAX)).then_some(f64::from(b as i32))
}

/// Returns `x` if `x` is finite, is above the smallest normalised numbers, and is exact or may be rounded.
#[inline(always)]
fn keep(x: f64, may_round: bool, is_exact: impl FnOnce() -> bool) -> Option<f64> {
    let exponent = x.to_bits() >> 52 & 0x7ff;
    ((2..0x7ff).contains(&exponent) && (may_round || is_exact())).then_some(x)
}

/// Returns the single nearest to `x`, under the same conditions as [`keep`]. `is_exact` states whether `x` is exact.
#[inline(always)]
fn narrow(x: f64, may_round: bool, is_exact: impl FnOnce() -> bool) -> Option<f64> {
    let single = x as f32;
    let wide = f64::from(single);
    let is_usual = single.abs() > f32::MIN_POSITIVE && single.abs() < f32::INFINITY;
    (is_usual && (may_round || (wide == x && is_exact()))).then_some(wide)
}

/// Whether both numbers fit into the fraction of a single.
#[inline(always)]
fn are_singles([a, b]: [f64; 2]) -> bool {
    (a.to_bits() | b.to_bits()) & BEYOND_SINGLE == 0
}

/// The rounding error of a sum (Knuth's two-sum).
#[inline(always)]
fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_virtual = sum - a;
    (a - (sum - b_virtual)) + (b - b_virtual)
}
