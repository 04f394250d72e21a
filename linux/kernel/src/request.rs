//! A system call in progress, and the result of an attempt.

use super::errno::Errno;
use super::hardware::{BadAddress, Hardware};
use super::wait::{Nanos, Wait};
use super::width::Width;
use ppu::registers::Cpu;

/// Result of an attempt at a system call: the value of the call, or the reason why the call has no value yet.
pub type Answer = Result<u32, NotDone>;

/// Reason why an attempt at a system call has returned no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotDone {
    /// The call failed.
    Failed(Errno),
    /// The call waits, and is attempted again after an event.
    Waits(Wait),
    /// The call has set the thread's registers itself, or has ended the thread.
    Settled,
    /// The simulation cannot continue, and ends with this message.
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

/// A thread's system call, from its first attempt to its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Number of the call (r0).
    pub number: u32,
    /// Arguments (r3 to r10). Those of a 64-bit process are shortened, as [`dyn Hardware::narrow`] says.
    pub arguments: [u32; 8],
    /// Arguments of a 64-bit process, unshortened.
    pub longs: [u64; 8],
    /// Left half of the call's value, in a 64-bit process.
    pub upper: u32,
    /// Attempts before this one.
    pub attempts: u32,
    /// Deadline of the call, set by its first attempt.
    pub deadline: Option<Nanos>,
    /// Progress of the call, such as the bytes transferred so far. Only the function of the call uses this value.
    pub progress: u32,
    /// Whether a signal has interrupted the call. An interrupted call that still must wait fails with `EINTR`.
    pub interrupted: bool,
}

impl Request {
    /// A system call before its first attempt.
    pub fn new(number: u32, arguments: [u32; 8]) -> Request {
        let longs = arguments.map(u64::from);
        Request { number, arguments, longs, upper: 0, attempts: 0, deadline: None, progress: 0, interrupted: false }
    }

    /// Reads a system call from a thread's registers.
    pub fn of(cpu: &Cpu, hardware: &mut dyn Hardware) -> Request {
        let longs: [u64; 8] = std::array::from_fn(|n| cpu.doubleword(3 + n as u8));
        let arguments = match hardware.width() {
            Width::Narrow => longs.map(|long| long as u32),
            Width::Wide => longs.map(|long| hardware.narrow(long)),
        };
        Request { longs, ..Request::new(cpu.word(0), arguments) }
    }

    /// Combines two arguments into a 64-bit number.
    pub fn doubleword(&self, first: usize) -> u64 {
        let half = |n: usize| u64::from(self.arguments.get(n).copied().unwrap_or(0));
        half(first) << 32 | half(first + 1)
    }

    /// Whether `timeout` has passed since the first attempt at the call.
    pub fn expired(&mut self, now: Nanos, timeout: Nanos) -> bool {
        now >= *self.deadline.get_or_insert(now.saturating_add(timeout))
    }
}
