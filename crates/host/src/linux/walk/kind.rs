//! The parts of walks that do not depend on the processor.

/// A walk over `bytes`, a multiple of [`STEP_BYTES`], repeated `laps` times. The walk itself repeats the laps, because
/// a loop in the caller would be visible in measured L1 times. A load walk ignores the destination, and a store walk
/// ignores the source.
///
/// # Safety
///
/// Sources must be readable and destinations writable for `bytes` bytes, and no reference to these bytes may exist.
/// Neither `bytes` nor `laps` may be 0.
pub type Walk = unsafe fn(from: *const u8, to: *mut u8, bytes: usize, laps: usize);

/// Number of bytes in a step of a walk: eight of the largest elements.
pub const STEP_BYTES: usize = 512;

/// The value of every byte that a walk stores.
pub const STORED: u8 = 0x5a;

/// The operation of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Loads each element.
    Load,
    /// Stores to each element.
    Store,
    /// Loads an element and stores it elsewhere.
    Copy,
}
