//! IEEE arithmetic in integers: numbers and operations are exact, and only the final result is rounded.
//!
//! Significands have 127 bits, which is enough for the product of two doubles (106 bits). Any bits of an addend below
//! these 127 bits are combined into one *sticky* bit. An addend has such low bits only if it is far smaller than the
//! other addend. Subtracting the two addends then loses at most one leading bit.

use super::fpscr::{DoubleFlags, DoubleSlice, Rounding};

/// A binary format of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The number of fraction bits.
    pub fraction_bits: u32,
    /// The number of exponent bits.
    pub exponent_bits: u32,
}

/// The binary32 format of IEEE 754.
pub const SINGLE: Format = Format { fraction_bits: 23, exponent_bits: 8 };
/// The binary64 format of IEEE 754.
pub const DOUBLE: Format = Format { fraction_bits: 52, exponent_bits: 11 };

impl Format {
    /// The bias, which is added to an exponent to encode it.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bits of an infinity without its sign.
    pub const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The sign bit.
    pub const fn sign(self) -> u64 {
        1 << (self.fraction_bits + self.exponent_bits)
    }
}

/// The bit position of a significand's leading bit. The bit above it is the top bit, which receives the carry of a sum.
const LEADING_BIT: u32 = 126;

/// The right shift that reduces a significand to 64 bits.
const DROPPED: u32 = LEADING_BIT - 63;

/// A nonzero number, represented by a sign, a significand, and the power of two by which the significand is multiplied.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
}

/// A number rounded to a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounded {
    /// The bits of the rounded number.
    pub bits: u64,
    /// Whether rounding changed the number.
    pub inexact: bool,
    /// Whether rounding increased the magnitude.
    pub away_from_zero: bool,
    /// Whether the number's magnitude was below the normalised range before rounding.
    pub tiny: bool,
    /// Whether the number's magnitude was too great, so that the result is an infinity or the greatest number.
    pub overflow: bool,
}

impl Exact {
    /// The number with this sign, significand and exponent. The significand must not be zero.
    pub fn new(negative: bool, significand: u128, exponent: i32) -> Self {
        let free = significand.leading_zeros() as i32 - (127 - LEADING_BIT as i32);
        let significand = if free < 0 { shift_sticky(significand, 1) } else { significand << free };
        Self { negative, significand, exponent: exponent - free }
    }

    /// The sum of two numbers; `None` if the sum is zero.
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

    /// The product of two numbers with significands of at most 64 bits.
    pub fn times(self, other: Self) -> Self {
        let product = (self.significand >> DROPPED) * (other.significand >> DROPPED);
        Self::new(self.negative != other.negative, product, self.exponent + other.exponent + 2 * DROPPED as i32)
    }

    /// The quotient of the number and a divisor whose significand has at most 64 bits. All bits of the quotient after
    /// the first 62 are combined into one sticky bit.
    pub fn over(self, other: Self) -> Self {
        let divisor = other.significand >> DROPPED;
        let sticky = u128::from(!self.significand.is_multiple_of(divisor));
        let quotient = (self.significand / divisor) << 1 | sticky;
        let exponent = self.exponent - other.exponent - DROPPED as i32 - 1;
        Self::new(self.negative != other.negative, quotient, exponent)
    }

    /// The square root of the number's magnitude. The significand must have at most 126 bits. All bits of the root
    /// after the first 63 are combined into one sticky bit.
    pub fn square_root(self) -> Self {
        let odd = self.exponent & 1;
        let square = self.significand >> odd;
        let root = square.isqrt();
        let sticky = u128::from(root * root != square);
        Self::new(false, root << 1 | sticky, (self.exponent + odd) / 2 - 1)
    }

    /// The number times two to the power `exponent`.
    pub fn scaled(self, exponent: i32) -> Self {
        Self { exponent: self.exponent + exponent, ..self }
    }

    /// The number rounded to a format.
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
        // The leading bit of the significand adds one to the exponent field, and so does a carry from rounding.
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

    /// Returns the bits of the number in a format, rounded in the slice's rounding mode. Sets the slice's flags.
    ///
    /// MODEL: a result is tiny if its magnitude before rounding is below the normalised range. As on the PowerPC, a
    /// tiny result is an underflow if it is also inexact. IEEE also allows tininess to be detected after rounding.
    pub(super) fn round(self, format: Format, slice: &mut DoubleSlice) -> u64 {
        let Rounded { bits, inexact, tiny, overflow, .. } = self.rounded(format, slice.rounding);
        slice.flags |= DoubleFlags::OVERFLOW.when(overflow);
        slice.flags |= DoubleFlags::INEXACT.when(inexact);
        slice.flags |= DoubleFlags::UNDERFLOW.when(tiny && inexact);
        bits
    }
}

/// Whether an overflow becomes an infinity instead of the greatest number.
fn reaches_infinity(rounding: Rounding, negative: bool) -> bool {
    match rounding {
        Rounding::NearestEven => true,
        Rounding::TowardZero => false,
        Rounding::Upward => !negative,
        Rounding::Downward => negative,
    }
}

/// Shifts right. The last bit of the result is sticky: it is also set if any of the bits shifted out was set.
fn shift_sticky(value: u128, bits: u32) -> u128 {
    if bits > 127 {
        return u128::from(value != 0);
    }
    let shifted = value >> bits;
    shifted | u128::from(shifted << bits != value)
}
