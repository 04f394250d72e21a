//! The address space of the process.

pub mod area;
pub mod backing;
pub mod context_part;
pub mod mapping;
pub mod segment;
pub mod space;

use cell::machine::Machine;
use space::Space;

/// The address space, and the size of main memory.
pub struct Mm {
    /// The address space.
    pub space: Space,
    /// Size of main memory.
    pub main_memory_bytes: u64,
    /// Size of a huge page.
    pub huge_page_bytes: u32,
}

impl Mm {
    /// An empty address space on a machine.
    pub fn new(machine: &Machine) -> Mm {
        Mm {
            space: Space::default(),
            main_memory_bytes: machine.chip.main_memory_bytes,
            huge_page_bytes: machine.translation.huge_page_bytes,
        }
    }

    /// Whether a program may allocate this many bytes at once. As in Linux, each request is checked separately, and a
    /// full main memory is detected only when pages are used.
    pub fn has_memory_for(&self, bytes: u32) -> bool {
        u64::from(bytes) <= self.main_memory_bytes
    }
}
