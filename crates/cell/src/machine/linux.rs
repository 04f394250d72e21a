//! The section of a machine file for the costs of Linux, in addition to those that the papers measured
//! ([`super::Os`]).

use super::schema::{Field, Kind, Section, Values, between, section};

section! {
    /// What Linux takes for a program of the PPE, and how long it lets threads and contexts run.
    linux: Linux {
        /// The plainest system call, into the kernel and back.
        system_call_ns: u64, "ns", between(0, 1_000_000_000);
        /// A `futex` that finds nobody, or goes to sleep.
        futex_ns: u64, "ns", between(0, 1_000_000_000);
        /// Creation of a thread of the PPE.
        clone_ns: u64, "ns", between(0, 1_000_000_000);
        /// First use of a page.
        page_fault_ns: u64, "ns", between(0, 1_000_000_000);
        /// From one thread to another.
        thread_switch_ns: u64, "ns", between(0, 1_000_000_000);
        /// Delivery of a signal to its handler.
        signal_ns: u64, "ns", between(0, 1_000_000_000);
        /// How long a thread of the PPE runs while others are ready.
        time_slice_ns: u64, "ns", between(1_000, 1_000_000_000);
        /// How long it runs at least when another one wakes.
        wakeup_granularity_ns: u64, "ns", between(0, 1_000_000_000);
        /// An SPE's context comes to an SPE.
        spu_restore_ns: u64, "ns", between(0, 1_000_000_000);
        /// An SPE's context leaves its SPE.
        spu_save_ns: u64, "ns", between(0, 1_000_000_000);
        /// How long a context keeps its SPE while others wait for one.
        spu_time_slice_ns: u64, "ns", between(1_000, 10_000_000_000);
    }
}
