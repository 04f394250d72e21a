//! The kernel of one process: its parts, and the handling of interrupts and deadlines.
//!
//! ```text
//!   scheduler  threads, the run queue, what runs on each hardware thread
//!   mm         the address space
//!   files      descriptors, paths, mounts
//!   signals    actions, and pending signals of the process
//!   timers     interval timers and POSIX timers
//!   spufs      SPE contexts as directories of files
//!   futexes    threads that wait on words of memory
//!   ipc        System V IPC: shared memory, semaphores
//!   wakes      woken queues that the scheduler has not handled yet
//! ```
//!
//! The parts do not refer to the [`Kernel`]. If a function of one part uses other parts, its caller passes those parts
//! as arguments.

use super::clock::Clock;
use super::costs::Costs;
use super::elf::symbols::function_at;
use super::errno::Errno;
use super::files::state::Files;
use super::hardware::Hardware;
use super::ipc::Ipc;
use super::memory::Mm;
use super::random::Random;
use super::signals::action::Signals;
use super::signals::number::Signal;
use super::signals::pending::Info;
use super::spufs::files::Node;
use super::spufs::object::SpuObject;
use super::spufs::state::{Spufs, World};
use super::spufs::{maps, schedule};
use super::threads::futex::Futexes;
use super::threads::scheduler::{Granularity, Scheduler};
use super::threads::{robust, send};
use super::tid::Tid;
use super::time::expiry::Expiry;
use super::time::timers::Timers;
use super::wait::{Nanos, Queue, Wakes};
use ::files::Open;
use cell::machine::Machine;
use ppu::core::Exit;
use ppu::memory::Stop;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The kernel of one process.
pub struct Kernel {
    /// Conversion between the time base and nanoseconds.
    pub clock: Clock,
    /// Costs of the operating system's work.
    pub costs: Costs,
    /// Threads and the run queue.
    pub scheduler: Scheduler,
    /// Queues that were woken.
    pub wakes: Wakes,
    /// Threads that wait on words of memory.
    pub futexes: Futexes,
    /// Signals of the process.
    pub signals: Signals,
    /// Timers that are set.
    pub timers: Timers,
    /// The address space.
    pub mm: Mm,
    /// Files.
    pub files: Files,
    /// SPE contexts.
    pub spufs: Rc<RefCell<Spufs>>,
    /// Shared memory and semaphores.
    pub ipc: Ipc,
    /// Random numbers.
    pub random: Random,
    /// The program, whose symbols supply the function names in messages.
    pub program: Option<Program>,
    /// How the process ended.
    pub end: Option<End>,
    /// Function called with a line of text for every attempt at a system call.
    pub log: Option<fn(&str)>,
    /// Processor cycles used by all threads.
    pub used_cycles: u64,
    /// Processor cycles by address, if a profile was requested.
    pub samples: Option<BTreeMap<u32, u64>>,
    /// Number of calls of each system call, by system-call number.
    pub calls_made: BTreeMap<u32, u64>,
}

/// A program's path and file.
#[derive(Clone, Debug)]
pub struct Program {
    /// Path of the program, as passed to it.
    pub path: Rc<[u8]>,
    /// Contents of the file.
    pub file: Rc<[u8]>,
}

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Exit: the process called `exit` with this status.
    Exited(u8),
    /// A signal killed the process.
    Killed {
        /// The signal.
        signal: Signal,
        /// Explanation for people.
        line: String,
    },
    /// The program needs a feature that the simulated system does not have.
    Broken {
        /// Explanation for people.
        line: String,
    },
}

/// Exit status of a process that needs a missing feature of the simulated system.
const BROKEN: u8 = 125;

impl End {
    /// The exit status as a shell reports it.
    pub fn status(&self) -> u8 {
        match self {
            End::Exited(status) => *status,
            End::Killed { signal, .. } => 128 | signal.0,
            End::Broken { .. } => BROKEN,
        }
    }

    /// Human-readable reason for the end of the process, or `None` if the program called `exit`.
    pub fn line(&self) -> Option<String> {
        match self {
            End::Exited(_) => None,
            End::Killed { line, .. } | End::Broken { line } => Some(line.clone()),
        }
    }
}

/// Number of bytes at the start of a library file that are searched for a function's name.
const FILE_BYTES: usize = 64 << 20;

impl Kernel {
    /// A kernel without a program.
    pub fn new(machine: &Machine, mut files: Files) -> Kernel {
        let spufs = Spufs::new(machine);
        files.mounts.insert(b"spu".to_vec(), Rc::new(SpuObject::new(Node::Root, &spufs)));
        let clock = Clock::new(machine.chip.timebase_hz, machine.chip.processor_clock_hz);
        let costs = Costs::new(machine);
        let granularity = Granularity {
            time_slice_ns: costs.time_slice_ns,
            wakeup_ns: costs.wakeup_granularity_ns,
            wakeup_cycles: clock.cycles(costs.wakeup_granularity_ns),
        };
        Kernel {
            clock,
            costs,
            scheduler: Scheduler::new(granularity, machine.bif.chips as usize),
            wakes: Wakes::default(),
            futexes: Futexes::default(),
            signals: Signals::default(),
            timers: Timers::default(),
            mm: Mm::new(machine),
            files,
            spufs,
            ipc: Ipc::default(),
            random: Random::default(),
            program: None,
            end: None,
            log: None,
            used_cycles: 0,
            samples: None,
            calls_made: BTreeMap::new(),
        }
    }

    /// Handles interrupts from SPEs and deadlines that have passed.
    pub fn poll(&mut self, hardware: &mut dyn Hardware, interrupted: bool) {
        let due = self.spufs.borrow().due;
        if interrupted || due.is_some() {
            let now = self.clock.nanos(hardware.time_base());
            if interrupted || due.is_some_and(|due| due <= now) {
                let mut world = World { hardware, wakes: &mut self.wakes, space: &self.mm.space, now };
                let spufs = &mut *self.spufs.borrow_mut();
                schedule::advance(spufs, &mut world);
                let nobody_runs = self.scheduler.all_sleep() && self.timers.next().is_none();
                // More time slices would not help, and the run would never end.
                if nobody_runs && hardware.spes().is_some_and(|spes| spufs.is_stuck(self.used_cycles, spes)) {
                    spufs.due = None;
                }
            }
        }
        if let Some(next) = self.next_deadline() {
            let now = self.clock.nanos(hardware.time_base());
            if now >= next {
                self.expiry().expire(now);
                self.scheduler.wake_expired(hardware, now);
            }
        }
        self.scheduler.wake(hardware, &mut self.wakes);
    }

    /// Handles the timers that count the processor time of a thread and of the process.
    pub fn poll_usage(&mut self, tid: Tid) {
        if self.timers.counts_use() {
            self.expiry().expire_usage(tid);
        }
    }

    /// Processor cycles until [`Kernel::poll_usage`] must be called.
    pub fn cycles_until_usage_expires(&mut self, tid: Tid) -> u64 {
        if self.timers.counts_use() { self.expiry().cycles_left(tid) } else { u64::MAX }
    }

    /// The timers, together with the parts of the kernel that an expired timer affects.
    fn expiry(&mut self) -> Expiry<'_> {
        Expiry {
            timers: &mut self.timers,
            clock: &self.clock,
            used_cycles: self.used_cycles,
            signals: &mut self.signals,
            threads: &mut self.scheduler.threads,
            wakes: &mut self.wakes,
        }
    }

    /// Time by which [`Kernel::poll`] must be called, even if no interrupt occurs.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let all = [self.scheduler.next_deadline(), self.timers.next(), self.spufs.borrow().due];
        all.into_iter().flatten().min()
    }

    /// The queue in which a thread must wait if its instruction accesses an SPE context that is not resident.
    pub fn awaited(&self, exit: Exit, hardware: &mut dyn Hardware) -> Option<Queue> {
        let Exit::Stop(Stop::Fault { ea, store }) = exit else { return None };
        maps::awaited(ea, store, &self.mm.space, &self.spufs.borrow(), hardware)
    }

    /// Sends a thread the signal caused by its instruction. `line` is a human-readable explanation of the signal.
    pub fn force(&mut self, tid: Tid, info: Info, line: String) {
        send::force(&mut self.signals, &mut self.scheduler.threads, tid, info, line);
    }

    /// Sends a signal to a thread.
    ///
    /// # Errors
    /// As `send::send_to_thread`.
    pub fn send_to_thread(&mut self, tid: Tid, info: Info) -> Result<(), Errno> {
        send::send_to_thread(&mut self.signals, &mut self.scheduler.threads, &mut self.wakes, (tid, info))
    }

    /// Ends a thread, and wakes the threads that join it or wait for its locks.
    pub fn end_thread(&mut self, hardware: &mut dyn Hardware, tid: Tid) {
        let Some(thread) = self.scheduler.threads.get(&tid) else { return };
        let (list, address) = (thread.robust_list, thread.clear_child_tid);
        // A bad address in the list is an error of the program, and is ignored.
        let _ = robust::release(&mut self.futexes, &mut self.wakes, hardware, (tid, list));
        if address != 0 && hardware.put_word(address, 0).is_ok() {
            self.futexes.wake(&mut self.wakes, address, 1, u32::MAX);
        }
        self.futexes.forget(tid);
        self.scheduler.remove(tid);
    }

    /// Ends the process: writes shared mappings back to their files, and wakes all hardware threads.
    pub fn end(&mut self, hardware: &mut dyn Hardware, how: End) {
        if self.end.is_some() {
            return;
        }
        self.end = Some(how);
        self.mm.space.write_back(hardware, &(0..u32::MAX));
        self.scheduler.wake_idle(hardware);
    }

    /// Name of the function at an address, and the offset of the address in the function.
    pub fn function_at(&self, ea: u32) -> Option<(String, u32)> {
        let (start, area) = self.mm.space.at(ea)?;
        let origin = area.origin.as_ref()?;
        let offset = origin.offset + u64::from(ea - start);
        match &self.program {
            Some(program) if program.path == origin.path => function_at(&program.file, offset),
            _ => {
                let file = self.files.view.known().open(&origin.path, &Open { read: true, ..Open::default() }).ok()?;
                function_at(&file.read_at(0, FILE_BYTES).ok()?, offset)
            }
        }
    }
}
