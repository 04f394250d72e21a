//! A primitive implements a FUNCTION on a host. A primitive has state that all threads share, and a part for each
//! thread.

use super::abort::Abort;
use crate::answer::What;
use crate::error::Error;

/// A FUNCTION that is ready to run, with the state that its threads share.
pub trait Primitive: Sync {
    /// The definition of the reported numbers.
    fn what(&self) -> What;

    /// Number of threads; thread n runs on the n-th CPU of the request.
    fn threads(&self) -> usize;

    /// The granule: the number of iterations of a sample is a multiple of this number.
    fn granule(&self) -> u64 {
        1
    }

    /// Maximum number of iterations of a sample; the sampler rounds it down to a multiple of the granule.
    fn most_iterations(&self) -> u64 {
        u64::MAX
    }

    /// Whether threads must prepare each sample, outside of the measured time.
    fn prepares(&self) -> bool {
        false
    }

    /// Number of bytes that this thread moves per iteration. Threads of an exchange may move different numbers of
    /// bytes.
    fn bytes_per_iteration(&self, _thread: usize) -> Option<u64> {
        self.what().bytes_per_iteration
    }

    /// Number of operations in an iteration. The duration of a sample is divided by the numbers of iterations and of
    /// operations per iteration.
    fn operations_per_iteration(&self) -> u64 {
        1
    }

    /// Makes a thread's part. The call runs on the thread's CPU, so memory that is first touched in the call is near
    /// that CPU.
    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error>;

    /// Wakes all threads that sleep in the kernel, so that they can leave.
    fn wake(&self) {}
}

/// One thread's part of a primitive.
pub trait Part {
    /// Prepares a sample, if [`Primitive::prepares`] returns true. No thread starts the sample before all threads have
    /// prepared it.
    fn prepare(&mut self) {}

    /// Runs this many iterations; returns an error if all threads should leave.
    fn run(&mut self, iterations: u64) -> Result<(), Error>;

    /// Whether this thread's times are reported; otherwise, the thread only answers another thread or holds a buffer.
    fn measures(&self) -> bool {
        true
    }

    /// Time of the iterations of the last run by this part's own measurement; `None` if the run's duration is meant.
    fn own_ns(&self, _iterations: u64) -> Option<f64> {
        None
    }

    /// Number of bytes that a thread in the background has moved so far; `None` for all other threads.
    fn moved_bytes(&self) -> Option<u64> {
        None
    }
}
