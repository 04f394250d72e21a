//! The kernel: one process, and what it shares among its threads.

use super::costs::Costs;
use super::elf::symbols::function_at;
use super::files::state::Files;
use super::hardware::Hardware;
use super::memory::space::Space;
use super::names;
use super::random::Random;
use super::scheduler::Scheduler;
use super::signals::action::Signals;
use super::signals::number::Signal;
use super::spufs::files::Node;
use super::spufs::object::SpuObject;
use super::spufs::state::{Spufs, World};
use super::spufs::{maps, schedule};
use super::thread::{PROCESS, Thread, Tid};
use super::threads::futex::Futexes;
use super::time::clock::Clock;
use super::time::timers::Timers;
use super::wait::{Nanos, Queue, Wakes};
use crate::core::Exit;
use crate::memory::Stop;
use ::files::Open;
use cell::machine::Machine;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// Signals of the process.
    pub signals: Signals,
    /// Whether any signal waits.
    pub signals_to_look_at: bool,
    /// What the last signal was for that an instruction has caused.
    pub fault: Option<(Signal, String)>,
    /// Timers that are set.
    pub timers: Timers,
    /// Memory.
    pub space: Space,
    /// Files.
    pub files: Files,
    /// SPEs, as directories of files.
    pub spufs: Rc<RefCell<Spufs>>,
    /// How the process ended.
    pub end: Option<End>,
    /// Is told every attempt at a system call, if somebody listens.
    pub log: Option<fn(&str)>,
    /// Processor cycles that its threads have used.
    pub used_cycles: u64,
    /// Where threads were found at work, if somebody wants to know: processor cycles by address.
    pub samples: Option<BTreeMap<u32, u64>>,
    /// How often each system call was made, by its number.
    pub calls_made: BTreeMap<u32, u64>,
    /// Random numbers.
    pub random: Random,
    /// The program, in which functions are looked up.
    pub program: Option<Program>,
    main_memory_bytes: u64,
    last_tid: Tid,
}

/// A program's path, and its file.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path, as it knows it.
    pub path: Rc<[u8]>,
    /// Its file.
    pub file: Rc<[u8]>,
}

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `exit`, with a status.
    Exited(u8),
    /// By a signal.
    Killed {
        /// The signal.
        signal: Signal,
        /// For people: what happened.
        line: String,
    },
    /// It wants something that is not there.
    Broken {
        /// For people: what.
        line: String,
    },
}

/// Exit status of a process that cannot go on here.
const BROKEN: u8 = 125;

impl End {
    /// The exit status, as a shell shows it.
    pub fn status(&self) -> u8 {
        match self {
            End::Exited(status) => *status,
            End::Killed { signal, .. } => 128 | signal.0,
            End::Broken { .. } => BROKEN,
        }
    }

    /// For people: what has ended it, if that was not the program itself.
    pub fn line(&self) -> Option<String> {
        match self {
            End::Exited(_) => None,
            End::Killed { line, .. } | End::Broken { line } => Some(line.clone()),
        }
    }
}

/// How much of a library is read in which a function is looked up.
const FILE_BYTES: usize = 64 << 20;

impl Kernel {
    /// A kernel without a program.
    pub fn new(machine: &Machine, mut files: Files) -> Kernel {
        let spufs = Spufs::new(machine);
        files.mounts.insert(b"spu".to_vec(), Rc::new(SpuObject::new(Node::Root, &spufs)));
        Kernel {
            clock: Clock::new(machine.chip.timebase_hz, machine.chip.processor_clock_hz),
            costs: Costs::new(machine),
            threads: BTreeMap::new(),
            scheduler: Scheduler::default(),
            wakes: Wakes::default(),
            futexes: Futexes::default(),
            signals: Signals::default(),
            signals_to_look_at: false,
            fault: None,
            timers: Timers::default(),
            space: Space::default(),
            files,
            spufs,
            end: None,
            log: None,
            used_cycles: 0,
            samples: None,
            calls_made: BTreeMap::new(),
            random: Random::default(),
            program: None,
            main_memory_bytes: machine.chip.main_memory_bytes,
            last_tid: PROCESS,
        }
    }

    /// What has happened since: deadlines that have come, interrupts.
    pub fn look_around(&mut self, hardware: &mut dyn Hardware, interrupted: bool) {
        let due = self.spufs.borrow().due;
        if interrupted || due.is_some() {
            let now = self.clock.nanos(hardware.time_base());
            if interrupted || due.is_some_and(|due| due <= now) {
                let spufs = Rc::clone(&self.spufs);
                let mut world = World { hardware, wakes: &mut self.wakes, space: &self.space, now };
                schedule::advance(&mut spufs.borrow_mut(), &mut world);
            }
        }
        if let Some(next) = self.next_deadline() {
            let now = self.clock.nanos(hardware.time_base());
            if now >= next {
                self.ring_timers(now);
                self.wake_late(hardware, now);
            }
        }
        self.settle(hardware);
    }

    /// What an instruction has to wait for: it touches what belongs to an SPE's context that is on no SPE.
    pub fn awaited(&self, exit: Exit, hardware: &mut dyn Hardware) -> Option<Queue> {
        let Exit::Stop(Stop::Fault { ea, store }) = exit else { return None };
        maps::awaited(ea, store, &self.space, &self.spufs.borrow(), hardware)
    }

    /// When the kernel has something to do at the latest.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let all = [self.scheduler.next_deadline(), self.timers.next(), self.spufs.borrow().due];
        all.into_iter().flatten().min()
    }

    /// Whether a thread has to leave a hardware thread now.
    pub fn has_to_leave(&self, place: usize, tid: Tid, time_base: u64) -> bool {
        let may_stay = self.threads.get(&tid).is_some_and(|thread| thread.affinity & 1 << place != 0);
        let slice_end = self.scheduler.slice_end(place);
        !may_stay || slice_end != Nanos::MAX && self.clock.nanos(time_base) >= slice_end
    }

    /// The function that an address is in, and the offset there.
    pub fn function_at(&self, ea: u32) -> Option<(String, u32)> {
        let (start, area) = self.space.at(ea)?;
        let origin = area.origin.as_ref()?;
        let offset = origin.offset + u64::from(ea - start);
        match &self.program {
            Some(program) if program.path == origin.path => function_at(&program.file, offset),
            _ => {
                let file = self.files.view.open(&origin.path, &Open { read: true, ..Open::default() }).ok()?;
                function_at(&file.read_at(0, FILE_BYTES).ok()?, offset)
            }
        }
    }

    /// For people: what each thread waits for.
    pub fn what_threads_wait_for(&self) -> String {
        let threads = self.threads.values().map(|thread| {
            let call = thread.request.as_ref().and_then(|request| names::name(request.number));
            let what =
                call.map_or_else(|| "for an SPE that its context is on".to_string(), |name| format!("in {name}"));
            format!("thread {} waits {what}", thread.tid.0)
        });
        threads.collect::<Vec<_>>().join(", ")
    }

    /// Main memory, in all and free.
    pub fn memory_bytes(&self, hardware: &mut dyn Hardware) -> (u64, u64) {
        (self.main_memory_bytes, hardware.free_bytes())
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
}
