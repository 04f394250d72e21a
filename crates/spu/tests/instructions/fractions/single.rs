//! Single precision: extended range, truncation, no NaN, no infinity, no denormalised numbers.

use num_traits::{Signed, Zero};
use proptest::prelude::*;
use spu::{Opcode, Quadword};

use super::exact::{Exact, SINGLE, Towards, exponent, round, two_to};
use super::{operands, run};

pub const OVERFLOW: u32 = 4;
pub const UNDERFLOW: u32 = 2;
pub const DIFFERENT: u32 = 1;

/// A number with a zero exponent is zero. The greatest exponent encodes ordinary numbers.
pub fn value(bits: u32) -> Exact {
    if bits & 0x7f80_0000 == 0 { Exact::zero() } else { SINGLE.number(u64::from(bits)) }
}

/// The greatest number.
const GREATEST: u32 = 0x7fff_ffff;

/// The bits and flags of a result after truncation to the format. A zero result is positive. The overflow and underflow
/// flags depend on the result before truncation.
pub fn pack(result: &Exact) -> (u32, u32) {
    if result.is_zero() {
        (0, 0)
    } else if result.abs() > value(GREATEST) {
        (if result.is_negative() { GREATEST | 1 << 31 } else { GREATEST }, OVERFLOW)
    } else if result.abs() < two_to(-126) {
        (0, UNDERFLOW)
    } else {
        (SINGLE.bits(&round(result, exponent(result) - 23, Towards::Zero)) as u32, 0)
    }
}

/// Whether these bits have another meaning in IEEE 754: an infinity, a NaN or a denormalised number.
fn differs(bits: u32) -> bool {
    let exponent = bits >> 23 & 0xff;
    exponent == 255 || (exponent == 0 && bits & 0x7f_ffff != 0)
}

/// The result and flags of an instruction with the operands `used`, given the exact result.
fn model(result: &Exact, used: &[u32]) -> (u32, u32) {
    let (bits, flags) = pack(result);
    let different = flags != 0 || differs(bits) || used.iter().any(|&operand| differs(operand));
    (bits, flags | if different { DIFFERENT } else { 0 })
}

type Arithmetic = fn(&Exact, &Exact, &Exact) -> Exact;

/// Each instruction, with the number of its operands and the function that computes its exact result.
const ARITHMETIC: [(Opcode, usize, Arithmetic); 6] = [
    (Opcode::Fa, 2, |a, b, _| a + b),
    (Opcode::Fs, 2, |a, b, _| a - b),
    (Opcode::Fm, 2, |a, b, _| a * b),
    (Opcode::Fma, 3, |a, b, c| a * b + c),
    (Opcode::Fms, 3, |a, b, c| a * b - c),
    (Opcode::Fnms, 3, |a, b, c| c - a * b),
];

type Comparison = fn(&Exact, &Exact) -> bool;

const COMPARISONS: [(Opcode, Comparison); 4] = [
    (Opcode::Fceq, |a, b| a == b),
    (Opcode::Fcgt, |a, b| a > b),
    (Opcode::Fcmeq, |a, b| a.abs() == b.abs()),
    (Opcode::Fcmgt, |a, b| a.abs() > b.abs()),
];

/// The register that contains operand `n` of all four slices.
pub fn register(slices: &[[u32; 3]], n: usize) -> Quadword {
    Quadword::from_words([slices[0][n], slices[1][n], slices[2][n], slices[3][n]])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn arithmetic_is_exact_and_then_truncated(slices in prop::collection::vec(operands::singles(), 4)) {
        let registers = [0, 1, 2].map(|n| register(&slices, n));
        for (opcode, count, exactly) in ARITHMETIC {
            let (result, status) = run(opcode, 0, registers, Quadword::default());
            for (k, operands) in slices.iter().enumerate() {
                let [a, b, c] = operands.map(value);
                let expected = model(&exactly(&a, &b, &c), &operands[..count]);
                let got = (result.words()[k], status.words()[k] & 7);
                prop_assert_eq!(got, expected, "{:?} {:08x?} gives {:08x}", opcode, operands, got.0);
            }
        }
    }

    #[test]
    fn comparisons_know_one_zero_and_no_nan(slices in prop::collection::vec(operands::singles(), 4)) {
        let registers = [0, 1, 2].map(|n| register(&slices, n));
        for (opcode, holds) in COMPARISONS {
            let (result, status) = run(opcode, 0, registers, Quadword::default());
            let expected = slices.iter().map(|[a, b, _]| if holds(&value(*a), &value(*b)) { u32::MAX } else { 0 });
            prop_assert_eq!(result.words().to_vec(), expected.collect::<Vec<_>>(), "{:?} {:08x?}", opcode, slices);
            prop_assert_eq!(status, Quadword::default());
        }
    }
}

#[test]
fn the_ends_of_the_range() {
    let one = 0x3f80_0000;
    let of = |opcode, a, b| {
        let (result, status) = run(opcode, 0, [a, b, 0].map(Quadword::splat), Quadword::default());
        (result.words()[3], status.words()[3] & 7)
    };
    assert_eq!(of(Opcode::Fa, 0x7fff_ffff, 0x7fff_ffff), (0x7fff_ffff, OVERFLOW | DIFFERENT));
    assert_eq!(of(Opcode::Fm, 0xffff_ffff, 0x4000_0000), (0xffff_ffff, OVERFLOW | DIFFERENT));
    assert_eq!(of(Opcode::Fm, 0x0080_0000, 0x3f7f_ffff), (0, UNDERFLOW | DIFFERENT));
    assert_eq!(of(Opcode::Fm, 0x8000_0000, one), (0, 0));
    assert_eq!(of(Opcode::Fa, 0x8000_0001, one), (one, DIFFERENT));
    assert_eq!(value(GREATEST), (two_to(24) - two_to(0)) * two_to(105));
}
