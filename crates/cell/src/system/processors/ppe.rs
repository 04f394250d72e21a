//! The PPE: its threads, and its path to main memory.

use crate::door::{PpeOp, PpeProgram, SpeEvents, Syscall, TagUpdate};
use crate::machine::Machine;
use crate::ppe::MemoryPath;
use crate::processor::{Core, State};
use crate::snapshot::Snapshot;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{BusCycle, SpeId, THREADS_PER_PPE, ThreadId, other_thread};
use std::collections::VecDeque;

/// One step of the kernel in a system call. Each step may change the call's value. After the last step, the value
/// becomes the call's result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KernelStep {
    /// Spend time.
    Wait(BusCycle),
    /// Load a register; its content becomes the value.
    Load(u64),
    /// Load a register if any of these bits is set in the value; otherwise the value becomes [`crate::door::NO_ENTRY`].
    LoadIf(u64, u64),
    /// Store to a register.
    Store(u64, u32),
    /// Store to a register if any of these bits is set in the value. The value becomes 1 after a store, and 0
    /// otherwise.
    StoreIf(u64, u64, u32),
    /// Keep only these bits of the value.
    Mask(u64),
    /// Set the mode of a signal register.
    SignalMode(SpeId, u8, bool),
    /// Start a thread.
    Start(ThreadId, u64),
    /// Wait for a thread to stop; its stop code becomes the value.
    Join(ThreadId),
    /// Resume a thread after its stop.
    Continue(ThreadId),
    /// Wait for tag groups of the proxy queue; the mask of idle tag groups becomes the value.
    Tags(SpeId, u32, TagUpdate),
    /// Wait for events, with an optional bus cycle as timeout; the masks of pending events become the value.
    Events(SpeEvents, Option<BusCycle>),
}

/// One hardware thread.
#[derive(Default)]
pub(crate) struct PpeThread<'p> {
    pub program: Option<Box<dyn PpeProgram + 'p>>,
    pub core: Core<PpeOp, u64>,
    /// The remaining steps of a system call.
    pub kernel: VecDeque<KernelStep>,
    /// The bus cycle in which the current step ends.
    pub kernel_until: BusCycle,
    /// The value of the system call so far.
    pub value: u64,
    /// Whether an access over the bus is still unanswered.
    pub loading: bool,
    /// Whether the program runs ahead: it does its work at once, and then issues a computation of equal duration.
    pub runs_ahead: bool,
    /// The remaining iterations that a mark reported; the mark waits for the bus clock.
    pub mark: Option<u64>,
}

/// The PPE of a chip.
pub(crate) struct Ppe<'p> {
    pub chip: u8,
    pub threads: [PpeThread<'p>; THREADS_PER_PPE],
    pub memory: MemoryPath,
    /// Number of unacknowledged stores to SPEs' windows.
    pub stores: u32,
    /// For each hardware thread, the line that the thread has reserved.
    pub reservations: [Option<u64>; THREADS_PER_PPE],
}

impl<'p> Ppe<'p> {
    /// A PPE without programs, and with empty caches.
    pub fn new(chip: u8, machine: &Machine) -> Self {
        Ppe {
            chip,
            threads: Default::default(),
            memory: MemoryPath::new(machine),
            stores: 0,
            reservations: [None; THREADS_PER_PPE],
        }
    }

    /// The number of a thread among the threads of all PPEs.
    pub fn number_of(&self, thread: usize) -> usize {
        usize::from(self.chip) * THREADS_PER_PPE + thread
    }

    /// Whether every thread has a program.
    pub fn is_full(&self) -> bool {
        self.threads.iter().all(|thread| thread.program.is_some())
    }

    /// Removes the threads' reservations on a line that another unit has written.
    pub fn lose_reservations(&mut self, line: u64) {
        for reservation in &mut self.reservations {
            reservation.take_if(|reserved| *reserved == line);
        }
    }

    /// Removes the reservations of the other threads on a line that a thread has written.
    pub fn stored(&mut self, thread: usize, line: u64) {
        for (_, reservation) in self.reservations.iter_mut().enumerate().filter(|(other, _)| *other != thread) {
            reservation.take_if(|reserved| *reserved == line);
        }
    }

    /// Whether a store needs ownership of a line that the L2 is claiming.
    pub fn needs_ownership(&self, line: u64) -> bool {
        self.memory.needs_ownership(line, |thread| self.reservations[thread] == Some(line))
    }

    /// Loads a program into the next thread without a program, if there is such a thread.
    pub fn load(&mut self, program: Box<dyn PpeProgram + 'p>) {
        if let Some(thread) = self.threads.iter_mut().find(|thread| thread.program.is_none()) {
            thread.runs_ahead = program.runs_ahead();
            thread.program = Some(program);
        }
    }

    /// Starts the PPE's programs. Returns false if the PPE has no programs.
    pub fn start(&mut self) -> bool {
        let loaded = self.threads.iter_mut().filter(|thread| thread.program.is_some());
        loaded.map(|thread| thread.core.start(0, 0)).count() > 0
    }

    /// Whether a program is running.
    pub fn is_running(&self) -> bool {
        self.threads.iter().any(|thread| thread.core.is_running())
    }

    /// Lets a thread sleep until `at`. Returns false if the bus clock has advanced to `at`, because nothing else is due
    /// until then.
    pub fn sleep(&self, thread: usize, at: BusCycle, time: &mut Time) -> bool {
        let alone = !self.threads[other_thread(thread)].core.is_running() && self.memory.is_idle();
        let sleeps = !alone || !time.advance_idle(at);
        if sleeps {
            time.wake(Unit::Ppe(self.chip), at);
        }
        sleeps
    }

    /// Whether all stores of the PPE are done.
    pub fn stores_are_done(&self) -> bool {
        self.stores == 0 && self.memory.stores_are_done()
    }

    /// Whether a thread waits in `sync` although all stores are done.
    pub fn sync_is_due(&self, thread: usize) -> bool {
        let PpeThread { core, loading, .. } = &self.threads[thread];
        matches!(core.state, State::Blocked(PpeOp::Sync)) && !loading && self.stores_are_done()
    }

    /// A text line for each thread that has not ended, with the reason for its wait.
    pub fn waiting(&self) -> impl Iterator<Item = String> {
        (0..).zip(&self.threads).filter_map(|(n, thread)| {
            let name = match self.number_of(n) {
                0 => "PPE".to_string(),
                number => format!("PPE thread {number}"),
            };
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

    /// Adds the PPE's state, relative to `now`, to a snapshot.
    pub fn capture(&self, now: BusCycle, ratio: u64, out: &mut Snapshot) {
        let Ppe {
            chip: _,
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
            // The answers that the program has received since the last mark represent the program's state.
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

/// The FNV-1a hash of a text, for values that are rarely captured and hard to encode as integers.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
