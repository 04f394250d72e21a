//! Cache and synchronisation instructions.
//!
//! Each access takes effect in storage at once, so most cache and synchronisation instructions do nothing.
//!
//! MODEL: `dcbst` and `dcbf` have no effect. On silicon, these instructions write back or flush a cache line. `lwsync`, `eieio` and `isync` only take the time of their class.

use super::address::{Address, X};
use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Values of the TH field of `dcbt`.
const DESCRIBE: u8 = 0b01000;
const CONTROL: u8 = 0b01010;

/// Data Cache Block set to Zero.
pub fn dcbz<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    memory.zero_line(X::ea::<M>(i, cpu))?;
    Ok(())
}

/// Data Cache Block Touch. The TH field (bits 6 to 10) selects a line, or describes or controls a stream of lines.
pub fn dcbt<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    let ea = X::ea::<M>(i, cpu);
    match i.rt {
        DESCRIBE => memory.describe_stream(ea)?,
        CONTROL => memory.control_streams(ea)?,
        _ => memory.touch(ea, false)?,
    }
    Ok(())
}

/// Data Cache Block Touch for Store.
pub fn dcbtst<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    memory.touch(X::ea::<M>(i, cpu), true)?;
    Ok(())
}

/// Instruction Cache Block Invalidate.
pub fn icbi<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    Err(End::Invalidate { ea: X::ea::<M>(i, cpu) as u32 })
}

/// Synchronize.
pub fn sync<M: Memory>(_: &Instruction, _: &mut Cpu, memory: &mut M) -> Done {
    memory.sync()?;
    Ok(())
}

/// Executes an instruction that has no effect.
pub fn nothing<M: Memory>(_: &Instruction, _: &mut Cpu, _: &mut M) -> Done {
    Ok(())
}
