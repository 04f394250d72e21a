//! Exact fractions, and rounding to a multiple of a power of two.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

pub type Exact = BigRational;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Towards {
    Nearest,
    Zero,
    Plus,
    Minus,
}

/// The rounding modes, in the order of their encoding in the status register.
pub const MODES: [Towards; 4] = [Towards::Nearest, Towards::Zero, Towards::Plus, Towards::Minus];

pub fn two_to(exponent: i32) -> Exact {
    let power = Exact::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

pub fn integer(value: impl Into<BigInt>) -> Exact {
    Exact::from_integer(value.into())
}

/// The exponent of the greatest power of two that does not exceed the magnitude of `value`. The value must not be zero.
pub fn exponent(value: &Exact) -> i32 {
    let guess = value.numer().bits() as i32 - value.denom().bits() as i32;
    if value.abs() >= two_to(guess) { guess } else { guess - 1 }
}

/// The value, rounded to a multiple of two to the power of `unit`.
pub fn round(value: &Exact, unit: i32, towards: Towards) -> Exact {
    let units = value / two_to(unit);
    let below = units.floor();
    let rounded = match towards {
        Towards::Zero => units.trunc(),
        Towards::Plus => units.ceil(),
        Towards::Minus => below,
        Towards::Nearest => match (&units - &below).cmp(&two_to(-1)) {
            Ordering::Less => below,
            Ordering::Greater => units.ceil(),
            Ordering::Equal if (&below / integer(2)).is_integer() => below,
            Ordering::Equal => units.ceil(),
        },
    };
    rounded * two_to(unit)
}

/// A floating-point format with the layout of the IEEE 754 formats.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub fraction_bits: i32,
    pub exponent_bits: i32,
}

pub const SINGLE: Shape = Shape { fraction_bits: 23, exponent_bits: 8 };
pub const DOUBLE: Shape = Shape { fraction_bits: 52, exponent_bits: 11 };

impl Shape {
    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    pub fn sign_bit(self) -> u64 {
        1 << (self.fraction_bits + self.exponent_bits)
    }

    /// The fields of a number: the biased exponent and the fraction.
    pub fn fields(self, bits: u64) -> (i32, u64) {
        let biased = bits >> self.fraction_bits & ((1 << self.exponent_bits) - 1);
        (biased as i32, bits & ((1 << self.fraction_bits) - 1))
    }

    /// The number that the bits represent. Every exponent encodes ordinary numbers, except that numbers with an
    /// exponent of zero are denormalised.
    pub fn number(self, bits: u64) -> Exact {
        let (biased, fraction) = self.fields(bits);
        let hidden = if biased == 0 { 0 } else { 1 << self.fraction_bits };
        let magnitude = integer(hidden + fraction) * two_to(biased.max(1) - self.bias() - self.fraction_bits);
        if bits & self.sign_bit() == 0 { magnitude } else { -magnitude }
    }

    /// The bits of a nonzero number, which the format must be able to represent. The greatest exponent, too, encodes
    /// ordinary numbers.
    pub fn bits(self, number: &Exact) -> u64 {
        let least = 1 - self.bias();
        let at = exponent(number).max(least);
        let units = number.abs() / two_to(at - self.fraction_bits);
        assert!(units.is_integer(), "{number} does not fit");
        let significand = u64::try_from(units.to_integer()).expect("a significand");
        // The significand's hidden bit adds one to the exponent field.
        let magnitude = (((at - least) as u64) << self.fraction_bits) + significand;
        if number.is_negative() { magnitude | self.sign_bit() } else { magnitude }
    }
}

#[test]
fn numbers_go_in_and_come_out() {
    for value in [1.0f64, -2.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, -1.0 / 3.0] {
        assert_eq!(DOUBLE.bits(&DOUBLE.number(value.to_bits())), value.to_bits());
    }
    assert!(DOUBLE.number((-0.0f64).to_bits()).is_zero());
}

#[test]
fn halves_go_to_the_even_side() {
    let half = two_to(-1);
    assert_eq!(round(&half, 0, Towards::Nearest), integer(0));
    assert_eq!(round(&(&half + integer(1)), 0, Towards::Nearest), integer(2));
    assert_eq!(round(&-half, 0, Towards::Minus), integer(-1));
}
