//! The machine's parts.

use super::fast_forward::anchor::Search;
use super::fast_forward::settling::Settling;
use super::memory::Memory;
use super::processors::Processors;
use super::wires::Wires;

/// A machine with programs on it.
pub struct System<'p> {
    pub(super) wires: Wires,
    pub(super) memory: Memory,
    pub(super) processors: Processors<'p>,
    pub(super) fast_forward: Option<Search>,
    pub(super) settling: Option<Settling>,
}
