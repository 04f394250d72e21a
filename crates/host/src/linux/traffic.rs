//! Copies between the cores' buffers, in place of DMAs between local stores: with thread 0's buffer (`-s`),
//! and the patterns of traffic.
//!
//! Each thread that others copy with *holds* a buffer of some tens of pages.  Before a sample, and outside
//! of its time, it stores to all of it, so that its lines are in its core's caches and in no other; within a
//! sample no line is used twice, or the second copy would find it at home.  So a sample has no more
//! iterations than the buffer has blocks.  A thread's own buffer, the other end, stays in its own caches.

use super::abort::Abort;
use super::buffers::Buffer;
use super::copy::Blocks;
use super::order::Order;
use super::primitive::{Part, Primitive};
use super::walk::{Kind, Walk, fence, walk};
use crate::answer::{Latency, What};
use crate::error::Error;
use crate::request::{Function, Node, Op, Request, Target};
use std::sync::OnceLock;

/// Bytes of what a thread holds, unless its blocks need more: they have to fit its core's caches.
const HELD_BYTES: u64 = 128 << 10;

/// With whom a thread copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partner {
    /// With this one.
    Thread(usize),
    /// With any other, by chance.
    Any,
    /// With nobody: it only holds.
    Nobody,
}

/// The partner of a thread; the same as on the Cell.
fn partner(function: Function, target: Option<Target>, thread: usize, threads: usize) -> Partner {
    match function {
        Function::Complement => Partner::Thread(threads - 1 - thread),
        Function::Pairwise => Partner::Thread(thread ^ 1),
        Function::Cycle => Partner::Thread((thread + 1) % threads),
        Function::Couples if thread % 2 == 1 => Partner::Nobody,
        Function::Couples => Partner::Thread(thread + 1),
        Function::Uniform => Partner::Any,
        _ => match target {
            Some(Target::Thread(hot)) if hot == thread && threads > 1 => Partner::Nobody,
            Some(Target::Thread(hot)) => Partner::Thread(hot),
            _ => Partner::Thread(0),
        },
    }
}

/// Threads that copy with each other's buffers.
pub struct Traffic {
    function: Function,
    target: Option<Target>,
    blocks: Blocks,
    threads: usize,
    /// Threads that have a part of a held buffer for themselves; one, if all use the same.
    windows: u64,
    window_bytes: u64,
    node: Node,
    store: Walk,
    held: Vec<OnceLock<Buffer>>,
}

impl Traffic {
    /// For the threads of a request.
    pub fn new(request: &Request) -> Result<Traffic, Error> {
        let threads = request.cpus.len();
        let dma = !matches!(
            request.function,
            Function::HotSpot
                | Function::Complement
                | Function::Pairwise
                | Function::Uniform
                | Function::Couples
                | Function::Cycle
        );
        let target = if dma { Some(Target::Thread(0)) } else { request.target };
        let blocks = Blocks::new(request)?;
        let many = matches!(request.function, Function::HotSpot | Function::Uniform) || dma && request.private;
        let windows = if many { threads as u64 } else { 1 };
        let share_bytes = if request.level_bytes > 0 { request.level_bytes.min(HELD_BYTES) } else { HELD_BYTES };
        let laps = (share_bytes / windows / ways(blocks.op) / blocks.span_bytes()).max(1);
        Ok(Traffic {
            function: request.function,
            target,
            blocks,
            threads,
            windows,
            window_bytes: laps * blocks.span_bytes(),
            node: request.memory_node,
            store: walk(Kind::Store, 16, false)?.0,
            held: (0..threads).map(|_| OnceLock::new()).collect(),
        })
    }

    fn held(&self, thread: usize) -> &Buffer {
        self.held[thread].get().expect("made before the threads first meet")
    }

    fn partner(&self, thread: usize) -> Partner {
        partner(self.function, self.target, thread, self.threads)
    }

    /// Where a thread's window of a held buffer begins, for copies of this way.
    fn window(&self, thread: usize, way: Op) -> u64 {
        let behind_gets = way == Op::Put && self.blocks.op == Op::Copy;
        let window = if self.windows > 1 { thread as u64 } else { 0 };
        (window * ways(self.blocks.op) + u64::from(behind_gets)) * self.window_bytes
    }
}

/// Copies both ways use lines of their own each.
fn ways(op: Op) -> u64 {
    if op == Op::Copy { 2 } else { 1 }
}

impl Primitive for Traffic {
    fn what(&self) -> What {
        let whose = match (self.function, self.target) {
            (Function::Complement, _) => "thread n - 1 - i".to_string(),
            (Function::Pairwise, _) => "its neighbour in the pair".to_string(),
            (Function::Couples, _) => "the next thread, which is passive".to_string(),
            (Function::Cycle, _) => "the next thread".to_string(),
            (Function::Uniform, _) => "a thread by chance".to_string(),
            (_, Some(Target::Thread(hot))) => format!("thread {hot}"),
            _ => "thread 0".to_string(),
        };
        let other = format!("the next place of a buffer in the caches of {whose}, which wrote it");
        What {
            operation: self.blocks.words(&other),
            latency: Latency::PerOperation,
            line_home: format!("caches of the thread that holds it, {}", self.node.words("that thread")),
            bytes_per_iteration: Some(self.blocks.bytes_per_iteration()),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn most_iterations(&self) -> u64 {
        let elements = self.window_bytes / self.blocks.distance_bytes;
        match self.blocks.list_elements {
            None => elements,
            // A scattered order has as many elements as are a power of two.
            Some(n) => ((1 << elements.ilog2()) / n).max(1),
        }
    }

    fn prepares(&self) -> bool {
        true
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let bytes = self.windows * ways(self.blocks.op) * self.window_bytes;
        let held = Buffer::new(bytes as usize, self.node)?;
        self.held[thread].get_or_init(|| held);
        Ok(Box::new(Copying {
            traffic: self,
            thread,
            partner: self.partner(thread),
            own: Buffer::new(self.blocks.own_bytes() as usize, Node::FirstTouch)?,
            orders: [0, 1].map(|_| self.blocks.order(self.window_bytes, thread)),
            chance: self.blocks.seed ^ thread as u64,
            abort,
        }))
    }
}

struct Copying<'a> {
    traffic: &'a Traffic,
    thread: usize,
    partner: Partner,
    own: Buffer,
    /// Of gets and of puts.
    orders: [Order; 2],
    chance: u64,
    abort: &'a Abort,
}

impl Part for Copying<'_> {
    fn prepare(&mut self) {
        let held = self.traffic.held(self.thread);
        // SAFETY: the walk stays within the buffer, and whoever copies with it waits until this is done.
        unsafe { (self.traffic.store)(held.at(0), held.at(0), held.bytes(), 1) };
        fence();
    }

    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let (traffic, own, mut done) = (self.traffic, self.own.at(0), 0);
        let abort = self.abort;
        abort.repeat(iterations, || {
            let held = match self.partner {
                Partner::Nobody => return Ok(()),
                Partner::Thread(partner) => traffic.held(partner),
                Partner::Any => traffic.held(self.any_other()),
            };
            let place = |way| {
                let order = &mut self.orders[usize::from(way == Op::Put)];
                held.at((traffic.window(self.thread, way) + order.next_offset()) as usize)
            };
            // SAFETY: the own buffer has an iteration's bytes, and the orders stay within the windows.
            unsafe { traffic.blocks.iteration(own, place) };
            done += 1;
            traffic.blocks.end_iteration(done);
            Ok(())
        })?;
        fence();
        Ok(())
    }

    fn measures(&self) -> bool {
        self.partner != Partner::Nobody
    }
}

impl Copying<'_> {
    /// Any thread but this one (Marsaglia's xorshift, "Xorshift RNGs", 2003).
    fn any_other(&mut self) -> usize {
        self.chance |= u64::from(self.chance == 0);
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        let other = (self.chance % (self.traffic.threads as u64 - 1)) as usize;
        other + usize::from(other >= self.thread)
    }
}
