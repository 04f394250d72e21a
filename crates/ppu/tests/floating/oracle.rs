//! A reference implementation of operations on finite numbers other than zero, which computes with fractions.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use ppu::float::status::{FEX, FI, FR, FX, OE, OX, UE, UX, VX, XE, XX};
use ppu::float::{Operation, Precision};

/// An exact number.
pub type Number = Exact;

/// A fraction, or the square root of a fraction.
pub struct Exact {
    fraction: BigRational,
    is_root: bool,
}

impl Exact {
    /// The value of a register, if the value is finite.
    pub fn of(register: u64) -> Option<Exact> {
        let value = f64::from_bits(register);
        Some(Exact { fraction: BigRational::from_float(value)?, is_root: false })
    }

    pub fn is_zero(&self) -> bool {
        self.fraction.is_zero()
    }
}

/// The expected outcome.
pub struct Expected {
    pub result: u64,
    pub fpscr: u32,
}

/// A binary format: the bits of its significand, and the exponents of its smallest and greatest normalised numbers.
struct Format {
    digits: i64,
    least: i64,
    greatest: i64,
    adjustment: i64,
}

fn format(operation: Operation) -> Format {
    use Operation::*;
    let is_single = match operation {
        Add(p) | Subtract(p) | Multiply(p) | Divide(p) | SquareRoot(p) => p == Precision::Single,
        MultiplyAdd(p) | MultiplySubtract(p) | NegativeMultiplyAdd(p) | NegativeMultiplySubtract(p) => {
            p == Precision::Single
        }
        RoundToSingle => true,
        _ => false,
    };
    match is_single {
        true => Format { digits: 24, least: -126, greatest: 127, adjustment: 192 },
        false => Format { digits: 53, least: -1022, greatest: 1023, adjustment: 1536 },
    }
}

fn exact(operation: Operation, [a, b, c]: [u64; 3]) -> Exact {
    use Operation::*;
    let number = |register| Exact::of(register).expect("finite").fraction;
    let (x, y, z) = (|| number(a), || number(b), || number(c));
    let fraction = match operation {
        Add(_) => x() + y(),
        Subtract(_) => x() - y(),
        Multiply(_) => x() * z(),
        Divide(_) => x() / y(),
        MultiplyAdd(_) | NegativeMultiplyAdd(_) => x() * z() + y(),
        MultiplySubtract(_) | NegativeMultiplySubtract(_) => x() * z() - y(),
        FromDoubleword => BigRational::from_integer(BigInt::from(b as i64)),
        _ => y(),
    };
    Exact { fraction, is_root: matches!(operation, SquareRoot(_)) }
}

fn power_of_two(exponent: i64) -> BigRational {
    let power = BigRational::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// The exponent of the greatest power of two that does not exceed the magnitude.
fn exponent(magnitude: &BigRational) -> i64 {
    let guess = magnitude.numer().bits() as i64 - magnitude.denom().bits() as i64;
    if power_of_two(guess) <= *magnitude { guess } else { guess - 1 }
}

/// The result of rounding a magnitude to a multiple of a unit.
struct Multiple {
    count: BigUint,
    unit: i64,
    inexact: bool,
    up: bool,
}

/// Rounds a number to a multiple of `unit`, by the definition of the rounding mode.
fn to_multiple(exact: &Exact, unit: i64, is_negative: bool, mode: u32) -> Multiple {
    let magnitude = exact.fraction.abs();
    // Square roots are compared by their squares.
    let scaled = magnitude / power_of_two(if exact.is_root { 2 * unit } else { unit });
    let measure = |x: BigRational| if exact.is_root { &x * &x } else { x };
    let floor = scaled.floor().to_integer().to_biguint().expect("not negative");
    let count = if exact.is_root { floor.sqrt() } else { floor };
    let below = BigRational::from_integer(BigInt::from(count.clone()));
    let half = &below + BigRational::new(1.into(), 2.into());
    let inexact = scaled != measure(below);
    let half = measure(half);
    let up = match mode {
        0 => scaled > half || (scaled == half && count.bit(0)),
        1 => false,
        2 => inexact && !is_negative,
        _ => inexact && is_negative,
    };
    Multiple { count: count + u32::from(up), unit, inexact, up }
}

/// The outcome of an operation according to the text of the architecture.
pub fn expected(operation: Operation, operands: [u64; 3], control: u32) -> Expected {
    use Operation::*;
    let exact = exact(operation, operands);
    let negates = matches!(operation, NegativeMultiplyAdd(_) | NegativeMultiplySubtract(_));
    let mode = control & 3;
    if exact.is_zero() {
        let result = u64::from((mode == 3) ^ negates) << 63;
        return with_status(control, result, 0, if result == 0 { 0b00010 } else { 0b10010 });
    }
    let format = format(operation);
    let is_negative = exact.fraction.is_negative();
    let of_root = if exact.is_root { 2 } else { 1 };
    let top = exponent(&exact.fraction.abs()).div_euclid(of_root);
    let round = |exponent: i64| to_multiple(&exact, exponent - format.digits + 1, is_negative, mode);
    let unbounded = round(top);
    let overflow = exponent_of(&unbounded) > format.greatest;
    let tiny = top < format.least;
    let mut raised = 0;
    let mut adjustment = 0;
    let mut result = if tiny { round(format.least) } else { unbounded };
    if overflow {
        raised |= OX;
        adjustment = if control & OE != 0 { -format.adjustment } else { 0 };
    } else if tiny && control & UE != 0 {
        raised |= UX;
        adjustment = format.adjustment;
        result = round(top);
    } else if tiny && result.inexact {
        raised |= UX;
    }
    let is_infinite = overflow && adjustment == 0;
    if is_infinite {
        result.inexact = true;
        let reaches = match mode {
            0 => true,
            1 => false,
            2 => !is_negative,
            _ => is_negative,
        };
        result.up = reaches;
        if !reaches {
            // The overflowed result becomes the greatest finite number.
            let unit = format.greatest - format.digits + 1;
            result = Multiple { count: (BigUint::one() << format.digits) - 1u32, unit, ..result };
        }
    }
    raised |= if result.inexact { XX | FI } else { 0 };
    raised |= if result.up { FR } else { 0 };
    let is_negative = is_negative ^ negates;
    let infinite = is_infinite && result.up;
    let magnitude = if infinite { f64::INFINITY.to_bits() } else { double(&result, adjustment) };
    let is_small = adjustment == 0 && exponent_of(&result) < format.least;
    let class = match (magnitude, is_small) {
        (0, _) => [0b00010, 0b10010],
        (_, true) => [0b10100, 0b11000],
        _ if infinite => [0b00101, 0b01001],
        _ => [0b00100, 0b01000],
    };
    with_status(control, u64::from(is_negative) << 63 | magnitude, raised, class[usize::from(is_negative)])
}

fn exponent_of(multiple: &Multiple) -> i64 {
    multiple.count.bits() as i64 - 1 + multiple.unit
}

/// The bits of a magnitude that a double can represent.
fn double(multiple: &Multiple, adjustment: i64) -> u64 {
    let unit = multiple.unit + adjustment;
    let least = -1074;
    let (count, unit) = if unit < least {
        let places = (least - unit) as u64;
        assert!((&multiple.count % (BigUint::one() << places)).is_zero(), "more bits than a double has");
        (&multiple.count >> places, least)
    } else {
        (multiple.count.clone(), unit)
    };
    let count = u64::try_from(count).expect("at most 53 bits");
    if count == 0 {
        return 0;
    }
    let bits = 64 - i64::from(count.leading_zeros());
    let exponent = bits - 1 + unit;
    assert!(exponent <= 1023, "greater than doubles are");
    if exponent < -1022 {
        return count << (unit - least);
    }
    // Rounding up may have produced a power of two, which needs one more bit.
    let fraction = (u128::from(count) << 53 >> bits) as u64 & ((1 << 52) - 1);
    ((exponent + 1023) as u64) << 52 | fraction
}

/// The FPSCR after an operation raises exceptions and sets the class of its result.
fn with_status(control: u32, result: u64, raised: u32, class: u32) -> Expected {
    let sticky = control & 0x9ff8_0700;
    let is_new = raised & (OX | UX | XX) & !sticky != 0;
    let mut fpscr = control & !(FR | FI | 0x1f << 12 | FEX | VX) | raised | class << 12;
    fpscr |= if is_new { FX } else { 0 };
    let enabled = [(OX, OE), (UX, UE), (XX, XE)];
    let is_enabled = enabled.iter().any(|&(exception, enable)| fpscr & exception != 0 && fpscr & enable != 0);
    fpscr |= if is_enabled { FEX } else { 0 };
    Expected { result, fpscr }
}
