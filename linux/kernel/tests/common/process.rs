//! Runs a program of PPE instructions on a simulated machine, for tests and benchmarks. The program has one thread and
//! no operating system.

use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor};
use cell::machine::Machine;
use cell::page_table::{Access, Mapping};
use linux::processor::storage::{NO_LINE, Reserved, Storage};
use linux::processor::translation::{Translation, tlb};
use linux::processor::view::View;
use ppu::{Code, Cpu, Exit, Stop};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Results of a process, complete after the process ends.
#[derive(Clone, Default)]
pub struct Outcome {
    pub cpu: Cpu,
    pub exit: Option<Exit>,
    /// The cycles that the executed instructions took.
    pub cycles: u64,
    /// Start and end times of the process, in processor cycles.
    pub times: (u64, u64),
    /// All operations that the process requested.
    pub asked: Vec<PpeOp>,
}

/// A function that prepares a machine.
type Load = Box<dyn FnOnce(&mut dyn Supervisor)>;

/// A program that ends when `Cpu::run` returns for any reason other than a used-up budget or a wait.
pub struct Process {
    cpu: Cpu,
    code: Code,
    storage: Storage,
    /// The function that prepares the machine in the first turn.
    load: Option<Load>,
    next: Option<PpeOp>,
    /// The pending operation, which the machine has not completed yet.
    asked: Option<PpeOp>,
    asked_at: u64,
    outcome: Rc<RefCell<Outcome>>,
}

/// The effective addresses of code and data. Each has some pages.
pub const CODE: u32 = 0x1_0000;
pub const DATA: u32 = 0x10_0000;
pub const DATA_BYTES: u32 = 0x10_0000;

/// Maximum number of cycles of a turn. A limit is necessary because the lookahead ignores the other thread.
const TURN_CYCLES: u64 = 1_000;

impl Process {
    /// A process with `words` at [`CODE`] and zeros at [`DATA`]. `prepare` sets up the rest of the machine.
    pub fn new(words: &[u32], cpu: Cpu, code: Code, prepare: impl FnOnce(&mut dyn Supervisor) + 'static) -> Process {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let load = move |machine: &mut dyn Supervisor| {
            machine.map(CODE, 0x1000, Mapping::Zero, Access::ALL);
            machine.map(DATA, DATA_BYTES, Mapping::Zero, Access::DATA);
            machine.write(CODE.into(), &bytes).expect("a page for the code");
            prepare(machine);
        };
        let storage = Storage::new(0, nobody(), translation());
        Process { load: Some(Box::new(load)), storage, ..Process::beside(cpu, code) }
    }

    /// A second thread that executes the same code. The first thread must be loaded before the second.
    pub fn beside(cpu: Cpu, code: Code) -> Process {
        let cpu = Cpu { pc: CODE.into(), ..cpu };
        let storage = Storage::new(1, nobody(), translation());
        Process { cpu, code, storage, load: None, next: None, asked: None, asked_at: 0, outcome: Rc::default() }
    }

    /// The results of the process, which are complete after the process ends.
    pub fn outcome(&self) -> Rc<RefCell<Outcome>> {
        Rc::clone(&self.outcome)
    }

    /// Runs to the end of the turn.
    fn run(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> PpeStep {
        self.storage.begin(machine);
        let executed_before = self.code.instructions;
        let mut memory = View::<false>::new(machine, &mut self.storage, turn.time);
        let (cycles, exit) = self.cpu.run(&mut memory, &mut self.code, turn.lookahead.clamp(1, TURN_CYCLES));
        drop(memory);
        if exit == Exit::Stop(Stop::Wait) {
            let others_before = self.code.instructions != executed_before;
            if others_before {
                self.storage.granted = None;
            }
            self.next = self.storage.take_wanted(others_before);
        } else {
            self.storage.end();
        }
        let mut outcome = self.outcome.borrow_mut();
        outcome.cycles += cycles;
        outcome.asked.extend(self.next);
        match exit {
            Exit::Stop(Stop::Wait) if cycles == 0 => {
                self.asked = self.next.take();
                PpeStep::Ask(self.asked.expect("something to wait for"))
            }
            Exit::Budget | Exit::Stop(Stop::Wait) => PpeStep::Ask(PpeOp::Compute(cycles)),
            _ => {
                let times = (outcome.times.0, turn.time + cycles);
                let asked = std::mem::take(&mut outcome.asked);
                *outcome = Outcome { cpu: self.cpu.clone(), exit: Some(exit), cycles: outcome.cycles, times, asked };
                PpeStep::Stop(0)
            }
        }
    }
}

impl PpeProgram for Process {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        if let Some(load) = self.load.take() {
            load(machine);
            self.outcome.borrow_mut().times.0 = turn.time;
        }
        if let Some(op) = self.asked.take() {
            let delay = self.storage.made(op, turn.answer);
            self.cpu.resume(&mut self.code.pipelines, turn.time - self.asked_at, delay);
        }
        self.asked_at = turn.time;
        Ok(match self.next.take() {
            Some(op) => {
                self.asked = Some(op);
                PpeStep::Ask(op)
            }
            None => self.run(turn, machine),
        })
    }

    fn runs_ahead(&self) -> bool {
        true
    }
}

/// A reservation table that only one PPE thread uses. The machine keeps the lock lines of SPEs.
/// Translation whose misses take no time.
fn translation() -> Translation {
    let mut machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    (machine.translation.erat_miss_spu_cycles, machine.translation.ppe_walk_spu_cycles) = (0, 0);
    Translation::new(&machine, &tlb(&machine))
}

fn nobody() -> Reserved {
    Rc::new([Cell::new(NO_LINE), Cell::new(NO_LINE)])
}
