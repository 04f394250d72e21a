//! The answer: the measurement as JSON, with every sample.

use crate::clock::Clock;
use serde::Serialize;

/// The kind of time that a latency reports. The time of one direction is only reported on request, because it compares
/// the clocks of two CPUs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Latency {
    /// There and back.
    #[serde(rename = "round trip")]
    RoundTrip,
    /// There.
    #[serde(rename = "one way")]
    OneWay,
    /// One operation of the FUNCTION.
    #[serde(rename = "per operation")]
    PerOperation,
}

/// The definition of the reported numbers. Tools measure different things under one name, so their results may differ
/// by factors.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct What {
    /// The exact operation that one iteration performs.
    pub operation: String,
    /// The kind of time that a latency of this measurement reports.
    pub latency: Latency,
    /// Location of the cache lines or memory that the threads use.
    pub line_home: String,
    /// Number of bytes that one thread moves per iteration; `None` if threads differ. A byte of a copied block or
    /// message counts once; a byte that the FUNCTION `copy` loads and stores counts twice, as in STREAM.
    pub bytes_per_iteration: Option<u64>,
}

/// The results of one thread.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ThreadAnswer {
    pub thread: usize,
    /// The CPU that the request assigned to the thread.
    pub cpu: usize,
    /// Number of bytes that this thread moves per iteration.
    pub bytes_per_iteration: Option<u64>,
    /// Bandwidth of a thread in the background in GB/s (GB = 10^9 bytes); `None` for all other threads.
    pub background_gb_s: Option<f64>,
    /// Time of an iteration in each sample; empty if the thread only answers another thread or holds a buffer.
    pub samples_ns: Vec<f64>,
    /// Number of operations in all samples; a sample is the time of one operation.
    pub operations: u64,
    /// The CPU on which the thread ended.
    pub cpu_after: usize,
    /// Number of samples that ended on a different CPU from the previous sample.
    pub migrations: u64,
    /// Voluntary context switches (sleeps) during samples after the warm-up.
    pub voluntary_switches: u64,
    /// Involuntary context switches (preemptions) during samples after the warm-up.
    pub involuntary_switches: u64,
    /// Minor page faults (pages touched for the first time) during samples after the warm-up.
    pub minor_faults: u64,
    /// Hardware events of one more sample; `None` if the thread does not measure or nothing was counted.
    pub counts: Option<Counts>,
}

/// Hardware events of one thread in one sample; `None` for events that the processor does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    /// Number of operations in the sample.
    pub operations: u64,
    /// Cycles of the core.
    pub cycles: u64,
    /// Completed instructions.
    pub instructions: Option<u64>,
    /// Misses of the last-level cache.
    pub llc_misses: Option<u64>,
}

/// Where hardware events are counted, or why they are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Counted {
    /// In the program and in the kernel.
    #[serde(rename = "user and kernel")]
    UserAndKernel,
    /// In the program only.
    #[serde(rename = "user")]
    User,
    /// The computer shows no hardware events, as most virtual machines.
    #[serde(rename = "no events")]
    NoEvents,
    /// The kernel allows it for privileged processes only.
    #[serde(rename = "not allowed")]
    NotAllowed,
    /// A filter of system calls forbids it, as in most containers.
    #[serde(rename = "filtered")]
    Filtered,
    /// The kernel lacks the system call.
    #[serde(rename = "no system call")]
    NoSystemCall,
    /// The kernel failed otherwise.
    #[serde(rename = "failed")]
    Failed,
}

impl Counted {
    /// Whether events are counted.
    pub fn any(self) -> bool {
        matches!(self, Counted::User | Counted::UserAndKernel)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The clock that timed the samples.
    pub clock: Clock,
    /// The definition of the reported numbers.
    pub what: WhatAnswer,
    /// Smallest time of an iteration on the slowest thread, in any sample, including the warm-up.
    pub least_ns: f64,
    /// Where hardware events were counted, or why they were not.
    pub counters: Counted,
    /// The results of each thread.
    pub threads: Vec<ThreadAnswer>,
    /// Duration of the whole measurement, including the creation of threads and the warm-up.
    pub wall_ns: u64,
}

/// The definition of the reported numbers, and the number of iterations of a sample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhatAnswer {
    /// The definition of the reported numbers.
    #[serde(flatten)]
    pub what: What,
    pub iterations_per_sample: u64,
}
