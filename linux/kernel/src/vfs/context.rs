//! The context of a file operation, and the reasons why an object may refuse an operation.

use crate::clock::START_SECONDS;
use crate::errno::Errno;
use crate::hardware::{BadAddress, Hardware};
use crate::memory::space::Space;
use crate::wait::{Nanos, Queue, Wakes};
use files::Stamp;

/// The parts of the system that an object may use.
pub struct Context<'c> {
    /// The machine.
    pub hardware: &'c mut dyn Hardware,
    /// Queues that are woken.
    pub wakes: &'c mut Wakes,
    /// The address space of the process, which appears in `/proc`.
    pub space: &'c Space,
    /// Simulated time since the start.
    pub now: Nanos,
}

impl Context<'_> {
    /// Simulated time of day.
    pub fn stamp(&self) -> Stamp {
        const NANOS: u64 = 1_000_000_000;
        Stamp { seconds: (START_SECONDS + self.now / NANOS) as i64, ns: (self.now % NANOS) as u32 }
    }
}

/// Reason why an object does not perform an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The operation fails.
    Errno(Errno),
    /// The operation would have to wait until one of these queues is woken.
    Waits(Vec<Queue>),
    /// The simulation cannot continue, and ends with this message.
    End(String),
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Refusal {
        Refusal::Errno(errno)
    }
}

impl From<BadAddress> for Refusal {
    fn from(bad: BadAddress) -> Refusal {
        Refusal::Errno(bad.into())
    }
}

impl From<files::Errno> for Refusal {
    fn from(errno: files::Errno) -> Refusal {
        Refusal::Errno(errno.into())
    }
}

impl From<files::Errno> for Errno {
    fn from(errno: files::Errno) -> Errno {
        u16::try_from(errno.0).map_or(Errno::EIO, Errno)
    }
}
