//! Functions applied to every element of a register. The PPE's vector instructions use these functions too.
//!
//! These functions use loops instead of iterators, because compilers do not inline an iterator's closures into very
//! large functions.

use crate::registers::Quadword;

/// Functions that apply `f` to each element of one operand, or to each pair of elements of two operands.
macro_rules! each {
    ($each:ident, $each2:ident, $element:ty, $get:ident, $from:ident) => {
        #[doc = concat!("Applies `f` to each `", stringify!($element), "`.")]
        #[inline(always)]
        pub fn $each(a: Quadword, f: impl Fn($element) -> $element) -> Quadword {
            let mut elements = a.$get();
            for element in &mut elements {
                *element = f(*element);
            }
            Quadword::$from(elements)
        }

        #[doc = concat!("Applies `f` to each pair of `", stringify!($element), "` elements.")]
        #[inline(always)]
        pub fn $each2(a: Quadword, b: Quadword, f: impl Fn($element, $element) -> $element) -> Quadword {
            let (mut elements, b) = (a.$get(), b.$get());
            for (element, b) in elements.iter_mut().zip(b) {
                *element = f(*element, b);
            }
            Quadword::$from(elements)
        }
    };
}

each!(each_byte, bytes_of_both, u8, bytes, from_bytes);
each!(each_halfword, halfwords_of_both, u16, halfwords, from_halfwords);
each!(each_word, words_of_both, u32, words, from_words);

/// Applies `f` to each triple of corresponding words.
#[inline(always)]
pub fn words_of_three(a: Quadword, b: Quadword, c: Quadword, f: impl Fn(u32, u32, u32) -> u32) -> Quadword {
    let (mut words, b, c) = (a.words(), b.words(), c.words());
    for k in 0..4 {
        words[k] = f(words[k], b[k], c[k]);
    }
    Quadword::from_words(words)
}
