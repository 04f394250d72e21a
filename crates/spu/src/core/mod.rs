//! The processor: registers, pipelines and decoded code, run for a turn at a time.
//!
//! A turn ends with what the program needs from outside ([`Exit`]), or when its budget of cycles is
//! used up.  Where turns end makes no difference to a program, nor to how long it takes.  Code and
//! data may be written between turns, by DMA say.
//!
//! Time counts as the instructions say, except that of channel instructions: the machine has its own
//! values for them and charges them itself.  The pipelines only know that it has passed.
//!
//! MODEL: a channel instruction keeps the ones behind it from issuing for the machine's time of a
//! channel read or write; silicon goes on behind a read until the value is needed.  While a channel
//! blocks, the pipelines stand still: results on their way then are late by a few cycles.

mod exit;
mod special;

pub use exit::{Exit, Fault, Why};

use crate::execute::{Effect, Operands};
use crate::float::Fpscr;
use crate::pipeline::Pipeline;
use crate::predecode::{Code, Slot};
use crate::profile::{Cause, Issuing, Probe};
use crate::registers::{Quadword, Registers};
use crate::timing::{Kind, Timing};
use cell::machine::{Machine, SpuPipeline};
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

/// What an answer is for.
#[derive(Clone, Copy, Debug)]
enum Asked {
    /// The result of an instruction that read a channel or its count.
    Result { register: u8, issued: u64 },
    /// Nothing but the end of a write.
    Done { issued: u64 },
    /// Whether `bisled` goes to its target.
    BranchIf { target: u32, interrupts: Option<bool>, issued: u64 },
}

/// One synergistic processor unit.
pub struct Spu {
    registers: Registers,
    fpscr: Fpscr,
    pc: u32,
    pipeline: Pipeline,
    code: Code,
    costs: SpuPipeline,
    channel_read_spu_cycles: u64,
    channel_write_spu_cycles: u64,
    local_store_bytes: u32,
    /// The cycle up to which time was handed out, or charged by the machine.
    accounted: u64,
    asked: Option<Asked>,
    interrupts_enabled: bool,
    srr0: u32,
}

/// How straight-line execution ended.
enum Stretch {
    /// At the end of a line, or where code was changed: go on at `pc`.
    Again,
    /// At a load or store for which there is no time left.
    Late,
    /// At an instruction that does more than compute.
    Special,
}

impl Spu {
    /// At rest, with registers of zero, about to execute what lies at `entry`.
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
            costs,
            channel_read_spu_cycles: machine.spu.channel_read_spu_cycles,
            channel_write_spu_cycles: machine.spu.channel_write_spu_cycles,
            local_store_bytes,
            accounted: 0,
            asked: None,
            interrupts_enabled: false,
            srr0: 0,
        }
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The registers, to set arguments and results.
    pub fn registers_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }

    /// The floating-point status and control register.
    pub fn fpscr(&self) -> &Fpscr {
        &self.fpscr
    }

    /// The address of the next instruction; of the one that asked, while it has no answer.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Goes on at another address, as the PPE does by writing the next program counter.
    pub fn set_pc(&mut self, address: u32) {
        let target = address & (self.local_store_bytes - 1) & !3;
        self.pipeline.moved(self.pc, target);
        self.pc = target;
    }

    /// SPU cycles since the start, without those in which a channel blocked.
    pub fn spu_cycles(&self) -> u64 {
        self.pipeline.next()
    }

    /// Instructions executed since the start.
    pub fn instructions(&self) -> u64 {
        self.pipeline.executed(self.pc)
    }

    /// Whether [`Spu::interrupt`] would interrupt the program.
    pub fn interrupts_enabled(&self) -> bool {
        self.interrupts_enabled && self.asked.is_none()
    }

    /// An enabled event is pending: if interrupts are enabled the program goes on at address 0, without
    /// them, and can come back by SRR0.
    ///
    /// MODEL: that takes as long as a missed branch.
    pub fn interrupt(&mut self) {
        if self.interrupts_enabled() {
            self.srr0 = self.pc;
            self.interrupts_enabled = false;
            self.pipeline.restart(self.pc, 0);
            self.pc = 0;
        }
    }

    /// Runs until something is asked, interrupts become enabled or `budget_spu_cycles` are over.  No data are
    /// loaded or stored later; what else is done may go on for some tens of cycles.  Answers how many cycles
    /// have passed since the last turn's end.
    pub fn run<P: Probe>(&mut self, ls: &mut LocalStore, budget_spu_cycles: u64, probe: &mut P) -> (u64, Exit) {
        debug_assert!(self.asked.is_none(), "what was asked must be answered first");
        self.code.forget_written(ls);
        let limit = self.accounted.saturating_add(budget_spu_cycles.max(1));
        loop {
            if self.pipeline.next() >= limit {
                return self.leave(self.pipeline.next(), Exit::Budget);
            }
            match self.straight(ls, limit, probe) {
                Stretch::Late => return self.leave(limit, Exit::Budget),
                Stretch::Again => self.code.forget_written(ls),
                Stretch::Special => {
                    if let Some(end) = self.special(ls, probe) {
                        return end;
                    }
                }
            }
        }
    }

    /// A line on its way in or out has the local store's port, so many cycles after the last turn's end.
    pub fn line_at(&mut self, spu_cycles: u64) {
        self.pipeline.line_at(self.accounted + spu_cycles);
    }

    /// The answer to what the last turn asked, or anything if it wrote a channel.
    pub fn answer(&mut self, value: u32) {
        match self.asked.take() {
            Some(Asked::Result { register, issued }) => {
                self.registers.set(register, Quadword::scalar(value));
                self.answered(issued, self.channel_read_spu_cycles, Some(register));
                self.advance();
            }
            Some(Asked::Done { issued }) => {
                self.answered(issued, self.channel_write_spu_cycles, None);
                self.advance();
            }
            Some(Asked::BranchIf { target, interrupts, issued }) => {
                self.answered(issued, self.channel_read_spu_cycles, None);
                let now = self.pipeline.next() - 1;
                let effect = if value == 0 { Effect::Next } else { Effect::Branch { target, interrupts } };
                self.branch(now, effect, None, &mut ());
            }
            None => {}
        }
    }

    /// Executes from `pc` on until something special comes, within one line.
    #[inline(always)]
    fn straight<P: Probe>(&mut self, ls: &mut LocalStore, limit: u64, probe: &mut P) -> Stretch {
        let Spu { registers, fpscr, pc, pipeline, code, costs, .. } = self;
        let slots = code.line(*pc, ls, costs);
        let from = pipeline.next();
        pipeline.enter(*pc);
        probe.lost(*pc, Cause::Fetch, from, pipeline.next());
        let first = index(*pc, LINE_BYTES as u32);
        let until = first + (costs.fetch_line_bytes / 4) as usize - index(*pc, costs.fetch_line_bytes);
        let mut operands = Operands { i: &slots[first].instruction, pc: *pc, registers, fpscr, ls };
        for slot in &slots[first..until] {
            if slot.kind.is_special() {
                *pc = operands.pc;
                return Stretch::Special;
            }
            let uses_local_store = slot.kind != Kind::Plain;
            if uses_local_store {
                let (from, mut at) = (pipeline.next(), pipeline.issues_at(&slot.timing));
                if pipeline.waits_for_port(at) {
                    probe.lost(operands.pc, Cause::Dependency, from, at);
                    probe.lost(operands.pc, Cause::Port, at, at + 1);
                    at += 1;
                }
                if at >= limit {
                    *pc = operands.pc;
                    return Stretch::Late;
                }
            }
            let now = issue(slot, operands.pc, pipeline, probe);
            operands.i = &slot.instruction;
            (slot.computation)(&mut operands);
            operands.pc += 4;
            if uses_local_store {
                pipeline.port_taken(now);
                if slot.kind == Kind::Store && operands.ls.watched_was_written() {
                    break;
                }
            }
        }
        *pc = operands.pc;
        self.wrap();
        Stretch::Again
    }

    /// Ends a turn at a cycle.
    fn leave(&mut self, now: u64, exit: Exit) -> (u64, Exit) {
        let elapsed = now - self.accounted;
        self.accounted = now;
        (elapsed, exit)
    }

    fn fault(&mut self, ls: &LocalStore, why: Why) -> (u64, Exit) {
        let word = ls.read_u32(self.pc.into());
        self.leave(self.pipeline.next(), Exit::Fault(Fault { address: self.pc, word, why }))
    }

    fn advance(&mut self) {
        self.pc += 4;
        self.wrap();
    }

    /// Addresses go on at 0 behind the end of the local store.
    fn wrap(&mut self) {
        if self.pc == self.local_store_bytes {
            self.pc = 0;
            self.pipeline.wrapped(self.local_store_bytes);
        }
    }

    fn instruction_address(&self, address: u32) -> u32 {
        address & (self.local_store_bytes - 1) & !3
    }
}

/// Issues one instruction; answers when.
#[inline(always)]
fn issue<P: Probe>(slot: &Slot, pc: u32, pipeline: &mut Pipeline, probe: &mut P) -> u64 {
    let (from, waits_for) = (pipeline.next(), waits_for::<P>(pipeline, &slot.timing));
    let now = pipeline.issue(&slot.timing);
    if P::ON {
        let class = slot.instruction.opcode.class();
        probe.issued(pc, from, now, waits_for, Issuing { class, writes: slot.timing.writes });
        probe.lost(pc, Cause::Double, now + 1, pipeline.next());
    }
    now
}

/// The number of the word at `address` in its line, whose size is a power of two.
fn index(address: u32, line_bytes: u32) -> usize {
    ((address & (line_bytes - 1)) / 4) as usize
}

/// The register that an instruction waits for longest, for those who want to know.
fn waits_for<P: Probe>(pipeline: &Pipeline, timing: &Timing) -> Option<u8> {
    if !P::ON {
        return None;
    }
    let latest = timing.reads.into_iter().max_by_key(|register| pipeline.ready(*register))?;
    (pipeline.ready(latest) > pipeline.next()).then_some(latest)
}
