//! A debugger's view of the process, and its control over the threads of the process.
//!
//! A [`Debugger`] decides what happens at each stop. The [`plan`] tells where threads stop: at breakpoints, at
//! watchpoints, after steps. While a process is stopped, no simulated time passes, and [`Stopped`] gives access to
//! everything in it.
//!
//! Breakpoints are compared with the program counter, so the program's memory stays as it is. A run with a debugger
//! that changes nothing takes exactly as long as a run without one, because a thread that executes one instruction at
//! a time still has the same turns.
//!
//! Runs repeat exactly, so a debugger can go back: the process is started again, and stops at an earlier moment
//! ([`history`]). Until it is where it has been before, it is in its past, and nothing can be changed.
//!
//! MODEL: only the thread that stops is at an exact point of time. The other hardware thread may be a turn ahead, and
//! SPEs may be ahead up to their next access to anything that other units see. A watchpoint sees the instructions of
//! the PPE, but neither DMA nor system calls.

pub mod history;
pub mod plan;
pub mod stop_reason;
pub(crate) mod stopped;

use super::hardware::Hardware;
use super::kernel::{End, Kernel};
use super::signals::number::Signal;
use super::signals::pending::{Info, code};
use super::threads::deliver;
use super::tid::Tid;
use history::{Aim, Goal, History, Moment, Search, Way};
use plan::{Action, Plan};
use ppu::accesses::accessed;
use ppu::decode::decode;
use std::collections::BTreeMap;
use stop_reason::Obstacle;
pub use stop_reason::StopReason;
pub use stopped::Stopped;

/// What happens after a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The process goes on.
    Resume(Resume),
    /// The process goes back.
    Back(Way),
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
    /// What single threads do. All other threads continue.
    pub actions: BTreeMap<Tid, Action>,
    /// Whether only the threads in `actions` execute instructions.
    pub locked: bool,
    /// Signals that threads receive. A signal at which a thread stopped is dropped unless it is here.
    pub signals: BTreeMap<Tid, Signal>,
}

/// A debugger.
pub trait Debugger {
    /// The process has stopped, and stays so until this function returns.
    fn stopped(&mut self, stopped: &mut Stopped<'_>) -> Reply;

    /// Whether the process shall stop as soon as possible. [`Debugger::stopped`] ends this wish.
    fn wants_stop(&self) -> bool;

    /// The process has ended, or the run has failed for another reason.
    fn ended(&mut self, end: Option<&End>);
}

/// The debugger of a process, if there is one.
#[derive(Default)]
pub struct Debugging {
    debugger: Option<Box<dyn Debugger>>,
    plan: Plan,
    history: History,
    /// What this run is for.
    aim: Aim,
    /// Whether this run must end, because another one goes back.
    leaves: bool,
    /// Signals that the debugger has passed on, and that must not stop their threads again.
    passed: BTreeMap<Tid, Signal>,
    /// Instructions that all threads have completed.
    pub completed: u64,
}

/// Instructions that may issue in one processor cycle.
const ISSUED_PER_CYCLE: u64 = 2;
/// Instructions by which a turn may exceed its budget, generously.
const OVERSHOOT: u64 = 1 << 10;

impl Debugging {
    /// The process stops before its first instruction.
    pub fn new(debugger: Box<dyn Debugger>) -> Debugging {
        Debugging { debugger: Some(debugger), plan: Plan::stop_at_start(), ..Debugging::default() }
    }

    /// Whether the process shall stop as soon as possible.
    pub fn wants_stop(&self) -> bool {
        self.debugger.as_ref().is_some_and(|debugger| debugger.wants_stop())
    }

    /// Whether this run must end, because another one goes back.
    pub fn leaves(&self) -> bool {
        self.leaves
    }

    /// The debugger of the run that goes back, if that is why this one has ended. A search may have come to the end of
    /// the process.
    pub fn next_run(&mut self) -> Option<Debugging> {
        match &self.aim {
            Aim::Search(search) if !self.leaves => self.seek(search.found.unwrap_or(Goal::START)),
            _ if !self.leaves => return None,
            _ => (),
        }
        let Debugging { debugger, mut plan, history, aim, .. } = std::mem::take(self);
        plan.again();
        Some(Debugging { debugger, plan, history: history.again(), aim, ..Debugging::default() })
    }

    /// Whether [`Debugging::before`] must be called for each instruction of a turn. A debugger knows the moment of
    /// each, except far before the goal of a way back.
    pub fn asks_each_instruction(&mut self, budget_cycles: u64) -> bool {
        if self.debugger.is_none() {
            return false;
        }
        let Aim::Seek(goal) = &self.aim else { return true };
        let most = budget_cycles.saturating_mul(ISSUED_PER_CYCLE).saturating_add(OVERSHOOT);
        let is_near = self.completed.saturating_add(most) >= goal.moment.completed;
        if !is_near {
            self.history.skip();
            self.plan.skip();
        }
        is_near
    }

    /// Whether a thread must not execute instructions now.
    pub fn holds(&self, tid: Tid) -> bool {
        self.debugger.is_some() && self.plan.holds(tid)
    }

    /// A thread is about to execute an instruction. Stops the process if there is a reason. Returns whether the
    /// thread's turn must end, because the debugger has changed something or goes back.
    pub fn before(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) -> bool {
        let Some(thread) = kernel.scheduler.threads.get(&tid) else { return true };
        let cpu = &thread.cpu;
        let pc = cpu.pc;
        let access = || {
            let mut word = [0; 4];
            hardware.look(pc as u32, &mut word).ok()?;
            let instruction = decode(u32::from_be_bytes(word), pc as u32);
            accessed(&instruction, cpu, hardware.effective(u32::MAX) > u32::MAX.into())
        };
        let now = self.history.next(self.completed);
        let begins = !self.plan.has_begun(tid, pc);
        let reason = match &mut self.aim {
            Aim::Show => self.plan.reason(tid, pc, access).map(|reason| (tid, reason)),
            Aim::Seek(goal) if now > goal.moment || now == goal.moment && begins => Some((goal.tid, goal.reason)),
            Aim::Seek(_) => None,
            Aim::Search(search) if now >= search.until => {
                let goal = search.found.unwrap_or(Goal::START);
                self.seek(goal);
                return true;
            }
            Aim::Search(search) => {
                if begins && search.way == Way::Continue {
                    search.begin(tid, now, self.plan.point(pc, access));
                }
                None
            }
        };
        let reason = reason.or_else(|| self.wants_stop().then_some((tid, StopReason::Interrupted)));
        let ends = reason.is_some_and(|(tid, reason)| self.stop(kernel, hardware, tid, reason));
        if let Some(thread) = kernel.scheduler.threads.get(&tid).filter(|_| begins && !ends) {
            self.plan.begin(tid, thread.cpu.pc);
            self.history.begin(tid, now);
        }
        ends
    }

    /// A hardware thread has nothing to execute. Ends a search that has come to its end, because no further instruction
    /// may ever begin. Returns whether this run must end.
    pub fn rests(&mut self) -> bool {
        if let Aim::Search(search) = &self.aim
            && self.history.next(self.completed) >= search.until
        {
            let goal = search.found.unwrap_or(Goal::START);
            self.seek(goal);
        }
        self.leaves
    }

    /// A thread has completed an instruction, or is at the beginning of a signal handler.
    pub fn executed(&mut self, tid: Tid) {
        self.plan.executed(tid);
        let began = self.history.executed(tid);
        if let (Aim::Search(search), Some(began)) = (&mut self.aim, began) {
            search.executed(tid, began, self.history.next(self.completed));
        }
    }

    /// Signals of a thread are about to be delivered. Stops the process for the first of them, and drops the signals
    /// that the debugger keeps from the thread.
    ///
    /// MODEL: if several signals arrive at once, the process stops only for the first one that is not dropped.
    pub fn before_signals(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) {
        while self.debugger.is_some() && kernel.end.is_none() && !self.leaves {
            let Some(info) = deliver::next_signal(&mut kernel.signals, &mut kernel.scheduler.threads, tid) else {
                return;
            };
            if self.passed.remove(&tid) == Some(info.signal) {
                return;
            }
            let now = self.history.next(self.completed);
            match &self.aim {
                Aim::Show => (),
                Aim::Search(search) if search.until_signal && now >= search.until => {
                    return self.seek(search.found.unwrap_or(Goal::START));
                }
                // Signals do not stop what the debugger does not see.
                Aim::Search(_) | Aim::Seek(_) => return,
            }
            self.stop(kernel, hardware, tid, StopReason::Signal(info.signal));
            if self.debugger.is_none() || self.leaves {
                return;
            }
            match self.passed.remove(&tid) {
                Some(signal) if signal == info.signal => return,
                _ => drop(deliver::take_signal(&mut kernel.signals, &mut kernel.scheduler.threads, tid)),
            }
            self.history.obstacle.get_or_insert(Obstacle::Signal);
        }
    }

    /// Stops the process. Returns whether the turn of the thread must end.
    pub fn stop(&mut self, kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid, reason: StopReason) -> bool {
        self.aim = Aim::Show;
        let now = self.history.next(self.completed);
        let past = self.history.stop(now);
        let mut shown = reason;
        loop {
            let Some(debugger) = &mut self.debugger else { return false };
            let mut stopped =
                Stopped { kernel, hardware, plan: &mut self.plan, tid, reason: shown, past, changed: false };
            let reply = debugger.stopped(&mut stopped);
            let changed = stopped.changed;
            if changed {
                self.history.obstacle.get_or_insert(Obstacle::Changed);
            }
            match reply {
                Reply::Resume(resume) => self.resume(kernel, (tid, reason), resume, past),
                Reply::Back(way) => match self.back(way, now, reason, kernel.files.view.answers().are_complete()) {
                    Ok(()) => {
                        // Also hardware threads that wait leave this run.
                        kernel.scheduler.wake_idle(hardware);
                        return true;
                    }
                    Err(reason) => {
                        shown = reason;
                        continue;
                    }
                },
                Reply::Detach => {
                    kernel.files.view.answers().finish();
                    *self = Debugging { completed: self.completed, ..Debugging::default() };
                }
                Reply::Kill => {
                    let line = "ended by the debugger".to_string();
                    self.end(kernel, hardware, End::Killed { signal: Signal::SIGKILL, line }, past);
                }
                Reply::Abandon(line) => self.end(kernel, hardware, End::Broken { line }, past),
            }
            return changed || kernel.end.is_some();
        }
    }

    /// The process goes on.
    fn resume(&mut self, kernel: &mut Kernel, (tid, reason): (Tid, StopReason), resume: Resume, past: bool) {
        let Resume { actions, locked, signals } = resume;
        let at = |tid: Tid| kernel.scheduler.threads.get(&tid).map(|thread| thread.cpu.pc);
        let steps_over = at(tid).is_some_and(|pc| self.plan.is_step_over((tid, pc), reason, &actions));
        let locked = locked && !past && !steps_over;
        if locked {
            self.history.obstacle.get_or_insert(Obstacle::Locked);
        }
        self.plan.resume(actions, locked, at);
        match (past, reason) {
            // What happened to signals happens again.
            (true, StopReason::Signal(signal)) => self.passed = BTreeMap::from([(tid, signal)]),
            (true, _) => self.passed.clear(),
            (false, _) => {
                self.passed = signals;
                self.send_passed(kernel, tid, reason);
            }
        }
    }

    /// Sends the signals of a resumption, except the one that is already pending.
    fn send_passed(&mut self, kernel: &mut Kernel, tid: Tid, reason: StopReason) {
        for (to, signal) in &self.passed {
            if (*to, StopReason::Signal(*signal)) != (tid, reason) {
                self.history.obstacle.get_or_insert(Obstacle::Signal);
                // A thread that has ended gets no signal.
                let _ = kernel.send_to_thread(*to, Info::from_self(*signal, code::USER));
            }
        }
    }

    /// Goes back from this moment, by another run.
    ///
    /// # Errors
    /// The reason why the process stays where it is.
    fn back(&mut self, way: Way, now: Moment, reason: StopReason, answered: bool) -> Result<(), StopReason> {
        let full = (!answered).then_some(Obstacle::Full);
        if let Some(obstacle) = self.history.obstacle.or(full) {
            return Err(StopReason::NoWayBack(obstacle));
        }
        if now == Moment::default() {
            return Err(StopReason::Beginning);
        }
        match self.history.known(way) {
            Some(goal) => self.seek(goal),
            None if way == Way::Continue && !self.plan.has_points() => self.seek(Goal::START),
            None => {
                self.aim = Aim::Search(Search::new(way, now, matches!(reason, StopReason::Signal(_))));
                self.leaves = true;
            }
        }
        Ok(())
    }

    /// Ends this run. Another one stops at the goal.
    fn seek(&mut self, goal: Goal) {
        self.aim = Aim::Seek(goal);
        self.leaves = true;
    }

    /// Ends the process.
    fn end(&self, kernel: &mut Kernel, hardware: &mut dyn Hardware, end: End, past: bool) {
        // Files already contain what the process wrote later.
        if past {
            kernel.files.view.answers().close();
        }
        kernel.end(hardware, end);
    }

    /// Reports the end of the process to the debugger.
    pub fn ended(&mut self, end: Option<&End>) {
        if let Some(mut debugger) = self.debugger.take() {
            debugger.ended(end);
        }
    }
}
