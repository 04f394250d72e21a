//! Double precision with the host's arithmetic, for those cases in which it produces the SPU's results and flags.
//!
//! The host rounds to nearest and does not report whether a result is exact. The module therefore handles only slices
//! that round to nearest, and only numbers far from both ends of the range. The module determines exactness by an
//! error-free transformation: a fused multiply-add gives the error of a product, and Knuth's two-sum gives the error of
//! a sum. If the sticky inexact flag is already set, the module need not determine exactness.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// Whether the fused multiply-add of the host's C library is none, as in MinGW's.
const ROUNDS_TWICE: bool = cfg!(all(windows, target_env = "gnu"));

/// a × b + c for operands that are zero or normalised; `None` if the host cannot provide the result and the flags.
#[inline]
pub(super) fn multiply_add(a: f64, b: f64, c: f64, slice: &mut DoubleSlice) -> Option<f64> {
    if slice.rounding != Rounding::NearestEven || ROUNDS_TWICE {
        return None;
    }
    if slice.flags.contains(DoubleFlags::INEXACT) {
        return Some(a.mul_add(b, c)).filter(|&result| is_moderate(result));
    }
    let product = a * b;
    let zero_product = a == 0.0 || b == 0.0;
    let product_error = a.mul_add(b, -product);
    if !(zero_product || is_moderate(product)) || !(product_error == 0.0 || c == 0.0) {
        return None;
    }
    let sum = product + c;
    let c_virtual = sum - product;
    let sum_error = (product - (sum - c_virtual)) + (c - c_virtual);
    if !is_moderate(sum) {
        return None;
    }
    slice.flags |= DoubleFlags::INEXACT.when(product_error != 0.0 || sum_error != 0.0);
    Some(sum)
}

/// Whether a number is so far from both ends of the range that its rounding error is a normalised number.
#[inline]
fn is_moderate(a: f64) -> bool {
    (1e-270..1e270).contains(&a.abs())
}
