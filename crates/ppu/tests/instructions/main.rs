//! What instructions do that qemu's user mode cannot show, what turns are, and how words are read and written.

mod any_words;
#[path = "../common/mod.rs"]
mod common;
mod listing;
mod mode;
mod storage;
mod turns;

use common::Flat;
use ppu::{Code, Costs, Cpu, Exit};

/// Where code lies in these tests, and how much storage there is behind it.
const CODE: u32 = 0x1000;
const BYTES: usize = 0x2000;

/// Executes `words` with registers as `prepare` leaves them, up to `sc` or the first other end.
fn run(words: &[u32], prepare: impl FnOnce(&mut Cpu, &mut Flat)) -> (Cpu, Flat, Exit) {
    let mut memory = Flat::new(CODE, BYTES);
    memory.put_code(CODE, words);
    let mut cpu = Cpu { pc: CODE, ..Cpu::default() };
    prepare(&mut cpu, &mut memory);
    let (_, exit) = cpu.run(&mut memory, &mut Code::new(Costs::one_each()), 1000);
    (cpu, memory, exit)
}

/// `sc`.
const SC: u32 = 0x4400_0002;
