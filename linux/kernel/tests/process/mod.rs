//! Does a process's storage follow the architecture, and does each access send the necessary requests?

mod atomics;
mod caches;
mod windows;

use crate::common::process::{Outcome, Process};
use cell::door::Supervisor;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use ppu::{Code, Costs, Cpu, Exit};

/// A CPU whose general registers are set from pairs of register number and value.
fn cpu(registers: &[(u8, u32)]) -> Cpu {
    let mut cpu = Cpu::default();
    registers.iter().for_each(|(n, value)| cpu.set_word(*n, *value));
    cpu
}

fn machine() -> Machine {
    Machine::builtin("ps3").expect("a machine")
}

fn code() -> Code {
    let machine = machine();
    Code::new(Costs::new(&machine.ppe_core, &machine.ppe_memory))
}

/// Runs processes of one or two threads until they end.
fn run_all(processes: Vec<Process>) -> Vec<Outcome> {
    let machine = machine();
    let mut system = System::new(&machine, Placement::default_of(&machine));
    let outcomes: Vec<_> = processes.iter().map(Process::outcome).collect();
    processes.into_iter().for_each(|process| system.load_ppe(Box::new(process)));
    system.run(1 << 26, || true).unwrap_or_else(|error| panic!("{error}"));
    outcomes.iter().map(|outcome| outcome.borrow().clone()).collect()
}

/// Runs a program that ends with a system call.
fn run(words: &[u32], registers: &[(u8, u32)], prepare: impl FnOnce(&mut dyn Supervisor) + 'static) -> Outcome {
    let outcome = run_to(words, registers, prepare);
    assert_eq!(outcome.exit, Some(Exit::SystemCall), "at {:#x}", outcome.cpu.pc);
    outcome
}

/// Runs a program until it ends, for whatever reason.
fn run_to(words: &[u32], registers: &[(u8, u32)], prepare: impl FnOnce(&mut dyn Supervisor) + 'static) -> Outcome {
    run_all(vec![Process::new(words, cpu(registers), code(), prepare)]).remove(0)
}
