//! Single precision on all four words of a register at once, for usual numbers.
//!
//! Usual numbers are zeros and the normal numbers of IEEE. The host converts usual numbers to and from `f64` exactly,
//! and usual numbers set no flags. If any operand or result is unusual, the functions return `None`, and
//! [`mod@super::single`] computes words and flags.
//!
//! The algorithms are those of [`mod@super::single`], written without branches and in plain loops over the words, so
//! that compilers emit vector instructions.

/// The four words of a register.
pub type Words = [u32; 4];

const SIGN: u32 = 1 << 31;
/// The smallest normalised number.
const LEAST: u32 = 1 << 23;
/// The high words of two `f64` values: the smallest normalised single, and the start of the extended range, 2^128.
const LEAST_WIDE: u32 = (1023 - 126) << 20;
const EXTENDED_WIDE: u32 = (1023 + 128) << 20;
/// The number of fraction bits that an `f64` has in addition to those of a single.
const FRACTION_SHIFT: u32 = 52 - 23;

/// `fa`: a + b. Returns `None` if an operand is small, or if a sum is small or short (see `long_sum`).
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

/// `fma`: a × b + c, rounded once. Returns `None` if an operand is small, or if a sum is small or short (see
/// `long_sum`).
#[inline(always)]
pub fn multiply_add(a: Words, b: Words, c: Words) -> Option<Words> {
    let least = lesser(lesser(magnitudes(a), magnitudes(b)), magnitudes(c));
    long_sum(product(widen(a), widen(b)), widen(c), least)
}

/// `fma`: a × b + c, rounded once.
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

/// The sums, truncated to 24 bits; `None` if an operand or a sum is small, or if the nearest `f64` of a sum is short.
/// `least` contains the smallest operand magnitude for each word.
///
/// A short number has at most 24 significant bits. If the nearest `f64` is not short, it lies between the same two
/// 24-bit numbers as the exact sum. If the nearest `f64` is short, truncating it may give a result that is too great by
/// one in the last bit, or a negative zero. Small numbers are zeros, denormalised numbers, and the numbers to which a
/// denormalised number may have been rounded.
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
        // A number that the host interprets as an infinity or a NaN is in the extended range, or was computed from an
        // operand in that range.
        usual &= (least[k] >= 2.0 * f32::MIN_POSITIVE) & (magnitudes[k] <= f32::MAX);
    }
    for x in nearest {
        short |= truncated(x) == x;
    }
    (usual & !short).then_some(words)
}

/// The absolute values of the words, interpreted as the host's singles.
#[inline(always)]
fn magnitudes(words: Words) -> [f32; 4] {
    let mut magnitudes = [0.0; 4];
    for k in 0..4 {
        magnitudes[k] = f32::from_bits(words[k]).abs();
    }
    magnitudes
}

/// The lesser number of each pair; if one number is a NaN, either of the two.
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
        // If error and sum have opposite signs, the exact sum is nearer to zero than the rounded sum.
        let beyond = u64::from(error * sum < 0.0);
        truncated[k] = f64::from_bits(sum.to_bits() - beyond);
    }
    truncate(truncated, denormalised)
}

/// The numbers, truncated to 24 bits; `None` if any number is unusual or any operand was denormalised. The host
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

/// The number, truncated to 24 significant bits.
#[inline(always)]
fn truncated(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (u64::MAX << FRACTION_SHIFT))
}

/// Truncates usual numbers to 24 significant bits, and returns them as words.
#[inline(always)]
fn narrow(x: [f64; 4]) -> Words {
    let mut words = [0; 4];
    for k in 0..4 {
        words[k] = (truncated(x[k]) as f32).to_bits();
    }
    words
}
