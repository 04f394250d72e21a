//! A system call: who makes it, and what comes of it.

use crate::linux::hardware::Hardware;
use crate::linux::kernel::Kernel;
use crate::linux::request::{Answer, NotDone, Request};
use crate::linux::threads::thread::Thread;
use crate::linux::tid::Tid;
use crate::linux::wait::Nanos;

/// A system call of the table.
#[derive(Clone, Copy)]
pub struct SystemCall {
    /// What programs put into r0.
    pub number: u32,
    /// Its name in the kernel's table.
    pub name: &'static str,
    /// How many of r3 to r10 it reads.
    pub arguments: usize,
    /// The time that it takes, without waiting.
    ///
    /// MODEL: all of it passes before the call has its effect.  In a real kernel some of it comes behind.
    pub cost: fn(&Caller<'_>) -> Nanos,
    /// Attempts it.
    pub attempt: fn(&mut Caller<'_>) -> Answer,
}

impl SystemCall {
    /// A call that costs what the plainest one does.
    pub const fn new(
        number: u32,
        name: &'static str,
        arguments: usize,
        attempt: fn(&mut Caller<'_>) -> Answer,
    ) -> SystemCall {
        SystemCall { number, name, arguments, cost: |caller| caller.kernel.costs.system_call_ns, attempt }
    }

    /// The same, with a cost of its own.
    pub const fn costing(self, cost: fn(&Caller<'_>) -> Nanos) -> SystemCall {
        SystemCall { cost, ..self }
    }
}

/// Everything that a system call has to do with.
pub struct Caller<'c> {
    /// The process.
    pub kernel: &'c mut Kernel,
    /// The machine.
    pub hardware: &'c mut dyn Hardware,
    /// The thread that makes the call.
    pub tid: Tid,
    /// The call; kept from attempt to attempt.
    pub request: Request,
}

impl Caller<'_> {
    /// An argument, counted from 0.
    pub fn argument(&self, n: usize) -> u32 {
        self.request.arguments.get(n).copied().unwrap_or(0)
    }

    /// The simulated time.
    pub fn now(&self) -> Nanos {
        self.kernel.clock.nanos(self.hardware.time_base())
    }

    /// The calling thread.
    ///
    /// # Errors
    /// It has ended; then nothing can be done for it.
    pub fn thread(&mut self) -> Result<&mut Thread, NotDone> {
        self.kernel.scheduler.threads.get_mut(&self.tid).ok_or(NotDone::Settled)
    }
}
