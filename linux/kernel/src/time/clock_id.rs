//! The clocks that a program can read.

use crate::errno::Errno;
use crate::tid::Tid;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockId {
    /// The time of day.
    Real,
    /// Time since the start of the machine.
    Monotonic,
    /// Processor time of the process.
    Process,
    /// Processor time of a thread.
    Thread(Tid),
}

impl ClockId {
    /// Whether the clock runs independently of the program.
    pub fn passes(self) -> bool {
        matches!(self, ClockId::Real | ClockId::Monotonic)
    }

    /// The clock with this number.
    ///
    /// # Errors
    /// `EINVAL`: the clock does not exist.
    pub fn of(number: u32, caller: Tid) -> Result<ClockId, Errno> {
        match number {
            0 | 5 => Ok(ClockId::Real),
            1 | 4 | 6 | 7 => Ok(ClockId::Monotonic),
            2 => Ok(ClockId::Process),
            3 => Ok(ClockId::Thread(caller)),
            // Clock number for the processor time of another thread or of a process. The upper bits hold the inverted
            // number of the thread or process.
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
