//! Edge-case operands: ends of ranges, equal exponents, and significands with few set bits.

use proptest::prelude::*;

/// Singles. All bit patterns are numbers.
pub fn single() -> impl Strategy<Value = u32> {
    let edges = prop::sample::select(vec![
        0,
        0x8000_0000,
        1,
        0x007f_ffff,
        0x807f_ffff,
        0x0080_0000,
        0x8080_0000,
        0x0080_0001,
        0x3f7f_ffff,
        0x3f80_0000,
        0xbf80_0000,
        0x3f80_0001,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7fff_fffe,
        0x7fff_ffff,
        0xffff_ffff,
    ]);
    let sparse = (any::<bool>(), 0u32..256, 0u32..23, 0u32..23)
        .prop_map(|(sign, exponent, x, y)| u32::from(sign) << 31 | exponent << 23 | 1 << x | 1 << y);
    let near_one = (any::<bool>(), 100u32..154, 0u32..1 << 23)
        .prop_map(|(sign, exponent, fraction)| u32::from(sign) << 31 | exponent << 23 | fraction);
    let great = (any::<bool>(), 0u32..1 << 10).prop_map(|(sign, below)| u32::from(sign) << 31 | (0x7fff_ffff - below));
    prop_oneof![2 => any::<u32>(), 2 => edges, 2 => sparse, 4 => near_one, 1 => great]
}

/// Doubles, including NaNs, infinities and denormalised numbers.
pub fn double() -> impl Strategy<Value = u64> {
    let magnitudes = prop::sample::select(vec![
        0,
        1,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x0010_0000_0000_0001,
        0x3fef_ffff_ffff_ffff,
        0x3ff0_0000_0000_0000,
        0x3ff0_0000_0000_0001,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x7ff8_0000_0000_0000,
        0x7fff_ffff_ffff_ffff,
    ]);
    let edges = (any::<bool>(), magnitudes).prop_map(|(sign, magnitude)| u64::from(sign) << 63 | magnitude);
    let sparse = (any::<bool>(), 0u64..2048, 0u32..52, 0u32..52)
        .prop_map(|(sign, exponent, x, y)| u64::from(sign) << 63 | exponent << 52 | 1 << x | 1 << y);
    let from = |exponents: std::ops::Range<u64>| {
        (any::<bool>(), exponents, 0u64..1 << 52)
            .prop_map(|(sign, exponent, fraction)| u64::from(sign) << 63 | exponent << 52 | fraction)
    };
    prop_oneof![
        2 => any::<u64>(),
        2 => edges,
        2 => sparse,
        4 => from(960..1090),
        1 => from(480..560),
        1 => from(1..70),
        1 => from(1500..1560),
    ]
}

/// Two operands. The second operand is often derived from the first by `changed`.
pub fn close<T: Copy + std::fmt::Debug + 'static>(
    one: impl Strategy<Value = T> + Clone + 'static,
    changed: fn(T, u8) -> T,
) -> impl Strategy<Value = (T, T)> {
    let near = (one.clone(), any::<u8>()).prop_map(move |(a, change)| (a, changed(a, change)));
    prop_oneof![3 => (one.clone(), one), 1 => near]
}
