//! Helpers for all tests, which run programs on a machine and inspect the results.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod machines;

use cell::coroutine::{Ppe, Spu, ppe_program, spu_program};
use cell::door::{PpeProgram, Program, ProgramFactory, Step, Turn};
use cell::ea::{local_store_ea, register_ea};
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::record::Record;
use cell::store::{LocalStore, Store};
use cell::system::System;
use cell::trace::{Trace, Window};
use cell::units::{SpeId, ThreadId};
use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

/// A limit of bus cycles that test programs reach only if they hang.
const LIMIT_BUS_CYCLES: u64 = 1_000_000_000;

/// SPU cycles after which every short operation has ended.
pub const LONG: u64 = 200_000;

/// A run to be checked: a machine and its programs. Threads are numbered in the order in which they are added.
pub struct Check {
    machine: Machine,
    placement: Placement,
    spus: Vec<ProgramFactory<'static>>,
    ppe: Vec<Box<dyn PpeProgram>>,
    memory: Vec<(u64, Vec<u8>)>,
    limit_bus_cycles: u64,
    transfers: bool,
    fast_forward: bool,
    settling: bool,
}

/// The results of a run.
pub struct Ran {
    /// The run's record.
    pub record: Record,
    /// Main memory.
    pub memory: Store,
    /// Local stores by thread.
    pub local_stores: Vec<LocalStore>,
}

/// A program without `writes_anyway`, so that each of its operations takes a turn.
struct TurnByTurn(Box<dyn Program>);

impl Program for TurnByTurn {
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String> {
        self.0.resume(turn, local_store)
    }
}

impl Check {
    /// A run without programs.
    pub fn on(machine: &Machine) -> Check {
        Check {
            machine: machine.clone(),
            placement: Placement::default_of(machine),
            spus: Vec::new(),
            ppe: Vec::new(),
            memory: Vec::new(),
            limit_bus_cycles: LIMIT_BUS_CYCLES,
            transfers: false,
            fast_forward: false,
            settling: false,
        }
    }

    /// Adds a thread with this program.
    pub fn spu<F>(mut self, main: impl FnOnce(Spu) -> F + 'static) -> Check
    where
        F: Future<Output = u32> + 'static,
    {
        let mut main = Some(main);
        self.spus.push(Box::new(move |_| spu_program(main.take().expect("a thread that starts once"))));
        self
    }

    /// Adds a thread with a program that may be started several times and receives the thread's argument.
    pub fn spu_with_argument<F>(mut self, main: impl Fn(Spu, u64) -> F + Clone + 'static) -> Check
    where
        F: Future<Output = u32> + 'static,
    {
        self.spus.push(Box::new(move |argument| {
            let main = main.clone();
            spu_program(move |spu| main(spu, argument))
        }));
        self
    }

    /// Adds a thread with any kind of program.
    pub fn program(mut self, program: Box<dyn Program>) -> Check {
        let mut program = Some(program);
        self.spus.push(Box::new(move |_| program.take().expect("a thread that starts once")));
        self
    }

    /// Adds a PPE program, which must start the threads. The second added program runs on the other hardware thread.
    pub fn ppe<F>(mut self, main: impl FnOnce(Ppe) -> F) -> Check
    where
        F: Future<Output = u32> + 'static,
    {
        self.ppe.push(ppe_program(main));
        self
    }

    /// Adds a PPE program of any kind.
    pub fn ppe_program(mut self, program: Box<dyn PpeProgram>) -> Check {
        self.ppe.push(program);
        self
    }

    /// Writes bytes to main memory before the run.
    pub fn memory(mut self, address: u64, bytes: &[u8]) -> Check {
        self.memory.push((address, bytes.to_vec()));
        self
    }

    /// Replaces the machine's default placement.
    pub fn placed(mut self, placement: Placement) -> Check {
        self.placement = placement;
        self
    }

    /// Replaces the tests' default limit.
    pub fn limit(mut self, limit_bus_cycles: u64) -> Check {
        self.limit_bus_cycles = limit_bus_cycles;
        self
    }

    /// Keeps a row for each transfer in the record.
    pub fn recording_transfers(mut self) -> Check {
        self.transfers = true;
        self
    }

    /// Runs with fast-forward.
    pub fn fast_forward(mut self) -> Check {
        self.fast_forward = true;
        self
    }

    /// Lets the run skip settled loops, which all threads measure.
    pub fn settling(mut self) -> Check {
        self.settling = true;
        self
    }

    /// Gives programs a separate turn for each operation, even for operations that do not depend on the last answer.
    pub fn turn_by_turn(mut self) -> Check {
        let turn_by_turn = |mut factory: ProgramFactory<'static>| -> ProgramFactory<'static> {
            Box::new(move |argument| Box::new(TurnByTurn(factory(argument))))
        };
        self.spus = self.spus.into_iter().map(turn_by_turn).collect();
        self
    }

    /// The machine with all programs loaded.
    fn system(self) -> System<'static> {
        let mut system = System::new(&self.machine, self.placement);
        if self.fast_forward {
            system.enable_fast_forward();
        }
        if self.settling {
            system.count_measured_part(self.spus.len());
            system.enable_settling();
        }
        if self.transfers {
            system.record_transfers();
        }
        for (address, bytes) in &self.memory {
            system.memory_mut().write(*address, bytes);
        }
        for (thread, factory) in self.spus.into_iter().enumerate() {
            system.load(ThreadId(thread as u8), factory);
        }
        for ppe in self.ppe {
            system.load_ppe(ppe);
        }
        system
    }

    /// Runs the programs.
    pub fn result(self) -> Result<Ran, RunError> {
        let (threads, limit_bus_cycles) = (self.spus.len() as u8, self.limit_bus_cycles);
        let mut system = self.system();
        let record = system.run(limit_bus_cycles, || true)?;
        let local_stores = (0..threads).map(|thread| system.local_store(ThreadId(thread)).clone()).collect();
        Ok(Ran { record, memory: system.memory().clone(), local_stores })
    }

    /// Runs the programs until the end of a window, and returns the window's trace.
    pub fn window(self, window: Window) -> Option<Trace> {
        self.system().run_window(window, || true).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs the programs and panics if the run fails.
    pub fn run(self) -> Ran {
        self.result().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs the programs and returns the error with which the run must end.
    pub fn error(self) -> RunError {
        match self.result() {
            Ok(_) => panic!("the run ended well"),
            Err(error) => error,
        }
    }
}

impl Ran {
    /// The stop code of a thread.
    pub fn code(&self, thread: u8) -> u32 {
        let row = self.record.threads.iter().find(|row| row.thread == thread);
        row.unwrap_or_else(|| panic!("thread {thread} has not stopped")).stop_code
    }
}

/// Values that programs report to the test.
pub struct Reports<T>(Rc<RefCell<Vec<T>>>);

impl<T> Clone for Reports<T> {
    fn clone(&self) -> Self {
        Reports(Rc::clone(&self.0))
    }
}

impl<T> Reports<T> {
    /// An empty list.
    pub fn new() -> Reports<T> {
        Reports(Rc::default())
    }

    /// Adds a value.
    pub fn push(&self, report: T) {
        self.0.borrow_mut().push(report);
    }

    /// Takes all values.
    pub fn take(&self) -> Vec<T> {
        self.0.take()
    }
}

/// The PlayStation 3.
pub fn ps3() -> Machine {
    Machine::builtin("ps3").expect("a machine that comes with the simulator")
}

/// The evaluation board.
pub fn board() -> Machine {
    Machine::builtin("eval-board").expect("a machine that comes with the simulator")
}

/// A machine whose operating system takes no time, which keeps tests of the PPE short.
pub fn without_os_cost(mut machine: Machine) -> Machine {
    let os = &mut machine.os;
    os.spufs_read_ns = 0;
    os.spufs_write_ns = 0;
    os.file_open_ns = 0;
    os.file_close_ns = 0;
    os.thread_create_ns = 0;
    os.thread_join_ns = 0;
    machine
}

/// The physical SPE of a thread under the machine's default placement.
pub fn spe_of(machine: &Machine, thread: u8) -> SpeId {
    Placement::default_of(machine).spe(ThreadId(thread))
}

/// An effective address in a thread's local store.
pub fn ls_ea(machine: &Machine, thread: u8, offset: u32) -> u64 {
    local_store_ea(spe_of(machine, thread), offset)
}

/// The effective address of one of a thread's problem-state registers.
pub fn reg_ea(machine: &Machine, thread: u8, offset: u32) -> u64 {
    register_ea(spe_of(machine, thread), offset)
}

/// A pattern of bytes, each of which depends on its position and on the seed.
pub fn pattern(seed: u32, n: usize) -> Vec<u8> {
    (0..n as u32).map(|i| ((i.wrapping_mul(2_654_435_761) ^ seed.wrapping_mul(0x9e37_79b9)) >> 13) as u8).collect()
}

/// Waits until a tag group is idle.
pub async fn wait(spu: &Spu, tag: u32) {
    spu.mfc_write_tag_mask(1 << tag).await;
    spu.mfc_read_tag_status_all().await;
}
