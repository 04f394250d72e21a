//! Operands that are difficult for arithmetic: ends of ranges, adjacent numbers, and numbers whose sum cancels.

use proptest::prelude::*;

use super::exact::{DOUBLE, SINGLE, Shape};

/// An operand: random bits, an end of a range, or one of many numbers of similar magnitude.
fn operand(shape: Shape) -> impl Strategy<Value = u64> {
    let sign = shape.sign_bit();
    let (fraction, bias) = ((1u64 << shape.fraction_bits) - 1, shape.bias() as u64);
    let edge_exponents = prop::sample::select(vec![0, 1, 2, bias - 1, bias, bias + 1, 2 * bias, 2 * bias + 1]);
    let near_exponents = bias - 40..bias + 40;
    let any_exponents = 0..2 * bias + 2;
    let quiet = 1 << (shape.fraction_bits - 1);
    let edge_fractions = prop::sample::select(vec![0, 1, quiet, quiet - 1, fraction - 1, fraction]);
    let exponent = prop_oneof![edge_exponents, near_exponents, any_exponents];
    let fraction = prop_oneof![edge_fractions, 0..=fraction];
    (any::<bool>(), exponent, fraction).prop_map(move |(negative, exponent, fraction)| {
        (if negative { sign } else { 0 }) | exponent << shape.fraction_bits | fraction
    })
}

/// Three operands. The third operand may be close to the product of the first two, with the same or the opposite sign.
fn three(shape: Shape, product: fn(u64, u64) -> u64) -> impl Strategy<Value = [u64; 3]> {
    let mask = shape.sign_bit() | (shape.sign_bit() - 1);
    let third = prop_oneof![2 => Just(None), 1 => (any::<bool>(), -2i64..=2).prop_map(Some)];
    let second = prop_oneof![2 => Just(None), 1 => (any::<bool>(), -2i64..=2).prop_map(Some)];
    let operands = (operand(shape), operand(shape), operand(shape), second, third);
    operands.prop_map(move |(a, b, c, second, third)| {
        let near = |bits: u64, (negate, distance): (bool, i64)| {
            (bits.wrapping_add_signed(distance) ^ if negate { shape.sign_bit() } else { 0 }) & mask
        };
        let b = second.map_or(b, |how| near(a, how));
        let c = third.map_or(c, |how| near(product(a, b), how));
        [a, b, c]
    })
}

pub fn singles() -> impl Strategy<Value = [u32; 3]> {
    let product = |a: u64, b: u64| u64::from((f32::from_bits(a as u32) * f32::from_bits(b as u32)).to_bits());
    three(SINGLE, product).prop_map(|operands| operands.map(|bits| bits as u32))
}

pub fn doubles() -> impl Strategy<Value = [u64; 3]> {
    three(DOUBLE, |a, b| (f64::from_bits(a) * f64::from_bits(b)).to_bits())
}
