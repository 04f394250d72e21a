//! Single-precision sums, and greater and lesser numbers; what is common to all floating point of VMX.
//!
//! Rounding is to nearest, and no exception is recorded.  A NaN among the operands, made quiet, is the result;
//! of several the first.  In the non-Java mode denormalised operands and results that are below the normalised
//! numbers before rounding count as zeros of the same sign.

use spu::Quadword;

/// How denormalised numbers count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As IEEE 754 has it.
    Java,
    /// As zeros.
    NonJava,
}

impl Mode {
    /// The mode that a value of the VSCR selects.
    #[inline(always)]
    pub fn of(vscr: u32) -> Mode {
        if vscr & super::NJ != 0 { Mode::NonJava } else { Mode::Java }
    }
}

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0xff << 23;
const QUIET: u32 = 1 << 22;
/// What an invalid operation gives.
pub(super) const DEFAULT_NAN: u32 = INFINITY | QUIET;

/// Zero of the same sign for a denormalised number in the non-Java mode; any other unchanged.
#[inline(always)]
pub(super) fn flush(a: u32, mode: Mode) -> u32 {
    if mode == Mode::NonJava && a & INFINITY == 0 { a & SIGN } else { a }
}

/// The number that an element stands for.
#[inline(always)]
pub(super) fn value(a: u32, mode: Mode) -> f32 {
    f32::from_bits(flush(a, mode))
}

/// The first NaN of the operands, made quiet.
pub(super) fn first_nan(operands: &[u32]) -> Option<u32> {
    operands.iter().copied().find(|&a| a & !SIGN > INFINITY).map(|nan| nan | QUIET)
}

/// `f` of each element of both, which gives a NaN only where it has to be another one.
#[inline(always)]
fn elements(a: Quadword, b: Quadword, mode: Mode, f: impl Fn(f32, f32) -> f32) -> Quadword {
    match mode {
        Mode::Java => elements_in(a, b, Mode::Java, f),
        Mode::NonJava => elements_in(a, b, Mode::NonJava, f),
    }
}

/// The same in a mode that the compiler knows.
#[inline(always)]
fn elements_in(a: Quadword, b: Quadword, mode: Mode, f: impl Fn(f32, f32) -> f32) -> Quadword {
    let (a, b) = (a.words(), b.words());
    let mut results = [0; 4];
    let mut nans = 0;
    for k in 0..4 {
        let result = f(value(a[k], mode), value(b[k], mode));
        nans |= if result.is_nan() { 1 } else { 0u32 };
        results[k] = flush(result.to_bits(), mode);
    }
    if nans != 0 { with_nans(a, b, results) } else { Quadword::from_words(results) }
}

/// The right NaNs, where results are NaNs.
#[cold]
fn with_nans(a: [u32; 4], b: [u32; 4], mut results: [u32; 4]) -> Quadword {
    for (k, result) in results.iter_mut().enumerate() {
        if f32::from_bits(*result).is_nan() {
            *result = first_nan(&[a[k], b[k]]).unwrap_or(DEFAULT_NAN);
        }
    }
    Quadword::from_words(results)
}

/// `vaddfp`: A + B.
#[inline]
pub fn vaddfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    // A sum that is too small to be normalised is exact.
    elements(a, b, mode, |a, b| a + b)
}

/// `vsubfp`: A - B.
#[inline]
pub fn vsubfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| a - b)
}

/// `vmaxfp`: the greater one; the positive zero is greater than the negative one.
#[inline]
pub fn vmaxfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| choose(a, b, a > b, f32::from_bits(a.to_bits() & b.to_bits())))
}

/// `vminfp`: the lesser one.
#[inline]
pub fn vminfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| choose(a, b, a < b, f32::from_bits(a.to_bits() | b.to_bits())))
}

/// A or B, or, if they are equal, `same`, or a NaN if one is.
#[inline(always)]
fn choose(a: f32, b: f32, is_a: bool, same: f32) -> f32 {
    if a == b {
        same
    } else if is_a || a.is_nan() {
        a
    } else {
        b
    }
}
