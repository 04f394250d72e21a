//! Functions applied to every element of a register; the PPE's vector instructions use them too.
//!
//! Loops, not iterators: inside a function as large as the one that executes all instructions, a
//! compiler keeps iterators' closures as calls.

use crate::registers::Quadword;

/// One operand or two, element by element, in one width.
macro_rules! each {
    ($each:ident, $each2:ident, $element:ty, $get:ident, $from:ident) => {
        #[doc = concat!("`f` of each `", stringify!($element), "`.")]
        #[inline(always)]
        pub fn $each(a: Quadword, f: impl Fn($element) -> $element) -> Quadword {
            let mut elements = a.$get();
            for element in &mut elements {
                *element = f(*element);
            }
            Quadword::$from(elements)
        }

        #[doc = concat!("`f` of each `", stringify!($element), "` of both.")]
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

/// `f` of each word of all three.
#[inline(always)]
pub fn words_of_three(a: Quadword, b: Quadword, c: Quadword, f: impl Fn(u32, u32, u32) -> u32) -> Quadword {
    let (mut words, b, c) = (a.words(), b.words(), c.words());
    for k in 0..4 {
        words[k] = f(words[k], b[k], c[k]);
    }
    Quadword::from_words(words)
}
