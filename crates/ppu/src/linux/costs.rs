//! What the operating system's work costs: the machine file's section `os`.

use super::wait::Nanos;

/// Times of the kernel's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// The plainest system call: into the kernel and back.
    pub system_call_ns: Nanos,
}
