//! `fa`, `fs`, `fm`, `fma`, `fms`, `fnms` and the comparisons.

use super::digits::Number;
use super::operands;
use proptest::prelude::*;
use spu::float::{SingleFlags, single};

const SIGN: u32 = 1 << 31;

/// The number that these bits represent in the architecture.
pub fn number(bits: u32) -> Number {
    let exponent = bits >> 23 & 0xff;
    let significand = if exponent == 0 { 0 } else { bits & 0x7f_ffff | 0x80_0000 };
    Number::new(bits & SIGN != 0, u128::from(significand), exponent as i32 - 127 - 23)
}

fn product(a: u32, b: u32) -> Number {
    let (x, y) = (bits_and_exponent(a), bits_and_exponent(b));
    Number::new((a ^ b) & SIGN != 0, u128::from(x.0) * u128::from(y.0), x.1 + y.1)
}

fn bits_and_exponent(a: u32) -> (u32, i32) {
    let exponent = a >> 23 & 0xff;
    (if exponent == 0 { 0 } else { a & 0x7f_ffff | 0x80_0000 }, exponent as i32 - 150)
}

/// The result and flags that ISA 1.2, chapter 9, specifies for an exact number.
pub fn result(exact: &Number, operands: &[u32]) -> (u32, SingleFlags) {
    let mut flags = SingleFlags::NONE;
    for operand in operands {
        let (exponent, fraction) = (operand >> 23 & 0xff, operand & 0x7f_ffff);
        if exponent == 255 || (exponent == 0 && fraction != 0) {
            flags |= SingleFlags::DIFFERENT;
        }
    }
    if exact.is_zero() {
        return (0, flags);
    }
    let least = number(0x0080_0000);
    if least.exceeds(exact) {
        flags |= SingleFlags::UNDERFLOW;
        flags |= SingleFlags::DIFFERENT;
        return (0, flags);
    }
    let sign = u32::from(exact.negative) << 31;
    let greatest = number(0x7fff_ffff);
    if exact.exceeds(&greatest) {
        flags |= SingleFlags::OVERFLOW;
        flags |= SingleFlags::DIFFERENT;
        return (sign | 0x7fff_ffff, flags);
    }
    let leading = exact.leading_exponent();
    let significand = exact.multiple_of(leading - 23) as u32;
    let bits = sign | ((leading + 127) as u32) << 23 | (significand - 0x80_0000);
    if leading + 127 == 255 {
        flags |= SingleFlags::DIFFERENT;
    }
    (bits, flags)
}

fn run(f: impl Fn(&mut SingleFlags) -> u32) -> (u32, SingleFlags) {
    let mut flags = SingleFlags::NONE;
    (f(&mut flags), flags)
}

fn pair() -> impl Strategy<Value = (u32, u32)> {
    let one = operands::single().boxed();
    operands::close(one, |a, change| a.wrapping_add(u32::from(change) / 2 % 8) ^ u32::from(change) << 31)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn sums((a, b) in pair()) {
        prop_assert_eq!(run(|f| single::add(a, b, f)), result(&number(a).plus(&number(b)), &[a, b]));
        let negated = number(b ^ SIGN);
        prop_assert_eq!(run(|f| single::subtract(a, b, f)), result(&number(a).plus(&negated), &[a, b]));
    }

    #[test]
    fn products((a, b) in pair()) {
        prop_assert_eq!(run(|f| single::multiply(a, b, f)), result(&product(a, b), &[a, b]));
    }

    #[test]
    fn products_and_sums((a, b) in pair(), c in operands::single()) {
        let all = [a, b, c];
        let plus = result(&product(a, b).plus(&number(c)), &all);
        prop_assert_eq!(run(|f| single::multiply_add(a, b, c, f)), plus);
        let minus = result(&product(a, b).plus(&number(c ^ SIGN)), &all);
        prop_assert_eq!(run(|f| single::multiply_subtract(a, b, c, f)), minus);
        let negative = result(&product(a ^ SIGN, b).plus(&number(c)), &all);
        prop_assert_eq!(run(|f| single::negative_multiply_subtract(a, b, c, f)), negative);
    }

    #[test]
    fn an_addend_that_nearly_cancels_the_product((a, b) in pair(), change in -3i32..4) {
        let mut ignored = SingleFlags::NONE;
        let c = single::multiply(a, b, &mut ignored).wrapping_add_signed(change) ^ SIGN;
        let expected = result(&product(a, b).plus(&number(c)), &[a, b, c]);
        prop_assert_eq!(run(|f| single::multiply_add(a, b, c, f)), expected);
    }

    #[test]
    fn comparisons((a, b) in pair()) {
        let difference = number(a).plus(&number(b ^ SIGN));
        prop_assert_eq!(single::compare_equal(a, b), difference.is_zero());
        prop_assert_eq!(single::compare_greater(a, b), !difference.is_zero() && !difference.negative);
        prop_assert_eq!(single::compare_magnitude_greater(a, b), number(a).exceeds(&number(b)));
        let magnitudes = number(a & !SIGN) == number(b & !SIGN);
        prop_assert_eq!(single::compare_magnitude_equal(a, b), magnitudes);
    }
}

#[test]
fn the_range_has_no_infinity() {
    let (two, half) = (0x4000_0000, 0x3f00_0000);
    let infinity_of_others = 0x7f80_0000;
    // Both 2^128 and 2^127 are ordinary numbers.
    assert_eq!(run(|f| single::multiply(infinity_of_others, half, f)), (0x7f00_0000, SingleFlags::DIFFERENT));
    let overflow = SingleFlags::OVERFLOW.and(SingleFlags::DIFFERENT);
    assert_eq!(run(|f| single::multiply(infinity_of_others | SIGN, two, f)), (0xffff_ffff, overflow));
    let underflow = SingleFlags::UNDERFLOW.and(SingleFlags::DIFFERENT);
    assert_eq!(run(|f| single::multiply(0x8080_0000, half, f)), (0, underflow));
    // A zero result is always positive. A denormalised operand is treated as zero.
    assert_eq!(run(|f| single::add(SIGN, SIGN, f)), (0, SingleFlags::NONE));
    assert_eq!(run(|f| single::add(0x807f_ffff, 0, f)), (0, SingleFlags::DIFFERENT));
}

#[test]
fn truncation_sees_what_is_far_below() {
    let (one, tiny) = (0x3f80_0000, 0x0080_0000);
    assert_eq!(run(|f| single::subtract(one, tiny, f)).0, 0x3f7f_ffff);
    assert_eq!(run(|f| single::add(one, tiny, f)).0, one);
    assert_eq!(run(|f| single::multiply_add(one | SIGN, one, tiny, f)).0, 0xbf7f_ffff);
}
