//! Progress of a thread's walk over main memory.

use crate::door::{Access, Walk};
use crate::snapshot::Snapshot;
use crate::units::{LINE_BYTES, SpuCycles};

/// The cause of a thread's wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Nothing,
    /// The cache line that a load missed.
    Line,
    /// A free entry of the store queue.
    Entry,
}

/// A walk in progress; its addresses are main-memory addresses.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub walk: Walk,
    /// Number of elements that have been accessed.
    pub done: u64,
    /// Number of elements whose bytes have been moved.
    pub moved: u64,
    /// Whether the current element has been loaded but not stored yet.
    pub loaded: bool,
    /// Earliest time of the thread's next access.
    pub ready_at: SpuCycles,
    /// The reason why the thread waits.
    pub waits: Wait,
}

impl Walker {
    /// Creates a walk at its first element.
    pub fn new(walk: Walk, ready_at: SpuCycles) -> Walker {
        Walker { walk, done: 0, moved: 0, loaded: false, ready_at, waits: Wait::Nothing }
    }

    /// Returns whether the next access is a store, and the address of the access.
    #[inline]
    pub fn access(&self) -> (bool, u64) {
        let offset = self.offset(self.done);
        match self.walk.access {
            Access::Load { from } | Access::Touch { from, .. } => (false, from + offset),
            Access::Copy { from, .. } if !self.loaded => (false, from + offset),
            Access::Store { to, .. } | Access::Own { to } | Access::Copy { to, .. } => (true, to + offset),
        }
    }

    /// Records that the next access has been performed. Returns whether the bytes of the elements must be moved now,
    /// because the walk leaves a cache line or ends.
    #[inline]
    pub fn accessed(&mut self) -> bool {
        let (stores, address) = self.access();
        if matches!(self.walk.access, Access::Copy { .. }) && !stores {
            self.loaded = true;
            return false;
        }
        self.loaded = false;
        self.done += 1;
        if !stores {
            self.moved = self.done;
            return false;
        }
        self.done == self.walk.count
            || (address + u64::from(self.walk.stride_bytes)) / LINE_BYTES != address / LINE_BYTES
    }

    /// Whether all elements have been accessed.
    pub fn has_ended(&self) -> bool {
        self.done == self.walk.count
    }

    /// Byte offset of an element from the first element.
    pub fn offset(&self, element: u64) -> u64 {
        element * u64::from(self.walk.stride_bytes)
    }

    /// Adds the walk to a snapshot, relative to `now`.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        let Walker { walk: Walk { access, bytes, stride_bytes, count }, done, moved, loaded, ready_at, waits } = *self;
        let (kind, addresses) = match access {
            Access::Load { from } => (0, [from, 0]),
            Access::Store { to, value } => (1, [to, value]),
            Access::Copy { from, to } => (2, [from, to]),
            Access::Own { to } => (3, [to, 0]),
            Access::Touch { from, store } => (4, [from, u64::from(store)]),
        };
        out.word(kind << 16 | u64::from(bytes) << 8 | (waits as u64) << 1 | u64::from(loaded));
        addresses.into_iter().for_each(|word| out.word(word));
        for word in [u64::from(stride_bytes), count, done, moved] {
            out.word(word);
        }
        // A waiting thread continues when it is woken, regardless of how long it has waited.
        let waits = waits != Wait::Nothing;
        out.word(if waits { ready_at.saturating_sub(now) } else { ready_at.wrapping_sub(now) });
    }
}
