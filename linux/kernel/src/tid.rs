//! Thread numbers.

/// A thread's number. The first thread of a process has the same number as the process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tid(pub u32);

/// Number of the process, and of its first thread.
///
/// MODEL: every run is process 1000, the child of process 999.
pub const PROCESS: Tid = Tid(1000);
