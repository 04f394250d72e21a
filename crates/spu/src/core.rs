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

use crate::execute::{Effect, execute};
use crate::float::Fpscr;
use crate::instruction::Instruction;
use crate::pipeline::hint::Expected;
use crate::pipeline::{Outcome, Pipeline};
use crate::predecode::{Code, Slot};
use crate::profile::{Cause, Issuing, Probe};
use crate::registers::{Quadword, Registers};
use crate::table::Opcode;
use crate::timing::{Kind, Timing};
use cell::channel::Channel;
use cell::machine::{Machine, SpuPipeline};
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

/// Why a turn ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Its time was used up, or interrupts were enabled: nothing is asked.
    Budget,
    /// `rdch`: goes on with [`Spu::answer`].
    Read {
        /// Number of the channel.
        channel: u8,
    },
    /// `rchcnt`, or `bisled`, which asks for the count of channel 0: goes on with [`Spu::answer`].
    Count {
        /// Number of the channel.
        channel: u8,
    },
    /// `wrch`: goes on with [`Spu::answer`], of any value.
    Write {
        /// Number of the channel.
        channel: u8,
        /// What is written.
        value: u32,
    },
    /// `stop` or `stopd`; the program can go on behind it.
    Stop {
        /// The stop-and-signal type.
        code: u32,
    },
    /// It cannot go on.
    Fault(Fault),
}

/// An instruction that ends a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where it lies.
    pub address: u32,
    /// Its word.
    pub word: u32,
    /// What is wrong.
    pub why: Why,
}

/// What is wrong with an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The word is no instruction.
    NoInstruction,
    /// The condition of a `heq`, `hgt`, `hlgt` or one of their immediate forms holds.
    Halt,
}

/// What an answer is for.
#[derive(Clone, Copy, Debug)]
enum Asked {
    /// The result of an instruction that read a channel or its count.
    Result { register: u8, issued: u64 },
    /// Nothing but the end of a write.
    Done { issued: u64 },
    /// Whether `bisled` goes to its target.
    BranchIf { slot: Slot, target: u32, interrupts: Option<bool>, issued: u64 },
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
    /// At a word that is no instruction.
    NoInstruction,
    /// At a load or store for which there is no time left.
    Late,
    /// With an instruction that does more than compute, issued at `now`.
    Special { slot: Slot, now: u64, effect: Effect, expected: Option<Expected> },
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

    /// Runs until something is asked or `budget_spu_cycles` are over.  No data are loaded or stored later;
    /// what else is done may go on for some tens of cycles.  Answers how many cycles have passed since the
    /// last turn's end.
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
                Stretch::NoInstruction => return self.fault(ls, Why::NoInstruction),
                Stretch::Special { slot, now, effect, expected } => {
                    let end = match effect {
                        Effect::Halt => return self.fault(ls, Why::Halt),
                        Effect::Next | Effect::Branch { .. } | Effect::ReturnFromInterrupt { .. } => {
                            self.go_on(&slot, now, effect, expected, probe)
                        }
                        _ => self.ask(slot, now, effect, probe),
                    };
                    if let Some(exit) = end {
                        return exit;
                    }
                }
            }
        }
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
            Some(Asked::BranchIf { slot, target, interrupts, issued }) => {
                self.answered(issued, self.channel_read_spu_cycles, None);
                let now = self.pipeline.next() - 1;
                let effect = if value == 0 { Effect::Next } else { Effect::Branch { target, interrupts } };
                self.go_on(&slot, now, effect, None, &mut ());
            }
            None => {}
        }
    }

    /// Executes from `pc` on until something special happens, within one line.
    #[inline(always)]
    fn straight<P: Probe>(&mut self, ls: &mut LocalStore, limit: u64, probe: &mut P) -> Stretch {
        let Spu { registers, fpscr, pc, pipeline, code, costs, .. } = self;
        let slots = code.line(*pc, ls, costs);
        let from = pipeline.next();
        pipeline.enter(*pc);
        probe.lost(*pc, Cause::Fetch, from, pipeline.next());
        let first = index(*pc, LINE_BYTES as u32);
        let until = first + (costs.fetch_line_bytes / 4) as usize - index(*pc, costs.fetch_line_bytes);
        for slot in &slots[first..until] {
            if slot.timing.uses_local_store && pipeline.issues_at(&slot.timing) >= limit {
                return Stretch::Late;
            }
            let mut expected = None;
            if slot.kind.is_special() {
                if slot.kind == Kind::Unknown {
                    return Stretch::NoInstruction;
                }
                expected = prepare(slot.kind, *pc, pipeline, probe);
            }
            let (from, waits_for) = (pipeline.next(), waits_for::<P>(pipeline, &slot.timing));
            let now = pipeline.issue(&slot.timing);
            if P::ON {
                let class = slot.instruction.opcode.class();
                probe.issued(*pc, from, now, waits_for, Issuing { class, writes: slot.timing.writes });
                probe.lost(*pc, Cause::Double, now + 1, pipeline.next());
            }
            let effect = step(&slot.instruction, *pc, registers, fpscr, ls);
            if slot.kind.is_special() {
                return Stretch::Special { slot: *slot, now, effect, expected };
            }
            *pc += 4;
            if slot.kind == Kind::Store && ls.watched_was_written() {
                self.wrap();
                return Stretch::Again;
            }
        }
        self.wrap();
        Stretch::Again
    }

    /// What follows an instruction that asks nothing of anybody.
    fn go_on<P: Probe>(
        &mut self,
        slot: &Slot,
        now: u64,
        effect: Effect,
        expected: Option<Expected>,
        probe: &mut P,
    ) -> Option<(u64, Exit)> {
        let was_enabled = self.interrupts_enabled;
        match slot.kind {
            Kind::Branch => self.branch(now, effect, expected, probe),
            Kind::Hint => self.hint(&slot.instruction, now),
            Kind::Drain if slot.instruction.opcode == Opcode::Sync => self.refetch(probe),
            _ => self.advance(),
        }
        let enabled = self.interrupts_enabled && !was_enabled;
        enabled.then(|| self.leave(self.pipeline.next(), Exit::Budget))
    }

    fn branch<P: Probe>(&mut self, now: u64, effect: Effect, expected: Option<Expected>, probe: &mut P) {
        let (target, interrupts) = match effect {
            Effect::Branch { target, interrupts } => (Some(target), interrupts),
            Effect::ReturnFromInterrupt { interrupts } => (Some(self.srr0), interrupts),
            _ => (None, None),
        };
        let outcome = self.pipeline.branched(self.pc, now, target, expected);
        let cause = if outcome == Outcome::Misled { Cause::Misled } else { Cause::Branch };
        probe.lost(self.pc, cause, now + 1, self.pipeline.next());
        self.interrupts_enabled = interrupts.unwrap_or(self.interrupts_enabled);
        match target {
            Some(target) => self.pc = target,
            None => self.advance(),
        }
    }

    /// A hint; one with the P feature only makes room for a fetch, by not using the port itself.
    fn hint(&mut self, instruction: &Instruction, now: u64) {
        let target = match instruction.opcode {
            Opcode::Hbr => self.registers.get(instruction.ra).preferred(),
            Opcode::Hbra => instruction.immediate as u32,
            _ => self.pc.wrapping_add(instruction.immediate as u32),
        };
        let branch = self.pc.wrapping_add_signed(4 * i32::from(instruction.branch_offset_words));
        if !instruction.features().prefetch_or_channel {
            self.pipeline.hint(self.pc, self.instruction_address(branch), self.instruction_address(target), now);
        }
        self.advance();
    }

    /// `sync`: what was fetched before may be old.
    ///
    /// MODEL: it takes as long as a missed branch.
    fn refetch<P: Probe>(&mut self, probe: &mut P) {
        let from = self.pipeline.next();
        self.pipeline.restart(self.pc + 4, self.instruction_address(self.pc + 4));
        probe.lost(self.pc, Cause::Drain, from, self.pipeline.next());
        self.advance();
    }

    /// What follows an instruction that concerns the world outside.
    fn ask<P: Probe>(&mut self, slot: Slot, now: u64, effect: Effect, probe: &mut P) -> Option<(u64, Exit)> {
        let register = slot.instruction.rt;
        let (asked, exit) = match effect {
            Effect::Read { channel } => match self.own_register(channel) {
                Some(value) => return self.own_channel(now, Some((register, value)), probe),
                None => (Asked::Result { register, issued: now }, Exit::Read { channel }),
            },
            Effect::Write { channel, value } if channel == Channel::WR_SRR0.0 => {
                self.srr0 = self.instruction_address(value);
                return self.own_channel(now, None, probe);
            }
            Effect::Write { channel, value } => (Asked::Done { issued: now }, Exit::Write { channel, value }),
            Effect::Count { channel } => (Asked::Result { register, issued: now }, Exit::Count { channel }),
            Effect::BranchIfEvent { target, interrupts } => {
                let channel = Channel::RD_EVENT_STAT.0;
                (Asked::BranchIf { slot, target, interrupts, issued: now }, Exit::Count { channel })
            }
            Effect::Stop { code } => {
                self.advance();
                return Some(self.leave(now + 1, Exit::Stop { code }));
            }
            Effect::Next | Effect::Halt | Effect::Branch { .. } | Effect::ReturnFromInterrupt { .. } => return None,
        };
        self.asked = Some(asked);
        let charged = match effect {
            Effect::Write { .. } => self.channel_write_spu_cycles,
            _ => self.channel_read_spu_cycles,
        };
        probe.lost(self.pc, Cause::Channel, now + 1, now + charged);
        Some(self.leave(now, exit))
    }

    /// What the channels that lead to the processor's own registers hold.
    fn own_register(&self, channel: u8) -> Option<u32> {
        match Channel(channel) {
            Channel::RD_MACH_STAT => Some(u32::from(self.interrupts_enabled)),
            Channel::RD_SRR0 => Some(self.srr0),
            _ => None,
        }
    }

    /// The end of an instruction for a channel that no machine outside needs to know of.
    fn own_channel<P: Probe>(&mut self, now: u64, result: Option<(u8, u32)>, probe: &mut P) -> Option<(u64, Exit)> {
        if let Some((register, value)) = result {
            self.registers.set(register, Quadword::scalar(value));
        }
        let spu_cycles = if result.is_some() { self.channel_read_spu_cycles } else { self.channel_write_spu_cycles };
        self.pipeline.answered(now, spu_cycles, result.map(|(register, _)| register));
        probe.lost(self.pc, Cause::Channel, now + 1, self.pipeline.next());
        self.advance();
        None
    }

    /// The machine charges the time of a channel instruction.
    fn answered(&mut self, issued: u64, spu_cycles: u64, result: Option<u8>) {
        self.pipeline.answered(issued, spu_cycles, result);
        self.accounted = self.pipeline.next();
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

/// Executes one instruction: the one place in which that is compiled, whoever listens.
#[inline(never)]
fn step(i: &Instruction, pc: u32, registers: &mut Registers, fpscr: &mut Fpscr, ls: &mut LocalStore) -> Effect {
    execute(i, pc, registers, fpscr, ls)
}

/// The number of the word at `address` in its line.
fn index(address: u32, line_bytes: u32) -> usize {
    (address % line_bytes / 4) as usize
}

/// What some instructions wait for beside their operands.
fn prepare<P: Probe>(kind: Kind, pc: u32, pipeline: &mut Pipeline, probe: &mut P) -> Option<Expected> {
    let from = pipeline.next();
    match kind {
        Kind::Branch => {
            let expected = pipeline.expect(pc);
            probe.lost(pc, Cause::Hint, from, pipeline.next());
            expected
        }
        Kind::Drain => {
            pipeline.drain();
            probe.lost(pc, Cause::Drain, from, pipeline.next());
            None
        }
        _ => None,
    }
}

/// The register that an instruction waits for longest, for those who want to know.
fn waits_for<P: Probe>(pipeline: &Pipeline, timing: &Timing) -> Option<u8> {
    if !P::ON {
        return None;
    }
    let latest = timing.reads.into_iter().max_by_key(|register| pipeline.ready(*register))?;
    (pipeline.ready(latest) > pipeline.next()).then_some(latest)
}
