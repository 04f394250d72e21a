//! The PPE: its threads, and its way to main memory.

use super::syscall::Kernel;
use crate::door::{PpeOp, PpeProgram, Syscall};
use crate::machine::Machine;
use crate::ppe::{MemoryPath, THREADS};
use crate::processor::{Core, State};
use crate::snapshot::Snapshot;
use crate::units::BusCycle;
use std::collections::VecDeque;

/// One hardware thread.
#[derive(Default)]
pub(crate) struct PpeThread<'p> {
    pub program: Option<Box<dyn PpeProgram + 'p>>,
    pub core: Core<PpeOp, u64>,
    /// What is left of a system call, and until when its present step lasts.
    pub kernel: VecDeque<Kernel>,
    pub kernel_until: BusCycle,
    /// What the system call has found out so far.
    pub value: u64,
    /// An access over the bus whose answer has not come.
    pub loading: bool,
    /// Whether its program works first, and then computes for as long as that took.
    pub runs_ahead: bool,
    /// A mark that waits for the bus clock, and the iterations left at it.
    pub mark: Option<u64>,
}

/// The PPE.
pub(crate) struct Ppe<'p> {
    pub threads: [PpeThread<'p>; THREADS],
    pub memory: MemoryPath,
    /// Stores to windows of SPEs that are on their way.
    pub stores: u32,
    /// The line that each thread has reserved.
    pub reservations: [Option<u64>; THREADS],
}

impl<'p> Ppe<'p> {
    /// No programs, empty caches.
    pub fn new(machine: &Machine) -> Self {
        Ppe { threads: Default::default(), memory: MemoryPath::new(machine), stores: 0, reservations: [None; THREADS] }
    }

    /// Takes the reservations of its threads on a line that somebody else has written.
    pub fn lose_reservations(&mut self, line: u64) {
        for reservation in &mut self.reservations {
            reservation.take_if(|reserved| *reserved == line);
        }
    }

    /// Gives the next thread its program, if there is a thread left.
    pub fn load(&mut self, program: Box<dyn PpeProgram + 'p>) {
        if let Some(thread) = self.threads.iter_mut().find(|thread| thread.program.is_none()) {
            thread.runs_ahead = program.runs_ahead();
            thread.program = Some(program);
        }
    }

    /// Starts its programs; whether it has any.
    pub fn start(&mut self) -> bool {
        let loaded = self.threads.iter_mut().filter(|thread| thread.program.is_some());
        loaded.map(|thread| thread.core.start(0, 0)).count() > 0
    }

    /// Whether a program is running.
    pub fn is_running(&self) -> bool {
        self.threads.iter().any(|thread| thread.core.is_running())
    }

    /// Whether none of its stores is under way.
    pub fn stores_are_done(&self) -> bool {
        self.stores == 0 && self.memory.stores_are_done()
    }

    /// Whether a thread waits for stores that are all done by now.
    pub fn sync_is_due(&self, thread: usize) -> bool {
        let PpeThread { core, loading, .. } = &self.threads[thread];
        matches!(core.state, State::Blocked(PpeOp::Sync)) && !loading && self.stores_are_done()
    }

    /// What each thread that has not ended waits for.
    pub fn waiting(&self) -> impl Iterator<Item = String> {
        (0..).zip(&self.threads).filter_map(|(n, thread)| {
            let name = if n == 0 { "PPE".to_string() } else { format!("PPE thread {n}") };
            Some(match thread.core.state {
                State::Blocked(PpeOp::Syscall(Syscall::ThreadJoin(thread))) => {
                    format!("{name} waits for thread {} to stop", thread.0)
                }
                State::Blocked(PpeOp::Syscall(Syscall::EventWait(..))) => {
                    format!("{name} waits for events of threads")
                }
                State::Blocked(PpeOp::Syscall(Syscall::MfcTagStatus(thread, ..))) => {
                    format!("{name} waits for proxy commands of thread {}", thread.0)
                }
                State::Blocked(PpeOp::Wait { .. }) => {
                    let what = thread.program.as_ref().and_then(|program| program.waits_for());
                    if what.as_ref().is_some_and(String::is_empty) {
                        return None;
                    }
                    what.unwrap_or_else(|| format!("{name} waits for an interrupt"))
                }
                State::Blocked(op) => format!("{name} waits in {op:?}"),
                _ if thread.core.is_running() => format!("{name} is running"),
                _ => return None,
            })
        })
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, ratio: u64, out: &mut Snapshot) {
        let Ppe {
            threads,
            memory,
            stores,
            // An operating system's programs make no marks.
            reservations: _,
        } = self;
        out.word(u64::from(*stores));
        threads.iter().for_each(|thread| thread.capture(now, ratio, out));
        memory.capture(now * ratio, out);
    }
}

impl PpeThread<'_> {
    fn capture(&self, now: BusCycle, ratio: u64, out: &mut Snapshot) {
        let PpeThread {
            // Its answers since the last mark stand for it.
            program: _,
            runs_ahead: _,
            core,
            kernel,
            kernel_until,
            value,
            loading,
            mark,
        } = self;
        let question = |op: &PpeOp, out: &mut Snapshot| out.word(digest(&format!("{op:?}")));
        core.capture(now, ratio, out, question, |answer| answer);
        out.word(*value);
        out.word(u64::from(mark.is_some()) << 1 | u64::from(*loading));
        out.deadline(*kernel_until, now);
        for step in kernel {
            out.word(digest(&format!("{step:?}")));
        }
    }
}

/// FNV-1a, for what is rarely captured and awkward to lay out in words.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
