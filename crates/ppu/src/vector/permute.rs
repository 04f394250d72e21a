//! Permutations: moves of bytes, halfwords and words within registers.

use spu::Quadword;

/// `vperm`: the last five bits of each byte of C select a byte from the concatenation of A and B.
#[inline]
pub fn vperm(a: Quadword, b: Quadword, c: Quadword) -> Quadword {
    let mut table = [0; 32];
    table[..16].copy_from_slice(&a.bytes());
    table[16..].copy_from_slice(&b.bytes());
    Quadword::from_bytes(c.bytes().map(|choice| table[usize::from(choice & 31)]))
}

/// Interleaves the elements of the left halves, or of the right halves, of A and B.
macro_rules! merges {
    ($($high:ident $low:ident $get:ident $from:ident $half:literal;)*) => {$(
        #[doc = concat!("`", stringify!($high), "`: alternating elements of the left halves.")]
        #[inline]
        pub fn $high(a: Quadword, b: Quadword) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(std::array::from_fn(|k| if k % 2 == 0 { a[k / 2] } else { b[k / 2] }))
        }

        #[doc = concat!("`", stringify!($low), "`: alternating elements of the right halves.")]
        #[inline]
        pub fn $low(a: Quadword, b: Quadword) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(std::array::from_fn(|k| if k % 2 == 0 { a[$half + k / 2] } else { b[$half + k / 2] }))
        }
    )*};
}

merges! {
    vmrghb vmrglb bytes from_bytes 8;
    vmrghh vmrglh halfwords from_halfwords 4;
    vmrghw vmrglw words from_words 2;
}

/// `vspltb`: copies one byte of B into all bytes.
#[inline]
pub fn vspltb(b: Quadword, number: u32) -> Quadword {
    Quadword::from_bytes([b.bytes()[number as usize & 15]; 16])
}

/// `vsplth`: copies one halfword of B into all halfwords.
#[inline]
pub fn vsplth(b: Quadword, number: u32) -> Quadword {
    Quadword::from_halfwords([b.halfwords()[number as usize & 7]; 8])
}

/// `vspltw`: copies one word of B into all words.
#[inline]
pub fn vspltw(b: Quadword, number: u32) -> Quadword {
    Quadword::from_words([b.words()[number as usize & 3]; 4])
}

/// `vspltisb`: copies a signed immediate into all bytes.
#[inline]
pub fn vspltisb(number: u32) -> Quadword {
    Quadword::from_bytes([number as u8; 16])
}

/// `vspltish`: copies a signed immediate into all halfwords.
#[inline]
pub fn vspltish(number: u32) -> Quadword {
    Quadword::from_halfwords([number as u16; 8])
}

/// `vspltisw`: copies a signed immediate into all words.
#[inline]
pub fn vspltisw(number: u32) -> Quadword {
    Quadword::from_words([number; 4])
}

/// The bytes from 0 to 15 in order.
const COUNT: u128 = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f;
/// Sixteen bytes of 1.
pub(super) const ONES: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;

/// `lvsl`: the `vperm` control vector for a left shift by the address's offset in its quadword.
#[inline]
pub fn lvsl(ea: u32) -> Quadword {
    Quadword::from_bits(COUNT + ONES * u128::from(ea & 15))
}

/// `lvsr`: the `vperm` control vector for a right shift by the address's offset in its quadword.
#[inline]
pub fn lvsr(ea: u32) -> Quadword {
    Quadword::from_bits(COUNT + ONES * u128::from(16 - (ea & 15)))
}

/// `lvlx`: the bytes from an address to the end of its quadword, at the left end of the register, followed by zeros.
#[inline]
pub fn left_part(quadword: Quadword, ea: u32) -> Quadword {
    Quadword::from_bits(quadword.bits() << (8 * (ea & 15)))
}

/// `lvrx`: the bytes from the beginning of an address's quadword up to the address, at the right end of the register,
/// preceded by zeros.
#[inline]
pub fn right_part(quadword: Quadword, ea: u32) -> Quadword {
    Quadword::from_bits(quadword.bits().checked_shr(8 * (16 - (ea & 15))).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_two_quadwords_make_an_unaligned_one() {
        let [first, second] = [COUNT, COUNT + ONES * 16].map(Quadword::from_bits);
        for ea in 0..16 {
            let unaligned = Quadword::from_bits(left_part(first, ea).bits() | right_part(second, ea).bits());
            assert_eq!(unaligned, vperm(first, second, lvsl(ea)), "{ea}");
            assert_eq!(unaligned, lvsl(ea), "{ea}");
        }
    }

    #[test]
    fn lvsr_undoes_lvsl() {
        let count = Quadword::from_bits(COUNT);
        for ea in 0..16 {
            let turned = vperm(count, count, lvsl(ea));
            assert_eq!(vperm(turned, turned, lvsr(ea)), count, "{ea}");
        }
    }
}
