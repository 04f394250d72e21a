//! Exact numbers, their exact sum, and the one rounding at the end: IEEE arithmetic in integers.
//!
//! A product of two doubles has 106 bits, so 127 hold any number that occurs here.  What an addend has
//! below them is kept as one *sticky* bit: only an addend far below the other one has such bits, and
//! then a difference loses no more than its leading bit.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// A binary format of IEEE 754.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits of the fraction.
    pub fraction_bits: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
}

/// IEEE's binary32.
pub(super) const SINGLE: Format = Format { fraction_bits: 23, exponent_bits: 8 };
/// IEEE's binary64.
pub(super) const DOUBLE: Format = Format { fraction_bits: 52, exponent_bits: 11 };

impl Format {
    /// The bias: what is added to an exponent to encode it.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bits of infinity, without its sign.
    pub const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The sign's bit.
    pub const fn sign(self) -> u64 {
        1 << (self.fraction_bits + self.exponent_bits)
    }
}

/// Position of a significand's leading bit: one below the top, for the carry of a sum.
const LEADING_BIT: u32 = 126;

/// A number that is not zero: significand times two to the exponent, and a sign.
#[derive(Clone, Copy)]
pub(super) struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Exact {
    /// That number; the significand must not be zero.
    pub fn new(negative: bool, significand: u128, exponent: i32) -> Self {
        let free = significand.leading_zeros() as i32 - (127 - LEADING_BIT as i32);
        let significand = if free < 0 { shift_sticky(significand, 1) } else { significand << free };
        Self { negative, significand, exponent: exponent - free }
    }

    /// The sum, or nothing if it is zero.
    pub fn plus(self, other: Self) -> Option<Self> {
        let (great, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let aligned = shift_sticky(small.significand, great.exponent.abs_diff(small.exponent));
        if great.negative == small.negative {
            return Some(Self::new(great.negative, great.significand + aligned, great.exponent));
        }
        let negative = great.negative ^ (aligned > great.significand);
        let difference = great.significand.abs_diff(aligned);
        (difference != 0).then(|| Self::new(negative, difference, great.exponent))
    }

    /// The bits of this number in a format, rounded in the slice's mode; adds to the slice's flags.
    ///
    /// MODEL: a result is tiny if it is below the normalised numbers before rounding, and that is an
    /// underflow if the result is not exact, as on the PowerPC; IEEE lets tininess be found after rounding.
    pub fn round(self, format: Format, slice: &mut DoubleSlice) -> u64 {
        let dropped_bits = LEADING_BIT - format.fraction_bits;
        let biased = self.exponent + LEADING_BIT as i32 + format.bias();
        let tiny = biased < 1;
        let significand = shift_sticky(self.significand, (1 - biased).max(0) as u32);
        let kept = (significand >> dropped_bits) as u64;
        let rest = significand & ((1 << dropped_bits) - 1);
        let half = 1 << (dropped_bits - 1);
        let up = match slice.rounding {
            Rounding::NearestEven => rest > half || (rest == half && kept & 1 == 1),
            Rounding::TowardZero => false,
            Rounding::Upward => rest != 0 && !self.negative,
            Rounding::Downward => rest != 0 && self.negative,
        };
        // The significand's leading bit, and the carry of rounding up, count the exponent up by one.
        let exponent = (biased.max(1) as u64 - 1).min((1 << format.exponent_bits) - 1);
        let magnitude = (exponent << format.fraction_bits) + kept + u64::from(up);
        let sign = if self.negative { format.sign() } else { 0 };
        if magnitude >= format.infinity() {
            slice.flags |= DoubleFlags::OVERFLOW.and(DoubleFlags::INEXACT);
            return sign | (format.infinity() - u64::from(!reaches_infinity(slice.rounding, self.negative)));
        }
        slice.flags |= DoubleFlags::INEXACT.when(rest != 0);
        slice.flags |= DoubleFlags::UNDERFLOW.when(tiny && rest != 0);
        sign | magnitude
    }
}

/// Whether an overflow becomes infinity or the greatest number.
fn reaches_infinity(rounding: Rounding, negative: bool) -> bool {
    match rounding {
        Rounding::NearestEven => true,
        Rounding::TowardZero => false,
        Rounding::Upward => !negative,
        Rounding::Downward => negative,
    }
}

/// Shifts right; the last bit is sticky: it is set if any bit that was set is lost.
fn shift_sticky(value: u128, bits: u32) -> u128 {
    if bits > 127 {
        return u128::from(value != 0);
    }
    let shifted = value >> bits;
    shifted | u128::from(shifted << bits != value)
}
