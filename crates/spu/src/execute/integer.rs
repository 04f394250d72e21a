//! Integer arithmetic that needs more than one Rust operator: carries, products, bytes, counts.

use std::array::from_fn;

use super::lanes::{bytes_of_both, each_byte, words_of_both, words_of_three};
use crate::registers::Quadword;

/// The sum of two words and a carry. The carry is the least significant bit of the third word.
#[inline(always)]
fn sum(a: u32, b: u32, carry: u32) -> u64 {
    u64::from(a) + u64::from(b) + u64::from(carry & 1)
}

/// `addx`, or `sfx` if `a` is complemented.
#[inline(always)]
pub fn add_extended(a: Quadword, b: Quadword, carry: Quadword) -> Quadword {
    words_of_three(a, b, carry, |a, b, carry| sum(a, b, carry) as u32)
}

/// `cgx`, or `bgx` if `a` is complemented: 1 in each word whose sum carries.
#[inline(always)]
pub fn carry_extended(a: Quadword, b: Quadword, carry: Quadword) -> Quadword {
    words_of_three(a, b, carry, |a, b, carry| (sum(a, b, carry) >> 32) as u32)
}

/// `cg`: 1 in each word whose sum carries.
#[inline(always)]
pub fn carry(a: Quadword, b: Quadword) -> Quadword {
    words_of_both(a, b, |a, b| u32::from(a.checked_add(b).is_none()))
}

/// `bg`: 1 in each word for which `b - a` needs no borrow.
#[inline(always)]
pub fn borrow(a: Quadword, b: Quadword) -> Quadword {
    words_of_both(a, b, |a, b| u32::from(b >= a))
}

/// The complement of every bit.
#[inline(always)]
pub fn not(a: Quadword) -> Quadword {
    Quadword::from_bits(!a.bits())
}

/// The signed product of the right halfwords.
#[inline(always)]
pub fn low_product(a: u32, b: u32) -> u32 {
    (i32::from(a as i16) * i32::from(b as i16)) as u32
}

/// The unsigned product of the right halfwords.
#[inline(always)]
pub fn low_product_unsigned(a: u32, b: u32) -> u32 {
    (a & 0xffff) * (b & 0xffff)
}

/// The signed product of the left halfwords.
#[inline(always)]
pub fn high_product(a: u32, b: u32) -> u32 {
    low_product(a >> 16, b >> 16)
}

/// The unsigned product of the left halfwords.
#[inline(always)]
pub fn high_product_unsigned(a: u32, b: u32) -> u32 {
    (a >> 16) * (b >> 16)
}

/// `mpyh`: the left halfword of `a` times the right halfword of `b`, in the left half of the word.
#[inline(always)]
pub fn cross_product(a: u32, b: u32) -> u32 {
    (a >> 16).wrapping_mul(b) << 16
}

/// `avgb`: the averages of bytes, rounded up.
#[inline(always)]
pub fn average_bytes(a: Quadword, b: Quadword) -> Quadword {
    bytes_of_both(a, b, |a, b| ((u16::from(a) + u16::from(b) + 1) >> 1) as u8)
}

/// `sumb`: for each word, the sum of the four bytes of `b` in the left halfword, and the sum of the four bytes of `a`
/// in the right halfword.
#[inline(always)]
pub fn sum_bytes(a: Quadword, b: Quadword) -> Quadword {
    let sum = |word: u32| word.to_be_bytes().iter().map(|byte| u32::from(*byte)).sum::<u32>();
    words_of_both(a, b, |a, b| sum(b) << 16 | sum(a))
}

/// `cntb`: for each byte, the number of bits that are set.
#[inline(always)]
pub fn count_ones(a: Quadword) -> Quadword {
    each_byte(a, |byte| byte.count_ones() as u8)
}

/// `xswd`: the right word of each doubleword, sign-extended.
#[inline(always)]
pub fn extend_words(a: Quadword) -> Quadword {
    Quadword::from_doublewords(a.doublewords().map(|doubleword| i64::from(doubleword as i32) as u64))
}

/// `orx`: the bitwise OR of all four words, in the preferred slot.
#[inline(always)]
pub fn or_across(a: Quadword) -> Quadword {
    Quadword::scalar(a.words().iter().fold(0, |all, word| all | word))
}

/// `fsmb` and `fsmbi`: for each of the 16 rightmost bits, a byte of ones or zeros.
#[inline(always)]
pub fn mask_bytes(bits: u32) -> Quadword {
    Quadword::from_bytes(from_fn(|i| ((bits >> (15 - i) & 1) as u8).wrapping_neg()))
}

/// `fsmh`: for each of the 8 rightmost bits, a halfword of ones or zeros.
#[inline(always)]
pub fn mask_halfwords(bits: u32) -> Quadword {
    Quadword::from_halfwords(from_fn(|i| ((bits >> (7 - i) & 1) as u16).wrapping_neg()))
}

/// `fsm`: for each of the 4 rightmost bits, a word of ones or zeros.
#[inline(always)]
pub fn mask_words(bits: u32) -> Quadword {
    Quadword::from_words(from_fn(|i| (bits >> (3 - i) & 1).wrapping_neg()))
}

/// `gb`, `gbh`, `gbb`: the rightmost bits of all elements, gathered in the preferred slot.
#[inline(always)]
pub fn gather(elements: impl IntoIterator<Item = u32>) -> Quadword {
    Quadword::scalar(elements.into_iter().fold(0, |bits, element| bits << 1 | element & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrow_and_carry_are_the_same_of_a_complement() {
        let one = Quadword::splat(1);
        for (a, b) in [(0, 0), (1, 0), (0, 1), (u32::MAX, u32::MAX), (5, 5), (6, 5)] {
            let (a, b) = (Quadword::splat(a), Quadword::splat(b));
            assert_eq!(borrow(a, b), carry_extended(not(a), b, one));
            assert_eq!(carry(a, b), carry_extended(a, b, Quadword::default()));
        }
    }

    #[test]
    fn sums_of_bytes_of_the_second_operand_are_left() {
        let sums = sum_bytes(Quadword::splat(0x0102_0304), Quadword::splat(0xffff_ffff));
        assert_eq!(sums, Quadword::splat(0x03fc_000a));
    }

    #[test]
    fn masks_and_gathered_bits_are_opposites() {
        for bits in [0, 1, 0x8000, 0xa5c3, 0xffff] {
            let gathered = gather(mask_bytes(bits).bytes().map(u32::from));
            assert_eq!(gathered, Quadword::scalar(bits));
        }
        assert_eq!(mask_words(0b1000).words(), [u32::MAX, 0, 0, 0]);
        assert_eq!(mask_halfwords(0x101).halfwords(), [0, 0, 0, 0, 0, 0, 0, u16::MAX]);
    }

    #[test]
    fn the_cross_product_keeps_its_right_half() {
        assert_eq!(cross_product(0xffff_1234, 0x5678_0002), 0xfffe_0000);
    }
}
