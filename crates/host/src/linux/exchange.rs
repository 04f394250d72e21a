//! Runs a communication pattern that is given as data: messages in phases, with a barrier before each phase.
//!
//! If a message goes from thread to thread, the sender copies it into the receiver's inbox. The receiver reads the
//! message after the phase, so that the message's cache lines move from cache to cache every time. The receiver copies
//! a message from memory, and the sender copies a message to memory. For messages from or to memory, a thread walks
//! over a working set that is larger than the caches. An iteration consists of all phases with their barriers, and of
//! reading the messages of the last phase.

use super::abort::Abort;
use super::buffers::Buffer;
use super::primitive::{Part, Primitive};
use super::script::{Endpoint, Script, Step};
use super::walk::{Copier, Kind, STEP_BYTES, Walk, fence, walk};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Node, Request};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Threads that exchange messages.
pub struct Exchange {
    name: String,
    scripts: Vec<Script>,
    phases: usize,
    copier: Copier,
    load: Walk,
    /// Size of each thread's working set in memory; 0 if no message comes from memory or goes to memory.
    region_bytes: u64,
    node: Node,
    inboxes: Vec<OnceLock<Buffer>>,
    meeting: Meeting,
}

impl Exchange {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Exchange, Error> {
        let Some(pattern) = &request.pattern else {
            return usage("exchange needs a pattern");
        };
        let scripts = Script::of(pattern, request.cpus.len())?;
        let longest = scripts.iter().map(Script::longest_memory_bytes).max().unwrap_or(0);
        if longest > 0 && request.level_bytes == 0 {
            return usage("no working set: say how much memory each thread walks over");
        }
        Ok(Exchange {
            name: pattern.0.clone(),
            phases: pattern.2.len(),
            copier: Copier::new(STEP_BYTES as u64, false)?,
            load: walk(Kind::Load, 16, false)?.0,
            region_bytes: if longest > 0 { request.level_bytes.max(longest) } else { 0 },
            node: request.memory_node,
            inboxes: scripts.iter().map(|_| OnceLock::new()).collect(),
            meeting: Meeting::new(scripts.len()),
            scripts,
        })
    }

    fn inbox(&self, thread: usize) -> &Buffer {
        self.inboxes[thread].get().expect("made before the threads first meet")
    }
}

impl Primitive for Exchange {
    fn what(&self) -> What {
        let phases = if self.phases == 1 { "1 phase".to_string() } else { format!("{} phases", self.phases) };
        What {
            operation: format!(
                "pattern {}: {phases} of messages, each copied to its receiver and read there, a barrier before each \
                 phase and at the end",
                self.name
            ),
            latency: Latency::PerOperation,
            line_home: format!("places of the receiver, {}", self.node.words("the receiver")),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        self.scripts.len()
    }

    fn bytes_per_iteration(&self, thread: usize) -> Option<u64> {
        Some(self.scripts[thread].issued_bytes)
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let script = &self.scripts[thread];
        let inbox = Buffer::new(script.inbox_bytes as usize, self.node, abort)?;
        self.inboxes[thread].get_or_init(|| inbox);
        let own = Buffer::new(script.own_bytes as usize, Node::FirstTouch, abort)?;
        let mark = mark(thread);
        for offset in 0..own.bytes() {
            // SAFETY: the address is within the buffer, which no other thread uses.
            unsafe { own.at(offset).write_volatile(mark) };
        }
        let region = Buffer::new(self.region_bytes as usize, self.node, abort)?;
        let landing = Buffer::new(script.own_bytes as usize, Node::FirstTouch, abort)?;
        Ok(Box::new(Party { all: self, thread, own, landing, region, at: 0, abort }))
    }
}

/// The value of every byte in a thread's messages.
fn mark(thread: usize) -> u8 {
    (thread % 255) as u8 + 1
}

struct Party<'a> {
    all: &'a Exchange,
    thread: usize,
    /// The messages that the thread sends.
    own: Buffer,
    /// Destination of messages from memory.
    landing: Buffer,
    region: Buffer,
    /// Position of the next message in memory.
    at: u64,
    abort: &'a Abort,
}

impl Part for Party<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let all = self.all;
        let script = &all.scripts[self.thread];
        for _ in 0..iterations {
            let mut delivered: &[(u64, u64)] = &[];
            for phase in &script.phases {
                all.meeting.meet(self.abort)?;
                self.read(delivered);
                for step in &phase.steps {
                    for _ in 0..step.repetitions {
                        self.abort.check()?;
                        self.copy(step);
                    }
                }
                fence();
                delivered = &phase.delivered;
            }
            all.meeting.meet(self.abort)?;
            self.read(delivered);
        }
        Ok(())
    }
}

impl Party<'_> {
    fn copy(&mut self, step: &Step) {
        let from = self.address(step.from, step.bytes);
        let to = self.address(step.to, step.bytes);
        // SAFETY: both buffers have space for the message, and other threads access this space only by walks.
        unsafe { self.all.copier.copy(from, to, step.bytes as usize) };
    }

    fn address(&mut self, endpoint: Endpoint, bytes: u64) -> *mut u8 {
        match endpoint {
            Endpoint::Own => self.own.at(0),
            Endpoint::Landing => self.landing.at(0),
            Endpoint::Inbox(thread, offset) => self.all.inbox(thread).at(offset as usize),
            Endpoint::Memory => {
                let at = if self.at + bytes > self.all.region_bytes { 0 } else { self.at };
                self.at = at + bytes;
                self.region.at(at as usize)
            }
        }
    }

    fn read(&self, delivered: &[(u64, u64)]) {
        let inbox = self.all.inbox(self.thread);
        for (offset, bytes) in delivered {
            let steps = (*bytes as usize).next_multiple_of(STEP_BYTES);
            // SAFETY: the space for each message in an inbox is a multiple of a step.
            unsafe { (self.all.load)(inbox.at(*offset as usize), inbox.at(*offset as usize), steps, 1) };
        }
    }
}

/// The barrier between phases: a counter, and a line that all threads poll. The time at the barrier is part of the
/// measured time.
struct Meeting {
    threads: u32,
    arrived: Line,
    generation: Line,
}

#[derive(Default)]
#[repr(align(128))]
struct Line(AtomicU32);

impl Meeting {
    fn new(threads: usize) -> Meeting {
        Meeting { threads: threads as u32, arrived: Line::default(), generation: Line::default() }
    }

    fn meet(&self, abort: &Abort) -> Result<(), Error> {
        let generation = self.generation.0.load(Ordering::Relaxed);
        if self.arrived.0.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.0.store(0, Ordering::Relaxed);
            self.generation.0.fetch_add(1, Ordering::Release);
            return Ok(());
        }
        abort.spin_until(|| self.generation.0.load(Ordering::Acquire) != generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::team::tests::run;

    #[test]
    fn every_message_arrives_whole_and_nothing_else_is_touched() {
        let json = r#""function": "exchange", "level_bytes": 65536, "iterations": 3, "samples": 2,
            "pattern": ["p", 2, [[[0, 1, 1000, 1], [null, 0, 4096, 2]], [[1, 0, 64, 3], [1, null, 100, 1], [1, 1, 5, 1]]]]"#;
        let Some(request) = run::request(json, 2) else { return };
        let exchange = Exchange::new(&request).unwrap();
        let answer = run::team(&exchange, &request).unwrap();
        let inbox = |thread: usize, at: usize| {
            // SAFETY: the address is within the inbox, and all threads have ended.
            unsafe { exchange.inbox(thread).at(at).read_volatile() }
        };
        assert!((0..1000).all(|at| inbox(1, at) == mark(0)) && inbox(1, 1000) == 0);
        assert!((0..64).all(|at| inbox(0, at) == mark(1)) && inbox(0, 64) == 0);
        assert!((1024..1029).all(|at| inbox(1, at) == mark(1)) && inbox(1, 1029) == 0);
        let bytes: Vec<_> = answer.threads.iter().map(|thread| thread.bytes_per_iteration).collect();
        assert_eq!(bytes, [Some(1000 + 2 * 4096), Some(3 * 64 + 100 + 5)]);
    }
}
