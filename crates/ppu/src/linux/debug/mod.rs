//! A debugger's view of the process, and its control over the threads of the process.
//!
//! A [`Debugger`] decides what happens at each stop.  The [`plan`] tells where threads stop: at breakpoints, at
//! watchpoints, after steps.  While a process is stopped, no simulated time passes, and [`Stopped`] gives access to
//! everything in it.
//!
//! Breakpoints are compared with the program counter, so the program's memory stays as it is.  A run with a debugger
//! that changes nothing takes exactly as long as a run without one, because a thread that executes one instruction at
//! a time still has the same turns.
//!
//! MODEL: only the thread that stops is at an exact point of time.  The other hardware thread may be a turn ahead, and
//! SPEs may be ahead up to their next access to anything that other units see.  A watchpoint sees the instructions of
//! the PPE, but neither DMA nor system calls.

pub mod plan;
pub mod stopped;
pub mod why;

use super::hardware::Hardware;
use super::kernel::{End, Kernel};
use super::signals::number::Signal;
use super::signals::pending::{Info, code};
use super::threads::deliver;
use super::tid::Tid;
use crate::accesses::accessed;
use crate::decode::decode;
use plan::{Action, Plan};
use std::collections::BTreeMap;
pub use stopped::Stopped;
pub use why::Why;

/// What happens after a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The process goes on.
    Resume(Resume),
    /// The process goes on without the debugger.
    Detach,
    /// The process ends, as by `SIGKILL`.
    Kill,
    /// The run ends with this message.
    Abandon(String),
}

/// How the process goes on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Resume {
    /// What single threads do.  All other threads continue.
    pub actions: BTreeMap<Tid, Action>,
    /// Whether only the threads in `actions` execute instructions.
    pub locked: bool,
    /// Signals that threads receive.  A signal at which a thread stopped is dropped unless it is here.
    pub signals: BTreeMap<Tid, Signal>,
}

/// A debugger.
pub trait Debugger {
    /// The process has stopped, and stays so until this function returns.
    fn stopped(&mut self, stopped: &mut Stopped<'_>) -> Reply;

    /// Whether the process shall stop as soon as possible.  [`Debugger::stopped`] ends this wish.
    fn wants_stop(&self) -> bool;

    /// The process has ended, or the run has failed for another reason.
    fn ended(&mut self, end: Option<&End>);
}

/// The debugger of a process, if there is one.
#[derive(Default)]
pub struct Debugging {
    debugger: Option<Box<dyn Debugger>>,
    plan: Plan,
    /// Signals that the debugger has passed on, and that must not stop their threads again.
    passed: BTreeMap<Tid, Signal>,
}

impl Debugging {
    /// The process stops before its first instruction.
    pub fn new(debugger: Box<dyn Debugger>) -> Debugging {
        Debugging { debugger: Some(debugger), plan: Plan::stop_at_start(), passed: BTreeMap::new() }
    }

    /// Whether the process shall stop as soon as possible.
    pub fn wants_stop(&self) -> bool {
        self.debugger.as_ref().is_some_and(|debugger| debugger.wants_stop())
    }

    /// Whether [`Debugging::before`] must be called for each instruction.
    pub fn asks_each_instruction(&self) -> bool {
        self.debugger.is_some() && self.plan.is_active()
    }

    /// Whether a thread must not execute instructions now.
    pub fn holds(&self, tid: Tid) -> bool {
        self.debugger.is_some() && self.plan.holds(tid)
    }

    /// A thread is about to execute an instruction.  Stops the process if there is a reason.  Returns whether the
    /// thread's turn must end, because the debugger has changed something.
    pub fn before(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) -> bool {
        let Some(thread) = kernel.scheduler.threads.get(&tid) else { return true };
        let cpu = &thread.cpu;
        let access = || {
            let mut word = [0; 4];
            hardware.look(cpu.pc as u32, &mut word).ok()?;
            let instruction = decode(u32::from_be_bytes(word), cpu.pc as u32);
            accessed(&instruction, cpu, hardware.effective(u32::MAX) > u32::MAX.into())
        };
        let why = self.plan.reason(tid, cpu.pc, access).or_else(|| self.wants_stop().then_some(Why::Interrupted));
        let ends = why.is_some_and(|why| self.stop(kernel, hardware, tid, why));
        if let Some(thread) = kernel.scheduler.threads.get(&tid).filter(|_| !ends) {
            self.plan.begin(tid, thread.cpu.pc);
        }
        ends
    }

    /// A thread has completed an instruction, or is at the beginning of a signal handler.
    pub fn executed(&mut self, tid: Tid) {
        self.plan.executed(tid);
    }

    /// Signals of a thread are about to be delivered.  Stops the process for the first of them, and drops the signals
    /// that the debugger keeps from the thread.
    ///
    /// MODEL: if several signals arrive at once, the process stops only for the first one that is not dropped.
    pub fn before_signals(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) {
        while self.debugger.is_some() && kernel.end.is_none() {
            let Some(info) = deliver::next_signal(&mut kernel.signals, &mut kernel.scheduler.threads, tid) else {
                return;
            };
            if self.passed.remove(&tid) == Some(info.signal) {
                return;
            }
            self.stop(kernel, hardware, tid, Why::Signal(info.signal));
            if self.debugger.is_none() {
                return;
            }
            match self.passed.remove(&tid) {
                Some(signal) if signal == info.signal => return,
                _ => drop(deliver::take_signal(&mut kernel.signals, &mut kernel.scheduler.threads, tid)),
            }
        }
    }

    /// Stops the process.  Returns whether the turn of the thread must end.
    pub fn stop(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid, why: Why) -> bool {
        let Some(debugger) = &mut self.debugger else { return false };
        let mut stopped = Stopped { kernel, hardware, plan: &mut self.plan, tid, why, changed: false };
        let reply = debugger.stopped(&mut stopped);
        let changed = stopped.changed;
        match reply {
            Reply::Resume(Resume { actions, locked, signals }) => {
                let at = |tid: Tid| kernel.scheduler.threads.get(&tid).map(|thread| thread.cpu.pc);
                self.plan.resume(actions, locked, at);
                self.passed = signals;
                self.send_passed(kernel, tid, why);
            }
            Reply::Detach => *self = Debugging::default(),
            Reply::Kill => {
                let line = "ended by the debugger".to_string();
                kernel.end(hardware, End::Killed { signal: Signal::SIGKILL, line });
            }
            Reply::Abandon(line) => kernel.end(hardware, End::Broken { line }),
        }
        changed || kernel.end.is_some()
    }

    /// Sends the signals of a resumption, except the one that is already pending.
    fn send_passed(&mut self, kernel: &mut Kernel, tid: Tid, why: Why) {
        for (to, signal) in &self.passed {
            if (*to, Why::Signal(*signal)) != (tid, why) {
                // A thread that has ended gets no signal.
                let _ = kernel.send_to_thread(*to, Info::from_self(*signal, code::USER));
            }
        }
    }

    /// Reports the end of the process to the debugger.
    pub fn ended(&mut self, end: Option<&End>) {
        if let Some(mut debugger) = self.debugger.take() {
            debugger.ended(end);
        }
    }
}
