//! Integer sums, differences, averages, maxima and minima.

use spu::Quadword;
use spu::execute::lanes::{bytes_of_both, halfwords_of_both, words_of_both};

/// Defines functions that apply to each pair of elements.
macro_rules! binary {
    ($($name:ident $lanes:ident $what:literal |$a:ident, $b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: ", $what, ".")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> Quadword {
            $lanes(a, b, |$a, $b| $result)
        }
    )*};
}

binary! {
    vaddubm bytes_of_both "sums" |a, b| a.wrapping_add(b);
    vadduhm halfwords_of_both "sums" |a, b| a.wrapping_add(b);
    vadduwm words_of_both "sums" |a, b| a.wrapping_add(b);
    vsububm bytes_of_both "differences" |a, b| a.wrapping_sub(b);
    vsubuhm halfwords_of_both "differences" |a, b| a.wrapping_sub(b);
    vsubuwm words_of_both "differences" |a, b| a.wrapping_sub(b);
    vaddcuw words_of_both "carries of sums" |a, b| u32::from(a > !b);
    vsubcuw words_of_both "carries of differences, which are complements of borrows" |a, b| u32::from(a >= b);
    vavgub bytes_of_both "averages, rounded up" |a, b| ((u16::from(a) + u16::from(b) + 1) >> 1) as u8;
    vavguh halfwords_of_both "averages, rounded up" |a, b| ((u32::from(a) + u32::from(b) + 1) >> 1) as u16;
    vavguw words_of_both "averages, rounded up" |a, b| ((u64::from(a) + u64::from(b) + 1) >> 1) as u32;
    vavgsb bytes_of_both "averages, rounded up" |a, b| ((i16::from(a as i8) + i16::from(b as i8) + 1) >> 1) as u8;
    vavgsh halfwords_of_both "averages, rounded up" |a, b| ((i32::from(a as i16) + i32::from(b as i16) + 1) >> 1) as u16;
    vavgsw words_of_both "averages, rounded up" |a, b| ((i64::from(a as i32) + i64::from(b as i32) + 1) >> 1) as u32;
    vmaxub bytes_of_both "maxima" |a, b| a.max(b);
    vmaxuh halfwords_of_both "maxima" |a, b| a.max(b);
    vmaxuw words_of_both "maxima" |a, b| a.max(b);
    vmaxsb bytes_of_both "maxima" |a, b| (a as i8).max(b as i8) as u8;
    vmaxsh halfwords_of_both "maxima" |a, b| (a as i16).max(b as i16) as u16;
    vmaxsw words_of_both "maxima" |a, b| (a as i32).max(b as i32) as u32;
    vminub bytes_of_both "minima" |a, b| a.min(b);
    vminuh halfwords_of_both "minima" |a, b| a.min(b);
    vminuw words_of_both "minima" |a, b| a.min(b);
    vminsb bytes_of_both "minima" |a, b| (a as i8).min(b as i8) as u8;
    vminsh halfwords_of_both "minima" |a, b| (a as i16).min(b as i16) as u16;
    vminsw words_of_both "minima" |a, b| (a as i32).min(b as i32) as u32;
}

/// Defines functions that apply to each pair of elements, with saturation.
macro_rules! saturating {
    ($($name:ident $get:ident $from:ident $what:literal |$a:ident, $b:ident| $exact:expr, $saturated:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: ", $what, ". Returns whether any element saturated.")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> (Quadword, bool) {
            let (mut elements, b) = (a.$get(), b.$get());
            let mut differences = 0;
            for ($a, $b) in elements.iter_mut().zip(b) {
                let exact = $exact;
                *$a = $saturated;
                differences |= exact ^ *$a;
            }
            (Quadword::$from(elements), differences != 0)
        }
    )*};
}

saturating! {
    vaddubs bytes from_bytes "sums" |a, b| a.wrapping_add(b), a.saturating_add(b);
    vadduhs halfwords from_halfwords "sums" |a, b| a.wrapping_add(b), a.saturating_add(b);
    vadduws words from_words "sums" |a, b| a.wrapping_add(b), a.saturating_add(b);
    vaddsbs bytes from_bytes "sums" |a, b| a.wrapping_add(b), (*a as i8).saturating_add(b as i8) as u8;
    vaddshs halfwords from_halfwords "sums" |a, b| a.wrapping_add(b), (*a as i16).saturating_add(b as i16) as u16;
    vaddsws words from_words "sums" |a, b| a.wrapping_add(b), (*a as i32).saturating_add(b as i32) as u32;
    vsububs bytes from_bytes "differences" |a, b| a.wrapping_sub(b), a.saturating_sub(b);
    vsubuhs halfwords from_halfwords "differences" |a, b| a.wrapping_sub(b), a.saturating_sub(b);
    vsubuws words from_words "differences" |a, b| a.wrapping_sub(b), a.saturating_sub(b);
    vsubsbs bytes from_bytes "differences" |a, b| a.wrapping_sub(b), (*a as i8).saturating_sub(b as i8) as u8;
    vsubshs halfwords from_halfwords "differences" |a, b| a.wrapping_sub(b), (*a as i16).saturating_sub(b as i16) as u16;
    vsubsws words from_words "differences" |a, b| a.wrapping_sub(b), (*a as i32).saturating_sub(b as i32) as u32;
}
