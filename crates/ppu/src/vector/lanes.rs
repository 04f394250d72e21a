//! Functions applied to every element of registers.
//!
//! Loops, not iterators, so that a compiler makes vector instructions of them.

pub use spu::Quadword;

/// One operand or more, element by element, in one width.
macro_rules! each {
    ($each:ident, $each2:ident, $fold2:ident, $element:ty, $get:ident, $from:ident) => {
        #[doc = concat!("`f` of each `", stringify!($element), "`.")]
        #[inline(always)]
        pub fn $each(a: u128, f: impl Fn($element) -> $element) -> u128 {
            let mut elements = Quadword::from_bits(a).$get();
            for element in &mut elements {
                *element = f(*element);
            }
            Quadword::$from(elements).bits()
        }

        #[doc = concat!("`f` of each `", stringify!($element), "` of both.")]
        #[inline(always)]
        pub fn $each2(a: u128, b: u128, f: impl Fn($element, $element) -> $element) -> u128 {
            let (mut elements, b) = (Quadword::from_bits(a).$get(), Quadword::from_bits(b).$get());
            for (element, b) in elements.iter_mut().zip(b) {
                *element = f(*element, b);
            }
            Quadword::$from(elements).bits()
        }

        #[doc = concat!("`f` of each `", stringify!($element), "` of both, and whether any of them saturated.")]
        #[inline(always)]
        pub fn $fold2(a: u128, b: u128, f: impl Fn($element, $element) -> ($element, bool)) -> (u128, bool) {
            let (mut elements, b) = (Quadword::from_bits(a).$get(), Quadword::from_bits(b).$get());
            let mut saturated = false;
            for (element, b) in elements.iter_mut().zip(b) {
                let (result, one) = f(*element, b);
                *element = result;
                saturated |= one;
            }
            (Quadword::$from(elements).bits(), saturated)
        }
    };
}

each!(each_byte, bytes_of_both, saturating_bytes, u8, bytes, from_bytes);
each!(each_halfword, halfwords_of_both, saturating_halfwords, u16, halfwords, from_halfwords);
each!(each_word, words_of_both, saturating_words, u32, words, from_words);

/// The bytes, leftmost first.
#[inline(always)]
pub fn bytes(a: u128) -> [u8; 16] {
    Quadword::from_bits(a).bytes()
}

/// The halfwords, leftmost first.
#[inline(always)]
pub fn halfwords(a: u128) -> [u16; 8] {
    Quadword::from_bits(a).halfwords()
}

/// The words, leftmost first.
#[inline(always)]
pub fn words(a: u128) -> [u32; 4] {
    Quadword::from_bits(a).words()
}

/// From bytes.
#[inline(always)]
pub fn from_bytes(bytes: [u8; 16]) -> u128 {
    Quadword::from_bytes(bytes).bits()
}

/// From halfwords.
#[inline(always)]
pub fn from_halfwords(halfwords: [u16; 8]) -> u128 {
    Quadword::from_halfwords(halfwords).bits()
}

/// From words.
#[inline(always)]
pub fn from_words(words: [u32; 4]) -> u128 {
    Quadword::from_words(words).bits()
}
