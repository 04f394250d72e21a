//! `eventfd`: a counter with a wait queue.

use crate::errno::Errno;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Edges, Object, Refusal, Span, Stat, ready};
use crate::wait::{Queue, Wakes};
use files::Kind;
use std::cell::Cell;

pub struct Event {
    count: Cell<u64>,
    edges: Cell<Edges>,
    /// Semaphore mode: whether a read subtracts 1 from the counter instead of resetting it.
    semaphore: bool,
    changed: Queue,
}

/// Largest value of the counter.
const COUNT_MAX: u64 = u64::MAX - 1;
/// Size of a read or write, in bytes.
const WORD_BYTES: u32 = 8;

impl Event {
    /// A counter with an initial value.
    pub fn new(wakes: &mut Wakes, count: u32, semaphore: bool) -> Event {
        Event { count: Cell::new(count.into()), edges: Cell::default(), semaphore, changed: wakes.new_queue() }
    }

    fn set(&self, count: u64, wakes: &mut Wakes) {
        let mut edges = self.edges.get();
        match count > self.count.get() {
            true => edges.arrivals += 1,
            false => edges.departures += 1,
        }
        self.edges.set(edges);
        self.count.set(count);
        wakes.wake(self.changed);
    }
}

impl Object for Event {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(Stat::new(device::ANONYMOUS, 1, Kind::File, 0o600))
    }

    fn file_system(&self) -> u32 {
        file_system::ANONYMOUS
    }

    fn seekable(&self) -> bool {
        false
    }

    fn read(&self, context: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let count = self.count.get();
        if span.bytes < WORD_BYTES {
            return Err(Errno::EINVAL.into());
        }
        if count == 0 {
            return Err(Refusal::Waits(vec![self.changed]));
        }
        let taken = if self.semaphore { 1 } else { count };
        self.set(count - taken, context.wakes);
        Ok(taken.to_be_bytes().to_vec())
    }

    fn write(&self, context: &mut Context<'_>, _: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        let word = bytes.first_chunk().ok_or(Errno::EINVAL)?;
        let more = u64::from_be_bytes(*word);
        if more > COUNT_MAX {
            return Err(Errno::EINVAL.into());
        }
        let sum = self.count.get().checked_add(more).filter(|sum| *sum <= COUNT_MAX);
        let Some(sum) = sum else { return Err(Refusal::Waits(vec![self.changed])) };
        if more > 0 {
            self.set(sum, context.wakes);
        }
        Ok(WORD_BYTES)
    }

    fn ready(&self, _: &mut Context<'_>) -> u32 {
        let count = self.count.get();
        let readable = if count > 0 { ready::READ } else { 0 };
        if count < COUNT_MAX { readable | ready::WRITE } else { readable }
    }

    fn queues(&self) -> Vec<Queue> {
        vec![self.changed]
    }

    fn edges(&self) -> Edges {
        self.edges.get()
    }
}
