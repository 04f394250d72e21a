//! Cache and synchronisation instructions.
//!
//! Each access takes effect in storage at once, so most cache and synchronisation instructions do nothing.
//!
//! MODEL: `dcbt`, `dcbtst`, `dcbst` and `dcbf` have no effect. On silicon, these instructions prefetch, write back or
//! flush a cache line. `lwsync`, `eieio` and `isync` only take the time of their class.

use super::address::{Address, X};
use super::{Done, End};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Data Cache Block set to Zero.
pub fn dcbz<M: Memory>(i: &Instruction, cpu: &mut Cpu, memory: &mut M) -> Done {
    memory.zero_line(X::ea(i, cpu))?;
    Ok(())
}

/// Instruction Cache Block Invalidate.
pub fn icbi<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    Err(End::Invalidate { ea: X::ea(i, cpu) })
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
