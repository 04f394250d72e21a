//! The number of SPU instructions that the simulator executes in a second, with their timing: `make bench`.
//!
//! The bench runs one SPU on one core, in turns as long as those of a program behind the door. The loops are typical:
//! integers over an array, single precision with operands from local store, and unpredictable branches. The numbers are
//! medians of five, by CPU time. Nothing here passes or fails. (The target is 100 million instructions a second.) Where
//! valgrind is installed, callgrind counts the host's instructions for each SPU instruction. That number does not
//! depend on the load of the computer.

#[path = "callgrind.rs"]
mod callgrind;
#[path = "../../crates/spu/tests/processor/common.rs"]
mod common;
#[path = "spu/cpu_time.rs"]
mod cpu_time;

use common::{STOP, machine, run_in_turns, store_with, word};
use cpu_time::{cpu_seconds, median};
use spu::Opcode::{self, *};
use spu::core::{Exit, Spu};
use spu::profile::{Probe, Profile};

/// The limit on the cycles of a turn, which is that of a program without requests.
const BUDGET_SPU_CYCLES: u64 = 10_000;
/// Enough rounds for a time much longer than the tick of the CPU-time clock.
const ROUNDS: u32 = 1_000_000;
/// The number of rounds under callgrind, which takes fifty times as long. A second run has twice as many.
const CALLGRIND_ROUNDS: u32 = 10_000;

/// A loop, by its body. Register 80 counts the rounds, and the branch back is hinted.
struct Kernel {
    name: &'static str,
    body: Vec<u32>,
}

fn kernels() -> Vec<Kernel> {
    let w = |opcode: Opcode, operands: &[i32]| word(opcode, operands);
    let integers = vec![
        w(Andi, &[10, 80, 0x1ff]),
        w(Shli, &[10, 10, 4]),
        w(Lqd, &[3, 0x1000, 10]),
        w(A, &[4, 4, 3]),
        w(Rotqbyi, &[5, 3, 4]),
        w(Roti, &[6, 4, 7]),
        w(Xor, &[4, 4, 6]),
        w(Shufb, &[7, 5, 4, 3]),
        w(Cgti, &[8, 7, 5]),
        w(Selb, &[9, 4, 7, 8]),
        w(Stqd, &[9, 0x1000, 10]),
    ];
    let mut single = Vec::new();
    for step in 0..4 {
        single.push(w(Lqd, &[10 + step, 0x1000 + 16 * step, 81]));
        single.push(w(Shufb, &[20 + step, 10 + step, 10 + step, 82]));
    }
    for sum in 0..16 {
        single.push(w(Fma, &[30 + sum, 10 + sum % 4, 20 + sum / 4, 30 + sum]));
    }
    let branches = vec![
        w(Andi, &[3, 80, 3]),
        w(Brz, &[3, 12]),
        w(Ai, &[4, 4, 1]),
        w(Brnz, &[3, 8]),
        w(Ai, &[5, 5, 1]),
        w(Mpy, &[6, 4, 5]),
        w(Brhz, &[6, 8]),
        w(Ai, &[7, 7, 1]),
    ];
    vec![
        Kernel { name: "integers, loads, stores, shuffles", body: integers },
        Kernel { name: "single precision, 16 products a round", body: single },
        Kernel { name: "branches, half of them missed", body: branches },
    ]
}

impl Kernel {
    fn code(&self) -> Vec<u32> {
        let back = 4 * (self.body.len() as i32 + 1);
        let mut code = vec![word(Hbrr, &[4 + back, 4])];
        code.extend(&self.body);
        code.extend([word(Ai, &[80, 80, -1]), word(Brnz, &[80, -back]), STOP]);
        code
    }

    /// Returns instructions, SPU cycles and seconds.
    fn run<P: Probe>(&self, rounds: u32, probe: &mut P) -> (u64, u64, f64) {
        let machine = machine();
        let mut store = store_with(&machine, 0, &self.code());
        // The data are numbers between 1 and 2 with random digits.
        for (index, address) in (0x1000..0x3000).step_by(4).enumerate() {
            let digits = (index as u32 + 1).wrapping_mul(0x9e37_79b1) >> 9;
            store.write_u32(address, 127 << 23 | digits);
        }
        let mut spu = Spu::new(&machine, 0);
        spu.registers_mut().set(80, spu::Quadword::splat(rounds));
        let start = cpu_seconds();
        let (spu_cycles, exit) = run_in_turns(&mut spu, &mut store, BUDGET_SPU_CYCLES, probe);
        let seconds = cpu_seconds() - start;
        assert_eq!(exit, Exit::Stop { code: 1 });
        (spu.instructions(), spu_cycles, seconds)
    }

    /// The host's instructions for each SPU instruction, from two runs of different lengths.
    fn host_instructions(&self) -> String {
        let run = |rounds: u32| {
            let host = callgrind::instructions(&[self.name.to_string(), rounds.to_string()])?;
            Some((host, self.run(rounds, &mut ()).0))
        };
        callgrind::each(run(CALLGRIND_ROUNDS), run(2 * CALLGRIND_ROUNDS))
    }
}

fn main() {
    if let Some(arguments) = callgrind::asked() {
        let rounds = arguments[1].parse().expect("a number of rounds");
        kernels().iter().filter(|kernel| kernel.name == arguments[0]).for_each(|kernel| {
            kernel.run(rounds, &mut ());
        });
        return;
    }
    let heading = ["instructions", "per SPU cycle", "million/s", "with profile", "callgrind"];
    println!("{:<42} {}", "SPU instructions", heading.map(|name| format!("{name:>14}")).join(" "));
    for kernel in kernels() {
        let (instructions, spu_cycles, _) = kernel.run(ROUNDS, &mut ());
        let rate = |seconds: f64| instructions as f64 / seconds / 1e6;
        let plain = rate(median(5, || kernel.run(ROUNDS, &mut ()).2));
        let profile = || Profile::new(machine().mfc.local_store_bytes);
        let profiled = rate(median(5, || kernel.run(ROUNDS, &mut profile()).2));
        let per_cycle = instructions as f64 / spu_cycles as f64;
        let host = kernel.host_instructions();
        println!("{:<42} {instructions:>14} {per_cycle:>14.2} {plain:>14.0} {profiled:>14.0} {host:>14}", kernel.name);
    }
}
