//! Primitives, the FUNCTIONs of a host: what all threads do together, and each thread's part in it.

use super::abort::Abort;
use crate::answer::What;
use crate::error::Error;

/// A FUNCTION, ready to run, with all that its threads share.
pub trait Primitive: Sync {
    /// What the numbers mean.
    fn what(&self) -> What;

    /// Threads that take part; each is on the CPU of its number.
    fn threads(&self) -> usize;

    /// Iterations come in multiples of this.
    fn granule(&self) -> u64 {
        1
    }

    /// The most iterations of a sample, rounded down to a multiple of the granule.
    fn most_iterations(&self) -> u64 {
        u64::MAX
    }

    /// Whether threads prepare something before each sample, outside of its time.
    fn prepares(&self) -> bool {
        false
    }

    /// Bytes that an iteration of a thread moves; not the same for all in an exchange.
    fn bytes_per_iteration(&self, _thread: usize) -> Option<u64> {
        self.what().bytes_per_iteration
    }

    /// A sample's time is divided by this as well as by its iterations.
    fn operations_per_iteration(&self) -> u64 {
        1
    }

    /// A thread's part, made on the thread's CPU, so that memory it touches first is near it.
    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error>;

    /// Wakes all threads that sleep in the kernel, to let them leave.
    fn wake(&self) {}
}

/// One thread's part.
pub trait Part {
    /// Prepares a sample, if the primitive prepares anything; all threads are done before any of them goes on.
    fn prepare(&mut self) {}

    /// Runs this many iterations; an error if all should leave.
    fn run(&mut self, iterations: u64) -> Result<(), Error>;

    /// Whether its times are the measurement; otherwise it only answers others or holds a buffer.
    fn measures(&self) -> bool {
        true
    }
}
