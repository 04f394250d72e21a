//! A thread of the process.

use crate::errno::Errno;
use crate::request::Request;
use crate::signals::action::ThreadSignals;
use crate::tid::Tid;
use crate::wait::{Queue, Wait};
use ppu::registers::Cpu;

/// State of a thread in the scheduler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Ready to run, or to attempt a system call again.
    Ready,
    /// Running on a hardware thread.
    Running,
    /// Waiting in a system call, or for an SPE.
    Waiting(Wait),
}

pub struct Thread {
    /// Thread number.
    pub tid: Tid,
    /// Registers.
    pub cpu: Cpu,
    /// Scheduling state.
    pub state: State,
    /// The system call in progress.
    pub request: Option<Request>,
    /// Queue that wakes only this thread, for signals and futexes.
    pub own: Queue,
    /// Address of the word to be cleared at the end of the thread, or 0. The kernel then also wakes a thread that
    /// waits on this word.
    pub clear_child_tid: u32,
    /// Address of the list of robust futexes, or 0.
    pub robust_list: u32,
    /// Processor cycles used.
    pub used_cycles: u64,
    /// Extra cycles: the scheduler chooses the thread with the smallest sum of `used_cycles` and this value.
    pub forgone_cycles: u64,
    /// Mask of the hardware threads on which the thread may run.
    pub affinity: u8,
    /// Number of the PPE on which the thread ran last.
    pub ppe: usize,
    /// Mode of `prctl(PR_SET_FPEXC)`: 0 means that floating-point exceptions raise no signals.
    pub float_exceptions: u32,
    /// Signal mask, pending signals and alternate stack.
    pub signals: ThreadSignals,
    /// Name set by `prctl(PR_SET_NAME)`.
    pub name: [u8; 16],
}

/// Summary-overflow bit in CR field 0, which is set if a system call fails.
pub const CR0_SO: u32 = 0x1000_0000;

impl Thread {
    /// Creates a thread that is ready to run.
    pub fn new(tid: Tid, cpu: Cpu, own: Queue) -> Thread {
        Thread {
            tid,
            cpu,
            state: State::Ready,
            request: None,
            own,
            clear_child_tid: 0,
            robust_list: 0,
            used_cycles: 0,
            forgone_cycles: 0,
            affinity: u8::MAX,
            ppe: 0,
            float_exceptions: 0,
            signals: ThreadSignals::default(),
            name: [0; 16],
        }
    }

    /// Whether the thread's affinity mask permits a hardware thread.
    pub fn may_run_on(&self, hardware_thread: usize) -> bool {
        self.affinity & 1 << hardware_thread != 0
    }

    /// Stores the result of the thread's system call in its registers.
    pub fn returns(&mut self, value: u64) {
        self.cpu.set_doubleword(3, value);
        self.cpu.cr &= !CR0_SO;
    }

    /// Stores the error of the thread's system call in its registers.
    pub fn fails(&mut self, errno: Errno) {
        self.cpu.set_word(3, errno.0.into());
        self.cpu.cr |= CR0_SO;
    }

    /// Moves the thread back to its `sc` instruction, so that the thread makes the call again.
    pub fn restarts(&mut self, request: &Request) {
        self.cpu.set_doubleword(3, request.longs[0]);
        self.cpu.pc = self.cpu.pc.wrapping_sub(4);
    }

    /// Sets the thread's name to the bytes of `name` before a NUL, at most 15 bytes.
    pub fn set_name(&mut self, name: &[u8]) {
        self.name = [0; 16];
        for (to, from) in self.name.iter_mut().take(15).zip(name.iter().take_while(|byte| **byte != 0)) {
            *to = *from;
        }
    }
}
