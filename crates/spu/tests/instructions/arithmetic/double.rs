//! `dfa`, `dfs`, `dfm`, `dfma`, `dfms`, `dfnma`, `dfnms`, the comparisons and `dftsv`.

use super::digits::Number;
use super::operands;
use proptest::prelude::*;
use spu::float::{DoubleFlags, DoubleSlice, Rounding, double};

const SIGN: u64 = 1 << 63;
const NAN: u64 = 0x7ff8_0000_0000_0000;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;

/// A format: the number of fraction bits, and the range of exponents of normalised numbers.
pub struct Format {
    pub fraction_bits: u32,
    pub least_exponent: i32,
    pub greatest_exponent: i32,
}

pub const DOUBLE: Format = Format { fraction_bits: 52, least_exponent: -1022, greatest_exponent: 1023 };

/// Rounds a nonzero exact number as IEEE 754 specifies. Returns the bits and the flags that the rounding sets.
pub fn round(exact: &Number, format: &Format, rounding: Rounding) -> (u64, DoubleFlags) {
    let leading = exact.leading_exponent().max(format.least_exponent);
    let last = leading - format.fraction_bits as i32;
    let below = exact.multiple_of(last) as u64;
    let exactly = !exact.has_below(last);
    let half = exact.multiple_of(last - 1) & 1 == 1;
    let above_half = half && exact.has_below(last - 1);
    let away = match rounding {
        Rounding::NearestEven => above_half || (half && below % 2 == 1),
        Rounding::TowardZero => false,
        Rounding::Upward => !exactly && !exact.negative,
        Rounding::Downward => !exactly && exact.negative,
    };
    let mut flags = DoubleFlags::INEXACT.when(!exactly);
    if exact.leading_exponent() < format.least_exponent && !exactly {
        flags |= DoubleFlags::UNDERFLOW;
    }
    // The result's index, counted from zero, in the list of all representable magnitudes.
    let hidden = 1u64 << format.fraction_bits;
    let steps = (leading - format.least_exponent) as u64 * hidden + below + u64::from(away);
    let infinity = (format.greatest_exponent - format.least_exponent + 2) as u64 * hidden;
    let exponent_bits = 64 - infinity.leading_zeros() - format.fraction_bits;
    let sign = if exact.negative { 1 << (format.fraction_bits + exponent_bits) } else { 0 };
    if steps < infinity {
        return (sign | steps, flags);
    }
    let stays_finite = match rounding {
        Rounding::NearestEven => false,
        Rounding::TowardZero => true,
        Rounding::Upward => exact.negative,
        Rounding::Downward => !exact.negative,
    };
    (sign | if stays_finite { infinity - 1 } else { infinity }, DoubleFlags::OVERFLOW.and(DoubleFlags::INEXACT))
}

fn number(a: u64) -> Number {
    let (significand, exponent) = parts(a);
    Number::new(a & SIGN != 0, u128::from(significand), exponent)
}

fn parts(a: u64) -> (u64, i32) {
    let exponent = a >> 52 & 0x7ff;
    (if exponent == 0 { 0 } else { a & 0xf_ffff_ffff_ffff | 1 << 52 }, exponent as i32 - 1075)
}

/// Computes a × b + c as specified by ISA 1.2, chapter 9, and IEEE 754.
fn fused(a: u64, b: u64, c: u64, rounding: Rounding) -> (u64, DoubleFlags) {
    let mut flags = DoubleFlags::NONE;
    let operands = [a, b, c].map(f64::from_bits);
    let [x, y, z] = operands.map(|v| if v.is_subnormal() { 0f64.copysign(v) } else { v });
    flags |= DoubleFlags::DENORMAL.when(operands.iter().any(|v| v.is_subnormal()));
    let nan = operands.iter().any(|v| v.is_nan());
    flags |= DoubleFlags::NOT_A_NUMBER.when(nan);
    let signalling = operands.iter().any(|v| v.is_nan() && v.to_bits() & 1 << 51 == 0);
    let zero_times_infinity = (x == 0.0 && y.is_infinite()) || (x.is_infinite() && y == 0.0);
    let product = x * y;
    let infinity_less_infinity =
        (x.is_infinite() || y.is_infinite()) && z.is_infinite() && product.signum() != z.signum() && !nan;
    if signalling || zero_times_infinity || infinity_less_infinity {
        flags |= DoubleFlags::INVALID;
        return (NAN, flags);
    }
    if nan {
        return (NAN, flags);
    }
    if [x, y, z].iter().any(|v| v.is_infinite()) {
        // Without rounding, a sum can be infinite only if an operand is infinite.
        let infinite_product = x.is_infinite() || y.is_infinite();
        return (if infinite_product { product.to_bits() } else { z.to_bits() }, flags);
    }
    let negative_product = x.is_sign_negative() != y.is_sign_negative();
    let ((a_significand, a_exponent), (b_significand, b_exponent)) = (parts(a), parts(b));
    let significand = u128::from(a_significand) * u128::from(b_significand);
    // A zero product has no meaningful exponent.
    let exponent = if significand == 0 { 0 } else { a_exponent + b_exponent };
    let exact = Number::new(negative_product, significand, exponent).plus(&number(c));
    if exact.is_zero() {
        let both_negative_zeros = significand == 0 && negative_product && z.is_sign_negative();
        let equal_signs = significand == 0 && negative_product == z.is_sign_negative();
        let negative = both_negative_zeros || (!equal_signs && rounding == Rounding::Downward);
        return (if negative { SIGN } else { 0 }, flags);
    }
    let (bits, more) = round(&exact, &DOUBLE, rounding);
    flags |= more;
    (bits, flags)
}

fn negated((bits, flags): (u64, DoubleFlags)) -> (u64, DoubleFlags) {
    (if bits == NAN { bits } else { bits ^ SIGN }, flags)
}

pub fn run<T>(rounding: Rounding, f: impl Fn(&mut DoubleSlice) -> T) -> (T, DoubleFlags) {
    let mut slice = DoubleSlice { rounding, flags: DoubleFlags::NONE };
    (f(&mut slice), slice.flags)
}

fn pair() -> impl Strategy<Value = (u64, u64)> {
    let one = operands::double().boxed();
    operands::close(one, |a, change| a.wrapping_add(u64::from(change) / 2 % 8) ^ u64::from(change) << 63)
}

const ONE: u64 = 0x3ff0_0000_0000_0000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn sums((a, b) in pair()) {
        for mode in Rounding::ALL {
            prop_assert_eq!(run(mode, |s| double::add(a, b, s)), fused(a, ONE, b, mode));
            prop_assert_eq!(run(mode, |s| double::subtract(a, b, s)), fused(a, ONE, b ^ SIGN, mode));
        }
    }

    #[test]
    fn products((a, b) in pair()) {
        for mode in Rounding::ALL {
            let zero_of_its_sign = (a ^ b) & SIGN;
            prop_assert_eq!(run(mode, |s| double::multiply(a, b, s)), fused(a, b, zero_of_its_sign, mode));
        }
    }

    #[test]
    fn products_and_sums((a, b) in pair(), c in operands::double()) {
        for mode in Rounding::ALL {
            let (plus, minus) = (fused(a, b, c, mode), fused(a, b, c ^ SIGN, mode));
            prop_assert_eq!(run(mode, |s| double::multiply_add(a, b, c, s)), plus);
            prop_assert_eq!(run(mode, |s| double::multiply_subtract(a, b, c, s)), minus);
            prop_assert_eq!(run(mode, |s| double::negative_multiply_add(a, b, c, s)), negated(plus));
            prop_assert_eq!(run(mode, |s| double::negative_multiply_subtract(a, b, c, s)), negated(minus));
        }
    }

    #[test]
    fn an_addend_that_nearly_cancels_the_product((a, b) in pair(), change in -3i64..4) {
        let (near, _) = run(Rounding::NearestEven, |s| double::multiply(a, b, s));
        let c = near.wrapping_add_signed(change) ^ SIGN;
        for mode in Rounding::ALL {
            prop_assert_eq!(run(mode, |s| double::multiply_add(a, b, c, s)), fused(a, b, c, mode));
        }
    }

    #[test]
    fn flags_that_are_set_change_nothing_and_stay((a, b) in pair(), c in operands::double(), exact in any::<bool>()) {
        // With fewer digits in c, the sum is often exact.
        let c = if exact { c & !0 << 40 } else { c };
        for mode in Rounding::ALL {
            let mut slice = DoubleSlice { rounding: mode, flags: DoubleFlags::INEXACT };
            let bits = double::multiply_add(a, b, c, &mut slice);
            let (expected, flags) = fused(a, b, c, mode);
            prop_assert_eq!((bits, slice.flags), (expected, flags.and(DoubleFlags::INEXACT)));
        }
    }

    #[test]
    fn small_integers_are_exact(a in -9i32..10, b in -9i32..10, c in -99i32..100) {
        let [x, y, z] = [a, b, c].map(|n| f64::from(n).to_bits());
        for mode in Rounding::ALL {
            prop_assert_eq!(run(mode, |s| double::multiply_add(x, y, z, s)), fused(x, y, z, mode));
        }
    }

    /// Checks the results for rounding to nearest against the host.
    #[test]
    fn the_host_agrees_when_it_rounds_to_nearest((a, b) in pair(), c in operands::double()) {
        let normal = |bits| if f64::from_bits(bits).is_subnormal() { bits | 1 << 52 } else { bits };
        let [a, b, c] = [a, b, c].map(normal);
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let host = x.mul_add(y, z);
        let (bits, _) = run(Rounding::NearestEven, |s| double::multiply_add(a, b, c, s));
        prop_assert_eq!(bits, if host.is_nan() { NAN } else { host.to_bits() });
    }

    #[test]
    fn comparisons_and_special_values((a, b) in pair()) {
        let [x, y] = [a, b].map(f64::from_bits);
        prop_assert_eq!(double::compare_equal(a, b), x == y);
        prop_assert_eq!(double::compare_greater(a, b), x > y);
        prop_assert_eq!(double::compare_magnitude_equal(a, b), x.abs() == y.abs());
        prop_assert_eq!(double::compare_magnitude_greater(a, b), x.abs() > y.abs());
        let negative = x.is_sign_negative();
        let kinds = [x.is_nan(), x == f64::INFINITY, x == f64::NEG_INFINITY, x == 0.0 && !negative,
            x == 0.0 && negative, x.is_subnormal() && !negative, x.is_subnormal() && negative];
        for (k, kind) in kinds.into_iter().enumerate() {
            prop_assert_eq!(double::test_special_value(a, 0x40 >> k), kind);
        }
    }
}

#[test]
fn each_mode_rounds_its_own_way_and_says_so() {
    let tenth = 0.1f64.to_bits();
    let sums = Rounding::ALL.map(|mode| run(mode, |s| double::add(ONE, tenth, s)));
    let up = 1.1f64.to_bits();
    assert_eq!(sums.map(|(bits, _)| bits), [up, up - 1, up, up - 1]);
    assert!(sums.iter().all(|(_, flags)| *flags == DoubleFlags::INEXACT));
}

#[test]
fn results_can_be_denormalised_and_operands_cannot() {
    let least = f64::MIN_POSITIVE.to_bits();
    let half = 0.5f64.to_bits();
    let denormal = least >> 1;
    let nearest = Rounding::NearestEven;
    assert_eq!(run(nearest, |s| double::multiply(least, half, s)), (denormal, DoubleFlags::NONE));
    assert_eq!(run(nearest, |s| double::add(denormal, 0, s)), (0, DoubleFlags::DENORMAL));
    // A product below the smallest number is still greater than zero.
    assert_eq!(run(nearest, |s| double::multiply_add(least, least, ONE, s)), (ONE, DoubleFlags::INEXACT));
    let invalid = DoubleFlags::DENORMAL.and(DoubleFlags::INVALID);
    assert_eq!(run(nearest, |s| double::multiply(denormal, INFINITY, s)), (NAN, invalid));
}
