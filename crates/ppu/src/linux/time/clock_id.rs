//! What times are counted by.

use crate::linux::errno::Errno;
use crate::linux::tid::Tid;

/// A clock that a program can ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockId {
    /// The time of day.
    Real,
    /// Time since the start of the machine.
    Monotonic,
    /// Time that the process has used.
    Process,
    /// Time that a thread has used.
    Thread(Tid),
}

impl ClockId {
    /// Whether it goes on whatever a program does.
    pub fn passes(self) -> bool {
        matches!(self, ClockId::Real | ClockId::Monotonic)
    }

    /// The clock of a number.
    ///
    /// # Errors
    /// `EINVAL`
    pub fn of(number: u32, caller: Tid) -> Result<ClockId, Errno> {
        match number {
            0 | 5 => Ok(ClockId::Real),
            1 | 4 | 6 | 7 => Ok(ClockId::Monotonic),
            2 => Ok(ClockId::Process),
            3 => Ok(ClockId::Thread(caller)),
            // Of another thread or of a process: its number, inverted, in the upper bits.
            made if made >> 31 != 0 && made & 3 == 2 => {
                let tid = Tid(!made >> 3);
                Ok(if made & 4 == 0 {
                    ClockId::Process
                } else {
                    ClockId::Thread(if tid.0 == 0 { caller } else { tid })
                })
            }
            _ => Err(Errno::EINVAL),
        }
    }
}
