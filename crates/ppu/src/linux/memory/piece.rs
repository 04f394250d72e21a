//! Pieces of SPE contexts, as identified in mappings.

/// The number of a context or a gang.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u32);

/// A piece of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The context.
    pub context: Number,
    /// Whether the piece is part of the problem state.  Otherwise it is part of the local store.
    pub registers: bool,
    /// Offset in bytes.
    pub offset: u32,
}
