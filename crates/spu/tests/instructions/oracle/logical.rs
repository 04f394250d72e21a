//! Bitwise logic, selection, shuffling, formation of masks from bits, and gathering of bits from elements.

use super::case::{Bytes, Case, Model, Outcome, b, bit, h, w};

pub const MODELS: &[(&str, Model)] = &[
    ("and", |c| logic(c, |a, b| a && b)),
    ("andc", |c| logic(c, |a, b| a && !b)),
    ("or", |c| logic(c, |a, b| a || b)),
    ("orc", |c| logic(c, |a, b| a || !b)),
    ("xor", |c| logic(c, |a, b| a != b)),
    ("nand", |c| logic(c, |a, b| !(a && b))),
    ("nor", |c| logic(c, |a, b| !(a || b))),
    ("eqv", |c| logic(c, |a, b| a == b)),
    ("andbi", |c| c.bytes(|i| b(&c.ra, i) & c.i10())),
    ("andhi", |c| c.halfwords(|i| h(&c.ra, i) & c.i10())),
    ("andi", |c| c.words(|i| w(&c.ra, i) & c.i10())),
    ("orbi", |c| c.bytes(|i| b(&c.ra, i) | c.i10())),
    ("orhi", |c| c.halfwords(|i| h(&c.ra, i) | c.i10())),
    ("ori", |c| c.words(|i| w(&c.ra, i) | c.i10())),
    ("xorbi", |c| c.bytes(|i| b(&c.ra, i) ^ c.i10())),
    ("xorhi", |c| c.halfwords(|i| h(&c.ra, i) ^ c.i10())),
    ("xori", |c| c.words(|i| w(&c.ra, i) ^ c.i10())),
    ("orx", |c| c.preferred(w(&c.ra, 0) | w(&c.ra, 1) | w(&c.ra, 2) | w(&c.ra, 3))),
    ("selb", |c| c.bits(|n| if bit(&c.rc, n) { bit(&c.rb, n) } else { bit(&c.ra, n) })),
    ("shufb", |c| c.bytes(|i| shuffled(c, b(&c.rc, i)))),
    ("fsmb", |c| c.bytes(|i| mask(bit(&c.ra, 16 + i as i64)))),
    ("fsmh", |c| c.halfwords(|i| mask(bit(&c.ra, 24 + i as i64)))),
    ("fsm", |c| c.words(|i| mask(bit(&c.ra, 28 + i as i64)))),
    ("gbb", |c| gathered(c, 8)),
    ("gbh", |c| gathered(c, 16)),
    ("gb", |c| gathered(c, 32)),
];

fn logic(c: &Case, f: fn(bool, bool) -> bool) -> Outcome {
    c.bits(|n| f(bit(&c.ra, n), bit(&c.rb, n)))
}

fn mask(set: bool) -> i64 {
    if set { -1 } else { 0 }
}

/// The byte that a control byte selects. A control byte with one of three bit patterns selects a constant. Any other
/// control byte selects one of 32 bytes.
fn shuffled(c: &Case, control: i64) -> i64 {
    let both: Vec<u8> = [c.ra, c.rb].concat();
    match control {
        0b1000_0000..=0b1011_1111 => 0,
        0b1100_0000..=0b1101_1111 => 0xff,
        0b1110_0000..=0b1111_1111 => 0x80,
        _ => i64::from(both[control as usize % 32]),
    }
}

/// The last bit of each element of this width. The bits are gathered at the right end of the preferred word.
fn gathered(c: &Case, element_bits: i64) -> Outcome {
    let last_bits = (1..=128 / element_bits).map(|k| bit(&c.ra as &Bytes, k * element_bits - 1));
    c.preferred(last_bits.fold(0, |value, last| value * 2 + i64::from(last)))
}
