//! Elements made narrower and wider.

use super::lanes::{
    bytes, from_bytes_from_right, from_halfwords, from_halfwords_from_right, from_words, halfwords,
    halfwords_from_right, words_from_right,
};

/// Elements of A and B, each in half the bits, cut to size.
macro_rules! packs {
    ($($name:ident $get:ident $from:ident $half:literal |$a:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: elements of A and B in half the bits, without the rest.")]
        #[inline]
        pub fn $name(a: u128, b: u128) -> u128 {
            // From the right: first those of B.
            let (a, b) = ($get(a), $get(b));
            $from(std::array::from_fn(|k| {
                let $a = if k < $half { b[k] } else { a[k - $half] };
                $result
            }))
        }
    )*};
}

packs! {
    vpkuhum halfwords_from_right from_bytes_from_right 8 |a| a as u8;
    vpkuwum words_from_right from_halfwords_from_right 4 |a| a as u16;
    vpkpx words_from_right from_halfwords_from_right 4 |a| (a >> 9 & 0xfc00 | a >> 6 & 0x03e0 | a >> 3 & 0x001f) as u16;
}

/// Elements of A and B, each in half the bits, or the nearest such number.
macro_rules! saturating_packs {
    ($($name:ident $get:ident $from:ident $half:literal $wide:ty, $least:expr, $greatest:expr, $narrow:ty;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: elements of A and B in half the bits; whether any saturated.")]
        #[inline]
        pub fn $name(a: u128, b: u128) -> (u128, bool) {
            // From the right: first those of B.
            let (a, b) = ($get(a), $get(b));
            let mut packed = [0; 2 * $half];
            let mut rest = 0;
            for k in 0..2 * $half {
                let element = if k < $half { b[k] } else { a[k - $half] } as $wide;
                let clamped = element.clamp($least, $greatest);
                rest |= clamped ^ element;
                packed[k] = clamped as $narrow;
            }
            ($from(packed), rest != 0)
        }
    )*};
}

saturating_packs! {
    vpkuhus halfwords_from_right from_bytes_from_right 8 u16, 0, 0xff, u8;
    vpkuwus words_from_right from_halfwords_from_right 4 u32, 0, 0xffff, u16;
    vpkshus halfwords_from_right from_bytes_from_right 8 i16, 0, 0xff, u8;
    vpkswus words_from_right from_halfwords_from_right 4 i32, 0, 0xffff, u16;
    vpkshss halfwords_from_right from_bytes_from_right 8 i16, -0x80, 0x7f, u8;
    vpkswss words_from_right from_halfwords_from_right 4 i32, -0x8000, 0x7fff, u16;
}

/// Elements of one half of B, each in twice the bits.
macro_rules! unpacks {
    ($($high:ident $low:ident $get:ident $from:ident $half:literal |$b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($high), "`: elements of the left half in twice the bits.")]
        #[inline]
        pub fn $high(b: u128) -> u128 {
            let b = $get(b);
            $from(std::array::from_fn(|k| {
                let $b = b[k];
                $result
            }))
        }

        #[doc = concat!("`", stringify!($low), "`: elements of the right half in twice the bits.")]
        #[inline]
        pub fn $low(b: u128) -> u128 {
            let b = $get(b);
            $from(std::array::from_fn(|k| {
                let $b = b[$half + k];
                $result
            }))
        }
    )*};
}

unpacks! {
    vupkhsb vupklsb bytes from_halfwords 8 |b| i16::from(b as i8) as u16;
    vupkhsh vupklsh halfwords from_words 4 |b| i32::from(b as i16) as u32;
    vupkhpx vupklpx halfwords from_words 4 |b| pixel(b);
}

/// A pixel of 1, 5, 5 and 5 bits, in four bytes.
fn pixel(b: u16) -> u32 {
    let alpha = if b >> 15 != 0 { 0xff00_0000 } else { 0 };
    let part = |shift: u32| u32::from(b) >> shift & 0x1f;
    alpha | part(10) << 16 | part(5) << 8 | part(0)
}
