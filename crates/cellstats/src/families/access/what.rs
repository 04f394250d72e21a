//! What is accessed, and how.

use crate::choices::Level;
use cell::units::{LINE_BYTES, VECTOR_BYTES};

/// What is stored.
pub const VALUE: u64 = 0x0123_4567_89ab_cdef;

/// What a processor does with each element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Loads it.
    Load,
    /// Stores it.
    Store,
    /// Loads it and stores it elsewhere.
    Copy,
}

impl Kind {
    /// All of them, in the order of their FUNCTIONs.
    pub const ALL: [Kind; 3] = [Kind::Load, Kind::Store, Kind::Copy];
}

/// Accesses of one kind and size, in one level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct What {
    /// Loads, stores or copies.
    pub kind: Kind,
    /// Where.
    pub level: Level,
    /// Bytes of an element.
    pub size_bytes: u32,
}

impl What {
    /// Bytes of an element if nobody says how many: a vector.
    pub const SIZE_BYTES: u32 = VECTOR_BYTES as u32;

    /// Bytes that one access counts for.
    pub fn counted_bytes(&self) -> u64 {
        let bytes = if self.level == Level::L1L2 { LINE_BYTES } else { u64::from(self.size_bytes) };
        if self.kind == Kind::Copy { 2 * bytes } else { bytes }
    }
}
