//! A message and its answer between two threads: 2k asks and measures, 2k + 1 answers.
//!
//! Through memory there is one flag on one line, and both threads try to compare and swap it until it
//! is their turn.  That is the definition of the `core-to-core-latency` tool, but for the factor of two:
//! here a latency is the round trip.  Through the kernel each direction has a mailbox of its own; who
//! waits sleeps, and who sends wakes: a word and `futex`, the counter of an `eventfd`, or a `pipe`.

use crate::answer::{Latency, What};
use crate::error::Error;
use crate::linux::abort::Abort;
use crate::linux::buffers::Buffer;
use crate::linux::os::{eventfd, futex_wait, futex_wake};
use crate::linux::primitive::{Part, Primitive};
use crate::request::{Node, Path, Request};
use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Distance at which words are never on one line, nor on two that are prefetched together.
const APART_BYTES: usize = 256;

/// Pairs of threads that exchange messages.
pub struct Mailbox {
    path: Path,
    node: Node,
    pairs: Vec<Pair>,
}

/// What two partners share.
struct Pair {
    /// The flag, or a word for each direction; the asking thread's.
    lines: OnceLock<Buffer>,
    /// For each direction, if it needs them.
    channels: [Channel; 2],
}

/// One direction's way through the kernel, if it is not a word in memory.
enum Channel {
    None,
    Eventfd(File),
    Pipe(PipeReader, PipeWriter),
}

const EMPTY: u32 = 0;
const FULL: u32 = 1;

impl Mailbox {
    /// For the threads of a request.
    pub fn new(request: &Request) -> Result<Mailbox, Error> {
        let pair = |_| {
            let channels = [Channel::new(request.path)?, Channel::new(request.path)?];
            Ok(Pair { lines: OnceLock::new(), channels })
        };
        let pairs = (0..request.cpus.len() / 2).map(pair).collect::<Result<_, Error>>()?;
        Ok(Mailbox { path: request.path, node: request.memory_node, pairs })
    }
}

impl Primitive for Mailbox {
    fn what(&self) -> What {
        let (operation, line_home) = match self.path {
            Path::Memory => (
                "compare-and-swap of one flag by two threads in turn, each trying until it succeeds: there and back",
                "one line",
            ),
            Path::Futex => ("a word set and futex wake, then futex wait for the answer: there and back", "two lines"),
            Path::Eventfd => ("write of an eventfd, then read of another: there and back", "the kernel's"),
            Path::Pipe => ("4 bytes into a pipe, then 4 bytes out of another: there and back", "the kernel's"),
        };
        let line_home = match self.path {
            Path::Memory | Path::Futex => format!("{line_home}, {}", self.node.words("the thread that asks")),
            _ => line_home.to_string(),
        };
        What { operation: operation.to_string(), latency: Latency::RoundTrip, line_home, bytes_per_iteration: None }
    }

    fn threads(&self) -> usize {
        2 * self.pairs.len()
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let (pair, asks) = (&self.pairs[thread / 2], thread.is_multiple_of(2));
        if asks {
            let buffer = Buffer::new(2 * APART_BYTES, self.node)?;
            assert!(pair.lines.set(buffer).is_ok(), "a thread has one part");
        }
        Ok(match self.path {
            Path::Memory => Box::new(Flag { pair, asks, abort }),
            _ => Box::new(Exchange { pair, asks, abort }),
        })
    }

    fn wake(&self) {
        for pair in &self.pairs {
            for channel in [0, 1] {
                pair.send(channel);
            }
        }
    }
}

/// A thread's part through memory only.
struct Flag<'a> {
    pair: &'a Pair,
    asks: bool,
    abort: &'a Abort,
}

impl Part for Flag<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let (flag, abort) = (self.pair.word(0), self.abort);
        let (mine, theirs) = if self.asks { (EMPTY, FULL) } else { (FULL, EMPTY) };
        let turn = || flag.compare_exchange(mine, theirs, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        abort.repeat(iterations, || abort.spin_until(turn))?;
        // The last answer belongs to the last iteration.
        abort.spin_until(|| flag.load(Ordering::Acquire) == EMPTY)
    }

    fn measures(&self) -> bool {
        self.asks
    }
}

/// A thread's part through the kernel.
struct Exchange<'a> {
    pair: &'a Pair,
    asks: bool,
    abort: &'a Abort,
}

impl Part for Exchange<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let (pair, abort) = (self.pair, self.abort);
        for _ in 0..iterations {
            if self.asks {
                pair.send(0);
                pair.receive(1, abort)?;
            } else {
                pair.receive(0, abort)?;
                pair.send(1);
            }
        }
        Ok(())
    }

    fn measures(&self) -> bool {
        self.asks
    }
}

impl Pair {
    fn word(&self, channel: usize) -> &AtomicU32 {
        let lines = self.lines.get().expect("made before the threads first meet");
        lines.word(channel * APART_BYTES)
    }

    /// Never waits: a mailbox is empty when its owner sends, and one message more is no matter at the end.
    fn send(&self, channel: usize) {
        // A channel that fails is noticed by whoever receives.
        let _ = match &self.channels[channel] {
            Channel::None => {
                if let Some(lines) = self.lines.get() {
                    let word = lines.word(channel * APART_BYTES);
                    word.store(FULL, Ordering::Release);
                    futex_wake(word);
                }
                Ok(())
            }
            Channel::Eventfd(counter) => (&*counter).write_all(&1_u64.to_ne_bytes()),
            Channel::Pipe(_, writer) => (&*writer).write_all(&FULL.to_ne_bytes()),
        };
    }

    fn receive(&self, channel: usize, abort: &Abort) -> Result<(), Error> {
        let received = match &self.channels[channel] {
            Channel::None => {
                let word = self.word(channel);
                while word.swap(EMPTY, Ordering::Acquire) == EMPTY {
                    futex_wait(word, EMPTY);
                    abort.check()?;
                }
                Ok(())
            }
            Channel::Eventfd(counter) => (&*counter).read_exact(&mut [0; 8]),
            Channel::Pipe(reader, _) => (&*reader).read_exact(&mut [0; 4]),
        };
        received.map_err(|error| Error::Run(format!("a message is lost: {error}")))?;
        abort.check()
    }
}

impl Channel {
    fn new(path: Path) -> Result<Channel, Error> {
        Ok(match path {
            Path::Futex | Path::Memory => Channel::None,
            Path::Eventfd => Channel::Eventfd(eventfd()?),
            Path::Pipe => {
                let (reader, writer) =
                    pipe().map_err(|error| Error::Run(format!("a pipe cannot be created: {error}")))?;
                Channel::Pipe(reader, writer)
            }
        })
    }
}
