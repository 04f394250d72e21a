//! Conversions between doubles, singles and integers in registers.

use spu::float::Rounding;
use spu::float::round::{DOUBLE, Exact};

use super::number::{INFINITY, LEAST_NORMAL, SIGN, exact, is_infinite, is_nan, is_signalling};
use super::operation::Precision;
use super::outcome::{Control, Outcome};
use super::status::{FI, FR, VXCVI, VXSNAN, XX};

/// The fraction bits of a double NaN that have no counterpart in a single.
const BEYOND_SINGLE: u64 = (1 << 29) - 1;
/// The register bits for a conversion to a word.
///
/// The architecture leaves the upper half undefined. It has copies of the sign, as consoles print it (ps3autotests,
/// ppu_float_conversion).
const fn register_of_word(word: i32) -> u64 {
    word as i64 as u64
}

/// `frsp`: B as a single. If B is a NaN, the single lacks the rightmost bits of its payload.
pub(super) fn round_to_single(b: u64, control: Control) -> Outcome {
    if let Some(nan) = Outcome::nan(&[b], 0, control) {
        return Outcome { result: nan.result.map(|nan| nan & !BEYOND_SINGLE), ..nan };
    }
    match exact(b) {
        Some(number) if !is_infinite(b) => Outcome::rounded(number, Precision::Single, control),
        _ => Outcome::exact(b, true),
    }
}

/// `fcfid`: converts the signed doubleword B to a double.
pub(super) fn from_doubleword(b: u64, control: Control) -> Outcome {
    let number = b as i64;
    if number == 0 {
        return Outcome::exact(0, false);
    }
    let exact = Exact::new(number < 0, u128::from(number.unsigned_abs()), 0);
    Outcome::rounded(exact, Precision::Double, control)
}

/// `fctiw`, `fctid` and their truncating forms: converts B to a signed integer of `bits` bits, with saturation.
///
/// MODEL: the class of the result in the FPSCR stays unchanged; the architecture leaves it undefined.
pub(super) fn to_integer(b: u64, bits: u32, rounding: Rounding, control: Control) -> Outcome {
    let negative = b & SIGN != 0;
    let (magnitude, inexact, away) = integer(b & !SIGN, negative, rounding);
    let limit = (1u64 << (bits - 1)) - u64::from(!negative);
    let register = |magnitude: u64| {
        let value = if negative { magnitude.wrapping_neg() } else { magnitude };
        if bits == 32 { register_of_word(value as i32) } else { value }
    };
    if is_nan(b) || magnitude > limit {
        let result = if is_nan(b) { least(bits) } else { register(limit) };
        let exceptions = if is_signalling(b) { VXCVI | VXSNAN } else { VXCVI };
        return Outcome { result: Some(result), raised: 0, rounding: 0, class: None }.raising(exceptions, control);
    }
    let rounded = if inexact { FI } else { 0 } | if away { FR } else { 0 };
    let raised = if inexact { XX } else { 0 };
    Outcome { result: Some(register(magnitude)), raised, rounding: rounded, class: None }
}

/// The most negative integer.
fn least(bits: u32) -> u64 {
    (-1i64 << (bits - 1)) as u64
}

/// Rounds a magnitude to an integer. Also returns whether rounding changed the magnitude, and whether rounding
/// increased it. A magnitude that does not fit in a `u64` becomes the greatest `u64`.
fn integer(magnitude: u64, negative: bool, rounding: Rounding) -> (u64, bool, bool) {
    let exponent = (magnitude >> DOUBLE.fraction_bits) as i32 - DOUBLE.bias();
    let significand = magnitude & (LEAST_NORMAL - 1) | LEAST_NORMAL;
    let fraction_bits = DOUBLE.fraction_bits as i32;
    if magnitude >= INFINITY || exponent >= 64 {
        return (u64::MAX, false, false);
    }
    if exponent >= fraction_bits {
        return (significand << (exponent - fraction_bits), false, false);
    }
    let places = (fraction_bits - exponent).min(63) as u32;
    let (kept, rest) = match places {
        // The magnitude is less than 0.5, or zero.
        54.. => (0, u64::from(magnitude != 0)),
        _ => (significand >> places, significand & ((1 << places) - 1)),
    };
    let half = 1u64 << (places - 1);
    let up = match rounding {
        Rounding::NearestEven => places < 54 && (rest > half || (rest == half && kept & 1 == 1)),
        Rounding::TowardZero => false,
        Rounding::Upward => rest != 0 && !negative,
        Rounding::Downward => rest != 0 && negative,
    };
    (kept + u64::from(up), rest != 0, up)
}
