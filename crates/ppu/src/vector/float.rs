//! Single-precision sums, maxima and minima, and the rules for all VMX floating-point instructions.
//!
//! Rounding is to nearest, and no exception is recorded. If an operand is a NaN, the result is the first such operand,
//! made quiet. In non-Java mode, denormalised operands count as zeros of the same sign. Results that are denormalised
//! before rounding become zeros of the same sign.

use spu::Quadword;

/// How denormalised numbers are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Java mode: denormalised numbers behave as in IEEE 754.
    Java,
    /// Non-Java mode: denormalised numbers are replaced by zeros.
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
/// The result of an invalid operation.
pub(super) const DEFAULT_NAN: u32 = INFINITY | QUIET;

/// The element. In non-Java mode, a denormalised element becomes a zero of the same sign.
#[inline(always)]
pub(super) fn flush(a: u32, mode: Mode) -> u32 {
    if mode == Mode::NonJava && a & INFINITY == 0 { a & SIGN } else { a }
}

/// The number that an element represents.
#[inline(always)]
pub(super) fn value(a: u32, mode: Mode) -> f32 {
    f32::from_bits(flush(a, mode))
}

/// The first NaN of the operands, made quiet.
pub(super) fn first_nan(operands: &[u32]) -> Option<u32> {
    operands.iter().copied().find(|&a| a & !SIGN > INFINITY).map(|nan| nan | QUIET)
}

/// Applies `f` to each pair of elements, and corrects NaNs in the results.
#[inline(always)]
fn elements(a: Quadword, b: Quadword, mode: Mode, f: impl Fn(f32, f32) -> f32) -> Quadword {
    match mode {
        Mode::Java => elements_in(a, b, Mode::Java, f),
        Mode::NonJava => elements_in(a, b, Mode::NonJava, f),
    }
}

/// Applies `f` to each pair of elements, in a mode that is known at compile time.
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

/// Replaces NaNs in host results by the NaNs that the architecture requires.
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
    // A denormalised sum is exact.
    elements(a, b, mode, |a, b| a + b)
}

/// `vsubfp`: A - B.
#[inline]
pub fn vsubfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| a - b)
}

/// `vmaxfp`: the maximum. A positive zero is greater than a negative one.
#[inline]
pub fn vmaxfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| choose(a, b, a > b, f32::from_bits(a.to_bits() & b.to_bits())))
}

/// `vminfp`: the minimum.
#[inline]
pub fn vminfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    elements(a, b, mode, |a, b| choose(a, b, a < b, f32::from_bits(a.to_bits() | b.to_bits())))
}

/// Returns the chosen operand, or `same` if both operands are equal, or a NaN if either operand is a NaN.
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
