//! The special instructions: branches, hints, channel instructions and stops.

use super::exit::{Exit, FaultKind};
use super::issue::{index, issue};
use super::state::{Awaited, Spu};
use crate::execute::{Effect, State, control, hinted};
use crate::instruction::Instruction;
use crate::pipeline::hint::Prediction;
use crate::pipeline::{Outcome, Pipeline};
use crate::predecode::Slot;
use crate::profile::{Cause, Probe};
use crate::registers::Quadword;
use crate::table::Opcode;
use crate::timing::Kind;
use cell::channel::Channel;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

impl Spu {
    /// Executes the special instruction at `pc`.
    #[inline(always)]
    pub(super) fn special<P: Probe>(&mut self, ls: &mut LocalStore, probe: &mut P) -> Option<(u64, Exit)> {
        let slot = self.code.line(self.pc, ls, &self.costs)[index(self.pc, LINE_BYTES as u32)];
        if slot.kind == Kind::Unknown {
            return Some(self.fault(ls, FaultKind::NoInstruction));
        }
        let prediction = prepare(slot.kind, self.pc, &mut self.pipeline, probe);
        let now = issue(&slot, self.pc, &mut self.pipeline, probe);
        let Spu { registers, fpscr, pc, .. } = self;
        let effect = control(&slot.instruction, *pc, &mut State { registers, fpscr, ls });
        match (slot.kind, effect) {
            (_, Effect::Halt) => return Some(self.fault(ls, FaultKind::Halt)),
            (Kind::Branch, Effect::Next | Effect::Branch { .. } | Effect::ReturnFromInterrupt { .. }) => {
                let was_enabled = self.interrupts_enabled;
                self.branch(now, effect, prediction, probe);
                let enabled = self.interrupts_enabled && !was_enabled;
                return enabled.then(|| self.leave(self.pipeline.next(), Exit::Enabled));
            }
            (Kind::Hint, _) => self.hint(&slot.instruction, now),
            (Kind::Drain, Effect::Next) if slot.instruction.opcode == Opcode::Sync => self.refetch(probe),
            (_, Effect::Next) => self.advance(),
            (_, effect) => return self.ask(&slot, now, effect, probe),
        }
        None
    }

    /// Carries out a branch with this effect. The branch issued in cycle `now`.
    #[inline]
    pub(super) fn branch<P: Probe>(&mut self, now: u64, effect: Effect, prediction: Option<Prediction>, probe: &mut P) {
        let (target, interrupts) = match effect {
            Effect::Branch { target, interrupts } => (Some(target), interrupts),
            Effect::ReturnFromInterrupt { interrupts } => (Some(self.srr0), interrupts),
            _ => (None, None),
        };
        let outcome = self.pipeline.branched(self.pc, now, target, prediction);
        let cause = if outcome == Outcome::Mispredicted { Cause::Mispredicted } else { Cause::Branch };
        probe.lost(self.pc, cause, now + 1, self.pipeline.next());
        self.interrupts_enabled = interrupts.unwrap_or(self.interrupts_enabled);
        match target {
            Some(target) => self.pc = target,
            None => self.advance(),
        }
    }

    /// Carries out a branch hint.
    fn hint(&mut self, instruction: &Instruction, now: u64) {
        let hinted = hinted(instruction, self.pc, &self.registers, self.local_store_bytes);
        self.pipeline.hint(self.pc, hinted, now);
        self.advance();
    }

    /// Implements `sync`: fetches the code again, because instructions fetched earlier may be stale.
    ///
    /// MODEL: `sync` takes as long as a mispredicted branch.
    pub(super) fn refetch<P: Probe>(&mut self, probe: &mut P) {
        let from = self.pipeline.next();
        self.pipeline.restart(self.pc + 4, self.instruction_address(self.pc + 4));
        probe.lost(self.pc, Cause::Drain, from, self.pipeline.next());
        self.advance();
    }

    /// Ends the turn at an instruction that needs an answer from outside the processor. However, a channel instruction
    /// that accesses one of the processor's own registers is completed here, and the turn continues.
    fn ask<P: Probe>(&mut self, slot: &Slot, now: u64, effect: Effect, probe: &mut P) -> Option<(u64, Exit)> {
        let register = slot.instruction.rt;
        let (awaited, exit) = match effect {
            Effect::Read { channel } => match self.own_register(channel) {
                Some(value) => return self.own_channel(now, Some((register, value)), probe),
                None => (Awaited::Result { register, issued: now }, Exit::Read { channel }),
            },
            Effect::Write { channel, value } if channel == Channel::WR_SRR0.0 => {
                self.set_srr0(value);
                return self.own_channel(now, None, probe);
            }
            Effect::Write { channel, value } => (Awaited::Done { issued: now }, Exit::Write { channel, value }),
            Effect::Count { channel } => (Awaited::Result { register, issued: now }, Exit::Count { channel }),
            Effect::BranchIfEvent { target, interrupts } => {
                let channel = Channel::RD_EVENT_STAT.0;
                (Awaited::BranchIf { target, interrupts, issued: now }, Exit::Count { channel })
            }
            Effect::Stop { code } => {
                self.advance();
                return Some(self.leave(now + 1, Exit::Stop { code }));
            }
            Effect::Next | Effect::Halt | Effect::Branch { .. } | Effect::ReturnFromInterrupt { .. } => return None,
        };
        self.awaited = Some(awaited);
        let charged = match effect {
            Effect::Write { .. } => self.channel_write_spu_cycles,
            _ => self.channel_read_spu_cycles,
        };
        probe.lost(self.pc, Cause::Channel, now + 1, now + charged);
        Some(self.leave(now, exit))
    }

    /// The value of the processor register that is read through `channel`; `None` if the channel belongs to the
    /// machine.
    fn own_register(&self, channel: u8) -> Option<u32> {
        match Channel(channel) {
            Channel::RD_MACH_STAT => Some(u32::from(self.interrupts_enabled)),
            Channel::RD_SRR0 => Some(self.srr0),
            _ => None,
        }
    }

    /// Completes a channel instruction that accesses one of the processor's own registers.
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

    /// Records the duration of a channel instruction. The machine itself accounts for that duration.
    pub(super) fn answered(&mut self, issued: u64, spu_cycles: u64, result: Option<u8>) {
        self.pipeline.answered(issued, spu_cycles, result);
        self.accounted = self.pipeline.next();
    }
}

/// Waits before a special instruction issues: a branch waits for its hint, and a draining instruction waits for all
/// results. Returns the prediction for a branch.
pub(super) fn prepare<P: Probe>(kind: Kind, pc: u32, pipeline: &mut Pipeline, probe: &mut P) -> Option<Prediction> {
    let from = pipeline.next();
    match kind {
        Kind::Branch => {
            let prediction = pipeline.predict(pc);
            probe.lost(pc, Cause::Hint, from, pipeline.next());
            prediction
        }
        Kind::Drain => {
            pipeline.drain();
            probe.lost(pc, Cause::Drain, from, pipeline.next());
            None
        }
        _ => None,
    }
}
