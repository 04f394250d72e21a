//! Double precision with the host's own arithmetic, where that is the same.
//!
//! The host rounds to nearest and says nothing of what it rounded.  So this is for slices that round to
//! nearest, for numbers far from both ends of the range, and for results of which it is known whether
//! they are exact: because an error-free transformation tells (the error of a product is one fused
//! multiply-add away, that of a sum is Knuth's two-sum), or because the inexact flag is set already, and
//! it is sticky.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// a b + c for operands that are zero or normalised, if the host can say it.
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

/// Whether it is so far from both ends of the range that its rounding error is a normalised number too.
#[inline]
fn is_moderate(a: f64) -> bool {
    (1e-270..1e270).contains(&a.abs())
}
