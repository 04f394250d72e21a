//! Vector comparisons, whose results are masks.

use super::float::{Mode, value};
use spu::Quadword;
use spu::execute::lanes::{bytes_of_both, halfwords_of_both, words_of_both};

/// Comparisons of integers.
macro_rules! integers {
    ($($name:ident $lanes:ident $element:ident $what:literal |$a:ident, $b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: ones where ", $what, ".")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword) -> Quadword {
            $lanes(a, b, |$a, $b| if $result { $element::MAX } else { 0 })
        }
    )*};
}

integers! {
    vcmpequb bytes_of_both u8 "A = B" |a, b| a == b;
    vcmpequh halfwords_of_both u16 "A = B" |a, b| a == b;
    vcmpequw words_of_both u32 "A = B" |a, b| a == b;
    vcmpgtub bytes_of_both u8 "A > B" |a, b| a > b;
    vcmpgtuh halfwords_of_both u16 "A > B" |a, b| a > b;
    vcmpgtuw words_of_both u32 "A > B" |a, b| a > b;
    vcmpgtsb bytes_of_both u8 "A > B" |a, b| (a as i8) > b as i8;
    vcmpgtsh halfwords_of_both u16 "A > B" |a, b| (a as i16) > b as i16;
    vcmpgtsw words_of_both u32 "A > B" |a, b| (a as i32) > b as i32;
}

/// Comparisons of floating-point numbers. A comparison with a NaN is false.
macro_rules! floats {
    ($($name:ident $what:literal |$a:ident, $b:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: ones where ", $what, ".")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
            words_of_both(a, b, |a, b| {
                let ($a, $b) = (value(a, mode), value(b, mode));
                if $result { u32::MAX } else { 0 }
            })
        }
    )*};
}

floats! {
    vcmpeqfp "A = B" |a, b| a == b;
    vcmpgefp "A >= B" |a, b| a >= b;
    vcmpgtfp "A > B" |a, b| a > b;
}

/// `vcmpbfp`: clears bit 0 of an element if A <= B, and clears bit 1 if A >= -B. Otherwise, the bits are set.
#[inline]
pub fn vcmpbfp(a: Quadword, b: Quadword, mode: Mode) -> Quadword {
    words_of_both(a, b, |a, b| {
        let (a, b) = (value(a, mode), value(b, mode));
        // A NaN is outside all bounds.
        let above = u32::from(!matches!(a.partial_cmp(&b), Some(order) if order.is_le()));
        let below = u32::from(!matches!(a.partial_cmp(&-b), Some(order) if order.is_ge()));
        above << 31 | below << 30
    })
}

/// The value of condition field 6 for `vcmpbfp.`: whether all elements are within their bounds.
#[inline]
pub fn all_within(mask: Quadword) -> u32 {
    if mask.bits() == 0 { 0b0010 } else { 0 }
}
