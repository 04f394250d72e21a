//! Early termination: one flag that all threads of a measurement check.
//!
//! A thread that waits for another thread checks the flag at intervals. Therefore, no thread waits forever for a
//! failed thread, and a measurement can be stopped from outside.

use super::os::yield_now;
use crate::error::Error;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of iterations of a waiting loop between two checks of the flag.
const SPINS_PER_CHECK: u32 = 1 << 12;
/// Number of checks after which a thread that waits outside of the measured time yields its CPU, because the awaited
/// thread may need the same CPU.
const CHECKS_PER_YIELD: u32 = 4;
/// Number of measured iterations between two checks of the flag.
const ITERATIONS_PER_CHECK: u64 = 1 << 10;

/// The flag that tells all threads to leave. The flag has a separate cache line. All threads only read this line
/// until the flag is set, so a check costs an L1 hit.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Abort(AtomicBool);

impl Abort {
    /// Tells all threads to leave.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether all threads should leave.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if all threads should leave.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Waits within the measured time until `done` returns true: at full speed, without a pause instruction.
    #[inline(always)]
    pub fn spin_until(&self, mut done: impl FnMut() -> bool) -> Result<(), Error> {
        loop {
            for _ in 0..SPINS_PER_CHECK {
                if done() {
                    return Ok(());
                }
            }
            self.check()?;
        }
    }

    /// Waits outside of the measured time until `done` returns true, and yields the CPU during a long wait.
    pub fn wait_until(&self, mut done: impl FnMut() -> bool) -> Result<(), Error> {
        let mut checks = 0_u32;
        loop {
            for _ in 0..SPINS_PER_CHECK {
                if done() {
                    return Ok(());
                }
                spin_loop();
            }
            self.check()?;
            checks += 1;
            if checks.is_multiple_of(CHECKS_PER_YIELD) {
                yield_now();
            }
        }
    }

    /// Runs a short `body` `iterations` times, and checks the flag at intervals.
    #[inline(always)]
    pub fn repeat(&self, iterations: u64, mut body: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        let mut left = iterations;
        while left > 0 {
            self.check()?;
            let now = left.min(ITERATIONS_PER_CHECK);
            for _ in 0..now {
                body()?;
            }
            left -= now;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_unless_all_should_leave() {
        let (abort, mut done) = (Abort::default(), 0);
        let count = 3 * ITERATIONS_PER_CHECK + 1;
        let count_one = || {
            done += 1;
            Ok(())
        };
        abort.repeat(count, count_one).unwrap();
        assert_eq!(done, count);
        abort.set();
        assert_eq!(abort.repeat(1, || Ok(())), Err(Error::Stopped));
        assert_eq!(abort.spin_until(|| false), Err(Error::Stopped));
        assert_eq!(abort.wait_until(|| false), Err(Error::Stopped));
    }
}
