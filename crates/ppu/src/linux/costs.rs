//! What the operating system's work costs: the machine file's section `os`.

use super::wait::Nanos;

/// Times of the kernel's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// The plainest system call: into the kernel and back.
    pub system_call_ns: Nanos,
    /// A call of `futex`.
    pub futex_ns: Nanos,
    /// Creation of a thread of the PPE.
    pub clone_ns: Nanos,
    /// First use of a page of memory.
    pub page_fault_ns: Nanos,
    /// From one thread to another on a hardware thread.
    pub thread_switch_ns: Nanos,
    /// Delivery of a signal to its handler.
    pub signal_ns: Nanos,
    /// How long a thread runs while others are ready.
    pub time_slice_ns: Nanos,
    /// How long a thread runs at least when another one wakes.
    pub wakeup_granularity_ns: Nanos,
}
