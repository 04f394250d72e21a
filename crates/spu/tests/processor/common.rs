//! Shared by the tests: a machine, an assembler for small programs, and functions that run such programs.
#![allow(dead_code)]

use cell::machine::Machine;
use cell::store::LocalStore;
use spu::core::{Exit, Spu};
use spu::profile::{Probe, Profile};
use spu::{Format, Opcode};

/// The machine to which all expected values in these tests apply.
pub fn machine() -> Machine {
    Machine::builtin("ps3").expect("a machine that is shipped")
}

/// Encodes an instruction as a word. The operands are in assembler order. Displacements and addresses are in bytes.
/// Relative addresses, including the address of a hinted branch, are offsets from the instruction.
pub fn word(opcode: Opcode, operands: &[i32]) -> u32 {
    let definition = opcode.definition();
    let format = definition.format;
    let letters = definition.operands.bytes().filter(u8::is_ascii_lowercase);
    let bits = letters
        .zip(operands)
        .fold(u32::from(definition.bits) << 21, |bits, (letter, value)| bits | field(format, letter, *value));
    debug_assert_eq!(definition.operands.bytes().filter(u8::is_ascii_lowercase).count(), operands.len());
    bits
}

fn field(format: Format, letter: u8, value: i32) -> u32 {
    let low = |bits: u32, shift: u32| (value as u32 & ((1 << bits) - 1)) << shift;
    let words = value as u32 >> 2;
    match (letter, format) {
        (b't', Format::Rrr) => low(7, 21),
        (b't', _) | (b'c', _) => low(7, 0),
        (b'a' | b'h' | b's', _) => low(7, 7),
        (b'b', _) => low(7, 14),
        (b'd', _) => ((value as u32 >> 4) & 0x3ff) << 14,
        (b'r' | b'x', _) => (words & 0xffff) << 7,
        (b'o', Format::Lbt) => (words & 0x7f) | (words >> 7 & 3) << 23,
        (b'o', _) => (words & 0x7f) | (words >> 7 & 3) << 14,
        (_, Format::Ri7) => low(7, 14),
        (_, Format::Ri8) => low(8, 14),
        (_, Format::Ri10) => low(10, 14),
        (_, Format::Ri16) => low(16, 7),
        (_, Format::Ri18) => low(18, 7),
        _ => unreachable!("the table has no such operand"),
    }
}

/// The instruction word of `stop 1`.
pub const STOP: u32 = 1;

/// A local store that contains code at an address.
pub fn store_with(machine: &Machine, address: u32, code: &[u32]) -> LocalStore {
    let bytes = u64::from(machine.mfc.local_store_bytes);
    let mut store = LocalStore::new(bytes, bytes);
    put(&mut store, address, code);
    store
}

/// Writes code into a local store.
pub fn put(store: &mut LocalStore, address: u32, code: &[u32]) {
    for (at, word) in (address..).step_by(4).zip(code) {
        store.write_u32(at.into(), *word);
    }
}

/// Runs in turns of `budget` cycles until a turn ends for a reason other than time or interrupts. Returns the total
/// number of cycles and that reason.
pub fn run_in_turns<P: Probe>(spu: &mut Spu, store: &mut LocalStore, budget: u64, probe: &mut P) -> (u64, Exit) {
    let mut sum = 0;
    loop {
        let (spu_cycles, exit) = spu.run(store, budget, probe);
        sum += spu_cycles;
        if !matches!(exit, Exit::Budget | Exit::Enabled) {
            return (sum, exit);
        }
    }
}

/// The number of cycles that a program takes from its entry at address 0 to the end of `stop`, and the program's
/// profile.
pub fn profiled(code: &[u32]) -> (u64, Profile) {
    profiled_beside_dma(code, None)
}

/// The number of cycles that a program takes, and its profile, if DMA occupies the local-store port in cycle `line_at`.
pub fn profiled_beside_dma(code: &[u32], line_at: Option<u64>) -> (u64, Profile) {
    let machine = machine();
    let mut store = store_with(&machine, 0, code);
    let mut profile = Profile::new(machine.mfc.local_store_bytes);
    let mut spu = Spu::new(&machine, 0);
    line_at.into_iter().for_each(|at| spu.line_at(at));
    let (spu_cycles, exit) = run_in_turns(&mut spu, &mut store, u64::MAX, &mut profile);
    assert_eq!(exit, Exit::Stop { code: 1 });
    (spu_cycles, profile)
}
