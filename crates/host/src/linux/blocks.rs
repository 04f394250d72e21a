//! Blocks that the thread itself copies in place of DMA, because a CPU has no engine that copies in the background.
//!
//! At the end of a batch, a full fence waits until the batch's loads are complete and its stores are visible to other
//! CPUs.

use super::order::Order;
use super::walk::{Copier, fence};
use crate::error::{Error, usage};
use crate::request::{Function, Op, Request};

/// The blocks that an iteration copies to or from any kind of memory.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// Copies the bytes.
    pub copier: Copier,
    /// Direction.
    pub op: Op,
    /// Size of a block, or of a list element.
    pub size_bytes: u64,
    /// Number of elements in the list of an iteration, or `None` without lists.
    pub list_elements: Option<u64>,
    /// Distance between list elements.
    pub distance_bytes: u64,
    /// Number of iterations between two fences; 0 means one fence at the end.
    pub batch: u64,
    /// Seed for the order of a list's elements.
    pub seed: u64,
}

/// Maximum number of bytes that an iteration may move in one direction.
const ITERATION_BYTES_MAX: u64 = 1 << 30;

impl Blocks {
    /// The blocks of a request.
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

    /// Size of a thread's own buffer: the bytes that an iteration moves in one direction.
    pub fn own_bytes(&self) -> u64 {
        self.size_bytes * self.list_elements.unwrap_or(1)
    }

    /// Size of the range that an iteration touches on the other side of the copies.
    pub fn span_bytes(&self) -> u64 {
        self.distance_bytes * self.list_elements.unwrap_or(1)
    }

    /// Number of bytes that an iteration copies.
    pub fn bytes_per_iteration(&self) -> u64 {
        self.own_bytes() * if self.op == Op::Copy { 2 } else { 1 }
    }

    /// The order in which iterations visit the elements of a region.
    pub fn order(&self, region_bytes: u64, thread: usize) -> Order {
        match self.list_elements {
            None => Order::one_after_the_other(region_bytes, self.distance_bytes),
            Some(_) => Order::scattered(region_bytes, self.distance_bytes, self.seed.wrapping_add(thread as u64)),
        }
    }

    /// Copies the blocks of one iteration between `own` and the addresses that `other` returns, one address for each
    /// element.
    ///
    /// # Safety
    ///
    /// `own` must point to [`Blocks::own_bytes`] bytes, and each address that `other` returns must point to
    /// `size_bytes`.
    pub unsafe fn iteration(&self, own: *mut u8, mut other: impl FnMut(Op) -> *mut u8) {
        let directions: &[Op] = match self.op {
            Op::Get => &[Op::Get],
            Op::Put => &[Op::Put],
            Op::Copy => &[Op::Get, Op::Put],
        };
        let size = self.size_bytes as usize;
        for direction in directions {
            for element in 0..self.list_elements.unwrap_or(1) as usize {
                let (own, other) = (own.wrapping_add(element * size), other(*direction));
                let (from, to) = if *direction == Op::Get { (other, own) } else { (own, other) };
                // SAFETY: the caller guarantees that both addresses point to enough bytes.
                unsafe { self.copier.copy(from, to, size) };
            }
        }
    }

    /// Executes a fence if iteration number `done` of a sample completes a batch.
    pub fn end_iteration(&self, done: u64) {
        if self.batch > 0 && done.is_multiple_of(self.batch) {
            fence();
        }
    }

    /// A description of an iteration; `other` describes the other side.
    pub fn words(&self, other: &str) -> String {
        let (size, stores) = (self.size_bytes, self.copier.words());
        let what = match self.list_elements {
            None => format!("{size} bytes"),
            Some(n) => {
                format!("{n} elements of {size} bytes, scattered over places {} bytes apart,", self.distance_bytes)
            }
        };
        let direction = match self.op {
            Op::Get => format!("copied from {other} to the thread's own buffer"),
            Op::Put => format!("copied from the thread's own buffer to {other}"),
            Op::Copy => format!("copied from {other} to the thread's own buffer, and from there to the next again"),
        };
        let wait = match self.batch {
            0 => "one fence at the end".to_string(),
            1 => "a fence after each".to_string(),
            n => format!("a fence after every {n}"),
        };
        format!("{what} {direction} by {stores}; {wait}")
    }
}
