//! Single precision on all four words of a register at once, where all numbers are usual.
//!
//! Usual numbers are zeros and the numbers that are normal in IEEE, too: the host converts those to and
//! from `f64` exactly, and they set no flags.  If any operand or result is unusual, the answer is `None`,
//! and [`mod@super::single`] computes words and flags.
//!
//! How: as in [`mod@super::single`], but without branches and in plain loops over the words, so that a
//! compiler makes vector instructions of them.

/// The words of a register.
pub type Words = [u32; 4];

const SIGN: u32 = 1 << 31;
/// The least normalised number.
const LEAST: u32 = 1 << 23;
/// The left half, as `f64`, of that number, and of the least number of the binade that IEEE lacks.
const LEAST_WIDE: u32 = (1023 - 126) << 20;
const EXTENDED_WIDE: u32 = (1023 + 128) << 20;
/// Bits that an `f64`'s fraction has beyond a single's.
const FRACTION_SHIFT: u32 = 52 - 23;

/// `fa`: a + b, if no operand is small and no sum is short either.
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

/// `fma`: a b + c, rounded once, if no operand is small and no sum is short either.
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

/// Whether some number is denormalised.
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

/// The products, exactly.
#[inline(always)]
fn product(x: [f64; 4], y: [f64; 4]) -> [f64; 4] {
    let mut product = [0.0; 4];
    for k in 0..4 {
        product[k] = x[k] * y[k];
    }
    product
}

/// The sums, truncated to 24 bits, if none of their nearest `f64` is short and nothing is small; `least` are the least
/// magnitudes of the operands.
///
/// Short are numbers of no more than 24 bits.  An `f64` that is not short lies on the same side of every number of 24
/// bits as the exact sum; a short one may be too great by its last bit, or a negative zero.  Small are zeros, the
/// denormalised numbers, and those that one of these may have been rounded to.
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
        // What is infinite or no number to the host is of the extended range, or came from there.
        usual &= (least[k] >= 2.0 * f32::MIN_POSITIVE) & (magnitudes[k] <= f32::MAX);
    }
    for x in nearest {
        short |= truncated(x) == x;
    }
    (usual & !short).then_some(words)
}

/// The magnitudes, to the host.
#[inline(always)]
fn magnitudes(words: Words) -> [f32; 4] {
    let mut magnitudes = [0.0; 4];
    for k in 0..4 {
        magnitudes[k] = f32::from_bits(words[k]).abs();
    }
    magnitudes
}

/// The lesser of each two; any of them if one is no number.
#[inline(always)]
fn lesser(x: [f32; 4], y: [f32; 4]) -> [f32; 4] {
    let mut lesser = [0.0; 4];
    for k in 0..4 {
        lesser[k] = if x[k] < y[k] { x[k] } else { y[k] };
    }
    lesser
}

/// The sums, truncated to 24 bits.
#[inline(always)]
fn any_sum(x: [f64; 4], y: [f64; 4], denormalised: bool) -> Option<Words> {
    let mut truncated = [0.0; 4];
    for k in 0..4 {
        let sum = x[k] + y[k];
        // The rounding error (Knuth's two-sum).
        let y_there = sum - x[k];
        let error = (x[k] - (sum - y_there)) + (y[k] - y_there);
        // If it points towards zero, the sum lies on zero's side of the nearest number.
        let beyond = u64::from(error * sum < 0.0);
        truncated[k] = f64::from_bits(sum.to_bits() - beyond);
    }
    truncate(truncated, denormalised)
}

/// The numbers, truncated to 24 bits, if all of them are usual and no operand was denormalised.  An operand
/// of the extended range was an infinity or a NaN to the host, and so is its result.
#[inline(always)]
fn truncate(mut exact: [f64; 4], denormalised: bool) -> Option<Words> {
    for x in &mut exact {
        // No zero is negative.
        *x += 0.0;
    }
    (!denormalised && !any_outside(exact)).then_some(narrow(exact))
}

/// Whether some number is not usual.
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
