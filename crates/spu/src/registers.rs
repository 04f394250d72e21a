//! The register file: 128 registers of 128 bits.
//!
//! A register is kept as one number whose most significant bit is the architecture's bit 0, so
//! element 0 of any width, the preferred one, is leftmost.  (Host order below it makes no difference
//! to any element, and lets the compiler use vectors of the host.)

/// A register's 128 bits; bit 0 of the architecture is the most significant.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Quadword(pub u128);

impl Quadword {
    /// From 16 bytes, leftmost first, as they lie in local store.
    pub fn from_bytes(bytes: [u8; 16]) -> Quadword {
        Quadword(u128::from_be_bytes(bytes))
    }

    /// The 16 bytes, leftmost first.
    pub fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// From eight halfwords, leftmost first.
    pub fn from_halfwords(halfwords: [u16; 8]) -> Quadword {
        Quadword(halfwords.iter().fold(0, |bits, halfword| bits << 16 | u128::from(*halfword)))
    }

    /// The eight halfwords, leftmost first.
    pub fn halfwords(self) -> [u16; 8] {
        std::array::from_fn(|i| (self.0 >> (112 - 16 * i)) as u16)
    }

    /// From four words, leftmost first.
    pub fn from_words(words: [u32; 4]) -> Quadword {
        Quadword(words.iter().fold(0, |bits, word| bits << 32 | u128::from(*word)))
    }

    /// The four words, leftmost first.
    pub fn words(self) -> [u32; 4] {
        std::array::from_fn(|i| (self.0 >> (96 - 32 * i)) as u32)
    }

    /// From two doublewords, leftmost first.
    pub fn from_doublewords(doublewords: [u64; 2]) -> Quadword {
        Quadword(u128::from(doublewords[0]) << 64 | u128::from(doublewords[1]))
    }

    /// The two doublewords, leftmost first.
    pub fn doublewords(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// The same word four times.
    pub fn splat(word: u32) -> Quadword {
        Quadword::from_words([word; 4])
    }

    /// The word alone in the preferred slot, the rest zero: links, channel answers, gathered bits.
    pub fn scalar(word: u32) -> Quadword {
        Quadword(u128::from(word) << 96)
    }

    /// The word in the preferred slot: addresses, counts, channel values, conditions.
    pub fn preferred(self) -> u32 {
        (self.0 >> 96) as u32
    }
}

/// The 128 registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registers([Quadword; 128]);

impl Default for Registers {
    fn default() -> Registers {
        Registers([Quadword::default(); 128])
    }
}

impl Registers {
    /// Register `number`, modulo 128.
    #[inline]
    pub fn get(&self, number: u8) -> Quadword {
        self.0[usize::from(number & 127)]
    }

    /// Changes register `number`, modulo 128.
    #[inline]
    pub fn set(&mut self, number: u8, value: Quadword) {
        self.0[usize::from(number & 127)] = value;
    }
}
