//! The same for every element of a register.

use std::array::from_fn;

use crate::registers::Quadword;

/// One operand or two, element by element, in one width.
macro_rules! each {
    ($each:ident, $each2:ident, $element:ty, $get:ident, $from:ident) => {
        #[doc = concat!("`f` of each `", stringify!($element), "`.")]
        #[inline(always)]
        pub fn $each(a: Quadword, f: impl Fn($element) -> $element) -> Quadword {
            Quadword::$from(a.$get().map(f))
        }

        #[doc = concat!("`f` of each `", stringify!($element), "` of both.")]
        #[inline(always)]
        pub fn $each2(a: Quadword, b: Quadword, f: impl Fn($element, $element) -> $element) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(from_fn(|i| f(a[i], b[i])))
        }
    };
}

each!(each_byte, bytes_of_both, u8, bytes, from_bytes);
each!(each_halfword, halfwords_of_both, u16, halfwords, from_halfwords);
each!(each_word, words_of_both, u32, words, from_words);

/// `f` of each word of all three.
#[inline(always)]
pub fn words_of_three(a: Quadword, b: Quadword, c: Quadword, f: impl Fn(u32, u32, u32) -> u32) -> Quadword {
    let (a, b, c) = (a.words(), b.words(), c.words());
    Quadword::from_words(from_fn(|i| f(a[i], b[i], c[i])))
}
