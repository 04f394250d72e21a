//! Sends floating-point exceptions as signals to threads that have enabled the exceptions with `prctl(PR_SET_FPEXC)`
//! (`feenableexcept`). The floating-point status register selects the kinds of exceptions that are enabled.
//!
//! A thread that has enabled exceptions executes one instruction at a time, so that the instruction that causes an
//! exception is known.
//!
//! Source: PowerPC User Instruction Set Architecture, floating-point exceptions.

use crate::signals::pending::code;
use ppu::core::Exit;
use ppu::float::status::{FEX, OE, OX, UE, UX, VE, VX, XE, XX, ZE, ZX};
use ppu::memory::Memory;
use ppu::predecode::Code;
use ppu::registers::Cpu;

/// Why a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// [`Cpu::run`] returned this exit.
    By(Exit),
    /// The thread's current instruction has caused a floating-point exception.
    Exception,
}

/// Variant of [`Cpu::run`] for a thread that has enabled floating-point exceptions.
pub fn run<M: Memory>(cpu: &mut Cpu, memory: &mut M, code: &mut Code, budget_cycles: u64) -> (u64, Ended) {
    let mut spent = 0;
    while spent < budget_cycles {
        let pc = cpu.pc;
        // Ends the instruction pair. Otherwise, the pair's second instruction would take 0 cycles, and this call would
        // also execute the instruction after the pair.
        cpu.pipelines = code.pipelines.close(cpu.pipelines);
        let (cycles, exit) = cpu.run(memory, code, 1);
        spent += cycles;
        if exit != Exit::Budget {
            return (spent, Ended::By(exit));
        }
        if cpu.fpscr.read() & FEX != 0 {
            cpu.pc = pc;
            return (spent, Ended::Exception);
        }
    }
    (spent, Ended::By(Exit::Budget))
}

/// Signal code and name of the first floating-point exception that has occurred and is enabled.
pub fn kind(fpscr: u32) -> (i32, &'static str) {
    let kinds = [
        (VX, VE, code::FPE_FLTINV, "an invalid floating-point operation"),
        (OX, OE, code::FPE_FLTOVF, "a floating-point overflow"),
        (UX, UE, code::FPE_FLTUND, "a floating-point underflow"),
        (ZX, ZE, code::FPE_FLTDIV, "a floating-point division by zero"),
        (XX, XE, code::FPE_FLTRES, "an inexact floating-point result"),
    ];
    let there = kinds.iter().find(|(exception, enable, ..)| fpscr & exception != 0 && fpscr & enable != 0);
    there.map_or((code::FPE_FLTUNK, "a floating-point exception"), |(.., code, name)| (*code, *name))
}
