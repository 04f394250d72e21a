//! Logic, shifts and rotates.

use super::permute::ONES;
use spu::Quadword;
use spu::execute::lanes::{bytes_of_both, halfwords_of_both, words_of_both};

/// Defines functions that apply to each pair of elements.
macro_rules! shifts {
    ($($name:ident $lanes:ident $what:literal |$a:ident, $b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: ", $what, ".")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> Quadword {
            $lanes(a, b, |$a, $b| $result)
        }
    )*};
}

shifts! {
    vrlb bytes_of_both "rotates left" |a, b| a.rotate_left((b & 7).into());
    vrlh halfwords_of_both "rotates left" |a, b| a.rotate_left((b & 15).into());
    vrlw words_of_both "rotates left" |a, b| a.rotate_left(b & 31);
    vslb bytes_of_both "shifts left" |a, b| a << (b & 7);
    vslh halfwords_of_both "shifts left" |a, b| a << (b & 15);
    vslw words_of_both "shifts left" |a, b| a << (b & 31);
    vsrb bytes_of_both "shifts right" |a, b| a >> (b & 7);
    vsrh halfwords_of_both "shifts right" |a, b| a >> (b & 15);
    vsrw words_of_both "shifts right" |a, b| a >> (b & 31);
    vsrab bytes_of_both "shifts right, with copies of the sign" |a, b| (a as i8 >> (b & 7)) as u8;
    vsrah halfwords_of_both "shifts right, with copies of the sign" |a, b| (a as i16 >> (b & 15)) as u16;
    vsraw words_of_both "shifts right, with copies of the sign" |a, b| (a as i32 >> (b & 31)) as u32;
}

#[inline(always)]
fn combine(a: Quadword, b: Quadword, f: impl Fn(u128, u128) -> u128) -> Quadword {
    Quadword::from_bits(f(a.bits(), b.bits()))
}

/// `vand`.
#[inline]
pub fn vand(a: Quadword, b: Quadword) -> Quadword {
    combine(a, b, |a, b| a & b)
}

/// `vandc`: A and not B.
#[inline]
pub fn vandc(a: Quadword, b: Quadword) -> Quadword {
    combine(a, b, |a, b| a & !b)
}

/// `vor`.
#[inline]
pub fn vor(a: Quadword, b: Quadword) -> Quadword {
    combine(a, b, |a, b| a | b)
}

/// `vxor`.
#[inline]
pub fn vxor(a: Quadword, b: Quadword) -> Quadword {
    combine(a, b, |a, b| a ^ b)
}

/// `vnor`: the bits that are set in neither A nor B.
#[inline]
pub fn vnor(a: Quadword, b: Quadword) -> Quadword {
    combine(a, b, |a, b| !(a | b))
}

/// `vsel`: the bits of B where C has ones, and the bits of A elsewhere.
#[inline]
pub fn vsel(a: Quadword, b: Quadword, c: Quadword) -> Quadword {
    Quadword::from_bits(a.bits() & !c.bits() | b.bits() & c.bits())
}

/// `vsl`: shifts the whole register left by bits. The last three bits of every byte of B hold the count.
///
/// MODEL: if the counts in the bytes of B differ, each byte is shifted by its own count, and its new bits come from the
/// neighbouring byte. The architecture leaves this case undefined.
#[inline]
pub fn vsl(a: Quadword, b: Quadword) -> Quadword {
    if let Some(bits) = bits_everywhere(b) {
        return Quadword::from_bits(a.bits() << bits);
    }
    let (bytes, counts) = (a.bytes(), b.bytes());
    let shifted = std::array::from_fn(|k| {
        let pair = u16::from_be_bytes([bytes[k], if k < 15 { bytes[k + 1] } else { 0 }]);
        (pair << (counts[k] & 7) >> 8) as u8
    });
    Quadword::from_bytes(shifted)
}

/// `vsr`: shifts the whole register right by bits; see [`vsl`].
#[inline]
pub fn vsr(a: Quadword, b: Quadword) -> Quadword {
    if let Some(bits) = bits_everywhere(b) {
        return Quadword::from_bits(a.bits() >> bits);
    }
    let (bytes, counts) = (a.bytes(), b.bytes());
    let shifted = std::array::from_fn(|k| {
        let pair = u16::from_be_bytes([if k > 0 { bytes[k - 1] } else { 0 }, bytes[k]]);
        (pair >> (counts[k] & 7)) as u8
    });
    Quadword::from_bytes(shifted)
}

/// Returns the last three bits of every byte if these bits are equal in all bytes.
#[inline]
fn bits_everywhere(b: Quadword) -> Option<u128> {
    let bits = b.bits() & 7;
    (b.bits() & (7 * ONES) == bits * ONES).then_some(bits)
}

/// `vslo`: shifts the whole register left by bytes. Bits 121 to 124 of B hold the count.
#[inline]
pub fn vslo(a: Quadword, b: Quadword) -> Quadword {
    Quadword::from_bits(a.bits() << (b.bits() & 0x78))
}

/// `vsro`: shifts the whole register right by bytes. Bits 121 to 124 of B hold the count.
#[inline]
pub fn vsro(a: Quadword, b: Quadword) -> Quadword {
    Quadword::from_bits(a.bits() >> (b.bits() & 0x78))
}

/// `vsldoi`: takes 16 bytes from the concatenation of A and B, starting at byte `bytes`.
#[inline]
pub fn vsldoi(a: Quadword, b: Quadword, bytes: u32) -> Quadword {
    match 8 * (bytes & 15) {
        0 => a,
        bits => Quadword::from_bits(a.bits() << bits | b.bits() >> (128 - bits)),
    }
}
