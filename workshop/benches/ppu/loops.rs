//! Loops over memory, each of which is a process under Linux: its loads and stores go through the page table, the L1,
//! the store queue and the L2, and what misses goes over the bus.

use crate::common::synthetic::{self, SC, lis, ori};
use cell::machine::Machine;
use cell::placement::Placement;
use files::Reach;
use linux::files::streams::NoStreams;
use linux::simulation::{Options, run};
use std::cell::RefCell;
use std::rc::Rc;

/// A loop that counts down its rounds in register 3. Register 5 is the number of elements of a round.
pub struct Loop {
    pub name: &'static str,
    pub elements: u32,
    /// Rounds of a timed run, and of the shorter run under callgrind.
    pub rounds: u32,
    pub few_rounds: u32,
    words: &'static [u32],
}

/// Adds words.
const SUM: &[u32] = &[
    0x3c80_1010, // lis r4, DATA >> 16
    0x3884_fffc, // addi r4, r4, -4
    0x7ca9_03a6, // mtctr r5
    0x84c4_0004, // lwzu r6, 4(r4)
    0x7ce7_3214, // add r7, r7, r6
    0x4200_fff8, // bdnz
    0x3463_ffff, // addic. r3, r3, -1
    0x4082_ffe4, // bne
];

pub const LOOPS: [Loop; 7] = [
    Loop { name: "loads of words, 16 KB", elements: 4096, rounds: 2000, few_rounds: 20, words: SUM },
    Loop {
        name: "loads and stores of words, 16 KB",
        elements: 4096,
        rounds: 1000,
        few_rounds: 20,
        words: &[
            0x3c80_1010,
            0x3884_fffc,
            0x7ca9_03a6,
            0x80c4_0004, // lwz r6, 4(r4)
            0x38c6_0001, // addi r6, r6, 1
            0x94c4_0004, // stwu r6, 4(r4)
            0x4200_fff4,
            0x3463_ffff,
            0x4082_ffe0,
        ],
    },
    Loop {
        name: "loads and stores of vectors, 16 KB",
        elements: 1024,
        rounds: 4000,
        few_rounds: 80,
        words: &[
            0x3c80_1010,
            0x3900_0000, // li r8, 0
            0x7ca9_03a6,
            0x7c04_40ce, // lvx v0, r4, r8
            0x1000_0080, // vadduwm v0, v0, v0
            0x7c04_41ce, // stvx v0, r4, r8
            0x3908_0010, // addi r8, r8, 16
            0x4200_fff0,
            0x3463_ffff,
            0x4082_ffdc,
        ],
    },
    Loop { name: "loads of words, 256 KB", elements: 1 << 16, rounds: 100, few_rounds: 4, words: SUM },
    Loop { name: "loads of words, 4 MB", elements: 1 << 20, rounds: 6, few_rounds: 1, words: SUM },
    Loop {
        name: "a store to each line of 4 MB",
        elements: 1 << 15,
        rounds: 40,
        few_rounds: 1,
        words: &[
            0x3c80_1010,
            0x3884_ff80,
            0x7ca9_03a6,
            0x94c4_0080, // stwu r6, 128(r4)
            0x4200_fffc,
            0x3463_ffff,
            0x4082_ffe8,
        ],
    },
    Loop {
        name: "sieve of 1 MB: bytes",
        elements: 1 << 20,
        rounds: 3,
        few_rounds: 1,
        words: &[
            0x3c80_1010,
            0x7c86_2378, // mr r6, r4
            0x38e0_0001, // li r7, 1
            0x7ca9_03a6, // mtctr r5
            0x98e6_0000, // stb r7, 0(r6)
            0x38c6_0001, // addi r6, r6, 1
            0x4200_fff8, // bdnz
            0x3900_0002, // li r8, 2
            0x3960_0000, // li r11, 0
            0x7d24_40ae, // lbzx r9, r4, r8
            0x2c09_0000, // cmpwi r9, 0
            0x4182_0018, // beq
            0x7d48_41d6, // mullw r10, r8, r8
            0x7d64_51ae, // stbx r11, r4, r10
            0x7d4a_4214, // add r10, r10, r8
            0x7c0a_2800, // cmpw r10, r5
            0x4180_fff4, // blt
            0x3908_0001, // addi r8, r8, 1
            0x7d48_41d6, // mullw r10, r8, r8
            0x7c0a_2800, // cmpw r10, r5
            0x4180_ffd4, // blt
            0x7c86_2378, // mr r6, r4
            0x7ca9_03a6, // mtctr r5
            0x88e6_0000, // lbz r7, 0(r6)
            0x38c6_0001, // addi r6, r6, 1
            0x7d29_3a14, // add r9, r9, r7
            0x4200_fff4, // bdnz
            0x3463_ffff,
            0x4082_ff90,
        ],
    },
];

/// The size of the executable's segment. Its data are 1 MB behind its code.
const SEGMENT_BYTES: u32 = 0x50_0000;

impl Loop {
    /// Runs the loop under Linux. Returns the instructions of the PPE, and their cycles.
    pub fn run(&self, machine: &Machine, rounds: u32) -> (u64, u64) {
        let directory = tempfile::tempdir().expect("a directory for the executable");
        let program = directory.path().join("loop.elf");
        std::fs::write(&program, self.executable(rounds)).expect("an executable");
        let options = Options {
            machine,
            placement: Placement::default_of(machine),
            limit_bus_cycles: u64::MAX,
            program,
            arguments: vec![b"loop".to_vec()],
            environment: Vec::new(),
            low_addresses: false,
            system_roots: Vec::new(),
            reach: Reach::None,
            directory: directory.path().to_path_buf(),
            window: None,
            profile: false,
        };
        let outcome = run(options, Rc::new(RefCell::new(NoStreams)), || true).expect("a program that ends");
        assert_eq!((outcome.status, outcome.line), (Some(0), None));
        (outcome.ppe.instructions, outcome.ppe.cycles)
    }

    /// A static executable: registers 3 and 5, the loop, and the call of `exit`.
    fn executable(&self, rounds: u32) -> Vec<u8> {
        let load = |register, value: u32| [lis(register, (value >> 16) as u16), ori(register, value as u16)];
        let exit = [load(0, 1), load(3, 0)].concat();
        let code = [&load(3, rounds), &load(5, self.elements), self.words, &exit, &[SC]].concat();
        synthetic::executable(&code, &[], SEGMENT_BYTES)
    }
}
