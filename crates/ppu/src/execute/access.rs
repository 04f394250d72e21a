//! Loads and stores in two ways: at once, or slowly.
//!
//! The slow way is a function of its own, to which the fast way only jumps. Therefore, the fast way has no call around
//! which it would have to save registers.

use super::Done;
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;

/// Loads bytes from `ea`, and passes them to `finish`.
#[inline(always)]
pub fn load<M: Memory, const N: usize>(
    i: &Instruction,
    cpu: &mut Cpu,
    memory: &mut M,
    ea: u64,
    finish: impl FnOnce(&Instruction, &mut Cpu, u64, [u8; N]),
) -> Done {
    match memory.load_at_once(ea) {
        Some(bytes) => finish(i, cpu, ea, bytes),
        None => return load_slowly(i, cpu, memory, ea, finish),
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn load_slowly<M: Memory, const N: usize>(
    i: &Instruction,
    cpu: &mut Cpu,
    memory: &mut M,
    ea: u64,
    finish: impl FnOnce(&Instruction, &mut Cpu, u64, [u8; N]),
) -> Done {
    let bytes = memory.load(ea)?;
    finish(i, cpu, ea, bytes);
    Ok(())
}

/// Stores the bytes that `bytes` returns to `ea`, and calls `finish`.
#[inline(always)]
pub fn store<M: Memory, const N: usize>(
    i: &Instruction,
    cpu: &mut Cpu,
    memory: &mut M,
    ea: u64,
    bytes: impl Fn(&Instruction, &Cpu) -> [u8; N],
    finish: impl FnOnce(&Instruction, &mut Cpu, u64),
) -> Done {
    if !memory.store_at_once(ea, bytes(i, cpu)) {
        return store_slowly(i, cpu, memory, ea, bytes, finish);
    }
    finish(i, cpu, ea);
    Ok(())
}

#[cold]
#[inline(never)]
fn store_slowly<M: Memory, const N: usize>(
    i: &Instruction,
    cpu: &mut Cpu,
    memory: &mut M,
    ea: u64,
    bytes: impl Fn(&Instruction, &Cpu) -> [u8; N],
    finish: impl FnOnce(&Instruction, &mut Cpu, u64),
) -> Done {
    memory.store(ea, bytes(i, cpu))?;
    finish(i, cpu, ea);
    Ok(())
}
