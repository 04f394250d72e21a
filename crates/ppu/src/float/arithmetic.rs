//! Exact sums, products, quotients, square roots and fused products.

use spu::float::Rounding;
use spu::float::round::Exact;

use super::number::{INFINITY, LEAST_NORMAL, SIGN, exact, is_infinite, is_nan, is_zero};
use super::operation::Precision;
use super::outcome::{Control, Outcome};
use super::status::{VXIDI, VXIMZ, VXISI, VXSQRT, VXZDZ, ZX};

/// A + B.
pub(super) fn add([a, b]: [u64; 2], precision: Precision, control: Control) -> Outcome {
    Outcome::nan(&[a, b], 0, control).unwrap_or_else(|| sum(a, exact(a), b, precision, control))
}

/// A - B.
pub(super) fn subtract([a, b]: [u64; 2], precision: Precision, control: Control) -> Outcome {
    Outcome::nan(&[a, b], 0, control).unwrap_or_else(|| sum(a, exact(a), b ^ SIGN, precision, control))
}

/// A C.
pub(super) fn multiply([a, c]: [u64; 2], precision: Precision, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[a, c], 0, control) {
        return nan;
    }
    let sign = (a ^ c) & SIGN;
    match (is_infinite(a) || is_infinite(c), product(a, c)) {
        (true, _) if is_zero(a) || is_zero(c) => Outcome::invalid(VXIMZ, control),
        (true, _) => Outcome::exact(sign | INFINITY, false),
        (false, None) => Outcome::exact(sign, false),
        (false, Some(product)) => Outcome::rounded(product, precision, control),
    }
}

/// A / B.
pub(super) fn divide([a, b]: [u64; 2], precision: Precision, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[a, b], 0, control) {
        return nan;
    }
    let sign = (a ^ b) & SIGN;
    match (is_infinite(a), is_infinite(b), exact(a), exact(b)) {
        (true, true, ..) => Outcome::invalid(VXIDI, control),
        (true, ..) => Outcome::exact(sign | INFINITY, false),
        (_, true, ..) | (_, _, None, Some(_)) => Outcome::exact(sign, false),
        (_, _, None, None) => Outcome::invalid(VXZDZ, control),
        (_, _, Some(_), None) => Outcome::exact(sign | INFINITY, false).raising(ZX, control),
        (_, _, Some(a), Some(b)) => Outcome::rounded(a.over(b), precision, control),
    }
}

/// The square root of B.
pub(super) fn square_root(b: u64, precision: Precision, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Outcome::exact(b, false),
        Some(_) if b & SIGN != 0 => Outcome::invalid(VXSQRT, control),
        Some(_) if is_infinite(b) => Outcome::exact(b, false),
        Some(number) => Outcome::rounded(number.square_root(), precision, control),
    }
}

/// A x C + B, or A x C - B if `flip` is the sign bit.
///
/// Infinity times zero is invalid even if B is a NaN, in which case the result is B, made quiet.
pub(super) fn multiply_add([a, b, c]: [u64; 3], flip: u64, precision: Precision, control: Control) -> Outcome {
    let infinite = is_infinite(a) || is_infinite(c);
    let zero = is_zero(a) || is_zero(c);
    let invalid = if infinite && zero { VXIMZ } else { 0 };
    if let Some(nan) = Outcome::nan(&[a, b, c], invalid, control) {
        return nan;
    }
    if invalid != 0 {
        return Outcome::invalid(invalid, control);
    }
    let sign = (a ^ c) & SIGN;
    let product_bits = match (infinite, zero) {
        (true, _) => sign | INFINITY,
        (_, true) => sign,
        // For a finite product, `sum` uses only the sign of `product_bits`.
        _ => sign | LEAST_NORMAL,
    };
    let exact_product = if infinite { None } else { product(a, c) };
    sum(product_bits, exact_product, b ^ flip, precision, control)
}

/// The product of finite numbers; `None` for zero.
fn product(a: u64, c: u64) -> Option<Exact> {
    Some(exact(a)?.times(exact(c)?))
}

/// A + B for operands that are not NaNs. If A is finite, `a_exact` is its value, and `a` is any finite number of the
/// same sign.
fn sum(a: u64, a_exact: Option<Exact>, b: u64, precision: Precision, control: Control) -> Outcome {
    debug_assert!(!is_nan(a) && !is_nan(b));
    match (is_infinite(a), is_infinite(b)) {
        (true, true) if a != b => return Outcome::invalid(VXISI, control),
        (true, _) => return Outcome::exact(a, false),
        (_, true) => return Outcome::exact(b, false),
        _ => {}
    }
    let sum = match (a_exact, exact(b)) {
        (None, None) if (a ^ b) & SIGN == 0 => return Outcome::exact(a & SIGN, false),
        (Some(x), Some(y)) => x.plus(y),
        (x, y) => x.or(y),
    };
    match sum {
        Some(sum) => Outcome::rounded(sum, precision, control),
        // The operands have opposite signs and add up to zero.
        None if control.rounding() == Rounding::Downward => Outcome::exact(SIGN, false),
        None => Outcome::exact(0, false),
    }
}
