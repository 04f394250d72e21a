//! The operands of ps3autotests, in the order in which the suites use them.

use std::iter::once;

/// Integers of the suites ppu_integer_arithmetic, ppu_integer_logical and ppu_integer_shift.
pub const INTEGERS: [u64; 16] = [
    0,
    1,
    2,
    u64::MAX,
    u64::MAX - 1,
    0x0003_3333_0033_0033,
    0x0000_00ff_fff0_0000,
    0x1000_0000_0000_0000,
    0x1fff_ffff_ffff_ffff,
    0x4238_5722_0000_0000,
    0x7000_0000_0000_0000,
    0x0000_0000_7223_3411,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0x0123_4567_89ab_cdef,
];

/// Words of the suite ppu_vector_integer_arithmetic.
pub const WORDS: [u32; 16] = [
    0,
    1,
    2,
    0xffff_ffff,
    0xffff_fffe,
    0xffff_fffd,
    0x0003_3333,
    0x00ff_fff0,
    0x1000_0000,
    0x1234_5678,
    0x1fff_ffff,
    0x4238_5722,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x8fff_ffff,
];

/// Numbers of the floating-point suites, as register bits: doubles, or singles if `is_single` is set.
pub fn numbers(is_single: bool) -> Vec<u64> {
    let pairs = [1.0, 1.5, 1.6, 1.4].into_iter().flat_map(|number| [number, -number]);
    let great = [-10_000_000.4, 20_000_000.0, -20_000.5, 20_000.6];
    let (least, most) =
        if is_single { (f32::MIN_POSITIVE.into(), f32::MAX.into()) } else { (f64::MIN_POSITIVE, f64::MAX) };
    let numbers = [0.0, -0.0].into_iter().chain(pairs).chain(once(2.0));
    let ends = [least, most, f64::INFINITY, f64::NEG_INFINITY];
    let numbers = numbers.map(f64::to_bits).chain(once(0x7ff8_0000_0000_0000));
    let numbers = numbers.chain(great.into_iter().chain(ends).map(f64::to_bits));
    // A single is the double rounded by the compiler.
    let rounded = |bits: u64| f64::from(f64::from_bits(bits) as f32).to_bits();
    numbers.map(|bits| if is_single { rounded(bits) } else { bits }).collect()
}
