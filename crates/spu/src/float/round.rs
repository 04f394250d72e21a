//! Exact numbers, their exact sum, and the one rounding at the end: IEEE arithmetic in integers.
//!
//! A product of two doubles has 106 bits, so 127 hold any number that occurs here.  What an addend has
//! below them is kept as one *sticky* bit: only an addend far below the other one has such bits, and
//! then a difference loses no more than its leading bit.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// A binary format of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the fraction.
    pub fraction_bits: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
}

/// IEEE's binary32.
pub const SINGLE: Format = Format { fraction_bits: 23, exponent_bits: 8 };
/// IEEE's binary64.
pub const DOUBLE: Format = Format { fraction_bits: 52, exponent_bits: 11 };

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

/// What is shifted out of a significand to leave 64 bits.
const DROPPED: u32 = LEADING_BIT - 63;

/// A number that is not zero: significand times two to the exponent, and a sign.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
}

/// A number rounded to a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounded {
    /// Its bits.
    pub bits: u64,
    /// Whether it is another number than before.
    pub inexact: bool,
    /// Whether its magnitude is greater than before.
    pub away_from_zero: bool,
    /// Whether it was below the normalised numbers before.
    pub tiny: bool,
    /// Whether it was too great: it is infinite now, or the greatest number.
    pub overflow: bool,
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

    /// The product of numbers with significands of no more than 64 bits.
    pub fn times(self, other: Self) -> Self {
        let product = (self.significand >> DROPPED) * (other.significand >> DROPPED);
        Self::new(self.negative != other.negative, product, self.exponent + other.exponent + 2 * DROPPED as i32)
    }

    /// The quotient by a number whose significand has no more than 64 bits; what is beyond 62 bits is sticky.
    pub fn over(self, other: Self) -> Self {
        let divisor = other.significand >> DROPPED;
        let sticky = u128::from(!self.significand.is_multiple_of(divisor));
        let quotient = (self.significand / divisor) << 1 | sticky;
        let exponent = self.exponent - other.exponent - DROPPED as i32 - 1;
        Self::new(self.negative != other.negative, quotient, exponent)
    }

    /// The square root of the magnitude of a number whose significand has no more than 126 bits; what is beyond
    /// 63 bits is sticky.
    pub fn square_root(self) -> Self {
        let odd = self.exponent & 1;
        let square = self.significand >> odd;
        let root = square.isqrt();
        let sticky = u128::from(root * root != square);
        Self::new(false, root << 1 | sticky, (self.exponent + odd) / 2 - 1)
    }

    /// The number times two to a power.
    pub fn scaled(self, exponent: i32) -> Self {
        Self { exponent: self.exponent + exponent, ..self }
    }

    /// The number in a format.
    #[inline]
    pub fn rounded(self, format: Format, rounding: Rounding) -> Rounded {
        let dropped_bits = LEADING_BIT - format.fraction_bits;
        let biased = self.exponent + LEADING_BIT as i32 + format.bias();
        let significand = shift_sticky(self.significand, (1 - biased).max(0) as u32);
        let kept = (significand >> dropped_bits) as u64;
        let rest = significand & ((1 << dropped_bits) - 1);
        let half = 1 << (dropped_bits - 1);
        let up = match rounding {
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
            let away_from_zero = reaches_infinity(rounding, self.negative);
            let bits = sign | (format.infinity() - u64::from(!away_from_zero));
            return Rounded { bits, inexact: true, away_from_zero, tiny: false, overflow: true };
        }
        let bits = sign | magnitude;
        Rounded { bits, inexact: rest != 0, away_from_zero: up, tiny: biased < 1, overflow: false }
    }

    /// The bits of this number in a format, rounded in the slice's mode; adds to the slice's flags.
    ///
    /// MODEL: a result is tiny if it is below the normalised numbers before rounding, and that is an
    /// underflow if the result is not exact, as on the PowerPC; IEEE lets tininess be found after rounding.
    pub(super) fn round(self, format: Format, slice: &mut DoubleSlice) -> u64 {
        let Rounded { bits, inexact, tiny, overflow, .. } = self.rounded(format, slice.rounding);
        slice.flags |= DoubleFlags::OVERFLOW.when(overflow);
        slice.flags |= DoubleFlags::INEXACT.when(inexact);
        slice.flags |= DoubleFlags::UNDERFLOW.when(tiny && inexact);
        bits
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
