//! The answer: the measurement as JSON, with every sample.

use crate::clock::Clock;
use serde::Serialize;

/// The kind of time that a latency reports.  A latency is never the time of one direction, because measuring one
/// direction would compare the clocks of two CPUs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Latency {
    /// There and back.
    #[serde(rename = "round trip")]
    RoundTrip,
    /// One operation of the FUNCTION.
    #[serde(rename = "per operation")]
    PerOperation,
}

/// The definition of the reported numbers.  Tools measure different things under one name, so their results may differ
/// by factors.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct What {
    /// The exact operation that one iteration performs.
    pub operation: String,
    /// The kind of time that a latency of this measurement reports.
    pub latency: Latency,
    /// Location of the cache lines or memory that the threads use.
    pub line_home: String,
    /// Number of bytes that one thread moves per iteration; `None` if threads differ.  A byte of a copied block or
    /// message counts once; a byte that the FUNCTION `copy` loads and stores counts twice, as in STREAM.
    pub bytes_per_iteration: Option<u64>,
}

/// The results of one thread.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ThreadAnswer {
    /// Number of the thread.
    pub thread: usize,
    /// The CPU that the request assigned to the thread.
    pub cpu: usize,
    /// Number of bytes that this thread moves per iteration.
    pub bytes_per_iteration: Option<u64>,
    /// Bandwidth of a thread in the background in GB/s (GB = 10^9 bytes); `None` for all other threads.
    pub background_gb_s: Option<f64>,
    /// Time of an iteration in each sample; empty if the thread only answers another thread or holds a buffer.
    pub samples_ns: Vec<f64>,
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
}

/// A measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The clock that timed the samples.
    pub clock: Clock,
    /// The definition of the reported numbers.
    pub what: WhatAnswer,
    /// Smallest time of an iteration on the slowest thread, in any sample, including the warm-up.
    pub least_ns: f64,
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
    /// Iterations of a sample.
    pub iterations_per_sample: u64,
}
