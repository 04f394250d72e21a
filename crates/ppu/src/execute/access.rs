//! Loads and stores in two ways: at once, or slowly.
//!
//! The slow way is a function of its own, to which the fast way only jumps. Therefore, the fast way has no call around
//! which it would have to save registers.

use super::{Done, End};
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
    let at_once = if cpu.stores.is_hit::<N>(ea) { None } else { memory.load_at_once(ea) };
    match at_once {
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
    match cpu.stores.wait::<N>(ea, cpu.cycles()) {
        0 => Ok(()),
        cycles => Err(End::Late { cycles: u8::try_from(cycles).unwrap_or(u8::MAX) }),
    }
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
    cpu.stores.add::<N>(ea, cpu.cycles());
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
    cpu.stores.add::<N>(ea, cpu.cycles());
    finish(i, cpu, ea);
    Ok(())
}
