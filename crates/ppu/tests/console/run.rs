//! Executes single instructions.

use crate::common::FlatOf;
use ppu::{Code, Costs, Cpu, Exit};

const CODE: u32 = 0x1000;
/// The address of the word that [`STORE`] writes.
const WORD: u64 = CODE as u64 + 16;
const SC: u32 = 0x4400_0002;
/// `stfs f3,0(r1)`
const STORE: u32 = 0xd061_0000;

/// An instruction in storage, decoded once.
pub struct Program {
    memory: FlatOf<true>,
    code: Code,
}

impl Program {
    /// An instruction. A store of f3 as a single follows it if `is_single` is set.
    pub fn new(word: u32, is_single: bool) -> Program {
        let mut memory = FlatOf::new(CODE, 32);
        memory.put_code(CODE, &if is_single { [word, STORE, SC] } else { [word, SC, SC] });
        Program { memory, code: Code::new(Costs::one_each()) }
    }

    /// Executes the instruction with the registers that `prepare` sets. Returns the registers, and the stored single.
    pub fn run(&mut self, prepare: impl FnOnce(&mut Cpu)) -> (Cpu, u32) {
        let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
        cpu.gpr[1] = WORD;
        prepare(&mut cpu);
        let (_, exit) = cpu.run(&mut self.memory, &mut self.code, 1000);
        assert_eq!(exit, Exit::SystemCall);
        let single = self.memory.bytes[16..].first_chunk().expect("a word");
        (cpu, u32::from_be_bytes(*single))
    }
}

/// The registers after an instruction.
pub fn run(word: u32, prepare: impl FnOnce(&mut Cpu)) -> Cpu {
    Program::new(word, false).run(prepare).0
}
