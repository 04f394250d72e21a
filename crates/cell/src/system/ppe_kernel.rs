//! System calls of the PPE's programs, as far as SPEs notice them: what the kernel does with their registers,
//! and the time that it takes.  The machine file gives that time; half passes before, half after.

use super::{System, Unit};
use crate::door::{NO_ENTRY, Syscall};
use crate::ea::mbox_stat::{IN_FREE, OUT_COUNT, OUT_INTR_COUNT};
use crate::ea::{register, register_ea};
use crate::error::RunError;
use crate::processor::State;
use crate::units::{BusCycle, SpeId, ThreadId};

/// One step of what the kernel does in a system call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kernel {
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

impl System<'_> {
    pub(super) fn kernel_steps(&self, call: Syscall) -> Result<Vec<Kernel>, RunError> {
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

    pub(super) fn spe_of(&self, thread: ThreadId) -> Result<SpeId, RunError> {
        if usize::from(thread.0) < self.placement.len() {
            return Ok(self.placement.spe(thread));
        }
        let rule = format!("thread {} has no SPE; the placement has {}", thread.0, self.placement.len());
        Err(self.ppe_broken("system call", rule))
    }

    /// The next step of a system call; false if it has to wait.
    pub(super) fn run_kernel(&mut self, thread: usize) -> Result<bool, RunError> {
        let now = self.now();
        let ratio = self.ratio;
        let ppe = &mut self.ppe.threads[thread];
        if ppe.kernel_until > now {
            let at = ppe.kernel_until;
            self.wake(Unit::Ppe, at);
            return Ok(false);
        }
        let Some(step) = ppe.kernel.front().copied() else {
            ppe.core.state = State::Ready(ppe.value);
            ppe.core.time = now * ratio;
            return Ok(true);
        };
        match step {
            Kernel::Wait(cycles) => {
                ppe.kernel_until = now + cycles;
            }
            Kernel::Load(ea) => return self.kernel_load(thread, ea),
            Kernel::LoadIf(mask, ea) if ppe.value & mask != 0 => return self.kernel_load(thread, ea),
            Kernel::LoadIf(..) => ppe.value = NO_ENTRY,
            Kernel::StoreIf(mask, ..) if ppe.value & mask == 0 => ppe.value = 0,
            Kernel::Store(ea, value) | Kernel::StoreIf(_, ea, value) => {
                if !self.ppe_store(thread, ea, 4, u64::from(value))? {
                    return Ok(false);
                }
                self.ppe.threads[thread].value = 1;
            }
            Kernel::Mask(mask) => ppe.value &= mask,
            Kernel::SignalMode(spe, number, or_mode) => {
                self.spe(spe).channels.signals[usize::from(number == 2)].or_mode = or_mode;
            }
            Kernel::Start(started, argument) => self.start_program(self.spe_of(started)?, argument),
            Kernel::Join(joined) => {
                let spe = self.spe_of(joined)?;
                match self.spe(spe).core.state {
                    State::Stopped(code) => self.ppe.threads[thread].value = u64::from(code),
                    State::Idle => {
                        return Err(self.ppe_broken("thread_join", format!("thread {} was never created", joined.0)));
                    }
                    _ => return Ok(false),
                }
            }
        }
        self.ppe.threads[thread].kernel.pop_front();
        Ok(true)
    }

    fn kernel_load(&mut self, thread: usize, ea: u64) -> Result<bool, RunError> {
        if self.ppe.stores == 0 {
            self.ppe.threads[thread].kernel.pop_front();
            self.ppe_load(thread, ea, 4)?;
        }
        Ok(false)
    }

    /// A thread has stopped: the PPE may be waiting for that.
    pub(super) fn thread_stopped(&mut self, id: SpeId) {
        let placement = &self.placement;
        let joins =
            |kernel: Option<&Kernel>| matches!(kernel, Some(Kernel::Join(thread)) if placement.spe(*thread) == id);
        if self.ppe.threads.iter().any(|thread| joins(thread.kernel.front())) {
            let now = self.now();
            self.wake(Unit::Ppe, now);
        }
    }
}
