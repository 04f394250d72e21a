//! The table row of a system call, and the environment of its function.

use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::kernel::Kernel;
use crate::request::{Answer, NotDone, Request};
use crate::threads::thread::Thread;
use crate::tid::Tid;
use crate::wait::Nanos;
use crate::width::Width;

/// The table row of a system call.
#[derive(Clone, Copy)]
pub struct SystemCall {
    /// Number of the system call, which programs pass in r0.
    pub number: u32,
    /// Name of the system call in the kernel's table.
    pub name: &'static str,
    /// Number of arguments, which are passed in r3 and the following registers.
    pub arguments: usize,
    /// Duration of the system call, without its waiting time.
    ///
    /// MODEL: a system call takes effect after its whole duration. In a real kernel, the effect occurs before the end
    /// of the call.
    pub cost: fn(&Caller<'_>) -> Nanos,
    /// Attempts the call.
    pub attempt: fn(&mut Caller<'_>) -> Answer,
}

impl SystemCall {
    /// A table row for a system call that costs as much as the plainest system call.
    pub const fn new(
        number: u32,
        name: &'static str,
        arguments: usize,
        attempt: fn(&mut Caller<'_>) -> Answer,
    ) -> SystemCall {
        SystemCall { number, name, arguments, cost: |caller| caller.kernel.costs.system_call_ns, attempt }
    }

    /// Sets the cost.
    pub const fn costing(self, cost: fn(&Caller<'_>) -> Nanos) -> SystemCall {
        SystemCall { cost, ..self }
    }
}

/// Arguments of a system call.
pub type Arguments = [u32; 8];

/// Everything that a system call may access.
pub struct Caller<'c> {
    /// The process.
    pub kernel: &'c mut Kernel,
    /// The machine.
    pub hardware: &'c mut dyn Hardware,
    /// The calling thread.
    pub tid: Tid,
    /// The call in progress.
    pub request: Request,
}

impl Caller<'_> {
    /// An argument of the call by its index, counted from 0.
    pub fn argument(&self, n: usize) -> u32 {
        self.request.arguments.get(n).copied().unwrap_or(0)
    }

    /// An argument of the call of 64 bits, which takes two registers of a 32-bit process. `wide` is the index of the
    /// argument in a 64-bit process, and `first` that of its left half in a 32-bit process.
    pub fn long_argument(&self, wide: usize, first: usize) -> u64 {
        match self.width() {
            Width::Narrow => self.request.doubleword(first),
            Width::Wide => self.request.longs[wide & 7],
        }
    }

    /// Width of the process.
    pub fn width(&self) -> Width {
        self.hardware.width()
    }

    /// An argument that is a number of bytes.
    ///
    /// # Errors
    /// `ENOMEM`: a 64-bit process asks for more than it has addresses.
    pub fn size(&self, nth: usize) -> Result<u32, Errno> {
        match self.width() {
            Width::Narrow => Ok(self.argument(nth)),
            Width::Wide => u32::try_from(self.request.longs[nth]).map_err(|_| Errno::ENOMEM),
        }
    }

    /// The call's value if the value is an address.
    pub fn address(&mut self, low: u32) -> u32 {
        self.request.upper = (self.hardware.effective(low) >> 32) as u32;
        low
    }

    /// Simulated time since the start.
    pub fn now(&self) -> Nanos {
        self.kernel.clock.nanos(self.hardware.time_base())
    }

    /// The calling thread.
    ///
    /// # Errors
    /// The thread has ended.
    pub fn thread(&mut self) -> Result<&mut Thread, NotDone> {
        self.kernel.scheduler.threads.get_mut(&self.tid).ok_or(NotDone::Settled)
    }
}
