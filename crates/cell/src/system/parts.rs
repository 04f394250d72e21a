//! The machine's parts.

use super::board::Board;
use super::bus::Bus;
use super::fast_forward::anchor::Search;
use super::memory::Memory;
use super::probes::set::Probes;
use super::processors::Processors;
use super::time::Time;

/// A machine with programs on it.
pub struct System<'p> {
    pub(super) board: Board,
    pub(super) time: Time,
    pub(super) bus: Bus,
    pub(super) memory: Memory,
    pub(super) processors: Processors<'p>,
    pub(super) probes: Probes,
    pub(super) fast_forward: Option<Search>,
}
