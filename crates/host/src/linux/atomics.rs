//! Atomic operations on a 32-bit word, either one word that all threads share or a private word for each thread.
//!
//! Private words are one stride apart in one buffer. Threads whose words are on the same line delay each other
//! although they share no data. A stride of 4 shows this false sharing.

use super::abort::Abort;
use super::buffers::Buffer;
use super::primitive::{Part, Primitive};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Function, Node, Request};
use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Default distance between private words: a line of 128 bytes, as on the Cell.
const STRIDE_BYTES: u64 = 128;
/// Maximum distance between private words.
const STRIDE_BYTES_MAX: u64 = 1 << 20;
/// The operand of additions and subtractions, which is neither 0 nor 1, so that these operations differ from increments
/// and decrements.
const ADDEND: u32 = 3;

/// Threads that change words.
pub struct Atomics {
    function: Function,
    threads: usize,
    /// Distance of private words.
    stride_bytes: Option<u64>,
    node: Node,
    words: OnceLock<Buffer>,
}

impl Atomics {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Atomics, Error> {
        let stride_bytes = request.private.then(|| request.stride_bytes.unwrap_or(STRIDE_BYTES));
        if let Some(stride) = stride_bytes.filter(|s| !s.is_multiple_of(4) || !(4..=STRIDE_BYTES_MAX).contains(s)) {
            return usage(format!("-t {stride}: words are a multiple of 4 bytes apart, at most {STRIDE_BYTES_MAX}"));
        }
        let (function, threads, node) = (request.function, request.cpus.len(), request.memory_node);
        Ok(Atomics { function, threads, stride_bytes, node, words: OnceLock::new() })
    }

    /// A thread's word. Words exist once the threads have met at the barrier.
    fn word(&self, thread: usize) -> &AtomicU32 {
        let words = self.words.get().expect("made before the threads first meet");
        words.word(thread * self.stride_bytes.unwrap_or(0) as usize)
    }
}

impl Primitive for Atomics {
    fn what(&self) -> What {
        let operation = match self.function {
            Function::FetchAdd => "fetch-and-add",
            Function::FetchSub => "fetch-and-subtract",
            Function::FetchInc => "fetch-and-increment",
            Function::FetchDec => "fetch-and-decrement",
            _ => "atomic swap",
        };
        let which = match self.stride_bytes {
            None => "one 32-bit word of all threads".to_string(),
            Some(stride) => format!("a 32-bit word of each thread, {stride} bytes from the next"),
        };
        What {
            operation: format!("{operation} of {which}, one after the other"),
            latency: Latency::PerOperation,
            line_home: self.node.words("thread 0"),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        if thread == 0 {
            let bytes = 4 + (self.threads - 1) * self.stride_bytes.unwrap_or(0) as usize;
            let words = Buffer::new(bytes, self.node, abort)?;
            self.words.get_or_init(|| words);
        }
        Ok(Box::new(Changer { all: self, thread, abort }))
    }
}

struct Changer<'a> {
    all: &'a Atomics,
    thread: usize,
    abort: &'a Abort,
}

impl Part for Changer<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let word = self.all.word(self.thread);
        let value = self.thread as u32;
        // The code uses the old value each time. Otherwise, the compiler could choose an operation that does not
        // return the old value.
        match self.all.function {
            Function::FetchAdd => self.repeat(iterations, || word.fetch_add(ADDEND, Ordering::SeqCst)),
            Function::FetchSub => self.repeat(iterations, || word.fetch_sub(ADDEND, Ordering::SeqCst)),
            Function::FetchInc => self.repeat(iterations, || word.fetch_add(1, Ordering::SeqCst)),
            Function::FetchDec => self.repeat(iterations, || word.fetch_sub(1, Ordering::SeqCst)),
            _ => self.repeat(iterations, || word.swap(value, Ordering::SeqCst)),
        }
    }
}

impl Changer<'_> {
    #[inline(always)]
    fn repeat(&self, iterations: u64, change: impl Fn() -> u32) -> Result<(), Error> {
        self.abort.repeat(iterations, || {
            black_box(change());
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::team::tests::run;

    const SAMPLES: u32 = 7;
    const ITERATIONS: u32 = 5000;

    /// Runs a measurement of [`SAMPLES`] samples after one sample of warm-up, and before one whose events are counted if
    /// that is possible. Returns the final values of the words, and the number of all samples.
    fn words(function: &str, private: bool, threads: usize) -> Option<(Vec<u32>, u32)> {
        let json = format!(
            r#""function": "{function}", "private": {private}, "stride_bytes": 4, "iterations": {ITERATIONS},
            "samples": {SAMPLES}"#
        );
        let request = run::request(&json, threads)?;
        let atomics = Atomics::new(&request).unwrap();
        let answer = run::team(&atomics, &request).unwrap();
        let words = 0..if private { threads } else { 1 };
        let words = words.map(|thread| atomics.word(thread).load(Ordering::SeqCst)).collect();
        Some((words, 1 + SAMPLES + u32::from(answer.counters.any())))
    }

    #[test]
    fn no_change_is_lost() {
        for (function, step) in [("fetchadd", 3_i64), ("fetchsub", -3), ("fetchinc", 1), ("fetchdec", -1)] {
            for threads in [1, 2] {
                let each = |samples| step * i64::from(ITERATIONS * samples);
                if let Some((words, samples)) = words(function, true, threads) {
                    assert_eq!(words, vec![each(samples) as u32; threads], "{function}");
                }
                if let Some((words, samples)) = words(function, false, threads) {
                    assert_eq!(words, [(each(samples) * threads as i64) as u32], "{function}");
                }
            }
        }
    }

    #[test]
    fn a_swap_leaves_the_number_of_its_thread() {
        if let Some((words, _)) = words("fetchset", true, 2) {
            assert_eq!(words, [0, 1]);
        }
    }

    #[test]
    fn words_never_overlap() {
        let request = Request::parse(r#"{"function": "fetchadd", "cpus": [0], "private": true, "stride_bytes": 6}"#);
        assert!(Atomics::new(&request.unwrap()).is_err());
    }
}
