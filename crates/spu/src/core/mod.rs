//! The processor: registers, pipelines and decoded code. The processor runs one turn at a time.
//!
//! A turn ends when the program needs an action from outside the processor ([`Exit`]), or when the turn's cycle budget
//! is used up. Neither the program's results nor its execution time depend on the points at which turns end. Code and
//! data may be written between turns, for example by DMA.
//!
//! Not modelled here: the duration of channel instructions. The machine accounts for that time, and the processor only
//! records in its pipelines that the time has passed.
//!
//! MODEL: after a channel instruction, no instruction issues for the duration of a channel read or write on the
//! machine. Silicon continues after a read until an instruction needs the value. In the model, the pipelines also stop
//! while a channel blocks, so pending results arrive a few cycles late.

mod blocks;
mod exit;
mod issue;
mod special;
mod state;
mod walk;

pub use exit::{Exit, Fault, FaultKind};
pub use state::Spu;

use crate::execute::{Effect, State};
use crate::profile::{Cause, Probe};
use crate::registers::Quadword;
use crate::timing::Kind;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;
use issue::{index, issue};
use state::Awaited;

/// The reason why the execution of straight-line code ended.
enum Stretch {
    /// The end of a code line was reached, or an instruction changed code. Execution continues at `pc`.
    Again,
    /// The next load or store would issue after the end of the turn.
    Late,
    /// The next instruction is a special instruction.
    Special,
}

impl Spu {
    /// Runs until the program requests an action from outside the processor, enables interrupts, or has used up
    /// `budget_spu_cycles`. No load or store issues after the budget is used up, but other instructions may issue some
    /// tens of cycles later. Returns the number of cycles since the end of the last turn, and the reason why this turn
    /// ended.
    pub fn run<P: Probe>(&mut self, ls: &mut LocalStore, budget_spu_cycles: u64, probe: &mut P) -> (u64, Exit) {
        debug_assert!(self.awaited.is_none(), "the awaited answer has to come first");
        self.drop_written(ls);
        let limit = self.accounted.saturating_add(budget_spu_cycles.max(1));
        if P::ON {
            self.leave_blocks(0);
        } else if let Some(end) = self.run_blocks(ls, limit) {
            return end;
        }
        self.run_plainly(ls, limit, probe)
    }

    /// Runs on the plain pipeline, and switches to blocks where possible.
    #[inline(always)]
    fn run_plainly<P: Probe>(&mut self, ls: &mut LocalStore, limit: u64, probe: &mut P) -> (u64, Exit) {
        loop {
            if self.pipeline.next() >= limit {
                return self.leave(self.pipeline.next(), Exit::Budget);
            }
            match self.straight(ls, limit, probe) {
                Stretch::Late => return self.leave(limit, Exit::Budget),
                Stretch::Again => self.drop_written(ls),
                Stretch::Special => {
                    if let Some(end) = self.special(ls, probe) {
                        return end;
                    }
                }
            }
            if !P::ON
                && let Some(end) = self.run_blocks(ls, limit)
            {
                return end;
            }
        }
    }

    /// Delivers the answer that the last turn requested when it ended. The value is ignored if the turn ended with a
    /// channel write.
    pub fn answer(&mut self, value: u32) {
        match self.awaited.take() {
            Some(Awaited::Result { register, issued }) => {
                self.registers.set(register, Quadword::scalar(value));
                self.answered(issued, self.channel_read_spu_cycles, Some(register));
                self.advance();
            }
            Some(Awaited::Done { issued }) => {
                self.answered(issued, self.channel_write_spu_cycles, None);
                self.advance();
            }
            Some(Awaited::BranchIf { target, interrupts, issued }) => {
                self.answered(issued, self.channel_read_spu_cycles, None);
                let now = self.pipeline.next() - 1;
                let effect = if value == 0 { Effect::Next } else { Effect::Branch { target, interrupts } };
                self.branch(now, effect, None, &mut ());
            }
            None => {}
        }
    }

    /// Executes the code from `pc` up to a special instruction or to the end of the line.
    #[inline(always)]
    fn straight<P: Probe>(&mut self, ls: &mut LocalStore, limit: u64, probe: &mut P) -> Stretch {
        let Spu { registers, fpscr, pc, pipeline, code, costs, .. } = self;
        let slots = code.line(*pc, ls, costs);
        let from = pipeline.next();
        pipeline.enter(*pc);
        probe.lost(*pc, Cause::Fetch, from, pipeline.next());
        let first = index(*pc, LINE_BYTES as u32);
        let until = first + (costs.fetch_line_bytes / 4) as usize - index(*pc, costs.fetch_line_bytes);
        let (mut address, mut state) = (*pc, State { registers, fpscr, ls });
        for slot in &slots[first..until] {
            if slot.kind.is_special() {
                *pc = address;
                return Stretch::Special;
            }
            let uses_local_store = slot.kind != Kind::Plain;
            if uses_local_store {
                let (from, mut at) = (pipeline.next(), pipeline.issues_at(&slot.timing));
                if pipeline.waits_for_port(at) {
                    probe.lost(address, Cause::Dependency, from, at);
                    probe.lost(address, Cause::Port, at, at + 1);
                    at += 1;
                }
                if at >= limit {
                    *pc = address;
                    return Stretch::Late;
                }
            }
            let now = issue(slot, address, pipeline, probe);
            (slot.computation)(&slot.instruction, &mut state);
            address += 4;
            if uses_local_store {
                pipeline.port_taken(now);
                if slot.kind == Kind::Store && state.ls.watched_was_written() {
                    break;
                }
            }
        }
        *pc = address;
        self.wrap();
        Stretch::Again
    }
}
