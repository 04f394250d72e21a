//! The address space of the process.

pub mod area;
pub mod backing;
pub mod mapping;
pub mod piece;
pub mod space;

use space::Space;

/// The address space, and the size of main memory.
pub struct Mm {
    /// The address space.
    pub space: Space,
    /// Size of main memory.
    pub main_memory_bytes: u64,
}

impl Mm {
    /// An empty address space on a machine with this size of main memory.
    pub fn new(main_memory_bytes: u64) -> Mm {
        Mm { space: Space::default(), main_memory_bytes }
    }

    /// Whether a program may allocate this many bytes at once.  As in Linux, each request is checked separately, and a
    /// full main memory is detected only when pages are used.
    pub fn has_memory_for(&self, bytes: u32) -> bool {
        u64::from(bytes) <= self.main_memory_bytes
    }
}
