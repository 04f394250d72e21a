//! The effective addresses of loads and stores, of 32 or 64 bits.

use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// An addressing mode of loads and stores.
pub trait Address {
    /// The effective address.
    fn ea<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64;

    /// Writes the address into RA if the instruction is an update form.
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u64);
}

/// The sum of two terms, as an address of the current mode.
#[inline(always)]
pub fn sum<M: Memory>(a: u64, b: u64) -> u64 {
    if M::WIDE { a.wrapping_add(b) } else { u64::from((a as u32).wrapping_add(b as u32)) }
}

/// A displacement plus RA. Register 0 as RA means the value 0.
pub struct D;
/// A displacement plus RA. The sum is written into RA.
pub struct DUpdate;
/// RB plus RA. Register 0 as RA means the value 0.
pub struct X;
/// RB plus RA. The sum is written into RA.
pub struct XUpdate;

impl Address for D {
    #[inline(always)]
    fn ea<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64 {
        sum::<M>(cpu.base(i.ra), i.displacement())
    }

    #[inline(always)]
    fn update(_: &Instruction, _: &mut Cpu, _: u64) {}
}

impl Address for DUpdate {
    #[inline(always)]
    fn ea<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64 {
        sum::<M>(cpu.doubleword(i.ra), i.displacement())
    }

    #[inline(always)]
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u64) {
        cpu.set_doubleword(i.ra, ea);
    }
}

impl Address for X {
    #[inline(always)]
    fn ea<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64 {
        sum::<M>(cpu.base(i.ra), cpu.doubleword(i.rb))
    }

    #[inline(always)]
    fn update(_: &Instruction, _: &mut Cpu, _: u64) {}
}

impl Address for XUpdate {
    #[inline(always)]
    fn ea<M: Memory>(i: &Instruction, cpu: &Cpu) -> u64 {
        sum::<M>(cpu.doubleword(i.ra), cpu.doubleword(i.rb))
    }

    #[inline(always)]
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u64) {
        cpu.set_doubleword(i.ra, ea);
    }
}
