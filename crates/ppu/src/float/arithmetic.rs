//! Sums, products, quotients, roots and fused products, exactly.

use spu::float::Rounding;
use spu::float::round::Exact;

use super::answer::{Answer, Control};
use super::number::{INFINITY, LEAST_NORMAL, SIGN, exact, is_infinite, is_nan, is_zero};
use super::operation::Precision;
use super::status::{VXIDI, VXIMZ, VXISI, VXSQRT, VXZDZ, ZX};

/// A + B.
pub(super) fn add([a, b]: [u64; 2], precision: Precision, control: Control) -> Answer {
    Answer::nan(&[a, b], 0, control).unwrap_or_else(|| sum(a, exact(a), b, precision, control))
}

/// A - B.
pub(super) fn subtract([a, b]: [u64; 2], precision: Precision, control: Control) -> Answer {
    Answer::nan(&[a, b], 0, control).unwrap_or_else(|| sum(a, exact(a), b ^ SIGN, precision, control))
}

/// A C.
pub(super) fn multiply([a, c]: [u64; 2], precision: Precision, control: Control) -> Answer {
    if let Some(nan) = Answer::nan(&[a, c], 0, control) {
        return nan;
    }
    let sign = (a ^ c) & SIGN;
    match (is_infinite(a) || is_infinite(c), product(a, c)) {
        (true, _) if is_zero(a) || is_zero(c) => Answer::invalid(VXIMZ, control),
        (true, _) => Answer::exact(sign | INFINITY, false),
        (false, None) => Answer::exact(sign, false),
        (false, Some(product)) => Answer::rounded(product, precision, control),
    }
}

/// A / B.
pub(super) fn divide([a, b]: [u64; 2], precision: Precision, control: Control) -> Answer {
    if let Some(nan) = Answer::nan(&[a, b], 0, control) {
        return nan;
    }
    let sign = (a ^ b) & SIGN;
    match (is_infinite(a), is_infinite(b), exact(a), exact(b)) {
        (true, true, ..) => Answer::invalid(VXIDI, control),
        (true, ..) => Answer::exact(sign | INFINITY, false),
        (_, true, ..) | (_, _, None, Some(_)) => Answer::exact(sign, false),
        (_, _, None, None) => Answer::invalid(VXZDZ, control),
        (_, _, Some(_), None) => Answer::exact(sign | INFINITY, false).raising(ZX, control),
        (_, _, Some(a), Some(b)) => Answer::rounded(a.over(b), precision, control),
    }
}

/// The root of B.
pub(super) fn square_root(b: u64, precision: Precision, control: Control) -> Answer {
    if let Some(nan) = Answer::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Answer::exact(b, false),
        Some(_) if b & SIGN != 0 => Answer::invalid(VXSQRT, control),
        Some(_) if is_infinite(b) => Answer::exact(b, false),
        Some(number) => Answer::rounded(number.square_root(), precision, control),
    }
}

/// A C + B, or A C - B where `flip` is the sign's bit.
///
/// The product of an infinity and zero is invalid even if B is a NaN, which is the result then.
pub(super) fn multiply_add([a, b, c]: [u64; 3], flip: u64, precision: Precision, control: Control) -> Answer {
    let infinite = is_infinite(a) || is_infinite(c);
    let zero = is_zero(a) || is_zero(c);
    let invalid = if infinite && zero { VXIMZ } else { 0 };
    if let Some(nan) = Answer::nan(&[a, b, c], invalid, control) {
        return nan;
    }
    if invalid != 0 {
        return Answer::invalid(invalid, control);
    }
    let sign = (a ^ c) & SIGN;
    let product_bits = match (infinite, zero) {
        (true, _) => sign | INFINITY,
        (_, true) => sign,
        // Of these only the sign counts.
        _ => sign | LEAST_NORMAL,
    };
    let exact_product = if infinite { None } else { product(a, c) };
    sum(product_bits, exact_product, b ^ flip, precision, control)
}

/// The product of finite numbers; `None` for zero.
fn product(a: u64, c: u64) -> Option<Exact> {
    Some(exact(a)?.times(exact(c)?))
}

/// A + B where neither is a NaN; the value of a finite A is `a_exact`, and `a` itself then only says that it is finite
/// and which sign it has.
fn sum(a: u64, a_exact: Option<Exact>, b: u64, precision: Precision, control: Control) -> Answer {
    debug_assert!(!is_nan(a) && !is_nan(b));
    match (is_infinite(a), is_infinite(b)) {
        (true, true) if a != b => return Answer::invalid(VXISI, control),
        (true, _) => return Answer::exact(a, false),
        (_, true) => return Answer::exact(b, false),
        _ => {}
    }
    let sum = match (a_exact, exact(b)) {
        (None, None) if (a ^ b) & SIGN == 0 => return Answer::exact(a & SIGN, false),
        (Some(x), Some(y)) => x.plus(y),
        (x, y) => x.or(y),
    };
    match sum {
        Some(sum) => Answer::rounded(sum, precision, control),
        // Numbers of opposite signs that add up to zero.
        None if control.rounding() == Rounding::Downward => Answer::exact(SIGN, false),
        None => Answer::exact(0, false),
    }
}
