//! Estimates of 1 / x and 1 / sqrt(x): `fres` and `frsqrte`.
//!
//! MODEL: an estimate is the correctly rounded result, with FR and FI clear. Silicon's estimates come from unpublished
//! tables, and have errors of up to 1/256 (`fres`) and 1/32 (`frsqrte`) of the result.

use spu::float::round::Exact;

use super::number::{INFINITY, SIGN, exact, is_infinite};
use super::operation::Precision;
use super::outcome::{Control, Outcome};
use super::status::{VXSQRT, XX, ZX};

/// `fres`: 1 / B as a single.
pub(super) fn reciprocal(b: u64, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Outcome::exact(b | INFINITY, true).raising(ZX, control),
        Some(_) if is_infinite(b) => Outcome::exact(b & SIGN, true),
        Some(number) => as_estimate(Outcome::rounded(one().over(number), Precision::Single, control)),
    }
}

/// `frsqrte`: 1 / sqrt(B) as a double.
pub(super) fn reciprocal_root(b: u64, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Outcome::exact(b | INFINITY, false).raising(ZX, control),
        Some(_) if b & SIGN != 0 => Outcome::invalid(VXSQRT, control),
        Some(_) if is_infinite(b) => Outcome::exact(0, false),
        Some(number) => as_estimate(Outcome::rounded(one().over(number.square_root()), Precision::Double, control)),
    }
}

fn one() -> Exact {
    Exact::new(false, 1, 0)
}

/// Removes the flags for inexact results from an outcome, because estimates do not set them.
fn as_estimate(outcome: Outcome) -> Outcome {
    Outcome { raised: outcome.raised & !XX, rounding: 0, ..outcome }
}
