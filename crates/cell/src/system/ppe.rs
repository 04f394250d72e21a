//! The PPE at work, as far as the SPEs notice it: memory, registers of SPEs, system calls.
//!
//! Loads and stores to an SPE's window travel over the bus like anything else.  They are guarded
//! accesses: a store is posted, up to `mmio_store_entries` of them, and a load waits until all stores have
//! arrived.  A `sync` waits for them too, and then goes over the bus itself: all units of all chips have
//! seen it when it ends.  A system call costs the time that the machine file gives for it, half before and half
//! after what the kernel does with the registers.
//!
//! MODEL: reading the time base takes one bus cycle.
//!
//! MODEL: main memory costs the PPE a fixed time per access, as from its caches; the caches
//! themselves and their traffic are not modelled.

use super::fast_forward::Runner;
use super::{Event, System, Unit};
use crate::door::{NO_ENTRY, PpeOp, PpeProgram, PpeStep, Syscall};
use crate::ea::mbox_stat::{IN_FREE, OUT_COUNT, OUT_INTR_COUNT};
use crate::ea::{self, Target, register, register_ea};
use crate::error::RunError;
use crate::processor::{Core, State};
use crate::request::{Issuer, Request, RequestKind};
use crate::snapshot::Snapshot;
use crate::trace::Trigger;
use crate::units::{BusCycle, LINE_BYTES, SpeId, ThreadId};
use std::collections::VecDeque;

/// One step of what the kernel does in a system call.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// Spend time.
    Wait(BusCycle),
    /// Load a register; what it holds is the value from here on.
    Load(u64),
    /// Load a register if the value has one of these bits; otherwise the value is [`NO_ENTRY`].
    LoadIf(u64, u64),
    /// Store to a register.
    Store(u64, u32),
    /// Store to a register if the value has one of these bits; the value is then 1, otherwise 0.
    StoreIf(u64, u64, u32),
    /// Keep only these bits of the value.
    Mask(u64),
    /// Set the mode of a signal register.
    SignalMode(SpeId, u8, bool),
    /// Start a thread.
    Start(ThreadId, u64),
    /// Wait for a thread to stop; its stop code is the value.
    Join(ThreadId),
}

/// The PPE.
pub(super) struct PpeUnit<'p> {
    pub program: Option<Box<dyn PpeProgram + 'p>>,
    pub core: Core<PpeOp, u64>,
    kernel: VecDeque<Kernel>,
    value: u64,
    stores: u32,
    loading: bool,
}

impl PpeUnit<'_> {
    pub fn new() -> Self {
        let kernel = VecDeque::new();
        PpeUnit { program: None, core: Core::new(), kernel, value: 0, stores: 0, loading: false }
    }

    /// What it waits for, if it has not ended.
    pub fn waiting(&self) -> Option<String> {
        let what = match self.core.state {
            State::Blocked(PpeOp::Syscall(Syscall::ThreadJoin(thread))) => {
                format!("waits for thread {} to stop", thread.0)
            }
            State::Blocked(op) => format!("waits in {op:?}"),
            _ if self.core.is_running() => "is running".to_string(),
            _ => return None,
        };
        Some(what)
    }
}

impl System<'_> {
    /// Lets the PPE's program run until it has to wait.
    pub(super) fn run_ppe(&mut self) -> Result<(), RunError> {
        loop {
            match self.ppe.core.state {
                State::Ready(answer) => self.resume_ppe(answer)?,
                State::Asked(_) | State::Stopping(_) if self.ppe_is_ahead() => {
                    let at = self.ppe.core.time.div_ceil(self.ratio);
                    self.wake(Unit::Ppe, at);
                    return Ok(());
                }
                State::Asked(op) => self.answer_ppe(op)?,
                State::Stopping(code) => self.ppe.core.state = State::Stopped(code),
                State::Blocked(PpeOp::Syscall(_)) if !self.ppe.loading => {
                    if !self.run_kernel()? {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the bus clock has yet to catch up with the PPE.
    fn ppe_is_ahead(&self) -> bool {
        self.ppe.core.time > self.now() * self.ratio
    }

    fn resume_ppe(&mut self, answer: u64) -> Result<(), RunError> {
        let Some(program) = &mut self.ppe.program else { return Ok(()) };
        self.ppe.core.note(answer);
        let progress = self.ppe.core.begin_turn();
        let step = progress.and_then(|()| program.resume(answer)).map_err(|why| self.ppe_broken("program", why))?;
        self.ppe.core.state = match step {
            PpeStep::Ask(op) => State::Asked(op),
            PpeStep::Mark { remaining } => {
                self.ppe.core.mark(remaining);
                self.ppe.core.state = State::Ready(0);
                State::Ready(self.marked(Runner::Ppe))
            }
            PpeStep::Stop(code) => State::Stopping(code),
        };
        Ok(())
    }

    fn answer_ppe(&mut self, op: PpeOp) -> Result<(), RunError> {
        let answer = match op {
            PpeOp::Compute(cycles) => {
                self.ppe.core.time = self.ppe.core.time.saturating_add(cycles);
                Some(0)
            }
            PpeOp::Sync => {
                if self.ppe.stores == 0 {
                    self.ppe.loading = true;
                    self.send_ppe(RequestKind::Sync, Target::Memory(0), 0, 0);
                }
                None
            }
            PpeOp::TimeBase => {
                self.ppe.core.time += self.ratio;
                self.trigger_trace(Trigger::TimeBase);
                Some(self.ticks_at(self.now()))
            }
            PpeOp::Load { ea, bytes } => self.ppe_load(ea, bytes)?,
            PpeOp::Store { ea, bytes, value } => self.ppe_store(ea, bytes, value)?.then_some(0),
            PpeOp::Syscall(call) => {
                self.ppe.kernel = self.kernel_steps(call)?.into();
                None
            }
        };
        self.ppe.core.state = answer.map_or(State::Blocked(op), State::Ready);
        Ok(())
    }

    /// Loads; `None` if the answer will come over the bus, or the load has to wait for stores.
    fn ppe_load(&mut self, ea: u64, bytes: u8) -> Result<Option<u64>, RunError> {
        match self.decode_for_ppe(ea, bytes)? {
            Target::Memory(address) => {
                self.ppe.core.time += self.machine.ppe.memory_access_bus_cycles * self.ratio;
                Ok(Some(big_endian(&self.memory.bytes(address, usize::from(bytes)))))
            }
            target => {
                if self.ppe.stores == 0 {
                    self.ppe.loading = true;
                    self.send_ppe(RequestKind::Read, target, bytes, 0);
                }
                Ok(None)
            }
        }
    }

    /// Stores; false if it has to wait for earlier stores.
    fn ppe_store(&mut self, ea: u64, bytes: u8, value: u64) -> Result<bool, RunError> {
        match self.decode_for_ppe(ea, bytes)? {
            Target::Memory(address) => {
                self.ppe.core.time += self.machine.ppe.memory_access_bus_cycles * self.ratio;
                self.memory.write(address, &value.to_be_bytes()[8 - usize::from(bytes)..]);
                self.take_line(address / LINE_BYTES, None);
            }
            _ if self.ppe.stores == self.machine.ppe.mmio_store_entries => return Ok(false),
            target => {
                self.ppe.stores += 1;
                self.ppe.core.time = self.ppe.core.time.max(self.now() * self.ratio)
                    + self.machine.ppe.mmio_issue_bus_cycles * self.ratio;
                self.send_ppe(RequestKind::Write, target, bytes, value);
            }
        }
        Ok(true)
    }

    fn decode_for_ppe(&self, ea: u64, bytes: u8) -> Result<Target, RunError> {
        if !matches!(bytes, 1 | 2 | 4 | 8) || !ea.is_multiple_of(u64::from(bytes)) {
            let rule = format!("{bytes} bytes at {ea:#x}: an access is of 1, 2, 4 or 8 bytes and aligned to its size");
            return Err(self.ppe_broken("load or store", rule));
        }
        let target = ea::decode(&self.machine, ea, u64::from(bytes));
        target
            .ok_or_else(|| self.ppe_broken("load or store", format!("nothing is mapped at effective address {ea:#x}")))
    }

    fn send_ppe(&mut self, kind: RequestKind, target: Target, bytes: u8, value: u64) {
        let at = self.now() + self.machine.ppe.mmio_issue_bus_cycles;
        let request = Request { kind, issuer: Issuer::Ppe, ramp: self.ppe_ramp, bytes, lsa: 0, target, value };
        let request = self.requests.add(request);
        self.calendar.push(at, Event::Resend(request));
    }

    /// A PPE store has arrived, or a load's data have.
    pub(super) fn deliver_to_ppe(&mut self, request: &Request) -> Result<(), RunError> {
        let n = usize::from(request.bytes);
        match (request.kind, request.target) {
            (RequestKind::Write, Target::Register(spe, offset)) => {
                self.write_register(spe, offset, request.value as u32)?
            }
            (RequestKind::Write, Target::LocalStore(spe, offset)) => {
                let bytes = request.value.to_be_bytes();
                self.spe(spe).local_store.write(u64::from(offset), &bytes[8 - n..]);
            }
            (_, Target::Register(spe, offset)) => {
                let value = u64::from(self.read_register(spe, offset)?);
                self.loaded(value);
            }
            (_, Target::LocalStore(spe, offset)) => {
                let value = big_endian(&self.spe(spe).local_store.bytes(u64::from(offset), n));
                self.loaded(value);
            }
            (_, Target::Memory(_)) => (),
        }
        if request.kind == RequestKind::Write {
            self.ppe.stores -= 1;
            self.stores_arrived();
        }
        Ok(())
    }

    /// A request of the PPE has done its work.
    pub(super) fn ppe_request_done(&mut self, kind: RequestKind) {
        if kind == RequestKind::Sync {
            self.loaded(0);
        }
    }

    fn loaded(&mut self, value: u64) {
        let (now, ratio) = (self.now(), self.ratio);
        self.ppe.loading = false;
        self.ppe.value = value;
        self.ppe.core.time = now * ratio;
        if !matches!(self.ppe.core.state, State::Blocked(PpeOp::Syscall(_))) {
            self.ppe.core.state = State::Ready(value);
        }
        self.wake(Unit::Ppe, now);
    }

    /// What waited for earlier stores tries again.
    fn stores_arrived(&mut self) {
        let now = self.now();
        if self.ppe.loading {
            return;
        }
        if let State::Blocked(op @ (PpeOp::Load { .. } | PpeOp::Store { .. } | PpeOp::Sync)) = self.ppe.core.state {
            self.ppe.core.state = State::Asked(op);
            self.ppe.core.time = self.ppe.core.time.max(now * self.ratio);
            self.wake(Unit::Ppe, now);
        } else if !self.ppe.kernel.is_empty() && self.wakes[self.unit_index(Unit::Ppe)] == crate::units::NEVER {
            self.wake(Unit::Ppe, now);
        }
    }

    fn kernel_steps(&self, call: Syscall) -> Result<Vec<Kernel>, RunError> {
        use Kernel::*;
        let os = &self.machine.os;
        let half = |ns: u64| Wait(self.machine.bus_cycles_in_ns(ns) / 2);
        let whole = |ns: u64| Wait(self.machine.bus_cycles_in_ns(ns));
        let (read, write) = (half(os.spufs_read_ns), half(os.spufs_write_ns));
        let at = |thread, offset| Ok::<u64, RunError>(register_ea(self.spe_of(thread)?, offset));
        let stat = register::SPU_MBOX_STAT;
        Ok(match call {
            Syscall::ThreadCreate(thread, argument) => {
                self.spe_of(thread)?;
                vec![whole(os.thread_create_ns), Start(thread, argument)]
            }
            Syscall::ThreadJoin(thread) => {
                self.spe_of(thread)?;
                vec![Join(thread), whole(os.thread_join_ns)]
            }
            Syscall::InMboxWrite(thread, value) => {
                let store = StoreIf(IN_FREE, at(thread, register::SPU_IN_MBOX)?, value);
                vec![write, Load(at(thread, stat)?), store, write]
            }
            Syscall::OutMboxStatus(thread) => vec![read, Load(at(thread, stat)?), Mask(OUT_COUNT), read],
            Syscall::OutMboxRead(thread) => {
                let load = LoadIf(OUT_COUNT, at(thread, register::SPU_OUT_MBOX)?);
                vec![read, Load(at(thread, stat)?), load, read]
            }
            Syscall::OutIntrMboxRead(thread) => {
                let load = LoadIf(OUT_INTR_COUNT, at(thread, register::SPU_OUT_INTR_MBOX)?);
                vec![read, Load(at(thread, stat)?), load, read]
            }
            Syscall::SignalOpen(thread) => {
                self.spe_of(thread)?;
                vec![whole(os.file_open_ns)]
            }
            Syscall::SignalWrite(thread, number, value) => {
                let offset = if number == 2 { register::SPU_SIG_NOTIFY_2 } else { register::SPU_SIG_NOTIFY_1 };
                vec![write, Store(at(thread, offset)?, value), write]
            }
            Syscall::SignalType(thread, number, or_mode) => {
                vec![write, SignalMode(self.spe_of(thread)?, number, or_mode), write]
            }
            Syscall::SignalClose(thread) => {
                self.spe_of(thread)?;
                vec![whole(os.file_close_ns)]
            }
        })
    }

    fn spe_of(&self, thread: ThreadId) -> Result<SpeId, RunError> {
        if usize::from(thread.0) < self.placement.len() {
            return Ok(self.placement.spe(thread));
        }
        let rule = format!("thread {} has no SPE; the placement has {}", thread.0, self.placement.len());
        Err(self.ppe_broken("system call", rule))
    }

    /// The next step of a system call; false if it has to wait.
    fn run_kernel(&mut self) -> Result<bool, RunError> {
        let now = self.now();
        let Some(step) = self.ppe.kernel.front().copied() else {
            self.ppe.core.state = State::Ready(self.ppe.value);
            self.ppe.core.time = now * self.ratio;
            return Ok(true);
        };
        match step {
            Kernel::Wait(cycles) => {
                self.ppe.kernel.pop_front();
                self.wake(Unit::Ppe, now + cycles);
                return Ok(false);
            }
            Kernel::Load(ea) => return self.kernel_load(ea),
            Kernel::LoadIf(mask, ea) if self.ppe.value & mask != 0 => return self.kernel_load(ea),
            Kernel::LoadIf(..) => self.ppe.value = NO_ENTRY,
            Kernel::StoreIf(mask, ..) if self.ppe.value & mask == 0 => self.ppe.value = 0,
            Kernel::Store(ea, value) | Kernel::StoreIf(_, ea, value) => {
                if !self.ppe_store(ea, 4, u64::from(value))? {
                    return Ok(false);
                }
                self.ppe.value = 1;
            }
            Kernel::Mask(mask) => self.ppe.value &= mask,
            Kernel::SignalMode(spe, number, or_mode) => {
                self.spe(spe).channels.signals[usize::from(number == 2)].or_mode = or_mode;
            }
            Kernel::Start(thread, argument) => self.start_program(self.spe_of(thread)?, argument),
            Kernel::Join(thread) => {
                let spe = self.spe_of(thread)?;
                match self.spe(spe).core.state {
                    State::Stopped(code) => self.ppe.value = u64::from(code),
                    State::Idle => {
                        return Err(self.ppe_broken("thread_join", format!("thread {} was never created", thread.0)));
                    }
                    _ => return Ok(false),
                }
            }
        }
        self.ppe.kernel.pop_front();
        Ok(true)
    }

    fn kernel_load(&mut self, ea: u64) -> Result<bool, RunError> {
        if self.ppe.stores == 0 {
            self.ppe.kernel.pop_front();
            self.ppe_load(ea, 4)?;
        }
        Ok(false)
    }

    /// A thread has stopped: the PPE may be waiting for that.
    pub(super) fn thread_stopped(&mut self, id: SpeId) {
        let now = self.now();
        let joined = matches!(self.ppe.kernel.front(), Some(Kernel::Join(thread)) if self.placement.spe(*thread) == id);
        if joined {
            self.wake(Unit::Ppe, now);
        }
    }

    fn ppe_broken(&self, command: &str, rule: String) -> RunError {
        RunError::Rule { spe: None, bus_cycle: self.bus_cycles(), command: command.to_string(), rule }
    }

    pub(super) fn capture_ppe(&self, now: BusCycle, out: &mut Snapshot) {
        let ppe = &self.ppe;
        let question = |op: &PpeOp, out: &mut Snapshot| out.word(digest(&format!("{op:?}")));
        ppe.core.capture(now, self.ratio, out, question, |answer| answer);
        out.word(ppe.value);
        out.word(u64::from(ppe.stores) << 1 | u64::from(ppe.loading));
        for step in &ppe.kernel {
            out.word(digest(&format!("{step:?}")));
        }
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// FNV-1a, for what is rarely captured and awkward to lay out in words.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
