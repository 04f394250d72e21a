//! Reasons for stops.

use crate::linux::signals::number::Signal;

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
pub enum Why {
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
}
