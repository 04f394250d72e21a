//! The PPE at work: its two threads and what their programs ask.
//!
//! Loads and stores to an SPE's window travel over the bus like anything else.  They are guarded
//! accesses: a store is posted, up to `mmio_store_entries` of them, and a load waits until all stores have
//! arrived.  A `sync` waits for them too, and for the stores to memory, and then goes over the bus itself: all
//! units of all chips have seen it when it ends.  Accesses to main memory go through the caches
//! (`ppe_memory`), and system calls through the kernel (`ppe_kernel`).
//!
//! MODEL: reading the time base takes one bus cycle.

use super::fast_forward::Runner;
use super::ppe_kernel::Kernel;
use super::{Event, System, Unit};
use crate::door::{PpeOp, PpeProgram, PpeStep, Syscall};
use crate::ea::{self, Target};
use crate::error::RunError;
use crate::machine::Machine;
use crate::ppe::{MemoryPath, THREADS};
use crate::processor::{Core, State};
use crate::request::{Issuer, Request, RequestKind};
use crate::snapshot::Snapshot;
use crate::trace::Trigger;
use crate::units::{BusCycle, LINE_BYTES, NEVER};
use std::collections::VecDeque;

/// One hardware thread.
#[derive(Default)]
pub(super) struct PpeThread<'p> {
    pub program: Option<Box<dyn PpeProgram + 'p>>,
    pub core: Core<PpeOp, u64>,
    /// What is left of a system call, and until when its present step lasts.
    pub kernel: VecDeque<Kernel>,
    pub kernel_until: BusCycle,
    pub value: u64,
    loading: bool,
    /// A mark that waits for the bus clock, and the iterations left at it.
    mark: Option<u64>,
}

/// The PPE.
pub(super) struct PpeUnit<'p> {
    pub threads: [PpeThread<'p>; THREADS],
    pub memory: MemoryPath,
    /// Stores to windows of SPEs that are on their way.
    pub stores: u32,
}

impl<'p> PpeUnit<'p> {
    pub fn new(machine: &Machine) -> Self {
        PpeUnit { threads: Default::default(), memory: MemoryPath::new(machine), stores: 0 }
    }

    /// Gives the next thread its program; as many as there are threads count.
    pub fn load(&mut self, program: Box<dyn PpeProgram + 'p>) {
        if let Some(thread) = self.threads.iter_mut().find(|thread| thread.program.is_none()) {
            thread.program = Some(program);
        }
    }

    /// What each thread that has not ended waits for.
    pub fn waiting(&self) -> impl Iterator<Item = String> {
        (0..).zip(&self.threads).filter_map(|(n, thread)| {
            let name = if n == 0 { "PPE".to_string() } else { format!("PPE thread {n}") };
            Some(match thread.core.state {
                State::Blocked(PpeOp::Syscall(Syscall::ThreadJoin(thread))) => {
                    format!("{name} waits for thread {} to stop", thread.0)
                }
                State::Blocked(op) => format!("{name} waits in {op:?}"),
                _ if thread.core.is_running() => format!("{name} is running"),
                _ => return None,
            })
        })
    }
}

impl System<'_> {
    /// Lets the PPE's programs run until all have to wait.
    pub(super) fn run_ppe(&mut self) -> Result<(), RunError> {
        loop {
            for thread in 0..THREADS {
                self.run_ppe_thread(thread)?;
            }
            if !self.run_ppe_memory() && !(0..THREADS).any(|thread| self.sync_is_due(thread)) {
                return Ok(());
            }
        }
    }

    fn run_ppe_thread(&mut self, thread: usize) -> Result<(), RunError> {
        loop {
            let ppe = &self.ppe.threads[thread];
            let (state, marks, loading) = (ppe.core.state, ppe.mark.is_some(), ppe.loading);
            match state {
                State::Ready(_) if marks && self.ppe_waits_for_clock(thread) => return Ok(()),
                State::Ready(answer) => self.resume_ppe(thread, answer)?,
                State::Asked(op) if self.begin_walk(thread, op)? => (),
                State::Asked(_) | State::Stopping(_) if self.ppe_waits_for_clock(thread) => return Ok(()),
                State::Asked(op) => self.answer_ppe(thread, op)?,
                State::Stopping(code) => self.ppe.threads[thread].core.state = State::Stopped(code),
                State::Blocked(op @ PpeOp::Sync) if self.sync_is_due(thread) => self.answer_ppe(thread, op)?,
                State::Blocked(PpeOp::Syscall(_)) if !loading => {
                    if !self.run_kernel(thread)? {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the bus clock has yet to catch up with a thread; if so, the PPE wakes when it has.
    fn ppe_waits_for_clock(&mut self, thread: usize) -> bool {
        let time = self.ppe.threads[thread].core.time;
        let ahead = time > self.now() * self.ratio;
        if ahead {
            let at = time.div_ceil(self.ratio);
            self.wake(Unit::Ppe, at);
        }
        ahead
    }

    fn resume_ppe(&mut self, thread: usize, answer: u64) -> Result<(), RunError> {
        let ppe = &mut self.ppe.threads[thread];
        if let Some(remaining) = ppe.mark.take() {
            ppe.core.mark(remaining);
            let skip = self.marked(Runner::Ppe(thread as u8));
            self.ppe.threads[thread].core.state = State::Ready(skip);
            return Ok(());
        }
        let Some(program) = &mut ppe.program else { return Ok(()) };
        ppe.core.note(answer);
        let progress = ppe.core.begin_turn();
        let step = progress.and_then(|()| program.resume(answer)).map_err(|why| self.ppe_broken("program", why))?;
        let ppe = &mut self.ppe.threads[thread];
        ppe.core.state = match step {
            PpeStep::Ask(op) => State::Asked(op),
            PpeStep::Mark { remaining } => {
                ppe.mark = Some(remaining);
                State::Ready(0)
            }
            PpeStep::Stop(code) => State::Stopping(code),
        };
        Ok(())
    }

    fn answer_ppe(&mut self, thread: usize, op: PpeOp) -> Result<(), RunError> {
        let ratio = self.ratio;
        let answer = match op {
            PpeOp::Compute(cycles) => {
                let core = &mut self.ppe.threads[thread].core;
                core.time = core.time.saturating_add(cycles);
                Some(0)
            }
            PpeOp::Sync => {
                if self.stores_are_done() {
                    self.ppe.threads[thread].loading = true;
                    self.send_ppe(thread, RequestKind::Sync, Target::Memory(0), 0, 0);
                }
                None
            }
            PpeOp::TimeBase => {
                self.ppe.threads[thread].core.time += ratio;
                self.trigger_trace(Trigger::TimeBase);
                Some(self.ticks_at(self.now()))
            }
            PpeOp::Load { ea, bytes } => {
                self.ppe_load(thread, ea, bytes)?;
                None
            }
            PpeOp::Store { ea, bytes, value } => self.ppe_store(thread, ea, bytes, value)?.then_some(0),
            PpeOp::Walk(_) => Some(0),
            PpeOp::Syscall(call) => {
                self.ppe.threads[thread].kernel = self.kernel_steps(call)?.into();
                None
            }
        };
        self.ppe.threads[thread].core.state = answer.map_or(State::Blocked(op), State::Ready);
        Ok(())
    }

    /// Whether no store of the PPE is under way.
    fn stores_are_done(&self) -> bool {
        self.ppe.stores == 0 && self.ppe.memory.stores_are_done()
    }

    /// Whether a thread waits for stores that are all done by now.
    fn sync_is_due(&self, thread: usize) -> bool {
        let ppe = &self.ppe.threads[thread];
        matches!(ppe.core.state, State::Blocked(PpeOp::Sync)) && !ppe.loading && self.stores_are_done()
    }

    /// Loads from an SPE's window; the answer will come over the bus.  It may have to wait for stores.
    pub(super) fn ppe_load(&mut self, thread: usize, ea: u64, bytes: u8) -> Result<(), RunError> {
        let target = self.decode_for_ppe(ea, bytes)?;
        if self.ppe.stores == 0 {
            self.ppe.threads[thread].loading = true;
            self.send_ppe(thread, RequestKind::Read, target, bytes, 0);
        }
        Ok(())
    }

    /// Stores to an SPE's window; false if it has to wait for earlier stores.
    pub(super) fn ppe_store(&mut self, thread: usize, ea: u64, bytes: u8, value: u64) -> Result<bool, RunError> {
        let target = self.decode_for_ppe(ea, bytes)?;
        let room = self.ppe.stores < self.machine.ppe.mmio_store_entries;
        if room {
            let now = self.now() * self.ratio;
            self.ppe.stores += 1;
            let core = &mut self.ppe.threads[thread].core;
            core.time = core.time.max(now) + self.machine.ppe.mmio_issue_bus_cycles * self.ratio;
            self.send_ppe(thread, RequestKind::Write, target, bytes, value);
        }
        Ok(room)
    }

    pub(super) fn decode_for_ppe(&self, ea: u64, bytes: u8) -> Result<Target, RunError> {
        if !matches!(bytes, 1 | 2 | 4 | 8) || !ea.is_multiple_of(u64::from(bytes)) {
            let rule = format!("{bytes} bytes at {ea:#x}: an access is of 1, 2, 4 or 8 bytes and aligned to its size");
            return Err(self.ppe_broken("load or store", rule));
        }
        let target = ea::decode(&self.machine, ea, u64::from(bytes));
        target
            .ok_or_else(|| self.ppe_broken("load or store", format!("nothing is mapped at effective address {ea:#x}")))
    }

    fn send_ppe(&mut self, thread: usize, kind: RequestKind, target: Target, bytes: u8, value: u64) {
        let at = self.now() + self.machine.ppe.mmio_issue_bus_cycles;
        // It has no local store; whose access it is stands in its place.
        let lsa = thread as u32;
        let request = Request { kind, issuer: Issuer::Ppe, ramp: self.ppe_ramp, bytes, lsa, target, value };
        let request = self.add_request(request);
        self.calendar.push(at, Event::Resend(request));
    }

    /// A PPE store to an SPE's window has arrived, or a load's data have.
    pub(super) fn deliver_to_ppe(&mut self, request: &Request) -> Result<(), RunError> {
        let (n, thread) = (usize::from(request.bytes), request.lsa as usize);
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
                self.loaded(thread, value);
            }
            (_, Target::LocalStore(spe, offset)) => {
                let value = big_endian(&self.spe(spe).local_store.bytes(u64::from(offset), n));
                self.loaded(thread, value);
            }
            (_, Target::Memory(_)) => (),
        }
        if request.kind == RequestKind::Write {
            self.ppe.stores -= 1;
            (0..THREADS).for_each(|thread| self.stores_arrived(thread));
        }
        Ok(())
    }

    /// A request of the PPE has done its work.
    pub(super) fn ppe_request_done(&mut self, request: &Request) {
        match (request.kind, request.target) {
            (RequestKind::Sync, _) => self.loaded(request.lsa as usize, 0),
            (RequestKind::Write, _) => (),
            (_, Target::Memory(address)) => self.ppe_line_arrived(address / LINE_BYTES),
            _ => (),
        }
    }

    fn loaded(&mut self, thread: usize, value: u64) {
        let (now, ratio) = (self.now(), self.ratio);
        let ppe = &mut self.ppe.threads[thread];
        ppe.loading = false;
        ppe.value = value;
        ppe.core.time = now * ratio;
        if !matches!(ppe.core.state, State::Blocked(PpeOp::Syscall(_))) {
            ppe.core.state = State::Ready(value);
        }
        self.wake(Unit::Ppe, now);
    }

    /// What waited for earlier stores tries again.
    fn stores_arrived(&mut self, thread: usize) {
        let (now, ratio) = (self.now(), self.ratio);
        let ppe = &mut self.ppe.threads[thread];
        if ppe.loading {
            return;
        }
        if let State::Blocked(op @ (PpeOp::Load { .. } | PpeOp::Store { .. } | PpeOp::Sync)) = ppe.core.state
            && !self.ppe.memory.walks(thread)
        {
            ppe.core.state = State::Asked(op);
            ppe.core.time = ppe.core.time.max(now * ratio);
            self.wake(Unit::Ppe, now);
        } else if !ppe.kernel.is_empty() && self.wakes[self.unit_index(Unit::Ppe)] == NEVER {
            self.wake(Unit::Ppe, now);
        }
    }

    pub(super) fn ppe_broken(&self, command: &str, rule: String) -> RunError {
        RunError::Rule { spe: None, bus_cycle: self.bus_cycles(), place: None, command: command.to_string(), rule }
    }

    pub(super) fn capture_ppe(&self, now: BusCycle, out: &mut Snapshot) {
        let question = |op: &PpeOp, out: &mut Snapshot| out.word(digest(&format!("{op:?}")));
        out.word(u64::from(self.ppe.stores));
        for thread in &self.ppe.threads {
            thread.core.capture(now, self.ratio, out, question, |answer| answer);
            out.word(thread.value);
            out.word(u64::from(thread.mark.is_some()) << 1 | u64::from(thread.loading));
            out.deadline(thread.kernel_until, now);
            for step in &thread.kernel {
                out.word(digest(&format!("{step:?}")));
            }
        }
        self.ppe.memory.capture(now * self.ratio, out);
    }
}

pub(super) fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// FNV-1a, for what is rarely captured and awkward to lay out in words.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
