//! The section of a machine file for those costs of Linux that the papers did not measure ([`super::Os`] contains the
//! measured costs).

use super::schema::{Field, Kind, Section, Values, between, section};

section! {
    /// Costs of Linux for a PPE program, and time slices of threads and contexts.
    linux: Linux {
        /// Duration of the simplest system call, from the program into the kernel and back.
        system_call_ns: u64, "ns", between(0, 1_000_000_000);
        /// Duration of a `futex` call that finds no waiting thread, or that blocks.
        futex_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to create a PPE thread.
        clone_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time for the first access to a page.
        page_fault_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to switch from one PPE thread to another.
        thread_switch_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to deliver a signal to its handler.
        signal_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time slice of a PPE thread while other threads are ready.
        time_slice_ns: u64, "ns", between(1_000, 1_000_000_000);
        /// Minimum run time of a PPE thread when another thread wakes.
        wakeup_granularity_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to restore a context to an SPE.
        spu_restore_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to save a context from its SPE.
        spu_save_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time slice of an SPE context while other contexts wait for an SPE.
        spu_time_slice_ns: u64, "ns", between(1_000, 10_000_000_000);
    }
}
