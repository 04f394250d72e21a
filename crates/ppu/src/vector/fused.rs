//! Fused products and sums.
//!
//! The host computes most fused operations in double precision, where the product of two singles is exact. The sum of
//! this product and a third single is rounded twice: to a double and then to a single. The result is correct unless the
//! sum is very small or half-way between two singles.

use super::float::{DEFAULT_NAN, Mode, flush, value};
use crate::float::exact::outcome;
use crate::float::outcome::{Control, Outcome};
use crate::float::status::UX;
use crate::float::{Operation, Precision, single};
use spu::Quadword;

/// The low fraction bits of a double, which have no counterpart in a single.
const BEYOND_SINGLE: u64 = (1 << 29) - 1;
/// The value of the [`BEYOND_SINGLE`] bits in a number half-way between two singles.
const HALF_WAY: u64 = 1 << 28;

/// `vmaddfp`: A x C + B, rounded once.
#[inline]
pub fn vmaddfp(a: Quadword, b: Quadword, c: Quadword, mode: Mode) -> Quadword {
    fused([a, b, c], mode, |a, b, c| a * c + b, Operation::MultiplyAdd(Precision::Single))
}

/// `vnmsubfp`: -(A x C - B), rounded once.
#[inline]
pub fn vnmsubfp(a: Quadword, b: Quadword, c: Quadword, mode: Mode) -> Quadword {
    fused([a, b, c], mode, |a, b, c| -(a * c - b), Operation::NegativeMultiplySubtract(Precision::Single))
}

#[inline(always)]
fn fused(operands: [Quadword; 3], mode: Mode, f: impl Fn(f64, f64, f64) -> f64, operation: Operation) -> Quadword {
    match mode {
        Mode::Java => fused_in(operands, Mode::Java, f, operation),
        Mode::NonJava => fused_in(operands, Mode::NonJava, f, operation),
    }
}

/// Computes the elements in a mode that is known at compile time.
#[inline(always)]
fn fused_in(operands: [Quadword; 3], mode: Mode, f: impl Fn(f64, f64, f64) -> f64, operation: Operation) -> Quadword {
    let [a, b, c] = operands.map(Quadword::words);
    let mut results = [0; 4];
    let mut unusual = 0;
    for k in 0..4 {
        let [x, y, z] = [a[k], b[k], c[k]].map(|element| f64::from(value(element, mode)));
        let sum = f(x, y, z);
        // If a sum is zero, the zero is exact, because no product of singles underflows in double precision.
        let in_range = (sum == 0.0) | (sum.abs() > 2.0 * f64::from(f32::MIN_POSITIVE));
        let is_usual = in_range & (sum.to_bits() & BEYOND_SINGLE != HALF_WAY);
        unusual |= if is_usual { 0 } else { 1u64 };
        results[k] = (sum as f32).to_bits();
    }
    if unusual == 0 { Quadword::from_words(results) } else { exactly([a, b, c], mode, operation) }
}

/// Computes the elements in integers.
#[cold]
fn exactly([a, b, c]: [[u32; 4]; 3], mode: Mode, operation: Operation) -> Quadword {
    Quadword::from_words(std::array::from_fn(|k| {
        let operands = [a[k], b[k], c[k]].map(|element| single::widen(flush(element, mode)));
        let Outcome { result, raised, .. } = outcome(operation, operands, Control::DEFAULT);
        let result = result.map_or(DEFAULT_NAN, single::narrow);
        // A result that underflowed may have been rounded up to the smallest normalised number.
        let is_tiny = mode == Mode::NonJava && raised & UX != 0;
        if is_tiny { result & 1 << 31 } else { flush(result, mode) }
    }))
}
