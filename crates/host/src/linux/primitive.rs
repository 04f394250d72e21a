//! What a FUNCTION is: something that all threads do together, and each thread's part in it.

use super::abort::Abort;
use crate::answer::What;
use crate::error::Error;

/// A FUNCTION, ready to run: all that its threads share.
pub trait Primitive: Sync {
    /// What the numbers mean.
    fn what(&self) -> What;

    /// Threads that take part; each is on the CPU of its number.
    fn threads(&self) -> usize;

    /// Iterations come in multiples of this.
    fn granule(&self) -> u64 {
        1
    }

    /// A sample has no more iterations than these, rounded down to its multiple.
    fn most_iterations(&self) -> u64 {
        u64::MAX
    }

    /// Whether threads have something to prepare before each sample, outside of its time.
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

    /// A thread's part, made on the thread's CPU: what it touches first is near it.
    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error>;

    /// Wakes all who sleep in the kernel, so that they see that all should leave.
    fn wake(&self) {}
}

/// What one thread does.
pub trait Part {
    /// Before each sample, if the primitive prepares anything; all are done before anybody goes on.
    fn prepare(&mut self) {}

    /// So many iterations; an error if all should leave.
    fn run(&mut self, iterations: u64) -> Result<(), Error>;

    /// Whether its times are the measurement, or it only answers others or holds a buffer.
    fn measures(&self) -> bool {
        true
    }
}
