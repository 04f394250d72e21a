//! The registers of one hardware thread.
//!
//! The PPE is a 64-bit processor, and a 32-bit process runs on it in 32-bit mode: general registers have 64
//! bits, of which addresses, conditions and carries see the right 32.  Programs compiled for this may use the
//! whole (`ld`, `mulld`, `rldicl`); all others never notice the left halves.  [`Cpu::word`] and
//! [`Cpu::set_word`] are what an operating system for 32-bit processes uses.

use crate::float::Fpscr;
use spu::Quadword;

/// The summary overflow bit of the XER.
pub const XER_SO: u32 = 1 << 31;
/// The overflow bit of the XER.
pub const XER_OV: u32 = 1 << 30;
/// The carry bit of the XER.
pub const XER_CA: u32 = 1 << 29;
/// The bits of the XER that exist: SO, OV, CA, and the number of bytes of `lswx` and `stswx`.
pub const XER_BITS: u32 = XER_SO | XER_OV | XER_CA | 0x7f;

/// The registers that a user program sees, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cpu {
    /// General registers, of 64 bits: a 32-bit program means the right half.
    pub gpr: [u64; 32],
    /// Floating-point registers: the bits of a double each.
    pub fpr: [u64; 32],
    /// Vector registers; byte 0 is the most significant one.
    pub vr: [Quadword; 32],
    /// Condition register; bit 0 of the architecture is the most significant one.
    pub cr: u32,
    /// Link register.
    pub lr: u32,
    /// Count register.
    pub ctr: u32,
    /// Fixed-point exception register.
    pub xer: u32,
    /// Floating-point status and control register.
    pub fpscr: Fpscr,
    /// Vector status and control register.
    pub vscr: u32,
    /// Which vector registers are in use, by the program's own account.
    pub vrsave: u32,
    /// Address of the instruction that is executed next.
    pub pc: u32,
}

impl Cpu {
    /// General register `n`, as a 32-bit program sees it.
    #[inline(always)]
    pub fn word(&self, n: u8) -> u32 {
        self.gpr[usize::from(n & 31)] as u32
    }

    /// Puts a word into general register `n`, with zeros in its left half.
    #[inline(always)]
    pub fn set_word(&mut self, n: u8, value: u32) {
        self.gpr[usize::from(n & 31)] = u64::from(value);
    }

    /// General register `n`, whole.
    #[inline(always)]
    pub fn doubleword(&self, n: u8) -> u64 {
        self.gpr[usize::from(n & 31)]
    }

    /// Puts 64 bits into general register `n`.
    #[inline(always)]
    pub fn set_doubleword(&mut self, n: u8, value: u64) {
        self.gpr[usize::from(n & 31)] = value;
    }

    /// General register `n` as the base of an address: 0 if `n` is 0.
    #[inline(always)]
    pub fn base(&self, n: u8) -> u32 {
        if n == 0 { 0 } else { self.word(n) }
    }

    /// Field `field` of the condition register.
    #[inline(always)]
    pub fn cr_field(&self, field: u8) -> u32 {
        self.cr >> (28 - 4 * u32::from(field & 7)) & 0xf
    }

    /// Sets field `field` of the condition register to four bits.
    #[inline(always)]
    pub fn set_cr_field(&mut self, field: u8, bits: u32) {
        let shift = 28 - 4 * u32::from(field & 7);
        self.cr = self.cr & !(0xf << shift) | bits << shift;
    }

    /// Bit `bit` of the condition register.
    #[inline(always)]
    pub fn cr_bit(&self, bit: u8) -> bool {
        self.cr << (bit & 31) >> 31 != 0
    }

    /// Sets bit `bit` of the condition register.
    #[inline(always)]
    pub fn set_cr_bit(&mut self, bit: u8, value: bool) {
        let shift = 31 - u32::from(bit & 31);
        self.cr = self.cr & !(1 << shift) | u32::from(value) << shift;
    }

    /// Field 0 of the condition register: the sign of a result's right half, and a copy of the summary overflow.
    #[inline(always)]
    pub fn record(&mut self, result: u64) {
        self.compare(0, (result as i32).cmp(&0));
    }

    /// A field of the condition register: how two values compare, and a copy of the summary overflow.
    #[inline(always)]
    pub fn compare(&mut self, field: u8, order: std::cmp::Ordering) {
        let bits = match order {
            std::cmp::Ordering::Less => 8,
            std::cmp::Ordering::Greater => 4,
            std::cmp::Ordering::Equal => 2,
        };
        self.set_cr_field(field, bits | self.xer >> 31);
    }

    /// The carry bit, 0 or 1.
    #[inline(always)]
    pub fn carry(&self) -> u32 {
        self.xer >> 29 & 1
    }

    /// Sets the carry bit.
    #[inline(always)]
    pub fn set_carry(&mut self, carry: bool) {
        self.xer = self.xer & !XER_CA | u32::from(carry) << 29;
    }

    /// Sets the overflow bit, and the summary overflow bit with it.
    #[inline(always)]
    pub fn set_overflow(&mut self, overflow: bool) {
        self.xer = if overflow { self.xer | XER_SO | XER_OV } else { self.xer & !XER_OV };
    }
}
