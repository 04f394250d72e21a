//! A stopped process.

use super::plan::Plan;
use super::stop_reason::StopReason;
use crate::hardware::{Hardware, PAGE_BYTES};
use crate::kernel::Kernel;
use crate::names;
use crate::threads::thread::State;
use crate::tid::Tid;
use crate::wait::Nanos;
use crate::width::Width;
use ppu::registers::Cpu;

/// A stopped process, which a debugger may examine and change.
pub struct Stopped<'s> {
    /// The kernel.
    pub kernel: &'s mut Kernel,
    /// The machine.
    pub hardware: &'s mut dyn Hardware,
    /// Where threads will stop.
    pub plan: &'s mut Plan,
    /// The thread that has stopped. All other threads are stopped, too.
    pub tid: Tid,
    /// Why the thread has stopped.
    pub reason: StopReason,
    /// Whether the process has been further than it is now. Nothing can be changed in the past, because the future is
    /// known.
    pub(super) past: bool,
    /// Whether the debugger has changed memory or registers.
    pub(super) changed: bool,
}

impl Stopped<'_> {
    /// All threads. The first one is the one that has stopped: a debugger that means any thread gets it.
    pub fn threads(&self) -> Vec<Tid> {
        let mut threads: Vec<Tid> = self.kernel.scheduler.threads.keys().copied().collect();
        threads.sort_by_key(|tid| *tid != self.tid);
        threads
    }

    /// The registers of a thread.
    pub fn registers(&self, tid: Tid) -> Option<&Cpu> {
        self.kernel.scheduler.threads.get(&tid).map(|thread| &thread.cpu)
    }

    /// The registers of a thread, mutably; none in the past.
    pub fn registers_mut(&mut self, tid: Tid) -> Option<&mut Cpu> {
        if self.past {
            return None;
        }
        self.changed = true;
        self.kernel.scheduler.threads.get_mut(&tid).map(|thread| &mut thread.cpu)
    }

    /// Width of the process.
    pub fn width(&self) -> Width {
        self.hardware.width()
    }

    /// Simulated time since the start of the machine.
    pub fn time_ns(&self) -> Nanos {
        self.kernel.clock.nanos(self.hardware.time_base())
    }

    /// Name and state of a thread, for people.
    pub fn describe(&self, tid: Tid) -> String {
        let Some(thread) = self.kernel.scheduler.threads.get(&tid) else { return String::new() };
        let name = String::from_utf8_lossy(thread.name.split(|byte| *byte == 0).next().unwrap_or_default());
        let call = thread.request.as_ref().map(|request| names::name(request.number).unwrap_or("a system call"));
        let state = match (&thread.state, call) {
            (State::Ready, _) => "ready".to_string(),
            (State::Running, _) => match self.kernel.scheduler.hardware_thread_of(tid) {
                Some(number) => format!("running on hardware thread {number}"),
                None => "running".to_string(),
            },
            (State::Waiting(_), Some(call)) => format!("waiting in {call}"),
            (State::Waiting(_), None) => "waiting for an SPE".to_string(),
        };
        format!("{name}: {state}")
    }

    /// Reads memory, without regard to permissions and without any effect. Returns the number of bytes before the first
    /// one that cannot be read.
    pub fn read(&mut self, ea: u64, out: &mut [u8]) -> usize {
        let mut done = 0;
        while done < out.len() {
            let Some(at) = ea.checked_add(done as u64) else { break };
            let piece = (out.len() - done).min((u64::from(PAGE_BYTES) - at % u64::from(PAGE_BYTES)) as usize);
            if !self.read_in_page(at, &mut out[done..done + piece]) {
                break;
            }
            done += piece;
        }
        done
    }

    fn read_in_page(&mut self, ea: u64, out: &mut [u8]) -> bool {
        let low = ea as u32;
        if self.hardware.effective(low) != ea {
            return false;
        }
        let Some(machine) = self.hardware.spes() else { return false };
        // Reading must not allocate the page.
        if machine.pages().is_unused(low) {
            out.fill(0);
            return true;
        }
        machine.read(ea, out).is_ok()
    }

    /// Writes memory, without regard to permissions. Returns whether all bytes were written; none are in the past.
    pub fn write(&mut self, ea: u64, bytes: &[u8]) -> bool {
        if self.past {
            return false;
        }
        self.changed = true;
        let last = ea.checked_add(bytes.len().max(1) as u64 - 1);
        let is_there = last.is_some_and(|last| [ea, last].iter().all(|at| self.hardware.effective(*at as u32) == *at));
        is_there && self.hardware.fill(ea as u32, bytes).is_ok()
    }
}
