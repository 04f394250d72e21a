//! What every walk has in common, whatever the processor.

/// A walk: source, destination, bytes, a multiple of [`STEP_BYTES`], and laps, since a caller's own loop would
/// show in the L1.  A load needs no destination and a store no source, but either may be given.
///
/// # Safety
///
/// Sources must be readable and destinations writable for that many bytes, to which no reference exists; neither
/// bytes nor laps may be 0.
pub type Walk = unsafe fn(from: *const u8, to: *mut u8, bytes: usize, laps: usize);

/// A step of a walk: eight of the largest elements.
pub const STEP_BYTES: usize = 512;

/// The value of every byte that is stored.
pub const STORED: u8 = 0x5a;

/// What a walk does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Loads each element.
    Load,
    /// Stores to each element.
    Store,
    /// Loads an element and stores it elsewhere.
    Copy,
}
