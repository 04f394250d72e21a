//! Estimates of 1/x and 1/sqrt|x|, and the interpolation that refines them.
//!
//! An estimate is a linear function, packed into a word: sign, exponent, 13 bits of *base* and 10 bits of *step*. The
//! `fi` instruction evaluates this function for the 19 low bits of the operand's fraction. One iteration of Newton's
//! method then makes the reciprocal accurate to the last bit.
//!
//! Sources: SPU ISA 1.2, `frest`, `frsqest` and `fi`, for the format. The ISA does not list the bases and steps of the
//! real hardware. The tables here contain the bases and steps of the PlayStation 3, as used by emulators of that
//! machine (RPCS3, PlayStation 3 SPU recompilers).

use super::fpscr::SingleFlags;
use super::single::{different, finish, widen};

const SIGN: u32 = 1 << 31;
const EXPONENT: u32 = 0xff << 23;
const FRACTION_BITS: u32 = 23;
/// The number of bits in the step field, which is at the right end of an estimate.
const STEP_BITS: u32 = 10;
/// The number of low bits of the operand's fraction that are used for interpolation.
const OFFSET_BITS: u32 = 19;

/// Table of base and step for 1/x, indexed by the five leading bits of x's fraction.
#[rustfmt::skip]
const RECIPROCAL: [u32; 32] = [
    0x7ffbe0, 0x7f87a6, 0x70ef72, 0x708b40, 0x638b12, 0x633aea, 0x5792c4, 0x574aa0,
    0x4cca7e, 0x4c9262, 0x430a44, 0x42d62a, 0x3a2e12, 0x39fdfa, 0x3215e4, 0x31f1d2,
    0x2aa9be, 0x2a85ac, 0x23d59a, 0x23bd8e, 0x1d8576, 0x1d8576, 0x17ad5a, 0x17ad5a,
    0x124543, 0x124543, 0x0d392d, 0x0d392d, 0x08851a, 0x08851a, 0x041d07, 0x041d07,
];

/// Table of base and step for 1/sqrt|x|, indexed by the last bit of x's exponent and the five leading bits of x's
/// fraction.
#[rustfmt::skip]
const RECIPROCAL_ROOT: [u32; 64] = [
    0x350160, 0x34e954, 0x2f993d, 0x2f993d, 0x2aa523, 0x2aa523, 0x26190d, 0x26190d,
    0x21e4f9, 0x21e4f9, 0x1e00e9, 0x1e00e9, 0x1a5cd9, 0x1a5cd9, 0x16f8cb, 0x16f8cb,
    0x13ccc0, 0x13ccc0, 0x10ccb3, 0x10ccb3, 0x0e00aa, 0x0e00aa, 0x0b58a1, 0x0b58a1,
    0x08d498, 0x08d498, 0x067491, 0x067491, 0x043089, 0x043089, 0x020c83, 0x020c83,
    0x7ffdf4, 0x7fd1de, 0x7859c8, 0x783dba, 0x71559c, 0x71559c, 0x6ae57c, 0x6ae57c,
    0x64f561, 0x64f561, 0x5f7149, 0x5f7149, 0x5a4d33, 0x5a4d33, 0x55811f, 0x55811f,
    0x51050f, 0x51050f, 0x4cc8fe, 0x4cc8fe, 0x48d0f0, 0x48d0f0, 0x4510e4, 0x4510e4,
    0x4180d7, 0x4180d7, 0x3e24cc, 0x3e24cc, 0x3af4c3, 0x3af4c3, 0x37e8ba, 0x37e8ba,
];

/// `frest`: an estimate of 1/a. If the magnitude of 1/a is below the range, the estimate's exponent field is zero, so
/// that its value is zero.
pub fn reciprocal(a: u32, flags: &mut SingleFlags) -> u32 {
    let exponent = exponent_or_divide_by_zero(a, flags);
    let negated = exponent.map_or(0xff, |exponent| 253u32.saturating_sub(exponent));
    a & SIGN | negated << FRACTION_BITS | RECIPROCAL[(a >> 18 & 0x1f) as usize]
}

/// `frsqest`: an estimate of 1/sqrt|a|.
pub fn reciprocal_root(a: u32, flags: &mut SingleFlags) -> u32 {
    let exponent = exponent_or_divide_by_zero(a, flags);
    let halved = exponent.map_or(0xff, |exponent| 190 - exponent.div_ceil(2));
    halved << FRACTION_BITS | RECIPROCAL_ROOT[(a >> 18 & 0x3f) as usize]
}

/// The exponent of an operand. For a zero exponent, sets the divide-by-zero flag and returns `None`.
///
/// MODEL: an operand with a zero exponent, including a denormalised one, also receives its estimate from the table.
/// Silicon could use a fixed fraction instead. With either estimate, an iteration of Newton's method results in the
/// greatest number.
fn exponent_or_divide_by_zero(a: u32, flags: &mut SingleFlags) -> Option<u32> {
    let exponent = (a & EXPONENT) >> FRACTION_BITS;
    *flags |= SingleFlags::DIVIDE_BY_ZERO.when(exponent == 0);
    (exponent != 0).then_some(exponent)
}

/// `fi`: refines `b`, an estimate of 1/a or of 1/sqrt|a|, by interpolation with the low bits of the fraction of `a`.
///
/// MODEL: an estimate with a zero exponent is treated as zero, like any operand. Only the operand `b` sets flags,
/// because only the fraction of `a` is used. Silicon may also set DIFF for `a`.
pub fn interpolate(a: u32, b: u32, flags: &mut SingleFlags) -> u32 {
    if b & EXPONENT == 0 {
        return finish(0.0, different(b), flags);
    }
    let unit = widen(b & (SIGN | EXPONENT));
    let base = widen(b & (!0 << STEP_BITS));
    let step = unit * f64::from(b & !(!0 << STEP_BITS)) / f64::from(1 << 13);
    let offset = f64::from(a & !(!0 << OFFSET_BITS)) / f64::from(1 << OFFSET_BITS);
    // The arithmetic is exact, because the base has 14 bits, the product has 29 bits, and their difference fits into 33
    // bits.
    finish(base - step * offset, different(b), flags)
}
