//! A thread of the process.

use super::errno::Errno;
use super::request::Request;
use super::signals::action::ThreadSignals;
use super::wait::{Queue, Wait};
use crate::registers::Cpu;

/// A thread's number; that of the first is the process's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tid(pub u32);

/// Number of the process, and of its first thread.
///
/// MODEL: every run is process 1000, the child of process 999.
pub const PROCESS: Tid = Tid(1000);

/// What a thread is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It could run, or attempt its call again.
    Ready,
    /// A hardware thread has it.
    Running,
    /// Its call waits.
    Waiting(Wait),
}

/// A thread.
pub struct Thread {
    /// Its number.
    pub tid: Tid,
    /// Its registers.
    pub cpu: Cpu,
    /// What it is doing.
    pub state: State,
    /// The system call that it is making.
    pub request: Option<Request>,
    /// What is for this thread alone: signals, futexes.
    pub own: Queue,
    /// A word that becomes 0, and wakes a futex there, when the thread ends; 0: none.
    pub clear_child_tid: u32,
    /// Its list of robust futexes; 0: none.
    pub robust_list: u32,
    /// Processor cycles that it has used.
    pub used_cycles: u64,
    /// Cycles that it is treated as having used besides, when the one that has used the fewest is next.
    pub forgone_cycles: u64,
    /// The hardware threads on which it may run, a bit each.
    pub affinity: u8,
    /// Whether floating-point exceptions are signals: the mode of `prctl(PR_SET_FPEXC)`, 0 for no.
    pub float_exceptions: u32,
    /// Its signals.
    pub signals: ThreadSignals,
    /// Its name, for `prctl`.
    pub name: [u8; 16],
}

/// Summary overflow in field 0 of the condition register: a call failed.
pub const CR0_SO: u32 = 0x1000_0000;
/// Both hardware threads.
pub const ALL_PLACES: u8 = 3;

impl Thread {
    /// A thread that is ready to run.
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
            affinity: ALL_PLACES,
            float_exceptions: 0,
            signals: ThreadSignals::default(),
            name: [0; 16],
        }
    }

    /// Its call is done.
    pub fn returns(&mut self, value: u32) {
        self.cpu.set_word(3, value);
        self.cpu.cr &= !CR0_SO;
    }

    /// Its call has failed.
    pub fn fails(&mut self, errno: Errno) {
        self.cpu.set_word(3, errno.0.into());
        self.cpu.cr |= CR0_SO;
    }

    /// It makes its call again.
    pub fn makes_again(&mut self, request: &Request) {
        self.cpu.set_word(3, request.arguments[0]);
        self.cpu.pc = self.cpu.pc.wrapping_sub(4);
    }

    /// Gives it a name, of which the first 15 bytes count.
    pub fn set_name(&mut self, name: &[u8]) {
        self.name = [0; 16];
        for (to, from) in self.name.iter_mut().take(15).zip(name.iter().take_while(|byte| **byte != 0)) {
            *to = *from;
        }
    }
}
