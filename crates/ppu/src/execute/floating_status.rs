//! Moves to and from the floating-point status and control register.

use super::Done;
use super::floating::{record, register, set};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Move From FPSCR.
///
/// The architecture leaves the left half of the register undefined. Here it is as consoles print it (ps3autotests,
/// ppu_fpu).
pub fn mffs<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let value = 0xfff8_0000 << 32 | u64::from(cpu.fpscr.read());
    set(cpu, i.rt, value);
    record::<RC>(cpu)
}

/// Move To FPSCR Fields: writes the fields that the mask selects.
pub fn mtfsf<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let value = register(cpu, i.rb) as u32;
    cpu.fpscr.write(value, i.immediate);
    record::<RC>(cpu)
}

/// Move To FPSCR Field Immediate.
pub fn mtfsfi<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let shift = 28 - 4 * u32::from(i.rt >> 2 & 7);
    cpu.fpscr.write(i.immediate << shift, 0xf << shift);
    record::<RC>(cpu)
}

/// Move To FPSCR Bit 0.
pub fn mtfsb0<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.fpscr.write_bit(i.rt, false);
    record::<RC>(cpu)
}

/// Move To FPSCR Bit 1.
pub fn mtfsb1<M: Memory, const RC: bool>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.fpscr.write_bit(i.rt, true);
    record::<RC>(cpu)
}

/// Move to Condition Register from FPSCR.
pub fn mcrfs<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    let field = cpu.fpscr.take_field(i.ra >> 2);
    cpu.set_cr_field(i.rt >> 2, field);
    Ok(())
}
