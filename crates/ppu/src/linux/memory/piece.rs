//! Parts of contexts, as mappings name them.

/// The number of a context or a gang.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u32);

/// A part of a context, from an offset on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The context.
    pub context: Number,
    /// Its problem state; otherwise its local store.
    pub registers: bool,
    /// Bytes from its beginning.
    pub offset: u32,
}
