//! The kernel: one process, and what it shares among its threads.

use super::backing::Backing;
use super::call::{Answer, Caller, NotDone, Request};
use super::costs::Costs;
use super::errno::Errno;
use super::hardware::Hardware;
use super::memory::space::Space;
use super::names;
use super::scheduler::Scheduler;
use super::table::Table;
use super::thread::{Thread, Tid};
use super::threads::futex::Futexes;
use super::time::clock::Clock;
use super::wait::Wakes;
use std::collections::BTreeMap;

/// A process, and the kernel around it.
pub struct Kernel {
    /// Time.
    pub clock: Clock,
    /// What the operating system's work costs.
    pub costs: Costs,
    /// Threads that have not ended.
    pub threads: BTreeMap<Tid, Thread>,
    /// Who runs.
    pub scheduler: Scheduler,
    /// What threads wait for.
    pub wakes: Wakes,
    /// Who waits for words of memory.
    pub futexes: Futexes,
    /// Memory.
    pub space: Space,
    /// How the process ended.
    pub end: Option<End>,
    /// Processor cycles that its threads have used.
    pub used_cycles: u64,
    main_memory_bytes: u64,
    last_tid: Tid,
    table: Table,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// `exit`, with a status.
    Exited(u8),
    /// By a signal.
    Killed(u8),
}

impl End {
    /// The exit status, as a shell shows it.
    pub fn status(self) -> u8 {
        match self {
            End::Exited(status) => status,
            End::Killed(signal) => 128 | signal,
        }
    }
}

impl Kernel {
    /// Attempts a call of a thread; gives the request back as the attempt left it.
    pub fn attempt(&mut self, hardware: &mut dyn Hardware, tid: Tid, request: Request) -> (Answer, Request) {
        let Some(call) = self.table.get(request.number) else {
            return (self.missing(&request), request);
        };
        let mut caller = Caller { kernel: self, hardware, tid, request };
        let answer = (call.attempt)(&mut caller);
        caller.request.attempts += 1;
        (answer, caller.request)
    }

    /// A number that no thread had.
    pub fn new_tid(&mut self) -> Tid {
        self.last_tid.0 += 1;
        self.last_tid
    }

    /// Whether a program may ask for so many bytes at once.  As Linux, the kernel looks at each demand alone, and at
    /// what there really is only when pages are used.
    pub fn has_memory_for(&self, bytes: u32) -> bool {
        u64::from(bytes) <= self.main_memory_bytes
    }

    /// What an open file gives to `mmap`: `of` is whether the mapping is shared, and whether it may be written.
    ///
    /// # Errors
    /// The file is none, or cannot be mapped so.
    pub fn backing(
        &mut self,
        _descriptor: u32,
        _offset: u64,
        _bytes: u32,
        _of: (bool, bool),
    ) -> Result<Backing, Errno> {
        Err(Errno::EBADF)
    }

    /// A call that the table does not have.
    fn missing(&self, request: &Request) -> Answer {
        let number = request.number;
        match names::name(number) {
            Some(name) if super::table::EXPECTED_ENOSYS.contains(&name) => Err(Errno::ENOSYS.into()),
            Some(name) => Err(NotDone::Broken(format!("the system call {name} ({number}) is not there"))),
            None => Err(NotDone::Broken(format!("there is no system call {number}"))),
        }
    }
}
