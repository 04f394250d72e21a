//! The kind, level and size of accesses.

use crate::choices::Level;
use cell::units::{LINE_BYTES, VECTOR_BYTES};

/// The value that each store writes.
pub const VALUE: u64 = 0x0123_4567_89ab_cdef;

/// The operation that a processor performs on each element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Loads the element.
    Load,
    /// Stores the element.
    Store,
    /// Loads the element and stores it into the other buffer.
    Copy,
}

impl Kind {
    /// All kinds, in the order of their FUNCTIONs.
    pub const ALL: [Kind; 3] = [Kind::Load, Kind::Store, Kind::Copy];
}

/// Accesses of one kind and size, to one memory level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElementAccess {
    /// Loads, stores or copies.
    pub kind: Kind,
    /// The level of the memory hierarchy.
    pub level: Level,
    /// Bytes of an element.
    pub size_bytes: u32,
}

impl ElementAccess {
    /// Default size of an element: a vector.
    pub const SIZE_BYTES: u32 = VECTOR_BYTES as u32;

    /// Number of bytes that the bandwidth counts for one access.
    pub fn counted_bytes(&self) -> u64 {
        let bytes = if self.level == Level::L1L2 { LINE_BYTES } else { u64::from(self.size_bytes) };
        if self.kind == Kind::Copy { 2 * bytes } else { bytes }
    }
}
