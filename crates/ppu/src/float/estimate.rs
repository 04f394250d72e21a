//! Estimates of 1 / x and 1 / sqrt(x): `fres` and `frsqrte`.
//!
//! MODEL: an estimate depends on the leading bits of x (seven of the fraction for `fres`; three, and whether the
//! exponent is even, for `frsqrte`). It is the number with the fewest fraction bits whose error is at most 1/256
//! (`fres`) or less than 1/32 (`frsqrte`) of the result. FR and FI are clear. Silicon's tables are unpublished.
//! Consoles print these estimates for all operands of ps3autotests, which use 7 of the 128 entries for `fres` and 6
//! of the 16 for `frsqrte`. The others follow from the rule, and equal those that the emulator RPCS3 uses.

use spu::float::round::{DOUBLE, Exact};

use super::number::{INFINITY, LEAST_NORMAL, SIGN, exact, is_infinite};
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
        Some(_) => {
            let (exponent, fraction) = parts(b);
            let significand = RECIPROCALS[(fraction >> (DOUBLE.fraction_bits - 7)) as usize];
            let estimate = Exact::new(b & SIGN != 0, significand.into(), -exponent - 1 - FRACTION_BITS);
            as_estimate(Outcome::rounded(estimate, Precision::Single, control))
        }
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
        Some(_) => {
            let (exponent, fraction) = parts(b);
            let index = (exponent & 1) << 3 | (fraction >> (DOUBLE.fraction_bits - 3)) as i32;
            let significand = RECIPROCAL_ROOTS[index as usize];
            let estimate = Exact::new(false, significand.into(), -(exponent >> 1) - 1 - FRACTION_BITS);
            as_estimate(Outcome::rounded(estimate, Precision::Double, control))
        }
    }
}

/// Exponent and fraction of a finite number other than zero, as if the number were normalised.
fn parts(b: u64) -> (i32, u64) {
    let magnitude = b & !SIGN;
    let denormalised_by = (magnitude.leading_zeros() as i32 - LEAST_NORMAL.leading_zeros() as i32).max(0);
    let biased = ((magnitude >> DOUBLE.fraction_bits) as i32).max(1) - denormalised_by;
    (biased - DOUBLE.bias(), magnitude << denormalised_by & (LEAST_NORMAL - 1))
}

/// Removes the flags for inexact results from an outcome, because estimates do not set them.
fn as_estimate(outcome: Outcome) -> Outcome {
    Outcome { raised: outcome.raised & !XX, rounding: 0, ..outcome }
}

/// Fraction bits of the numbers in the tables.
const FRACTION_BITS: i32 = 12;
/// One, in the computation of the tables.
const ONE: u128 = 1 << 48;

/// Estimates of 2 / x for x from 1 to 2, each for 1/128 of this range.
const RECIPROCALS: [u16; 128] = {
    let mut table = [0; 128];
    let mut n = 0;
    while n < 128 {
        let x = ONE + ONE / 128 * n as u128;
        table[n] = shortest(x, x + ONE / 128, 256, 0);
        n += 1;
    }
    table
};

/// Estimates of 2 / sqrt(x): eight for x from 1 to 2, and eight for x from 2 to 4.
const RECIPROCAL_ROOTS: [u16; 16] = {
    let mut table = [0; 16];
    let mut n = 0;
    while n < 16 {
        let (from, step) = if n < 8 { (ONE, ONE / 8) } else { (2 * ONE, ONE / 4) };
        let x = from + step * (n as u128 % 8);
        table[n] = shortest((x * ONE).isqrt(), ((x + step) * ONE).isqrt(), 32, 1);
        n += 1;
    }
    table
};

/// The number with the fewest fraction bits that differs from 2 / r by at most 1 / `parts` of it, for each r from
/// `from` to just before `to`. At `from`, the difference is smaller than that by `less`.
const fn shortest(from: u128, to: u128, parts: u128, less: u128) -> u16 {
    let mut unit = 1;
    loop {
        // The best number with these fraction bits, in this unit: in the centre, the errors at both ends are equal.
        let best = (8 * ONE * unit / (from + to)).div_ceil(2);
        let two = 2 * ONE * unit;
        if best * from + two / parts >= two + less && best * to <= two + two / parts {
            return ((best << FRACTION_BITS) / unit) as u16;
        }
        unit *= 2;
    }
}
