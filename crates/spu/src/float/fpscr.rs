//! The floating-point status and control register: 128 bits, read by `fscrrd` and written by `fscrwr`.
//!
//! Flags are sticky: arithmetic sets them, only `fscrwr` clears them, and nothing traps. Only double precision has
//! rounding modes, one for each slice; single precision truncates.
//!
//! ```text
//! word 0  ....................  R0  R1  .....  OUD    R: rounding of double slices 0 and 1
//! word 1  ..................  OUXINd    .....  OUD    O overflow, U underflow, D different from IEEE
//! word 2  ..................  OUXINd    .....  OUD    X inexact, I invalid, N not-a-number, d denormal
//! word 3  ....................  Z0-Z3   .....  OUD    Z: divide by zero, single slices 0 to 3
//! ```
//!
//! The six flags in word 1 belong to double slice 0, and the six in word 2 to double slice 1. The last three bits of
//! word k belong to single slice k.

use std::ops::BitOrAssign;

/// The sticky flags of one single-precision slice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SingleFlags(u8);

impl SingleFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Under IEEE arithmetic, the result could be different (DIFF).
    pub const DIFFERENT: Self = Self(1);
    /// The result was below the smallest normalised number and was replaced by zero (UNF).
    pub const UNDERFLOW: Self = Self(2);
    /// The result was above the greatest number and was replaced by that number (OVF).
    pub const OVERFLOW: Self = Self(4);
    /// The operand of an estimate had a zero exponent (DBZ).
    pub const DIVIDE_BY_ZERO: Self = Self(8);

    /// The union of both sets of flags.
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns these flags if the condition holds, and no flags otherwise.
    #[inline]
    pub const fn when(self, condition: bool) -> Self {
        Self(self.0 * condition as u8)
    }
}

impl BitOrAssign for SingleFlags {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The sticky flags of one double-precision slice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DoubleFlags(u8);

impl DoubleFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// A denormalised operand was treated as zero (DENORM).
    pub const DENORMAL: Self = Self(1);
    /// An operand was a NaN, which is not propagated (NAN).
    pub const NOT_A_NUMBER: Self = Self(2);
    /// The operation was invalid as defined by IEEE (INV).
    pub const INVALID: Self = Self(4);
    /// The result was rounded (INX).
    pub const INEXACT: Self = Self(8);
    /// The result was below the smallest normalised number and not exact (UNF).
    pub const UNDERFLOW: Self = Self(16);
    /// The rounded result was above the greatest finite number (OVF).
    pub const OVERFLOW: Self = Self(32);

    /// The union of both sets of flags.
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all flags of `other` are set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns these flags if the condition holds, and no flags otherwise.
    #[inline]
    pub const fn when(self, condition: bool) -> Self {
        Self(self.0 * condition as u8)
    }
}

impl BitOrAssign for DoubleFlags {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A rounding mode of double precision. The discriminants are the values that encode the modes in the register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Rounding {
    /// Round to the nearest, ties to even.
    #[default]
    NearestEven = 0,
    /// Towards zero.
    TowardZero = 1,
    /// Towards plus infinity.
    Upward = 2,
    /// Towards minus infinity.
    Downward = 3,
}

impl Rounding {
    /// All modes, in the order of their encoding.
    pub const ALL: [Self; 4] = [Self::NearestEven, Self::TowardZero, Self::Upward, Self::Downward];
}

/// One double-precision slice of the register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DoubleSlice {
    /// The slice's rounding mode.
    pub rounding: Rounding,
    /// The slice's sticky flags.
    pub flags: DoubleFlags,
}

/// The whole register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fpscr {
    /// The four single-precision slices, leftmost word first.
    pub single: [SingleFlags; 4],
    /// The two double-precision slices, leftmost doubleword first.
    pub double: [DoubleSlice; 2],
}

/// The mask of the three rightmost bits of a word, which are the single-precision flags.
const SINGLE_FLAGS: u32 = 0b111;
/// The number of bits to the right of the double-precision flags in words 1 and 2.
const DOUBLE_SHIFT: u32 = 8;
/// The bit positions in word 0 of the rounding modes of double slices 0 and 1.
const ROUNDING_SHIFT: [u32; 2] = [10, 8];
/// The bit position in word 3 of the divide-by-zero flag of single slice 0. The flags of slices 1 to 3 follow to the
/// right.
const DIVIDE_BY_ZERO_SHIFT: u32 = 11;

impl Fpscr {
    /// The register's value as `fscrrd` reads it. Unused bits are zero.
    pub fn read(&self) -> u128 {
        let mut words = self.single.map(|flags| u32::from(flags.0) & SINGLE_FLAGS);
        for (k, slice) in self.double.iter().enumerate() {
            words[0] |= (slice.rounding as u32) << ROUNDING_SHIFT[k];
            words[k + 1] |= u32::from(slice.flags.0) << DOUBLE_SHIFT;
        }
        for (k, flags) in self.single.iter().enumerate() {
            words[3] |= u32::from(flags.0 >> 3) << (DIVIDE_BY_ZERO_SHIFT - k as u32);
        }
        words.iter().fold(0, |register, &word| register << 32 | u128::from(word))
    }

    /// The register after `fscrwr` has written this value. Unused bits are ignored.
    pub fn write(register: u128) -> Self {
        let word = |k: usize| (register >> (96 - 32 * k)) as u32;
        let single = |k: usize| {
            let zero_divide = word(3) >> (DIVIDE_BY_ZERO_SHIFT - k as u32) & 1;
            SingleFlags((zero_divide << 3 | word(k) & SINGLE_FLAGS) as u8)
        };
        let double = |k: usize| DoubleSlice {
            rounding: Rounding::ALL[(word(0) >> ROUNDING_SHIFT[k] & 3) as usize],
            flags: DoubleFlags((word(k + 1) >> DOUBLE_SHIFT & 0x3f) as u8),
        };
        Self { single: std::array::from_fn(single), double: std::array::from_fn(double) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each word, the mask of the implemented bits.
    const IMPLEMENTED: u128 = 0x0000_0f07_0000_3f07_0000_3f07_0000_0f07;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        assert_eq!(Fpscr::write(u128::MAX).read(), IMPLEMENTED);
        assert_eq!(Fpscr::write(!IMPLEMENTED), Fpscr::default());
        for bit in 0..128 {
            let one = 1u128 << bit;
            assert_eq!(Fpscr::write(one).read(), one & IMPLEMENTED, "bit {}", 127 - bit);
        }
    }

    #[test]
    fn each_field_is_at_its_documented_bit() {
        let bit = |n: u32| 1u128 << (127 - n);
        let single = |k: usize, flags| {
            let mut fpscr = Fpscr::default();
            fpscr.single[k] = flags;
            fpscr.read()
        };
        assert_eq!(single(0, SingleFlags::OVERFLOW), bit(29));
        assert_eq!(single(1, SingleFlags::UNDERFLOW), bit(62));
        assert_eq!(single(3, SingleFlags::DIFFERENT), bit(127));
        assert_eq!(single(0, SingleFlags::DIVIDE_BY_ZERO), bit(116));
        assert_eq!(single(3, SingleFlags::DIVIDE_BY_ZERO), bit(119));
        let double = |k: usize, rounding, flags| {
            let mut fpscr = Fpscr::default();
            fpscr.double[k] = DoubleSlice { rounding, flags };
            fpscr.read()
        };
        assert_eq!(double(0, Rounding::Upward, DoubleFlags::NONE), bit(20));
        assert_eq!(double(1, Rounding::TowardZero, DoubleFlags::NONE), bit(23));
        assert_eq!(double(0, Rounding::NearestEven, DoubleFlags::OVERFLOW), bit(50));
        assert_eq!(double(0, Rounding::NearestEven, DoubleFlags::INEXACT), bit(52));
        assert_eq!(double(1, Rounding::NearestEven, DoubleFlags::NOT_A_NUMBER), bit(86));
        assert_eq!(double(1, Rounding::NearestEven, DoubleFlags::DENORMAL), bit(87));
    }
}
