//! A chase over lines that another core holds in its caches, dirty or clean: the latency of a transfer between caches.
//!
//! Before each sample, thread 1 takes all lines. Dirty lines were stored to. Clean lines were flushed from all caches,
//! and then loaded. Thread 0 has no copy of either, and each of its loads is answered by thread 1's caches, or by what
//! the processor puts between caches and memory. A sample is one lap at most, because a second one would find the lines
//! in thread 0's caches.

use super::abort::Abort;
use super::buffers::Buffer;
use super::chase::{Chase, Chaser};
use super::primitive::{Part, Primitive};
use super::walk::{LOADS_PER_ROUND, fence, flush};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Background, Request};
use std::sync::OnceLock;

/// A thread that chases over the lines of another one.
pub struct Held {
    chase: Chase,
    dirty: bool,
    buffer: OnceLock<Buffer>,
}

impl Held {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Held, Error> {
        if request.cpus.len() != 2 {
            return usage(format!("{} threads: one loads lines that one other holds, give 2", request.cpus.len()));
        }
        if request.rate_gb_s.is_some() {
            return usage("a rate is for traffic in the background; lines that are held have none");
        }
        let chase = Chase::new(&Request { background: None, ..request.clone() })?;
        if chase.elements() < LOADS_PER_ROUND {
            return usage(format!(
                "a working set of {} lines is too small to be held; give {LOADS_PER_ROUND} at least",
                chase.elements()
            ));
        }
        let dirty = request.background == Some(Background::Dirty);
        Ok(Held { chase, dirty, buffer: OnceLock::new() })
    }
}

impl Primitive for Held {
    fn what(&self) -> What {
        let held = if self.dirty { "dirty, by stores" } else { "clean, by loads" };
        What {
            operation: format!("{}, which thread 1 held before ({held})", self.chase.operation("thread 0's")),
            latency: Latency::PerOperation,
            line_home: self.chase.node().words("thread 0"),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        2
    }

    fn granule(&self) -> u64 {
        self.chase.granule()
    }

    fn most_iterations(&self) -> u64 {
        self.chase.elements()
    }

    fn prepares(&self) -> bool {
        true
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        if thread == 0 {
            let buffer = self.chase.buffer(abort)?;
            let at = self.chase.link(&buffer, abort)?;
            self.buffer.get_or_init(|| buffer);
            return Ok(Box::new(Chaser::new(at, abort)));
        }
        Ok(Box::new(Holder { held: self }))
    }
}

/// The thread that holds the lines.
struct Holder<'a> {
    held: &'a Held,
}

impl Part for Holder<'_> {
    fn prepare(&mut self) {
        let buffer = self.held.buffer.get().expect("made before the threads first meet");
        let chase = &self.held.chase;
        let elements = || (0..chase.elements()).map(|element| buffer.at((element * chase.distance_bytes()) as usize));
        if !self.held.dirty {
            // SAFETY: the elements are within the buffer.
            elements().for_each(|element| unsafe { flush(element) });
            fence();
        }
        for element in elements().map(<*mut u8>::cast::<usize>) {
            // SAFETY: each element has room for an address and is aligned. Thread 0 does not run before this ends, and
            // finds the same values.
            unsafe {
                let value = element.read_volatile();
                if self.held.dirty {
                    element.write_volatile(value);
                }
            }
        }
        fence();
    }

    fn run(&mut self, _iterations: u64) -> Result<(), Error> {
        Ok(())
    }

    fn measures(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::team::tests::run;

    fn held_of(cpus: &str, fields: &str) -> Result<Held, Error> {
        let json = format!(r#"{{"function": "load", "chase": "lines", "cpus": {cpus}, {fields}}}"#);
        Held::new(&Request::parse(&json).unwrap())
    }

    #[test]
    fn a_sample_is_one_lap_at_most_and_the_chain_stays_whole() {
        for how in ["clean", "dirty"] {
            let fields = format!(
                r#""function": "load", "chase": "lines", "level_bytes": 4096, "samples": 5, "background": "{how}""#
            );
            let Some(request) = run::request(&fields, 2) else { return };
            let held = Held::new(&request).unwrap();
            let answer = run::team(&held, &request).unwrap();
            assert!(answer.what.iterations_per_sample <= 64, "{how}");
            assert!(answer.what.what.operation.contains(how));
            assert!(answer.threads[1].samples_ns.is_empty() && answer.threads[0].samples_ns.len() == 5);
            let buffer = held.buffer.get().unwrap();
            let (start, mut at) = (buffer.at(0) as usize, buffer.at(0) as usize);
            for _ in 0..64 {
                // SAFETY: each element holds the address of another one.
                at = unsafe { (at as *const usize).read_volatile() };
                assert!((start..start + 4096).contains(&at));
            }
            assert_eq!(at, start, "64 elements are one cycle");
        }
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        let dirty = r#""background": "dirty", "level_bytes""#;
        for (cpus, fields, said) in [
            ("[0]", format!("{dirty}: 4096"), "give 2"),
            ("[0, 1, 2]", format!("{dirty}: 4096"), "give 2"),
            ("[0, 1]", format!("{dirty}: 512"), "too small to be held"),
            ("[0, 1]", format!(r#""rate_gb_s": 2.0, {dirty}: 4096"#), "a rate is for traffic"),
        ] {
            match held_of(cpus, &fields) {
                Err(Error::Usage(line)) => assert!(line.contains(said) && !line.contains('\n'), "{line}"),
                _ => panic!("{cpus} {fields} is not refused"),
            }
        }
    }
}
