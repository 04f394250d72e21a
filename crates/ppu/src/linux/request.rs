//! A call that a thread makes, and what an attempt at it comes to.

use super::errno::Errno;
use super::hardware::BadAddress;
use super::wait::{Nanos, Wait};
use crate::registers::Cpu;

/// What an attempt comes to: the call's result, or why there is none.
pub type Answer = Result<u32, NotDone>;

/// Why an attempt gave no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotDone {
    /// It failed.
    Failed(Errno),
    /// It is attempted again when something happens.
    Waits(Wait),
    /// The thread's registers are what they should be, or the thread has ended.
    Settled,
    /// The run ends, with this line.
    Broken(String),
}

impl From<Errno> for NotDone {
    fn from(errno: Errno) -> NotDone {
        NotDone::Failed(errno)
    }
}

impl From<BadAddress> for NotDone {
    fn from(bad: BadAddress) -> NotDone {
        NotDone::Failed(bad.into())
    }
}

impl From<Wait> for NotDone {
    fn from(wait: Wait) -> NotDone {
        NotDone::Waits(wait)
    }
}

/// A call that a thread makes, from its first attempt to its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// r0
    pub number: u32,
    /// r3 to r10
    pub arguments: [u32; 8],
    /// Attempts before this one.
    pub attempts: u32,
    /// When it gives up; the call sets it in its first attempt.
    pub deadline: Option<Nanos>,
    /// What it has done so far, for the call's own use: bytes moved, for instance.
    pub progress: u32,
    /// A signal ends it: if it still has to wait, it fails with `EINTR`.
    pub interrupted: bool,
}

impl Request {
    /// A call that was not attempted yet.
    pub fn new(number: u32, arguments: [u32; 8]) -> Request {
        Request { number, arguments, attempts: 0, deadline: None, progress: 0, interrupted: false }
    }

    /// The call that a thread makes.
    pub fn of(cpu: &Cpu) -> Request {
        Request::new(cpu.word(0), std::array::from_fn(|n| cpu.word(3 + n as u8)))
    }

    /// Two arguments as one of 64 bits.
    pub fn doubleword(&self, first: usize) -> u64 {
        let half = |n: usize| u64::from(self.arguments.get(n).copied().unwrap_or(0));
        half(first) << 32 | half(first + 1)
    }

    /// Gives up so long after the first attempt; whether that time has come.
    pub fn expired(&mut self, now: Nanos, timeout: Nanos) -> bool {
        now >= *self.deadline.get_or_insert(now.saturating_add(timeout))
    }
}
