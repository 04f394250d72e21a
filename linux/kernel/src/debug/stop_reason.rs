//! Reasons for stops.

use crate::signals::number::Signal;
use std::fmt::{self, Display, Formatter};

/// The accesses at which a watchpoint stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Stores.
    Write,
    /// Loads.
    Read,
    /// Both.
    Access,
}

/// An access to watched storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The first watched address that is accessed.
    pub ea: u64,
    /// The kind of the watchpoint.
    pub kind: Kind,
}

/// Why a thread has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The program is about to execute its first instruction.
    Start,
    /// A breakpoint is at the next instruction.
    Breakpoint,
    /// The next instruction is about to access watched storage.
    Watchpoint(Watched),
    /// The thread has executed what it was asked to execute.
    Stepped,
    /// A signal has arrived, which has not been delivered yet.
    Signal(Signal),
    /// The debugger wanted the process to stop.
    Interrupted,
    /// The way back has led to the beginning of the program.
    Beginning,
    /// There is no way back.
    NoWayBack(Obstacle),
}

/// Why there is no way back: another run would not take the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The debugger has changed registers or memory.
    Changed,
    /// The debugger has let threads wait.
    Locked,
    /// The debugger has sent a signal, or kept one from the program.
    Signal,
    /// The program has used files and streams more than can be recorded.
    Full,
}

impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::Changed => "no way back: the debugger has changed registers or memory",
            Obstacle::Locked => "no way back: scheduler-locking has let threads wait",
            Obstacle::Signal => "no way back: the debugger has sent a signal, or kept one from the program",
            Obstacle::Full => "no way back: the program has used files and streams more than can be recorded",
        })
    }
}
