//! Tests that the accesses of instructions are known before the instructions are executed.

use crate::common::Flat;
use ppu::accesses::{Accessed, accessed};
use ppu::{Code, Costs};
use ppu::{Cpu, Memory, Stop, decode};

/// Storage that notes the bytes that are accessed.
struct Noted {
    flat: Flat,
    first: u64,
    end: u64,
    store: bool,
}

impl Noted {
    fn note(&mut self, ea: u64, bytes: usize, store: bool) {
        (self.first, self.end) = (self.first.min(ea), self.end.max(ea + bytes as u64));
        self.store = store;
    }
}

impl Memory for Noted {
    fn load<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        self.note(ea, N, false);
        self.flat.load(ea)
    }

    fn store<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<(), Stop> {
        self.note(ea, N, true);
        self.flat.store(ea, bytes)
    }

    fn fetch(&mut self, ea: u64) -> Result<u32, Stop> {
        self.flat.fetch(ea)
    }

    fn reserve<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        self.note(ea, N, false);
        self.flat.reserve(ea)
    }

    fn store_conditional<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<bool, Stop> {
        self.note(ea, N, true);
        self.flat.store_conditional(ea, bytes)
    }

    fn zero_line(&mut self, ea: u64) -> Result<(), Stop> {
        self.note(ea & !127, 128, true);
        self.flat.zero_line(ea)
    }

    fn time_base(&mut self, cycles: u64) -> u64 {
        cycles
    }
}

/// Executes a word, and returns the bytes that it has accessed.
fn executed(word: u32, cpu: &Cpu) -> Option<Accessed> {
    let mut memory = Noted { flat: Flat::new(0, 0x3000), first: u64::MAX, end: 0, store: false };
    memory.flat.put_code(0x1000, &[word]);
    memory.flat.reserved = Some(0x2000);
    cpu.clone().step(&mut memory, &mut Code::new(Costs::one_each()));
    let bytes = memory.end.checked_sub(memory.first)? as u32;
    Some(Accessed { ea: memory.first, bytes, store: memory.store })
}

#[test]
fn accesses_are_known_before_the_instruction() {
    let mut cpu = Cpu { pc: 0x1000, xer: 5, ..Cpu::default() };
    (cpu.gpr[4], cpu.gpr[5]) = (0x2000, 0x18);
    let mut found = 0;
    // With RT 20, RA 4 and RB 5: all primary opcodes, and all extended opcodes of the loads and stores.
    let operands = 20 << 21 | 4 << 16;
    let primary = (0..64).map(|opcode| opcode << 26 | operands | 0x18);
    let extended = (0..1024).flat_map(|code| [0, 1].map(|record| 31 << 26 | operands | 5 << 11 | code << 1 | record));
    for word in primary.chain(extended) {
        let before = accessed(&decode(word, 0x1000), &cpu, false);
        let is_part = word >> 26 == 31 && matches!(word >> 1 & 0x3ff, 519 | 775 | 551 | 807);
        match (before, executed(word, &cpu)) {
            // The simulator loads the whole quadword for instructions that use a part of it.
            (Some(part), Some(whole)) if is_part => {
                assert!(part.ea >= whole.ea && part.ea + u64::from(part.bytes) <= whole.ea + 16, "{word:#x}");
            }
            (before, after) => assert_eq!(before, after, "{word:#x}"),
        }
        found += u32::from(before.is_some());
    }
    assert!(found >= 88, "{found}");
}
