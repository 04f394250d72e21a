//! The process that the hardware threads run, with the code as each PPE has decoded it.

use super::machine::Machine;
use crate::debug::{Debugging, StopReason};
use crate::kernel::Kernel;
use crate::layout::UPPER;
use crate::start::{NewProcess, start};
use crate::threads::thread::State;
use crate::tid::PROCESS;
use crate::width::Width;
use cell::door::Supervisor;
use cell::machine::Machine as Description;
use ppu::class::Costs;
use ppu::predecode::Code;

/// The process, which all hardware threads share.
pub struct Process {
    /// The kernel.
    pub kernel: Kernel,
    /// The debugger, if there is one.
    pub debugging: Debugging,
    /// The code as decoded for the PPE whose turn it is, with its pipelines and instruction cache.
    pub(super) code: Code,
    /// Width of the process.
    pub(super) width: Width,
    /// Number of the PPE whose turn it is.
    ppe: usize,
    /// The code as decoded for the other PPE, on a machine with two chips.
    resting: Option<Code>,
    /// The program, until it is started.
    start: Option<NewProcess>,
}

impl Process {
    /// A program that starts with its first turn.
    pub(super) fn new(machine: &Description, kernel: Kernel, start: NewProcess) -> Process {
        let code = || Code::new(Costs::new(&machine.ppe_core, &machine.ppe_memory));
        let (code, resting) = match machine.bif.chips {
            1 => (code(), None),
            _ => (code().beside_another(), Some(code().beside_another())),
        };
        let width = start.image.program.width;
        Process { kernel, debugging: Debugging::default(), code, width, ppe: 0, resting, start: Some(start) }
    }

    /// Instructions executed by all threads.
    pub fn instructions(&self) -> u64 {
        self.code.instructions + self.resting.as_ref().map_or(0, |code| code.instructions)
    }

    /// Makes the code of a PPE the current one.
    pub(super) fn begin_turn_of(&mut self, ppe: usize) {
        self.debugging.completed = self.instructions();
        if let Some(resting) = self.resting.as_mut().filter(|_| ppe != self.ppe) {
            resting.forget_as(&mut self.code);
            std::mem::swap(resting, &mut self.code);
            self.ppe = ppe;
        }
    }

    /// Starts the program, unless it has been started.
    pub(super) fn start(&mut self, machine: &mut dyn Supervisor) {
        if let Some(what) = self.start.take() {
            machine.pages().set_upper(self.width.pick(0, UPPER));
            let hardware = &mut Machine { supervisor: machine, code: &mut self.code, width: self.width };
            start(&mut self.kernel, hardware, &what);
            self.kernel.scheduler.make_ready(hardware, PROCESS);
        }
    }

    /// Stops the process between two turns, because its debugger wants to.
    pub fn stop(&mut self, machine: &mut dyn Supervisor) {
        if self.debugging.leaves() {
            return;
        }
        self.debugging.completed = self.instructions();
        let Process { kernel, debugging, code, width, .. } = self;
        let hardware = &mut Machine { supervisor: machine, code, width: *width };
        let threads = &kernel.scheduler.threads;
        let running = threads.values().find(|thread| thread.state == State::Running);
        if let Some(tid) = running.or(threads.values().next()).map(|thread| thread.tid) {
            debugging.stop(kernel, hardware, tid, StopReason::Interrupted);
        }
    }

    /// Handles deadlines and interrupts of SPEs.
    pub(super) fn poll(&mut self, interrupted: bool, machine: &mut dyn Supervisor) {
        let hardware = &mut Machine { supervisor: machine, code: &mut self.code, width: self.width };
        self.kernel.poll(hardware, interrupted);
    }
}
