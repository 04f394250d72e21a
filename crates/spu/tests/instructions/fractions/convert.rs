//! Conversions between integers, singles and doubles.

use num_traits::{Signed, Zero};
use proptest::prelude::*;
use spu::{Opcode, Quadword};

use super::double::{DENORMAL, NAN, Number, operand, pack, rounding, seen};
use super::exact::{DOUBLE, Exact, MODES, SINGLE, integer, two_to};
use super::single::{register, value};
use super::{operands, run, single};

/// The integer part of a fraction, clamped to a range.
fn clamp(value: Exact, least: i64, greatest: i64) -> u32 {
    let whole = value.trunc().max(integer(least)).min(integer(greatest)).to_integer();
    i64::try_from(whole).expect("it is within the range") as u32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn singles_to_integers_saturate(slices in prop::collection::vec(operands::singles(), 4), scale in 0..128i32) {
        let registers = [0, 1, 2].map(|n| register(&slices, n));
        let scaled = |k: usize| value(slices[k][0]) * two_to(scale);
        let signed = [0, 1, 2, 3].map(|k| clamp(scaled(k), i64::from(i32::MIN), i64::from(i32::MAX)));
        let unsigned = [0, 1, 2, 3].map(|k| clamp(scaled(k), 0, i64::from(u32::MAX)));
        let convert = |opcode| run(opcode, scale, registers, Quadword::default()).0.words();
        prop_assert_eq!(convert(Opcode::Cflts), signed, "{:08x?} scale {}", slices, scale);
        prop_assert_eq!(convert(Opcode::Cfltu), unsigned, "{:08x?} scale {}", slices, scale);
    }

    #[test]
    fn integers_to_singles_are_truncated(words in any::<[u32; 4]>(), shift in 0..32u32, scale in 0..128i32) {
        let words = words.map(|word| (word as i32 >> shift) as u32);
        let operands = [Quadword::from_words(words); 3];
        let signed = words.map(|word| single::pack(&(integer(word as i32) / two_to(scale))).0);
        let unsigned = words.map(|word| single::pack(&(integer(word) / two_to(scale))).0);
        let convert = |opcode| run(opcode, scale, operands, Quadword::default()).0.words();
        prop_assert_eq!(convert(Opcode::Csflt), signed, "{:08x?} scale {}", words, scale);
        prop_assert_eq!(convert(Opcode::Cuflt), unsigned, "{:08x?} scale {}", words, scale);
    }

    #[test]
    fn doubles_are_rounded_to_ieee_singles(
        slices in [operands::doubles(), operands::doubles()],
        scale in prop::option::of(850..1180u64),
        modes in [0..4usize, 0..4usize],
    ) {
        // Most doubles are outside the range of singles, so their exponent may be replaced by an exponent near that
        // range.
        let near = |bits: u64| scale.map_or(bits, |biased| bits & !(0x7ff << 52) | biased << 52);
        let doubles = slices.map(|[a, ..]| near(a));
        let (result, status) = run(Opcode::Frds, 0, [Quadword::from_doublewords(doubles); 3], rounding(modes));
        for (k, bits) in doubles.into_iter().enumerate() {
            let number = operand(DOUBLE, bits);
            let (flags, nan) = seen(std::slice::from_ref(&number));
            let (single, arising) = if nan { (0x7fc0_0000, 0) } else { pack(SINGLE, Some(number), MODES[modes[k]]) };
            let got = (result.doublewords()[k], status.words()[1 + k] >> 8 & 63);
            prop_assert_eq!(got, (single << 32, arising | flags), "frds {:016x} {:?}", bits, MODES[modes[k]]);
        }
    }

    #[test]
    fn ieee_singles_become_doubles_exactly(slices in prop::collection::vec(operands::singles(), 4)) {
        let (result, status) = run(Opcode::Fesd, 0, [0, 1, 2].map(|n| register(&slices, n)), Quadword::default());
        for k in 0..2 {
            let bits = slices[2 * k][0];
            let number = operand(SINGLE, u64::from(bits));
            let (flags, nan) = seen(std::slice::from_ref(&number));
            let expected = match number {
                Number::Nan { .. } => 0x7ff8_0000_0000_0000,
                _ => pack(DOUBLE, Some(number), MODES[0]).0,
            };
            let got = (result.doublewords()[k], status.words()[1 + k] >> 8 & (NAN | DENORMAL));
            prop_assert_eq!(got, (expected, flags & (NAN | DENORMAL)), "fesd {:08x} {}", bits, nan);
        }
    }
}

#[test]
fn a_number_between_two_integers_goes_to_zero() {
    let convert = |bits: f32| run(Opcode::Cflts, 0, [Quadword::splat(bits.to_bits()); 3], Quadword::default()).0;
    assert_eq!(convert(-1.75), Quadword::splat(-1i32 as u32));
    assert_eq!(convert(1.75), Quadword::splat(1));
    assert!(value(1).is_zero() && value(0xbf80_0000).is_negative());
}
