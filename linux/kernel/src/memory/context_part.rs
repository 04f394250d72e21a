//! Mappable parts of SPE contexts.

/// The number of a context or a gang.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u32);

/// A mappable part of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextPart {
    pub context: Number,
    /// Whether this is a part of the problem state. If false, this is a part of the local store.
    pub registers: bool,
    /// Offset in bytes.
    pub offset: u32,
}
