//! The number of PPE instructions that the simulator executes in a second, with their costs counted: `make bench`.
//!
//! Each loop runs on one hardware thread over storage without pages, in turns as long as those of a process. It then
//! runs as a process on a machine, through its page table and the PPE's caches, with the machine's costs. Loops over
//! memory run as processes under Linux. The numbers are medians of five, by CPU time. If valgrind is installed,
//! callgrind counts the host's instructions for an instruction of the loops over memory. Nothing here passes or fails.
//! (The target is 200 million instructions a second.)

#[path = "callgrind.rs"]
mod callgrind;
#[path = "../../linux/kernel/tests/common/mod.rs"]
mod common;
#[path = "spu/cpu_time.rs"]
mod cpu_time;
#[path = "../../crates/ppu/tests/common.rs"]
mod flat;
#[path = "ppu/loops.rs"]
mod loops;

use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use common::process::Process;
use cpu_time::{cpu_seconds, median};
use flat::Flat;
use loops::{LOOPS, Loop};
use ppu::{Code, Costs, Cpu, Exit};

/// The limit on the cycles of a turn.
const BUDGET_CYCLES: u64 = 10_000;
const CODE: u32 = 0x1_0000;
const STACK: u32 = 0x18_0000;

/// A program: a loop that counts down its rounds in register 3, with `sc` at its end.
struct Kernel {
    name: &'static str,
    rounds: u64,
    words: &'static [u32],
}

const KERNELS: [Kernel; 5] = [
    Kernel {
        name: "sieve: bytes, short loops",
        rounds: 500,
        words: &[
            0x3c80_0010,
            0x38a0_2000,
            0x7c86_2378,
            0x38e0_0001,
            0x7ca9_03a6,
            0x98e6_0000,
            0x38c6_0001,
            0x4200_fff8,
            0x3900_0002,
            0x7d24_40ae,
            0x2c09_0000,
            0x4182_0024,
            0x7d48_4214,
            0x7c0a_2800,
            0x4080_0018,
            0x3960_0000,
            0x7d64_51ae,
            0x7d4a_4214,
            0x7c0a_2800,
            0x4180_fff4,
            0x3908_0001,
            0x7c08_2800,
            0x4180_ffcc,
            0x3463_ffff,
            0x4082_ffa4,
            0x4400_0002,
        ],
    },
    Kernel {
        name: "CRC-32 bit by bit: half of the branches missed",
        rounds: 800_000,
        words: &[
            0x3c80_0010,
            0x3920_ffff,
            0x3d80_edb8,
            0x618c_8320,
            0x8ca4_0001,
            0x7d29_2a78,
            0x38c0_0008,
            0x7cc9_03a6,
            0x7127_0001,
            0x5529_f87e,
            0x4182_0008,
            0x7d29_6278,
            0x4200_fff0,
            0x3463_ffff,
            0x4082_ffd8,
            0x4400_0002,
        ],
    },
    Kernel {
        name: "hash: words, a call each",
        rounds: 2_000_000,
        words: &[
            0x3c80_0010,
            0x3920_1505,
            0x80a4_0000,
            0x4800_0021,
            0x5524_14ba,
            0x3c84_0010,
            0x9124_0004,
            0x3863_ffff,
            0x2f83_0000,
            0x409e_ffe4,
            0x4400_0002,
            0x9421_fff0,
            0x7c08_02a6,
            0x9001_0014,
            0x5526_283e,
            0x7d26_2a14,
            0x7d29_61d6,
            0x6929_55aa,
            0x8001_0014,
            0x7c08_03a6,
            0x3821_0010,
            0x4e80_0020,
        ],
    },
    Kernel {
        name: "Mandelbrot set: doubles",
        rounds: 100_000,
        words: &[
            0x3c80_0010,
            0x3d20_3fd3,
            0x9124_0000,
            0x3d20_3333,
            0x9124_0004,
            0xc824_0000,
            0x3d20_3fe0,
            0x9124_0000,
            0xc844_0000,
            0x3d20_4010,
            0x9124_0000,
            0x3920_0000,
            0x9124_0004,
            0xc864_0000,
            0x38c0_0064,
            0x7cc9_03a6,
            0xfc80_0890,
            0xfca0_1090,
            0xfcc4_0132,
            0xfce5_0172,
            0xfd06_382a,
            0xfc08_1800,
            0x4181_0018,
            0xfd24_202a,
            0xfca9_117a,
            0xfcc6_3828,
            0xfc86_082a,
            0x4200_ffdc,
            0x3463_ffff,
            0x4082_ffc4,
            0x4400_0002,
        ],
    },
    Kernel {
        name: "sums and products of vectors of singles",
        rounds: 10_000,
        words: &[
            0x3c80_0010,
            0x3ca0_0011,
            0x1063_038c,
            0x1062_1b4a,
            0x1045_038c,
            0x1041_134a,
            0x38c0_03e8,
            0x7cc9_03a6,
            0x38e0_0000,
            0x7c04_38ce,
            0x7c25_38ce,
            0x1020_08ee,
            0x1021_100a,
            0x7c24_39ce,
            0x38e7_0010,
            0x4200_ffe8,
            0x3463_ffff,
            0x4082_ffd4,
            0x4400_0002,
        ],
    },
];

impl Kernel {
    fn cpu(&self) -> Cpu {
        let mut cpu = Cpu { pc: CODE.into(), ..Cpu::default() };
        cpu.set_word(1, STACK);
        cpu.set_doubleword(3, self.rounds);
        cpu
    }

    /// Returns the number of instructions (equal to the cycles, at one cycle each) and the seconds.
    fn run(&self) -> (u64, f64) {
        let mut memory = Flat::new(0, 0x28_0000);
        memory.put_code(CODE, self.words);
        let mut cpu = self.cpu();
        let mut code = Code::new(Costs::one_each());
        let start = cpu_seconds();
        let mut cycles = 0;
        loop {
            let (spent, exit) = cpu.run(&mut memory, &mut code, BUDGET_CYCLES);
            cycles += spent;
            match exit {
                Exit::Budget => {}
                Exit::SystemCall => return (cycles, cpu_seconds() - start),
                other => panic!("{other:?} at {:#x}", cpu.pc),
            }
        }
    }

    /// Runs the program on a machine. Returns the machine's cycles and the seconds.
    fn run_on(&self, machine: &Machine) -> (u64, f64) {
        let mut system = System::new(machine, Placement::default_of(machine));
        let code = Code::new(Costs::new(&machine.ppe_core, &machine.ppe_memory));
        let process = Process::new(self.words, self.cpu(), code, |_| {});
        let outcome = process.outcome();
        system.load_ppe(Box::new(process));
        let start = cpu_seconds();
        system.run(u64::MAX, || true).unwrap_or_else(|error| panic!("{error}"));
        let seconds = cpu_seconds() - start;
        let outcome = outcome.borrow();
        assert_eq!(outcome.exit, Some(Exit::SystemCall), "at {:#x}", outcome.cpu.pc);
        (outcome.times.1 - outcome.times.0, seconds)
    }
}

/// Host instructions of one instruction, from two runs of different length under callgrind.
fn host_instructions(machine: &Machine, nth: usize, of: &Loop) -> String {
    let run = |rounds: u32| {
        let host = callgrind::instructions(&[nth.to_string(), rounds.to_string()])?;
        Some((host, of.run(machine, rounds).0))
    };
    callgrind::each(run(of.few_rounds), run(2 * of.few_rounds))
}

fn main() {
    let machine = Machine::builtin("ps3").expect("a machine that is shipped");
    if let Some(arguments) = callgrind::asked() {
        let [nth, rounds] = [0, 1].map(|nth| arguments[nth].parse::<u32>().expect("a number"));
        LOOPS[nth as usize].run(&machine, rounds);
        return;
    }
    let heading = ["instructions", "million/s", "on a machine", "cycles each"];
    println!("{:<48} {}", "PPE instructions", heading.map(|name| format!("{name:>14}")).join(" "));
    for kernel in KERNELS {
        let (instructions, _) = kernel.run();
        let rate = |seconds: f64| instructions as f64 / seconds / 1e6;
        let plain = rate(median(5, || kernel.run().1));
        let (cycles, _) = kernel.run_on(&machine);
        let on_machine = rate(median(5, || kernel.run_on(&machine).1));
        let each = cycles as f64 / instructions as f64;
        println!("{:<48} {instructions:>14} {plain:>14.0} {on_machine:>14.0} {each:>14.2}", kernel.name);
    }
    let heading = ["instructions", "million/s", "callgrind each", "cycles each"];
    println!("\n{:<48} {}", "Loops over memory under Linux", heading.map(|name| format!("{name:>14}")).join(" "));
    for (nth, of) in LOOPS.iter().enumerate() {
        let (instructions, cycles) = of.run(&machine, of.rounds);
        let seconds = median(5, || {
            let start = cpu_seconds();
            of.run(&machine, of.rounds);
            cpu_seconds() - start
        });
        let (rate, each) = (instructions as f64 / seconds / 1e6, cycles as f64 / instructions as f64);
        let host = host_instructions(&machine, nth, of);
        println!("{:<48} {instructions:>14} {rate:>14.0} {host:>14} {each:>14.2}", of.name);
    }
}
