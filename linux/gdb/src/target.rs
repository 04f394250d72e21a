//! The process as a target of the protocol: what a client may ask, and what it may do.

use crate::messages::{Facts, Order};
use crate::monitor;
use crate::registers::{self, Number, Ppe, Registers};
use crate::signals::from_gdb;
use gdbstub::common::{Signal as Gdb, Tid as GdbTid};
use gdbstub::target::ext::auxv::{Auxv, AuxvOps};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume, MultiThreadResumeOps,
    MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps};
use gdbstub::target::ext::base::single_register_access::{SingleRegisterAccess, SingleRegisterAccessOps};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{self, TargetError, TargetResult};
use linux::debug::history::Way;
use linux::debug::plan::{Action, Watchpoint};
use linux::debug::stop_reason::Kind;
use linux::debug::{Reply, Resume, Stopped};
use linux::tid::Tid;
use std::convert::Infallible;
use std::sync::mpsc::{Sender, channel};

/// The process as a target.
pub struct Target {
    orders: Sender<Order>,
    facts: Facts,
    /// Whether the process is stopped. Questions about a running process have no answer.
    stopped: bool,
    /// How the process will go on.
    resume: Resume,
}

/// Why a question has no answer: the process runs or has ended, or there is nothing such.
type Unanswered = TargetError<Infallible>;

impl Target {
    /// The target before its first stop.
    pub fn new(orders: Sender<Order>, facts: Facts) -> Target {
        Target { orders, facts, stopped: true, resume: Resume::default() }
    }

    /// Whether the process is stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The process has stopped.
    pub fn begin_stop(&mut self) {
        self.stopped = true;
    }

    /// The session ends.
    pub fn finish(&mut self, reply: Reply) {
        if self.stopped {
            // If the simulator has ended, there is nothing left to finish.
            let _ = self.orders.send(Order::Go(reply));
        }
    }

    /// Asks the simulator's thread.
    fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Stopped<'_>) -> R + Send + 'static,
    ) -> Result<R, Unanswered> {
        if !self.stopped {
            return Err(TargetError::NonFatal);
        }
        let (answer, answered) = channel();
        let question = move |stopped: &mut Stopped<'_>| drop(answer.send(question(stopped)));
        self.orders.send(Order::Ask(Box::new(question))).map_err(|_| TargetError::NonFatal)?;
        answered.recv().map_err(|_| TargetError::NonFatal)
    }
}

/// A thread's number.
fn tid_of(tid: GdbTid) -> Tid {
    Tid(u32::try_from(tid.get()).unwrap_or(u32::MAX))
}

/// Copies a part of a text or vector into the buffer of an answer.
fn part(whole: &[u8], offset: u64, length: usize, buffer: &mut [u8]) -> usize {
    let rest = usize::try_from(offset).ok().and_then(|offset| whole.get(offset..)).unwrap_or_default();
    let count = rest.len().min(length).min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    count
}

impl target::Target for Target {
    type Arch = Ppe;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, Ppe, Infallible> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(&mut self) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn support_auxv(&mut self) -> Option<AuxvOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for Target {
    fn read_registers(&mut self, registers: &mut Registers, tid: GdbTid) -> TargetResult<(), Self> {
        let cpu = self.ask(move |stopped| stopped.registers(tid_of(tid)).cloned())?;
        *registers = Registers { cpu: cpu.ok_or(TargetError::NonFatal)?, width: self.facts.width };
        Ok(())
    }

    fn write_registers(&mut self, new: &Registers, tid: GdbTid) -> TargetResult<(), Self> {
        if new.width != self.facts.width {
            return Err(TargetError::NonFatal);
        }
        let new = new.clone();
        let written = self.ask(move |stopped| {
            let cpu = stopped.registers_mut(tid_of(tid))?;
            // Registers are written one by one, because the debugger does not see all of the processor's state.
            for number in 0..registers::COUNT {
                registers::set(cpu, number, &registers::get(&new.cpu, number, new.width));
            }
            Some(())
        });
        written?.ok_or(TargetError::NonFatal)
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, GdbTid, Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, start: u64, data: &mut [u8], _: GdbTid) -> TargetResult<usize, Self> {
        let count = data.len();
        let bytes = self.ask(move |stopped| {
            let mut bytes = vec![0; count];
            let read = stopped.read(start, &mut bytes);
            bytes.truncate(read);
            bytes
        })?;
        if bytes.is_empty() && count > 0 {
            return Err(TargetError::NonFatal);
        }
        data[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write_addrs(&mut self, start: u64, data: &[u8], _: GdbTid) -> TargetResult<(), Self> {
        let data = data.to_vec();
        let written = self.ask(move |stopped| stopped.write(start, &data))?;
        written.then_some(()).ok_or(TargetError::NonFatal)
    }

    fn list_active_threads(&mut self, found: &mut dyn FnMut(GdbTid)) -> Result<(), Infallible> {
        // A running process has threads that nobody knows.
        let threads = self.ask(|stopped| stopped.threads()).unwrap_or_default();
        threads.into_iter().filter_map(|tid| GdbTid::new(tid.0 as usize)).for_each(found);
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<GdbTid> for Target {
    fn read_register(&mut self, tid: GdbTid, number: Number, buffer: &mut [u8]) -> TargetResult<usize, Self> {
        let width = self.facts.width;
        let read = move |stopped: &mut Stopped<'_>| {
            stopped.registers(tid_of(tid)).map(|cpu| registers::get(cpu, number.0, width))
        };
        let bytes = self.ask(read)?.ok_or(TargetError::NonFatal)?;
        Ok(part(&bytes, 0, bytes.len(), buffer))
    }

    fn write_register(&mut self, tid: GdbTid, number: Number, value: &[u8]) -> TargetResult<(), Self> {
        if value.len() != registers::size(number.0, self.facts.width) {
            return Err(TargetError::NonFatal);
        }
        let value = value.to_vec();
        let written = self
            .ask(move |stopped| stopped.registers_mut(tid_of(tid)).map(|cpu| registers::set(cpu, number.0, &value)));
        written?.ok_or(TargetError::NonFatal)
    }
}

impl ThreadExtraInfo for Target {
    fn thread_extra_info(&self, tid: GdbTid, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let text = self.ask(move |stopped| stopped.describe(tid_of(tid))).unwrap_or_default();
        Ok(part(text.as_bytes(), 0, text.len(), buffer))
    }
}

impl MultiThreadResume for Target {
    fn resume(&mut self) -> Result<(), Infallible> {
        let resume = std::mem::take(&mut self.resume);
        self.go(Reply::Resume(resume));
        Ok(())
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, GdbTid, Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, GdbTid, Self>> {
        Some(self)
    }

    fn clear_resume_actions(&mut self) -> Result<(), Infallible> {
        self.resume = Resume::default();
        Ok(())
    }

    fn set_resume_action_continue(&mut self, tid: GdbTid, signal: Option<Gdb>) -> Result<(), Infallible> {
        self.set_action(tid, Action::Continue, signal);
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl ReverseStep<GdbTid> for Target {
    fn reverse_step(&mut self, tid: GdbTid) -> Result<(), Infallible> {
        self.go(Reply::Back(Way::Step(tid_of(tid))));
        Ok(())
    }
}

impl ReverseCont<GdbTid> for Target {
    fn reverse_cont(&mut self) -> Result<(), Infallible> {
        self.go(Reply::Back(Way::Continue));
        Ok(())
    }
}

impl Target {
    /// The process goes on or back, if it is stopped.
    fn go(&mut self, reply: Reply) {
        if std::mem::take(&mut self.stopped) {
            // If the simulator has ended, the next event says so.
            let _ = self.orders.send(Order::Go(reply));
        }
    }

    fn set_action(&mut self, tid: GdbTid, action: Action, signal: Option<Gdb>) {
        let tid = tid_of(tid);
        // The first action for a thread counts.
        self.resume.actions.entry(tid).or_insert(action);
        if let Some(signal) = signal.and_then(from_gdb) {
            self.resume.signals.insert(tid, signal);
        }
    }
}

impl MultiThreadSingleStep for Target {
    fn set_resume_action_step(&mut self, tid: GdbTid, signal: Option<Gdb>) -> Result<(), Infallible> {
        self.set_action(tid, Action::Step, signal);
        Ok(())
    }
}

impl MultiThreadRangeStepping for Target {
    fn set_resume_action_range_step(&mut self, tid: GdbTid, start: u64, end: u64) -> Result<(), Infallible> {
        self.set_action(tid, Action::StepOutOf(start..end), None);
        Ok(())
    }
}

impl MultiThreadSchedulerLocking for Target {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Infallible> {
        self.resume.locked = true;
        Ok(())
    }
}

impl Breakpoints for Target {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Target {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.ask(move |stopped| stopped.plan.breakpoints.insert(address))?;
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.ask(move |stopped| stopped.plan.breakpoints.remove(&address))
    }
}

impl HwBreakpoint for Target {
    fn add_hw_breakpoint(&mut self, address: u64, kind: usize) -> TargetResult<bool, Self> {
        self.add_sw_breakpoint(address, kind)
    }

    fn remove_hw_breakpoint(&mut self, address: u64, kind: usize) -> TargetResult<bool, Self> {
        self.remove_sw_breakpoint(address, kind)
    }
}

/// A watchpoint by its parameters in the protocol.
fn watchpoint(start: u64, bytes: u64, kind: WatchKind) -> Watchpoint {
    let kind = match kind {
        WatchKind::Write => Kind::Write,
        WatchKind::Read => Kind::Read,
        WatchKind::ReadWrite => Kind::Access,
    };
    Watchpoint { range: start..start.saturating_add(bytes), kind }
}

impl HwWatchpoint for Target {
    fn add_hw_watchpoint(&mut self, start: u64, bytes: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        self.ask(move |stopped| stopped.plan.watchpoints.push(watchpoint(start, bytes, kind)))?;
        Ok(true)
    }

    fn remove_hw_watchpoint(&mut self, start: u64, bytes: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        let removed = watchpoint(start, bytes, kind);
        self.ask(move |stopped| {
            let points = &mut stopped.plan.watchpoints;
            points.iter().position(|point| *point == removed).map(|nth| points.remove(nth)).is_some()
        })
    }
}

impl MonitorCmd for Target {
    fn handle_monitor_cmd(&mut self, command: &[u8], mut out: ConsoleOutput<'_>) -> Result<(), Infallible> {
        let command = String::from_utf8_lossy(command).into_owned();
        let text = self.ask(move |stopped| monitor::answer(&command, stopped));
        out.write_raw(text.unwrap_or_else(|_| "the program is running\n".to_string()).as_bytes());
        Ok(())
    }
}

impl TargetDescriptionXmlOverride for Target {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        Ok(part(self.facts.description.as_bytes(), offset, length, buffer))
    }
}

impl Auxv for Target {
    fn get_auxv(&self, offset: u64, length: usize, buffer: &mut [u8]) -> TargetResult<usize, Self> {
        Ok(part(&self.facts.auxiliary, offset, length, buffer))
    }
}
