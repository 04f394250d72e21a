//! Double precision by the host's own arithmetic, where that gives the same results and flags.
//!
//! The host rounds to nearest and does not tell whether a result is exact.  So this serves slices that round
//! to nearest, numbers far from both ends of the range, and cases in which exactness does not matter or is
//! known otherwise: because the inexact flag, which is sticky, is set already, or by an error-free
//! transformation (a fused multiply-add gives the error of a product, Knuth's two-sum that of a sum).

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// a b + c for operands that are zero or normalised; `None` if the host cannot give result and flags.
#[inline]
pub(super) fn multiply_add(a: f64, b: f64, c: f64, slice: &mut DoubleSlice) -> Option<f64> {
    if slice.rounding != Rounding::NearestEven {
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
    let c_there = sum - product;
    let sum_error = (product - (sum - c_there)) + (c - c_there);
    if !is_moderate(sum) {
        return None;
    }
    slice.flags |= DoubleFlags::INEXACT.when(product_error != 0.0 || sum_error != 0.0);
    Some(sum)
}

/// Whether a number is so far from both ends of the range that its rounding error is normalised, too.
#[inline]
fn is_moderate(a: f64) -> bool {
    (1e-270..1e270).contains(&a.abs())
}
