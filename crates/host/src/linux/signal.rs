//! Round trips of signals between two threads: thread 2k sends the first signal and measures, and thread 2k + 1
//! answers.
//!
//! Each direction has a flag word on a separate cache line, in place of an SPE's signal register. A signal sets bits
//! of the word by a store or by an atomic OR; the reader clears the word by a swap. On the memory path, the reader
//! polls the word until it is not 0. On a kernel path, the reader sleeps until it is woken.

use super::abort::Abort;
use super::pair::{Direction, Pair, take_turns};
use super::primitive::{Part, Primitive};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Node, Path, Request, SignalMode};
use std::sync::atomic::Ordering;

/// Pairs of threads that signal each other.
pub struct Signal {
    path: Path,
    mode: SignalMode,
    node: Node,
    pairs: Vec<Pair>,
}

impl Signal {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Signal, Error> {
        if matches!(request.path, Path::Lines | Path::OneWay) {
            return usage("signals have a line for each direction in any case; only mailboxes have this path");
        }
        let pairs = Pair::all(request.cpus.len(), request.path)?;
        Ok(Signal { path: request.path, mode: request.signal_mode, node: request.memory_node, pairs })
    }
}

impl Primitive for Signal {
    fn what(&self) -> What {
        let send = match self.mode {
            SignalMode::Or => "atomic OR",
            SignalMode::Overwrite => "store",
        };
        let wait = match self.path {
            Path::Memory | Path::Lines | Path::OneWay => "loads until it is set",
            Path::Futex => "futex wake and wait, without sleep if the flag is already set",
            Path::Eventfd => "write and read of an eventfd",
            Path::Pipe => "write and read of a pipe",
        };
        What {
            operation: format!("{send} to a flag word, {wait}, swap with 0; then the same in the other direction"),
            latency: Latency::RoundTrip,
            line_home: format!("a line for each direction, {}", self.node.words("the thread that asks")),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        2 * self.pairs.len()
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let (pair, asks) = Pair::of_thread(&self.pairs, thread, self.node, abort)?;
        Ok(Box::new(Signaller { pair, asks, mode: self.mode, abort }))
    }

    fn wake(&self) {
        self.pairs.iter().for_each(Pair::wake);
    }
}

struct Signaller<'a> {
    pair: &'a Pair,
    asks: bool,
    mode: SignalMode,
    abort: &'a Abort,
}

const BITS: u32 = 1;

impl Signaller<'_> {
    fn send(&self, direction: Direction) {
        let (word, doorbell) = self.pair.direction(direction);
        match self.mode {
            SignalMode::Or => {
                word.fetch_or(BITS, Ordering::AcqRel);
            }
            SignalMode::Overwrite => word.store(BITS, Ordering::Release),
        }
        doorbell.ring(word);
    }

    fn receive(&self, direction: Direction) -> Result<(), Error> {
        let (word, doorbell) = self.pair.direction(direction);
        doorbell.wait(word, self.abort)?;
        let bits = word.swap(0, Ordering::AcqRel);
        debug_assert_eq!(bits, BITS, "a signal is read once");
        Ok(())
    }
}

impl Part for Signaller<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let (send, receive) = (|direction| self.send(direction), |direction| self.receive(direction));
        take_turns(self.asks, iterations, self.abort, send, receive)
    }

    fn measures(&self) -> bool {
        self.asks
    }
}
