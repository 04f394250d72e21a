//! The registers of one hardware thread.
//!
//! The PPE is a 64-bit processor. A 64-bit process runs on it in 64-bit mode, in which addresses, conditions, carries
//! and the count have 64 bits. A 32-bit process runs in 32-bit mode. Registers still have 64 bits; addresses,
//! conditions, carries and the count use the right 32 bits. A 32-bit program may use whole registers (`ld`, `mulld`,
//! `rldicl`). Without such instructions, the left halves have no effect on the program. An operating system for 32-bit
//! processes uses [`Cpu::word`] and [`Cpu::set_word`].

use crate::float::Fpscr;
use crate::memory::Memory;
use crate::recent_stores::RecentStores;
use spu::Quadword;

/// The summary overflow bit of the XER.
pub const XER_SO: u32 = 1 << 31;
/// The overflow bit of the XER.
pub const XER_OV: u32 = 1 << 30;
/// The carry bit of the XER.
pub const XER_CA: u32 = 1 << 29;
/// The implemented bits of the XER: SO, OV, CA, and the byte count for `lswx` and `stswx`.
pub const XER_BITS: u32 = XER_SO | XER_OV | XER_CA | 0x7f;

/// The registers that a user program can access, including the program counter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cpu {
    /// General registers of 64 bits. A 32-bit program uses the right halves.
    pub gpr: [u64; 32],
    /// Floating-point registers, each as the bits of a double.
    pub fpr: [u64; 32],
    /// Vector registers, whose most significant byte is byte 0.
    pub vr: [Quadword; 32],
    /// Condition register, whose most significant bit is bit 0 in the architecture.
    pub cr: u32,
    /// Link register. The left half is 0 in 32-bit mode.
    pub lr: u64,
    /// Count register. The left half is 0 in 32-bit mode.
    pub ctr: u64,
    /// Fixed-point exception register.
    pub xer: u32,
    /// Floating-point status and control register.
    pub fpscr: Fpscr,
    /// Vector status and control register.
    pub vscr: u32,
    /// VRSAVE: the program's mask of vector registers in use.
    pub vrsave: u32,
    /// The address of the next instruction. The left half is 0 in 32-bit mode.
    pub pc: u64,
    /// The number of the pipeline state in [`crate::pipeline::Pipelines`]; 0 if the pipelines are idle.
    pub pipelines: u32,
    /// Cycles left in the turn. The number becomes negative if the last instruction takes more cycles than are left.
    pub left: i64,
    /// [`Cpu::cycles`] at which the turn ends.
    pub end: u64,
    /// The latest stores, until they have left for the L2.
    pub stores: RecentStores,
}

impl Cpu {
    /// Cycles in which the program has run, with those of services from outside the core.
    #[inline(always)]
    pub fn cycles(&self) -> u64 {
        self.end.wrapping_sub(self.left as u64)
    }

    /// The right half of general register `n`, which a 32-bit program uses.
    #[inline(always)]
    pub fn word(&self, n: u8) -> u32 {
        self.gpr[usize::from(n & 31)] as u32
    }

    /// Writes a word into general register `n`, with zeros in the left half.
    #[inline(always)]
    pub fn set_word(&mut self, n: u8, value: u32) {
        self.gpr[usize::from(n & 31)] = u64::from(value);
    }

    /// The whole of general register `n`.
    #[inline(always)]
    pub fn doubleword(&self, n: u8) -> u64 {
        self.gpr[usize::from(n & 31)]
    }

    /// Writes 64 bits into general register `n`.
    #[inline(always)]
    pub fn set_doubleword(&mut self, n: u8, value: u64) {
        self.gpr[usize::from(n & 31)] = value;
    }

    /// General register `n` as the base of an address; 0 if `n` is 0.
    #[inline(always)]
    pub fn base(&self, n: u8) -> u64 {
        if n == 0 { 0 } else { self.doubleword(n) }
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

    /// Sets condition field 0 from the sign of a result, or of its right half in 32-bit mode, and copies the summary
    /// overflow bit into the field.
    #[inline(always)]
    pub fn record<M: Memory>(&mut self, result: u64) {
        self.compare(0, if M::WIDE { (result as i64).cmp(&0) } else { (result as i32).cmp(&0) });
    }

    /// The address whose right half is `low`, near the current instruction.
    #[inline(always)]
    pub fn near<M: Memory>(&self, low: u32) -> u64 {
        if M::WIDE { self.pc & !u64::from(u32::MAX) | u64::from(low) } else { low.into() }
    }

    /// Sets a condition field from the comparison of two values, and copies the summary overflow bit into the field.
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

    /// Sets or clears the overflow bit. Setting the overflow bit also sets the summary overflow bit.
    #[inline(always)]
    pub fn set_overflow(&mut self, overflow: bool) {
        self.xer = if overflow { self.xer | XER_SO | XER_OV } else { self.xer & !XER_OV };
    }
}
