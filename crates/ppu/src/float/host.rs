//! Results by the host's own arithmetic, where they are the same and nothing new is to be raised.
//!
//! The host rounds to nearest and does not tell whether a result is exact.  So this is for that mode, and for
//! exact results unless the inexact exception is set already.  What it gives is finite and greater than the least
//! normalised number, which tiny ones may be rounded to; or it is an exact zero.  NaNs and infinities among the
//! operands lead to neither.
//!
//! Singles: the operands must be singles.  A sum, product, quotient or root rounded to 53 bits first is rounded to 24
//! bits rightly then, since 53 is at least 2 x 24 + 2; a fused product is, unless it is half-way between singles.

use super::operation::{Operation, Precision};
use super::status::{RN, XX};

/// Bits of a double's fraction that a single has not.
const BEYOND_SINGLE: u64 = (1 << 29) - 1;
/// What is left of a number half-way between singles.
const HALF_WAY: u64 = 1 << 28;
/// Greater numbers have rounding errors that are normalised, too.
const SMALL: f64 = 1e-270;

/// The result, if nothing but that and its class, FR and FI is to be known.
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
        // No sum is too small to be exact.
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
                // It could have been too small, but for a product far above the least number.
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

/// An integer, as a register holds it, that `b` was rounded to.
#[inline(always)]
fn to_word(integer: f64, b: f64, may_round: bool) -> Option<u64> {
    (may_round || integer == b).then_some(integer as i32 as u64)
}

/// The nearest integer, if it is a word.
#[inline(always)]
fn nearest_integer(b: f64) -> Option<f64> {
    /// Nothing below one fits behind it.
    const ALIGN: f64 = (3u64 << 51) as f64;
    (b.abs() < f64::from(i32::MAX)).then_some((b + ALIGN) - ALIGN)
}

/// The integer towards zero, if it is a word.
#[inline(always)]
fn integer_towards_zero(b: f64) -> Option<f64> {
    (b.abs() < f64::from(i32::MAX)).then_some(f64::from(b as i32))
}

/// A double that is normalised, finite, and not the least such number.
#[inline(always)]
fn keep(x: f64, may_round: bool, is_exact: impl FnOnce() -> bool) -> Option<f64> {
    let exponent = x.to_bits() >> 52 & 0x7ff;
    ((2..0x7ff).contains(&exponent) && (may_round || is_exact())).then_some(x)
}

/// The nearest single, likewise; `is_exact` is about `x`.
#[inline(always)]
fn narrow(x: f64, may_round: bool, is_exact: impl FnOnce() -> bool) -> Option<f64> {
    let single = x as f32;
    let wide = f64::from(single);
    let is_usual = single.abs() > f32::MIN_POSITIVE && single.abs() < f32::INFINITY;
    (is_usual && (may_round || (wide == x && is_exact()))).then_some(wide)
}

/// Whether both have no more bits than singles.
#[inline(always)]
fn are_singles([a, b]: [f64; 2]) -> bool {
    (a.to_bits() | b.to_bits()) & BEYOND_SINGLE == 0
}

/// The rounding error of a sum (Knuth's two-sum).
#[inline(always)]
fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_there = sum - a;
    (a - (sum - b_there)) + (b - b_there)
}
