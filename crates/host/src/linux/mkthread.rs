//! Measures the creation and joining of threads.
//!
//! Thread 0 creates a thread on each CPU with `pthread_create`, then joins these threads one by one with
//! `pthread_join`. The new threads do nothing. As on the Cell, a latency is the total time of all creations and
//! joins, divided by the number of threads. The attributes of each thread pin it to its CPU from the start.

use super::abort::Abort;
use super::primitive::{Part, Primitive};
use super::pthread::ThreadAttributes;
use crate::answer::{Latency, What};
use crate::error::Error;

/// Creates threads on these CPUs.
pub struct Mkthread {
    cpus: Vec<usize>,
}

impl Mkthread {
    /// The primitive for these CPUs. The thread on the first CPU creates all other threads.
    pub fn new(cpus: &[usize]) -> Mkthread {
        Mkthread { cpus: cpus.to_vec() }
    }
}

impl Primitive for Mkthread {
    fn what(&self) -> What {
        let operation = match self.cpus.len() {
            1 => "pthread_create of a thread that does nothing, on its CPU, then pthread_join".to_string(),
            n => format!(
                "pthread_create of {n} threads that do nothing, each on its CPU, then pthread_join of all; for each"
            ),
        };
        What {
            operation,
            latency: Latency::PerOperation,
            line_home: "the C library's".to_string(),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        1
    }

    fn operations_per_iteration(&self) -> u64 {
        self.cpus.len() as u64
    }

    fn part<'a>(&'a self, _thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let attributes = self.cpus.iter().map(|cpu| ThreadAttributes::on(*cpu)).collect::<Result<_, Error>>()?;
        Ok(Box::new(Creator { attributes, abort }))
    }
}

struct Creator<'a> {
    attributes: Vec<ThreadAttributes>,
    abort: &'a Abort,
}

impl Part for Creator<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let mut created = Vec::with_capacity(self.attributes.len());
        for _ in 0..iterations {
            self.abort.check()?;
            for attributes in &self.attributes {
                created.push(attributes.create_idle()?);
            }
            // Dropping the created threads joins them, even if the creation of a later thread fails.
            created.clear();
        }
        Ok(())
    }
}
