//! What the operating system's work costs: the machine file's section `os`.

use super::wait::Nanos;
use cell::machine::Os;

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

impl Costs {
    /// Those of a machine.
    pub fn new(os: &Os) -> Costs {
        Costs {
            system_call_ns: os.system_call_ns,
            futex_ns: os.futex_ns,
            clone_ns: os.clone_ns,
            page_fault_ns: os.page_fault_ns,
            thread_switch_ns: os.thread_switch_ns,
            signal_ns: os.signal_ns,
            time_slice_ns: os.time_slice_ns,
            wakeup_granularity_ns: os.wakeup_granularity_ns,
        }
    }
}
