//! Connects a processor to the machine by translating the processor's requests into operations of [`cell::door`].
//!
//! The processor runs ahead as far as its lookahead allows, reports the duration of the run with [`Op::Compute`], and
//! then requests the operation of the next channel instruction. The owner of a runner interprets stops and faults and
//! may let the processor continue. The owner is [`crate::program`], or an operating system on the PPE.

use crate::core::{Exit, Spu};
use crate::disassembly::disassemble;
use crate::journal::Journal;
use crate::profile::Probe;
use crate::report::Report;
use cell::channel::Channel;
use cell::door::{Op, Position, Turn};
use cell::machine::Machine;
use cell::store::LocalStore;
use cell::units::SpuCycles;
use std::cell::RefCell;
use std::rc::Rc;

/// The reason why a turn ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turned {
    /// The processor requests an operation and waits for its result.
    Ask(Op),
    /// The processor has reached a stop or a fault: [`Exit::Stop`] or [`Exit::Fault`].
    Ended(Exit),
}

/// The first action of the next turn.
enum Next {
    Run,
    Ask(Op),
    /// Pass the result of this operation, which was issued at this time, to the processor.
    Answer(Op, SpuCycles),
    End(Exit),
}

/// A processor that runs the code in its local store.
pub struct Runner<P: Probe> {
    spu: Spu,
    next: Next,
    /// The maximum length of a turn while interrupts are enabled. The maximum is one bus cycle, so that an event
    /// interrupts the program without delay.
    interruptible_spu_cycles: SpuCycles,
    /// The current instruction: its address and its instruction word.
    at: (u32, u32),
    report: Rc<RefCell<Report<P>>>,
    journal: Journal,
}

impl<P: Probe> Runner<P> {
    /// A processor that begins at `entry` and reports to `report`.
    pub fn new(machine: &Machine, entry: u32, report: Rc<RefCell<Report<P>>>) -> Runner<P> {
        Runner {
            spu: Spu::new(machine, entry),
            next: Next::Run,
            interruptible_spu_cycles: machine.chip.processor_cycles_per_bus_cycle,
            at: (entry, 0),
            report,
            journal: Journal::default(),
        }
    }

    /// The processor.
    pub fn spu(&self) -> &Spu {
        &self.spu
    }

    /// The processor, mutably. A caller may modify the processor between turns.
    pub fn spu_mut(&mut self) -> &mut Spu {
        &mut self.spu
    }

    /// The processor's report.
    pub fn report(&self) -> &Rc<RefCell<Report<P>>> {
        &self.report
    }

    /// The address of the current instruction; after a stop or fault, the address of the instruction that caused it.
    pub fn at(&self) -> u32 {
        self.at.0
    }

    /// The address and disassembled text of the current instruction, for messages.
    pub fn place(&self) -> String {
        let (address, word) = self.at;
        let text = disassemble(word, address);
        // Drop the remark after `#`, which only repeats an operand.
        let text = text.split('#').next().unwrap_or_default();
        format!("{address:#x} ({})", text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The operation whose result the processor waits for; `None` if the processor computes.
    pub fn awaits(&self) -> Option<Op> {
        match self.next {
            Next::Ask(op) | Next::Answer(op, _) => Some(op),
            Next::Run | Next::End(_) => None,
        }
    }

    /// The positions in the last turn; see [`cell::door::Program::take_positions`].
    pub fn take_positions(&mut self) -> Vec<Position> {
        self.journal.take()
    }

    /// Continues at another address. A pending operation is dropped, and its result is discarded.
    pub fn go_to(&mut self, address: u32) {
        if let Next::Ask(_) | Next::Answer(..) = std::mem::replace(&mut self.next, Next::Run) {
            self.spu.answer(0);
        }
        self.spu.set_pc(address);
    }

    /// Runs a turn. A turn without lookahead executes no instruction.
    pub fn turn(&mut self, turn: &Turn, ls: &mut LocalStore) -> Turned {
        loop {
            match std::mem::replace(&mut self.next, Next::Run) {
                Next::Ask(op) => {
                    self.next = Next::Answer(op, turn.time);
                    return Turned::Ask(op);
                }
                Next::Answer(op, asked_at) => {
                    self.report.borrow_mut().waits.answered(op, turn.time - asked_at);
                    self.spu.answer(turn.answer);
                }
                Next::End(exit) => return Turned::Ended(exit),
                // The run may access the local store, so it needs a lookahead.
                Next::Run if turn.lookahead == 0 => return Turned::Ask(Op::Compute(0)),
                Next::Run => {
                    let elapsed = self.run(turn, ls);
                    if elapsed > 0 || matches!(self.next, Next::Run) {
                        return Turned::Ask(Op::Compute(elapsed));
                    }
                }
            }
        }
    }

    /// Runs within the lookahead. Returns the duration of the run.
    fn run(&mut self, turn: &Turn, ls: &mut LocalStore) -> SpuCycles {
        let budget = if self.spu.interrupts_enabled() {
            if turn.event {
                self.spu.interrupt();
            }
            turn.lookahead.min(self.interruptible_spu_cycles)
        } else {
            turn.lookahead
        };
        if let Some(at) = turn.line_at {
            self.spu.line_at(at - turn.time);
        }
        let report = &mut *self.report.borrow_mut();
        let (elapsed, exit) = if turn.traced {
            self.journal.begin(turn.time, self.spu.accounted());
            run_pieces(&mut self.spu, ls, budget, &mut (&mut report.probe, &mut self.journal))
        } else {
            run_pieces(&mut self.spu, ls, budget, &mut report.probe)
        };
        report.instructions = self.spu.instructions();
        let pc = self.spu.pc();
        let at = if matches!(exit, Exit::Stop { .. }) { pc.wrapping_sub(4) % ls.size_bytes() as u32 } else { pc };
        self.at = (at, ls.read_u32(at.into()));
        self.journal.end(turn.time + elapsed, self.at, turn.traced, matches!(exit, Exit::Stop { .. }));
        self.next = match exit {
            Exit::Budget | Exit::Enabled => Next::Run,
            Exit::Read { channel } => Next::Ask(Op::Read(Channel(channel))),
            Exit::Count { channel } => Next::Ask(Op::Count(Channel(channel))),
            Exit::Write { channel, value } => Next::Ask(Op::Write(Channel(channel), value)),
            exit @ (Exit::Stop { .. } | Exit::Fault(_)) => Next::End(exit),
        };
        elapsed
    }
}

/// Runs within the lookahead. With an active probe, the run is split into short pieces, so that the probe can read the
/// code before it changes. For example, newlib's `printf` executes a loop on its stack, and the loop may be overwritten
/// before the turn ends.
fn run_pieces<P: Probe>(spu: &mut Spu, ls: &mut LocalStore, budget: SpuCycles, probe: &mut P) -> (SpuCycles, Exit) {
    let most = if P::ON { 64 } else { SpuCycles::MAX };
    let mut elapsed = 0;
    loop {
        let (piece, exit) = spu.run(ls, most.min(budget - elapsed), probe);
        elapsed += piece;
        probe.paused(ls);
        if elapsed >= budget || !matches!(exit, Exit::Budget) {
            return (elapsed, exit);
        }
    }
}
