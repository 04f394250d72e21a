//! Pseudo-random numbers that are the same in every run, and edge values that instructions treat differently.

/// A pseudo-random number generator.
pub struct Random(u64);

/// Words at edges.
const WORDS: [u64; 16] =
    [0, 1, 2, 31, 32, 33, 63, 64, 127, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// Edge values of doubles: zeros, ones, infinities, quiet and signalling NaNs, denormalised numbers of both precisions,
/// the ends of ranges, and integers that must be rounded.
const DOUBLES: [u64; 32] = [
    0,
    1 << 63,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_1234,
    0x7ff0_0000_0000_0001,
    0xfff4_0000_2000_0000,
    0x0000_0000_0000_0001,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x47ef_ffff_e000_0000,
    0x47ef_ffff_f000_0000,
    0x3810_0000_0000_0000,
    0x380f_ffff_f000_0000,
    0x36a0_0000_0000_0000,
    0x3690_0000_0000_0000,
    0x4000_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x3ff8_0000_0000_0000,
    0xc004_0000_0000_0000,
    0x41df_ffff_ffc0_0000,
    0x41df_ffff_ffe0_0000,
    0xc1e0_0000_0000_0000,
    0xc1e0_0000_0010_0000,
    0x43df_ffff_ffff_ffff,
    0x43e0_0000_0000_0000,
    0xc3e0_0000_0000_0000,
    0x3ff0_0000_1000_0000,
];

/// Edge values of singles, for the elements of vectors.
const SINGLES: [u32; 16] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xff80_0001,
    0x0000_0001,
    0x807f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0x4f00_0000,
    0xcf00_0001,
    0x3f00_0000,
    0x4020_0000,
];

impl Random {
    /// A random number generator whose seed is a name.
    pub fn new(name: &str) -> Random {
        Random(name.bytes().fold(1, |seed: u64, byte| seed.wrapping_mul(257) + u64::from(byte)))
    }

    /// A random number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// One of these values.
    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// A value for a general register: an edge value or its negative, a small number, or an arbitrary value.
    pub fn general(&mut self) -> u64 {
        match self.below(8) {
            0 | 1 => self.one_of(&WORDS),
            2 => self.one_of(&WORDS) << 32 | self.one_of(&WORDS),
            3 => self.one_of(&WORDS).wrapping_neg(),
            4 => self.below(256),
            5 => self.bits() & 0xffff_ffff,
            _ => self.bits(),
        }
    }

    /// A double: an edge value, a number of moderate size, a single, the bits of an integer, or arbitrary bits.
    pub fn double(&mut self) -> u64 {
        let usual = (1023 - 40 + self.below(80)) << 52 | self.bits() & 0x800f_ffff_ffff_ffff;
        match self.below(8) {
            0..=2 => self.one_of(&DOUBLES),
            3 | 4 => usual,
            5 => usual & !0x1fff_ffff,
            6 => self.below(1000).wrapping_sub(500),
            _ => self.bits(),
        }
    }

    /// A vector: edge values as elements of any width, or arbitrary bits.
    pub fn vector(&mut self) -> u128 {
        let words = |random: &mut Random, word: fn(&mut Random) -> u32| {
            (0..4).fold(0, |vector, _| vector << 32 | u128::from(word(random)))
        };
        match self.below(6) {
            0 => words(self, |random| random.one_of(&SINGLES)),
            1 => words(self, |random| (127 - 20 + random.below(40) as u32) << 23 | random.bits() as u32 & 0x807f_ffff),
            2 => words(self, |random| random.one_of(&WORDS) as u32),
            3 => (0..16).fold(0, |vector, _| vector << 8 | u128::from(self.one_of(&[0_u8, 1, 0x7f, 0x80, 0xff, 0x1f]))),
            _ => u128::from(self.bits()) << 64 | u128::from(self.bits()),
        }
    }
}
