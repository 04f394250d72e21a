//! Functions applied to every element of registers.
//!
//! Loops, not iterators, so that a compiler makes vector instructions of them.

pub use spu::Quadword;

/// Elements in the order of a little-endian host, rightmost first, which a compiler need not turn about; and functions
/// of them.
macro_rules! each {
    ($right:ident, $from_right:ident, $each:ident, $each2:ident, $element:ty, $count:literal) => {
        #[doc = concat!("Each `", stringify!($element), "`, rightmost first.")]
        #[inline(always)]
        pub fn $right(a: u128) -> [$element; $count] {
            const BYTES: usize = 16 / $count;
            let bytes = a.to_le_bytes();
            let mut elements = [0; $count];
            for (k, element) in elements.iter_mut().enumerate() {
                let mut one = [0; BYTES];
                one.copy_from_slice(&bytes[BYTES * k..BYTES * k + BYTES]);
                *element = <$element>::from_le_bytes(one);
            }
            elements
        }

        #[doc = concat!("From each `", stringify!($element), "`, rightmost first.")]
        #[inline(always)]
        pub fn $from_right(elements: [$element; $count]) -> u128 {
            const BYTES: usize = 16 / $count;
            let mut bytes = [0; 16];
            for (k, element) in elements.iter().enumerate() {
                bytes[BYTES * k..BYTES * k + BYTES].copy_from_slice(&element.to_le_bytes());
            }
            u128::from_le_bytes(bytes)
        }

        #[doc = concat!("`f` of each `", stringify!($element), "`.")]
        #[inline(always)]
        pub fn $each(a: u128, f: impl Fn($element) -> $element) -> u128 {
            let mut elements = $right(a);
            for element in &mut elements {
                *element = f(*element);
            }
            $from_right(elements)
        }

        #[doc = concat!("`f` of each `", stringify!($element), "` of both.")]
        #[inline(always)]
        pub fn $each2(a: u128, b: u128, f: impl Fn($element, $element) -> $element) -> u128 {
            let (mut elements, b) = ($right(a), $right(b));
            for (element, b) in elements.iter_mut().zip(b) {
                *element = f(*element, b);
            }
            $from_right(elements)
        }
    };
}

each!(bytes_from_right, from_bytes_from_right, each_byte, bytes_of_both, u8, 16);
each!(halfwords_from_right, from_halfwords_from_right, each_halfword, halfwords_of_both, u16, 8);
each!(words_from_right, from_words_from_right, each_word, words_of_both, u32, 4);

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
