//! The state of a processor between turns.

use super::exit::{Exit, Fault, FaultKind};
use crate::blocks::{Blocks, Position};
use crate::float::Fpscr;
use crate::pipeline::Pipeline;
use crate::predecode::Code;
use crate::registers::Registers;
use cell::machine::{Machine, SpuPipeline};
use cell::store::LocalStore;

/// The purpose of the answer that the processor awaits from the machine.
#[derive(Clone, Copy, Debug)]
pub enum Awaited {
    /// The answer becomes the result of an instruction that read a channel or its count.
    Result { register: u8, issued: u64 },
    /// The answer completes a channel write, and has no value.
    Done { issued: u64 },
    /// The answer decides whether `bisled` branches to its target.
    BranchIf { target: u32, interrupts: Option<bool>, issued: u64 },
}

/// One synergistic processor unit.
pub struct Spu {
    pub(super) registers: Registers,
    pub(super) fpscr: Fpscr,
    pub(super) pc: u32,
    pub(super) pipeline: Pipeline,
    pub(super) code: Code,
    pub(super) blocks: Blocks,
    /// The position in the graph of blocks. While a position is set, the state of `pipeline` is out of date.
    pub(super) position: Option<Position>,
    pub(super) costs: SpuPipeline,
    pub(super) channel_read_spu_cycles: u64,
    pub(super) channel_write_spu_cycles: u64,
    pub(super) local_store_bytes: u32,
    /// The cycle up to which the machine has accounted for the program's time. The time was either reported to the
    /// machine, or charged by the machine.
    pub(super) accounted: u64,
    pub(super) awaited: Option<Awaited>,
    pub(super) interrupts_enabled: bool,
    pub(super) srr0: u32,
}

impl Spu {
    /// An idle processor that is about to execute the instruction at `entry`. All registers are zero.
    pub fn new(machine: &Machine, entry: u32) -> Spu {
        let local_store_bytes = machine.mfc.local_store_bytes;
        let costs = machine.spu_pipeline.clone();
        let pc = entry & (local_store_bytes - 1) & !3;
        Spu {
            registers: Registers::default(),
            fpscr: Fpscr::default(),
            pc,
            pipeline: Pipeline::new(&costs, pc),
            code: Code::new(local_store_bytes),
            blocks: Blocks::default(),
            position: None,
            costs,
            channel_read_spu_cycles: machine.spu.channel_read_spu_cycles,
            channel_write_spu_cycles: machine.spu.channel_write_spu_cycles,
            local_store_bytes,
            accounted: 0,
            awaited: None,
            interrupts_enabled: false,
            srr0: 0,
        }
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The registers, mutably. A caller may set arguments and results.
    pub fn registers_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }

    /// The floating-point status and control register.
    pub fn fpscr(&self) -> &Fpscr {
        &self.fpscr
    }

    /// The floating-point status and control register, mutably. A caller may set the register between turns.
    pub fn fpscr_mut(&mut self) -> &mut Fpscr {
        &mut self.fpscr
    }

    /// The address of the next instruction, or of the instruction that is waiting for an answer from the machine.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Continues at another address, as if the PPE had written the next program counter.
    pub fn set_pc(&mut self, address: u32) {
        let target = address & (self.local_store_bytes - 1) & !3;
        self.leave_blocks(0);
        self.pipeline.redirect(self.pc, target);
        self.pc = target;
    }

    /// The number of SPU cycles since the start, excluding the cycles in which a channel blocked.
    pub fn spu_cycles(&self) -> u64 {
        self.position.map_or(self.pipeline.next(), |position| position.now)
    }

    /// The cycle of the pipelines up to which the machine has accounted for the program's time.
    pub fn accounted(&self) -> u64 {
        self.accounted
    }

    /// The number of instructions executed since the start.
    pub fn instructions(&self) -> u64 {
        self.position.map_or(self.pipeline.executed(self.pc), |position| position.executed)
    }

    /// Whether a call of [`Spu::interrupt`] would interrupt the program.
    pub fn interrupts_enabled(&self) -> bool {
        self.interrupts_enabled && self.awaited.is_none()
    }

    /// The address in SRR0.
    pub fn srr0(&self) -> u32 {
        self.srr0
    }

    /// Sets SRR0, which keeps the address of an instruction in the local store.
    pub fn set_srr0(&mut self, value: u32) {
        self.srr0 = self.instruction_address(value);
    }

    /// Interrupts the program if interrupts are enabled. The program continues at address 0 with interrupts disabled,
    /// and can return to the address in SRR0.
    ///
    /// MODEL: an interrupt takes as long as a mispredicted branch.
    pub fn interrupt(&mut self) {
        if self.interrupts_enabled() {
            self.leave_blocks(0);
            self.srr0 = self.pc;
            self.interrupts_enabled = false;
            self.pipeline.restart(self.pc, 0);
            self.pc = 0;
        }
    }

    /// Records that DMA occupies the local-store port `spu_cycles` after the end of the last turn.
    pub fn line_at(&mut self, spu_cycles: u64) {
        let line_at = self.accounted + spu_cycles;
        match self.position {
            Some(position) => self.position = Some(self.blocks.line_at(position, line_at, &mut self.pipeline)),
            None => self.pipeline.line_at(line_at),
        }
    }

    /// Ends a turn at cycle `now`. Returns the cycles that passed since the end of the last turn.
    pub(super) fn leave(&mut self, now: u64, exit: Exit) -> (u64, Exit) {
        let elapsed = now - self.accounted;
        self.accounted = now;
        (elapsed, exit)
    }

    /// Ends a turn at an instruction that cannot be executed.
    pub(super) fn fault(&mut self, ls: &LocalStore, kind: FaultKind) -> (u64, Exit) {
        let word = ls.read_u32(self.pc.into());
        self.leave(self.pipeline.next(), Exit::Fault(Fault { address: self.pc, word, kind }))
    }

    /// Drops each decoded line that has been written since it was decoded.
    pub(super) fn drop_written(&mut self, ls: &mut LocalStore) {
        if self.code.drop_written(ls) {
            self.leave_blocks(0);
            self.blocks.clear();
        }
    }

    /// Advances to the next instruction.
    pub(super) fn advance(&mut self) {
        self.pc += 4;
        self.wrap();
    }

    /// Continues at address 0 after the end of the local store.
    pub(super) fn wrap(&mut self) {
        if self.pc == self.local_store_bytes {
            self.pc = 0;
            self.pipeline.wrapped(self.local_store_bytes);
        }
    }

    /// Converts an address to an instruction address: wraps it to the local store's size, and rounds it down to a
    /// multiple of 4.
    pub(super) fn instruction_address(&self, address: u32) -> u32 {
        address & (self.local_store_bytes - 1) & !3
    }
}
