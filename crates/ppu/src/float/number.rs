//! What a register's bits stand for.

use spu::float::round::{DOUBLE, Exact, SINGLE};

/// The sign's bit.
pub const SIGN: u64 = DOUBLE.sign();
/// Infinity.
pub const INFINITY: u64 = DOUBLE.infinity();
/// The bit that is set in a quiet NaN and clear in a signalling one.
pub const QUIET: u64 = LEAST_NORMAL >> 1;
/// What an invalid operation gives.
pub const DEFAULT_NAN: u64 = INFINITY | QUIET;
/// The least normalised number.
pub const LEAST_NORMAL: u64 = 1 << DOUBLE.fraction_bits;
/// The least number that is normalised in single precision, too.
const LEAST_NORMAL_SINGLE: u64 = ((DOUBLE.bias() - SINGLE.bias() + 1) as u64) << DOUBLE.fraction_bits;

/// Whether it is no number.
#[inline]
pub const fn is_nan(a: u64) -> bool {
    a & !SIGN > INFINITY
}

/// Whether it is a NaN that raises an exception.
#[inline]
pub const fn is_signalling(a: u64) -> bool {
    is_nan(a) && a & QUIET == 0
}

/// Whether it is an infinity.
#[inline]
pub const fn is_infinite(a: u64) -> bool {
    a & !SIGN == INFINITY
}

/// Whether it is a zero.
#[inline]
pub const fn is_zero(a: u64) -> bool {
    a & !SIGN == 0
}

/// A finite number, exactly; `None` for zero.
pub fn exact(a: u64) -> Option<Exact> {
    let fraction = a & (LEAST_NORMAL - 1);
    let biased = ((a & INFINITY) >> DOUBLE.fraction_bits) as i32;
    let significand = if biased == 0 { fraction } else { fraction | LEAST_NORMAL };
    let exponent = biased.max(1) - DOUBLE.bias() - DOUBLE.fraction_bits as i32;
    (significand != 0).then(|| Exact::new(a & SIGN != 0, u128::from(significand), exponent))
}

/// The five bits that FPSCR has for the class of a result; denormalised are the numbers that are so in the
/// result's own precision.
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
