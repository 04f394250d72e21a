//! What the operating system's work costs: the machine file's section `linux`.

use super::wait::Nanos;
use cell::machine::Linux;

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
    pub fn new(linux: &Linux) -> Costs {
        Costs {
            system_call_ns: linux.system_call_ns,
            futex_ns: linux.futex_ns,
            clone_ns: linux.clone_ns,
            page_fault_ns: linux.page_fault_ns,
            thread_switch_ns: linux.thread_switch_ns,
            signal_ns: linux.signal_ns,
            time_slice_ns: linux.time_slice_ns,
            wakeup_granularity_ns: linux.wakeup_granularity_ns,
        }
    }
}
