//! The answer: what was measured, as JSON with every sample.

use crate::clock::Clock;
use serde::Serialize;

/// What a latency is the time of: never of one way, which would compare the clocks of two CPUs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Latency {
    /// There and back.
    #[serde(rename = "round trip")]
    RoundTrip,
    /// One operation, whatever it is.
    #[serde(rename = "per operation")]
    PerOperation,
}

/// What the numbers mean: peers disagree by factors because they measure different things under one name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct What {
    /// What one iteration does, exactly.
    pub operation: String,
    /// What a latency is the time of.
    pub latency: Latency,
    /// Location of the lines or of the memory that the threads use.
    pub line_home: String,
    /// Bytes that an iteration of one thread moves, if that is the same for all: those copied from one place to
    /// another count once; those of single loads and stores each, as STREAM counts.
    pub bytes_per_iteration: Option<u64>,
}

/// One thread's part.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ThreadAnswer {
    /// Its number.
    pub thread: usize,
    /// The CPU that it was to run on.
    pub cpu: usize,
    /// Bytes that an iteration of it moves.
    pub bytes_per_iteration: Option<u64>,
    /// Time of an iteration, sample by sample; empty if it only answers others or holds a buffer.
    pub samples_ns: Vec<f64>,
    /// The CPU that it was on at the end.
    pub cpu_after: usize,
    /// Samples that ended on another CPU than the sample before.
    pub migrations: u64,
    /// Times that it went to sleep during samples that count.
    pub voluntary_switches: u64,
    /// Times that it was preempted meanwhile.
    pub involuntary_switches: u64,
    /// Pages that it touched first meanwhile.
    pub minor_faults: u64,
}

/// A measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The clock.
    pub clock: Clock,
    /// What the numbers mean.
    pub what: WhatAnswer,
    /// Thread by thread.
    pub threads: Vec<ThreadAnswer>,
    /// Duration of it all, including the creation of threads and the warm-up.
    pub wall_ns: u64,
}

/// The definition of the numbers, with the iterations of a sample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhatAnswer {
    /// What the numbers mean.
    #[serde(flatten)]
    pub what: What,
    /// Iterations of a sample.
    pub iterations_per_sample: u64,
}
