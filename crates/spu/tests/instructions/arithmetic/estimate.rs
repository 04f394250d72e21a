//! `frest`, `frsqest` and `fi`: the format, the value of an estimate, and the results that programs compute from
//! estimates.

use super::digits::Number;
use super::operands;
use super::single::result;
use proptest::prelude::*;
use spu::float::{SingleFlags, estimate, single};

const ONE: u32 = 0x3f80_0000;
const HALF: u32 = 0x3f00_0000;

/// The reciprocal, computed with frest, fi, fnms and fma, as in the ISA's programming note.
fn reciprocal(x: u32) -> u32 {
    let f = &mut SingleFlags::default();
    let y0 = estimate::reciprocal(x, f);
    let y1 = estimate::interpolate(x, y0, f);
    let t1 = single::negative_multiply_subtract(x, y1, ONE, f);
    single::multiply_add(t1, y1, y1, f)
}

/// The reciprocal root, computed with frsqest, fi and one iteration of Newton's method.
fn reciprocal_root(x: u32) -> u32 {
    let f = &mut SingleFlags::default();
    let y0 = estimate::reciprocal_root(x, f);
    let magnitude = x & !(1 << 31);
    let y1 = estimate::interpolate(magnitude, y0, f);
    let t1 = single::multiply(magnitude, y1, f);
    let t2 = single::multiply(y1, HALF, f);
    let t1 = single::negative_multiply_subtract(t1, y1, ONE, f);
    single::multiply_add(t1, t2, y1, f)
}

fn value(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

#[test]
fn one_step_of_newton_gives_the_reciprocal_to_the_last_bit() {
    for significand in (1u64 << 23..1 << 24).step_by(5) {
        let x = significand as u32 - (1 << 23) + ONE;
        // The first 24 binary digits of 1/x. Except for x = 1, the value of 1/x is between 1/2 and 1.
        let digits = ((1 << 47) / significand) as u32;
        let truncated = HALF - (1 << 23) + digits;
        let off = i64::from(reciprocal(x)) - i64::from(truncated);
        assert!((-1..=1).contains(&off), "1/{x:08x} is off by {off}");
    }
}

#[test]
fn one_step_of_newton_gives_the_reciprocal_root() {
    for fraction in (0..1 << 24).step_by(7) {
        let x = ONE + fraction;
        let exact = 1.0 / value(x).sqrt();
        let off = (value(reciprocal_root(x)) - exact) / exact;
        assert!(off.abs() < 2f64.powi(-22), "1/sqrt({:08x}) is off by {off:e}", x);
    }
}

#[test]
fn interpolated_estimates_are_good_to_twelve_bits() {
    let f = &mut SingleFlags::default();
    for fraction in (0..1 << 24).step_by(11) {
        let x = ONE + fraction;
        let y = value(estimate::interpolate(x, estimate::reciprocal(x, f), f)) * value(x);
        assert!((y - 1.0).abs() < 2f64.powi(-12), "{x:08x}: {y}");
        let y = value(estimate::interpolate(x, estimate::reciprocal_root(x, f), f)) * value(x).sqrt();
        assert!((y - 1.0).abs() < 2f64.powi(-12), "{x:08x}: {y}");
    }
}

#[test]
fn zero_and_great_operands() {
    let mut flags = SingleFlags::NONE;
    let estimated = estimate::reciprocal(1 << 31, &mut flags);
    assert_eq!((estimated >> 23, flags), (0x1ff, SingleFlags::DIVIDE_BY_ZERO));
    assert_eq!(reciprocal(0), 0x7fff_ffff);
    assert_eq!(reciprocal(1 << 31), 0xffff_ffff);
    // For operands of 2^126 and above, the reciprocal is below the range.
    assert_eq!(reciprocal(0x7e80_0000), 0);
    assert_ne!(reciprocal(0x7e7f_ffff), 0);
    let mut flags = SingleFlags::NONE;
    assert_eq!(estimate::reciprocal_root(0x8000_0000, &mut flags) >> 23, 0xff);
    assert_eq!(flags, SingleFlags::DIVIDE_BY_ZERO);
    // The first operand is in the extended range, and the second is negative: frsqest ignores its sign.
    assert!((0x1f7f_ffff..=0x1f80_0000).contains(&reciprocal_root(0x7f80_0000)));
    assert!((HALF - 1..=HALF).contains(&reciprocal_root(0xc080_0000)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn interpolation_is_the_line_that_the_format_describes(a in operands::single(), b in operands::single()) {
        let mut flags = SingleFlags::NONE;
        let bits = estimate::interpolate(a, b, &mut flags);
        let exponent = (b >> 23 & 0xff) as i32 - 127;
        // The linear function is 1.BaseFraction - 0.000StepFraction * 0.Y, in units of 2^-32.
        let base = 1u128 << 32 | u128::from(b >> 10 & 0x1fff) << 19;
        let line = base - u128::from(b & 0x3ff) * u128::from(a & 0x7_ffff);
        let line = if exponent == -127 { 0 } else { line };
        prop_assert_eq!((bits, flags), result(&Number::new(b >> 31 == 1, line, exponent - 32), &[b]));
    }
}
