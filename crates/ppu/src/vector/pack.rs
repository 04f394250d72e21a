//! Pack and unpack functions, which make elements narrower or wider.

use spu::Quadword;

/// Packs the elements of A and B into elements of half the width, by truncation.
macro_rules! packs {
    ($($name:ident $get:ident $from:ident $half:literal |$a:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: elements of A and B truncated to half the bits.")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(std::array::from_fn(|k| {
                let $a = if k < $half { a[k] } else { b[k - $half] };
                $result
            }))
        }
    )*};
}

packs! {
    vpkuhum halfwords from_bytes 8 |a| a as u8;
    vpkuwum words from_halfwords 4 |a| a as u16;
    vpkpx words from_halfwords 4 |a| (a >> 9 & 0xfc00 | a >> 6 & 0x03e0 | a >> 3 & 0x001f) as u16;
}

/// Packs the elements of A and B into elements of half the width, with saturation.
macro_rules! saturating_packs {
    ($($name:ident $get:ident $from:ident $half:literal $wide:ty, $least:expr, $greatest:expr, $narrow:ty;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: elements of A and B saturated to half the bits. Returns whether any saturated.")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> (Quadword, bool) {
            let (a, b) = (a.$get(), b.$get());
            let mut packed = [0; 2 * $half];
            let mut rest = 0;
            for k in 0..2 * $half {
                let element = if k < $half { a[k] } else { b[k - $half] } as $wide;
                let clamped = element.clamp($least, $greatest);
                rest |= clamped ^ element;
                packed[k] = clamped as $narrow;
            }
            (Quadword::$from(packed), rest != 0)
        }
    )*};
}

saturating_packs! {
    vpkuhus halfwords from_bytes 8 u16, 0, 0xff, u8;
    vpkuwus words from_halfwords 4 u32, 0, 0xffff, u16;
    vpkshus halfwords from_bytes 8 i16, 0, 0xff, u8;
    vpkswus words from_halfwords 4 i32, 0, 0xffff, u16;
    vpkshss halfwords from_bytes 8 i16, -0x80, 0x7f, u8;
    vpkswss words from_halfwords 4 i32, -0x8000, 0x7fff, u16;
}

/// Unpacks the elements of one half of B into elements of twice the width.
macro_rules! unpacks {
    ($($high:ident $low:ident $get:ident $from:ident $half:literal |$b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($high), "`: elements of the left half, extended to twice the bits.")]
        #[inline]
        pub fn $high(b: Quadword) -> Quadword {
            let b = b.$get();
            Quadword::$from(std::array::from_fn(|k| {
                let $b = b[k];
                $result
            }))
        }

        #[doc = concat!("`", stringify!($low), "`: elements of the right half, extended to twice the bits.")]
        #[inline]
        pub fn $low(b: Quadword) -> Quadword {
            let b = b.$get();
            Quadword::$from(std::array::from_fn(|k| {
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

/// Unpacks a pixel of 1, 5, 5 and 5 bits into four bytes.
fn pixel(b: u16) -> u32 {
    let alpha = if b >> 15 != 0 { 0xff00_0000 } else { 0 };
    let part = |shift: u32| u32::from(b) >> shift & 0x1f;
    alpha | part(10) << 16 | part(5) << 8 | part(0)
}
