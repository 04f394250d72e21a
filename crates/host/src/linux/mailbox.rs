//! Round trips of messages between two threads: thread 2k sends the first message and measures, and thread 2k + 1
//! answers.
//!
//! On the memory path, a pair shares one flag on one cache line. Each thread retries a compare-and-swap of the flag
//! until the swap succeeds. The `core-to-core-latency` tool measures the same round trip but reports half of its
//! duration. CellStats reports the duration of the whole round trip. On a kernel path, each direction has a separate
//! mailbox: a word with `futex`, the counter of an `eventfd`, or a `pipe`. The receiver sleeps until the sender wakes
//! it.

use super::abort::Abort;
use super::pair::{Direction, Pair, take_turns};
use super::primitive::{Part, Primitive};
use crate::answer::{Latency, What};
use crate::error::Error;
use crate::request::{Node, Path, Request};
use std::sync::atomic::Ordering;

/// Pairs of threads that exchange messages.
pub struct Mailbox {
    path: Path,
    node: Node,
    pairs: Vec<Pair>,
}

const EMPTY: u32 = 0;
const FULL: u32 = 1;

impl Mailbox {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Mailbox, Error> {
        let pairs = Pair::all(request.cpus.len(), request.path)?;
        Ok(Mailbox { path: request.path, node: request.memory_node, pairs })
    }
}

impl Primitive for Mailbox {
    fn what(&self) -> What {
        let home = self.node.words("the thread that asks");
        let (operation, line_home) = match self.path {
            Path::Memory => (
                "compare-and-swap of one flag by two threads in turn, each trying until it succeeds: round trip",
                format!("one line, {home}"),
            ),
            Path::Futex => (
                "a word set and futex wake, then futex wait for the answer, without sleep if the answer is already there: round trip",
                format!("a line for each direction, {home}"),
            ),
            Path::Eventfd => ("write of an eventfd, then read of another: round trip", "the kernel's".to_string()),
            Path::Lines | Path::OneWay => unreachable!("they have a primitive of their own"),
            Path::Pipe => ("4 bytes into a pipe, then 4 bytes out of another: round trip", "the kernel's".to_string()),
        };
        What { operation: operation.to_string(), latency: Latency::RoundTrip, line_home, bytes_per_iteration: None }
    }

    fn threads(&self) -> usize {
        2 * self.pairs.len()
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let (pair, asks) = Pair::of_thread(&self.pairs, thread, self.node, abort)?;
        Ok(match self.path {
            Path::Memory => Box::new(Flag { pair, asks, abort }),
            path => Box::new(Exchange { pair, asks, has_word: path == Path::Futex, abort }),
        })
    }

    fn wake(&self) {
        self.pairs.iter().for_each(Pair::wake);
    }
}

/// One thread of a pair that communicates through memory only.
struct Flag<'a> {
    pair: &'a Pair,
    asks: bool,
    abort: &'a Abort,
}

impl Part for Flag<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let ((flag, _), abort) = (self.pair.direction(Direction::Asking), self.abort);
        let (mine, theirs) = if self.asks { (EMPTY, FULL) } else { (FULL, EMPTY) };
        let turn = || flag.compare_exchange(mine, theirs, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        abort.repeat(iterations, || abort.spin_until(turn))?;
        // The last iteration also waits until its answer has arrived.
        abort.spin_until(|| flag.load(Ordering::Acquire) == EMPTY)
    }

    fn measures(&self) -> bool {
        self.asks
    }
}

/// One thread of a pair that communicates through the kernel.
struct Exchange<'a> {
    pair: &'a Pair,
    asks: bool,
    /// Whether the message is a word in memory; otherwise, the kernel carries the message.
    has_word: bool,
    abort: &'a Abort,
}

impl Exchange<'_> {
    fn send(&self, direction: Direction) {
        let (word, doorbell) = self.pair.direction(direction);
        if self.has_word {
            word.store(FULL, Ordering::Release);
        }
        doorbell.ring(word);
    }

    fn receive(&self, direction: Direction) -> Result<(), Error> {
        let (word, doorbell) = self.pair.direction(direction);
        doorbell.wait(word, self.abort)?;
        if self.has_word {
            word.store(EMPTY, Ordering::Release);
        }
        Ok(())
    }
}

impl Part for Exchange<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let (send, receive) = (|direction| self.send(direction), |direction| self.receive(direction));
        take_turns(self.asks, iterations, self.abort, send, receive)
    }

    fn measures(&self) -> bool {
        self.asks
    }
}
