//! The register file: 128 registers of 128 bits.
//!
//! ```text
//! byte        0    1    2    3   4 … 7    8 … 11   12 … 15
//!           ┌───────────────────┬────────┬────────┬────────┐
//!           │ word 0            │ word 1 │ word 2 │ word 3 │
//!           └───────────────────┴────────┴────────┴────────┘
//!                           └──┘   preferred slot of a byte: byte 3
//!                      └───────┘   preferred slot of a halfword: bytes 2 and 3
//!            └─────────────────┘   preferred slot of a word or an address: bytes 0 to 3
//!            └──────────────────────────┘   preferred slot of a doubleword: bytes 0 to 7
//! ```
//!
//! The architecture numbers the bits, bytes and words of a register from the left. In this module's arrays, too,
//! element 0 is the leftmost one. The bytes themselves are stored in reverse, in the byte order of a little-endian
//! host. A 128-bit number and every element then have the host's own byte order, and a plain loop over all elements
//! compiles to one vector instruction.

use std::fmt;

/// A register's 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(16))]
pub struct Quadword([u8; 16]);

/// Conversions between a register and elements of one width.
macro_rules! elements {
    ($element:ty, $count:literal, $get:ident, $from:ident, $what:literal) => {
        #[doc = concat!("The ", $what, ", leftmost first.")]
        #[inline(always)]
        pub fn $get(self) -> [$element; $count] {
            const WIDTH: usize = 16 / $count;
            let mut elements = [0; $count];
            for (i, element) in elements.iter_mut().enumerate() {
                let at = ($count - 1 - i) * WIDTH;
                let mut bytes = [0; WIDTH];
                bytes.copy_from_slice(&self.0[at..at + WIDTH]);
                *element = <$element>::from_le_bytes(bytes);
            }
            elements
        }

        #[doc = concat!("From ", $what, ", leftmost first.")]
        #[inline(always)]
        pub fn $from(elements: [$element; $count]) -> Quadword {
            const WIDTH: usize = 16 / $count;
            let mut bytes = [0; 16];
            for (i, element) in elements.iter().enumerate() {
                let at = ($count - 1 - i) * WIDTH;
                bytes[at..at + WIDTH].copy_from_slice(&element.to_le_bytes());
            }
            Quadword(bytes)
        }
    };
}

impl Quadword {
    elements!(u8, 16, bytes, from_bytes, "16 bytes");
    elements!(u16, 8, halfwords, from_halfwords, "eight halfwords");
    elements!(u32, 4, words, from_words, "four words");
    elements!(u64, 2, doublewords, from_doublewords, "two doublewords");

    /// The register as one 128-bit number. The architecture's bit 0 is the most significant bit of the number.
    #[inline(always)]
    pub fn bits(self) -> u128 {
        u128::from_le_bytes(self.0)
    }

    /// A register from one 128-bit number.
    #[inline(always)]
    pub fn from_bits(bits: u128) -> Quadword {
        Quadword(bits.to_le_bytes())
    }

    /// A register with the same word in all four word slots.
    #[inline(always)]
    pub fn splat(word: u32) -> Quadword {
        Quadword::from_words([word; 4])
    }

    /// A register with a word in the preferred slot and zeros elsewhere. The word is a return address, a channel's
    /// value, or gathered bits.
    #[inline(always)]
    pub fn scalar(word: u32) -> Quadword {
        Quadword::from_words([word, 0, 0, 0])
    }

    /// The word in the preferred slot: an address, a count, a value for a channel, or a condition.
    #[inline(always)]
    pub fn preferred(self) -> u32 {
        self.words()[0]
    }
}

impl fmt::Debug for Quadword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.words();
        write!(f, "{a:08x} {b:08x} {c:08x} {d:08x}")
    }
}

/// The 128 registers.
///
/// The array has 256 elements, and its upper half is unused. Every `u8` is therefore a valid index, and an access by
/// register number needs no bounds check.
#[derive(Clone, PartialEq, Eq)]
pub struct Registers([Quadword; 256]);

impl Default for Registers {
    fn default() -> Registers {
        Registers([Quadword::default(); 256])
    }
}

impl Registers {
    /// The value of register `number`, which is below 128.
    #[inline(always)]
    pub fn get(&self, number: u8) -> Quadword {
        self.0[usize::from(number)]
    }

    /// Sets register `number`, which is below 128.
    #[inline(always)]
    pub fn set(&mut self, number: u8, value: Quadword) {
        self.0[usize::from(number)] = value;
    }
}

impl fmt::Debug for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0[..128]).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_counted_from_the_left() {
        let register = Quadword::from_bytes(std::array::from_fn(|i| i as u8));
        assert_eq!(register.bits(), 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);
        assert_eq!(register.halfwords()[1], 0x0203);
        assert_eq!(register.words()[3], 0x0c0d_0e0f);
        assert_eq!(register.doublewords()[0], 0x0001_0203_0405_0607);
        assert_eq!(register.preferred(), 0x0001_0203);
    }

    #[test]
    fn elements_that_are_put_in_come_out() {
        let register = Quadword::from_bits(0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978);
        assert_eq!(Quadword::from_bytes(register.bytes()), register);
        assert_eq!(Quadword::from_halfwords(register.halfwords()), register);
        assert_eq!(Quadword::from_words(register.words()), register);
        assert_eq!(Quadword::from_doublewords(register.doublewords()), register);
    }
}
