//! Primitives, the FUNCTIONs of a host: the shared state of all threads, and each thread's part.

use super::abort::Abort;
use crate::answer::What;
use crate::error::Error;

/// A FUNCTION that is ready to run, with the state that its threads share.
pub trait Primitive: Sync {
    /// The definition of the numbers.
    fn what(&self) -> What;

    /// Number of threads; thread n runs on the n-th CPU of the request.
    fn threads(&self) -> usize;

    /// The number of iterations is a multiple of this.
    fn granule(&self) -> u64 {
        1
    }

    /// Maximum number of iterations of a sample; the sampler rounds it down to a multiple of the granule.
    fn most_iterations(&self) -> u64 {
        u64::MAX
    }

    /// Whether threads prepare each sample, outside of the measured time.
    fn prepares(&self) -> bool {
        false
    }

    /// Bytes that an iteration of a thread moves; the threads of an exchange differ.
    fn bytes_per_iteration(&self, _thread: usize) -> Option<u64> {
        self.what().bytes_per_iteration
    }

    /// Operations of an iteration; a sample's time is divided by iterations and by operations.
    fn operations_per_iteration(&self) -> u64 {
        1
    }

    /// Makes a thread's part.  The call runs on the thread's CPU, so that memory touched first is near that CPU.
    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error>;

    /// Wakes all threads that sleep in the kernel, so that they can leave.
    fn wake(&self) {}
}

/// One thread's part.
pub trait Part {
    /// Prepares a sample, if [`Primitive::prepares`].  No thread goes on before all threads have prepared.
    fn prepare(&mut self) {}

    /// Runs this many iterations; returns an error if all threads should leave.
    fn run(&mut self, iterations: u64) -> Result<(), Error>;

    /// Whether this thread's times are reported; otherwise the thread only answers others or holds a buffer.
    fn measures(&self) -> bool {
        true
    }
}
