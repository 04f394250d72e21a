//! Blocks copied between a thread's own buffer and memory, in place of a DMA between local store and memory.
//!
//! The own buffer is small and stays in the caches; the region of memory is larger than they are, and a
//! thread walks over it, block after block, or in a scattered order for the elements of a list.  A CPU has
//! no engine that copies on the side: to wait for the end of a batch is to wait, by a full fence, until its
//! loads are done and its stores can be seen by others.

use super::abort::Abort;
use super::buffers::Buffer;
use super::order::Order;
use super::primitive::{Part, Primitive};
use super::walk::{Copier, fence};
use crate::answer::{Latency, What};
use crate::error::{Error, usage};
use crate::request::{Function, Node, Op, Request};
use std::sync::OnceLock;

/// Blocks and elements, and what is done with them; shared with traffic between cores.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// How bytes are copied.
    pub copier: Copier,
    /// Which way.
    pub op: Op,
    /// Bytes of a block, or of a list's element.
    pub size_bytes: u64,
    /// Elements of an iteration, if they are a list.
    pub list_elements: Option<u64>,
    /// Distance of a list's elements.
    pub distance_bytes: u64,
    /// Iterations between two fences; 0: one at the end.
    pub batch: u64,
    /// Chooses the order of a list's elements.
    pub seed: u64,
}

/// The most that an iteration may move one way.
const ITERATION_BYTES_MAX: u64 = 1 << 30;

impl Blocks {
    /// As a request has them.
    pub fn new(request: &Request) -> Result<Blocks, Error> {
        let op = match request.function {
            Function::DmaGet | Function::DmaListGet => Op::Get,
            Function::DmaPut | Function::DmaListPut => Op::Put,
            _ => request.op.unwrap_or(Op::Get),
        };
        let is_list = matches!(request.function, Function::DmaListGet | Function::DmaListPut);
        let list_elements = request.list_elements.or(is_list.then_some(1));
        let (size_bytes, elements) = (request.size_bytes, list_elements.unwrap_or(1));
        if size_bytes == 0 || elements == 0 || size_bytes.saturating_mul(elements) > ITERATION_BYTES_MAX {
            let most = ITERATION_BYTES_MAX;
            return usage(format!("{elements} times {size_bytes} bytes: give 1 to {most} bytes in all"));
        }
        let distance_bytes = request.stride_bytes.filter(|_| list_elements.is_some()).unwrap_or(0).max(size_bytes);
        if distance_bytes > ITERATION_BYTES_MAX {
            return usage(format!(
                "-t {distance_bytes}: a list's elements are at most {ITERATION_BYTES_MAX} bytes apart"
            ));
        }
        let copier = Copier::new(size_bytes, request.non_temporal)?;
        Ok(Blocks { copier, op, size_bytes, list_elements, distance_bytes, batch: request.batch, seed: request.seed })
    }

    /// Bytes of a thread's own buffer: what an iteration moves one way.
    pub fn own_bytes(&self) -> u64 {
        self.size_bytes * self.list_elements.unwrap_or(1)
    }

    /// Bytes of the other side that an iteration touches.
    pub fn span_bytes(&self) -> u64 {
        self.distance_bytes * self.list_elements.unwrap_or(1)
    }

    /// Bytes that an iteration copies.
    pub fn bytes_per_iteration(&self) -> u64 {
        self.own_bytes() * if self.op == Op::Copy { 2 } else { 1 }
    }

    /// An order for the elements of a region.
    pub fn order(&self, region_bytes: u64, thread: usize) -> Order {
        match self.list_elements {
            None => Order::one_after_the_other(region_bytes, self.distance_bytes),
            Some(_) => Order::scattered(region_bytes, self.distance_bytes, self.seed.wrapping_add(thread as u64)),
        }
    }

    /// One iteration, between `own` and places that `other` says, one for each element.
    ///
    /// # Safety
    ///
    /// `own` has [`Blocks::own_bytes`], and each place that is said `size_bytes`.
    pub unsafe fn iteration(&self, own: *mut u8, mut other: impl FnMut(Op) -> *mut u8) {
        let ways: &[Op] = match self.op {
            Op::Get => &[Op::Get],
            Op::Put => &[Op::Put],
            Op::Copy => &[Op::Get, Op::Put],
        };
        let size = self.size_bytes as usize;
        for way in ways {
            for element in 0..self.list_elements.unwrap_or(1) as usize {
                let (own, other) = (own.wrapping_add(element * size), other(*way));
                let (from, to) = if *way == Op::Get { (other, own) } else { (own, other) };
                // SAFETY: the caller vouches for both.
                unsafe { self.copier.copy(from, to, size) };
            }
        }
    }

    /// After so many iterations of a sample.
    pub fn end_iteration(&self, done: u64) {
        if self.batch > 0 && done.is_multiple_of(self.batch) {
            fence();
        }
    }

    /// What an iteration does, in words; `other` is the other side.
    pub fn words(&self, other: &str) -> String {
        let (size, stores) = (self.size_bytes, self.copier.words());
        let what = match self.list_elements {
            None => format!("{size} bytes"),
            Some(n) => format!("{n} elements of {size} bytes in scattered order, {} bytes apart", self.distance_bytes),
        };
        let way = match self.op {
            Op::Get => format!("copied from {other} to the thread's own buffer"),
            Op::Put => format!("copied from the thread's own buffer to {other}"),
            Op::Copy => format!("copied from {other} to the thread's own buffer, and back"),
        };
        let wait = match self.batch {
            0 => "one fence at the end".to_string(),
            1 => "a fence after each".to_string(),
            n => format!("a fence after every {n}"),
        };
        format!("{what} {way} by {stores}; {wait}")
    }
}

/// Threads that copy between own buffers and memory.
pub struct MemoryCopy {
    blocks: Blocks,
    threads: usize,
    private: bool,
    region_bytes: u64,
    node: Node,
    /// The region of all threads, if they have none of their own.
    shared: OnceLock<Buffer>,
}

impl MemoryCopy {
    /// For the threads of a request; a hot spot's have a region each.
    pub fn new(request: &Request) -> Result<MemoryCopy, Error> {
        let blocks = Blocks::new(request)?;
        let private = request.private || request.function == Function::HotSpot;
        let (threads, span_bytes) = (request.cpus.len(), blocks.span_bytes());
        if request.level_bytes == 0 {
            return usage("no working set: say how much memory each thread walks over");
        }
        let share = if private { 1 } else { threads as u64 };
        let region_bytes = request.level_bytes.saturating_mul(share).max(span_bytes);
        let node = request.memory_node;
        Ok(MemoryCopy { blocks, threads, private, region_bytes, node, shared: OnceLock::new() })
    }
}

impl Primitive for MemoryCopy {
    fn what(&self) -> What {
        let whose = if self.private { "each thread's own" } else { "all threads'" };
        let owner = if self.private { "each thread" } else { "thread 0" };
        What {
            operation: self.blocks.words(&format!("the next place of {} bytes, {whose}", self.region_bytes)),
            latency: Latency::PerOperation,
            line_home: format!("memory, {}", self.node.words(owner)),
            bytes_per_iteration: Some(self.blocks.bytes_per_iteration()),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let region = || Buffer::new(self.region_bytes as usize, self.node);
        if !self.private && thread == 0 {
            let region = region()?;
            self.shared.get_or_init(|| region);
        }
        Ok(Box::new(Copying {
            copy: self,
            // Beside the thread, wherever the region is.
            own: Buffer::new(self.blocks.own_bytes() as usize, Node::FirstTouch)?,
            private: if self.private { Some(region()?) } else { None },
            order: self.blocks.order(self.region_bytes, thread),
            abort,
        }))
    }
}

struct Copying<'a> {
    copy: &'a MemoryCopy,
    own: Buffer,
    private: Option<Buffer>,
    order: Order,
    abort: &'a Abort,
}

impl Part for Copying<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let blocks = &self.copy.blocks;
        let shared = || self.copy.shared.get().expect("made before the threads first meet");
        let region = self.private.as_ref().unwrap_or_else(shared);
        let (own, order, mut done) = (self.own.at(0), &mut self.order, 0);
        self.abort.repeat(iterations, || {
            // SAFETY: the own buffer has an iteration's bytes, and the order stays within the region.
            unsafe { blocks.iteration(own, |_| region.at(order.next_offset() as usize)) };
            done += 1;
            blocks.end_iteration(done);
            Ok(())
        })?;
        fence();
        Ok(())
    }
}
