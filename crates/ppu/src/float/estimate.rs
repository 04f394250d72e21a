//! Estimates of 1 / x and 1 / sqrt(x): `fres` and `frsqrte`.
//!
//! MODEL: the estimates are the nearest numbers in the rounding mode, and FR and FI are clear.  Silicon's are
//! off by up to 1/256 (`fres`) and 1/32 (`frsqrte`) of the result, by tables that are not published.

use spu::float::round::Exact;

use super::answer::{Answer, Control};
use super::number::{INFINITY, SIGN, exact, is_infinite};
use super::operation::Precision;
use super::status::{VXSQRT, XX, ZX};

/// `fres`: 1 / B as a single.
pub(super) fn reciprocal(b: u64, control: Control) -> Answer {
    if let Some(nan) = Answer::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Answer::exact(b | INFINITY, true).raising(ZX, control),
        Some(_) if is_infinite(b) => Answer::exact(b & SIGN, true),
        Some(number) => rough(Answer::rounded(one().over(number), Precision::Single, control)),
    }
}

/// `frsqrte`: 1 / sqrt(B) as a double.
pub(super) fn reciprocal_root(b: u64, control: Control) -> Answer {
    if let Some(nan) = Answer::nan(&[b], 0, control) {
        return nan;
    }
    match exact(b) {
        None => Answer::exact(b | INFINITY, false).raising(ZX, control),
        Some(_) if b & SIGN != 0 => Answer::invalid(VXSQRT, control),
        Some(_) if is_infinite(b) => Answer::exact(0, false),
        Some(number) => rough(Answer::rounded(one().over(number.square_root()), Precision::Double, control)),
    }
}

fn one() -> Exact {
    Exact::new(false, 1, 0)
}

/// An estimate says nothing of whether it is exact.
fn rough(answer: Answer) -> Answer {
    Answer { raised: answer.raised & !XX, rounding: 0, ..answer }
}
