//! Single precision on all four words of a register at once, for usual numbers.
//!
//! Usual numbers are zeros and the normal numbers of IEEE. The host converts usual numbers to and from `f64` exactly,
//! and they set no flags. If any operand or result is unusual, the functions return `None`, and [`mod@super::single`]
//! computes words and flags.
//!
//! The method is that of [`mod@super::single`], but without branches and in plain loops over the words, so that
//! compilers emit vector instructions.

/// The words of a register.
pub type Words = [u32; 4];

const SIGN: u32 = 1 << 31;
/// The smallest normalised number.
const LEAST: u32 = 1 << 23;
/// The high words of two `f64` values: the smallest normalised single, and 2^128, where the extended range begins.
const LEAST_WIDE: u32 = (1023 - 126) << 20;
const EXTENDED_WIDE: u32 = (1023 + 128) << 20;
/// The difference between the numbers of fraction bits of an `f64` and a single.
const FRACTION_SHIFT: u32 = 52 - 23;

/// `fa`: a + b, unless an operand is small or a sum is small or short (see `long_sum`).
#[inline(always)]
pub fn add(a: Words, b: Words) -> Option<Words> {
    long_sum(widen(a), widen(b), lesser(magnitudes(a), magnitudes(b)))
}

/// `fa`: a + b.
#[inline(always)]
pub fn add_any(a: Words, b: Words) -> Option<Words> {
    any_sum(widen(a), widen(b), denormalised(a) | denormalised(b))
}

/// `fm`: a b.
#[inline(always)]
pub fn multiply(a: Words, b: Words) -> Option<Words> {
    truncate(product(widen(a), widen(b)), denormalised(a) | denormalised(b))
}

/// `fma`: a b + c, rounded once, unless an operand is small or a sum is small or short (see `long_sum`).
#[inline(always)]
pub fn multiply_add(a: Words, b: Words, c: Words) -> Option<Words> {
    let least = lesser(lesser(magnitudes(a), magnitudes(b)), magnitudes(c));
    long_sum(product(widen(a), widen(b)), widen(c), least)
}

/// `fma`: a b + c, rounded once.
#[inline(always)]
pub fn multiply_add_any(a: Words, b: Words, c: Words) -> Option<Words> {
    let denormalised = denormalised(a) | denormalised(b) | denormalised(c);
    any_sum(product(widen(a), widen(b)), widen(c), denormalised)
}

/// Whether any word is a denormalised number.
#[inline(always)]
fn denormalised(a: Words) -> bool {
    let mut any = false;
    for word in a {
        any |= (word & !SIGN).wrapping_sub(1) < LEAST - 1;
    }
    any
}

#[inline(always)]
fn widen(words: Words) -> [f64; 4] {
    let mut wide = [0.0; 4];
    for k in 0..4 {
        wide[k] = f64::from(f32::from_bits(words[k]));
    }
    wide
}

/// The exact products.
#[inline(always)]
fn product(x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
    let mut product = [0.0; 4];
    for k in 0..4 {
        product[k] = x[k] * y[k];
    }
    product
}

/// The sums, truncated to 24 bits; `None` if any number is small or the nearest `f64` of any sum is short. `least` has
/// the smallest operand magnitude for each word.
///
/// A short number has at most 24 significant bits. If the nearest `f64` is not short, it is on the same side of every
/// 24-bit number as the exact sum. If it is short, it may be too great by its last bit, or a negative zero. Small
/// numbers are zeros, denormalised numbers, and the numbers to which a denormalised number may have been rounded.
#[inline(always)]
fn long_sum(x: [f64; 4], y: [f64; 4], least: [f32; 4]) -> Option<Words> {
    let mut nearest = [0.0; 4];
    for k in 0..4 {
        nearest[k] = x[k] + y[k];
    }
    let words = narrow(nearest);
    let magnitudes = magnitudes(words);
    let least = lesser(least, magnitudes);
    let (mut usual, mut short) = (true, false);
    for k in 0..4 {
        // A number that is infinite or NaN to the host is in the extended range, or results from an operand in that
        // range.
        usual &= (least[k] >= 2.0 * f32::MIN_POSITIVE) & (magnitudes[k] <= f32::MAX);
    }
    for x in nearest {
        short |= truncated(x) == x;
    }
    (usual & !short).then_some(words)
}

/// The magnitudes of the words as the host's singles.
#[inline(always)]
fn magnitudes(words: Words) -> [f32; 4] {
    let mut magnitudes = [0.0; 4];
    for k in 0..4 {
        magnitudes[k] = f32::from_bits(words[k]).abs();
    }
    magnitudes
}

/// The lesser number of each pair; either number if one of them is a NaN.
#[inline(always)]
fn lesser(x: [f32; 4], y: [f32; 4]) -> [f32; 4] {
    let mut lesser = [0.0; 4];
    for k in 0..4 {
        lesser[k] = if x[k] < y[k] { x[k] } else { y[k] };
    }
    lesser
}

/// The sums, truncated to 24 bits; `None` if any number is unusual.
#[inline(always)]
fn any_sum(x: [f64; 4], y: [f64; 4], denormalised: bool) -> Option<Words> {
    let mut truncated = [0.0; 4];
    for k in 0..4 {
        let sum = x[k] + y[k];
        // The rounding error (Knuth's two-sum).
        let y_virtual = sum - x[k];
        let error = (x[k] - (sum - y_virtual)) + (y[k] - y_virtual);
        // An error towards zero means that the exact sum is nearer to zero than the rounded sum.
        let beyond = u64::from(error * sum < 0.0);
        truncated[k] = f64::from_bits(sum.to_bits() - beyond);
    }
    truncate(truncated, denormalised)
}

/// The numbers, truncated to 24 bits; `None` if any of them is unusual or an operand was denormalised. The host
/// interprets an operand of the extended range as an infinity or a NaN, so the result is also an infinity or a NaN.
#[inline(always)]
fn truncate(mut exact: [f64; 4], denormalised: bool) -> Option<Words> {
    for x in &mut exact {
        // Adding a positive zero makes negative zeros positive.
        *x += 0.0;
    }
    (!denormalised && !any_outside(exact)).then_some(narrow(exact))
}

/// Whether any number is unusual.
#[inline(always)]
fn any_outside(x: [f64; 4]) -> bool {
    let mut any = false;
    for x in x {
        let high = (x.to_bits() >> 32) as u32 & !SIGN;
        any |= high.wrapping_sub(LEAST_WIDE) >= EXTENDED_WIDE - LEAST_WIDE && high != 0;
    }
    any
}

/// The number, truncated to 24 bits.
#[inline(always)]
fn truncated(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (u64::MAX << FRACTION_SHIFT))
}

/// Usual numbers, truncated to 24 bits.
#[inline(always)]
fn narrow(x: [f64; 4]) -> Words {
    let mut words = [0; 4];
    for k in 0..4 {
        words[k] = (truncated(x[k]) as f32).to_bits();
    }
    words
}
