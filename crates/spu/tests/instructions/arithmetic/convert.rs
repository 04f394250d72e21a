//! `csflt`, `cuflt`, `cflts`, `cfltu`, `fesd` and `frds`.

use super::digits::Number;
use super::double::{Format, round, run};
use super::operands;
use super::single::{number, result};
use proptest::prelude::*;
use spu::float::{DoubleFlags, Rounding, SingleFlags, convert};

const SINGLE: Format = Format { fraction_bits: 23, least_exponent: -126, greatest_exponent: 127 };

fn scaled(a: u32, scale: i32) -> Number {
    let exponent = (a >> 23 & 0xff) as i32;
    let significand = if exponent == 0 { 0 } else { a & 0x7f_ffff | 0x80_0000 };
    Number::new(a >> 31 == 1, u128::from(significand), exponent - 150 + scale)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn integers_to_single(a in prop_oneof![any::<u32>(), 0u32..9, 0x7fff_fff8..=0x8000_0008u32], scale in -100..156i32) {
        let mut flags = SingleFlags::NONE;
        let bits = convert::unsigned_to_single(a, scale, &mut flags);
        prop_assert_eq!((bits, flags), result(&Number::new(false, u128::from(a), -scale), &[]));
        let mut flags = SingleFlags::NONE;
        let bits = convert::signed_to_single(a, scale, &mut flags);
        let signed = a as i32;
        let exact = Number::new(signed < 0, u128::from(signed.unsigned_abs()), -scale);
        prop_assert_eq!((bits, flags), result(&exact, &[]));
    }

    #[test]
    fn single_to_integers(a in operands::single(), scale in -82..174i32) {
        let exact = scaled(a, scale);
        let beyond = exact.exceeds(&Number::new(false, 1, 33));
        let truncated = if beyond { 1 << 33 } else { exact.multiple_of(0) as i64 };
        let value = if exact.negative { -truncated } else { truncated };
        let signed = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32;
        prop_assert_eq!(convert::single_to_signed(a, scale), signed);
        prop_assert_eq!(convert::single_to_unsigned(a, scale), value.clamp(0, i64::from(u32::MAX)) as u32);
    }

    #[test]
    fn double_to_single_rounds_once(a in operands::double()) {
        let x = f64::from_bits(a);
        for mode in Rounding::ALL {
            let expected = if x.is_nan() {
                let invalid = DoubleFlags::INVALID.when(a & 1 << 51 == 0);
                (0x7fc0_0000, DoubleFlags::NOT_A_NUMBER.and(invalid))
            } else if x.is_subnormal() || x == 0.0 || x.is_infinite() {
                let plain = if x.is_infinite() { x as f32 } else { 0f32.copysign(x as f32) };
                (plain.to_bits(), DoubleFlags::DENORMAL.when(x.is_subnormal()))
            } else {
                let exponent = (a >> 52 & 0x7ff) as i32 - 1075;
                let exact = Number::new(x < 0.0, u128::from(a & 0xf_ffff_ffff_ffff | 1 << 52), exponent);
                let (bits, flags) = round(&exact, &SINGLE, mode);
                (bits as u32, flags)
            };
            prop_assert_eq!(run(mode, |s| convert::double_to_single(a, s)), expected);
        }
        if !x.is_nan() && !x.is_subnormal() {
            let (bits, _) = run(Rounding::NearestEven, |s| convert::double_to_single(a, s));
            prop_assert_eq!(bits, (x as f32).to_bits());
        }
    }

    #[test]
    fn single_to_double_is_exact(a in operands::single()) {
        let x = f32::from_bits(a);
        let expected = if x.is_nan() {
            let invalid = DoubleFlags::INVALID.when(a & 1 << 22 == 0);
            (0x7ff8_0000_0000_0000, DoubleFlags::NOT_A_NUMBER.and(invalid))
        } else if x.is_subnormal() {
            (0f64.copysign(f64::from(x)).to_bits(), DoubleFlags::DENORMAL)
        } else {
            (f64::from(x).to_bits(), DoubleFlags::NONE)
        };
        prop_assert_eq!(run(Rounding::NearestEven, |s| convert::single_to_double(a, s)), expected);
    }
}

#[test]
fn integers_saturate() {
    assert_eq!(convert::single_to_signed(0x4f00_0000, 0), 0x7fff_ffff);
    assert_eq!(convert::single_to_signed(0xcf00_0000, 0), 0x8000_0000);
    assert_eq!(convert::single_to_signed(0xffff_ffff, 127), 0x8000_0000);
    assert_eq!(convert::single_to_unsigned(0x7f80_0000, 0), 0xffff_ffff);
    assert_eq!(convert::single_to_unsigned(0xbf80_0000, 0), 0);
    // The conversion scales the number: with a scale of 1, the number 1.5 becomes 3.
    assert_eq!(convert::single_to_signed(0x3fc0_0000, 1), 3);
    assert!(number(0x3fc0_0000).exceeds(&number(0x3f80_0000)));
}
