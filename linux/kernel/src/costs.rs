//! Costs of the operating system's work, from sections `os` and `linux` of the machine file.

use super::wait::Nanos;
use cell::machine::Machine;

/// Number of SPE context files that a library opens before the context runs: local store, registers, program name.
const LIBRARY_FILES: Nanos = 3;
const LIBRARY_WRITES: Nanos = 5;

/// Durations of the kernel's operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// The plainest system call.
    pub system_call_ns: Nanos,
    /// A call of `futex`.
    pub futex_ns: Nanos,
    /// Creation of a PPE thread.
    pub clone_ns: Nanos,
    /// Page fault at the first use of a memory page.
    pub page_fault_ns: Nanos,
    /// A switch from one thread to another on a hardware thread.
    pub thread_switch_ns: Nanos,
    /// Delivery of a signal to its handler.
    pub signal_ns: Nanos,
    /// Time slice of a thread while other threads are ready.
    pub time_slice_ns: Nanos,
    /// Minimum time that a thread keeps running after another thread wakes.
    pub wakeup_granularity_ns: Nanos,
    pub file_open_ns: Nanos,
    pub file_close_ns: Nanos,
    /// `read` of an SPE's file.
    pub spufs_read_ns: Nanos,
    /// `write` to an SPE's file.
    pub spufs_write_ns: Nanos,
    /// Creation of an SPE context. The papers' thread-creation time also includes creating a PPE thread, restoring the
    /// context, and the library's work on the context's files. The durations of these other operations are subtracted.
    pub spu_create_ns: Nanos,
    /// Destruction of an SPE context.
    pub spu_destroy_ns: Nanos,
}

impl Costs {
    /// Costs of a machine.
    pub fn new(machine: &Machine) -> Costs {
        let (os, linux) = (&machine.os, &machine.linux);
        let library_ns = LIBRARY_FILES * (os.file_open_ns + os.file_close_ns) + LIBRARY_WRITES * os.spufs_write_ns;
        let beside_creation_ns = linux.clone_ns + linux.spu_restore_ns + library_ns;
        Costs {
            system_call_ns: linux.system_call_ns,
            futex_ns: linux.futex_ns,
            clone_ns: linux.clone_ns,
            page_fault_ns: linux.page_fault_ns,
            thread_switch_ns: linux.thread_switch_ns,
            signal_ns: linux.signal_ns,
            time_slice_ns: linux.time_slice_ns,
            wakeup_granularity_ns: linux.wakeup_granularity_ns,
            file_open_ns: os.file_open_ns,
            file_close_ns: os.file_close_ns,
            spufs_read_ns: os.spufs_read_ns,
            spufs_write_ns: os.spufs_write_ns,
            spu_create_ns: os.thread_create_ns.saturating_sub(beside_creation_ns),
            spu_destroy_ns: os.thread_join_ns,
        }
    }
}
