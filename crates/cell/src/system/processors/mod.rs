//! The chips' processors: their units and registers, side by side.
//!
//! The modules `spe`, `ppe` and `journey` contain what the units do.

pub(super) mod context;
pub(super) mod ppe;
mod proxy;
pub(super) mod spe;

use super::board::Board;
use crate::page_table::PageTable;
use crate::units::SpeId;
use context::SpeContext;
use ppe::Ppe;
use spe::Spe;
use std::rc::Rc;

/// The processor elements of all chips: SPEs, and the PPE.
pub(crate) struct Processors<'p> {
    pub spes: Vec<Spe<'p>>,
    pub ppe: Ppe<'p>,
    /// Contexts that are on no SPE, by number.
    pub contexts: Vec<Option<SpeContext<'p>>>,
    /// The page table of the process that an operating system runs.
    pub pages: Option<Rc<PageTable>>,
}

/// The end of a processor's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pause {
    /// The processor waits for the clock or for another unit.
    Waits,
    /// The program has made a mark, and waits for the number of iterations that it is to skip.
    Marked,
    /// The program has ended.
    Stopped,
}

impl<'p> Processors<'p> {
    /// All processors at rest.
    pub fn new(board: &Board) -> Self {
        let spe = |n| Spe::new(SpeId(n), board.topology.spe_ramp(SpeId(n)), &board.machine);
        let spes = (0..board.topology.spe_count() as u8).map(spe).collect();
        Processors { spes, ppe: Ppe::new(&board.machine), contexts: Vec::new(), pages: None }
    }

    /// An SPE.
    #[inline]
    pub fn spe(&mut self, id: SpeId) -> &mut Spe<'p> {
        &mut self.spes[usize::from(id.0)]
    }
}
