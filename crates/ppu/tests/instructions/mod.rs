//! Tests behaviour that qemu's user mode cannot show. Also tests turns, instruction issue, decoding and disassembly.

mod accesses;
mod any_words;
mod listing;
mod mode;
mod operands;
mod pipeline;
mod pipeline_rules;
mod storage;
mod turns;

use crate::common::Flat;
use ppu::{Code, Costs, Cpu, Exit};

/// Address of the code in these tests, and the size of storage in bytes.
const CODE: u32 = 0x1000;
const BYTES: usize = 0x2000;

/// Executes `words` with the registers that `prepare` sets, until `sc` or another exit.
fn run(words: &[u32], prepare: impl FnOnce(&mut Cpu, &mut Flat)) -> (Cpu, Flat, Exit) {
    let mut memory = Flat::new(CODE, BYTES);
    memory.put_code(CODE, words);
    let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
    prepare(&mut cpu, &mut memory);
    let (_, exit) = cpu.run(&mut memory, &mut Code::new(Costs::one_each()), 1000);
    (cpu, memory, exit)
}

/// The word of `sc`.
const SC: u32 = 0x4400_0002;
