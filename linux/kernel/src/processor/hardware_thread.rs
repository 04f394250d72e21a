//! A hardware thread of the PPE, which is a program of the simulated machine. A hardware thread runs the threads of a
//! process, one at a time.
//!
//! The hardware thread executes instructions within its lookahead, and then lets their duration pass in simulated time.
//! A system call takes effect once the duration of the call has passed.

use super::backtrace::Names;
use super::fault::{fault, locate};
use super::floating::Ended;
use super::machine::Machine;
use super::process::Process;
use super::storage::{NO_LINE, Reserved, Storage};
use super::translation::{Translation, tlb};
use super::turn::{self, SAMPLE_CYCLES};
use crate::debug::Debugging;
use crate::hardware::Hardware;
use crate::kernel::{End, Kernel};
use crate::start::NewProcess;
use crate::syscalls::dispatch;
use crate::threads::deliver::{Delivered, deliver};
use crate::threads::thread::State;
use crate::tid::Tid;
use crate::wait::{Nanos, Wait};
use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor};
use cell::machine::Machine as Description;
use cell::system::System;
use cell::units::{SpeId, THREADS_PER_PPE, other_thread};
use ppu::core::Exit;
use ppu::memory::Stop;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Maximum length of a turn in processor cycles. The limit ensures that the observer of a run is called regularly.
const TURN_CYCLES: u64 = 1 << 20;
/// Maximum length of a turn, in processor cycles, while the other hardware thread runs.
///
/// MODEL: stores of one hardware thread, and its start and stop, may become visible to the other hardware thread up to
/// this many cycles late.
const TURN_BESIDE_CYCLES: u64 = 1 << 12;
/// A turn that is limited by its lookahead ends at a multiple of this number of processor cycles.
///
/// MODEL: while other units are busy, the PPE's accesses to main memory take effect up to this many cycles early, and
/// the PPE sees the accesses of other units up to this many cycles late. The PPE's accesses over the bus happen at the
/// correct time.
const TURN_STEP_CYCLES: u64 = 64;

/// Cycles for which a thread waits that a debugger holds, until it is asked again.
const HELD_CYCLES: u64 = 64;

/// The error that ends a run whose debugger goes back. Nobody sees it.
const LEAVES: &str = "another run goes back";

/// Loads a process onto all hardware threads of a machine.
pub fn load(system: &mut System<'_>, machine: &Description, kernel: Kernel, start: NewProcess) -> Rc<RefCell<Process>> {
    let process = Rc::new(RefCell::new(Process::new(machine, kernel, start)));
    for ppe in 0..machine.bif.chips as usize {
        let tlb = tlb(machine);
        let reserved: Reserved = Rc::new([Cell::new(NO_LINE), Cell::new(NO_LINE)]);
        for thread in 0..THREADS_PER_PPE {
            system.load_ppe(Box::new(HardwareThread {
                number: ppe * THREADS_PER_PPE + thread,
                process: Rc::clone(&process),
                storage: Storage::new(thread, Rc::clone(&reserved), Translation::new(machine, &tlb)),
                next: Next::Choose,
                asked_at: 0,
            }));
        }
    }
    process
}

pub(crate) struct HardwareThread {
    /// The thread's number among the hardware threads of all PPEs.
    number: usize,
    process: Rc<RefCell<Process>>,
    storage: Storage,
    next: Next,
    /// Time of the latest operation that an instruction requested, in processor cycles.
    asked_at: u64,
}

/// First action of the next turn.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// Choose a thread.
    Choose,
    /// Continue the chosen thread with its system call in progress, or else with its code.
    Begin(Tid),
    /// Run a thread's code.
    Run(Tid),
    /// Make a thread's system call, after the duration of the call.
    Call(Tid),
    /// Request an operation from the machine for a thread's instruction.
    Ask(Tid, PpeOp),
    /// Handle the machine's answer to a requested operation.
    Answer(Tid, PpeOp),
}

impl PpeProgram for HardwareThread {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        let shared = Rc::clone(&self.process);
        let process = &mut *shared.borrow_mut();
        process.begin_turn_of(self.ppe());
        process.start(machine);
        // The machine's answer to an idle hardware thread is 1 if an interrupt has woken it. Polling the kernel
        // without an interrupt is harmless.
        let interrupted = machine.take_interrupt() || turn.answer == 1;
        process.poll(interrupted, machine);
        loop {
            if process.debugging.leaves() {
                return Err(LEAVES.to_string());
            }
            if let Some(end) = &process.kernel.end {
                // The SPEs halt when the process ends.
                (0..machine.spe_count()).for_each(|spe| machine.halt(SpeId(spe)));
                return Ok(PpeStep::Stop(end.status().into()));
            }
            match self.go_on(&turn, process, machine) {
                Ok(Some(op)) => return Ok(PpeStep::Ask(op)),
                Ok(None) => (),
                Err(line) => {
                    let hardware = &mut Machine { supervisor: machine, code: &mut process.code, width: process.width };
                    process.kernel.end(hardware, End::Broken { line });
                }
            }
        }
    }

    fn runs_ahead(&self) -> bool {
        true
    }
}

impl HardwareThread {
    fn ppe(&self) -> usize {
        self.number / THREADS_PER_PPE
    }

    /// Performs the next step. Returns an operation for the machine, if the step needs one.
    fn go_on(
        &mut self,
        turn: &PpeTurn,
        process: &mut Process,
        machine: &mut dyn Supervisor,
    ) -> Result<Option<PpeOp>, String> {
        let Process { kernel, code, width, debugging, .. } = process;
        let hardware = &mut Machine { supervisor: machine, code, width: *width };
        match std::mem::replace(&mut self.next, Next::Choose) {
            Next::Choose => {
                let op = self.choose(kernel, hardware);
                let leaves = matches!(op, PpeOp::Wait { .. }) && debugging.rests();
                Ok((!leaves).then_some(op))
            }
            Next::Begin(tid) if kernel.scheduler.threads.get(&tid).is_some_and(|thread| thread.request.is_some()) => {
                self.call(tid, kernel, hardware)
            }
            Next::Begin(tid) => self.then(Next::Run(tid)),
            Next::Call(tid) => self.call(tid, kernel, hardware),
            Next::Run(tid) if debugging.holds(tid) && !self.storage.replay.is_replaying() => {
                self.next = Next::Run(tid);
                Ok(Some(PpeOp::Compute(HELD_CYCLES)))
            }
            Next::Run(tid) => {
                if let Some(op) = self.interrupt(tid, kernel, hardware, debugging)? {
                    return Ok(op);
                }
                Ok(Some(self.run(tid, turn, kernel, hardware, debugging)))
            }
            Next::Ask(tid, op) => {
                self.asked_at = turn.time;
                self.next = Next::Answer(tid, op);
                Ok(Some(op))
            }
            Next::Answer(tid, op) => {
                let delay = self.storage.made(op, turn.answer);
                if let Some(thread) = kernel.scheduler.threads.get_mut(&tid) {
                    thread.cpu.resume(&mut hardware.code.pipelines, turn.time - self.asked_at, delay);
                }
                self.then(Next::Run(tid))
            }
        }
    }

    fn then(&mut self, next: Next) -> Result<Option<PpeOp>, String> {
        self.next = next;
        Ok(None)
    }

    /// Chooses the next thread, or makes the hardware thread idle.
    fn choose(&mut self, kernel: &mut Kernel, hardware: &mut Machine<'_>) -> PpeOp {
        let now = kernel.clock.nanos(hardware.time_base());
        match kernel.scheduler.choose(self.number, now) {
            Some(tid) => {
                self.storage.switch(hardware.supervisor);
                if let Some(thread) = kernel.scheduler.threads.get_mut(&tid).filter(|thread| thread.ppe != self.ppe()) {
                    thread.ppe = self.ppe();
                    thread.cpu.pipelines = 0;
                }
                self.next = Next::Begin(tid);
                PpeOp::Compute(kernel.clock.cycles(kernel.costs.thread_switch_ns))
            }
            None => {
                kernel.scheduler.idle(self.number);
                self.next = Next::Choose;
                PpeOp::Wait { until: kernel.next_deadline().map(|at| kernel.clock.ticks(at)) }
            }
        }
    }

    /// Makes a thread's system call, after the duration of the call.
    fn call(&mut self, tid: Tid, kernel: &mut Kernel, hardware: &mut dyn Hardware) -> Result<Option<PpeOp>, String> {
        dispatch::make_call(kernel, hardware, tid)?;
        let runs = kernel.scheduler.threads.get(&tid).is_some_and(|thread| thread.state == State::Running);
        self.then(if runs { Next::Run(tid) } else { Next::Choose })
    }

    /// Handles signals and the end of the time slice before a thread's next instruction. Returns `Some(None)` if
    /// another step must follow.
    fn interrupt(
        &mut self,
        tid: Tid,
        kernel: &mut Kernel,
        hardware: &mut dyn Hardware,
        debugging: &mut Debugging,
    ) -> Result<Option<Option<PpeOp>>, String> {
        // An instruction that is being replayed must be completed first.
        if self.storage.replay.is_replaying() {
            return Ok(None);
        }
        if kernel.signals.unchecked {
            debugging.before_signals(kernel, hardware, tid);
            if kernel.end.is_some() {
                return Ok(Some(None));
            }
            let handlers = match deliver(&mut kernel.signals, &mut kernel.scheduler.threads, hardware, tid)? {
                Delivered::Handlers(handlers) => handlers,
                Delivered::Killed { signal, line, is_fault } => {
                    let line = death(kernel, hardware, tid, line, is_fault);
                    kernel.end(hardware, End::Killed { signal, line });
                    return Ok(Some(None));
                }
            };
            if handlers > 0 {
                debugging.executed(tid);
                self.storage.end();
                self.next = Next::Run(tid);
                let nanos = kernel.costs.signal_ns.saturating_mul(handlers.into());
                return Ok(Some(Some(PpeOp::Compute(kernel.clock.cycles(nanos)))));
            }
        }
        let now = || kernel.clock.nanos(hardware.time_base());
        if kernel.scheduler.need_resched(self.number, tid, now) {
            self.storage.end();
            kernel.scheduler.yield_now(hardware, self.number);
            self.next = Next::Choose;
            return Ok(Some(None));
        }
        Ok(None)
    }

    /// Executes a thread's instructions, at most until the end of the turn.
    fn run(
        &mut self,
        tid: Tid,
        turn: &PpeTurn,
        kernel: &mut Kernel,
        hardware: &mut Machine<'_>,
        debugging: &mut Debugging,
    ) -> PpeOp {
        let beside = kernel.scheduler.is_busy(other_thread(self.number));
        hardware.code.pipelines.alternates = beside;
        let most = match (kernel.samples.is_some(), beside) {
            (true, _) => SAMPLE_CYCLES,
            (false, true) => TURN_BESIDE_CYCLES,
            (false, false) => TURN_CYCLES,
        };
        self.asked_at = turn.time;
        let budget = reach(turn).min(most).min(self.cycles_left(tid, kernel, hardware));
        self.next = Next::Run(tid);
        if budget == 0 {
            return PpeOp::Compute(0);
        }
        self.storage.begin(hardware.supervisor);
        let executed_before = hardware.code.instructions;
        let (span, storage) = ((turn.time, budget), &mut self.storage);
        let (spent, ended) = match debugging.asks_each_instruction(budget) {
            true => turn::step(tid, span, kernel, hardware, storage, debugging),
            false => turn::execute(tid, span, kernel, hardware, storage),
        };
        if let Some(thread) = kernel.scheduler.threads.get_mut(&tid) {
            thread.used_cycles += spent;
            if let Some(samples) = &mut kernel.samples {
                *samples.entry(thread.cpu.pc as u32).or_default() += spent;
            }
        }
        kernel.used_cycles += spent;
        kernel.poll_usage(tid);
        let faults = kernel.costs.page_fault_ns.saturating_mul(self.storage.first_uses);
        let spent_and_faults = spent + self.storage.translation.cycles + kernel.clock.cycles(faults);
        if ended == Ended::By(Exit::Stop(Stop::Wait)) {
            return self.wait(tid, hardware.code.instructions != executed_before, spent_and_faults);
        }
        self.storage.end();
        match ended {
            Ended::By(Exit::Budget) => PpeOp::Compute(spent_and_faults),
            Ended::By(Exit::SystemCall) => {
                self.next = Next::Call(tid);
                let cost = dispatch::cost_of_call(kernel, hardware, tid);
                PpeOp::Compute(spent_and_faults + kernel.clock.cycles(cost))
            }
            ended => {
                let awaited = match ended {
                    Ended::By(exit) if self.storage.outside.is_none() => kernel.awaited(exit, hardware),
                    _ => None,
                };
                match awaited {
                    Some(queue) => {
                        kernel.scheduler.sleep(tid, Wait::on(queue));
                        self.next = Next::Choose;
                    }
                    None => fault(kernel, hardware, (tid, self.storage.outside), ended),
                }
                PpeOp::Compute(spent_and_faults + kernel.clock.cycles(kernel.costs.page_fault_ns))
            }
        }
    }

    /// Ends a turn because an instruction must wait for an operation of the machine. `others_before` is true if the
    /// turn executed other instructions before.
    fn wait(&mut self, tid: Tid, others_before: bool, with_faults: u64) -> PpeOp {
        if others_before {
            self.storage.granted = None;
        }
        let Some(op) = self.storage.take_wanted(others_before) else { return PpeOp::Compute(with_faults) };
        if with_faults > 0 {
            self.next = Next::Ask(tid, op);
            return PpeOp::Compute(with_faults);
        }
        self.next = Next::Answer(tid, op);
        op
    }

    /// Processor cycles until the kernel must handle a deadline or the end of a time slice.
    fn cycles_left(&self, tid: Tid, kernel: &mut Kernel, hardware: &dyn Hardware) -> u64 {
        let until_usage_expires = kernel.cycles_until_usage_expires(tid);
        let slice_end = kernel.scheduler.slice_end(self.number);
        let next: Nanos = kernel.next_deadline().map_or(slice_end, |deadline| deadline.min(slice_end));
        if next == Nanos::MAX {
            return until_usage_expires;
        }
        let now = kernel.clock.nanos(hardware.time_base());
        kernel.clock.cycles(next.saturating_sub(now)).max(1).min(until_usage_expires)
    }
}

/// The reason why a signal ends the process, with the thread's place. The line of a fault has the instruction already.
fn death(kernel: &Kernel, hardware: &mut dyn Hardware, tid: Tid, line: String, is_fault: bool) -> String {
    let Some(thread) = kernel.scheduler.threads.get(&tid) else { return line };
    let at = if is_fault { String::new() } else { format!(", at {}", locate(kernel, hardware, thread.cpu.pc)) };
    format!("{line}{at}{}", Names::new(kernel).callers(&thread.cpu, hardware))
}

/// Processor cycles until the end of the turn, which is the first multiple of [`TURN_STEP_CYCLES`] after its lookahead.
/// If a turn is split, its last part ends at the cycle at which the undivided turn would have ended.
fn reach(turn: &PpeTurn) -> u64 {
    let until = turn.time.saturating_add(turn.lookahead);
    (until / TURN_STEP_CYCLES).saturating_add(1).saturating_mul(TURN_STEP_CYCLES) - turn.time
}
