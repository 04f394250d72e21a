//! Shifts, rotates, and the shuffle of bytes.
//!
//! The architecture shifts right by "rotate and mask": the count is the *negated* number of bits to shift right. If a
//! count exceeds the element's width, the result is zero, or copies of the sign in the algebraic forms. For a whole
//! quadword, the count is in the preferred slot.

use super::lanes::{bytes_of_both, halfwords_of_both, words_of_both};
use crate::registers::Quadword;

/// `shlh`, counts modulo 32.
#[inline(always)]
pub fn left_halfwords(a: Quadword, counts: Quadword) -> Quadword {
    halfwords_of_both(a, counts, |a, count| (u32::from(a) << (count & 31)) as u16)
}

/// `shl`, counts modulo 64.
#[inline(always)]
pub fn left_words(a: Quadword, counts: Quadword) -> Quadword {
    words_of_both(a, counts, |a, count| (u64::from(a) << (count & 63)) as u32)
}

/// `roth`.
#[inline(always)]
pub fn rotate_halfwords(a: Quadword, counts: Quadword) -> Quadword {
    halfwords_of_both(a, counts, |a, count| a.rotate_left(u32::from(count & 15)))
}

/// `rot`.
#[inline(always)]
pub fn rotate_words(a: Quadword, counts: Quadword) -> Quadword {
    words_of_both(a, counts, |a, count| a.rotate_left(count & 31))
}

/// `rothm`, with negated counts modulo 32.
#[inline(always)]
pub fn right_halfwords(a: Quadword, counts: Quadword) -> Quadword {
    halfwords_of_both(a, counts, |a, count| (u32::from(a) >> (count.wrapping_neg() & 31)) as u16)
}

/// `rotm`, with negated counts modulo 64.
#[inline(always)]
pub fn right_words(a: Quadword, counts: Quadword) -> Quadword {
    words_of_both(a, counts, |a, count| (u64::from(a) >> (count.wrapping_neg() & 63)) as u32)
}

/// `rotmah`, with negated counts modulo 32.
#[inline(always)]
pub fn right_halfwords_algebraic(a: Quadword, counts: Quadword) -> Quadword {
    halfwords_of_both(a, counts, |a, count| (i32::from(a as i16) >> (count.wrapping_neg() & 31)) as u16)
}

/// `rotma`, with negated counts modulo 64.
#[inline(always)]
pub fn right_words_algebraic(a: Quadword, counts: Quadword) -> Quadword {
    words_of_both(a, counts, |a, count| (i64::from(a as i32) >> (count.wrapping_neg() & 63)) as u32)
}

/// `shlqbi`: shifts left by up to 7 bits.
#[inline(always)]
pub fn left_bits(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits() << (count & 7))
}

/// `rotqbi`: rotates left by up to 7 bits.
#[inline(always)]
pub fn rotate_bits(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits().rotate_left(count & 7))
}

/// `rotqmbi`: shifts right by up to 7 bits, with a negated count.
#[inline(always)]
pub fn right_bits(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits() >> (count.wrapping_neg() & 7))
}

/// `shlqby`, counts modulo 32.
#[inline(always)]
pub fn left_bytes(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits().checked_shl(8 * (count & 31)).unwrap_or(0))
}

/// `rotqby`.
#[inline(always)]
pub fn rotate_bytes(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits().rotate_left(8 * (count & 15)))
}

/// `rotqmby`, with a negated count modulo 32.
#[inline(always)]
pub fn right_bytes(a: Quadword, count: u32) -> Quadword {
    Quadword::from_bits(a.bits().checked_shr(8 * (count.wrapping_neg() & 31)).unwrap_or(0))
}

/// `shufb`: each byte of `controls` selects a byte of `a` and `b`, or a constant.
#[inline(always)]
pub fn shuffle(a: Quadword, b: Quadword, controls: Quadword) -> Quadword {
    // The array is in the byte order of a little-endian host: byte n, counted from the left, is at index 31 - n.
    let mut source = [0; 32];
    source[..16].copy_from_slice(&b.bits().to_le_bytes());
    source[16..].copy_from_slice(&a.bits().to_le_bytes());
    let mut selected = controls.bits().to_le_bytes();
    for byte in &mut selected {
        *byte = source[usize::from(!*byte & 31)];
    }
    let selected = Quadword::from_bits(u128::from_le_bytes(selected));
    // The constants are inserted without branches, so that the host computes all bytes at once.
    bytes_of_both(selected, controls, |byte, selector| {
        let is_constant = (selector as i8 >> 7) as u8;
        let constant = if selector >= 0xe0 {
            0x80
        } else if selector >= 0xc0 {
            0xff
        } else {
            0
        };
        byte & !is_constant | constant
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_past_the_width_leave_nothing_but_a_sign() {
        let a = Quadword::splat(0x8000_8001);
        let by = |count: i32| Quadword::splat(count as u32);
        assert_eq!(left_words(a, by(31)), Quadword::splat(0x8000_0000));
        assert_eq!(left_words(a, by(32)), Quadword::default());
        assert_eq!(left_words(a, by(64)), a);
        assert_eq!(right_words(a, by(-31)), Quadword::splat(1));
        assert_eq!(right_words(a, by(-32)), Quadword::default());
        assert_eq!(right_words(a, by(1)), Quadword::default());
        assert_eq!(right_words_algebraic(a, by(-63)), Quadword::splat(u32::MAX));
        assert_eq!(right_bytes(a, 16), Quadword::default());
        assert_eq!(right_bytes(a, 17), Quadword::from_bits(a.bits() >> 120));
        assert_eq!(left_bytes(a, 16), Quadword::default());
        assert_eq!(rotate_bytes(a, 16), a);
    }

    #[test]
    fn halfwords_take_their_own_counts() {
        let counts = Quadword::from_halfwords([0, 1, 15, 16, 31, 32, 0xffff, 0xfff1]);
        let a = Quadword::from_halfwords([0x8001; 8]);
        assert_eq!(left_halfwords(a, counts).halfwords(), [0x8001, 2, 0x8000, 0, 0, 0x8001, 0, 0]);
        assert_eq!(right_halfwords(a, counts).halfwords(), [0x8001, 0, 0, 0, 0x4000, 0x8001, 0x4000, 1]);
        assert_eq!(right_halfwords_algebraic(a, counts).halfwords()[..3], [0x8001, 0xffff, 0xffff]);
        assert_eq!(rotate_halfwords(a, counts).halfwords()[..4], [0x8001, 3, 0xc000, 0x8001]);
    }

    #[test]
    fn selectors_of_the_shuffle() {
        let a = Quadword::from_bytes(std::array::from_fn(|i| i as u8));
        let b = Quadword::from_bytes(std::array::from_fn(|i| 16 + i as u8));
        let mut controls = [0; 16];
        controls[..8].copy_from_slice(&[0x00, 0x1f, 0x2f, 0x7f, 0x80, 0xbf, 0xc0, 0xff]);
        let shuffled = shuffle(a, b, Quadword::from_bytes(controls)).bytes();
        assert_eq!(shuffled[..8], [0, 31, 15, 31, 0, 0, 0xff, 0x80]);
    }
}
