//! Estimates of 1 / x, 1 / sqrt(x), binary logarithms and powers of two.
//!
//! MODEL: estimates of 1 / x and 1 / sqrt(x) are as accurate as single precision allows. The other estimates are nearly
//! as accurate. Silicon's estimates come from unpublished tables, and have errors of up to 1/4096 (1 / x and 1 /
//! sqrt(x)), 1/32 (logarithm) and 1/16 (power).
//!
//! Logarithm and power are computed in integers, bit by bit, because the host's library gives different results on
//! different hosts.

use super::float::{DEFAULT_NAN, Mode, first_nan, flush, value};
use spu::Quadword;
use spu::execute::lanes::each_word;

/// Applies `f` to each element that is not a NaN.
#[inline(always)]
fn each(b: Quadword, mode: Mode, f: impl Fn(f32) -> f32) -> Quadword {
    each_word(b, |element| {
        let result = first_nan(&[element]).unwrap_or_else(|| {
            let estimate = f(value(element, mode));
            if estimate.is_nan() { DEFAULT_NAN } else { estimate.to_bits() }
        });
        flush(result, mode)
    })
}

/// `vrefp`: 1 / B.
#[inline]
pub fn vrefp(b: Quadword, mode: Mode) -> Quadword {
    each(b, mode, |x| 1.0 / x)
}

/// `vrsqrtefp`: 1 / sqrt(B).
#[inline]
pub fn vrsqrtefp(b: Quadword, mode: Mode) -> Quadword {
    each(b, mode, |x| (1.0 / f64::from(x).sqrt()) as f32)
}

/// `vlogefp`: the binary logarithm of B.
#[inline]
pub fn vlogefp(b: Quadword, mode: Mode) -> Quadword {
    each(b, mode, logarithm)
}

/// `vexptefp`: two to the power of B.
#[inline]
pub fn vexptefp(b: Quadword, mode: Mode) -> Quadword {
    each(b, mode, power)
}

/// The number of fraction bits in the integers that represent numbers from 1 to 2.
const POINT: u32 = 63;
/// The number of fraction bits in a logarithm.
const LOGARITHM_BITS: u32 = 40;

fn logarithm(x: f32) -> f32 {
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x < 0.0 {
        return f32::NAN;
    }
    if x == f32::INFINITY {
        return x;
    }
    let bits = f64::from(x).to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mut significand = (bits & ((1 << 52) - 1) | 1 << 52) << (POINT - 52);
    let mut fraction = 0i64;
    // Squaring a number doubles its logarithm.
    for _ in 0..LOGARITHM_BITS {
        let square = (u128::from(significand) * u128::from(significand)) >> POINT;
        let carry = (square >> (POINT + 1)) as u32;
        significand = (square >> carry) as u64;
        fraction = fraction << 1 | i64::from(carry);
    }
    ((exponent << LOGARITHM_BITS | fraction) as f64 / (1i64 << LOGARITHM_BITS) as f64) as f32
}

/// The number of fraction bits of the exponent that [`vexptefp`] uses.
const POWER_BITS: usize = 32;

/// 2 to the power of 1/2, 1/4, 1/8 and so on.
const ROOTS_OF_TWO: [u64; POWER_BITS] = {
    let mut roots = [0; POWER_BITS];
    let mut root = 2u128 << POINT;
    let mut k = 0;
    while k < POWER_BITS {
        root = (root << POINT).isqrt();
        roots[k] = root as u64;
        k += 1;
    }
    roots
};

/// The number rounded towards minus infinity.
fn floor(x: f64) -> i64 {
    let integer = x as i64;
    integer - i64::from(integer as f64 > x)
}

fn power(x: f32) -> f32 {
    // Beyond these exponents, the power is infinity or zero.
    let x = f64::from(x.clamp(-200.0, 200.0));
    let scaled = floor(x * (1i64 << POWER_BITS) as f64);
    let mut significand = 1u64 << POINT;
    for (k, &root) in ROOTS_OF_TWO.iter().enumerate() {
        if scaled >> (POWER_BITS - 1 - k) & 1 != 0 {
            significand = ((u128::from(significand) * u128::from(root)) >> POINT) as u64;
        }
    }
    let unit = f64::from_bits(((1023 + (scaled >> POWER_BITS)) as u64) << 52);
    (significand as f64 / (1u64 << POINT) as f64 * unit) as f32
}
