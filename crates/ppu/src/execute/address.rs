//! The 32-bit effective addresses of loads and stores.

use crate::instruction::Instruction;
use crate::registers::Cpu;

/// An addressing mode of loads and stores.
pub trait Address {
    /// The effective address.
    fn ea(i: &Instruction, cpu: &Cpu) -> u32;

    /// Writes the address into RA if the instruction is an update form.
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u32);
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
    fn ea(i: &Instruction, cpu: &Cpu) -> u32 {
        cpu.base(i.ra).wrapping_add(i.immediate)
    }

    #[inline(always)]
    fn update(_: &Instruction, _: &mut Cpu, _: u32) {}
}

impl Address for DUpdate {
    #[inline(always)]
    fn ea(i: &Instruction, cpu: &Cpu) -> u32 {
        cpu.word(i.ra).wrapping_add(i.immediate)
    }

    #[inline(always)]
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u32) {
        cpu.set_word(i.ra, ea);
    }
}

impl Address for X {
    #[inline(always)]
    fn ea(i: &Instruction, cpu: &Cpu) -> u32 {
        cpu.base(i.ra).wrapping_add(cpu.word(i.rb))
    }

    #[inline(always)]
    fn update(_: &Instruction, _: &mut Cpu, _: u32) {}
}

impl Address for XUpdate {
    #[inline(always)]
    fn ea(i: &Instruction, cpu: &Cpu) -> u32 {
        cpu.word(i.ra).wrapping_add(cpu.word(i.rb))
    }

    #[inline(always)]
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u32) {
        cpu.set_word(i.ra, ea);
    }
}
