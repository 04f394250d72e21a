//! Double precision: IEEE arithmetic, except that denormalised operands are treated as zeros, and every NaN result is
//! the same NaN.

use num_traits::{Signed, Zero};
use proptest::prelude::*;
use spu::{Opcode, Quadword};

use super::exact::{DOUBLE, Exact, MODES, Shape, Towards, exponent, round, two_to};
use super::{operands, run};

pub const OVERFLOW: u32 = 32;
pub const UNDERFLOW: u32 = 16;
pub const INEXACT: u32 = 8;
pub const INVALID: u32 = 4;
pub const NAN: u32 = 2;
pub const DENORMAL: u32 = 1;

/// The number that the bits of an operand represent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    Nan { signalling: bool },
    Infinity { negative: bool },
    Zero { negative: bool, denormal: bool },
    Finite(Exact),
}

use Number::{Finite, Infinity, Nan};

pub fn operand(shape: Shape, bits: u64) -> Number {
    let negative = bits & shape.sign_bit() != 0;
    match shape.fields(bits) {
        (0, fraction) => Number::Zero { negative, denormal: fraction != 0 },
        (biased, fraction) if biased == 2 * shape.bias() + 1 => match fraction {
            0 => Infinity { negative },
            _ => Nan { signalling: fraction >> (shape.fraction_bits - 1) == 0 },
        },
        _ => Finite(shape.number(bits)),
    }
}

impl Number {
    fn negative(&self) -> bool {
        match self {
            Nan { .. } => false,
            Infinity { negative } | Number::Zero { negative, .. } => *negative,
            Finite(value) => value.is_negative(),
        }
    }

    fn negated(self) -> Number {
        match self {
            Nan { .. } => self,
            Infinity { negative } => Infinity { negative: !negative },
            Number::Zero { negative, denormal } => Number::Zero { negative: !negative, denormal },
            Finite(value) => Finite(-value),
        }
    }
}

fn zero(negative: bool) -> Number {
    Number::Zero { negative, denormal: false }
}

/// The exact product. Returns `None` if the operation is invalid.
fn product(a: &Number, b: &Number) -> Option<Number> {
    let negative = a.negative() != b.negative();
    Some(match (a, b) {
        (Infinity { .. }, Number::Zero { .. }) | (Number::Zero { .. }, Infinity { .. }) => return None,
        (Infinity { .. }, _) | (_, Infinity { .. }) => Infinity { negative },
        (Finite(a), Finite(b)) => Finite(a * b),
        _ => zero(negative),
    })
}

/// The exact sum. Returns `None` if the operation is invalid. If the operands cancel, the rounding mode determines the
/// sign of the zero sum.
fn sum(a: &Number, b: &Number, towards: Towards) -> Option<Number> {
    Some(match (a, b) {
        (Infinity { negative: x }, Infinity { negative: y }) if x != y => return None,
        (Infinity { .. }, _) => a.clone(),
        (_, Infinity { .. }) => b.clone(),
        (Finite(x), Finite(y)) if (x + y).is_zero() => zero(towards == Towards::Minus),
        (Finite(x), Finite(y)) => Finite(x + y),
        (Finite(_), _) => a.clone(),
        (_, Finite(_)) => b.clone(),
        _ if a.negative() == b.negative() => zero(a.negative()),
        _ => zero(towards == Towards::Minus),
    })
}

/// The bits of a result in the format `shape`, and the flags.
pub fn pack(shape: Shape, result: Option<Number>, towards: Towards) -> (u64, u32) {
    let top = ((1u64 << shape.exponent_bits) - 1) << shape.fraction_bits;
    let signed = |magnitude: u64, negative: bool| if negative { magnitude | shape.sign_bit() } else { magnitude };
    let value = match result {
        None => return (top | 1 << (shape.fraction_bits - 1), INVALID),
        Some(Nan { .. }) => unreachable!("NaNs are seen before"),
        Some(Infinity { negative }) => return (signed(top, negative), 0),
        Some(Number::Zero { negative, .. }) => return (signed(0, negative), 0),
        Some(Finite(value)) => value,
    };
    let least = 1 - shape.bias();
    let unit = exponent(&value).max(least) - shape.fraction_bits;
    let rounded = round(&value, unit, towards);
    let negative = value.is_negative();
    if rounded.abs() >= two_to(shape.bias() + 1) {
        let infinite = match towards {
            Towards::Nearest => true,
            Towards::Zero => false,
            Towards::Plus => !negative,
            Towards::Minus => negative,
        };
        return (signed(if infinite { top } else { top - 1 }, negative), OVERFLOW | INEXACT);
    }
    let inexact = if rounded == value { 0 } else { INEXACT };
    // Underflow is detected before rounding.
    let small = if inexact != 0 && exponent(&value) < least { UNDERFLOW } else { 0 };
    let bits = if rounded.is_zero() { signed(0, negative) } else { shape.bits(&rounded) };
    (bits, inexact | small)
}

/// The flags that are set because an operand is a NaN or denormalised, and whether any operand is a NaN.
pub fn seen(operands: &[Number]) -> (u32, bool) {
    let flags = operands.iter().map(|operand| match operand {
        Nan { signalling: true } => NAN | INVALID,
        Nan { signalling: false } => NAN,
        Number::Zero { denormal: true, .. } => DENORMAL,
        _ => 0,
    });
    let flags = flags.fold(0, |all, flag| all | flag);
    (flags, flags & NAN != 0)
}

type Exactly = fn([Number; 3], Towards) -> Option<Number>;

/// Each instruction, with the number of its operands, whether the final result is negated, and the function that
/// computes the exact result.
const ARITHMETIC: [(Opcode, usize, bool, Exactly); 7] = [
    (Opcode::Dfa, 2, false, |[a, b, _], towards| sum(&a, &b, towards)),
    (Opcode::Dfs, 2, false, |[a, b, _], towards| sum(&a, &b.negated(), towards)),
    (Opcode::Dfm, 2, false, |[a, b, _], _| product(&a, &b)),
    (Opcode::Dfma, 3, false, |[a, b, c], towards| sum(&product(&a, &b)?, &c, towards)),
    (Opcode::Dfms, 3, false, |[a, b, c], towards| sum(&product(&a, &b)?, &c.negated(), towards)),
    (Opcode::Dfnma, 3, true, |[a, b, c], towards| sum(&product(&a, &b)?, &c, towards)),
    (Opcode::Dfnms, 3, true, |[a, b, c], towards| sum(&product(&a, &b)?, &c.negated(), towards)),
];

type Comparison = fn(f64, f64) -> bool;

/// A value of the status register with these rounding modes for the two slices.
pub fn rounding(modes: [usize; 2]) -> Quadword {
    Quadword::from_words([(modes[0] << 10 | modes[1] << 8) as u32, 0, 0, 0])
}

/// The register that contains operand `n` of both slices.
fn register(slices: &[[u64; 3]], n: usize) -> Quadword {
    Quadword::from_doublewords([slices[0][n], slices[1][n]])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn arithmetic_is_exact_and_then_rounded(
        slices in prop::collection::vec(operands::doubles(), 2),
        modes in [0..4usize, 0..4usize],
    ) {
        let registers = [0, 1, 2].map(|n| register(&slices, n));
        for (opcode, count, negates, exactly) in ARITHMETIC {
            let (result, status) = run(opcode, 0, registers, rounding(modes));
            for (k, bits) in slices.iter().enumerate() {
                let towards = MODES[modes[k]];
                let numbers = bits.map(|bits| operand(DOUBLE, bits));
                let (flags, nan) = seen(&numbers[..count]);
                let got = (result.doublewords()[k], status.words()[1 + k] >> 8 & 63);
                if nan {
                    prop_assert_eq!(got.0, 0x7ff8_0000_0000_0000, "{:?} {:016x?}", opcode, bits);
                    prop_assert_eq!(got.1 & NAN, NAN, "{:?} {:016x?}", opcode, bits);
                    prop_assert_eq!(got.1 & flags & INVALID, flags & INVALID, "{:?} {:016x?}", opcode, bits);
                    continue;
                }
                let (packed, arising) = pack(DOUBLE, exactly(numbers, towards), towards);
                let negated = if negates && arising & INVALID == 0 { packed ^ DOUBLE.sign_bit() } else { packed };
                let expected = (negated, arising | flags);
                prop_assert_eq!(got, expected, "{:?} {:016x?} {:?} gives {:016x}", opcode, bits, towards, got.0);
            }
            prop_assert_eq!(status.words()[0], rounding(modes).words()[0]);
        }
    }

    #[test]
    fn comparisons_are_false_of_nans(slices in prop::collection::vec(operands::doubles(), 2)) {
        let registers = [0, 1, 2].map(|n| register(&slices, n));
        let host = |k: usize, n: usize| f64::from_bits(slices[k][n]);
        let comparisons: [(Opcode, Comparison); 4] = [
            (Opcode::Dfceq, |a, b| a == b),
            (Opcode::Dfcgt, |a, b| a > b),
            (Opcode::Dfcmeq, |a, b| a.abs() == b.abs()),
            (Opcode::Dfcmgt, |a, b| a.abs() > b.abs()),
        ];
        for (opcode, holds) in comparisons {
            let (result, _) = run(opcode, 0, registers, Quadword::default());
            let expected = [0, 1].map(|k| if holds(host(k, 0), host(k, 1)) { u64::MAX } else { 0 });
            prop_assert_eq!(result.doublewords(), expected, "{:?} {:016x?}", opcode, slices);
        }
    }

    #[test]
    fn special_values_are_told_apart(slices in prop::collection::vec(operands::doubles(), 2), selection in 0..128i32) {
        let (result, _) = run(Opcode::Dftsv, selection, [0, 1, 2].map(|n| register(&slices, n)), Quadword::default());
        let expected = [0, 1].map(|k| {
            let bits = slices[k][0];
            let class = match operand(DOUBLE, bits) {
                Nan { .. } => 0x40,
                Infinity { negative } => 0x20 >> i32::from(negative),
                Number::Zero { negative, denormal } => 0x08 >> (2 * i32::from(denormal) + i32::from(negative)),
                Finite(_) => 0,
            };
            if class & selection != 0 { u64::MAX } else { 0 }
        });
        prop_assert_eq!(result.doublewords(), expected, "{:016x?} {:07b}", slices, selection);
    }
}
