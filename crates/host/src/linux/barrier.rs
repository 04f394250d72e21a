//! The barrier at which the threads of a measurement meet between two samples.
//!
//! When all threads have arrived, the leader (thread 0) decides whether another sample follows. All threads leave the
//! barrier together, as soon as the cache line with the generation reaches them. Reports to the leader and the
//! leader's decision are in separate cache lines.

use super::abort::Abort;
use crate::error::Error;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The leader's decision: the next sample, or the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Sample {
        /// Iterations of each thread.
        iterations: u64,
        /// Whether the sample counts; otherwise, the sample belongs to the warm-up.
        keep: bool,
    },
    End,
}

#[derive(Default)]
#[repr(align(128))]
struct Line<T>(T);

/// The meeting point of a fixed number of threads.
pub struct Barrier<'a> {
    abort: &'a Abort,
    threads: u32,
    arrived: Line<AtomicU32>,
    /// Duration in ticks of the longest sample among the threads that have arrived.
    longest_ticks: Line<AtomicU64>,
    /// Number of iterations of the next sample, with the bit [`KEEP`] set if the sample counts; 0 ends the measurement.
    next: Line<AtomicU64>,
    generation: Line<AtomicU32>,
}

const KEEP: u64 = 1 << 63;

impl<'a> Barrier<'a> {
    /// A barrier for `threads` threads. Waiting threads return an error when `abort` is set.
    pub fn new(threads: usize, abort: &'a Abort) -> Barrier<'a> {
        Barrier {
            abort,
            threads: threads as u32,
            arrived: Line::default(),
            longest_ticks: Line::default(),
            next: Line::default(),
            generation: Line::default(),
        }
    }

    /// For the leader: waits for the other threads, and passes the duration of the longest sample to `decide`, which
    /// chooses the next sample or the end.
    pub fn lead(&self, ticks: u64, decide: impl FnOnce(u64) -> Next) -> Result<Next, Error> {
        self.abort.wait_until(|| self.arrived.0.load(Ordering::Acquire) == self.threads - 1)?;
        self.arrived.0.store(0, Ordering::Relaxed);
        let next = decide(ticks.max(self.longest_ticks.0.swap(0, Ordering::Relaxed)));
        let word = match next {
            Next::Sample { iterations, keep } => iterations | if keep { KEEP } else { 0 },
            Next::End => 0,
        };
        self.next.0.store(word, Ordering::Relaxed);
        self.generation.0.fetch_add(1, Ordering::Release);
        Ok(next)
    }

    /// For all other threads: reports the duration of the sample, and waits for the leader's decision.
    pub fn follow(&self, ticks: u64) -> Result<Next, Error> {
        let generation = self.generation.0.load(Ordering::Relaxed);
        self.longest_ticks.0.fetch_max(ticks, Ordering::Relaxed);
        self.arrived.0.fetch_add(1, Ordering::Release);
        self.abort.wait_until(|| self.generation.0.load(Ordering::Acquire) != generation)?;
        Ok(match self.next.0.load(Ordering::Relaxed) {
            0 => Next::End,
            word => Next::Sample { iterations: word & !KEEP, keep: word & KEEP != 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_told_the_same_and_nobody_is_ahead() {
        let abort = Abort::default();
        let barrier = Barrier::new(3, &abort);
        let running = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut rounds = 0;
                    while let Next::Sample { iterations, keep } = barrier.follow(rounds).unwrap() {
                        rounds += 1;
                        assert_eq!((iterations, keep), (rounds, rounds % 2 == 0));
                        running.fetch_add(1, Ordering::SeqCst);
                    }
                    assert_eq!(rounds, 50);
                });
            }
            for round in 1..=50 {
                let decide = |longest| {
                    assert_eq!(longest, round - 1);
                    assert_eq!(u64::from(running.load(Ordering::SeqCst)), 2 * (round - 1));
                    Next::Sample { iterations: round, keep: round % 2 == 0 }
                };
                barrier.lead(0, decide).unwrap();
            }
            barrier.lead(0, |_| Next::End).unwrap();
        });
    }

    #[test]
    fn nobody_waits_for_one_who_never_comes() {
        let abort = Abort::default();
        let barrier = Barrier::new(3, &abort);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| barrier.follow(0));
            abort.set();
            assert_eq!(waiting.join().unwrap(), Err(Error::Stopped));
        });
        assert_eq!(barrier.lead(0, |_| Next::End), Err(Error::Stopped));
    }
}
