//! Shifts and rotates of elements and of the whole register, by bits and by bytes.
//!
//! A right shift is a "rotate and mask" instruction: the shift count is the negated operand.

use super::case::{Case, Model, Outcome, b, bit, h, sh, sw, w};

pub const MODELS: &[(&str, Model)] = &[
    ("shlh", |c| c.halfwords(|i| left(h(&c.ra, i), h(&c.rb, i) % 32))),
    ("shlhi", |c| c.halfwords(|i| left(h(&c.ra, i), c.i7().rem_euclid(32)))),
    ("shl", |c| c.words(|i| left(w(&c.ra, i), w(&c.rb, i) % 64))),
    ("shli", |c| c.words(|i| left(w(&c.ra, i), c.i7().rem_euclid(64)))),
    ("roth", |c| c.halfwords(|i| rotated(h(&c.ra, i), h(&c.rb, i) % 16, 16))),
    ("rothi", |c| c.halfwords(|i| rotated(h(&c.ra, i), c.i7().rem_euclid(16), 16))),
    ("rot", |c| c.words(|i| rotated(w(&c.ra, i), w(&c.rb, i) % 32, 32))),
    ("roti", |c| c.words(|i| rotated(w(&c.ra, i), c.i7().rem_euclid(32), 32))),
    ("rothm", |c| c.halfwords(|i| right(h(&c.ra, i), (-h(&c.rb, i)).rem_euclid(32)))),
    ("rothmi", |c| c.halfwords(|i| right(h(&c.ra, i), (-c.i7()).rem_euclid(32)))),
    ("rotm", |c| c.words(|i| right(w(&c.ra, i), (-w(&c.rb, i)).rem_euclid(64)))),
    ("rotmi", |c| c.words(|i| right(w(&c.ra, i), (-c.i7()).rem_euclid(64)))),
    ("rotmah", |c| c.halfwords(|i| right(sh(&c.ra, i), (-h(&c.rb, i)).rem_euclid(32)))),
    ("rotmahi", |c| c.halfwords(|i| right(sh(&c.ra, i), (-c.i7()).rem_euclid(32)))),
    ("rotma", |c| c.words(|i| right(sw(&c.ra, i), (-w(&c.rb, i)).rem_euclid(64)))),
    ("rotmai", |c| c.words(|i| right(sw(&c.ra, i), (-c.i7()).rem_euclid(64)))),
    ("shlqbi", |c| by_bits(c, bits_count(c))),
    ("shlqbii", |c| by_bits(c, c.i7().rem_euclid(8))),
    ("shlqby", |c| by_bits(c, 8 * (w(&c.rb, 0) % 32))),
    ("shlqbyi", |c| by_bits(c, 8 * c.i7().rem_euclid(32))),
    ("shlqbybi", |c| by_bits(c, 8 * bytes_count(c))),
    ("rotqbi", |c| around(c, bits_count(c))),
    ("rotqbii", |c| around(c, c.i7().rem_euclid(8))),
    ("rotqby", |c| around(c, 8 * (w(&c.rb, 0) % 16))),
    ("rotqbyi", |c| around(c, 8 * c.i7().rem_euclid(16))),
    ("rotqbybi", |c| around(c, 8 * (bytes_count(c) % 16))),
    ("rotqmbi", |c| by_bits(c, -(-bits_count(c)).rem_euclid(8))),
    ("rotqmbii", |c| by_bits(c, -(-c.i7()).rem_euclid(8))),
    ("rotqmby", |c| by_bits(c, -8 * (-w(&c.rb, 0)).rem_euclid(32))),
    ("rotqmbyi", |c| by_bits(c, -8 * (-c.i7()).rem_euclid(32))),
    ("rotqmbybi", |c| by_bits(c, -8 * (-bytes_count(c)).rem_euclid(32))),
];

/// The element, shifted left by `count` bits. The caller truncates the result.
fn left(element: i64, count: i64) -> i64 {
    (i128::from(element) << count) as i64
}

/// The element, shifted right one bit at a time. A negative element is filled with ones from the left.
fn right(element: i64, count: i64) -> i64 {
    (0..count).fold(element, |element, _| element.div_euclid(2))
}

fn rotated(element: i64, count: i64, bits: i64) -> i64 {
    element << count | element >> (bits - count)
}

/// Bits 29 to 31 of RB, which are a number of bits.
fn bits_count(c: &Case) -> i64 {
    b(&c.rb, 3) % 8
}

/// Bits 24 to 28 of RB, which are the number of whole bytes if RB holds a number of bits.
fn bytes_count(c: &Case) -> i64 {
    b(&c.rb, 3) / 8
}

/// The whole register, shifted left by `count` bits, or right if the count is negative, and filled with zeros.
fn by_bits(c: &Case, count: i64) -> Outcome {
    c.bits(|n| bit(&c.ra, n + count))
}

/// The whole register, rotated left by `count` bits.
fn around(c: &Case, count: i64) -> Outcome {
    c.bits(|n| bit(&c.ra, (n + count) % 128))
}
