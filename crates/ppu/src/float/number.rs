//! Interpretation of the bits in a floating-point register.

use spu::float::round::{DOUBLE, Exact, SINGLE};

/// The sign bit.
pub const SIGN: u64 = DOUBLE.sign();
/// The bits of positive infinity.
pub const INFINITY: u64 = DOUBLE.infinity();
/// The bit that is set in quiet NaNs and clear in signalling NaNs.
pub const QUIET: u64 = LEAST_NORMAL >> 1;
/// The result of an invalid operation.
pub const DEFAULT_NAN: u64 = INFINITY | QUIET;
/// The smallest normalised number.
pub const LEAST_NORMAL: u64 = 1 << DOUBLE.fraction_bits;
/// The smallest positive number that is normalised in single precision.
const LEAST_NORMAL_SINGLE: u64 = ((DOUBLE.bias() - SINGLE.bias() + 1) as u64) << DOUBLE.fraction_bits;

/// Whether the number is a NaN.
#[inline]
pub const fn is_nan(a: u64) -> bool {
    a & !SIGN > INFINITY
}

/// Whether the number is a signalling NaN, which raises an exception.
#[inline]
pub const fn is_signalling(a: u64) -> bool {
    is_nan(a) && a & QUIET == 0
}

/// Whether the number is an infinity.
#[inline]
pub const fn is_infinite(a: u64) -> bool {
    a & !SIGN == INFINITY
}

/// Whether the number is a zero of either sign.
#[inline]
pub const fn is_zero(a: u64) -> bool {
    a & !SIGN == 0
}

/// The exact value of a finite number; `None` for zero.
pub fn exact(a: u64) -> Option<Exact> {
    let fraction = a & (LEAST_NORMAL - 1);
    let biased = ((a & INFINITY) >> DOUBLE.fraction_bits) as i32;
    let significand = if biased == 0 { fraction } else { fraction | LEAST_NORMAL };
    let exponent = biased.max(1) - DOUBLE.bias() - DOUBLE.fraction_bits as i32;
    (significand != 0).then(|| Exact::new(a & SIGN != 0, u128::from(significand), exponent))
}

/// The class of a result, as five bits of the FPSCR. If `is_single` is set, numbers that are denormalised in single
/// precision count as denormalised.
pub fn class(a: u64, is_single: bool) -> u32 {
    let least = if is_single { LEAST_NORMAL_SINGLE } else { LEAST_NORMAL };
    let negative = a & SIGN != 0;
    let signed = |minus, plus| if negative { minus } else { plus };
    match a & !SIGN {
        0 => signed(0b10010, 0b00010),
        INFINITY => signed(0b01001, 0b00101),
        magnitude if magnitude > INFINITY => 0b10001,
        magnitude if magnitude < least => signed(0b11000, 0b10100),
        _ => signed(0b01000, 0b00100),
    }
}
