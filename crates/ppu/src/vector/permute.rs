//! Bytes, halfwords and words put elsewhere.

use super::lanes::{bytes, from_bytes, from_halfwords, from_words, halfwords, words};

/// `vperm`: bytes of A and B side by side, chosen by the last five bits of each byte of C.
#[inline]
pub fn vperm(a: u128, b: u128, c: u128) -> u128 {
    let mut table = [0; 32];
    table[..16].copy_from_slice(&bytes(a));
    table[16..].copy_from_slice(&bytes(b));
    from_bytes(bytes(c).map(|choice| table[usize::from(choice & 31)]))
}

/// Elements of A and B by turns: those of the left halves, and those of the right ones.
macro_rules! merges {
    ($($high:ident $low:ident $get:ident $from:ident $half:literal;)*) => {$(
        #[doc = concat!("`", stringify!($high), "`: elements of the left halves by turns.")]
        #[inline]
        pub fn $high(a: u128, b: u128) -> u128 {
            let (a, b) = ($get(a), $get(b));
            $from(std::array::from_fn(|k| if k % 2 == 0 { a[k / 2] } else { b[k / 2] }))
        }

        #[doc = concat!("`", stringify!($low), "`: elements of the right halves by turns.")]
        #[inline]
        pub fn $low(a: u128, b: u128) -> u128 {
            let (a, b) = ($get(a), $get(b));
            $from(std::array::from_fn(|k| if k % 2 == 0 { a[$half + k / 2] } else { b[$half + k / 2] }))
        }
    )*};
}

merges! {
    vmrghb vmrglb bytes from_bytes 8;
    vmrghh vmrglh halfwords from_halfwords 4;
    vmrghw vmrglw words from_words 2;
}

/// `vspltb`: one byte of B everywhere.
#[inline]
pub fn vspltb(b: u128, number: u32) -> u128 {
    from_bytes([bytes(b)[number as usize & 15]; 16])
}

/// `vsplth`: one halfword of B everywhere.
#[inline]
pub fn vsplth(b: u128, number: u32) -> u128 {
    from_halfwords([halfwords(b)[number as usize & 7]; 8])
}

/// `vspltw`: one word of B everywhere.
#[inline]
pub fn vspltw(b: u128, number: u32) -> u128 {
    from_words([words(b)[number as usize & 3]; 4])
}

/// `vspltisb`: a signed number in every byte.
#[inline]
pub fn vspltisb(number: u32) -> u128 {
    from_bytes([number as u8; 16])
}

/// `vspltish`: a signed number in every halfword.
#[inline]
pub fn vspltish(number: u32) -> u128 {
    from_halfwords([number as u16; 8])
}

/// `vspltisw`: a signed number in every word.
#[inline]
pub fn vspltisw(number: u32) -> u128 {
    from_words([number; 4])
}

/// The bytes 0 to 15, one after the other.
const COUNT: u128 = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f;
/// The byte 1, 16 times.
pub(super) const ONES: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;

/// `lvsl`: what makes `vperm` shift left by as many bytes as an address is behind a quadword's beginning.
#[inline]
pub fn lvsl(ea: u32) -> u128 {
    COUNT + ONES * u128::from(ea & 15)
}

/// `lvsr`: what makes `vperm` shift right.
#[inline]
pub fn lvsr(ea: u32) -> u128 {
    COUNT + ONES * u128::from(16 - (ea & 15))
}

/// `lvlx`: the bytes from an address on to the end of its quadword, at the left, and zeros.
#[inline]
pub fn left_part(quadword: u128, ea: u32) -> u128 {
    quadword << (8 * (ea & 15))
}

/// `lvrx`: the bytes from the beginning of an address's quadword to in front of that address, at the right, and zeros.
#[inline]
pub fn right_part(quadword: u128, ea: u32) -> u128 {
    quadword.checked_shr(8 * (16 - (ea & 15))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_two_quadwords_make_an_unaligned_one() {
        let (first, second) = (COUNT, COUNT + ONES * 16);
        for ea in 0..16 {
            let unaligned = left_part(first, ea) | right_part(second, ea);
            assert_eq!(unaligned, vperm(first, second, lvsl(ea)), "{ea}");
            assert_eq!(unaligned, lvsl(ea), "{ea}");
        }
    }

    #[test]
    fn lvsr_undoes_lvsl() {
        for ea in 0..16 {
            assert_eq!(vperm(vperm(COUNT, COUNT, lvsl(ea)), vperm(COUNT, COUNT, lvsl(ea)), lvsr(ea)), COUNT, "{ea}");
        }
    }
}
