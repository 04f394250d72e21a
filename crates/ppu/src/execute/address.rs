//! How loads and stores form their addresses, of 32 bits.

use crate::instruction::Instruction;
use crate::registers::Cpu;

/// A form of loads and stores.
pub trait Address {
    /// The effective address.
    fn ea(i: &Instruction, cpu: &Cpu) -> u32;

    /// Puts the address into RA, if the form does.
    fn update(i: &Instruction, cpu: &mut Cpu, ea: u32);
}

/// RA, or 0 if it is register 0, and a displacement.
pub struct D;
/// RA and a displacement; RA gets the sum.
pub struct DUpdate;
/// RA, or 0 if it is register 0, and RB.
pub struct X;
/// RA and RB; RA gets the sum.
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
